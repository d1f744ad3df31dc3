// What an evaluation has given, as tables and texts.
#pragma once

#include "backend/engine.h"
#include "cli/formats/document.h"
#include "frontend/format/quantities.h"
#include "frontend/lower/lower.h"

#include <memory>
#include <optional>
#include <string>
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

// The dimension of a column, where it is a quantity or a plain real.
std::optional<frontend::Dimension> dimension_of(const frontend::TypeRef& type);

// Integers, truth values, strings and choices as they are.
std::string discrete_text(ir::Scalar value, const frontend::TypeRef& type, const std::vector<std::string>& words);
bool is_text(const frontend::TypeRef& type);  // a string or a choice

// "total [s]", "n".
std::string heading(const std::string& name, const std::string& unit);

// The unit in which a column is written in JSON and CSV, and for a number in it.
Scale full_scale(const frontend::ColumnInfo& column);

// --- what was evaluated ---

enum class OutputStatus { evaluated, failed };

struct OutputResult {
  const frontend::OutputInfo* info = nullptr;
  OutputStatus status = OutputStatus::evaluated;
  std::string failure;  // the code of the diagnostic, where it failed
  backend::Rows rows;
};

struct ParameterResult {
  const frontend::ParameterInfo* info = nullptr;
  std::optional<ir::Scalar> value;  // none: no scalar, or it could not be evaluated
};

// A proved shortcut that gave values without evaluating every point: of `start`, "equal paths", "closed form: equal
// paths".
struct Shortcut {
  std::string of;
  std::string proof;
  std::string text;
  double cells = 0;  // that it stands for
};

struct Results {
  std::string file;
  std::string model;
  std::string engine;
  std::vector<std::pair<std::string, std::string>> given;  // by -D, as written
  std::string text;  // a digest of the model's texts and data files, without the library; empty: of no matter
  std::vector<std::string> words;  // strings, by the integer that stands for them
  std::vector<ParameterResult> parameters;
  std::vector<OutputResult> outputs;
  std::vector<backend::EventReport> reports;
  std::vector<backend::Fallback> fallbacks;
  std::string code;  // what was compiled, and what the cache had; empty: nothing
  bool verbose = false;
};

// The shortcuts that are named in the reports, each once.
std::vector<Shortcut> shortcuts_of(const Results& results);

// --- as a document ---

// Significant digits where nothing else is said.
inline constexpr int table_digits = 4;
inline constexpr int plain_digits = 6;  // of numbers without a dimension
inline constexpr int cost_digits = 6;

// All of it, to be written.
Document document_of(const Results& results, int digits = table_digits);
// How it was evaluated: engine, and per recurrence its schedule, bound, quantum and error.
std::string render_reports(const Results& results);

// --- other tables ---

// The types of their columns.
frontend::TypeRef text_type();
frontend::TypeRef count_type();
frontend::TypeRef data_type();
frontend::TypeRef time_type();
frontend::TypeRef work_type();
frontend::TypeRef plain_type();  // a number without a dimension

// Adds tables that are no outputs of a model (counts, breakdowns) to `results`, which points into this object.
class ResultTables {
 public:
  explicit ResultTables(Results& results) : results_(results) {}

  void begin_table(const std::string& name, std::vector<frontend::ColumnInfo> columns, const std::string& doc);
  void begin_record(const std::string& name, std::vector<frontend::ColumnInfo> columns, const std::string& doc);
  void row(const std::vector<ir::Scalar>& cells);
  ir::Scalar text(const std::string& text);

 private:
  void begin(const std::string& name, frontend::RowsShape shape, std::vector<frontend::ColumnInfo> columns,
             const std::string& doc);

  Results& results_;
  std::vector<std::unique_ptr<frontend::OutputInfo>> infos_;
};

}  // namespace wave::cli
