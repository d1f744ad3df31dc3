// See parameter_fit.h.
#include "analysis/validation/parameter_fit.h"

#include "analysis/cell_values.h"
#include "analysis/value_text.h"
#include "base/text.h"
#include "frontend/parse/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wave::analysis {
namespace {

using frontend::DiagnosticKind;
using frontend::Location;
namespace types = frontend::types;

Location location_of_option(frontend::Program& program, const std::string& option, const std::string& text) {
  return {program.sources.add(option, text), 0, static_cast<std::uint32_t>(text.size())};
}

// Every name once, each a real parameter of the model. False, reported, where one is not.
bool check_fitted(const GivenModel& of, std::vector<std::string>& names, frontend::Diagnostics& diagnostics) {
  std::vector<std::string> checked;
  for (const std::string& given : names) {
    const std::string name = trim(given);
    if (name.empty() || std::find(checked.begin(), checked.end(), name) != checked.end()) continue;
    checked.push_back(name);
    const Location location = location_of_option(of.program, "--params", name);
    const auto type = frontend::parameter_type(of.program, of.model, name, location, diagnostics);
    if (type == nullptr || std::holds_alternative<types::Real>(type->kind)) continue;
    diagnostics
        .add(DiagnosticKind::not_fittable, location, fmt::format("`{}` is no real parameter", name),
             fmt::format("this is `{}`", to_string(*type)))
        .help.push_back("whole numbers and machines are choices: `wave optimize` goes through them");
  }
  if (checked.empty())
    diagnostics.add(DiagnosticKind::not_fittable, {}, "no parameter is to be fitted")
        .help.emplace_back("name some: `--params Wg,net.L`");
  names = std::move(checked);
  return !diagnostics.has_errors();
}

// --- bounds ---

// Reads what `--bounds` says into the parameters of a problem.
class BoundsReader {
 public:
  BoundsReader(frontend::Program& program, OpenFit& open, frontend::Diagnostics& diagnostics)
      : program_(program), open_(open), diagnostics_(diagnostics) {}

  // "Wg=0.1us..2us", "f=..1".
  void read(const std::string& text) {
    location_ = location_of_option(program_, "--bounds", text);
    const auto equals = text.find('='), dots = text.find("..");
    if (equals == std::string::npos || dots == std::string::npos || dots < equals)
      return refuse(fmt::format("`{}` is no range of a parameter", text));
    const std::string name = trim(text.substr(0, equals));
    const auto& all = open_.parameters;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Variable& one) { return one.name == name; });
    if (found == all.end()) return refuse(fmt::format("`{}` is not fitted", name));
    auto& parameter = open_.problem.parameters[static_cast<std::size_t>(found - all.begin())];
    const std::string low = trim(text.substr(equals + 1, dots - equals - 1)), high = trim(text.substr(dots + 2));
    const auto unit_at = high.find_first_not_of(digits);
    const std::string unit = unit_at == std::string::npos ? "" : trim(high.substr(unit_at));
    if (!low.empty()) parameter.lower = read_bound(low, unit, *found).value_or(0);
    if (!high.empty()) parameter.upper = read_bound(high, "", *found).value_or(0);
    if (!diagnostics_.has_errors() && !(parameter.lower < parameter.upper))
      refuse(fmt::format("there is nothing between the bounds of `{}`", name));
  }

 private:
  static constexpr const char* digits = "0123456789.eE+-";
  static constexpr const char* example = "as in `--bounds \"Wg=0.1us..2us\"`; one side may be missing";

  void refuse(const std::string& message) {
    diagnostics_.add(DiagnosticKind::not_fittable, location_, message, "these bounds").help.emplace_back(example);
  }

  // "0.1 us" or "2": a number and its unit, or the unit of what stands behind.
  std::optional<double> read_bound(const std::string& text, const std::string& usual_unit, const Variable& variable) {
    const auto end_of_number = text.find_first_not_of(digits);
    const std::string number = trim(text.substr(0, end_of_number));
    const std::string unit = end_of_number == std::string::npos ? usual_unit : trim(text.substr(end_of_number));
    const frontend::Dimension wanted = dimension_of(variable.type).value_or(frontend::Dimension{});
    std::optional<frontend::Unit> read;
    if (!unit.empty()) {
      read = frontend::read_unit(unit, location_, number, diagnostics_);
      if (!read) return std::nullopt;
    }
    const frontend::Dimension given = read ? frontend::dimension_of(*read) : frontend::Dimension{};
    const auto value = QuantityReader(read).read(number);
    if (value && (given == wanted || *value == 0)) return value;
    diagnostics_
        .add(DiagnosticKind::not_fittable, location_, fmt::format("`{}` is no bound of `{}`", text, variable.name),
             fmt::format("`{}` is `{}`", variable.name, to_string(*variable.type)))
        .help.emplace_back(example);
    return std::nullopt;
  }

  frontend::Program& program_;
  OpenFit& open_;
  frontend::Diagnostics& diagnostics_;
  Location location_;
};

// Times, data and work that begin at or above 0 stay there, unless bounds say otherwise: a negative cost means nothing.
model_fit::FitParameter parameter_of(const Variable& variable) {
  const bool is_amount = !dimension_of(variable.type).value_or(frontend::Dimension{}).plain();
  constexpr double none = std::numeric_limits<double>::infinity();
  const double start = variable.usual.value_or(0);
  return {start, variable.lower.value_or(is_amount && start >= 0 ? 0 : -none), variable.upper.value_or(none)};
}

// Where each parameter begins, and where it stays.
void read_parameters(frontend::Program& program, OpenFit& open, frontend::Diagnostics& diagnostics) {
  for (const Variable& variable : open.parameters) open.problem.parameters.push_back(parameter_of(variable));
  BoundsReader bounds(program, open, diagnostics);
  for (const auto& text : open.choice.bounds) bounds.read(text);
  for (std::size_t p = 0; p < open.parameters.size(); ++p) {
    const Variable& variable = open.parameters[p];
    auto& one = open.problem.parameters[p];
    const bool bounded = std::isfinite(one.lower) && std::isfinite(one.upper);
    if (!variable.usual && bounded)
      one.start = one.lower > 0 ? std::sqrt(one.lower * one.upper) : (one.lower + one.upper) / 2;
    if (variable.usual || bounded || diagnostics.has_errors()) continue;
    diagnostics
        .add(DiagnosticKind::not_fittable, variable.location,
             fmt::format("`{}` has no value to begin with", variable.name), "this parameter")
        .help.push_back(fmt::format("give one with `-D \"{}=...\"`, or bounds with `--bounds \"{}=...\"`",
                                    variable.name, variable.name));
  }
}

// The means of what was measured, and how far repetitions are from them.
void read_observations(OpenFit& open) {
  const auto& configurations = open.measured.data->configurations();
  auto& problem = open.problem;
  problem.observations.relative = open.choice.errors == ErrorKind::relative;
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
}

void check_enough(const OpenFit& open, frontend::Diagnostics& diagnostics) {
  const std::size_t configurations = open.measured.data->configurations().size();
  if (configurations >= open.parameters.size()) return;
  diagnostics
      .add(DiagnosticKind::too_little_data, open.measured.data->heading(),
           fmt::format("{} for {} parameters",
                       configurations == 1 ? "one configuration" : fmt::format("{} configurations", configurations),
                       open.parameters.size()),
           "these measurements")
      .help.push_back("measure more configurations (repetitions of one do not count), or fit fewer parameters");
}

// --- the fit ---

std::string with_unit(const std::string& number, const frontend::Scale& scale) {
  return scale.unit.empty() ? number : number + " " + scale.unit;
}

// Evaluates many trials at a time; stops when it is out of time or memory.
class Predictor {
 public:
  Predictor(OpenFit& open, const backend::Limits& limits, frontend::Diagnostics& diagnostics,
            const std::function<void(const FitProgress&)>& told)
      : open_(open),
        limits_(limits),
        diagnostics_(diagnostics),
        told_(told),
        succeeded_(open.measured.data->configurations().size(), false) {}

  std::optional<Eigen::MatrixXd> operator()(const Eigen::MatrixXd& points) {
    const auto configurations = static_cast<Eigen::Index>(succeeded_.size());
    Eigen::MatrixXd result(configurations, points.cols());
    const Eigen::Index most = std::max<Eigen::Index>(1, most_points / configurations);
    for (Eigen::Index begin = 0; begin < points.cols(); begin += most) {
      const Eigen::Index count = std::min(most, points.cols() - begin);
      auto found = predict(open_.measured, trials(points, begin, count), limits_, diagnostics_);
      if (!found) return std::nullopt;
      if (evaluated_ == 0) first_ = *found;
      for (Eigen::Index i = 0; i < count * configurations; ++i) {
        if (std::isfinite(found->values[static_cast<std::size_t>(i)]))
          succeeded_[static_cast<std::size_t>(i % configurations)] = true;
      }
      evaluated_ += count * configurations;
      progress_.predictions = static_cast<std::uint64_t>(evaluated_);
      if (told_) told_(progress_);
      result.middleCols(begin, count) = Eigen::Map<const Eigen::MatrixXd>(found->values.data(), configurations, count);
    }
    return result;
  }
  void show(const model_fit::Minimum& better) {
    if (!told_ || !std::isfinite(better.cost)) return;
    std::vector<std::string> values;
    for (std::size_t p = 0; p < open_.parameters.size(); ++p) {
      const double value = better.at[static_cast<Eigen::Index>(p)];
      const frontend::Scale scale = readable_scale(dimension_of_parameter(open_, p), value);
      values.push_back(fmt::format("{} = {}", open_.parameters[p].name,
                                   with_unit(fmt::format("{:.4g}", scale.shown(value)), scale)));
    }
    double squares = 0;
    const auto& measured = open_.problem.observations.measured;
    for (Eigen::Index i = 0; i < measured.size(); ++i)
      squares += std::pow(relative_error(better.predicted[i], measured[i]), 2);
    progress_.best = fmt::format("{}: {:.2g} %", join_texts(values, ", "),
                                 100 * std::sqrt(squares / static_cast<double>(measured.size())));
    told_(progress_);
  }
  // What failed among the first, where the fit begins.
  const Predictions& first() const { return first_; }
  // The configurations at which nothing that was tried gave a prediction.
  std::vector<std::size_t> hopeless() const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < succeeded_.size(); ++i) {
      if (!succeeded_[i]) result.push_back(i);
    }
    return result;
  }

 private:
  Trials trials(const Eigen::MatrixXd& points, Eigen::Index begin, Eigen::Index count) const {
    Trials all;
    for (std::size_t p = 0; p < open_.parameters.size(); ++p) {
      const Eigen::VectorXd row = points.row(static_cast<Eigen::Index>(p)).segment(begin, count);
      all.push_back({open_.parameters[p].name, std::vector<double>(row.begin(), row.end())});
    }
    return all;
  }

  static constexpr Eigen::Index most_points = 1 << 18;
  OpenFit& open_;
  const backend::Limits& limits_;
  frontend::Diagnostics& diagnostics_;
  const std::function<void(const FitProgress&)>& told_;
  FitProgress progress_;
  Predictions first_;
  std::vector<bool> succeeded_;  // of each configuration, whether any trial did
  Eigen::Index evaluated_ = 0;
};

// Where it always fails at the same configurations, the reason is there; else in the values.
void report_without_prediction(const MeasuredModel& measured, const Predictor& predictor,
                               frontend::Diagnostics& diagnostics) {
  const auto hopeless = predictor.hopeless();
  const auto& configurations = measured.data->configurations();
  if (hopeless.empty() || hopeless.size() == configurations.size()) {
    diagnostics
        .add(DiagnosticKind::not_fittable, measured.data->heading(), "the model fails at all values that were tried",
             "for these configurations")
        .help.push_back("begin elsewhere with `-D`, or give bounds within which it works");
  } else {
    diagnostics
        .add(DiagnosticKind::not_fittable, measured.data->location(configurations[hopeless.front()].rows.front()),
             fmt::format("the model fails at {} of {} configurations, whatever the values",
                         frontend::grouped(hopeless.size()), frontend::grouped(configurations.size())),
             hopeless.size() == 1 ? "at this one" : "at this one, for example")
        .help.push_back("correct the row, or take it out of the data");
  }
  report_failed(measured, predictor.first(), diagnostics);
}

}  // namespace

std::optional<OpenFit> open_fit(const GivenModel& of, MeasuredQuestion question, const FitChoice& choice,
                                frontend::Diagnostics& diagnostics) {
  question.fitted = choice.params;
  if (!check_fitted(of, question.fitted, diagnostics)) return std::nullopt;
  auto measured = open_measured(of, question, diagnostics);
  if (!measured || diagnostics.has_errors()) return std::nullopt;
  OpenFit open{choice, std::move(*measured), {}, {}};
  for (const auto& name : question.fitted) {
    const auto& all = open.measured.points->variables();
    open.parameters.push_back(
        *std::find_if(all.begin(), all.end(), [&](const Variable& one) { return one.name == name; }));
  }
  read_parameters(of.program, open, diagnostics);
  read_observations(open);
  check_enough(open, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return open;
}

std::optional<model_fit::FittedModel> run_fit(OpenFit& open, const backend::Limits& limits,
                                              frontend::Diagnostics& diagnostics,
                                              const std::function<void(const FitProgress&)>& told) {
  Predictor predictor(open, limits, diagnostics, told);
  const auto& choice = open.choice;
  model_fit::FitOptions options{choice.robust, choice.confidence, choice.starts,
                                [&](const model_fit::Minimum& better) { predictor.show(better); }};
  // Descents along an edge take thousands of predictions, and only formulas are fast enough for so many.
  const ir::System& system = open.measured.points->lowered().system;
  if (!system.spaces.empty() || !system.processes.empty()) options.most_along_edges = 0;
  auto fit =
      model_fit::fit_model([&](const Eigen::MatrixXd& points) { return predictor(points); }, open.problem, options);
  if (!fit) return std::nullopt;
  if (fit->predicted.size() > 0) return fit;
  report_without_prediction(open.measured, predictor, diagnostics);
  return std::nullopt;
}

void warn_of_fit(const OpenFit& open, const model_fit::FittedModel& fit, frontend::Diagnostics& diagnostics) {
  const auto location = open.measured.data->heading();
  if (fit.stopped) return;
  if (!fit.converged) {
    diagnostics
        .add(DiagnosticKind::fit_not_converged, location,
             "the fit did not converge: what follows is the best that was found", "to these measurements",
             frontend::Severity::warning)
        .help.push_back("give bounds with `--bounds`, more starts with `--starts`, or fit fewer parameters");
    return;
  }
  for (const auto& one : fit.open) {
    std::vector<std::string> names;
    for (const std::size_t p : one.parameters) names.push_back(open.parameters[p].name);
    const std::string combination = combination_of(open, one);
    auto& d = diagnostics.add(DiagnosticKind::open_parameter, location,
                              fmt::format("the data cannot tell {} apart", frontend::quoted_list(names)),
                              "these measurements", frontend::Severity::warning);
    const bool is_near = one.kind == model_fit::OpenCombination::Kind::near_here;
    if (!combination.empty())
      d.notes.push_back(fmt::format("{}only `{}` is determined", is_near ? "near these values " : "", combination));
    d.notes.push_back(fmt::format("changing {} changes no prediction", direction_of(open, fit, one)));
    d.help.push_back("fix one of them with `-D`, or measure something in which they differ");
  }
  for (std::size_t p = 0; p < open.parameters.size(); ++p) {
    if (fit.parameters[p].standing != model_fit::Standing::without_influence) continue;
    diagnostics.add(DiagnosticKind::open_parameter, location,
                    fmt::format("no prediction depends on `{}`", open.parameters[p].name), "for these measurements",
                    frontend::Severity::warning);
  }
}

std::string_view standing_word(model_fit::Standing standing) {
  using model_fit::Standing;
  switch (standing) {
    case Standing::determined: return "determined";
    case Standing::at_lower: return "at lower bound";
    case Standing::at_upper: return "at upper bound";
    case Standing::open: return "open";
    case Standing::without_influence: return "without influence";
  }
  return "";
}

frontend::Dimension dimension_of_parameter(const OpenFit& open, std::size_t parameter) {
  return dimension_of(open.parameters[parameter].type).value_or(frontend::Dimension{});
}

frontend::Scale scale_of_parameter(const OpenFit& open, std::size_t parameter) {
  const auto& unit = open.parameters[parameter].unit;
  return unit ? scale_of(*unit) : standard_scale(dimension_of_parameter(open, parameter));
}

std::string combination_of(const OpenFit& open, const model_fit::OpenCombination& combination) {
  using Kind = model_fit::OpenCombination::Kind;
  if (combination.kind == Kind::several || combination.factors.empty()) return "";
  std::string text;
  // Factors of parameters of other dimensions have dimensions of their own, which would not be seen.
  const auto dimension = dimension_of_parameter(open, combination.parameters.front());
  for (std::size_t k = 0; k < combination.parameters.size(); ++k) {
    const std::string& name = open.parameters[combination.parameters[k]].name;
    const double factor = combination.factors[k];
    const bool is_one = std::abs(std::abs(factor) - 1) < 1e-3;
    if (combination.kind == Kind::product) {
      const std::string power = is_one ? "" : fmt::format("^{:.4g}", std::abs(factor));
      text += (k == 0 ? "" : factor > 0 ? " * " : " / ") + name + power;
      continue;
    }
    if (dimension_of_parameter(open, combination.parameters[k]) != dimension) return "";
    const std::string times = is_one ? "" : fmt::format("{:.4g} ", std::abs(factor));
    text += (k == 0 ? "" : factor > 0 ? " + " : " - ") + times + name;
  }
  return text;
}

std::string direction_of(const OpenFit& open, const model_fit::FittedModel& fit,
                         const model_fit::OpenCombination& combination) {
  // By a tenth of the first, so that the numbers have a size that one sees.
  const double first = fit.parameters[combination.parameters.front()].value;
  const double by = first != 0 ? std::abs(first) / 10 : 1;
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < combination.parameters.size(); ++k) {
    const std::size_t p = combination.parameters[k];
    const double change = by * combination.direction[k];
    const frontend::Scale scale = readable_scale(dimension_of_parameter(open, p), change);
    parts.push_back(fmt::format("`{}` by {}", open.parameters[p].name,
                                with_unit(fmt::format("{:+.4g}", scale.shown(change)), scale)));
  }
  return join_texts(parts, " and ");
}

double relative_error(double predicted, double measured) { return (predicted - measured) / measured; }

FitErrors errors_of(const Eigen::VectorXd& predicted, const OpenFit& open, const model_fit::FittedModel& fit) {
  const auto& measured = open.problem.observations.measured;
  FitErrors result;
  for (Eigen::Index i = 0; i < predicted.size(); ++i) {
    if (fit.weights[i] == 0) continue;
    const double error = std::abs(relative_error(predicted[i], measured[i]));
    if (!std::isfinite(error)) continue;
    ++result.count;
    result.root_mean_square += error * error;
    if (error <= result.largest) continue;
    result.largest = error;
    result.worst = static_cast<std::size_t>(i);
  }
  result.root_mean_square = std::sqrt(result.root_mean_square / static_cast<double>(result.count));
  if (result.count == 0) result.largest = std::numeric_limits<double>::quiet_NaN();
  return result;
}

}  // namespace wave::analysis
