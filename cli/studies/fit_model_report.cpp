// See fit_reports.h.
#include "analysis/validation/answer_tables.h"
#include "base/text.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/studies/fit_reports.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::cli {
namespace {

using analysis::relative_error;
using analysis::standing_word;
using analysis::model_fit::FittedParameter;
using analysis::model_fit::Standing;
using Eigen::Index;

constexpr int table_digits_of_times = 4;
constexpr double notable_correlation = 0.9;
constexpr double barely_trusted = 0.5;  // a weight

Scale readable_scale_of(const ModelFitReport& report, std::size_t p) {
  // A value within its own error is read by the error.
  const FittedParameter& one = report.fit.parameters[p];
  std::vector<double> values{std::isfinite(one.error) ? std::max(std::abs(one.value), one.error) : one.value};
  return report.open.parameters[p].unit ? scale_of(*report.open.parameters[p].unit)
                                        : readable_scale(dimension_of_parameter(report.open, p), values);
}

std::string with_unit(const std::string& number, const Scale& scale) {
  return scale.unit.empty() ? number : number + " " + scale.unit;
}

// As many decimals as leave so many digits of the standard error; without one, as many digits as are likely to mean
// something.
std::string digits_of(double value, double error, int digits = 2, int otherwise = 6) {
  constexpr double most_decimals = 12;
  const double decimals = std::max(0.0, digits - 1 - std::floor(std::log10(error)));
  if (!std::isfinite(error) || error <= 0 || decimals > most_decimals || std::abs(value) >= 1e12)
    return fmt::format("{:.{}g}", value, otherwise);
  return fmt::format("{:.{}f}", value, static_cast<int>(decimals));
}

std::string standing_text(Standing standing) {
  switch (standing) {
    case Standing::determined: return "";
    case Standing::at_lower: return "at its lower bound";
    case Standing::at_upper: return "at its upper bound";
    case Standing::open: return "open";
    case Standing::without_influence: return "without influence";
  }
  return "";
}

ReadableTable parameters_of(const ModelFitReport& report) {
  ReadableTable table;
  const std::string interval = fmt::format("{:g} % interval", 100 * report.open.choice.confidence);
  table.header = {"parameter", "value", interval, ""};
  table.align = {Align::left, Align::right, Align::left, Align::left};
  for (std::size_t p = 0; p < report.open.parameters.size(); ++p) {
    const FittedParameter& one = report.fit.parameters[p];
    const Scale scale = readable_scale_of(report, p);
    const double error = scale.shown(one.error);
    std::string range;
    if (std::isfinite(one.low)) {
      range = with_unit(
          fmt::format("{} .. {}", digits_of(scale.shown(one.low), error), digits_of(scale.shown(one.high), error)),
          scale);
    }
    table.rows.push_back({report.open.parameters[p].name, with_unit(digits_of(scale.shown(one.value), error), scale),
                          range, standing_text(one.standing)});
  }
  return table;
}

ReadableTable configurations_of(const ModelFitReport& report) {
  const auto& observations = report.open.problem.observations;
  const Scale scale = scale_of_measured(report.open.measured);
  const bool robust = report.open.choice.robust;
  ReadableTable table;
  for (const auto& one : report.open.measured.data->parameters()) {
    table.header.push_back(one.unit ? fmt::format("{} [{}]", one.name, one.unit->text) : one.name);
  }
  const std::string in = scale.unit.empty() ? "" : fmt::format(" [{}]", scale.unit);
  table.header.insert(table.header.end(), {"measured" + in, "fitted" + in, "error", "without it"});
  if (robust) table.header.push_back("weight");
  table.align.assign(table.header.size(), Align::right);
  std::vector<double> values;
  for (Index i = 0; i < observations.measured.size(); ++i) {
    values.insert(values.end(), {scale.shown(observations.measured[i]), scale.shown(report.fit.predicted[i])});
  }
  const int decimals = common_decimals(values, table_digits_of_times);
  const auto number = [&](double value) {
    return decimals < 0 ? format_number(value, table_digits_of_times) : format_decimals(value, decimals);
  };
  for (Index i = 0; i < observations.measured.size(); ++i) {
    const auto c = static_cast<std::size_t>(i);
    auto cells = cells_of(report.open.measured, report.session.program(), c);
    const double left_out = report.fit.left_out.predicted[i];
    cells.push_back(number(values[2 * c]));
    cells.push_back(number(values[2 * c + 1]));
    cells.push_back(signed_percent(relative_error(report.fit.predicted[i], observations.measured[i])));
    cells.push_back(std::isfinite(left_out) ? signed_percent(relative_error(left_out, observations.measured[i])) : "");
    if (robust) cells.push_back(fmt::format("{:.2f}", report.fit.weights[i]));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string remarks_of(const ModelFitReport& report) {
  const auto& fit = report.fit;
  const auto name = [&](std::size_t c) { return short_name_of(report.open.measured, c); };
  const auto errors = errors_of(fit.predicted, report.open, fit);
  std::string text = fmt::format("errors of the fit  root mean square {}, largest {} ({})\n",
                                 percent(errors.root_mean_square), percent(errors.largest), name(errors.worst));
  const auto left = errors_of(fit.left_out.predicted, report.open, fit);
  if (left.count > 0) {
    text += fmt::format("leaving one out    root mean square {}, largest {} ({}){}\n", percent(left.root_mean_square),
                        percent(left.largest), name(left.worst), fit.left_out.refitted ? "" : ", by derivatives");
  }
  for (const std::size_t c : fit.left_out.indispensable) {
    if (!(fit.freedom > 0) || fit.from_repetitions) break;  // all of them are
    text += fmt::format("  without {} something would be open: its error says nothing\n", name(c));
  }
  if (fit.lack) {
    constexpr double unlikely = 0.05;
    const std::string probability =
        fit.lack->probability < 0.001 ? "p < 0.001" : fmt::format("p = {:.2g}", fit.lack->probability);
    const std::string much =
        fit.lack->probability > unlikely ? "no more than" : fmt::format("{:.2g} times what", fit.lack->ratio);
    text += fmt::format("repetitions        the model misses by {} they scatter ({})\n", much, probability);
  }
  if (fit.from_repetitions)
    text += "intervals          from repetitions alone: there are as many parameters as configurations\n";
  else if (!(fit.freedom > 0))
    text += "intervals          none: there are as many parameters as configurations\n";
  for (Index a = 0; a < fit.correlation.rows(); ++a) {
    for (Index b = 0; b < a; ++b) {
      if (!(std::abs(fit.correlation(a, b)) >= notable_correlation)) continue;
      text += fmt::format("correlation        {} and {}: {:.3f}\n",
                          report.open.parameters[static_cast<std::size_t>(b)].name,
                          report.open.parameters[static_cast<std::size_t>(a)].name, fit.correlation(a, b));
    }
  }
  if (report.open.choice.robust) {
    for (Index i = 0; i < fit.weights.size(); ++i) {
      if (fit.weights[i] >= barely_trusted) continue;
      text += fmt::format("{}     {}\n", fit.weights[i] > 0 ? "hardly counted" : "not counted   ",
                          name_of(report.open.measured, report.session.program(), static_cast<std::size_t>(i)));
    }
  }
  if (!fit.elsewhere.empty()) {
    std::vector<std::string> parts;
    for (std::size_t p = 0; p < report.open.parameters.size(); ++p) {
      const Scale scale = readable_scale_of(report, p);
      parts.push_back(fmt::format("{} = {}", report.open.parameters[p].name,
                                  with_unit(fmt::format("{:.6g}", scale.shown(fit.elsewhere[p])), scale)));
    }
    text += fmt::format("as good            {}\n", join_texts(parts, ", "));
  }
  if (!fit.smooth)
    text +=
        "the best is on an edge of the model, where it changes from one regime to another: intervals are a rough "
        "guide\n";
  return text;
}

}  // namespace

std::string value_of(const ModelFitReport& report, std::size_t p, bool with_error) {
  const FittedParameter& one = report.fit.parameters[p];
  const Scale scale = readable_scale_of(report, p);
  const double error = scale.shown(one.error);
  constexpr int many = 8, few = 6;
  // An error like that is what rounding leaves.
  constexpr double nothing = 1e-10;
  const bool has_error = std::isfinite(error) && error > nothing * std::abs(scale.shown(one.value));
  const bool is_open = one.standing == Standing::open || one.standing == Standing::without_influence;
  const std::string value = with_unit(has_error ? digits_of(scale.shown(one.value), error, 4, many)
                                                : fmt::format("{:.{}g}", scale.shown(one.value), is_open ? few : many),
                                      scale);
  return with_error && has_error ? fmt::format("{} ± {}", value, with_unit(fmt::format("{:.2g}", error), scale))
                                 : value;
}

namespace {

Passages page_of(const ModelFitReport& report) {
  const auto& measured = report.open.measured;
  const auto& fit = report.fit;
  std::size_t runs = 0;
  for (const std::size_t n : report.open.problem.counts) runs += n;
  std::string text = fmt::format("`{}` of {} fitted to `{}` of {}: {}{}{}\n\n", measured.shown().name,
                                 measured.model->name.text, sanitize(measured.data->name()), measured.file,
                                 plural(report.open.problem.counts.size(), "configuration"),
                                 runs > report.open.problem.counts.size() ? fmt::format(", {} runs", runs) : "",
                                 measured.left_out > 0 ? fmt::format(", {} left out", measured.left_out) : "");
  Passages page{{text, parameters_of(report)}, {"\n", configurations_of(report)}};
  text = fmt::format("\nleast squares of   {} errors{}; {} of {} ended here\n",
                     report.open.choice.errors == analysis::ErrorKind::relative ? "relative" : "absolute",
                     report.open.choice.robust ? ", robust" : "", fit.reached, plural(fit.starts, "start"));
  if (fit.stopped) text += "stopped            before its end: this is the best so far\n";
  text += remarks_of(report);
  std::vector<std::string> options;
  for (std::size_t p = 0; p < report.open.parameters.size(); ++p) {
    options.push_back(fmt::format("-D \"{}={}\"", report.open.parameters[p].name, value_of(report, p, true)));
  }
  page.push_back({text + fmt::format("\nto use them: {}\n", join_texts(options, " "))});
  return page;
}

}  // namespace

Document document_of(const ModelFitReport& report) {
  const auto& measured = report.open.measured;
  Document document = document_about(report.session.name(), measured.model->name.text);
  document.add_about("data", measured.file);
  document.tables = {whole_table(parameters_table(report.open, report.fit)),
                     whole_table(correlation_table(report.open, report.fit)),
                     whole_table(open_table(report.open, report.fit)),
                     named_table("configurations", configurations_table(report.open, report.fit)),
                     whole_table(summary_table(report.open, report.fit))};
  document.page = [&report](const std::vector<OutputTable>&) { return page_of(report); };
  return document;
}

}  // namespace wave::cli
