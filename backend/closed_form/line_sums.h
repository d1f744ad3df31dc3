// Sums of cell functions along lines.
#pragma once

#include "backend/closed_form/cell_function.h"

#include <map>

namespace wave::backend::closed_form {

// Along one axis.
class LineSums {
 public:
  // Whether the rows of its table are few enough to be kept; a proof is refused where they are not.
  [[nodiscard]] static bool covers(const CellFunction& function, std::size_t axis);
  LineSums(const CellFunction& function, std::size_t axis);
  // Over the places from first to last along the axis, at `places` along the others.
  Wide over(const Places& places, std::int64_t first, std::int64_t last) const;

 private:
  const Sums& row(const Places& places) const;

  const CellFunction& function_;
  std::size_t axis_;
  Sums own_;
  mutable std::map<std::vector<std::int64_t>, Sums> rows_;  // of the table, by classes
};

}  // namespace wave::backend::closed_form
