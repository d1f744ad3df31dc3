// What ranks say to each other, and how it is written as bytes. All ranks run the same build on machines of one byte
// order; what is malformed nevertheless is refused, not believed.
#pragma once

#include "analysis/study/ranks/evaluator.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace wave::ranks {

// To rank 0, first of all.
struct Hello {
  std::string host;     // filled in by follow()
  std::string claim;    // what it is about to compute: only who asks for it understands it
  std::string trouble;  // why this rank cannot take part, as its user would read it; empty: it can
};
// From rank 0: compute this.
struct Assignment {
  PointRange range;
};
// To rank 0: this range is computed, from its beginning. It is a part of the range if all of it takes too long.
struct Computed {
  std::vector<ComputedRange> parts;
  double seconds = 0;
};
// To rank 0: it cannot be computed, and nothing can go on.
struct Broken {
  std::string trouble;
};
// In either direction, if nothing else has been sent for a while.
struct Alive {};
// From rank 0: there is nothing left to do.
struct NothingLeft {};
// To rank 0: this is the last word.
struct Leaving {};

using Word = std::variant<Hello, Assignment, Computed, Broken, Alive, NothingLeft, Leaving>;

std::string encode(const Word& word);
// Nothing where the bytes are none of these.
std::optional<Word> decode(std::string_view bytes);

}  // namespace wave::ranks
