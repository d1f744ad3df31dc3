// What the runs that a model is made of leave open.
#pragma once

#include "analysis/inferred/formula_text.h"

#include <string>
#include <vector>

namespace wave::analysis::inferred {

// Each with the run that would settle it.
std::vector<std::string> doubts_of(FormulaText& text, const Explained& explained);

}  // namespace wave::analysis::inferred
