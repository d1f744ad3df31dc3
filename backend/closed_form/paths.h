// A recurrence as a longest path. Steps go along the axes of a box, and each has a weight for every cell that it leads
// to.
#pragma once

#include "backend/closed_form/form.h"
#include "backend/closed_form/recurrence.h"

namespace wave::backend::closed_form {

// From the place before along one axis.
struct Step {
  std::size_t axis = 0;
  CellFunction weight;  // on the cells that have a place before
};

// A longer step, from `back` places before.
struct Leap {
  Places back;
  CellFunction weight;
};

// The value at a place is the greatest, over the paths of steps and leaps that lead there from a place that is 0 along
// every axis that moves, of `start` there and the weights on the way, in quanta; or minus that.
struct Paths {
  std::vector<CellAxis> axes;
  std::vector<Step> steps;  // at most one per axis; one along every axis that moves
  std::vector<Leap> leaps;
  CellFunction start;
  double quantum = 0;
  bool negated = false;

  Box box() const;
  const CellFunction* along(std::size_t axis) const;
  double time(Wide quanta) const { return static_cast<double>(negated ? -quanta : quanta) * quantum; }
};

// Nothing where the group is of another form.
[[nodiscard]] std::optional<Paths> find_paths(const Problem& problem, const Form& form);

// Takes away the leaps that are nowhere longer than some path of steps over the same cells. False where finding that
// out would take too much: no proof by paths is tried then.
[[nodiscard]] bool drop_leaps(Paths& paths);

class PathSolution : public Solution {
 public:
  double at(std::span<const std::int64_t> indices) const final;
  // The length of the longest path to this place.
  virtual Wide quanta(const Places& places) const = 0;

 protected:
  PathSolution(std::string name, std::shared_ptr<const Paths> paths)
      : Solution(std::move(name)), paths_(std::move(paths)) {}
  std::shared_ptr<const Paths> paths_;
};

// What trying a proof comes to. If neither, another one may cover the paths.
struct Verdict {
  std::unique_ptr<PathSolution> solution;
  bool is_refused = false;  // it would take too much: no other proof by paths is tried

  bool is_final() const { return solution || is_refused; }
};
inline Verdict refused() { return {nullptr, true}; }

// All but the first two are for paths without leaps.
Verdict solve_paths(std::shared_ptr<const Paths> paths);
Verdict solve_by_order(std::shared_ptr<const Paths> paths);
Verdict solve_by_blocks(std::shared_ptr<const Paths> paths);
// Solves the problem that is left when one axis is best gone along last.
Verdict solve_without_last_axis(std::shared_ptr<const Paths> paths);

}  // namespace wave::backend::closed_form
