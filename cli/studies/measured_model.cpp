// See measured_model.h.
#include "cli/studies/measured_model.h"

#include "analysis/value_table.h"
#include "cli/limits.h"
#include "cli/results.h"
#include "cli/studies/evaluated_points.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace wave::cli {
namespace {

using analysis::MeasuredData;
using frontend::DiagnosticKind;
namespace item = frontend::item;
namespace types = frontend::types;

// Outputs that are one number of the dimension.
std::vector<std::string> outputs_of_dimension(const frontend::Item& model, frontend::Dimension dimension) {
  std::vector<std::string> names;
  for (const auto& member : std::get<item::Model>(model.node).members) {
    const auto* output = std::get_if<item::Output>(&member->node);
    if (output == nullptr || !output->indices.empty() || !output->value->type) continue;
    if (is_breakdown(*output)) continue;
    const auto* real = std::get_if<types::Real>(&output->value->type->kind);
    const bool is_count = std::holds_alternative<types::Int>(output->value->type->kind) && dimension.plain();
    if (is_count || (real && real->dimension == dimension)) names.push_back(member->name.text);
  }
  return names;
}

bool has_output(const frontend::Item& model, const std::string& name) {
  const auto& members = std::get<item::Model>(model.node).members;
  return std::any_of(members.begin(), members.end(), [&](const auto& one) {
    return one->name.text == name && std::holds_alternative<item::Output>(one->node);
  });
}

// Measurements without a unit, where outputs have dimensions: more likely a unit is missing than a plain number meant.
// The first of these outputs that has a unit to name; times before others. None: all are plain.
std::optional<std::pair<std::string, std::string>> output_with_unit(const frontend::Item& model) {
  std::optional<std::pair<std::string, std::string>> found;
  for (const auto& member : std::get<item::Model>(model.node).members) {
    const auto* output = std::get_if<item::Output>(&member->node);
    if (output == nullptr || !output->value->type) continue;
    const auto* real = std::get_if<types::Real>(&output->value->type->kind);
    if (real == nullptr || real->dimension.plain()) continue;
    if (real->dimension == frontend::Dimension{1, 0, 0}) return std::pair(member->name.text, std::string("s"));
    if (!found || found->second.empty()) found.emplace(member->name.text, analysis::example_unit(real->dimension));
  }
  return found;
}

void report_missing_unit(Session& session, const MeasuredData& data, const std::pair<std::string, std::string>& output,
                         const std::vector<std::string>& plain) {
  const auto& [name, unit] = output;
  auto& d = session.diagnostics().add(DiagnosticKind::bare_number, data.heading(),
                                      "a column of measurements without a unit", "in which unit?");
  if (!unit.empty())
    d.help.push_back(fmt::format("where it is `{}`, give it a unit, as in `{} [{}]`", name, data.name(), unit));
  d.help.push_back("where it is a plain number, say which with `--show`, or call the column like it: " +
                   frontend::quoted_list(plain));
}

// The output that was measured. Empty, reported, if that is not clear.
std::string choose_shown(Session& session, const StudyChoice& choice, const frontend::Item& model,
                         const MeasuredData& data) {
  if (choice.show.size() == 1) return choice.show.front();
  auto& diagnostics = session.diagnostics();
  if (choice.show.size() > 1) {
    diagnostics
        .add(DiagnosticKind::unusable_measurements, data.heading(), "one column of measurements, and several `--show`",
             "this column")
        .help.push_back("give the one that was measured");
    return "";
  }
  if (has_output(model, data.name())) return data.name();
  const auto names = outputs_of_dimension(model, data.dimension());
  const auto with_unit = output_with_unit(model);
  if (!data.unit() && with_unit && !names.empty()) {
    report_missing_unit(session, data, *with_unit, names);
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
  else if (!data.unit())
    d.help.push_back(fmt::format("give the column its unit, as in `{} [s]`", data.name()));
  else
    d.help.push_back("say with `--show` what was measured; any expression of outputs");
  return "";
}

// `-D` and a column cannot both give a parameter, nor can a column and the fit.
void check_parameters(Session& session, const MeasuredData& data, const std::vector<frontend::Override>& overrides,
                      const std::vector<std::string>& fitted) {
  for (const auto& column : data.parameters()) {
    check_given_once(session, column.name, column.heading, overrides);
    if (std::find(fitted.begin(), fitted.end(), column.name) == fitted.end()) continue;
    session.diagnostics()
        .add(DiagnosticKind::not_fittable, column.heading,
             fmt::format("`{}` is in the data and is to be fitted", column.name), "its values are here")
        .help.push_back(
            fmt::format("fit something else, or take other data; to pass over the column: `--ignore {}`", column.name));
  }
}

// Takes away the configurations for which one of the conditions does not hold.
bool select(Session& session, const StudyChoice& choice, const std::vector<std::string>& conditions,
            const std::vector<std::string>& fitted, MeasuredModel& measured) {
  const auto boolean = std::make_shared<const frontend::Type>(frontend::Type{types::Bool{}});
  for (const auto& one : conditions)
    check_expression(session.program(), measured.model, "--where", one, boolean, session.diagnostics());
  if (session.diagnostics().has_errors()) return false;
  const std::string all = fmt::format("({})", fmt::join(conditions, ") and ("));
  StudyQuestion question{measured.data->clauses(), {"selected = " + all}, "--data", "--where"};
  question.vary.insert(question.vary.end(), fitted.begin(), fitted.end());
  auto study = ask_study(session, choice, question);
  if (!study) return false;
  analysis::Trials trials;
  for (const auto& variable : study->points->variables()) {
    if (std::find(fitted.begin(), fitted.end(), variable.name) != fitted.end())
      trials.push_back({variable.name, {variable.usual.value_or(1)}});
  }
  MeasuredModel asked{measured.file, measured.model, measured.data, std::move(*study), 0};
  const auto found = predict(session, asked, trials);
  if (!found) return false;
  report_failed(session, asked, *found);
  if (session.diagnostics().has_errors()) return false;
  std::vector<std::int64_t> holds;
  for (const double one : found->values) holds.push_back(one != 0 ? 1 : 0);
  const std::size_t before = measured.data->configurations().size();
  measured.data->keep(holds);
  measured.left_out = before - measured.data->configurations().size();
  if (!measured.data->configurations().empty()) return true;
  const std::string where = conditions.size() == 1 ? conditions.front() : all;
  const std::uint32_t file = session.program().sources.add("--where", where);
  session.diagnostics().add(DiagnosticKind::unusable_measurements,
                            frontend::Location{file, 0, static_cast<std::uint32_t>(where.size())},
                            fmt::format("no row of {} is one of these", measured.file), "this holds for none");
  return false;
}

}  // namespace

std::optional<MeasuredModel> open_measured(Session& session, const StudyChoice& choice,
                                           const Measurements& measurements, const std::vector<std::string>& fitted) {
  MeasuredModel measured;
  measured.file = measurements.data == "-" ? standard_input_name : sanitize(measurements.data);
  measured.model = choose_model(session, choice.model);
  if (measured.model == nullptr) return std::nullopt;
  const auto overrides = check_overrides(session, *measured.model, choice.overrides);
  const auto file = load_table(session, measurements.data, "the measurements are");
  if (!file) return std::nullopt;
  measured.data.emplace(session.program(), *measured.model, *file,
                        analysis::MeasuredColumns{measurements.measured, measurements.ignored, {}},
                        session.diagnostics());
  if (session.diagnostics().has_errors()) return std::nullopt;
  check_parameters(session, *measured.data, overrides, fitted);
  if (measured.data->rows() == 0 || session.diagnostics().has_errors()) return std::nullopt;
  const std::string shown = choose_shown(session, choice, *measured.model, *measured.data);
  if (shown.empty()) return std::nullopt;
  if (!measurements.where.empty() && !select(session, choice, measurements.where, fitted, measured))
    return std::nullopt;
  StudyQuestion question{measured.data->clauses(), {shown}, "--data", "--show"};
  question.vary.insert(question.vary.end(), fitted.begin(), fitted.end());
  auto study = ask_study(session, choice, question);
  if (!study) return std::nullopt;
  measured.study = std::move(*study);
  if (measured.study.points->shown().size() != 1) {
    session.diagnostics().add(DiagnosticKind::unusable_measurements, measured.study.points->shown().front().location,
                              "one column of measurements, and several values that are shown",
                              "this is more than one value");
    return std::nullopt;
  }
  if (!check_same_quantity(measured.shown(), *measured.data, session.diagnostics())) return std::nullopt;
  return measured;
}

std::optional<analysis::Predictions> predict(Session& session, MeasuredModel& measured, const analysis::Trials& trials,
                                             const std::function<void(std::size_t rows)>& progress) {
  auto outcome =
      analysis::predict(*measured.study.points, *measured.data, trials, engine_limits(session.options()), progress);
  if (auto* found = std::get_if<analysis::Predictions>(&outcome)) return std::move(*found);
  report_failure(session, *measured.study.points, std::get<ir::Failure>(outcome));
  return std::nullopt;
}

analysis::Validation validate(const MeasuredModel& measured, const analysis::Predictions& predictions,
                              analysis::Preference wanted) {
  std::vector<analysis::Pair> pairs;
  for (std::size_t i = 0; i < predictions.values.size(); ++i) {
    const auto& one = measured.data->configurations()[i];
    pairs.push_back({predictions.values[i], one.mean, one.deviation, one.rows.size()});
  }
  return analysis::validate(std::move(pairs), wanted);
}

void report_failed(Session& session, const MeasuredModel& measured, const analysis::Predictions& predictions) {
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
    session.diagnostics().add(key.first, measured.data->location(configuration.rows.front()), key.second,
                              "here" + and_others(kind.configurations.size(), "at"));
  }
}

std::vector<std::string> cells_of(const MeasuredModel& measured, const frontend::Program& program,
                                  std::size_t configuration) {
  std::vector<std::string> cells;
  const std::size_t row = measured.data->configurations()[configuration].rows.front();
  for (const auto& one : measured.data->parameters()) {
    cells.push_back(sanitize(program.sources.text(measured.data->location(row, one.cell))));
  }
  return cells;
}

std::string short_name_of(const MeasuredModel& measured, std::size_t configuration) {
  return fmt::format("line {}", measured.data->line(measured.data->configurations()[configuration].rows.front()));
}

std::string name_of(const MeasuredModel& measured, const frontend::Program& program, std::size_t configuration) {
  const auto cells = cells_of(measured, program, configuration);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto& one = measured.data->parameters()[i];
    parts.push_back(fmt::format("{} = {}{}", one.name, cells[i], one.unit ? " " + one.unit->text : ""));
  }
  return fmt::format("{}: {}", short_name_of(measured, configuration), fmt::join(parts, ", "));
}

Scale scale_of_measured(const MeasuredModel& measured) {
  return measured.data->unit() ? scale_of(*measured.data->unit()) : Scale{};
}

}  // namespace wave::cli
