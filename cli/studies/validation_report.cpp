// See fit_reports.h.
#include "cli/embedded.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/studies/fit_reports.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::cli {
namespace {

using analysis::Ranking;

constexpr int shown_digits = 4;

bool has_repetitions(const analysis::Validation& validation) {
  return std::any_of(validation.pairs.begin(), validation.pairs.end(),
                     [](const analysis::Pair& one) { return one.repetitions > 1; });
}

std::vector<std::string> parameter_headings(const MeasuredModel& measured) {
  std::vector<std::string> result;
  for (const auto& one : measured.data->parameters())
    result.push_back(heading(one.name, one.unit ? one.unit->text : ""));
  return result;
}

ReadableTable rows_of(const ValidationReport& report) {
  const auto& pairs = report.validation.pairs;
  const Scale scale = scale_of_measured(report.measured);
  const bool repeated = has_repetitions(report.validation);
  std::vector<double> values;
  for (const analysis::Pair& one : pairs) {
    values.push_back(scale.shown(one.measured));
    if (std::isfinite(one.predicted)) values.push_back(scale.shown(one.predicted));
  }
  const int decimals = common_decimals(values, shown_digits);
  const auto number = [&](double value) {
    if (!std::isfinite(value)) return std::string("failed");
    return decimals < 0 ? format_number(scale.shown(value), shown_digits)
                        : format_decimals(scale.shown(value), decimals);
  };
  ReadableTable table;
  table.header = parameter_headings(report.measured);
  table.align.assign(table.header.size(), Align::right);
  table.header.push_back(heading("measured", scale.unit));
  if (repeated) table.header.insert(table.header.end(), {"runs", "spread"});
  table.header.insert(table.header.end(), {heading("predicted", scale.unit), "error"});
  table.align.resize(table.header.size(), Align::right);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    auto cells = cells_of(report.measured, report.session.program(), i);
    cells.push_back(number(pairs[i].measured));
    if (repeated) {
      cells.push_back(fmt::format("{}", pairs[i].repetitions));
      cells.push_back(std::isfinite(pairs[i].deviation) ? percent(pairs[i].deviation / pairs[i].measured) : "");
    }
    cells.push_back(number(pairs[i].predicted));
    cells.push_back(std::isfinite(pairs[i].predicted) ? signed_percent(pairs[i].error()) : "");
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string errors_of(const ValidationReport& report) {
  const auto& found = report.validation;
  if (found.compared == 0) return "nothing could be predicted\n";
  std::string text = fmt::format("mean error     {}", percent(found.mean_error));
  if (found.failed() > 0) text += fmt::format("   of {}, {} failed", found.compared, found.failed());
  text += fmt::format("\nbias           {}\n", signed_percent(found.bias));
  text += fmt::format("largest error  {}   {}\n", percent(found.largest),
                      name_of(report.measured, report.session.program(), found.worst));
  return text;
}

std::string ranking_of(const ValidationReport& report) {
  const Ranking& ranking = report.validation.ranking;
  const auto name = [&](std::size_t i) { return short_name_of(report.measured, i); };
  if (!report.validation.has_ranking) {
    return report.validation.compared > 1
               ? fmt::format("ranking        not made of more than {} configurations\n", grouped(analysis::most_ranked))
               : "";
  }
  if (ranking.distinguished == 0) return "ranking        the measurements are all the same\n";
  const bool all_right = ranking.right == ranking.distinguished;
  std::string text =
      all_right ? fmt::format("ranking        {} as measured",
                              ranking.distinguished == 1 ? "the one pair is"
                                                         : fmt::format("all {}", plural(ranking.distinguished, "pair")))
                : fmt::format("ranking        {} of {} as measured (Kendall's tau {:.2f})", grouped(ranking.right),
                              plural(ranking.distinguished, "pair"), ranking.tau);
  if (ranking.tied > 0) text += fmt::format("; {} too close to tell", grouped(ranking.tied));
  if (const std::size_t failed = report.validation.failed(); failed > 0)
    text += fmt::format("; {} failed, and {} in no pair", plural(failed, "configuration"), failed == 1 ? "is" : "are");
  text += "\n";
  const char* const best = ranking.wanted == analysis::Preference::largest ? "largest        " : "fastest        ";
  if (ranking.wanted != analysis::Preference::unknown && ranking.chosen != ranking.best) {
    const bool fails = !std::isfinite(report.validation.pairs[ranking.best].predicted);
    text +=
        fmt::format("{}{} by the model, {} as measured{}: the model's choice is {} worse\n", best, name(ranking.chosen),
                    name(ranking.best), fails ? ", where the model fails" : "", percent(ranking.loss));
  } else if (ranking.wanted != analysis::Preference::unknown) {
    text += fmt::format("{}{}, as measured\n", best, name(ranking.chosen));
  }
  for (const auto& one : ranking.inversions) {
    text += fmt::format("  {} below {} by {}, measured {} above it\n", name(one.first), name(one.second),
                        percent(one.predicted), percent(one.measured));
  }
  if (ranking.wrong > ranking.inversions.size())
    text += fmt::format("  and {} more the other way\n", grouped(ranking.wrong - ranking.inversions.size()));
  return text;
}

void write_configuration(DataWriter& json, const ValidationReport& report, std::size_t i) {
  const Scale scale = scale_of_measured(report.measured);
  const analysis::Pair& one = report.validation.pairs[i];
  json.begin_object();
  json.key("lines").begin_array();
  for (const std::size_t row : report.measured.data->configurations()[i].rows)
    json.value(report.measured.data->line(row));
  json.end_array();
  const auto cells = cells_of(report.measured, report.session.program(), i);
  json.key("inputs").begin_object();
  for (std::size_t k = 0; k < cells.size(); ++k) json.key(report.measured.data->parameters()[k].name).value(cells[k]);
  json.end_object();
  json.key("measured").value(scale.shown(one.measured));
  if (one.repetitions > 1) json.key("deviation").value(scale.shown(one.deviation));
  json.key("predicted").value(scale.shown(one.predicted));
  json.key("error").value(one.error()).end_object();
}

}  // namespace

std::string percent(double share) {
  // What is left of rounding is no error.
  constexpr double nothing = 1e-6;
  return format_number(std::abs(share) < nothing ? 0 : 100 * share, 2) + " %";
}

std::string signed_percent(double share) {
  const std::string text = percent(share);
  return text.front() == '-' || text == "0 %" ? text : "+" + text;
}

namespace {

Passages page_of(const ValidationReport& report) {
  const auto& measured = report.measured;
  std::string text = fmt::format(
      "`{}` of {} against `{}` of {}{}\n\n", measured.shown().name, measured.model->name.text,
      sanitize(measured.data->name()), measured.file,
      measured.left_out > 0 ? fmt::format(", {} left out", plural(measured.left_out, "configuration")) : "");
  return {{text, rows_of(report)}, {"\n" + errors_of(report) + ranking_of(report)}};
}

Data data_of(const ValidationReport& report) {
  const auto& measured = report.measured;
  const auto& found = report.validation;
  DataWriter json;
  json.begin_object(Layout::lines).key("wave").value(version).key("file").value(report.session.name());
  json.key("model").value(measured.model->name.text).key("data").value(measured.file);
  json.key("shown").value(measured.shown().name).key("unit").value(scale_of_measured(measured).unit);
  json.key("configurations").begin_array(Layout::lines);
  for (std::size_t i = 0; i < found.pairs.size(); ++i) write_configuration(json, report, i);
  json.end_array();
  json.key("compared").value(static_cast<std::int64_t>(found.compared));
  json.key("mean_error").value(found.mean_error).key("bias").value(found.bias);
  json.key("root_mean_square").value(found.root_mean_square).key("largest_error").value(found.largest);
  if (found.has_ranking) {
    const auto& ranking = found.ranking;
    const auto count = [](std::size_t n) { return static_cast<std::int64_t>(n); };
    json.key("ranking").begin_object(Layout::lines);
    json.key("pairs").value(count(ranking.distinguished)).key("ties").value(count(ranking.tied));
    json.key("right")
        .value(count(ranking.right))
        .key("wrong")
        .value(count(ranking.wrong))
        .key("tau")
        .value(ranking.tau);
    // By their places in `configurations`.
    if (ranking.wanted != analysis::Preference::unknown) {
      json.key("predicted_best").value(count(ranking.chosen)).key("measured_best").value(count(ranking.best));
      json.key("loss").value(ranking.loss);
    }
    json.key("inversions").begin_array(Layout::lines);
    for (const auto& one : ranking.inversions) {
      json.begin_object().key("predicted_below").value(count(one.first)).key("measured_below").value(count(one.second));
      json.key("predicted_by").value(one.predicted).key("measured_by").value(one.measured).end_object();
    }
    json.end_array().end_object();
  }
  return json.end_object().take();
}

// The cells of parameters as they are written, and full precision behind them.
OutputTable table_of(const ValidationReport& report) {
  const Scale scale = scale_of_measured(report.measured);
  const auto& pairs = report.validation.pairs;
  const auto headings = parameter_headings(report.measured);
  std::vector<std::vector<std::string>> given(headings.size());
  std::vector<double> measured, predicted, errors;
  std::vector<std::int64_t> repetitions;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto cells = cells_of(report.measured, report.session.program(), i);
    for (std::size_t k = 0; k < given.size(); ++k) given[k].push_back(cells[k]);
    measured.push_back(scale.shown(pairs[i].measured));
    predicted.push_back(scale.shown(pairs[i].predicted));
    errors.push_back(std::isfinite(pairs[i].predicted) ? pairs[i].error() : pairs[i].predicted);
    repetitions.push_back(static_cast<std::int64_t>(pairs[i].repetitions));
  }
  OutputTable table;
  table.rows = pairs.size();
  for (std::size_t k = 0; k < given.size(); ++k) table.columns.push_back(word_column(headings[k], given[k]));
  table.columns.push_back(number_column("measured", scale.unit, measured));
  table.columns.push_back(number_column("predicted", scale.unit, predicted));
  table.columns.push_back(number_column("error", "", errors));
  table.columns.push_back(integer_column("repetitions", repetitions));
  return table;
}

}  // namespace

Document document_of(const ValidationReport& report) {
  return one_table_document(
      table_of(report), [&report] { return data_of(report); }, [&report] { return page_of(report); });
}

}  // namespace wave::cli
