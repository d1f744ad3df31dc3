// Tables, as written and from files.
#include "frontend/check/collections.h"
#include "frontend/check/expressions.h"
#include "frontend/check/files.h"
#include "frontend/check/reports.h"
#include "frontend/source/csv.h"

#include <algorithm>

namespace wave::frontend::check {
namespace {

// The headings of a data file: `size [B], elapsed [us]`. They refer to `text`.
std::vector<CsvHeading> headings_of(const std::string& text) {
  std::vector<CsvCell> cells;
  CsvReader(text).next(cells);
  std::vector<CsvHeading> headings;
  for (const CsvCell& cell : cells) headings.push_back(split_heading(cell));
  return headings;
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
  const std::vector<CsvHeading> columns = headings_of(table.text);
  types::Table type;
  bool failed = false;
  const auto column_type = [&](const Identifier& name) -> TypeRef {
    const auto same = [&](const CsvHeading& column) { return column.name == name.text; };
    const auto column = std::find_if(columns.begin(), columns.end(), same);
    if (column == columns.end()) {
      failed = true;
      std::vector<std::string> names;
      std::string shown;
      for (const CsvHeading& one : columns) {
        names.emplace_back(one.name);
        shown += (shown.empty() ? "`" : ", `") + names.back() + "`";
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
    const auto dimension = dimension_of_unit(std::string(column->unit));
    if (dimension) return real_type(*dimension);
    failed = true;
    reports_.add(DiagnosticKind::bad_data_file, name.place,
                 "the column `" + name.text + "` of `" + table.path.text + "` has the unknown unit `" +
                     std::string(column->unit) + "`",
                 "this column");
    return unknown_type();
  };
  for (const Identifier& key : table.keys) type.keys.push_back(column_type(key));
  type.value = column_type(table.value);
  return failed ? unknown_type() : make_type(std::move(type));
}

}  // namespace wave::frontend::check
