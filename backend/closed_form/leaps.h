// What a leap gains over the steps that it replaces.
#pragma once

#include "backend/closed_form/combination.h"
#include "backend/closed_form/paths.h"

namespace wave::backend::closed_form {

// Longer ones are not compared with steps.
bool is_short(const Leap& leap);

// Over all places that a short leap leads to: its weight less the weights of steps along the axes in this order.
// Nothing: the proof is refused, as by Combination::range.
[[nodiscard]] std::optional<ValueRange> leap_gain(const Paths& paths, const Leap& leap,
                                                  const std::vector<std::size_t>& order);

}  // namespace wave::backend::closed_form
