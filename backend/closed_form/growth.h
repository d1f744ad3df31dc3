// Values that from some slice on grow by the same amount in every period: seen once, with a certificate that it goes
// on.
#pragma once

#include "backend/closed_form/form.h"
#include "backend/closed_form/recurrence.h"

namespace wave::backend::closed_form {

// Slices are taken along the longest axis; costs repeat along it. Null: no such growth shows within problem.most_cells.
std::unique_ptr<Solution> solve_by_growth(const Problem& problem, const Form& form);

}  // namespace wave::backend::closed_form
