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

// The value at a place is the greatest, over the paths of steps that lead there from a place that is 0 along every axis
// that moves, of `start` there and the weights on the way, in quanta; or minus that.
struct Paths {
  std::vector<CellAxis> axes;
  std::vector<Step> steps;  // by axis: one along every axis that moves
  CellFunction start;
  double quantum = 0;
  bool negated = false;

  Box box() const;
  const CellFunction* along(std::size_t axis) const;
  double time(Wide quanta) const { return static_cast<double>(negated ? -quanta : quanta) * quantum; }
};

// Nothing where the group is of another form.
[[nodiscard]] std::optional<Paths> find_paths(const Problem& problem, const Form& form);

class PathSolution : public Solution {
 public:
  double at(std::span<const std::int64_t> indices) const final;

 protected:
  PathSolution(std::string name, std::shared_ptr<const Paths> paths)
      : Solution(std::move(name)), paths_(std::move(paths)) {}
  std::shared_ptr<const Paths> paths_;

 private:
  // The length of the longest path to this place.
  virtual Wide quanta(const Places& places) const = 0;
};

// Null where the proof does not cover the paths, or would take too much.
std::unique_ptr<Solution> solve_by_order(std::shared_ptr<const Paths> paths);
std::unique_ptr<Solution> solve_by_blocks(std::shared_ptr<const Paths> paths);

}  // namespace wave::backend::closed_form
