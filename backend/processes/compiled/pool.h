// Things that come and go, by number, all of one kind.
#pragma once

#include "backend/processes/compiled/layout.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace wave::backend::processes::compiled {

// `Thing` has a `Number next`, which whoever holds it may use.
template <class Thing>
class Pool {
 public:
  // `claim`: bytes; throws.
  explicit Pool(std::function<void(std::int64_t)> claim) : claim_(std::move(claim)) {}

  Thing& operator[](Number number) { return all_[number]; }
  const Thing& operator[](Number number) const { return all_[number]; }
  // One that is as somebody has left it. References to others hold no longer.
  Number make() {
    if (free_ == none) grow();
    const Number number = free_;
    free_ = all_[number].next;
    return number;
  }
  Number make(const Thing& thing) {
    const Number number = make();
    all_[number] = thing;
    return number;
  }
  void free(Number number) {
    all_[number].next = free_;
    free_ = number;
  }

 private:
  void grow() {
    const std::size_t before = all_.size(), after = std::max<std::size_t>(64, 2 * before);
    claim_(static_cast<std::int64_t>(after * sizeof(Thing)));
    all_.resize(after);
    claim_(-static_cast<std::int64_t>(before * sizeof(Thing)));  // while they moved there were both
    for (std::size_t number = after; number-- > before;) free(static_cast<Number>(number));
  }

  const std::function<void(std::int64_t)> claim_;
  std::vector<Thing> all_;
  Number free_ = none;
};

}  // namespace wave::backend::processes::compiled
