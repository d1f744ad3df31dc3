// What ranks tell each other, and how it is written as bytes. All ranks run the same build on machines of one byte
// order. Bytes that are malformed nevertheless are refused.
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
  std::string claim;    // what the rank is about to compute; only those who ask for it understand it
  std::string trouble;  // why this rank cannot take part, as its user would read it; empty if it can
};
// From rank 0: compute this.
struct Assignment {
  PointRange range;
};
// To rank 0: the assigned range is computed, or its beginning if all of it takes too long.
struct Computed {
  std::vector<ComputedRange> parts;
  double seconds = 0;
};
// To rank 0: the range cannot be computed, and nothing can go on.
struct Broken {
  std::string trouble;
};
// In either direction, if nothing else has been sent for a while.
struct Alive {};
// From rank 0: there is nothing left to do.
struct NothingLeft {};
// To rank 0: this is the last notice.
struct Leaving {};

using Notice = std::variant<Hello, Assignment, Computed, Broken, Alive, NothingLeft, Leaving>;

std::string encode(const Notice& notice);
// Nothing if the bytes are no notice.
std::optional<Notice> decode(std::string_view bytes);

}  // namespace wave::ranks
