// See optimum.h.
#include "analysis/optimize/optimum.h"

#include "analysis/value_text.h"
#include "backend/limits.h"
#include "base/clock.h"
#include "frontend/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::analysis {
namespace {

using frontend::grouped;

constexpr double most_counted = 1e15;  // more points are only named by their magnitude
constexpr int count_digits = 6;        // of numbers without a dimension

bool is_front(const AskedProblem& asked) { return asked.goals.size() > 1; }

std::string count_text(double points) {
  if (!std::isfinite(points)) return "infinitely many";
  return points < most_counted ? grouped(static_cast<std::uint64_t>(points)) : backend::count_text(points);
}

std::string condition_text(const AskedProblem& asked, std::size_t number) {
  const auto& texts = asked.conditions;
  return number < texts.size() ? texts[number] : "the model can be evaluated";
}

// A cost of the first goal, as that goal's values are written.
std::string goal_text(const AskedProblem& asked, double cost) {
  const double value = asked.problem->maximize[0] ? -cost : cost;
  const Shown& goal = asked.goals[0];
  if (std::holds_alternative<frontend::types::Int>(goal.type->kind))
    return frontend::format_number(value, count_digits);
  return value_text({{std::vector<double>{value}, {}, {}}, goal.name, goal.type, goal.unit, goal.doc, false}, 0);
}

std::string ending_text(Ending ending, const SearchWords& words) {
  switch (ending) {
    case Ending::complete: return "";
    case Ending::stopped: return "stopped";
    case Ending::out_of_time: return fmt::format("the time of `{}` is over", words.time);
    case Ending::out_of_points: return fmt::format("the number of `{}` is reached", words.points);
    case Ending::given_up: return "of points that took too long or too much nothing is known";
    case Ending::too_narrow: return "bounds say too little of intervals that are too narrow to be divided";
  }
  return "";
}

std::string unproved_text(const AskedProblem& asked, const SearchOutcome& outcome, const SearchWords& words) {
  std::string text = is_front(asked) ? "the front of what was found, not proved: " : "best found, not proved: ";
  const std::string evaluated = grouped(outcome.evaluated), all = count_text(outcome.points);
  if (!std::isfinite(outcome.points))
    text += fmt::format("{} points were evaluated", evaluated);
  else if (outcome.method == Method::bounds)  // which may evaluate a point twice
    text += fmt::format("{} evaluations of {} points", evaluated, all);
  else
    text += fmt::format("{} of {} points were evaluated", evaluated, all);
  if (outcome.ending != Ending::complete) text += "; " + ending_text(outcome.ending, words);
  return text;
}

std::string proof_text(const AskedProblem& asked, const SearchOutcome& outcome, const SearchWords& words) {
  const std::string evaluated = grouped(outcome.evaluated), all = count_text(outcome.points);
  const std::string what = is_front(asked) ? "the front is complete" : "the best is proved";
  const bool has_conditions = !asked.conditions.empty();
  switch (outcome.proof) {
    case Proof::all_points: {
      // A point at which the model fails satisfies nothing.
      const std::string failed = outcome.failed > 0 ? fmt::format(", {} failed", grouped(outcome.failed)) : "";
      return has_conditions ? fmt::format("{}: all {} points were looked at, {} of them satisfy the constraints{}",
                                          what, all, grouped(outcome.satisfying), failed)
                            : fmt::format("{}: all {} points were evaluated{}", what, all, failed);
    }
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
  return unproved_text(asked, outcome, words);
}

// How far the best may be from what is proved.
std::string gap_text(const AskedProblem& asked, const SearchOutcome& outcome) {
  if (outcome.proof != Proof::none || !outcome.lower || is_front(asked) || outcome.best.empty()) return "";
  const double best = outcome.best.front().costs[0], lower = *outcome.lower;
  if (!(lower < best) || !std::isfinite(lower)) return "";
  return fmt::format("bounds say that no point has {} {} than {}", asked.goals[0].name,
                     asked.problem->maximize[0] ? "more" : "less", goal_text(asked, lower));
}

// How long it may take to explain the best after a search of so many seconds.
double seconds_to_explain(double budget_seconds) {
  constexpr double least_seconds = 3, part_of_budget = 0.2, of_no_budget = 60;
  return std::max(least_seconds, part_of_budget * (std::isfinite(budget_seconds) ? budget_seconds : of_no_budget));
}

// Which constraints leave nothing.
void add_exclusions(const AskedProblem& asked, const SearchOutcome& outcome, frontend::Diagnostic& d) {
  const char* everything = outcome.proof != Proof::none ? "every point" : "every point that was looked at";
  const auto alone = outcome.exclusion.alone();
  for (const std::size_t one : alone) {
    d.notes.push_back(one < asked.conditions.size()
                          ? fmt::format("`{}` alone excludes {}", asked.conditions[one], everything)
                          : fmt::format("the model fails at {}", everything));
  }
  if (const auto pair = outcome.exclusion.pair()) {
    const bool fails = pair->second >= asked.conditions.size();
    d.notes.push_back(fails ? fmt::format("wherever `{}` holds the model fails", condition_text(asked, pair->first))
                            : fmt::format("`{}` and `{}` together exclude {}", condition_text(asked, pair->first),
                                          condition_text(asked, pair->second), everything));
  } else if (alone.empty() && asked.conditions.size() > 2) {
    d.notes.emplace_back("no constraint does so alone, nor with one other");
  }
}

}  // namespace

const char* word_of(Proof proof) {
  switch (proof) {
    case Proof::all_points: return "all points";
    case Proof::bounds: return "bounds";
    case Proof::within_tolerance: return "within tolerance";
    case Proof::none: return "none";
  }
  return "";
}

const char* word_of(Method method) {
  switch (method) {
    case Method::automatic: return "auto";
    case Method::exhaustive: return "exhaustive";
    case Method::bounds: return "bounds";
    case Method::search: return "search";
  }
  return "";
}

Points points_of(const AskedProblem& asked, const std::vector<Candidate>& best) {
  Points points(asked.problem->domains.size());
  for (const Candidate& one : best) points.add(one.at);
  return points;
}

std::vector<std::int64_t> places(const std::vector<Candidate>& best) {
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < best.size(); ++i) {
    const bool is_tied = i > 0 && best[i].costs == best[i - 1].costs;
    result.push_back(is_tied ? result.back() : static_cast<std::int64_t>(i) + 1);
  }
  return result;
}

std::optional<double> bound_of(const SearchOutcome& outcome) {
  if (outcome.best.empty() || outcome.best.front().costs.size() != 1) return std::nullopt;
  const bool is_proved = outcome.proof == Proof::all_points || outcome.proof == Proof::bounds;
  if (is_proved) return outcome.best.front().costs[0];
  return outcome.lower && std::isfinite(*outcome.lower) ? outcome.lower : std::nullopt;
}

RowTable outcome_table(const AskedProblem& asked, const SearchOutcome& outcome) {
  const auto count = [](const char* name, std::uint64_t number) {
    return Field{{name, count_type(), {}}, static_cast<std::int64_t>(number)};
  };
  const auto text = [](const char* name, const std::string& word) { return Field{{name, text_type(), {}}, word}; };
  std::vector<Field> fields{text("method", word_of(outcome.method)),
                            text("proof", word_of(outcome.proof)),
                            {{"points", plain_type(), {}}, outcome.points},
                            count("looked_at", outcome.constrained),
                            count("evaluated", outcome.evaluated),
                            count("satisfying", outcome.satisfying),
                            count("failed", outcome.failed),
                            count("as_good_as_the_last", outcome.more_equals)};
  if (const auto bound = bound_of(outcome)) {
    const auto& goal = asked.goals.front();
    fields.push_back({{"bound", goal.type, goal.unit}, asked.problem->maximize.front() ? -*bound : *bound});
  }
  return record_table("outcome", fields);
}

Explained explain(const AskedProblem& asked, const std::vector<Candidate>& best, double budget_seconds,
                  const std::atomic<bool>& stop, const FindParts& find_parts) {
  constexpr std::size_t most_rows = 10;
  const auto begin = std::chrono::steady_clock::now();
  const double seconds = seconds_to_explain(budget_seconds);
  const std::size_t rows = std::min(best.size(), most_rows);
  Explained result;
  result.limits.resize(best.size());
  result.parts.resize(best.size());
  double slowest = 0;
  for (std::size_t i = 0; i < rows && !stop; ++i) {
    const double before = seconds_since(begin);
    if (before + slowest > seconds / 2) break;
    result.limits[i] = find_limits(*asked.problem, best[i]);
    slowest = std::max(slowest, seconds_since(begin) - before);
  }
  for (std::size_t i = 0; i < rows && !stop; ++i) {
    const double left = seconds - seconds_since(begin);
    if (left <= 0) break;
    result.parts[i] = find_parts(asked.given_at(best[i].at), left);
    if (result.parts[i].empty()) break;  // no more is known of the others
  }
  return result;
}

std::vector<std::string> limits_text(const AskedProblem& asked, const LimitedBy& limits) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i <= asked.conditions.size(); ++i) {
    if ((limits.constraints >> i & 1) == 0) continue;
    result.push_back(i < asked.conditions.size() ? asked.conditions[i] : "a requirement of the model");
  }
  for (const auto& end : limits.ends) {
    result.push_back(fmt::format("{} is the {} tried", asked.problem->domains[end.variable].name,
                                 end.upper ? "largest" : "smallest"));
  }
  return result;
}

std::vector<std::string> failure_texts(const AskedProblem& asked, const SearchOutcome& outcome) {
  std::vector<std::string> result;
  const auto failed = asked.problem->failed();
  if (outcome.failed == 0 || failed.empty()) return result;
  const auto& first = failed.front();
  const std::string what = outcome.method == Method::bounds ? "evaluation" : "point";  // see unproved_text
  result.push_back(fmt::format("{} {}{} failed: {}: {} (as at {})", grouped(outcome.failed), what,
                               outcome.failed == 1 ? "" : "s", code_of(first.kind()), first.message(),
                               asked.text_of(first.at)));
  for (std::size_t i = 1; i < failed.size(); ++i) {
    result.push_back(fmt::format("others failed: {}: {} (as at {})", code_of(failed[i].kind()), failed[i].message(),
                                 asked.text_of(failed[i].at)));
  }
  return result;
}

std::vector<std::string> statements_of(const AskedProblem& asked, const SearchOutcome& outcome,
                                       const SearchWords& words) {
  std::vector<std::string> result{proof_text(asked, outcome, words)};
  if (auto gap = gap_text(asked, outcome); !gap.empty()) result.push_back(std::move(gap));
  if (const std::uint64_t more = outcome.more_equals; more > 0)
    result.push_back(
        fmt::format("{} more {} as good as the last of these", grouped(more), more == 1 ? "point is" : "points are"));
  for (auto& one : failure_texts(asked, outcome)) result.push_back(std::move(one));
  return result;
}

void report_nothing(const AskedProblem& asked, const SearchOutcome& outcome, const SearchWords& words,
                    frontend::Diagnostics& diagnostics) {
  const bool is_proved = outcome.proof != Proof::none;
  const std::string points = std::isfinite(outcome.points) ? fmt::format(" of {}", count_text(outcome.points)) : "";
  const auto alone = outcome.exclusion.alone();
  const bool fails =
      asked.conditions.empty() || std::find(alone.begin(), alone.end(), asked.conditions.size()) != alone.end();
  std::string message = fails ? "no point can be evaluated" : "no point satisfies the constraints";
  if (!is_proved) {
    message = fmt::format("no point was found that satisfies the constraints, among {}{} that were looked at",
                          grouped(outcome.constrained), points);
    if (outcome.ending != Ending::complete) message += "; " + ending_text(outcome.ending, words);
  }
  auto& d = diagnostics.add(frontend::DiagnosticKind::nothing_satisfies, {}, message);
  add_exclusions(asked, outcome, d);
  for (auto& one : failure_texts(asked, outcome)) d.notes.push_back(std::move(one));
  if (outcome.nearest && !fails) d.notes.push_back("nearest to satisfying them: " + asked.text_of(outcome.nearest->at));
  d.help.push_back(is_proved ? fails ? "let variables be what the model can be evaluated for"
                                     : "loosen a constraint, or let variables be more"
                             : fmt::format("give it more time with `{}`, or let variables be less", words.time));
}

}  // namespace wave::analysis
