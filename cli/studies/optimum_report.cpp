// See optimum_report.h.
#include "cli/studies/optimum_report.h"

#include "backend/limits.h"
#include "cli/embedded.h"
#include "cli/formats/readable.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::cli {
namespace {

using analysis::Candidate;
using analysis::Ending;
using analysis::Proof;
using analysis::ResultColumn;

constexpr double most_counted = 1e15;  // more points are only named by their magnitude

bool is_front(const Optimum& optimum) { return optimum.asked.goals.size() > 1; }

std::string count_text(double points) {
  if (!std::isfinite(points)) return "infinitely many";
  return points < most_counted ? grouped(static_cast<std::uint64_t>(points)) : backend::count_text(points);
}

// What is proved, in one word, for scripts.
const char* proof_word(Proof proof) {
  switch (proof) {
    case Proof::all_points: return "all points";
    case Proof::bounds: return "bounds";
    case Proof::within_tolerance: return "within tolerance";
    case Proof::none: return "none";
  }
  return "";
}

const char* method_word(analysis::Method method) {
  switch (method) {
    case analysis::Method::automatic: return "auto";
    case analysis::Method::exhaustive: return "exhaustive";
    case analysis::Method::bounds: return "bounds";
    case analysis::Method::search: return "search";
  }
  return "";
}

// A goal's values are the candidates' costs, so that nothing is evaluated again.
ResultColumn goal_column(const Optimum& optimum, std::size_t k) {
  const auto& goal = optimum.asked.goals[k];
  ResultColumn column{{}, goal.name, goal.type, goal.unit, goal.doc, false};
  std::vector<double> values;
  for (const Candidate& one : optimum.outcome.best)
    values.push_back(optimum.asked.problem->maximize[k] ? -one.costs[k] : one.costs[k]);
  if (std::holds_alternative<frontend::types::Int>(goal.type->kind)) {
    std::vector<std::int64_t> whole;
    for (const double value : values) whole.push_back(static_cast<std::int64_t>(value));
    column.values = std::move(whole);
  } else {
    column.values = std::move(values);
  }
  return column;
}

analysis::Points points_of(const Optimum& optimum) {
  analysis::Points points(optimum.asked.problem->domains.size());
  for (const Candidate& one : optimum.outcome.best) points.add(one.at);
  return points;
}

std::string condition_text(const AskedProblem& asked, std::size_t number) {
  const auto& texts = asked.conditions;
  return number < texts.size() ? texts[number] : "the model can be evaluated";
}

std::vector<std::string> limits_text(const Optimum& optimum, const analysis::LimitedBy& limits) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i <= optimum.asked.conditions.size(); ++i) {
    if ((limits.constraints >> i & 1) == 0) continue;
    result.push_back(i < optimum.asked.conditions.size() ? optimum.asked.conditions[i] : "a requirement of the model");
  }
  for (const auto& end : limits.ends) {
    result.push_back(fmt::format("{} is the {} tried", optimum.asked.problem->domains[end.variable].name,
                                 end.upper ? "largest" : "smallest"));
  }
  return result;
}

// Those with the same costs have the same place.
std::vector<std::int64_t> places(const std::vector<Candidate>& best) {
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < best.size(); ++i) {
    const bool is_tied = i > 0 && best[i].costs == best[i - 1].costs;
    result.push_back(is_tied ? result.back() : static_cast<std::int64_t>(i) + 1);
  }
  return result;
}

// "1", "2=", "2=".
std::vector<std::vector<std::string>> place_texts(const std::vector<std::int64_t>& places) {
  std::vector<std::vector<std::string>> result;
  for (const auto place : places) {
    const bool is_tied = std::count(places.begin(), places.end(), place) > 1;
    result.push_back({fmt::format("{}{}", place, is_tied ? "=" : "")});
  }
  return result;
}

std::string goal_value(const Optimum& optimum, double cost) {
  ResultColumn column = goal_column(optimum, 0);
  const double value = optimum.asked.problem->maximize[0] ? -cost : cost;
  column.type = optimum.asked.goals[0].type;
  if (std::holds_alternative<frontend::types::Int>(column.type->kind)) return format_number(value, plain_digits);
  column.values = std::vector<double>{value};
  return value_text(column, 0);
}

std::string ending_text(Ending ending) {
  switch (ending) {
    case Ending::complete: return "";
    case Ending::stopped: return "stopped";
    case Ending::out_of_time: return "the time of `--budget` is over";
    case Ending::out_of_points: return "the number of `--points` is reached";
    case Ending::given_up: return "of points that took too long or too much nothing is known";
    case Ending::too_narrow: return "bounds say too little of intervals that are too narrow to be divided";
  }
  return "";
}

std::string proof_text(const Optimum& optimum) {
  const auto& outcome = optimum.outcome;
  const std::string evaluated = grouped(outcome.evaluated), all = count_text(outcome.points);
  const std::string what = is_front(optimum) ? "the front is complete" : "the best is proved";
  const bool has_conditions = !optimum.asked.conditions.empty();
  switch (outcome.proof) {
    case Proof::all_points:
      return has_conditions ? fmt::format("{}: all {} points were looked at, {} of them satisfy the constraints", what,
                                          all, grouped(outcome.evaluated - outcome.broken))
                            : fmt::format("{}: all {} points were evaluated", what, all);
    case Proof::bounds:
      // A point may be evaluated twice: in the search for something to compare with, and where bounds leave it.
      return fmt::format("{}: of {} points it took {} evaluations, bounds say that no other is as good{}", what, all,
                         evaluated, has_conditions ? " and satisfies the constraints" : "");
    case Proof::within_tolerance:
      return fmt::format(
          "{} to within a millionth: {} points were evaluated, bounds say that no other is better by more than that",
          what, evaluated);
    case Proof::none: break;
  }
  std::string text = std::isfinite(outcome.points)
                         ? fmt::format("best found, not proved: {} of {} points were evaluated", evaluated, all)
                         : fmt::format("best found, not proved: {} points were evaluated", evaluated);
  if (is_front(optimum)) text.replace(0, std::string("best found").size(), "the front of what was found");
  if (outcome.ending != Ending::complete) text += "; " + ending_text(outcome.ending);
  return text;
}

// How far the best may be from what is proved.
std::string gap_text(const Optimum& optimum) {
  const auto& outcome = optimum.outcome;
  if (outcome.proof != Proof::none || !outcome.lower || is_front(optimum) || outcome.best.empty()) return "";
  const double best = outcome.best.front().costs[0], lower = *outcome.lower;
  if (!(lower < best) || !std::isfinite(lower)) return "";
  const bool is_large = optimum.asked.problem->maximize[0];
  return fmt::format("bounds say that no point has {} {} than {}", optimum.asked.goals[0].name,
                     is_large ? "more" : "less", goal_value(optimum, lower));
}

OutputTable table_of(const Optimum& optimum, bool for_people) {
  const auto& asked = optimum.asked;
  const std::size_t rows = optimum.outcome.best.size();
  OutputTable table;
  table.rows = rows;
  const auto count = [](const std::string& name, std::vector<std::int64_t> values) {
    TableColumn column = integer_column(name, std::move(values));
    column.is = "result";
    return column;
  };
  if (!is_front(optimum)) {
    const auto own = places(optimum.outcome.best);
    if (for_people)
      table.columns.push_back(list_column("place", place_texts(own)));
    else
      table.columns.push_back(count("place", own));
  }
  const std::size_t goals = asked.goals.size();
  for (std::size_t k = 0; k < goals; ++k) add_column(table, goal_column(optimum, k));
  const auto points = points_of(optimum);
  for (const auto& column : asked.values(points)) add_column(table, column);
  for (const auto& column : asked.columns(points)) add_column(table, column);
  if (is_front(optimum)) {
    const auto has_equals = [](const Candidate& one) { return one.equals > 0; };
    if (std::any_of(optimum.outcome.best.begin(), optimum.outcome.best.end(), has_equals)) {
      std::vector<std::int64_t> equals;
      for (const Candidate& one : optimum.outcome.best) equals.push_back(static_cast<std::int64_t>(one.equals));
      table.columns.push_back(count("as good", equals));
    }
  }
  const auto is_said = [](const auto& one) { return !one.empty(); };
  if (std::any_of(optimum.parts.begin(), optimum.parts.end(), is_said)) {
    auto parts = optimum.parts;
    parts.resize(rows);
    table.columns.push_back(list_column("mostly", std::move(parts)));
  }
  if (std::any_of(optimum.limits.begin(), optimum.limits.end(), [](const auto& one) { return one.has_value(); })) {
    std::vector<std::vector<std::string>> limits(rows);
    for (std::size_t i = 0; i < std::min(rows, optimum.limits.size()); ++i) {
      if (optimum.limits[i]) limits[i] = limits_text(optimum, *optimum.limits[i]);
    }
    table.columns.push_back(list_column("limited by", std::move(limits)));
  }
  return table;
}

}  // namespace

std::vector<std::string> failure_texts(const AskedProblem& asked, const analysis::SearchOutcome& outcome) {
  std::vector<std::string> result;
  const auto failed = asked.problem->failed();
  if (outcome.failed == 0 || failed.empty()) return result;
  const auto& first = failed.front();
  result.push_back(fmt::format("{} {} failed: {}: {} (as at {})", grouped(outcome.failed),
                               outcome.failed == 1 ? "point" : "points", code_of(first.kind()), first.message(),
                               asked.text_of(first.at)));
  for (std::size_t i = 1; i < failed.size(); ++i) {
    result.push_back(fmt::format("others failed: {}: {} (as at {})", code_of(failed[i].kind()), failed[i].message(),
                                 asked.text_of(failed[i].at)));
  }
  return result;
}

std::vector<std::string> statements_of(const Optimum& optimum) {
  std::vector<std::string> result{proof_text(optimum)};
  if (const auto gap = gap_text(optimum); !gap.empty()) result.push_back(gap);
  if (optimum.left_out > 0) {
    const std::size_t shown = optimum.outcome.best.size();
    result.push_back(fmt::format("{} of {} points of the front are shown, evenly; `--format csv` has them all",
                                 grouped(shown), grouped(shown + optimum.left_out)));
  }
  const std::uint64_t more = optimum.outcome.more_equals;
  if (more > 0)
    result.push_back(
        fmt::format("{} more {} as good as the last of these", grouped(more), more == 1 ? "point is" : "points are"));
  for (auto& one : failure_texts(optimum.asked, optimum.outcome)) result.push_back(std::move(one));
  return result;
}

namespace {

Data data_of(const Optimum& optimum, const std::string& file, const OutputTable& table) {
  const auto& outcome = optimum.outcome;
  DataWriter json;
  json.begin_object(Layout::lines);
  json.key("wave").value(version).key("file").value(file).key("model").value(optimum.asked.model->name.text);
  json.key("goals").begin_array();
  for (std::size_t k = 0; k < optimum.asked.goals.size(); ++k) {
    json.begin_object()
        .key(optimum.asked.problem->maximize[k] ? "maximize" : "minimize")
        .value(optimum.asked.goals[k].name)
        .end_object();
  }
  json.end_array().texts("subject_to", optimum.asked.conditions);
  json.key("method").value(method_word(outcome.method)).key("proof").value(proof_word(outcome.proof));
  json.key("seed").value(static_cast<std::int64_t>(optimum.seed));
  json.key("points").value(outcome.points).key("evaluated").value(static_cast<std::int64_t>(outcome.evaluated));
  json.key("failed")
      .value(static_cast<std::int64_t>(outcome.failed))
      .key("as_good_as_the_last")
      .value(static_cast<std::int64_t>(outcome.more_equals));
  json.texts("says", statements_of(optimum), Layout::lines);
  add_columns(json, table);
  json.key("rows").rows(0, true);
  return json.end_object().take();
}

}  // namespace

Document document_of(const Optimum& optimum, const std::string& file) {
  Document document;
  document.tables.push_back(table_of(optimum, false));
  document.data = [&optimum, file](const std::vector<OutputTable>& tables) {
    return data_of(optimum, file, tables.front());
  };
  document.page = [&optimum](const std::vector<OutputTable>&) {
    return Passages{{"", readable(table_of(optimum, true), point_digits)},
                    {sanitize(fmt::format("\n{}\n", fmt::join(statements_of(optimum), "\n")))}};
  };
  document.remarks = statements_of(optimum);
  return document;
}

void report_nothing(const AskedProblem& asked, const analysis::SearchOutcome& outcome, const char* time_option,
                    frontend::Diagnostics& diagnostics) {
  const bool is_proved = outcome.proof != Proof::none;
  const std::string points = std::isfinite(outcome.points) ? fmt::format(" of {}", count_text(outcome.points)) : "";
  const bool some_satisfy = outcome.evaluated > outcome.broken;
  std::string message =
      asked.conditions.empty() || some_satisfy ? "no point can be evaluated" : "no point satisfies the constraints";
  if (!is_proved) {
    message = fmt::format("no point was found that satisfies the constraints, among {}{} that were looked at",
                          grouped(outcome.constrained), points);
    if (outcome.ending != Ending::complete) message += "; " + ending_text(outcome.ending);
  }
  auto& d = diagnostics.add(frontend::DiagnosticKind::nothing_satisfies, {}, message);
  if (!some_satisfy) {
    const char* everything = is_proved ? "every point" : "every point that was looked at";
    for (const std::size_t one : outcome.exclusion.alone()) {
      if (one < asked.conditions.size())
        d.notes.push_back(fmt::format("`{}` alone excludes {}", asked.conditions[one], everything));
      else
        d.notes.push_back(fmt::format("the model fails at {}", everything));
    }
    if (const auto pair = outcome.exclusion.pair()) {
      const bool fails = pair->second >= asked.conditions.size();
      d.notes.push_back(fails ? fmt::format("wherever `{}` holds the model fails", condition_text(asked, pair->first))
                              : fmt::format("`{}` and `{}` together exclude {}", condition_text(asked, pair->first),
                                            condition_text(asked, pair->second), everything));
    } else if (outcome.exclusion.alone().empty() && asked.conditions.size() > 2) {
      d.notes.push_back("no constraint does so alone, nor with one other");
    }
  }
  for (auto& one : failure_texts(asked, outcome)) d.notes.push_back(std::move(one));
  if (outcome.nearest && !some_satisfy)
    d.notes.push_back("nearest to satisfying them: " + asked.text_of(outcome.nearest->at));
  const bool fails = asked.conditions.empty() || some_satisfy;
  d.help.push_back(is_proved ? fails ? "let variables be what the model can be evaluated for"
                                     : "loosen a constraint, or let variables be more"
                             : fmt::format("give it more time with `{}`, or let variables be less", time_option));
}

}  // namespace wave::cli
