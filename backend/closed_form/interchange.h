// How much is gained by interchanging two steps of a path.
#pragma once

#include "backend/closed_form/combination.h"
#include "backend/closed_form/paths.h"

namespace wave::backend::closed_form {

// For axes x and y that move, over all places p that have both places before: d(p) =
// [w_y(p - x) + w_x(p)] - [w_x(p - y) + w_y(p)], by how much going along y first is better than going along x first.
// Nothing: the proof is refused, as by Combination::range.
[[nodiscard]] std::optional<ValueRange> interchange_range(const Paths& paths, std::size_t x, std::size_t y);

// Along `axis`, which is x or y, from place 1 on: where this is the same for two places, d is, at all places along the
// other axis. For groups without other axes. Nothing where there are more than `most` kinds.
[[nodiscard]] std::optional<IndexFunction> interchange_kinds(const Paths& paths, std::size_t x, std::size_t y,
                                                             std::size_t axis, std::size_t most);

}  // namespace wave::backend::closed_form
