// See value_table.h.
#include "analysis/value_table.h"

#include "analysis/cell_values.h"
#include "analysis/value_text.h"
#include "base/utf8.h"
#include "frontend/parse/units.h"
#include "frontend/source/sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wave::analysis {

using frontend::CsvCell;
using frontend::Diagnostic;
using frontend::DiagnosticKind;
using frontend::Location;
using frontend::TextTable;
namespace types = frontend::types;

namespace {

constexpr std::size_t longest_name = 1000;
constexpr const char* help_on_missing = "`--skip-missing` passes over the rows that lack a number";

// With blanks in it, a unit would be a quotient in a program.
std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
  return text;
}

}  // namespace

std::string shortened(std::string_view text) {
  constexpr std::size_t most = 40;
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && !starts_code_point(text[end])) --end;
  return std::string(text.substr(0, end)) + "…";
}

bool is_column_type(const frontend::TypeRef& type) {
  return std::holds_alternative<types::Int>(type->kind) || std::holds_alternative<types::Real>(type->kind) ||
         std::holds_alternative<types::Bool>(type->kind) || std::holds_alternative<types::String>(type->kind) ||
         std::holds_alternative<types::Choice>(type->kind);
}

std::string example_unit(frontend::Dimension dimension) {
  if (dimension == frontend::Dimension{1, 0, 0}) return "us";
  if (dimension == frontend::Dimension{0, 1, 0}) return "B";
  if (dimension == frontend::Dimension{0, 0, 1}) return "flop";
  if (dimension == frontend::Dimension{1, -1, 0}) return "us/B";
  if (dimension == frontend::Dimension{-1, 1, 0}) return "MB/s";
  if (dimension == frontend::Dimension{-1, 0, 1}) return "Gflop/s";
  return "";
}

ValueTable::ValueTable(frontend::Program& program, const frontend::Item& model, std::uint32_t file,
                       frontend::Diagnostics& diagnostics, Others others)
    : program_(program), model_(model), file_(file), diagnostics_(diagnostics), others_(std::move(others)) {
  if (frontend::check_text(program.sources, file, diagnostics)) read_header();
}

Diagnostic& ValueTable::report(DiagnosticKind kind, std::uint32_t begin, std::uint32_t end, std::string message,
                               std::string label) {
  ++errors_;
  return diagnostics_.add(kind, Location{file_, begin, end}, std::move(message), std::move(label));
}

void ValueTable::report(const frontend::TableTrouble& trouble) {
  Diagnostic& d = report(DiagnosticKind::bad_value_table, trouble.begin, trouble.end, trouble.message, trouble.label);
  d.notes = trouble.notes;
  d.help = trouble.help;
}

// --- the header ---

void ValueTable::read_header() {
  const TextTable table(program_.sources.text(file_), others_.series);
  const auto& cells = table.header();
  if (cells.empty()) {
    if (table.trouble()) return report(*table.trouble());
    report(DiagnosticKind::bad_value_table, 0, 0, fmt::format("{} has no columns", program_.sources.name(file_)),
           "nothing here")
        .help.push_back("its first line names parameters, with units where they have one: `n,Wg [us]`");
    return;
  }
  header_ = {table.line_begin(), table.line_end()};
  if (table.trouble()) report(*table.trouble());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (too_many_errors()) return;
    const CsvCell* const first = i < table.first_row().size() ? &table.first_row()[i] : nullptr;
    if (std::find(others_.cells.begin(), others_.cells.end(), i) == others_.cells.end()) add_column(cells[i], first, i);
  }
}

void ValueTable::add_column(const CsvCell& cell, const CsvCell* first, std::size_t index) {
  const frontend::TableHeading heading = frontend::read_heading(cell);
  const Location location{file_, cell.begin, cell.end};
  if (heading.name.empty()) {
    report(DiagnosticKind::bad_value_table, cell.begin, cell.end, "a column without a name",
           "the name of a parameter is missing");
    return;
  }
  if (heading.name.size() > longest_name) {
    report(DiagnosticKind::bad_value_table, cell.begin, cell.end,
           fmt::format("`{}` is no name of a parameter", shortened(heading.name)), "too long for a name");
    return;
  }
  ParameterHeading known = ParameterHeadings(program_, model_, others_.names, others_.columns).find(heading);
  VaryingColumn column{known.type ? known.path : heading.name, known.type, std::nullopt, location, {}, index};
  if (const auto earlier = headings_.find(column.path); earlier != headings_.end()) {
    report(DiagnosticKind::bad_value_table, cell.begin, cell.end, fmt::format("two columns for `{}`", column.path),
           "the second")
        .labels.push_back({earlier->second, "the first"});
    return;
  }
  if (column.type == nullptr) {
    parameter_type(program_, model_, column.path, location, diagnostics_);
    ++errors_;
    return;
  }
  if (!is_column_type(column.type)) {
    report(DiagnosticKind::fixed_parameter, cell.begin, cell.end,
           fmt::format("`{}` cannot vary from row to row", column.path),
           fmt::format("this is `{}`", to_string(*column.type)))
        .help.push_back(fmt::format(
            "it decides what the model is made of: choose it with `-D {}=...`, and evaluate one table for each choice",
            column.path));
    return;
  }
  if (!check_unit(column, heading, known.unit, cell, first)) return;
  if (!known.note.empty()) notes_.push_back(known.note);
  if (std::holds_alternative<types::Real>(column.type->kind))
    column.values = std::vector<double>();
  else
    column.values = std::vector<std::int64_t>();
  headings_.emplace(column.path, column.heading);
  columns_.push_back(std::move(column));
}

bool ValueTable::check_unit(VaryingColumn& column, const frontend::TableHeading& heading, const std::string& unit,
                            const CsvCell& cell, const CsvCell* first) {
  const auto dimension = dimension_of(column.type);
  const bool needs_one = dimension && !dimension->plain();
  const std::string type = to_string(*column.type);
  if (unit.empty()) {
    if (!needs_one) return true;
    const auto number = first
                            ? frontend::read_number_form(first->text, others_.reading.value_or(TableReading{}).decimal)
                            : std::nullopt;
    if (number && is_unit_of(number->unit, *dimension)) {
      frontend::Diagnostics aside;
      column.unit = frontend::read_unit(number->unit, column.heading, "", aside);
      column.are_units_in_cells = true;
      return true;
    }
    Diagnostic& d = report(DiagnosticKind::bare_number, cell.begin, cell.end,
                           fmt::format("a column without a unit where `{}` is expected", type),
                           fmt::format("`{}` is `{}`", column.path, type));
    const std::string example = example_unit(*dimension);
    if (!example.empty())
      d.help.push_back(fmt::format("give it the unit of its numbers: where they are in {}, `{} [{}]`", example,
                                   column.path, example));
    return false;
  }
  const std::size_t before = diagnostics_.all().size();
  column.unit = frontend::read_unit(unit, {file_, heading.unit_begin, heading.unit_end}, "", diagnostics_);
  errors_ += diagnostics_.all().size() - before;
  if (!column.unit) return false;
  const frontend::Dimension given = dimension_of(*column.unit);
  if (needs_one && given == *dimension) return true;
  report(DiagnosticKind::dimension_mismatch, heading.unit_begin, heading.unit_end,
         fmt::format("expected `{}`, found `{}`", type, to_string(given)),
         fmt::format("`{}` is `{}`", column.path, type));
  return false;
}

// --- rows ---

// How the cells of one column are read.
struct ValueTable::ColumnReader {
  QuantityReader quantity;
  WordReader word;
};

void ValueTable::read_rows(std::vector<std::string>& words) {
  TextTable table(program_.sources.text(file_), others_.series);
  const char decimal = others_.reading.value_or(TableReading{}).decimal;
  std::vector<ColumnReader> readers;
  for (const VaryingColumn& column : columns_)
    readers.push_back(
        {QuantityReader(column.unit, decimal, column.are_units_in_cells), WordReader(column.type, words)});
  while (!too_many_errors() && table.next()) {
    if (table.trouble()) {
      report(*table.trouble());
      continue;
    }
    if (is_to_skip(table.cells())) {
      ++skipped_;
      continue;
    }
    for (std::size_t i = 0; i < columns_.size(); ++i)
      read_cell(columns_[i], readers[i], table.cells()[columns_[i].cell]);
    rows_.push_back({table.line_begin(), table.line_end()});
  }
  const auto remarks = table.remarks();
  notes_.insert(notes_.end(), remarks.begin(), remarks.end());
  if (rows_.empty() && errors_ == 0) {
    diagnostics_.add(DiagnosticKind::bad_value_table, Location{file_, header_.begin, header_.end},
                     skipped_ == 0 ? "there are no rows of values" : "every row lacks a number",
                     skipped_ == 0 ? "nothing follows this" : "below this", frontend::Severity::warning);
  }
}

bool ValueTable::is_to_skip(const std::vector<CsvCell>& cells) const {
  if (!others_.reading || !others_.reading->skip_missing) return false;
  const auto lacks = [&](std::size_t cell) { return frontend::is_missing_number(cells[cell].text); };
  const auto lacks_number = [&](const VaryingColumn& column) {
    const bool is_number =
        std::holds_alternative<types::Real>(column.type->kind) || std::holds_alternative<types::Int>(column.type->kind);
    return is_number && lacks(column.cell);
  };
  return std::any_of(others_.numbers.begin(), others_.numbers.end(), lacks) ||
         std::any_of(columns_.begin(), columns_.end(), lacks_number);
}

// A cell that is no value is reported, and becomes 0.
void ValueTable::read_cell(VaryingColumn& column, ColumnReader& reader, const CsvCell& cell) {
  bool is_value = true;
  if (auto* const reals = std::get_if<std::vector<double>>(&column.values)) {
    const auto value = reader.quantity.read(cell.text);
    reals->push_back(value.value_or(0));
    is_value = value.has_value();
  } else {
    const bool is_integer = std::holds_alternative<types::Int>(column.type->kind);
    const auto value = is_integer        ? read_integer(cell.text, reader.quantity.decimal())
                       : cell.is_plain() ? reader.word.read(cell.text)
                                         : reader.word.read(cell.unquoted());
    std::get<std::vector<std::int64_t>>(column.values).push_back(value.value_or(0));
    is_value = value.has_value();
  }
  if (!is_value && !too_many_errors()) refuse_cell(column, reader, cell);
}

void ValueTable::refuse_cell(const VaryingColumn& column, const ColumnReader& reader, const CsvCell& cell) {
  const bool is_missing = frontend::is_missing_number(cell.text);
  const bool is_number = std::holds_alternative<types::Real>(column.type->kind) ||
                         (std::holds_alternative<types::Int>(column.type->kind) && !reader.quantity.read(cell.text));
  frontend::NumberRefusal why{fmt::format("`{}` is no value of `{}`", shortened(cell.text), column.path), ""};
  if (cell.text.empty())
    why.message = fmt::format("an empty cell where `{}` needs a value", column.path);
  else if (is_number && !is_missing)
    why = reader.quantity.why_not(cell.text, others_.reading.has_value());
  Diagnostic& d = report(DiagnosticKind::bad_value_table, cell.begin, cell.end, why.message,
                         fmt::format("expected {}", expected_in_cell(column.type)));
  if (is_missing && is_number && others_.reading) why.help = help_on_missing;
  if (!why.help.empty()) d.help.push_back(why.help);
}

// --- for those who go on ---

Location ValueTable::location(std::size_t row, std::size_t cell) const {
  const std::string_view text = program_.sources.text(file_);
  // The sources move short texts when others are added.
  if (!again_ || again_->text().data() != text.data()) again_.emplace(text, others_.series);
  const RowText& place = rows_[row];
  if (!again_->again(place.begin, place.end) || cell >= again_->cells().size()) return {file_, place.begin, place.end};
  return {file_, again_->cells()[cell].begin, again_->cells()[cell].end};
}

std::vector<VaryingColumn> ValueTable::take_columns() {
  std::vector<VaryingColumn> taken;
  for (VaryingColumn& column : columns_) {
    ColumnValues values = std::exchange(column.values, {});
    taken.push_back(column);
    taken.back().values = std::move(values);
  }
  return taken;
}

std::vector<frontend::Override> ValueTable::stand_ins() {
  std::vector<frontend::Override> result;
  frontend::LateExpressions expressions(program_, diagnostics_);
  for (const VaryingColumn& column : columns_) {
    std::string text = "1";
    if (column.unit) text += " " + without_blanks(column.unit->text);
    if (std::holds_alternative<types::Bool>(column.type->kind)) text = "true";
    if (std::holds_alternative<types::String>(column.type->kind)) text = "\"\"";
    if (const auto* choice = std::get_if<types::Choice>(&column.type->kind)) text = choice->words.front();
    auto value = expressions.check(&model_, column.path, text, column.type);
    if (value != nullptr) result.push_back({column.path, std::move(value), column.heading});
  }
  return result;
}

void check_given_once(const std::string& parameter, frontend::Location heading,
                      const std::vector<frontend::Override>& overrides, frontend::Diagnostics& diagnostics) {
  for (const auto& one : overrides) {
    if (one.path != parameter) continue;
    diagnostics
        .add(DiagnosticKind::repeated_override, heading, fmt::format("`{}` is given twice", parameter), "a column")
        .labels.push_back({one.location, "given here already"});
  }
}

}  // namespace wave::analysis
