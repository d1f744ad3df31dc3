// Answers questions about points: first whether they satisfy the constraints, and then, for those that do, what they
// cost. It keeps and counts what is found, and asks nothing more once the time is up.
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
  std::vector<double> costs;  // point by point; NaN: not evaluated, or it failed
};

class Oracle {
 public:
  Oracle(Problem& problem, const SearchOptions& options);

  // False: it ended before all was done (ended()).
  bool ask(const Points& points, Assessed* assessed = nullptr);
  // A box that breaks these constraints everywhere.
  void exclude(double points, std::uint64_t violated);
  // A box that is left out for another reason.
  void skip(double points);

  // Stopped, out of time, or out of points.
  bool ended();
  // An earlier end than the options', for a part of a search; infinite: none.
  void set_end(double seconds_from_now);
  double seconds() const;  // since the beginning
  double seconds_left() const;

  // How long a point takes, of the largest groups so far; 0: not known.
  double seconds_to_constrain() const { return constrain_pace_.per_point; }
  double seconds_to_evaluate() const { return evaluate_pace_.per_point; }
  // How long a point takes, whatever its constraints say.
  void measure(const Points& points);

  Problem& problem() { return problem_; }
  const SearchOptions& options() const { return options_; }
  std::size_t goals() const { return problem_.maximize.size(); }

  Best best;
  SearchOutcome outcome;  // its counts, exclusion and nearest point

 private:
  // How many points to ask about at once: enough to take a while, but few enough to stop soon.
  struct Pace {
    std::size_t next = 1;
    double per_point = 0;
    std::size_t measured = 0;
    void took(std::size_t points, double seconds);
  };
  void constrain(const Points& points, std::vector<Violation>& violations);
  void evaluate(const Points& points, std::vector<double>& costs, std::vector<Violation>& late);
  void remember_nearest(std::span<const double> at, const Violation& violation);
  void tell();

  Problem& problem_;
  const SearchOptions& options_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double end_, part_end_;
  Pace constrain_pace_, evaluate_pace_;
  double excluded_ = 0;
  double nearest_amount_ = 0;
};

// The methods to find the best, each in a file of its own. They report what they find to the oracle.

// Every point, in the order of the product. True: it came to the end.
bool evaluate_all(Oracle& oracle);

// Branch and bound. `known` may be better than what the oracle has found so far: nothing worse is looked for.
struct BoundedEnd {
  bool complete = false;
  bool within_tolerance = false;  // something was left out that may be better: within the tolerance, or too narrow
  double lower = 0;  // of what was left undone, with one goal; infinite: nothing can be better than what was found
};
BoundedEnd branch_and_bound(Oracle& oracle, const Best& known);

// Descent along the variables from many starts, until nothing better has been found for long.
void search_locally(Oracle& oracle);

// Intervals: the best of them by NLopt, with the other variables as they are in `at`. Weights of the goals.
void search_intervals(Oracle& oracle, std::span<const double> at, const std::vector<double>& weights);
// Whether that can be done for each choice of the other variables.
bool can_search_each(Oracle& oracle);
void search_each(Oracle& oracle);

}  // namespace wave::analysis
