// What a leap gains over the steps that it replaces.
#pragma once

#include "backend/closed_form/combination.h"
#include "backend/closed_form/paths.h"

namespace wave::backend::closed_form {

// Over all places that it leads to: its weight less the weights of steps along the axes in this order. Nothing where it
// is too long.
std::optional<ValueRange> leap_gain(const Paths& paths, const Leap& leap, const std::vector<std::size_t>& order);

}  // namespace wave::backend::closed_form
