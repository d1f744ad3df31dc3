// A stretch of source text. The IR carries locations so that a failure at run time can point at the expression that
// failed. Only the front end knows what a file id means.
#pragma once

#include <cstdint>

namespace wave {

struct Location {
  static constexpr std::uint32_t no_file = 0xffffffff;
  std::uint32_t file = no_file;  // an id of frontend::Sources
  std::uint32_t begin = 0;       // byte offsets; `end` is past the end
  std::uint32_t end = 0;

  bool known() const { return file != no_file; }
  friend bool operator==(const Location&, const Location&) = default;
};

// The smallest location that covers both; `a` and `b` are in one file.
inline Location cover(Location a, Location b) {
  if (!a.known()) return b;
  if (!b.known()) return a;
  return {a.file, a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

}  // namespace wave
