// Things that come and go, by number, all of one kind.
#pragma once

#include "backend/processes/engine/layout.h"
#include "base/large_array.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace wave::backend::processes::engine {

// Where they lie. These move when there are more of them.
template <class Thing>
class OneVector {
 public:
  static_assert(std::is_trivially_copyable_v<Thing>);
  Thing& operator[](Number number) { return at(number); }
  const Thing& operator[](Number number) const { return at(number); }
  // More of them: the first, and the one behind the last. `claim`: bytes; throws.
  std::pair<Number, Number> grow(const std::function<void(std::int64_t)>& claim) {
    const std::size_t before = all_.size() / sizeof(Thing), after = std::max<std::size_t>(64, 2 * before);
    claim(static_cast<std::int64_t>(after * sizeof(Thing)));
    LargeArray<std::byte> more(after * sizeof(Thing));
    std::copy_n(all_.data(), all_.size(), more.data());
    for (std::size_t i = before; i < after; ++i) new (more.data() + i * sizeof(Thing)) Thing;
    all_ = std::move(more);
    claim(-static_cast<std::int64_t>(before * sizeof(Thing)));  // while they moved there were both
    return {static_cast<Number>(before), static_cast<Number>(after)};
  }

 private:
  Thing& at(Number number) const { return reinterpret_cast<Thing*>(all_.data())[number]; }
  LargeArray<std::byte> all_;
};

// These stay where they are, so that other threads may look at them meanwhile. Copies have the same things. One thread
// at a time has it grow.
template <class Thing>
class SharedSegments {
 public:
  Thing& operator[](Number number) const {
    const Number at = number + first_size;
    const int segment = std::bit_width(at) - 1;
    return (*segments_)[static_cast<std::size_t>(segment - first_bits)][at - (Number{1} << segment)];
  }
  std::pair<Number, Number> grow(const std::function<void(std::int64_t)>& claim) {
    std::size_t segment = 0;
    while ((*segments_)[segment]) ++segment;
    const Number size = first_size << segment, before = size - first_size;
    claim(static_cast<std::int64_t>(size * sizeof(Thing)));
    (*segments_)[segment] = std::make_unique<Thing[]>(size);
    return {before, before + size};
  }

 private:
  static constexpr int first_bits = 6;
  static constexpr Number first_size = 1 << first_bits;
  // Each is as large as all before it, and the first once more.
  using Segments = std::array<std::unique_ptr<Thing[]>, 32 - first_bits>;
  std::shared_ptr<Segments> segments_ = std::make_shared<Segments>();
};

// `Thing` has a `Number next`, which whoever holds it may use.
template <class Thing, class All = OneVector<Thing>>
class Pool {
 public:
  // `claim`: bytes; throws. `all`: where things of other pools may lie, too.
  explicit Pool(std::function<void(std::int64_t)> claim, All all = {})
      : claim_(std::move(claim)), all_(std::move(all)) {}

  Thing& operator[](Number number) { return all_[number]; }
  const Thing& operator[](Number number) const { return all_[number]; }
  const All& all() const { return all_; }
  bool is_empty() const { return free_ == none; }  // the next one has it grow
  // One that is as somebody has left it. References to others hold no longer, where they lie in one vector.
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
    const auto [first, end] = all_.grow(claim_);
    for (Number number = end; number-- > first;) free(number);
  }

  const std::function<void(std::int64_t)> claim_;
  All all_;
  Number free_ = none;
};

}  // namespace wave::backend::processes::engine
