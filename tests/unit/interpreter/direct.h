// A third opinion on max-plus recurrences. Weights and values are whole numbers of a unit 2^-bits, in 128 bits, and a
// cell is evaluated by plain recursion with a memory. It shares nothing with the IR except the system it describes.
#pragma once

#include "tests/random/choices.h"
#include "tests/unit/interpreter/fixture.h"

#include <map>

namespace wave::test {

struct DirectConstraint {
  int source = -1;  // -1 stands for a constant
  std::vector<std::int32_t> offset;
  std::vector<std::int64_t> base;                // per weight, in units
  std::vector<std::vector<std::int64_t>> slope;  // per weight and axis: units per step of the index
  int guard_axis = -1;                           // it holds where the index along this axis is at least `guard_from`
  std::int64_t guard_from = 0;
};

struct DirectEvent {
  std::vector<DirectConstraint> constraints;
  std::int64_t otherwise = 0;
};

class Direct {
 public:
  int bits = 10;
  std::vector<std::int64_t> first, last;
  std::vector<bool> wrap;
  std::vector<DirectEvent> events;

  using Wide = __int128;
  Wide value(int event, const std::vector<std::int64_t>& point);

  // The same recurrence as a system.
  std::vector<ir::EventId> build(Fixture& fixture) const;

 private:
  std::optional<std::vector<std::int64_t>> move(const std::vector<std::int64_t>& point,
                                                const std::vector<std::int32_t>& offset) const;
  std::map<std::pair<int, std::vector<std::int64_t>>, Wide> known_;
};

// With `slopes`, weights are multiples of 2^-10. Otherwise they are any 53-bit multiples of 2^-44, so most of them are
// rounded.
Direct random_direct(std::uint64_t seed, bool slopes);

}  // namespace wave::test
