// Tables from files: their columns, and the types of what is read from them.
#include "frontend/check/expressions.h"
#include "frontend/check/program.h"
#include "frontend/source/files.h"
#include "frontend/source/text_table.h"

#include <algorithm>

namespace wave::frontend::check {
namespace {

// The headings of a data file: `size [B], elapsed [us]`. They refer to `text`.
std::vector<CsvHeading> headings_of(const std::string& text) {
  const TextTable table(text);
  std::vector<CsvHeading> headings;
  for (const CsvCell& cell : table.header()) headings.push_back(split_heading(cell));
  return headings;
}

bool is_whole(std::string_view text) {
  constexpr std::size_t most_digits = 15;  // that a double always has
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return !text.empty() && text.size() <= most_digits &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Which of these columns hold whole numbers alone. Rows that are wrong are left to who reads their values.
std::vector<bool> whole_columns(const std::string& text, const std::vector<std::size_t>& columns) {
  std::vector<bool> whole(columns.size(), true);
  TextTable table(text);
  while (table.next()) {
    if (table.trouble()) break;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      whole[i] = whole[i] && is_whole(table.cells()[columns[i]].text);
    }
  }
  return whole;
}

}  // namespace

// The column of this name, by its number.
std::optional<std::size_t> Collections::find_column(const expr::TableFile& table,
                                                    const std::vector<CsvHeading>& columns, const Identifier& name) {
  const auto same = [&](const CsvHeading& column) { return column.name == name.text; };
  const auto column = std::find_if(columns.begin(), columns.end(), same);
  if (column == columns.end()) {
    std::vector<std::string> names;
    std::string shown;
    for (const CsvHeading& one : columns) {
      names.emplace_back(one.name);
      shown += (shown.empty() ? "`" : ", `") + names.back() + "`";
    }
    Diagnostic& d =
        reports_.add(DiagnosticKind::bad_data_file, name.location,
                     "`" + table.path.text + "` has no column `" + name.text + "`", "not in its first line");
    d.notes.push_back(columns.empty() ? "the file has no first line with names of columns"
                                      : "its columns are " + shown);
    suggest_nearest(d, name.text, names);
    return std::nullopt;
  }
  if (std::find_if(column + 1, columns.end(), same) != columns.end()) {
    reports_.add(DiagnosticKind::bad_data_file, name.location,
                 "`" + table.path.text + "` has two columns `" + name.text + "`", "which of them?");
    return std::nullopt;
  }
  return static_cast<std::size_t>(column - columns.begin());
}

// A quantity, as the unit of its heading says; null: there is no such column, or no such unit.
TypeRef Collections::column_type(const expr::TableFile& table, const std::vector<CsvHeading>& columns,
                                 const Identifier& name) {
  const auto number = find_column(table, columns, name);
  if (!number) return nullptr;
  const std::string unit(columns[*number].unit);
  if (unit.empty()) return real_type();
  if (const auto dimension = dimension_of_unit(unit)) return real_type(*dimension);
  reports_.add(DiagnosticKind::bad_data_file, name.location,
               "the column `" + name.text + "` of `" + table.path.text + "` has the unknown unit `" + unit + "`",
               "this column");
  return nullptr;
}

// Values that are read as they are in the file are integers where the whole column is, and has no unit.
void Collections::find_integers(const expr::TableFile& table, const std::vector<CsvHeading>& columns,
                                std::vector<TypeRef>& types) {
  std::vector<std::size_t> numbers;
  for (const Identifier& name : table.values) {
    const auto same = [&](const CsvHeading& column) { return column.name == name.text; };
    numbers.push_back(static_cast<std::size_t>(std::ranges::find_if(columns, same) - columns.begin()));
  }
  const std::vector<bool> whole = whole_columns(table.text, numbers);
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (whole[i] && columns[numbers[i]].unit.empty()) types[i] = int_type();
  }
}

TypeRef Collections::check_table_file(Expr& e, expr::TableFile& table) {
  const TypeRef given = table.otherwise ? expressions_.check(*table.otherwise) : nullptr;
  const FileText file =
      read_data_file(table.path.text, context_.module ? context_.module->folder : "", search_.folders);
  if (!file.ok) {
    reports_.add(DiagnosticKind::bad_data_file, table.path.location,
                 "cannot use the data file `" + table.path.text + "`: " + file.text, "named here");
    return unknown_type();
  }
  table.text = file.text;
  const std::vector<CsvHeading> columns = headings_of(table.text);
  types::Table type;
  for (const Identifier& key : table.keys) type.keys.push_back(column_type(table, columns, key));
  std::vector<TypeRef> values;
  for (const Identifier& value : table.values) values.push_back(column_type(table, columns, value));
  const auto is_missing = [](const TypeRef& one) { return one == nullptr; };
  if (std::ranges::any_of(type.keys, is_missing) || std::ranges::any_of(values, is_missing)) return unknown_type();
  const bool is_between = !table.interpolation.empty() && table.interpolation != "step";
  if (!is_between && (!given || is_unknown(given) || as<types::Int>(given))) find_integers(table, columns, values);
  if (table.has_rows) {
    type.value = list_of(row_type(e, table, values));
  } else {
    type.value = values.front();
    if (given) expressions_.expect(*table.otherwise, type.value, {table.values.front().location, "of this column"});
  }
  return make_type(std::move(type));
}

// A record without a name in the program, whose fields are the columns in brackets.
TypeRef Collections::row_type(const Expr& e, expr::TableFile& table, const std::vector<TypeRef>& types) {
  if (table.row) return make_type(types::Record{table.row.get()});  // the body of a function that is checked again
  table.row = std::make_shared<Item>();
  table.row->location = e.location;
  table.row->name = {"row of " + table.path.text, table.path.location};
  table.row->module = context_.module;
  item::Record record;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const auto same = [&](const auto& field) { return field.first.text == table.values[i].text; };
    if (std::ranges::any_of(record.fields, same)) {
      reports_.add(DiagnosticKind::duplicate_name, table.values[i].location,
                   "the column `" + table.values[i].text + "` is in brackets twice", "again here");
      continue;
    }
    record.fields.emplace_back(table.values[i], nullptr);
    record.checked_types.push_back(types[i]);
  }
  table.row->node = std::move(record);
  return make_type(types::Record{table.row.get()});
}

}  // namespace wave::frontend::check
