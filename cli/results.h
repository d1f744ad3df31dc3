// The results of an evaluation, as tables and texts.
#pragma once

#include "analysis/tables/row_table.h"
#include "analysis/value_text.h"
#include "backend/engine.h"
#include "cli/formats/document.h"
#include "frontend/format/quantities.h"
#include "frontend/lower/lower.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace wave::cli {

using frontend::common_decimals;
using frontend::format_decimals;
using frontend::format_number;
using frontend::format_quantity;
using frontend::readable_scale;
using frontend::Scale;
using frontend::scale_of;
using frontend::standard_scale;

// --- values ---

using analysis::dimension_of;
using analysis::heading;
using analysis::is_text;

// The types of columns in tables that are not outputs.
using analysis::count_type;
using analysis::data_type;
using analysis::plain_type;
using analysis::text_type;
using analysis::time_type;
using analysis::truth_type;
using analysis::work_type;

// A cell of a table that is built row by row.
using analysis::Cell;

// --- what was evaluated ---

struct ParameterResult {
  std::string path, source, doc;
  bool given = false;
  std::optional<TableColumn> value;  // a single row; nothing if it is not a scalar or could not be evaluated
};

// A proved shortcut that gave values without evaluating every point: of `start`, "equal paths", "closed form: equal
// paths".
struct Shortcut {
  std::string of;
  std::string proof;
  std::string text;
  double cells = 0;  // the number of cells that it stands for
};

struct Results {
  std::string file;
  std::string model;
  std::string engine;
  std::vector<std::pair<std::string, std::string>> given;  // by -D, as written
  std::string text;  // a digest of the model's texts and data files, without the library; empty if not wanted
  std::vector<ParameterResult> parameters;
  std::vector<OutputTable> outputs;
  bool has_breakdowns = false;  // whether an output that was evaluated asks where a time goes
  std::vector<backend::EventReport> reports;
  std::string code;  // what was compiled and what came from the cache; empty if nothing
  bool verbose = false;

  // Further tables (counts, breakdowns), written like outputs. A row is added to the last table.
  void add_table(const std::string& name, std::vector<frontend::ColumnInfo> columns, const std::string& doc,
                 frontend::RowsShape shape = frontend::RowsShape::records);
  void add_record(const std::string& name, std::vector<frontend::ColumnInfo> columns, const std::string& doc) {
    add_table(name, std::move(columns), doc, frontend::RowsShape::record);
  }
  void add_row(const std::vector<Cell>& cells);
  void add(const analysis::RowTable& table);
};

// What an engine gave for an output. `words` are the strings, by the integers that stand for them.
OutputTable table_of(const frontend::OutputInfo& output, const backend::Rows& rows,
                     const std::vector<std::string>& words);
OutputTable row_table(const analysis::RowTable& table);
// The same, in which numbers that there are not are missing.
OutputTable whole_table(const analysis::RowTable& table);
// An output without rows, with the code of what failed.
OutputTable failed_table(const frontend::OutputInfo& output, std::string code);
TableColumn column_of(const frontend::ColumnInfo& info, const ir::Scalar& value, const std::vector<std::string>& words);

// The shortcuts that the reports name, each once.
std::vector<Shortcut> shortcuts_of(const Results& results);

// --- as a document ---

// Significant digits, unless something else is said.
inline constexpr int table_digits = 4;
inline constexpr int plain_digits = 6;  // of numbers without a dimension
inline constexpr int cost_digits = 6;

// The whole document, to be written.
Document document_of(const Results& results, int digits = table_digits);
// How the model was evaluated: the engine, and for each recurrence its schedule, bound, quantum and error.
std::string render_reports(const Results& results);

}  // namespace wave::cli
