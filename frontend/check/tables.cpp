// Tables, as written and from files.
#include "frontend/check/collections.h"
#include "frontend/check/expressions.h"
#include "frontend/check/files.h"
#include "frontend/check/reports.h"

#include <algorithm>

namespace wave::frontend::check {
namespace {

struct Column {
  std::string name;
  std::string unit;  // "us/B", or empty
};

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\"");
  const std::size_t last = text.find_last_not_of(" \t\r\"");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// The header of a data file: names separated by commas, each with a unit in brackets where it has one:
// `size [B], elapsed [us]`. Lines that begin with `#` are comments.
std::vector<Column> header_of(const std::string& text) {
  std::size_t begin = text.rfind("\xEF\xBB\xBF", 0) == 0 ? 3 : 0;
  std::string line;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    line = trimmed(text.substr(begin, end - begin));
    begin = end + 1;
    if (!line.empty() && line.front() != '#') break;
    line.clear();
  }
  std::vector<Column> columns;
  for (std::size_t at = 0; at <= line.size() && !line.empty();) {
    const std::size_t comma = std::min(line.find(',', at), line.size());
    std::string cell = trimmed(line.substr(at, comma - at));
    Column column{cell, ""};
    const std::size_t bracket = cell.find('[');
    if (bracket != std::string::npos && cell.back() == ']') {
      column.name = trimmed(cell.substr(0, bracket));
      column.unit = trimmed(cell.substr(bracket + 1, cell.size() - bracket - 2));
    }
    columns.push_back(std::move(column));
    at = comma + 1;
  }
  return columns;
}

}  // namespace

TypeRef Collections::check_table(Expr& e, expr::TableLiteral& table, const TypeRef& expected) {
  if (table.entries.empty()) {
    reports_.add(DiagnosticKind::type_mismatch, e.place, "a table without entries", "nothing to read from")
        .help.push_back("write `table { 1 KiB: 101 us, 64 KiB: 1969 us } linear`");
    return expected ? expected : unknown_type();
  }
  std::vector<Expr*> keys;
  std::vector<Expr*> values;
  for (auto& [key, value] : table.entries) {
    expressions_.require_numeric(*key, "a key of a table");
    expressions_.require_numeric(*value, "a table");
    keys.push_back(key.get());
    values.push_back(value.get());
  }
  TypeRef key = expressions_.common(keys, "the keys of a table:");
  TypeRef value = expressions_.common(values, "the values of a table:");
  const auto* wanted = as<types::Table>(expected);
  if (is_zero(value) && wanted) {
    for (Expr* one : values) expressions_.adopt(*one, wanted->value);
    value = wanted->value;
  }
  // Between the entries a table is read at any real number.
  if (as<types::Int>(key)) key = real_type();
  if (as<types::Int>(value)) value = real_type();
  return make_type(types::Table{{key}, value});
}

TypeRef Collections::check_table_file(expr::TableFile& table) {
  const FileText file =
      read_data_file(table.path.text, context_.module ? context_.module->folder : "", search_.folders);
  if (!file.ok) {
    reports_.add(DiagnosticKind::bad_data_file, table.path.place,
                 "cannot use the data file `" + table.path.text + "`: " + file.text, "named here");
    return unknown_type();
  }
  table.text = file.text;
  const std::vector<Column> columns = header_of(table.text);
  types::Table type;
  bool failed = false;
  const auto column_type = [&](const Identifier& name) -> TypeRef {
    const auto same = [&](const Column& column) { return column.name == name.text; };
    const auto column = std::find_if(columns.begin(), columns.end(), same);
    if (column == columns.end()) {
      failed = true;
      std::vector<std::string> names;
      std::string shown;
      for (const Column& one : columns) {
        names.push_back(one.name);
        shown += (shown.empty() ? "`" : ", `") + one.name + "`";
      }
      Diagnostic& d =
          reports_.add(DiagnosticKind::bad_data_file, name.place,
                       "`" + table.path.text + "` has no column `" + name.text + "`", "not in its first line");
      d.notes.push_back(columns.empty() ? "the file has no first line with names of columns"
                                        : "its columns are " + shown);
      suggest_nearest(d, name.text, names);
      return unknown_type();
    }
    if (column->unit.empty()) return real_type();
    const auto dimension = dimension_of_unit(column->unit);
    if (dimension) return real_type(*dimension);
    failed = true;
    reports_.add(
        DiagnosticKind::bad_data_file, name.place,
        "the column `" + name.text + "` of `" + table.path.text + "` has the unknown unit `" + column->unit + "`",
        "this column");
    return unknown_type();
  };
  for (const Identifier& key : table.keys) type.keys.push_back(column_type(key));
  type.value = column_type(table.value);
  return failed ? unknown_type() : make_type(std::move(type));
}

}  // namespace wave::frontend::check
