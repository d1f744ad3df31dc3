// See oracle.h.
#include "analysis/optimize/oracle.h"

#include "analysis/optimize/problem.h"
#include "base/clock.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wave::analysis {
namespace {

constexpr double wanted_seconds = 0.1;  // for one group of points
constexpr std::size_t most_at_once = 1 << 16;

std::vector<bool> intervals_of(const Problem& problem) {
  std::vector<bool> result;
  for (const Domain& one : problem.domains) result.push_back(one.is_interval);
  return result;
}

}  // namespace

Oracle::Oracle(Problem& problem, const SearchOptions& options)
    : best(problem.maximize.size(), options.top, intervals_of(problem)),
      problem_(problem),
      options_(options),
      stop_before_(std::exchange(problem.stop, options.stop)),
      end_(options.seconds),
      part_end_(infinity) {
  outcome.points = problem.size();
  outcome.exclusion = Exclusion(problem.constraints);
}

Oracle::~Oracle() { problem_.stop = stop_before_; }

double Oracle::seconds() const { return seconds_since(begin_); }

double Oracle::seconds_left() const { return std::min(end_, part_end_) - seconds(); }

void Oracle::set_end(double seconds_from_now) { part_end_ = seconds() + seconds_from_now; }

bool Oracle::stopped() {
  if (problem_.is_stopped()) outcome.ending = Ending::stopped;
  return outcome.ending == Ending::stopped;
}

bool Oracle::ended() {
  if (stopped()) return true;
  if (outcome.evaluated >= options_.most_points)
    outcome.ending = Ending::out_of_points;
  else if (end_ < infinity && seconds() >= end_)
    outcome.ending = Ending::out_of_time;
  if (outcome.ending != Ending::complete) return true;
  return part_end_ < infinity && seconds() >= part_end_;
}

void Oracle::Pace::took(std::size_t points, double seconds) {
  if (points >= measured || points >= 256) {
    per_point = seconds / static_cast<double>(points);
    measured = points;
  }
  if (points == next && seconds < wanted_seconds / 2) next = std::min(next * 4, most_at_once);
  if (seconds > 2 * wanted_seconds)
    next = std::max<std::size_t>(1, static_cast<std::size_t>(wanted_seconds / per_point));
}

void Oracle::tell() {
  if (!options_.progress) return;
  const auto excluded = static_cast<std::uint64_t>(std::min(excluded_, 1e18));
  const double all = outcome.points < 1e18 ? outcome.points : 0;
  options_.progress({outcome.constrained + excluded, outcome.evaluated, all, best.least()});
}

void Oracle::remember_nearest(std::span<const double> at, const Violation& violation) {
  const bool nearer =
      !outcome.nearest || violation.amount < nearest_amount_ ||
      (violation.amount == nearest_amount_ &&
       std::lexicographical_compare(at.begin(), at.end(), outcome.nearest->at.begin(), outcome.nearest->at.end()));
  if (!nearer) return;
  nearest_amount_ = violation.amount;
  outcome.nearest = Candidate{{at.begin(), at.end()}, {}, 0};
}

void Oracle::exclude(double points, std::uint64_t violated) {
  excluded_ += points;
  outcome.exclusion.add(violated);
}

void Oracle::skip(double points) {
  excluded_ += points;
  outcome.exclusion.add(0);
  tell();
}

bool Oracle::constrain(const Points& points, std::vector<Violation>& violations) {
  violations.assign(points.size(), {});
  if (problem_.constraints == 0) return true;
  const double begin = seconds();
  problem_.constrain(points, violations);
  if (stopped()) return false;
  constrain_pace_.took(points.size(), seconds() - begin);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (violations[i].constraints == 0) continue;
    outcome.exclusion.add(violations[i].constraints);
    if (problem_.failing && (violations[i].constraints >> *problem_.failing & 1) != 0) ++outcome.failed;
    if (best.empty()) remember_nearest(points[i], violations[i]);
  }
  return true;
}

void Oracle::measure(const Points& points) {
  std::vector<double> costs;
  std::vector<Violation> late;
  const double begin = seconds();
  problem_.evaluate(points, costs, late);
  evaluate_pace_.took(points.size(), seconds() - begin);
}

bool Oracle::evaluate(const Points& points, std::vector<double>& costs, std::vector<Violation>& late) {
  const double begin = seconds();
  problem_.evaluate(points, costs, late);
  if (stopped()) return false;
  evaluate_pace_.took(points.size(), seconds() - begin);
  const std::size_t count = goals();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::span<double> own(costs.data() + i * count, count);
    if (late[i].constraints != 0) {
      outcome.exclusion.add(late[i].constraints);
      ++outcome.broken;
      if (problem_.failing && (late[i].constraints >> *problem_.failing & 1) != 0) ++outcome.failed;
      if (best.empty()) remember_nearest(points[i], late[i]);
      std::fill(own.begin(), own.end(), std::nan(""));
      continue;
    }
    bool is_finite = true;
    for (std::size_t k = 0; k < count; ++k) {
      if (problem_.maximize[k]) own[k] = -own[k];
      is_finite = is_finite && std::isfinite(own[k]);
    }
    if (is_finite) {
      outcome.exclusion.add(0);
      ++outcome.satisfying;
      best.offer(points[i], own);
    } else {
      outcome.exclusion.add(problem_.failing ? std::uint64_t{1} << *problem_.failing : 0);
      ++outcome.failed;
      std::fill(own.begin(), own.end(), std::nan(""));
    }
  }
  outcome.evaluated += points.size();
  return true;
}

bool Oracle::ask(const Points& points, Assessed* assessed) {
  const std::size_t count = goals();
  if (assessed != nullptr) {
    assessed->violations.assign(points.size(), {});
    assessed->costs.assign(points.size() * count, std::nan(""));
  }
  std::vector<Violation> violations, late;
  std::vector<double> costs;
  for (std::size_t begin = 0; begin < points.size();) {
    if (ended()) return false;
    const std::size_t wanted = problem_.constraints == 0 ? evaluate_pace_.next : constrain_pace_.next;
    const std::size_t end = std::min(points.size(), begin + wanted);
    const Points part = points.part(begin, end);
    if (!constrain(part, violations)) return false;
    outcome.constrained += part.size();
    Points good(points.width());
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (assessed != nullptr) assessed->violations[begin + i] = violations[i];
      if (violations[i].constraints != 0) continue;
      good.add(part[i]);
      rows.push_back(begin + i);
    }
    for (std::size_t done = 0; done < good.size();) {
      if (ended()) return false;
      const std::uint64_t left = options_.most_points - outcome.evaluated;
      const std::size_t until =
          std::min({good.size(), done + evaluate_pace_.next,
                    done + static_cast<std::size_t>(std::min<std::uint64_t>(left, most_at_once))});
      if (!evaluate(good.part(done, until), costs, late)) return false;
      if (assessed != nullptr) {
        for (std::size_t i = 0; i < late.size(); ++i) assessed->violations[rows[done + i]] = late[i];
        for (std::size_t i = 0; i < costs.size(); ++i)
          assessed->costs[rows[done + i / count] * count + i % count] = costs[i];
      }
      done = until;
      tell();
    }
    begin = end;
    tell();
  }
  return true;
}

}  // namespace wave::analysis
