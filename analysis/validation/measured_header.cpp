// The headings of measured data: which column has the measurements and in which unit, and which ones are parameters.
#include "analysis/validation/measured_header.h"

#include "frontend/parse/printer.h"
#include "frontend/parse/units.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::analysis {

using frontend::CsvCell;
using frontend::DiagnosticKind;
using frontend::Location;
using frontend::TableHeading;
using frontend::TextTable;
namespace types = frontend::types;

namespace {

// Whether a name that no parameter has is nearly that of one.
bool is_mistyped(const std::vector<std::string>& hints) {
  return std::any_of(hints.begin(), hints.end(),
                     [](const std::string& hint) { return hint.find("did you mean") != std::string::npos; });
}

}  // namespace

bool MeasuredData::is_called(const std::string& output) const {
  return !output.empty() && (frontend::is_same_name(output, name_) || frontend::is_same_name(output, stem_));
}

// --- the header ---

void MeasuredData::read_header(const MeasuredColumns& columns) {
  series_ = frontend::read_heading(columns.measured).name;
  const TextTable table(program_.sources.text(file_), series_);
  if (table.header().empty() && !table.trouble() && table.format() == frontend::TableFormat::csv) {
    diagnostics_
        .add(DiagnosticKind::bad_value_table, Location{file_, 0, 0},
             fmt::format("{} is empty", program_.sources.name(file_)), "nothing here")
        .help.push_back("its first line names parameters and what was measured, with units: `n,m,time [s]`");
    return;
  }
  if (table.series().size() > 1 && table.trouble()) return refuse_series(table);
  if (table.trouble()) {
    const auto& trouble = *table.trouble();
    auto& d = diagnostics_.add(DiagnosticKind::bad_value_table, Location{file_, trouble.begin, trouble.end},
                               trouble.message, trouble.label);
    d.notes = trouble.notes;
    d.help = trouble.help;
    return;
  }
  read_headings(table, columns);
}

void MeasuredData::refuse_series(const TextTable& table) {
  constexpr std::size_t most_named = 10;
  const auto& series = table.series();
  const std::vector<std::string> some(
      series.begin(), series.begin() + static_cast<std::ptrdiff_t>(std::min(most_named, series.size())));
  auto& d = diagnostics_.add(DiagnosticKind::unusable_measurements,
                             Location{file_, table.trouble()->begin, table.trouble()->end}, table.trouble()->message,
                             table.trouble()->label);
  d.help.push_back(fmt::format("say which, as in `--measured \"{}\"`; there are {}{}", shortened(some.front()),
                               frontend::quoted_list(some), series.size() > most_named ? " and more" : ""));
}

void MeasuredData::read_headings(const TextTable& table, const MeasuredColumns& columns) {
  Header header;
  for (const CsvCell& cell : table.header()) {
    header.headings.push_back(frontend::read_heading(cell));
    header.places.push_back({file_, cell.begin, cell.end});
  }
  width_ = header.headings.size();
  for (const std::string& name : columns.ignored) check_there(header, name, " to ignore");
  if (!read_named(header, columns)) return;
  std::optional<std::size_t> chosen;
  if (!columns.measured.empty()) {
    chosen = find_measured(header, columns.measured);
    if (!chosen) return;
  }
  sort_columns(header, columns, chosen);
  if (!chosen) chosen = choose_measured(header);
  if (!chosen) return;
  report_unknown_but(header, *chosen);
  header.others.push_back(*chosen);
  cell_ = *chosen;
  name_ = header.headings[cell_].name;
  stem_ = header.headings[cell_].stem;
  heading_ = header.places[cell_];
  if (diagnostics_.has_errors()) return;
  read_unit(header, columns, cell_ < table.first_row().size() ? &table.first_row()[cell_] : nullptr);
  if (!diagnostics_.has_errors()) read_parameters(header, columns);
}

// Which of the headings are passed over, and which are no parameters.
void MeasuredData::sort_columns(Header& header, const MeasuredColumns& columns, std::optional<std::size_t> measured) {
  const ParameterHeadings parameters(program_, model_, columns.names, named_);
  for (std::size_t i = 0; i < header.headings.size(); ++i) {
    const TableHeading& heading = header.headings[i];
    if (i == measured) continue;
    if (std::any_of(columns.ignored.begin(), columns.ignored.end(),
                    [&](const std::string& name) { return heading.is_called(name); })) {
      header.others.push_back(i);
      continue;
    }
    if (heading.name.empty()) continue;
    auto found = parameters.find(heading);
    if (found.type) continue;
    header.unknown.push_back(i);
    header.hints.push_back(std::move(found.hints));
  }
}

bool MeasuredData::check_there(const Header& header, const std::string& column, const char* for_what) {
  std::vector<std::string> names;
  for (const TableHeading& one : header.headings) {
    if (one.is_called(column)) return true;
    names.push_back(one.name);
  }
  auto& d = diagnostics_.add(DiagnosticKind::unusable_measurements, header.all(),
                             fmt::format("there is no column `{}`{}", column, for_what), "the columns");
  suggest_nearest(d, column, names);
  return false;
}

// Which columns belong to parameters of other names. False, with a diagnostic: that is not known.
bool MeasuredData::read_named(const Header& header, const MeasuredColumns& columns) {
  for (const std::string& text : columns.named) {
    const auto equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size()) {
      diagnostics_
          .add(DiagnosticKind::unusable_measurements, header.all(),
               fmt::format("`--column` takes a parameter and its column, not `{}`", shortened(text)), "the columns")
          .help.push_back("for example `--column \"n=MPI ranks\"`");
      return false;
    }
    const std::string parameter = text.substr(0, equals), column = text.substr(equals + 1);
    if (!check_there(header, column, "")) return false;
    const auto found = ParameterHeadings(program_, model_, columns.names).find(frontend::read_heading(parameter));
    if (found.path != parameter) {
      diagnostics_
          .add(DiagnosticKind::unusable_measurements, header.all(),
               fmt::format("`{}` of `--column` is no parameter of `{}`", shortened(parameter), model_.name.text),
               "the columns")
          .help = found.hints;
      return false;
    }
    for (const auto& [other, its] : named_) {
      if (its != column || other == parameter) continue;
      diagnostics_.add(DiagnosticKind::unusable_measurements, header.all(),
                       fmt::format("`--column` gives `{}` to two parameters, `{}` and `{}`", column, other, parameter),
                       "the columns");
      return false;
    }
    named_[parameter] = column;
  }
  return true;
}

// The only column that is no parameter. Nothing, with a diagnostic, if there are more, or none.
std::optional<std::size_t> MeasuredData::choose_measured(const Header& header) {
  if (header.unknown.size() == 1) return header.unknown.front();
  if (!header.unknown.empty()) {
    refuse_choice(header);
    return std::nullopt;
  }
  diagnostics_
      .add(DiagnosticKind::unusable_measurements, header.all(), "no column of measurements",
           fmt::format("only parameters of `{}`", model_.name.text))
      .help.push_back(
          "add one with its unit, as in `time [s]`; or name it with `--measured` where it is called like a parameter");
  return std::nullopt;
}

// The column that is named: by its whole name, or else without the unit in it.
std::optional<std::size_t> MeasuredData::find_measured(const Header& header, const std::string& wanted) {
  std::vector<std::size_t> exact, near;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < header.headings.size(); ++i) {
    const TableHeading& one = header.headings[i];
    names.push_back(one.name);
    if (one.name == series_ || one.written == wanted)
      exact.push_back(i);
    else if (one.is_called(series_))
      near.push_back(i);
  }
  const auto& found = exact.empty() ? near : exact;
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    auto& d = diagnostics_.add(DiagnosticKind::unusable_measurements, header.all(),
                               fmt::format("there is no column `{}`", wanted), "the columns");
    suggest_nearest(d, series_, names);
    return std::nullopt;
  }
  diagnostics_
      .add(DiagnosticKind::bad_value_table, header.places[found[1]], fmt::format("two columns for `{}`", wanted),
           "the second")
      .labels.push_back({header.places[found[0]], "the first"});
  return std::nullopt;
}

// `--measured "time_s" --ignore "speedup"`: a column of times is rather that of the measurements.
std::string MeasuredData::example_of_choice(const Header& header) {
  const auto is_time = [&](std::size_t i) {
    const TableHeading& one = header.headings[i];
    return is_unit_of(one.unit.empty() ? one.name_unit : one.unit, {1, 0, 0});
  };
  const auto found = std::find_if(header.unknown.begin(), header.unknown.end(), is_time);
  const std::size_t chosen = found == header.unknown.end() ? header.unknown.front() : *found;
  std::string example = fmt::format("`--measured \"{}\"", shortened(header.headings[chosen].name));
  for (const std::size_t i : header.unknown) {
    if (i != chosen) example += fmt::format(" --ignore \"{}\"", shortened(header.headings[i].name));
  }
  return example + "`";
}

// `--column "p=MPI ranks"`: of the first parameter of the model, numbers before others, that no column is named after.
std::string MeasuredData::example_of_column(const Header& header, std::size_t column) const {
  const auto is_there = [&](const std::string& name) {
    return std::any_of(header.headings.begin(), header.headings.end(), [&](const TableHeading& one) {
      return one.is_called(name) || frontend::is_same_name(one.name, name);
    });
  };
  std::string found = "PARAMETER";
  for (const auto& member : std::get<frontend::item::Model>(model_.node).members) {
    const auto* const param = std::get_if<frontend::item::Param>(&member->node);
    if (param == nullptr || is_there(member->name.text)) continue;
    found = member->name.text;
    if (param->checked_type && std::holds_alternative<types::Int>(param->checked_type->kind)) break;
  }
  return fmt::format("`--column \"{}={}\"`", found, shortened(header.headings[column].name));
}

void MeasuredData::refuse_choice(const Header& header) {
  auto& d = diagnostics_.add(DiagnosticKind::unusable_measurements, header.places[header.unknown.front()],
                             "which column is that of the measurements?",
                             fmt::format("no parameter of `{}`", model_.name.text));
  for (std::size_t k = 1; k < header.unknown.size(); ++k)
    d.labels.push_back({header.places[header.unknown[k]], "nor is this"});
  bool any_mistyped = false;
  for (std::size_t k = 0; k < header.unknown.size(); ++k) {
    if (!is_mistyped(header.hints[k])) continue;
    any_mistyped = true;
    for (const std::string& hint : header.hints[k])
      d.help.push_back(fmt::format("`{}`: {}", shortened(header.headings[header.unknown[k]].name), hint));
  }
  d.help.push_back("say which with `--measured`, and pass over others with `--ignore`" +
                   (any_mistyped ? "" : ": " + example_of_choice(header)));
  if (!any_mistyped)
    d.help.push_back("a column of a parameter that has another name: " +
                     example_of_column(header, header.unknown.front()));
}

// Of the columns that are no parameters, all but the one that was chosen.
void MeasuredData::report_unknown_but(Header& header, std::size_t chosen) {
  for (std::size_t k = 0; k < header.unknown.size(); ++k) {
    const std::size_t i = header.unknown[k];
    if (i == chosen) continue;
    const std::string name = shortened(header.headings[i].name);
    auto& d = diagnostics_.add(DiagnosticKind::unusable_measurements, header.places[i],
                               fmt::format("`{}` is no parameter of `{}`", name, model_.name.text), "this column");
    d.help = header.hints[k];
    d.help.push_back(fmt::format("to pass over it, `--ignore \"{}\"`", name));
    if (!is_mistyped(header.hints[k]))
      d.help.push_back("where it is a parameter under another name: " + example_of_column(header, i));
    header.others.push_back(i);
  }
}

bool MeasuredData::is_plain_output(const std::string& name) const {
  const auto& members = std::get<frontend::item::Model>(model_.node).members;
  return std::any_of(members.begin(), members.end(), [&](const auto& one) {
    const auto* const output = std::get_if<frontend::item::Output>(&one->node);
    const auto* const type = output ? &output->value->type : nullptr;
    if (!type || !*type || one->name.text != name) return false;
    const auto* const real = std::get_if<types::Real>(&(*type)->kind);
    return std::holds_alternative<types::Int>((*type)->kind) || (real && real->dimension.plain());
  });
}

// The unit that was asked for, or else the one that the heading has, or the first cell.
void MeasuredData::read_unit(const Header& header, const MeasuredColumns& columns, const CsvCell* first) {
  const TableHeading& heading = header.headings[cell_];
  const std::string& asked = frontend::read_heading(columns.measured).unit;
  if (!asked.empty() && heading.written != columns.measured) {
    const auto file = program_.sources.add("--measured", columns.measured);
    const TableHeading option = frontend::read_heading(columns.measured);
    unit_ = frontend::read_unit(asked, {file, option.unit_begin, option.unit_end}, "", diagnostics_);
    return;
  }
  std::string unit = heading.unit;
  if (unit.empty() && !is_plain_output(heading.name)) unit = heading.name_unit;
  if (!unit.empty()) {
    unit_ = frontend::read_unit(unit, {file_, heading.unit_begin, heading.unit_end}, "", diagnostics_);
    if (unit_ && !heading.is_usual) notes_.push_back(frontend::note_on_unit(heading.written, unit, heading.written));
    return;
  }
  const char decimal = columns.reading.value_or(TableReading{}).decimal;
  const auto number = first ? frontend::read_number_form(first->text, decimal) : std::nullopt;
  if (!number || number->unit.empty()) return;
  unit_ = frontend::read_unit(number->unit, heading_, "", diagnostics_);
  are_units_in_cells_ = unit_.has_value();
}

}  // namespace wave::analysis
