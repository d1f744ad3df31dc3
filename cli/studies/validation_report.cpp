// See fit_reports.h.
#include "analysis/validation/answer_tables.h"
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

}  // namespace

Document document_of(const ValidationReport& report) {
  const auto& measured = report.measured;
  const auto& found = report.validation;
  Document document = document_about(report.session.name(), measured.model->name.text);
  document.add_about("data", measured.file);
  document.tables = {named_table("configurations", configurations_table(measured, found)),
                     whole_table(summary_table(measured, found))};
  if (found.has_ranking) {
    document.tables.push_back(whole_table(ranking_table(found.ranking)));
    document.tables.push_back(whole_table(inversions_table(found.ranking)));
  }
  document.page = [&report](const std::vector<OutputTable>&) { return page_of(report); };
  return document;
}

}  // namespace wave::cli
