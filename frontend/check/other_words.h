// Words of other languages and of MPI for what Wave calls otherwise.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wave::frontend::check {

// The way on for one who writes `word`, as a help: of Wave's names for it those that are among `known`. Empty where it
// is no such word or none of them is known.
std::string help_for_other_word(std::string_view word, const std::vector<std::string>& known);

}  // namespace wave::frontend::check
