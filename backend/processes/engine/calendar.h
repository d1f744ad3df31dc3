// What will happen, by its moment. Only what comes soon is kept in order: the rest lies in buckets by its time, or,
// where it comes later than these reach, on a pile, from which the buckets are filled anew when they are empty. Their
// width follows from what is on the pile then.
#pragma once

#include "backend/processes/engine/layout.h"
#include "backend/processes/engine/moment.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <ranges>
#include <vector>

namespace wave::backend::processes::engine {

class Calendar {
 public:
  struct Entry {
    ServedMoment when;
    Number process;
    friend bool operator>(const Entry& a, const Entry& b) { return b.when < a.when; }
  };

  bool empty() const { return soon_.empty(); }
  // The earliest.
  const Entry& top() const { return soon_.front(); }
  void push(const Entry& entry) {
    if (soon_.empty()) begin_ = entry.when.time, buckets_in_ps_ = at_once, next_ = filled_ = 1;
    const std::size_t bucket = bucket_of(entry);
    if (bucket < next_) {
      soon_.push_back(entry);
      std::ranges::push_heap(soon_, std::greater{});
    } else {
      (bucket < filled_ ? buckets_[bucket] : pile_).push_back(entry);
    }
  }
  void pop() {
    std::ranges::pop_heap(soon_, std::greater{});
    soon_.pop_back();
    if (soon_.empty()) open_next();
  }

 private:
  static constexpr std::size_t most_buckets = 1024;
  static constexpr double entries_of_bucket = 8, at_once = std::numeric_limits<double>::infinity();

  // The first also has what is earlier, and of those that are `at_once` what is not later.
  std::size_t bucket_of(const Entry& entry) const {
    const double bucket = (entry.when.time - begin_) * buckets_in_ps_;
    return !(bucket >= 1) ? 0 : static_cast<std::size_t>(std::min(bucket, static_cast<double>(most_buckets)));
  }
  void open_next() {
    while (next_ < filled_ && buckets_[next_].empty()) ++next_;
    if (next_ == filled_) {
      if (pile_.empty()) return;
      fill();
    }
    soon_.swap(buckets_[next_++]);
    std::ranges::make_heap(soon_, std::greater{});
  }
  // The buckets, from the pile; the first of them holds something.
  void fill() {
    // By the nearer half: what comes much later should not widen the buckets of what comes soon.
    const auto time = [](const Entry& one) { return one.when.time; };
    const auto middle = pile_.begin() + static_cast<std::ptrdiff_t>(pile_.size() / 2);
    std::ranges::nth_element(pile_, middle, {}, time);
    begin_ = std::ranges::min(pile_ | std::views::take(pile_.size() / 2 + 1), {}, time).when.time;
    buckets_in_ps_ = static_cast<double>(pile_.size()) / 2 / entries_of_bucket / (middle->when.time - begin_);
    next_ = 0;
    filled_ = most_buckets;
    buckets_.resize(filled_);
    std::erase_if(pile_, [this](const Entry& entry) {
      const std::size_t bucket = bucket_of(entry);
      if (bucket < filled_) buckets_[bucket].push_back(entry);
      return bucket < filled_;
    });
  }

  std::vector<Entry> soon_;  // a heap; empty: nothing is left
  std::vector<std::vector<Entry>> buckets_;
  std::size_t next_ = 0, filled_ = 0;  // those before `next_` have been opened, and `filled_` are in use
  double begin_ = 0, buckets_in_ps_ = 0;
  std::vector<Entry> pile_;
};

}  // namespace wave::backend::processes::engine
