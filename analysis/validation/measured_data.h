// Measured run times, read from CSV. The table has a column for each parameter that varied, and one of measurements
// with its unit.
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
  std::string measured;              // the column of measurements; empty for the only one that is no parameter
  std::vector<std::string> ignored;  // columns that are skipped
  std::map<std::string, frontend::TypeRef>
      names;  // names that the `set`s of a study read, in addition to the parameters of the model
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
  bool choose_measured(Header& header, const MeasuredColumns& columns);
  void read_unit(const frontend::CsvCell& cell);
  void read_parameters(const Header& header, const MeasuredColumns& columns);
  void read_texts(MeasuredParameter& parameter, const std::vector<RowText>& rows);
  void read_measured();
  void group();
  void report_copies();

  frontend::Program& program_;
  const frontend::Item& model_;
  const std::uint32_t file_;
  frontend::Diagnostics& diagnostics_;
  std::vector<MeasuredParameter> parameters_;
  std::string name_;
  frontend::Location heading_;
  std::optional<frontend::Unit> unit_;
  std::size_t cell_ = 0;
  std::vector<RowText> rows_;
  std::vector<double> measured_;
  std::vector<Configuration> configurations_;
};

}  // namespace wave::analysis
