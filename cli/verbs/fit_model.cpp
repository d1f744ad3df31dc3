// `wave fit FILE --data CSV --params ...`: parameters of a model from measured run times.
#include "analysis/cell_values.h"
#include "backend/limits.h"
#include "cli/limits.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/studies/fit_reports.h"
#include "cli/verbs/fit.h"
#include "frontend/check/modules.h"
#include "frontend/parse/units.h"
#include "frontend/source/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wave::cli {
namespace {

namespace model_fit = analysis::model_fit;
namespace types = frontend::types;
using analysis::Variable;
using frontend::DiagnosticKind;
using frontend::Location;

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

Location location_of_option(Session& session, const std::string& option, const std::string& text) {
  return {session.program().sources.add(option, text), 0, static_cast<std::uint32_t>(text.size())};
}

// Every name once, each a real parameter of the model. False, reported, where one is not.
bool check_parameters(Session& session, const frontend::Item& model, std::vector<std::string>& names) {
  std::vector<std::string> checked;
  for (const std::string& given : names) {
    const std::string name = trimmed(given);
    if (name.empty() || std::find(checked.begin(), checked.end(), name) != checked.end()) continue;
    checked.push_back(name);
    const Location location = location_of_option(session, "--params", name);
    const auto type = frontend::parameter_type(session.program(), model, name, location, session.diagnostics());
    if (type == nullptr || std::holds_alternative<types::Real>(type->kind)) continue;
    session.diagnostics()
        .add(DiagnosticKind::not_fittable, location, fmt::format("`{}` is no real parameter", name),
             fmt::format("this is `{}`", to_string(*type)))
        .help.push_back("whole numbers and machines are choices: `wave optimize` goes through them");
  }
  names = std::move(checked);
  return !session.diagnostics().has_errors();
}

// --- bounds ---

// "0.1 us" or "2": a number and its unit, or the unit of what stands behind. Empty text: none.
std::optional<double> read_bound(Session& session, const std::string& text, const std::string& usual_unit,
                                 const Variable& variable, Location location) {
  const auto end_of_number = text.find_first_not_of("0123456789.eE+-");
  std::string number = trimmed(text.substr(0, end_of_number)),
              unit = end_of_number == std::string::npos ? usual_unit : trimmed(text.substr(end_of_number));
  const frontend::Dimension wanted = dimension_of(variable.type).value_or(frontend::Dimension{});
  std::optional<frontend::Unit> read;
  if (!unit.empty()) {
    read = frontend::read_unit(unit, location, number, session.diagnostics());
    if (!read) return std::nullopt;
  }
  const frontend::Dimension given = read ? frontend::dimension_of(*read) : frontend::Dimension{};
  const auto value = analysis::QuantityReader(read).read(number);
  if (value && (given == wanted || *value == 0)) return value;
  session.diagnostics()
      .add(DiagnosticKind::not_fittable, location, fmt::format("`{}` is no bound of `{}`", text, variable.name),
           fmt::format("`{}` is `{}`", variable.name, to_string(*variable.type)))
      .help.push_back("as in `--bounds \"Wg=0.1us..2us\"`; one side may be missing");
  return std::nullopt;
}

// "Wg=0.1us..2us", "f=..1".
void read_bounds(Session& session, const std::string& text, const std::vector<Variable>& variables,
                 model_fit::FitProblem& problem) {
  const Location location = location_of_option(session, "--bounds", text);
  const auto malformed = [&](const std::string& message) {
    session.diagnostics()
        .add(DiagnosticKind::not_fittable, location, message, "these bounds")
        .help.push_back("as in `--bounds \"Wg=0.1us..2us\"`; one side may be missing");
  };
  const auto equals = text.find('='), dots = text.find("..");
  if (equals == std::string::npos || dots == std::string::npos || dots < equals)
    return malformed(fmt::format("`{}` is no range of a parameter", text));
  const std::string name = trimmed(text.substr(0, equals));
  const auto found =
      std::find_if(variables.begin(), variables.end(), [&](const Variable& one) { return one.name == name; });
  if (found == variables.end()) return malformed(fmt::format("`{}` is not fitted", name));
  auto& parameter = problem.parameters[static_cast<std::size_t>(found - variables.begin())];
  const std::string low = trimmed(text.substr(equals + 1, dots - equals - 1)), high = trimmed(text.substr(dots + 2));
  const auto unit_at = high.find_first_not_of("0123456789.eE+-");
  const std::string unit = unit_at == std::string::npos ? "" : trimmed(high.substr(unit_at));
  if (!low.empty()) parameter.lower = read_bound(session, low, unit, *found, location).value_or(0);
  if (!high.empty()) parameter.upper = read_bound(session, high, "", *found, location).value_or(0);
  if (!session.diagnostics().has_errors() && !(parameter.lower < parameter.upper))
    malformed(fmt::format("there is nothing between the bounds of `{}`", name));
}

// Times, data and work that begin at or above 0 stay there, unless bounds say otherwise: a negative cost means nothing.
model_fit::FitParameter parameter_of(const Variable& variable) {
  const bool is_amount = !dimension_of(variable.type).value_or(frontend::Dimension{}).plain();
  constexpr double none = std::numeric_limits<double>::infinity();
  const double start = variable.usual.value_or(0);
  return {start, variable.lower.value_or(is_amount && start >= 0 ? 0 : -none), variable.upper.value_or(none)};
}

bool read_problem(Session& session, const ModelFit& asked, const MeasuredModel& measured,
                  const std::vector<Variable>& fitted, model_fit::FitProblem& problem) {
  for (const Variable& variable : fitted) problem.parameters.push_back(parameter_of(variable));
  for (const auto& text : asked.bounds) read_bounds(session, text, fitted, problem);
  for (std::size_t p = 0; p < fitted.size(); ++p) {
    auto& one = problem.parameters[p];
    const bool bounded = std::isfinite(one.lower) && std::isfinite(one.upper);
    if (!fitted[p].usual && bounded)
      one.start = one.lower > 0 ? std::sqrt(one.lower * one.upper) : (one.lower + one.upper) / 2;
    if (fitted[p].usual || bounded || session.diagnostics().has_errors()) continue;
    session.diagnostics()
        .add(DiagnosticKind::not_fittable, fitted[p].location,
             fmt::format("`{}` has no value to begin with", fitted[p].name), "this parameter")
        .help.push_back(fmt::format("give one with `-D \"{}=...\"`, or bounds with `--bounds \"{}=...\"`",
                                    fitted[p].name, fitted[p].name));
  }
  const auto& configurations = measured.data->configurations();
  problem.observations.relative = asked.errors == ErrorKind::relative;
  problem.observations.measured.resize(static_cast<Eigen::Index>(configurations.size()));
  for (std::size_t i = 0; i < configurations.size(); ++i) {
    const auto& one = configurations[i];
    problem.observations.measured[static_cast<Eigen::Index>(i)] = one.mean;
    problem.counts.push_back(one.rows.size());
    if (one.rows.size() < 2) continue;
    const auto freedom = static_cast<double>(one.rows.size() - 1);
    problem.repetition_freedom += freedom;
    problem.repetition_squares +=
        freedom * std::pow(problem.observations.relative ? one.deviation / one.mean : one.deviation, 2);
  }
  if (configurations.size() < fitted.size()) {
    session.diagnostics()
        .add(DiagnosticKind::too_little_data, measured.data->heading(),
             fmt::format("{} for {} parameters",
                         configurations.size() == 1 ? "one configuration"
                                                    : fmt::format("{} configurations", configurations.size()),
                         fitted.size()),
             "these measurements")
        .help.push_back("measure more configurations (repetitions of one do not count), or fit fewer parameters");
  }
  return !session.diagnostics().has_errors();
}

// --- the fit ---

// Evaluates many trials at a time; stops when it is out of time or memory.
class Predictor {
 public:
  Predictor(Session& session, MeasuredModel& measured, const std::vector<Variable>& fitted)
      : session_(session),
        measured_(measured),
        fitted_(fitted),
        succeeded_(measured.data->configurations().size(), false) {}

  std::optional<Eigen::MatrixXd> operator()(const Eigen::MatrixXd& points) {
    const auto configurations = static_cast<Eigen::Index>(measured_.data->configurations().size());
    Eigen::MatrixXd result(configurations, points.cols());
    const Eigen::Index most = std::max<Eigen::Index>(1, most_points / configurations);
    for (Eigen::Index begin = 0; begin < points.cols(); begin += most) {
      const Eigen::Index count = std::min(most, points.cols() - begin);
      analysis::Trials trials;
      for (std::size_t p = 0; p < fitted_.size(); ++p) {
        const Eigen::VectorXd row = points.row(static_cast<Eigen::Index>(p)).segment(begin, count);
        trials.push_back({fitted_[p].name, std::vector<double>(row.begin(), row.end())});
      }
      auto found = predict(session_, measured_, trials);
      if (!found) return std::nullopt;
      if (evaluated_ == 0) first_ = *found;
      for (Eigen::Index i = 0; i < count * configurations; ++i) {
        if (std::isfinite(found->values[static_cast<std::size_t>(i)]))
          succeeded_[static_cast<std::size_t>(i % configurations)] = true;
      }
      evaluated_ += count * configurations;
      session_.console().status(fmt::format("{} predictions made", grouped(static_cast<std::uint64_t>(evaluated_))));
      result.middleCols(begin, count) = Eigen::Map<const Eigen::MatrixXd>(found->values.data(), configurations, count);
    }
    return result;
  }
  // What failed among the first, where the fit begins.
  const analysis::Predictions& first() const { return first_; }
  // The configurations at which nothing that was tried gave a prediction.
  std::vector<std::size_t> hopeless() const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < succeeded_.size(); ++i) {
      if (!succeeded_[i]) result.push_back(i);
    }
    return result;
  }

 private:
  static constexpr Eigen::Index most_points = 1 << 18;
  Session& session_;
  MeasuredModel& measured_;
  const std::vector<Variable>& fitted_;
  analysis::Predictions first_;
  std::vector<bool> succeeded_;  // of each configuration, whether any trial did
  Eigen::Index evaluated_ = 0;
};

void warn(Session& session, const ModelFitReport& report) {
  const auto location = report.measured.data->heading();
  auto& diagnostics = session.diagnostics();
  const auto names = [&](const std::vector<std::size_t>& parameters) {
    std::vector<std::string> result;
    for (const std::size_t p : parameters) result.push_back(fmt::format("`{}`", report.parameters[p].name));
    return fmt::format("{}", fmt::join(result, ", "));
  };
  if (!report.fit.converged) {
    diagnostics
        .add(DiagnosticKind::fit_not_converged, location,
             "the fit did not converge: what follows is the best that was found", "to these measurements",
             frontend::Severity::warning)
        .help.push_back("give bounds with `--bounds`, more starts with `--starts`, or fit fewer parameters");
    return;
  }
  for (const auto& open : report.fit.open) {
    const std::string combination = combination_of(report, open);
    using Kind = model_fit::OpenCombination::Kind;
    auto& d = diagnostics.add(DiagnosticKind::open_parameter, location,
                              fmt::format("the data cannot tell {} apart", names(open.parameters)),
                              "these measurements", frontend::Severity::warning);
    if (!combination.empty())
      d.notes.push_back(fmt::format("{}only `{}` is determined",
                                    open.kind == Kind::near_here ? "near these values " : "", combination));
    d.notes.push_back(fmt::format("changing {} changes no prediction", direction_of(report, open)));
    d.help.push_back("fix one of them with `-D`, or measure something in which they differ");
  }
  for (std::size_t p = 0; p < report.parameters.size(); ++p) {
    if (report.fit.parameters[p].standing != model_fit::Standing::without_influence) continue;
    diagnostics.add(DiagnosticKind::open_parameter, location,
                    fmt::format("no prediction depends on `{}`", report.parameters[p].name), "for these measurements",
                    frontend::Severity::warning);
  }
}

// Where it always fails at the same configurations, the reason is there; else in the values.
void report_without_prediction(Session& session, const MeasuredModel& measured, const Predictor& predictor) {
  const auto hopeless = predictor.hopeless();
  const auto& configurations = measured.data->configurations();
  if (hopeless.empty() || hopeless.size() == configurations.size()) {
    session.diagnostics()
        .add(DiagnosticKind::not_fittable, measured.data->heading(), "the model fails at all values that were tried",
             "for these configurations")
        .help.push_back("begin elsewhere with `-D`, or give bounds within which it works");
  } else {
    session.diagnostics()
        .add(DiagnosticKind::not_fittable, measured.data->location(configurations[hopeless.front()].rows.front()),
             fmt::format("the model fails at {} of {} configurations, whatever the values", grouped(hopeless.size()),
                         grouped(configurations.size())),
             hopeless.size() == 1 ? "at this one" : "at this one, for example")
        .help.push_back("correct the row, or take it out of the data");
  }
  report_failed(session, measured, predictor.first());
}

// Where the fitted model goes: a file that is another than the model's, unless that is asked for. Nothing, reported,
// where that cannot be; empty where it goes nowhere.
std::optional<std::string> place_of_fitted(const Fitting& command, const CommonOptions& options, Console& console) {
  const std::string& file = command.files.front();
  const auto model = file == "-" ? std::nullopt : frontend::find_module(file, search_path(options));
  const bool is_own = model && !model->is_standard;
  if (!command.of_model.in_place) {
    if (command.output.empty() || !is_own || !frontend::written_files().contains(model->path)) return command.output;
    report_misuse(console, fmt::format("`-o {}` would replace the model that is read", command.output),
                  "name another file, or say `--in-place` instead");
    return std::nullopt;
  }
  if (!command.output.empty()) {
    report_misuse(console, fmt::format("`--in-place` and `-o {}` are two places", command.output), "give one of them");
    return std::nullopt;
  }
  if (is_own) return model->path;
  report_misuse(console, fmt::format("`--in-place` needs a model in a file, and `{}` is none", file),
                "`-o fitted.wave` writes to another file");
  return std::nullopt;
}

std::optional<int> find_misuse(const Fitting& command, Console& console) {
  const ModelFit& asked = command.of_model;
  if (command.files.size() != 1)
    return report_misuse(console, "one model is fitted at a time",
                         "wave fit model.wave --data measured.csv --params Wg,net.L");
  if (asked.params.empty())
    return report_misuse(console, "`--params` says which parameters are fitted", "for example `--params Wg,net.L`");
  if (command.files.front() == "-" && asked.data.data == "-") {
    return report_misuse(console, "the model and the measurements cannot both come from standard input",
                         "name a file for one of them");
  }
  return std::nullopt;
}

}  // namespace

int fit_model(const Fitting& command, const CommonOptions& options, Console& console) {
  if (const auto wrong = find_misuse(command, console)) return *wrong;
  const ModelFit& asked = command.of_model;
  const auto output = place_of_fitted(command, options, console);
  if (!output) return misuse;
  Session session(console, options);
  const auto fail = [&] {
    session.settle();
    return failure;
  };
  if (!session.load(command.files.front())) return failure;
  const auto* model = choose_model(session, asked.of.model);
  std::vector<std::string> names = asked.params;
  if (model == nullptr || !check_parameters(session, *model, names)) return fail();
  auto measured = open_measured(session, asked.of, asked.data, names);
  if (!session.settle() || !measured) return failure;
  stop_watching();

  std::vector<Variable> fitted;
  for (const auto& name : names) {
    const auto& all = measured->study.points->variables();
    fitted.push_back(*std::find_if(all.begin(), all.end(), [&](const Variable& one) { return one.name == name; }));
  }
  model_fit::FitProblem problem;
  if (!read_problem(session, asked, *measured, fitted, problem)) return fail();
  Predictor predictor(session, *measured, fitted);
  const auto fit = model_fit::fit_model([&](const Eigen::MatrixXd& points) { return predictor(points); }, problem,
                                        {asked.robust, asked.confidence, asked.starts});
  console.status("");
  if (!fit) return fail();
  if (fit->predicted.size() == 0) {
    report_without_prediction(session, *measured, predictor);
    return fail();
  }
  const ModelFitReport report{session, *measured, asked, fitted, problem, *fit};
  warn(session, report);
  std::optional<std::string> rewritten;
  if (!output->empty()) rewritten = rewrite_model(report, session.diagnostics());
  const bool clear = session.settle();
  console.print(written(document_of(report), asked.format), Printed::data);
  if (!clear) return failure;
  return rewritten ? write_result(*output, *rewritten, console) : success;
}

}  // namespace wave::cli
