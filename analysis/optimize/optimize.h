// Finds the best of many points. All of them are evaluated if that is quick. Otherwise boxes of points are excluded by
// their bounds or, without bounds, some of the points are searched. The result says which of these was done, and so
// whether the best is proved to be the best.
#pragma once

#include "analysis/optimize/problem.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace wave::analysis {

// exhaustive  every point
// bounds      boxes of points are divided, and left out where their bounds say that nothing good is in them
// search      descent along the variables from many starts; intervals by NLopt
enum class Method { automatic, exhaustive, bounds, search };

struct SearchProgress {
  std::uint64_t looked_at = 0;  // points whose constraints were evaluated, or that were excluded
  std::uint64_t evaluated = 0;  // points whose goals were evaluated
  double all = 0;               // how many points there are; 0 if that says nothing about the end
  double best = 0;              // the least cost of the first goal; infinite if there is none yet
};

inline constexpr std::size_t most_shown = 1000;

struct SearchOptions {
  Method method = Method::automatic;
  // Infinite: until the best is proved. A search ends when it has found nothing better for long.
  double seconds = 60;
  std::uint64_t most_points = std::numeric_limits<std::uint64_t>::max();  // evaluated
  std::uint64_t seed = 1;
  std::size_t top = 10;     // with one goal, up to most_shown
  double tolerance = 1e-6;  // what a proof over intervals may leave open, relative to the best
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const SearchProgress&)> progress;
};

enum class Proof {
  all_points,        // each point was evaluated, or breaks a constraint
  bounds,            // what was not evaluated cannot be as good
  within_tolerance,  // what was not evaluated cannot be better by more than the tolerance
  none,
};

// given_up    all was looked at but points whose evaluation was given up
// too_narrow  what is left are intervals too narrow to be divided, of which bounds say too little
enum class Ending { complete, stopped, out_of_time, out_of_points, given_up, too_narrow };

struct SearchOutcome {
  std::vector<Candidate> best;    // with one goal the best `top`, else the front
  std::uint64_t more_equals = 0;  // with one goal, further points that are known to be as good as the last
  Proof proof = Proof::none;
  Method method = Method::exhaustive;  // the one that was used
  Ending ending = Ending::complete;
  double points = 0;              // how many there are
  std::uint64_t constrained = 0;  // points whose constraints were looked at
  std::uint64_t evaluated = 0;    // those of them that were evaluated
  std::uint64_t broken = 0;       // those of these that break a costly constraint
  std::uint64_t satisfying = 0;   // those of these that break none, and at which the model has values
  std::uint64_t failed = 0;       // at which the model fails, evaluated or not
  std::uint64_t boxes = 0;
  // With one goal and no proof, a cost below which no point is, if one is known.
  std::optional<double> lower;
  Exclusion exclusion{0};  // which constraints exclude what, where nothing was found
  std::optional<Candidate>
      nearest;  // the point that breaks constraints least of those that were looked at; without costs
};

SearchOutcome optimize(Problem& problem, const SearchOptions& options);

// What keeps a point from being better: constraints that a better neighbour breaks, and ends of lists.

struct LimitedBy {
  std::uint64_t constraints = 0;  // a neighbour is better, but breaks them
  struct End {
    std::size_t variable = 0;
    bool upper = false;
  };
  std::vector<End> ends;              // goals get better towards it
  bool has_better_neighbour = false;  // one that satisfies everything: this is not a local optimum
};

// A neighbour differs in one variable, by the next larger or smaller value or, in an interval, by a thousandth of it.
// This evaluates two neighbours for each variable.
LimitedBy find_limits(Problem& problem, const Candidate& candidate);

}  // namespace wave::analysis
