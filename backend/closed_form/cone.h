// Longest paths on a torus of costs to far places in a range of directions.
#pragma once

#include "backend/closed_form/torus.h"

namespace wave::backend::closed_form {

// Two closed walks, and all directions between their turns. Nothing gains more per period than they do, so a long path
// in such a direction consists of their turns, but for its beginning and its end.
class Cone {
 public:
  // One that the target, which is not place 0, is in.
  Cone(const Torus& torus, Shift target);

  bool has(Shift target) const { return cross(flat_.turn, target) >= 0 && cross(target, steep_.turn) >= 0; }
  // The longest path from place 0 to a target in the cone. Counts the cells that it evaluates off `cells_left`;
  // nothing where none are.
  [[nodiscard]] std::optional<Wide> length(Shift target, double& cells_left) const;

 private:
  Rates rates() const;
  Wide periods_spanned() const;
  void put(ClosedWalk walk, Shift target);
  void join_walks(Shift target);
  bool meets_a_line(Shift target) const;
  std::optional<Wide> length_by_turns(Shift target) const;

  const Torus& torus_;
  ClosedWalk flat_, steep_;
  // Where both walks meet: the longest path to there, if steps gain nothing at `rates`, and the longest ones from
  // there.
  bool is_joined_ = true;
  Wide beginning_ = 0;
  Shift way_there_;
  LongestPaths from_there_;
};

}  // namespace wave::backend::closed_form
