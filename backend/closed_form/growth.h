// Values that grow by the same amount in every period from some slice on. The growth is observed once, with a
// certificate that it continues.
#pragma once

#include "backend/closed_form/form.h"
#include "backend/closed_form/recurrence.h"

namespace wave::backend::closed_form {

// Slices are taken along the longest axis, along which the costs must repeat. Null if no such growth shows within
// problem.most_cells.
std::unique_ptr<Solution> solve_by_growth(const Problem& problem, const Form& form);

}  // namespace wave::backend::closed_form
