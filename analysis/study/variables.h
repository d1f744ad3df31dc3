// What varies in a study, with the values that it lists.
#pragma once

#include "analysis/study/variant.h"

#include <string>
#include <vector>

namespace wave::analysis {

// Of the first system of a study. `words` are the strings of the study, to which those of the lists are added.
std::vector<Variable> describe_variables(StudyVariant& first, const backend::Limits& limits,
                                         std::vector<std::string>& words, frontend::Diagnostics& diagnostics);

std::vector<std::string> words_of_choice(const frontend::TypeRef& type);

// Else values of the type are held as integers.
inline bool is_real(const frontend::TypeRef& type) { return std::holds_alternative<frontend::types::Real>(type->kind); }

}  // namespace wave::analysis
