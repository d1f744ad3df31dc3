// See measured_model.h.
#include "analysis/validation/measured_model.h"

#include "analysis/breakdown.h"
#include "analysis/validation/measured_help.h"
#include "analysis/value_table.h"
#include "base/text.h"
#include "frontend/check/type_tools.h"
#include "frontend/lower/given.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace wave::analysis {

using frontend::DiagnosticKind;
namespace item = frontend::item;
namespace types = frontend::types;

bool is_one_value(const item::Output& output) {
  return output.indices.empty() && output.value->type && !is_breakdown(output);
}

namespace {

// Outputs that are one number of the dimension.
std::vector<std::string> outputs_of_dimension(const frontend::Item& model, frontend::Dimension dimension) {
  std::vector<std::string> names;
  for (const auto& member : std::get<item::Model>(model.node).members) {
    const auto* output = std::get_if<item::Output>(&member->node);
    if (output == nullptr || !is_one_value(*output)) continue;
    const auto* real = std::get_if<types::Real>(&output->value->type->kind);
    const bool is_count = std::holds_alternative<types::Int>(output->value->type->kind) && dimension.plain();
    if (is_count || (real && real->dimension == dimension)) names.push_back(member->name.text);
  }
  return names;
}

// The output that has the name of the column; the same name comes before one without the unit or with other capitals.
std::string output_called(const frontend::Item& model, const MeasuredData& data) {
  std::vector<std::string> near;
  for (const auto& member : std::get<item::Model>(model.node).members) {
    if (!std::holds_alternative<item::Output>(member->node)) continue;
    if (member->name.text == data.name()) return data.name();
    if (data.is_called(member->name.text)) near.push_back(member->name.text);
  }
  return near.size() == 1 ? near.front() : "";
}

// Measurements without a unit, where outputs have dimensions: more likely a unit is missing than a plain number meant.
// The first of these outputs, and its dimension; times before others. None: all are plain.
std::optional<std::pair<std::string, frontend::Dimension>> output_with_unit(const frontend::Item& model) {
  std::optional<std::pair<std::string, frontend::Dimension>> found;
  for (const auto& member : std::get<item::Model>(model.node).members) {
    const auto* output = std::get_if<item::Output>(&member->node);
    if (output == nullptr || !output->value->type) continue;
    const auto* real = std::get_if<types::Real>(&output->value->type->kind);
    if (real == nullptr || real->dimension.plain()) continue;
    if (real->dimension == frontend::Dimension{1, 0, 0}) return std::pair(member->name.text, real->dimension);
    if (!found || example_unit(found->second).empty()) found.emplace(member->name.text, real->dimension);
  }
  return found;
}

void report_missing_unit(const MeasuredData& data, const std::pair<std::string, frontend::Dimension>& output,
                         const std::vector<std::string>& plain, frontend::Diagnostics& diagnostics) {
  auto& d = diagnostics.add(DiagnosticKind::bare_number, data.heading(), "a column of measurements without a unit",
                            "in which unit?");
  help_on_missing_unit(data, output.first, output.second, d);
  if (plain.empty()) return;
  d.help.push_back("where it is a plain number, say which with `--show`, or call the column like it: " +
                   frontend::quoted_list(plain));
}

// The output that was measured. Empty, reported, if that is not clear.
std::string choose_shown(const std::vector<std::string>& show, const frontend::Item& model, const MeasuredData& data,
                         frontend::Diagnostics& diagnostics) {
  if (show.size() == 1) return show.front();
  if (show.size() > 1) {
    diagnostics
        .add(DiagnosticKind::unusable_measurements, data.heading(), "one column of measurements, and several `--show`",
             "this column")
        .help.push_back("give the one that was measured");
    return "";
  }
  if (const std::string same = output_called(model, data); !same.empty()) return same;
  const auto names = outputs_of_dimension(model, data.dimension());
  const auto with_unit = output_with_unit(model);
  if (!data.unit() && with_unit && (!names.empty() || ratio_of_times(data, with_unit->first).empty())) {
    report_missing_unit(data, *with_unit, names, diagnostics);
    return "";
  }
  if (names.size() == 1) return names.front();
  auto& d = diagnostics.add(
      DiagnosticKind::unusable_measurements, data.heading(),
      names.empty() ? fmt::format("`{}` has no output that is `{}`", model.name.text, to_string(data.dimension()))
                    : fmt::format("which output of `{}` was measured?", model.name.text),
      fmt::format("this is `{}`", to_string(data.dimension())));
  if (!names.empty())
    d.help.push_back("say which with `--show`, or call the column like it: " + frontend::quoted_list(names));
  else if (!data.unit() && with_unit)
    help_on_missing_unit(data, with_unit->first, with_unit->second, d);
  else
    d.help.push_back("say with `--show` what was measured; any expression of outputs");
  return "";
}

// `-D` and a column cannot both give a parameter, nor can a column and the fit.
void check_parameters(const MeasuredData& data, const std::vector<frontend::Override>& overrides,
                      const std::vector<std::string>& fitted, frontend::Diagnostics& diagnostics) {
  for (const auto& column : data.parameters()) {
    check_given_once(column.name, column.heading, overrides, diagnostics);
    if (std::find(fitted.begin(), fitted.end(), column.name) == fitted.end()) continue;
    diagnostics
        .add(DiagnosticKind::not_fittable, column.heading,
             fmt::format("`{}` is in the data and is to be fitted", column.name), "its values are here")
        .help.push_back(
            fmt::format("fit something else, or take other data; to pass over the column: `--ignore {}`", column.name));
  }
}

// A study of the model, of what this question varies and shows. False, with diagnostics, after an error.
bool ask(const GivenModel& of, const MeasuredQuestion& question, const frontend::AskedClause& show,
         MeasuredModel& measured, frontend::Diagnostics& diagnostics) {
  frontend::Asked asked{{}, {show}};
  for (const auto& clause : measured.data->clauses()) asked.vary.push_back({"--data", clause});
  for (const auto& name : question.fitted) asked.vary.push_back({"--data", name});
  measured.asked = frontend::ask(of.program, of.model, asked, diagnostics);
  if (measured.asked == nullptr) return false;
  auto overrides = check_given(of.program, of.model, of.given, diagnostics);
  if (diagnostics.has_errors()) return false;
  measured.points = StudyModel::make(of.program, *measured.asked, std::move(overrides), of.engines, of.threads,
                                     of.limits, diagnostics);
  return measured.points != nullptr;
}

void report_none_left(const GivenModel& of, const MeasuredQuestion& question, const std::string& all,
                      frontend::Diagnostics& diagnostics) {
  const std::string where = question.where.size() == 1 ? question.where.front() : all;
  const std::uint32_t file = of.program.sources.add("--where", where);
  diagnostics.add(DiagnosticKind::unusable_measurements,
                  frontend::Location{file, 0, static_cast<std::uint32_t>(where.size())},
                  fmt::format("no row of {} is one of these", question.name), "this holds for none");
}

// Takes away the configurations for which one of the conditions does not hold.
bool select(const GivenModel& of, const MeasuredQuestion& question, MeasuredModel& measured,
            frontend::Diagnostics& diagnostics) {
  const auto boolean = frontend::check::bool_type();
  for (const auto& one : question.where) check_expression(of.program, &of.model, "--where", one, boolean, diagnostics);
  if (diagnostics.has_errors()) return false;
  const std::string all = fmt::format("({})", join_texts(question.where, ") and ("));
  MeasuredModel asked{&of.model, question.name, measured.data, nullptr, nullptr, 0};
  if (!ask(of, question, {"--where", "selected = " + all}, asked, diagnostics)) return false;
  Trials trials;
  for (const auto& variable : asked.points->variables()) {
    if (std::find(question.fitted.begin(), question.fitted.end(), variable.name) != question.fitted.end())
      trials.push_back({variable.name, {variable.usual.value_or(1)}});
  }
  const auto found = predict(asked, trials, of.limits, diagnostics);
  if (!found) return false;
  report_failed(asked, *found, diagnostics);
  if (diagnostics.has_errors()) return false;
  std::vector<std::int64_t> holds;
  for (const double one : found->values) holds.push_back(one != 0 ? 1 : 0);
  const std::size_t before = measured.data->configurations().size();
  measured.data->keep(holds);
  measured.left_out = before - measured.data->configurations().size();
  if (measured.data->configurations().empty()) report_none_left(of, question, all, diagnostics);
  return !measured.data->configurations().empty();
}

}  // namespace

std::optional<MeasuredModel> open_measured(const GivenModel& of, const MeasuredQuestion& question,
                                           frontend::Diagnostics& diagnostics) {
  MeasuredModel measured;
  measured.model = &of.model;
  measured.file = question.name;
  const auto overrides = check_given(of.program, of.model, of.given, diagnostics);
  measured.data.emplace(of.program, of.model, question.file, question.columns, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  check_parameters(*measured.data, overrides, question.fitted, diagnostics);
  if (measured.data->rows() == 0 || diagnostics.has_errors()) return std::nullopt;
  const std::string shown = choose_shown(question.show, of.model, *measured.data, diagnostics);
  if (shown.empty()) return std::nullopt;
  if (!question.where.empty() && !select(of, question, measured, diagnostics)) return std::nullopt;
  if (!ask(of, question, {"--show", shown}, measured, diagnostics)) return std::nullopt;
  if (measured.points->shown().size() != 1) {
    diagnostics.add(DiagnosticKind::unusable_measurements, measured.shown().location,
                    "one column of measurements, and several values that are shown", "this is more than one value");
    return std::nullopt;
  }
  if (!check_same_quantity(measured.shown(), *measured.data, diagnostics)) return std::nullopt;
  return measured;
}

std::optional<Predictions> predict(MeasuredModel& measured, const Trials& trials, const backend::Limits& limits,
                                   frontend::Diagnostics& diagnostics,
                                   const std::function<void(std::size_t rows)>& progress) {
  auto outcome = predict(*measured.points, *measured.data, trials, limits, progress);
  if (auto* found = std::get_if<Predictions>(&outcome)) return std::move(*found);
  const auto& lowered = measured.points->lowered();
  report(lowered.system, lowered.words, lowered.notes, std::get<ir::Failure>(outcome), diagnostics);
  return std::nullopt;
}

Validation validate(const MeasuredModel& measured, const Predictions& predictions, Preference wanted) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < predictions.values.size(); ++i) {
    const auto& one = measured.data->configurations()[i];
    pairs.push_back({predictions.values[i], one.mean, one.deviation, one.rows.size()});
  }
  return validate(std::move(pairs), wanted);
}

void report_failed(const MeasuredModel& measured, const Predictions& predictions, frontend::Diagnostics& diagnostics) {
  const std::size_t configurations = measured.data->configurations().size();
  struct Kind {
    std::uint64_t first = ~std::uint64_t{0};
    std::set<std::size_t> configurations;
  };
  std::map<std::pair<DiagnosticKind, std::string>, Kind> kinds;
  for (const auto& one : predictions.failed) {
    Kind& kind = kinds[{one.kind(), one.message()}];
    kind.first = std::min(kind.first, one.rows.front());
    for (const std::uint64_t row : one.rows) kind.configurations.insert(row % configurations);
  }
  for (const auto& [key, kind] : kinds) {
    const auto& configuration = measured.data->configurations()[kind.first % configurations];
    diagnostics.add(key.first, measured.data->location(configuration.rows.front()), key.second,
                    "here" + and_others(kind.configurations.size(), "at"));
  }
}

Preference wanted_of(frontend::Dimension dimension) {
  if (dimension == frontend::Dimension{1, 0, 0}) return Preference::least;
  return dimension.time == -1 ? Preference::largest : Preference::unknown;
}

}  // namespace wave::analysis
