// See measured_data.h.
#include "analysis/validation/measured_data.h"

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
using frontend::CsvHeading;
using frontend::CsvReader;
using frontend::DiagnosticKind;
using frontend::Location;
namespace types = frontend::types;

namespace {

constexpr std::size_t most_errors = 20;
// Values of machines or texts that differ. Each is a system of its own, or a literal.
constexpr std::size_t most_texts = 1000;

Location location_of(std::uint32_t file, const CsvCell& cell) { return {file, cell.begin, cell.end}; }

// Whether a heading looks wrong: it has no name, or other separators in it.
bool is_odd_heading(std::string_view name) {
  return name.empty() || name.find_first_of(";\t") != std::string_view::npos;
}

bool holds_texts(const frontend::TypeRef& type) {
  return std::holds_alternative<types::String>(type->kind) || !is_column_type(type);
}

}  // namespace

// The cells of the first line, and their meanings.
struct MeasuredData::Header {
  std::vector<CsvCell> cells;
  std::vector<std::size_t> unknown;             // names that are no parameters
  std::vector<std::vector<std::string>> hints;  // the names that may be meant
  std::vector<std::size_t> others;              // columns that a table of values need not know
};

MeasuredData::MeasuredData(frontend::Program& program, const frontend::Item& model, std::uint32_t file,
                           const MeasuredColumns& columns, frontend::Diagnostics& diagnostics)
    : program_(program), model_(model), file_(file), diagnostics_(diagnostics) {
  if (frontend::check_text(program.sources, file, diagnostics)) read_header(columns);
}

frontend::Dimension MeasuredData::dimension() const {
  return unit_ ? frontend::dimension_of(*unit_) : frontend::Dimension{};
}

// --- the header ---

void MeasuredData::read_header(const MeasuredColumns& columns) {
  Header header;
  header.cells = frontend::CsvTable(program_.sources.text(file_)).header();
  if (header.cells.empty()) {
    diagnostics_
        .add(DiagnosticKind::bad_value_table, Location{file_, 0, 0},
             fmt::format("{} is empty", program_.sources.name(file_)), "nothing here")
        .help.push_back("its first line names parameters and what was measured, with units: `n,m,time [s]`");
    return;
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < header.cells.size(); ++i) {
    const CsvCell& cell = header.cells[i];
    const std::string name(split_heading(cell).name);
    names.push_back(name);
    if (name == columns.measured && !name.empty()) continue;
    if (std::find(columns.ignored.begin(), columns.ignored.end(), name) != columns.ignored.end()) {
      header.others.push_back(i);
      continue;
    }
    if (is_odd_heading(name) || columns.names.contains(name)) continue;
    frontend::Diagnostics aside;
    if (frontend::parameter_type(program_, model_, name, location_of(file_, cell), aside) != nullptr) continue;
    header.unknown.push_back(i);
    header.hints.push_back(aside.all().empty() ? std::vector<std::string>{} : aside.all().front().help);
  }
  for (const std::string& name : columns.ignored) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    auto& d = diagnostics_.add(DiagnosticKind::unusable_measurements,
                               Location{file_, header.cells.front().begin, header.cells.back().end},
                               fmt::format("there is no column `{}` to ignore", name), "the columns");
    suggest_nearest(d, name, names);
  }
  if (choose_measured(header, columns)) read_parameters(header, columns);
}

// Finds the column of measurements, or the one that is named. False, with a diagnostic, if there is none.
bool MeasuredData::choose_measured(Header& header, const MeasuredColumns& columns) {
  const Location all{file_, header.cells.front().begin, header.cells.back().end};
  std::optional<std::size_t> chosen;
  if (!columns.measured.empty()) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < header.cells.size(); ++i) {
      names.emplace_back(split_heading(header.cells[i]).name);
      if (names.back() != columns.measured) continue;
      if (chosen) {
        diagnostics_
            .add(DiagnosticKind::bad_value_table, location_of(file_, header.cells[i]),
                 fmt::format("two columns for `{}`", columns.measured), "the second")
            .labels.push_back({location_of(file_, header.cells[*chosen]), "the first"});
        return false;
      }
      chosen = i;
    }
    if (!chosen) {
      auto& d = diagnostics_.add(DiagnosticKind::unusable_measurements, all,
                                 fmt::format("there is no column `{}`", columns.measured), "the columns");
      suggest_nearest(d, columns.measured, names);
      return false;
    }
  } else if (header.unknown.size() == 1) {
    chosen = header.unknown.front();
    header.unknown.clear();
  } else if (header.unknown.empty()) {
    const bool is_one = header.cells.size() == 1 && is_odd_heading(split_heading(header.cells.front()).name);
    auto& d = diagnostics_.add(DiagnosticKind::unusable_measurements, all, "no column of measurements",
                               is_one ? "this is one cell" : fmt::format("only parameters of `{}`", model_.name.text));
    d.help.push_back(is_one ? "separate the cells by commas, and write decimals with a point"
                            : "add one with its unit, as in `time [s]`; or name it with `--measured` where it is "
                              "called like a parameter");
    return false;
  } else {
    auto& d = diagnostics_.add(
        DiagnosticKind::unusable_measurements, location_of(file_, header.cells[header.unknown.front()]),
        "which column is that of the measurements?", fmt::format("no parameter of `{}`", model_.name.text));
    for (std::size_t k = 1; k < header.unknown.size(); ++k)
      d.labels.push_back({location_of(file_, header.cells[header.unknown[k]]), "nor is this"});
    for (std::size_t k = 0; k < header.unknown.size(); ++k) {
      const std::string name(split_heading(header.cells[header.unknown[k]]).name);
      for (const std::string& hint : header.hints[k]) {
        if (hint.find("did you mean") != std::string::npos)
          d.help.push_back(fmt::format("`{}`: {}", shortened(name), hint));
      }
    }
    d.help.push_back("say which with `--measured`, and pass over others with `--ignore`");
    return false;
  }
  for (std::size_t k = 0; k < header.unknown.size(); ++k) {
    const CsvCell& cell = header.cells[header.unknown[k]];
    if (header.unknown[k] == *chosen) continue;
    const std::string name(split_heading(cell).name);
    auto& d =
        diagnostics_.add(DiagnosticKind::unusable_measurements, location_of(file_, cell),
                         fmt::format("`{}` is no parameter of `{}`", shortened(name), model_.name.text), "this column");
    d.help = header.hints[k];
    d.help.push_back(fmt::format("to pass over it, `--ignore \"{}\"`", shortened(name)));
    header.others.push_back(header.unknown[k]);
  }
  cell_ = *chosen;
  header.others.push_back(cell_);
  name_ = split_heading(header.cells[cell_]).name;
  heading_ = location_of(file_, header.cells[cell_]);
  read_unit(header.cells[cell_]);
  return !diagnostics_.has_errors();
}

void MeasuredData::read_unit(const CsvCell& cell) {
  const CsvHeading heading = split_heading(cell);
  if (heading.unit.empty()) return;
  const auto end = heading.unit_begin + static_cast<std::uint32_t>(heading.unit.size());
  unit_ = frontend::read_unit(heading.unit, {file_, heading.unit_begin, end}, "", diagnostics_);
}

// --- rows ---

void MeasuredData::read_parameters(const Header& header, const MeasuredColumns& columns) {
  ValueTable::Others others{header.others, columns.names};
  std::vector<std::string> words;
  // Machines, orders and strings are read here, because their cells may say anything.
  for (std::size_t i = 0; i < header.cells.size(); ++i) {
    const CsvHeading heading = split_heading(header.cells[i]);
    if (i == cell_ || is_odd_heading(heading.name) ||
        std::find(others.cells.begin(), others.cells.end(), i) != others.cells.end())
      continue;
    const std::string name(heading.name);
    const auto known = columns.names.find(name);
    const Location location = location_of(file_, header.cells[i]);
    const auto type = known != columns.names.end()
                          ? known->second
                          : frontend::parameter_type(program_, model_, name, location, diagnostics_);
    if (type == nullptr || !holds_texts(type)) continue;
    others.cells.push_back(i);
    for (const auto& earlier : parameters_) {
      if (earlier.name == name) {
        diagnostics_
            .add(DiagnosticKind::bad_value_table, location, fmt::format("two columns for `{}`", name), "the second")
            .labels.push_back({earlier.heading, "the first"});
      }
    }
    parameters_.push_back({name, type, std::nullopt, location, i, std::vector<std::int64_t>(), {}, true});
  }
  ValueTable values(program_, model_, file_, diagnostics_, others);
  if (diagnostics_.has_errors()) return;
  values.read_rows(words);
  if (diagnostics_.has_errors()) return;
  rows_ = values.rows();
  for (auto& parameter : parameters_) read_texts(parameter, rows_);
  for (const auto& column : values.columns()) {
    parameters_.push_back(
        {column.path, column.type, column.unit, column.heading, column.cell, column.values, {}, false});
  }
  std::sort(parameters_.begin(), parameters_.end(), [](const auto& a, const auto& b) { return a.cell < b.cell; });
  read_measured();
  if (diagnostics_.has_errors()) return;
  if (!rows_.empty() && rows_.back().end == program_.sources.text(file_).size()) {
    diagnostics_.add(DiagnosticKind::unusable_measurements, location(rows_.size() - 1),
                     "the last line has no end: it may have been cut off", "is this the whole row?",
                     frontend::Severity::warning);
  }
  group();
  report_copies();
}

void MeasuredData::read_texts(MeasuredParameter& parameter, const std::vector<RowText>& rows) {
  auto& ordinals = std::get<std::vector<std::int64_t>>(parameter.values);
  const bool is_string = std::holds_alternative<types::String>(parameter.type->kind);
  std::map<std::string, std::int64_t> known;
  CsvReader reader(program_.sources.text(file_));
  std::vector<CsvCell> cells;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    reader.again(rows[row].begin, rows[row].end, cells);
    const std::string text = cells[parameter.cell].unquoted();
    if (text.empty() && !is_string) {
      diagnostics_.add(DiagnosticKind::bad_value_table, location(row, parameter.cell),
                       fmt::format("an empty cell where `{}` needs a value", parameter.name),
                       fmt::format("expected `{}`", to_string(*parameter.type)));
      return;
    }
    const auto [found, is_new] = known.emplace(text, static_cast<std::int64_t>(parameter.texts.size()));
    if (is_new) parameter.texts.push_back(text);
    ordinals.push_back(found->second);
    if (parameter.texts.size() > most_texts) {
      diagnostics_.add(DiagnosticKind::bad_value_table, location(row, parameter.cell),
                       fmt::format("more than {} different values of `{}`", most_texts, parameter.name), "one more");
      return;
    }
  }
}

void MeasuredData::read_measured() {
  const QuantityReader reader(unit_);
  CsvReader lines(program_.sources.text(file_));
  std::vector<CsvCell> cells;
  std::size_t errors = 0;
  for (std::size_t row = 0; row < rows_.size() && errors < most_errors; ++row) {
    lines.again(rows_[row].begin, rows_[row].end, cells);
    const std::string_view text = cells[cell_].text;
    const auto value = reader.read(text);
    measured_.push_back(value.value_or(1));
    if (value && *value > 0) continue;
    ++errors;
    if (value) {
      diagnostics_.add(DiagnosticKind::unusable_measurements, measured_location(row),
                       fmt::format("a measurement of {}", shortened(text)), "expected a positive number");
    } else {
      diagnostics_
          .add(DiagnosticKind::bad_value_table, measured_location(row),
               text.empty() ? fmt::format("an empty cell where `{}` needs a value", name_)
                            : fmt::format("`{}` is no measurement", shortened(text)),
               "expected a positive number")
          .help.push_back("leave out the rows that were not measured");
    }
  }
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
  return cell_location(program_.sources, file_, rows_[row], cell);
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
