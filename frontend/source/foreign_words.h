// Words of MPI and of other languages, with what Wave has for them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wave::frontend {

struct ForeignWord {
  std::string_view word;                // without capitals, underscores and MPI's prefix
  std::vector<std::string> names = {};  // of Wave's, any of which may be meant where it is known
  std::string_view answer = {};         // where none of these is known
};

std::span<const ForeignWord> foreign_words();

// A word as the table has it: `MPI_Reduce_scatter` is `reducescatter`.
std::string plain_word(std::string_view written);

// Null if the table does not have the word.
const ForeignWord* find_foreign_word(std::string_view written);

}  // namespace wave::frontend
