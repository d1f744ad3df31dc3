// See optimum_report.h.
#include "cli/studies/optimum_report.h"

#include "base/text.h"
#include "cli/formats/readable.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::cli {
namespace {

using analysis::Candidate;

bool is_front(const Optimum& optimum) { return optimum.asked.goals.size() > 1; }

// "1", "2=", "2=".
std::vector<std::vector<std::string>> place_texts(const std::vector<std::int64_t>& places) {
  std::vector<std::vector<std::string>> result;
  for (const auto place : places) {
    const bool is_tied = std::count(places.begin(), places.end(), place) > 1;
    result.push_back({fmt::format("{}{}", place, is_tied ? "=" : "")});
  }
  return result;
}

OutputTable table_of(const Optimum& optimum, bool for_people) {
  const auto& asked = optimum.asked;
  const std::size_t rows = optimum.outcome.best.size();
  OutputTable table;
  table.name = "best";
  table.rows = rows;
  const auto count = [](const std::string& name, std::vector<std::int64_t> values) {
    TableColumn column = integer_column(name, std::move(values));
    column.is = "output";
    return column;
  };
  if (!is_front(optimum)) {
    const auto own = analysis::places(optimum.outcome.best);
    if (for_people)
      table.columns.push_back(list_column("place", place_texts(own)));
    else
      table.columns.push_back(count("place", own));
  }
  const std::size_t goals = asked.goals.size();
  for (std::size_t k = 0; k < goals; ++k) add_column(table, asked.goal_column(optimum.outcome.best, k));
  const auto points = analysis::points_of(asked, optimum.outcome.best);
  for (const auto& column : asked.values(points)) add_column(table, column);
  const auto shown = asked.shown(points);
  for (const auto& column : shown.columns) add_column(table, column);
  set_errors(table, shown.failed);
  if (is_front(optimum)) {
    const auto has_equals = [](const Candidate& one) { return one.equals > 0; };
    if (!for_people || std::any_of(optimum.outcome.best.begin(), optimum.outcome.best.end(), has_equals)) {
      std::vector<std::int64_t> equals;
      for (const Candidate& one : optimum.outcome.best) equals.push_back(static_cast<std::int64_t>(one.equals));
      table.columns.push_back(count("as good", equals));
    }
  }
  const auto is_said = [](const auto& one) { return !one.empty(); };
  if (std::any_of(optimum.explained.parts.begin(), optimum.explained.parts.end(), is_said)) {
    auto parts = optimum.explained.parts;
    parts.resize(rows);
    table.columns.push_back(list_column("mostly", std::move(parts)));
  }
  if (std::any_of(optimum.explained.limits.begin(), optimum.explained.limits.end(),
                  [](const auto& one) { return one.has_value(); })) {
    std::vector<std::vector<std::string>> limits(rows);
    for (std::size_t i = 0; i < std::min(rows, optimum.explained.limits.size()); ++i) {
      if (optimum.explained.limits[i]) limits[i] = limits_text(asked, *optimum.explained.limits[i]);
    }
    table.columns.push_back(list_column("limited by", std::move(limits)));
  }
  return table;
}

// How many points there are, how many were evaluated, and whether the best is proved; a sentence a line.
std::vector<std::string> statements_of(const Optimum& optimum) {
  auto result = analysis::statements_of(optimum.asked, optimum.outcome);
  if (optimum.left_out > 0) {
    const std::size_t shown = optimum.outcome.best.size();
    result.insert(result.begin() + 1,
                  fmt::format("{} of {} points of the front are shown, evenly; `--format csv` has them all",
                              grouped(shown), grouped(shown + optimum.left_out)));
  }
  return result;
}

Data goals_of(const AskedProblem& asked) {
  DataWriter goals;
  goals.begin_array();
  for (std::size_t k = 0; k < asked.goals.size(); ++k)
    goals.begin_object()
        .key(asked.problem->maximize[k] ? "maximize" : "minimize")
        .value(asked.goals[k].name)
        .end_object();
  return goals.end_array().take();
}

}  // namespace

Document document_of(const Optimum& optimum, const std::string& file) {
  Document document = document_about(file, optimum.asked.model->name.text);
  document.about.emplace_back("goals", goals_of(optimum.asked));
  document.about.emplace_back("subject_to", data_of(optimum.asked.conditions));
  document.add_about("seed", static_cast<std::int64_t>(optimum.seed));
  document.tables = {table_of(optimum, false), row_table(analysis::outcome_table(optimum.asked, optimum.outcome))};
  document.page = [&optimum](const std::vector<OutputTable>&) {
    return Passages{{"", readable(table_of(optimum, true), point_digits)},
                    {sanitize(fmt::format("\n{}\n", join_texts(statements_of(optimum), "\n")))}};
  };
  document.says = statements_of(optimum);
  return document;
}

}  // namespace wave::cli
