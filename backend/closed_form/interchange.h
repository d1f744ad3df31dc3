// How much is gained by interchanging two steps of a path.
#pragma once

#include "backend/closed_form/combination.h"
#include "backend/closed_form/paths.h"

namespace wave::backend::closed_form {

// For axes x and y that move, over all places p that have both places before: d(p) =
// [w_y(p - x) + w_x(p)] - [w_x(p - y) + w_y(p)], by how much going along y first is better than going along x first.
// The paths must outlive it.
Combination interchange(const Paths& paths, std::size_t x, std::size_t y);

}  // namespace wave::backend::closed_form
