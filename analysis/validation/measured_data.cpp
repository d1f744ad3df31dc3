// See measured_data.h.
#include "analysis/validation/measured_header.h"
#include "base/text.h"
#include "frontend/format/quantities.h"
#include "frontend/parse/printer.h"
#include "frontend/parse/units.h"
#include "frontend/source/sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace wave::analysis {

using frontend::CsvCell;
using frontend::DiagnosticKind;
using frontend::Location;
using frontend::TableHeading;
using frontend::TextTable;
namespace types = frontend::types;

namespace {

constexpr std::size_t most_errors = 20;
// Values of machines or texts that differ. Each is a system of its own, or a literal.
constexpr std::size_t most_texts = 1000;

bool holds_texts(const frontend::TypeRef& type) {
  return std::holds_alternative<types::String>(type->kind) || !is_column_type(type);
}

}  // namespace

MeasuredData::MeasuredData(frontend::Program& program, const frontend::Item& model, std::uint32_t file,
                           const MeasuredColumns& columns, frontend::Diagnostics& diagnostics)
    : program_(program), model_(model), file_(file), diagnostics_(diagnostics) {
  if (frontend::check_text(program.sources, file, diagnostics)) read_header(columns);
}

frontend::Dimension MeasuredData::dimension() const {
  return unit_ ? frontend::dimension_of(*unit_) : frontend::Dimension{};
}

// --- rows ---

void MeasuredData::read_parameters(Header& header, const MeasuredColumns& columns) {
  std::vector<std::string> words;
  add_texts(header, columns, header.others);
  ValueTable values(program_, model_, file_, diagnostics_,
                    {header.others, columns.names, {cell_}, series_, columns.reading, named_});
  if (diagnostics_.has_errors()) return;
  values.read_rows(words);
  if (diagnostics_.has_errors()) return;
  rows_ = values.rows();
  notes_.insert(notes_.end(), values.notes().begin(), values.notes().end());
  if (values.skipped() > 0)
    notes_.push_back(values.skipped() == 1
                         ? std::string("one row that lacks a number is passed over")
                         : fmt::format("{} rows that lack a number are passed over", values.skipped()));
  read_cells(columns);
  for (const auto& column : values.columns()) {
    parameters_.push_back(
        {column.path, column.type, column.unit, column.heading, column.cell, column.values, {}, false});
  }
  std::sort(parameters_.begin(), parameters_.end(), [](const auto& a, const auto& b) { return a.cell < b.cell; });
  if (diagnostics_.has_errors()) return;
  group();
  report_copies();
}

// Machines, orders and strings are read here, because their cells may say anything.
void MeasuredData::add_texts(const Header& header, const MeasuredColumns& columns, std::vector<std::size_t>& others) {
  const ParameterHeadings known(program_, model_, columns.names, named_);
  for (std::size_t i = 0; i < header.headings.size(); ++i) {
    if (header.headings[i].name.empty() || std::find(others.begin(), others.end(), i) != others.end()) continue;
    const auto found = known.find(header.headings[i]);
    if (!found.type || !holds_texts(found.type)) continue;
    others.push_back(i);
    for (const auto& earlier : parameters_) {
      if (earlier.name == found.path) {
        diagnostics_
            .add(DiagnosticKind::bad_value_table, header.places[i], fmt::format("two columns for `{}`", found.path),
                 "the second")
            .labels.push_back({earlier.heading, "the first"});
      }
    }
    parameters_.push_back(
        {found.path, found.type, std::nullopt, header.places[i], i, std::vector<std::int64_t>(), {}, true});
  }
}

// Reads the rows once more that the table of values has read: what was measured, and texts.
void MeasuredData::read_cells(const MeasuredColumns& columns) {
  const char decimal = columns.reading.value_or(TableReading{}).decimal;
  const frontend::QuantityReader reader(unit_, decimal, are_units_in_cells_);
  TextTable table(program_.sources.text(file_), series_);
  std::size_t errors = 0;
  std::map<std::size_t, std::map<std::string, std::int64_t>> known;
  while (measured_.size() < rows_.size() && errors < most_errors && table.next()) {
    if (table.line_begin() != rows_[measured_.size()].begin) continue;
    const auto& cells = table.cells();
    for (const CsvCell& cell : cells) cells_.push_back({cell.begin, cell.end});
    for (auto& parameter : parameters_) {
      if (!read_text(parameter, cells[parameter.cell], known[parameter.cell])) return;
    }
    if (!read_number(reader, cells[cell_], columns.reading.has_value())) ++errors;
  }
  if (rows_.empty() || errors > 0 || !table.may_be_cut_off()) return;
  diagnostics_.add(DiagnosticKind::unusable_measurements, location(rows_.size() - 1),
                   "the last line has no end: it may have been cut off", "is this the whole row?",
                   frontend::Severity::warning);
}

bool MeasuredData::read_text(MeasuredParameter& parameter, const CsvCell& cell,
                             std::map<std::string, std::int64_t>& known) {
  const Location place{file_, cell.begin, cell.end};
  const std::string text = cell.unquoted();
  if (text.empty() && !std::holds_alternative<types::String>(parameter.type->kind)) {
    diagnostics_.add(DiagnosticKind::bad_value_table, place,
                     fmt::format("an empty cell where `{}` needs a value", parameter.name),
                     fmt::format("expected `{}`", to_string(*parameter.type)));
    return false;
  }
  const auto [found, is_new] = known.emplace(text, static_cast<std::int64_t>(parameter.texts.size()));
  if (is_new) parameter.texts.push_back(text);
  std::get<std::vector<std::int64_t>>(parameter.values).push_back(found->second);
  if (parameter.texts.size() <= most_texts) return true;
  diagnostics_.add(DiagnosticKind::bad_value_table, place,
                   fmt::format("more than {} different values of `{}`", most_texts, parameter.name), "one more");
  return false;
}

// A cell that is no measurement is reported, and becomes 1.
bool MeasuredData::read_number(const QuantityReader& reader, const CsvCell& cell, bool has_options) {
  const Location place{file_, cell.begin, cell.end};
  const auto value = reader.read(cell.text);
  measured_.push_back(value.value_or(1));
  if (value && *value > 0) {
    note_minutes(cell.text, reader.decimal());
    return true;
  }
  if (value) {
    diagnostics_.add(DiagnosticKind::unusable_measurements, place,
                     fmt::format("a measurement of {}", shortened(cell.text)), "expected a positive number");
    return false;
  }
  const bool is_missing = frontend::is_missing_number(cell.text);
  auto why = reader.why_not(cell.text, has_options);
  if (cell.text.empty()) why.message = fmt::format("an empty cell where `{}` needs a value", name_);
  if (is_missing)
    why.help = has_options ? "`--skip-missing` passes over the rows that lack a number"
                           : "leave out the rows that were not measured";
  auto& d = diagnostics_.add(DiagnosticKind::bad_value_table, place, why.message, "expected a positive number");
  if (!why.help.empty()) d.help.push_back(why.help);
  return false;
}

// Of times without hours, which may have been meant as hours and minutes.
void MeasuredData::note_minutes(std::string_view text, char decimal) {
  if (has_minutes_ || text.find(':') == std::string_view::npos) return;
  const auto number = frontend::read_number_form(text, decimal);
  if (!number || !number->has_two_parts) return;
  has_minutes_ = true;
  notes_.push_back(fmt::format("`{}` is read as minutes and seconds", shortened(text)));
}

void MeasuredData::group() {
  std::map<std::vector<std::uint64_t>, std::size_t> known;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    std::vector<std::uint64_t> key;
    for (const auto& parameter : parameters_) {
      std::visit([&](const auto& values) { key.push_back(std::bit_cast<std::uint64_t>(values[row])); },
                 parameter.values);
    }
    const auto [found, is_new] = known.emplace(std::move(key), configurations_.size());
    if (is_new) configurations_.emplace_back();
    configurations_[found->second].rows.push_back(row);
  }
  for (Configuration& one : configurations_) {
    one.least = one.most = measured_[one.rows.front()];
    double sum = 0;
    for (const std::size_t row : one.rows) {
      sum += measured_[row];
      one.least = std::min(one.least, measured_[row]);
      one.most = std::max(one.most, measured_[row]);
    }
    const auto count = static_cast<double>(one.rows.size());
    one.mean = one.rows.size() == 1 ? one.least : std::clamp(sum / count, one.least, one.most);
    double squares = 0;
    for (const std::size_t row : one.rows) squares += std::pow(measured_[row] - one.mean, 2);
    one.deviation = one.rows.size() == 1 ? std::numeric_limits<double>::quiet_NaN() : std::sqrt(squares / (count - 1));
  }
}

// A row that was pasted twice looks like a repetition without any noise.
void MeasuredData::report_copies() {
  std::size_t copies = 0, first = 0, again = 0;
  for (const Configuration& one : configurations_) {
    std::map<double, std::size_t> known;
    for (const std::size_t row : one.rows) {
      const auto [earlier, is_new] = known.emplace(measured_[row], row);
      if (is_new) continue;
      if (copies == 0) {
        first = earlier->second;
        again = row;
      }
      ++copies;
    }
  }
  if (copies == 0) return;
  auto& d = diagnostics_.add(DiagnosticKind::unusable_measurements, location(again),
                             "a row that stands there twice, with the same measurement", "this row",
                             frontend::Severity::warning);
  d.labels.push_back({location(first), "the same"});
  if (copies > 1) d.notes.push_back(fmt::format("so do {} more", copies - 1));
  d.notes.push_back("it counts as a measurement that was repeated");
}

Location MeasuredData::location(std::size_t row) const { return {file_, rows_[row].begin, rows_[row].end}; }

Location MeasuredData::location(std::size_t row, std::size_t cell) const {
  const RowText& place = cells_[row * width_ + cell];
  return {file_, place.begin, place.end};
}

std::uint32_t MeasuredData::line(std::size_t row) const {
  return program_.sources.line_column(file_, rows_[row].begin).line;
}

// --- for users of the data ---

std::vector<std::string> MeasuredData::clauses() const {
  std::vector<std::string> result;
  for (const auto& parameter : parameters_) {
    if (!parameter.has_texts) {
      result.push_back(parameter.name);
      continue;
    }
    std::vector<std::string> texts = parameter.texts;
    if (std::holds_alternative<types::String>(parameter.type->kind))
      std::transform(texts.begin(), texts.end(), texts.begin(), frontend::quote);
    result.push_back(fmt::format("{}=[{}]", parameter.name, join_texts(texts, ", ")));
  }
  return result;
}

std::vector<ColumnValues> MeasuredData::points(const std::vector<Variable>& variables) const {
  std::vector<ColumnValues> result;
  for (const Variable& variable : variables) {
    const auto found = std::find_if(parameters_.begin(), parameters_.end(),
                                    [&](const auto& one) { return one.name == variable.name; });
    if (found == parameters_.end()) {
      result.emplace_back(std::holds_alternative<types::Real>(variable.type->kind)
                              ? ColumnValues(std::vector<double>())
                              : ColumnValues(std::vector<std::int64_t>()));
      continue;
    }
    result.push_back(std::visit(
        [&](const auto& values) -> ColumnValues {
          std::remove_cvref_t<decltype(values)> firsts;
          for (const Configuration& one : configurations_) firsts.push_back(values[one.rows.front()]);
          return firsts;
        },
        found->values));
    if (!found->has_texts || !variable.listed) continue;
    // The names of the texts in the study.
    const auto& listed = std::get<std::vector<std::int64_t>>(*variable.listed);
    for (auto& value : std::get<std::vector<std::int64_t>>(result.back()))
      value = listed[static_cast<std::size_t>(value)];
  }
  return result;
}

void MeasuredData::keep(const std::vector<std::int64_t>& holds) {
  std::vector<Configuration> kept;
  for (std::size_t i = 0; i < configurations_.size(); ++i) {
    if (holds[i] != 0) kept.push_back(std::move(configurations_[i]));
  }
  configurations_ = std::move(kept);
}

ResultTable MeasuredData::table() const {
  ResultTable result;
  result.rows = rows_.size();
  for (const auto& parameter : parameters_) {
    std::vector<std::string> labels = parameter.texts;
    if (const auto* choice = std::get_if<types::Choice>(&parameter.type->kind)) labels = choice->words;
    result.columns.push_back(
        {{parameter.values, {}, std::move(labels)}, parameter.name, parameter.type, parameter.unit, "", true});
  }
  const auto type = std::make_shared<const frontend::Type>(frontend::Type{types::Real{dimension()}});
  result.columns.push_back({{measured_, {}, {}}, name_, type, unit_, "", false});
  return result;
}

ResultTable MeasuredData::table_of_configurations() const {
  ResultTable result = table();
  result.rows = configurations_.size();
  for (auto& column : result.columns) {
    std::visit(
        [&](auto& values) {
          std::remove_cvref_t<decltype(values)> firsts;
          for (const Configuration& one : configurations_) firsts.push_back(values[one.rows.front()]);
          values = std::move(firsts);
        },
        column.values);
  }
  auto& means = std::get<std::vector<double>>(result.columns.back().values);
  for (std::size_t i = 0; i < means.size(); ++i) means[i] = configurations_[i].mean;
  return result;
}

}  // namespace wave::analysis
