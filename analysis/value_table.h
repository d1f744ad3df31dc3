// A table of parameter values, read from a text: which parameters vary, and what they are in each row.
#pragma once

#include "analysis/cell_values.h"
#include "analysis/parameter_headings.h"
#include "analysis/table_reading.h"
#include "analysis/tables/table.h"
#include "backend/batch.h"
#include "frontend/check/program.h"
#include "frontend/lower/lower.h"
#include "frontend/source/text_table.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace wave::analysis {

// A parameter that varies. Quantities are in base units. Choices and strings are given by their ordinals, booleans as 0
// and 1.
struct VaryingColumn {
  std::string path;  // "n", "net.L"
  frontend::TypeRef type;
  std::optional<frontend::Unit> unit;  // of a quantity, as the heading has it
  frontend::Location heading;
  ColumnValues values;
  std::size_t cell = 0;             // which cell of a row
  bool are_units_in_cells = false;  // and not in the heading
};

// Whether a column can hold values of this type. It can hold numbers, quantities, truth values, strings and choices.
bool is_column_type(const frontend::TypeRef& type);

// A unit of the dimension for help texts, such as `us/B`. Empty if there is no usual one.
std::string example_unit(frontend::Dimension dimension);

// Where a row stands in the text, without the end of its line.
struct RowText {
  std::uint32_t begin = 0, end = 0;
};

// The beginning of a text that is too long for a message.
std::string shortened(std::string_view text);

// Reports that both `-D` and a column say what a parameter is.
void check_given_once(const std::string& parameter, frontend::Location heading,
                      const std::vector<frontend::Override>& overrides, frontend::Diagnostics& diagnostics);

class ValueTable {
 public:
  // What headings may name beside parameters of the model.
  struct Others {
    std::vector<std::size_t> cells;                  // that hold something else
    std::map<std::string, frontend::TypeRef> names;  // of a study: what its `set`s read
    std::vector<std::size_t> numbers;                // of these cells, which hold numbers that a row needs
    std::string series;                              // see TextTable
    std::optional<TableReading> reading;             // none: nobody can say how it is read
    std::map<std::string, std::string> columns;      // of parameters that they are not named after
  };

  // `file` is one of the program's sources, of less than 4 GiB. Headings are checked against the parameters of `model`.
  // All errors are collected in `diagnostics`.
  ValueTable(frontend::Program& program, const frontend::Item& model, std::uint32_t file,
             frontend::Diagnostics& diagnostics, Others others = {});

  // Reads the rows. `words` are the strings of the lowered program, to which those of the table are added. Stops after
  // many errors.
  void read_rows(std::vector<std::string>& words);

  const std::vector<VaryingColumn>& columns() const { return columns_; }
  // The columns with their values, which the table itself has no more.
  std::vector<VaryingColumn> take_columns();
  const std::vector<RowText>& rows() const { return rows_; }
  // How many rows were passed over, since they lack a number.
  std::size_t skipped() const { return skipped_; }
  // What was understood otherwise than it is written, and what was passed over, in words.
  const std::vector<std::string>& notes() const { return notes_; }
  std::uint32_t file() const { return file_; }
  RowText header() const { return header_; }
  // The cell of a row, for the label of a diagnostic. The row itself, where it has no such cell.
  frontend::Location location(std::size_t row, std::size_t cell) const;

  // Gives the parameter of every column some value from outside, so that the program can be lowered if the parameter
  // has no default. The value does not matter. Its location is the heading of the column.
  std::vector<frontend::Override> stand_ins();

 private:
  void read_header();
  void add_column(const frontend::CsvCell& cell, const frontend::CsvCell* first, std::size_t index);
  bool check_unit(VaryingColumn& column, const frontend::TableHeading& heading, const std::string& unit,
                  const frontend::CsvCell& cell, const frontend::CsvCell* first);
  struct ColumnReader;
  bool is_to_skip(const std::vector<frontend::CsvCell>& cells) const;
  void read_cell(VaryingColumn& column, ColumnReader& reader, const frontend::CsvCell& cell);
  void refuse_cell(const VaryingColumn& column, const ColumnReader& reader, const frontend::CsvCell& cell);
  void report(const frontend::TableTrouble& trouble);
  frontend::Diagnostic& report(frontend::DiagnosticKind kind, std::uint32_t begin, std::uint32_t end,
                               std::string message, std::string label);
  bool too_many_errors() const { return errors_ >= most_errors; }

  static constexpr std::size_t most_errors = 20;

  frontend::Program& program_;
  const frontend::Item& model_;
  const std::uint32_t file_;
  frontend::Diagnostics& diagnostics_;
  const Others others_;
  std::vector<VaryingColumn> columns_;
  std::map<std::string, frontend::Location> headings_;  // where each of these was named
  std::vector<RowText> rows_;
  std::vector<std::string> notes_;
  std::size_t skipped_ = 0;
  RowText header_;
  mutable std::optional<frontend::TextTable> again_;  // for the places of cells, once somebody asks for one
  std::size_t errors_ = 0;
};

}  // namespace wave::analysis
