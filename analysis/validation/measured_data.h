// Measured run times, read from a table of text. It has a column for each parameter that varied, and one of
// measurements with its unit.
#pragma once

#include "analysis/study/study_model.h"
#include "analysis/tables/table.h"
#include "analysis/value_table.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wave::analysis {

// Which column is what.
struct MeasuredColumns {
  std::string measured;              // the column of measurements, perhaps with the unit in which it is to be read,
                                     // "wall [ms]"; empty for the only one that is no parameter
  std::vector<std::string> ignored;  // columns that are skipped
  std::vector<std::string> named;    // columns of parameters that they are not named after: "p=MPI ranks"
  std::map<std::string, frontend::TypeRef>
      names;  // names that the `set`s of a study read, in addition to the parameters of the model
  std::optional<TableReading> reading = {};  // none: nobody can say how it is read
};

// Rows whose parameters have the same values: repetitions of one measurement.
struct Configuration {
  std::vector<std::size_t> rows;
  double mean = 0;
  double deviation = 0;  // the standard deviation of the repetitions; NaN if there is only one
  double least = 0, most = 0;
};

// A parameter in the table. Its values are numbers, or ordinals of `texts`: machines, orders and strings as they are
// written.
struct MeasuredParameter {
  std::string name;
  frontend::TypeRef type;
  std::optional<frontend::Unit> unit;
  frontend::Location heading;
  std::size_t cell = 0;
  ColumnValues values;  // one for each row
  std::vector<std::string> texts;
  bool has_texts = false;
};

class MeasuredData {
 public:
  // `file` is one of the program's sources, of less than 4 GiB. Every error is collected in `diagnostics`.
  MeasuredData(frontend::Program& program, const frontend::Item& model, std::uint32_t file,
               const MeasuredColumns& columns, frontend::Diagnostics& diagnostics);

  const std::vector<MeasuredParameter>& parameters() const { return parameters_; }
  // The column of measurements.
  const std::string& name() const { return name_; }
  // What an output may be called that was measured: the name of the column, that without its unit, and either with
  // other capitals.
  bool is_called(const std::string& output) const;
  frontend::Location heading() const { return heading_; }
  const std::optional<frontend::Unit>& unit() const { return unit_; }
  frontend::Dimension dimension() const;

  // One for each row, positive, in base units.
  const std::vector<double>& measured() const { return measured_; }
  std::size_t rows() const { return measured_.size(); }
  // A row of the table, or one of its cells.
  frontend::Location location(std::size_t row) const;
  frontend::Location location(std::size_t row, std::size_t cell) const;
  frontend::Location measured_location(std::size_t row) const { return location(row, cell_); }
  // The line number of a row in the file.
  std::uint32_t line(std::size_t row) const;

  // What was understood otherwise than it is written, and what was passed over, in words.
  const std::vector<std::string>& notes() const { return notes_; }

  // In the order of their first rows.
  const std::vector<Configuration>& configurations() const { return configurations_; }

  // What a study varies: "n", "net=[SP2(), SP2_C()]".
  std::vector<std::string> clauses() const;
  // The values of `variables` at the first rows of configurations, column by column. Variables that the table does not
  // have are left empty for the caller.
  std::vector<ColumnValues> points(const std::vector<Variable>& variables) const;

  // Removes the rows of configurations for which `holds` is 0.
  void keep(const std::vector<std::int64_t>& holds);

  // Points and measurements, for pictures.
  ResultTable table() const;
  // The same of configurations, with the means of what was measured.
  ResultTable table_of_configurations() const;

 private:
  struct Header;
  void read_header(const MeasuredColumns& columns);
  void refuse_series(const frontend::TextTable& table);
  void read_headings(const frontend::TextTable& table, const MeasuredColumns& columns);
  bool read_named(const Header& header, const MeasuredColumns& columns);
  bool check_there(const Header& header, const std::string& column, const char* for_what);
  void sort_columns(Header& header, const MeasuredColumns& columns, std::optional<std::size_t> measured);
  std::optional<std::size_t> choose_measured(const Header& header);
  std::optional<std::size_t> find_measured(const Header& header, const std::string& wanted);
  void refuse_choice(const Header& header);
  static std::string example_of_choice(const Header& header);
  std::string example_of_column(const Header& header, std::size_t column) const;
  void report_unknown_but(Header& header, std::size_t chosen);
  void read_unit(const Header& header, const MeasuredColumns& columns, const frontend::CsvCell* first);
  bool is_plain_output(const std::string& name) const;
  void read_parameters(Header& header, const MeasuredColumns& columns);
  void add_texts(const Header& header, const MeasuredColumns& columns, std::vector<std::size_t>& others);
  void read_cells(const MeasuredColumns& columns);
  bool read_text(MeasuredParameter& parameter, const frontend::CsvCell& cell,
                 std::map<std::string, std::int64_t>& known);
  bool read_number(const frontend::QuantityReader& reader, const frontend::CsvCell& cell, bool has_options);
  void note_minutes(std::string_view text, char decimal);
  void group();
  void report_copies();

  frontend::Program& program_;
  const frontend::Item& model_;
  const std::uint32_t file_;
  frontend::Diagnostics& diagnostics_;
  std::vector<MeasuredParameter> parameters_;
  std::string name_, stem_;
  std::map<std::string, std::string> named_;  // columns by their parameters
  std::string series_;                        // of a table that holds several (see TextTable)
  frontend::Location heading_;
  std::optional<frontend::Unit> unit_;
  bool are_units_in_cells_ = false, has_minutes_ = false;
  std::size_t cell_ = 0, width_ = 0;
  std::vector<RowText> rows_;
  std::vector<RowText> cells_;  // of all rows, each as many as there are headings
  std::vector<std::string> notes_;
  std::vector<double> measured_;
  std::vector<Configuration> configurations_;
};

}  // namespace wave::analysis
