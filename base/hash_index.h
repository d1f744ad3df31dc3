// Where things lie in a list, found by their hashes. The list itself is kept by the caller, so that a look at it costs
// one line of the cache here, and one there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace wave {

class HashIndex {
 public:
  static constexpr std::uint32_t none = 0xffffffff;
  // What an entry takes at most, also while the table grows.
  static constexpr std::size_t bytes_of_entry = 64;

  // The number of the thing with this hash for which is_wanted(number) holds; `none`: there is none.
  template <class IsWanted>
  std::uint32_t find(std::uint64_t hash, const IsWanted& is_wanted) const {
    if (slots_.empty()) return none;
    const std::uint32_t mark = mark_of(hash);
    for (std::size_t at = place(mark); slots_[at].number != none; at = next(at)) {
      if (slots_[at].mark == mark && is_wanted(slots_[at].number)) return slots_[at].number;
    }
    return none;
  }
  // Of the next thing in the list, which is none of those before.
  void add(std::uint64_t hash) {
    if (4 * (std::size_t{size_} + 1) > 3 * slots_.size()) grow();
    put({mark_of(hash), size_++});
  }
  void clear() { slots_.clear(), size_ = 0; }

 private:
  struct Slot {
    std::uint32_t mark = 0, number = none;
  };
  static std::uint32_t mark_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
  std::size_t place(std::uint32_t mark) const { return mark & (slots_.size() - 1); }
  std::size_t next(std::size_t place) const { return (place + 1) & (slots_.size() - 1); }
  void put(const Slot& slot) {
    std::size_t at = place(slot.mark);
    while (slots_[at].number != none) at = next(at);
    slots_[at] = slot;
  }
  void grow() {
    constexpr std::size_t fewest = 16;
    const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(std::max(fewest, 2 * slots_.size())));
    for (const Slot& slot : before) {
      if (slot.number != none) put(slot);
    }
  }

  std::vector<Slot> slots_;  // a power of two
  std::uint32_t size_ = 0;
};

}  // namespace wave
