// Longest paths between two parallel lines.
#pragma once

#include "backend/closed_form/torus.h"

namespace wave::backend::closed_form {

// The part of the plane between two lines that are `line` shifted by multiples of `aside`, the nearest ones that have
// place 0 and the target between them or on them. No path between two places of the line is longer than the line
// itself, so one of the longest paths to the target stays here.
class Band {
 public:
  Band(const Torus& torus, const ClosedWalk& line, Shift aside, Shift target);

  double cells_of_turn() const;
  // From place 0 to the target. Counts the cells that it evaluates off `cells_left`; nothing where none are.
  [[nodiscard]] std::optional<Wide> length(double& cells_left) const;

 private:
  using Slice = std::vector<Wide>;  // along x, at one x + y
  std::int64_t x_of(std::int64_t number, std::int64_t diagonal) const;
  void include(Shift place);
  Slice step(const Slice& slice, std::size_t diagonal) const;
  std::optional<Slice> turned(Slice slice, double& cells_left) const;
  std::optional<std::int64_t> skipped(Slice (&last)[3], std::int64_t most, double& cells_left) const;

  const Torus& torus_;
  const ClosedWalk& line_;
  Shift aside_, target_;
  std::int64_t first_ = 0, last_ = 0;     // lines, counted along `aside`
  std::vector<std::int64_t> low_, high_;  // x, by diagonal, for one turn and the diagonal after it
};

}  // namespace wave::backend::closed_form
