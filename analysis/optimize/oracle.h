// Answers questions about points: first whether they satisfy the constraints and then, for those that do, what they
// cost. The oracle keeps and counts what is found, and asks nothing more once the time is up. The methods that search
// for the best points ask through it.
#pragma once

#include "analysis/optimize/optimize.h"

#include <chrono>
#include <optional>
#include <span>
#include <vector>

namespace wave::analysis {

// What came out for each of several points.
struct Assessed {
  std::vector<Violation> violations;
  std::vector<double> costs;  // point by point; NaN where a point was not evaluated or failed
};

class Oracle {
 public:
  // As long as the oracle lives, the `stop` of its options ends evaluations of the problem.
  Oracle(Problem& problem, const SearchOptions& options);
  ~Oracle();
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  // False if the search ended before all was done (see ended()).
  bool ask(const Points& points, Assessed* assessed = nullptr);
  // Notes a box that breaks these constraints everywhere.
  void exclude(double points, std::uint64_t violated);
  // Notes a box that is left out for another reason.
  void skip(double points);

  // Whether the search was stopped, or is out of time or out of points.
  bool ended();
  // Sets an earlier end than that of the options, for a part of a search. Infinite for none.
  void set_end(double seconds_from_now);
  double seconds() const;  // since the beginning
  double seconds_left() const;

  // How long a point takes, in the largest groups so far; 0 if that is not known.
  double seconds_to_constrain() const { return constrain_pace_.per_point; }
  double seconds_to_evaluate() const { return evaluate_pace_.per_point; }
  // Measures how long points take, whatever their constraints say.
  void measure(const Points& points);

  Problem& problem() { return problem_; }
  const SearchOptions& options() const { return options_; }
  std::size_t goals() const { return problem_.maximize.size(); }

  Best best;
  SearchOutcome outcome;  // its counts, exclusion and nearest point

 private:
  // How many points to ask about at once: enough to take a while, but so few that the search can stop soon.
  struct Pace {
    std::size_t next = 1;
    double per_point = 0;
    std::size_t measured = 0;
    void took(std::size_t points, double seconds);
  };
  // False if the search was stopped meanwhile: then nothing is known of these points.
  bool constrain(const Points& points, std::vector<Violation>& violations);
  bool evaluate(const Points& points, std::vector<double>& costs, std::vector<Violation>& late);
  bool stopped();
  void remember_nearest(std::span<const double> at, const Violation& violation);
  void tell();

  Problem& problem_;
  const SearchOptions& options_;
  const std::atomic<bool>* const stop_before_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double end_, part_end_;
  Pace constrain_pace_, evaluate_pace_;
  double excluded_ = 0;
  double nearest_amount_ = 0;
};

// The methods to find the best, each in a file of its own. They report what they find to the oracle.

// Evaluates every point, in the order of the product. True if it came to the end.
bool evaluate_all(Oracle& oracle);

// Branch and bound. Looks for nothing worse than `known`, which may be better than what the oracle has found so far.
struct BoundedEnd {
  bool complete = false;
  bool within_tolerance = false;  // something was left out that may be better: within the tolerance, or too narrow
  // With one goal, a lower bound of what was left undone; infinite if nothing can be better than what was found.
  double lower = 0;
};
BoundedEnd branch_and_bound(Oracle& oracle, const Best& known);

// Descends along the variables from many starts, until nothing better has been found for long.
void search_locally(Oracle& oracle);

// Searches the intervals by NLopt, with the other variables as they are in `at`. `weights` are those of the goals.
void search_intervals(Oracle& oracle, std::span<const double> at, const std::vector<double>& weights);
// The same for each choice of the other variables, if these are few enough.
bool can_search_each(Oracle& oracle);
void search_each(Oracle& oracle);

}  // namespace wave::analysis
