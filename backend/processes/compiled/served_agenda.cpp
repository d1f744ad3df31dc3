// Windows that are near lie in a ring of lists; all others, and single moments, in a heap.
#include "backend/processes/compiled/served_agenda.h"

#include <algorithm>

namespace wave::backend::processes::compiled {

void Agenda::add(Number process, const Moment& when) {
  if (when < end_) {
    present_.push_back(process);
    return;
  }
  if (width_ > 0) {
    const std::int64_t to = number(when);
    if (to - first_ < static_cast<std::int64_t>(windows_near) && first_ >= 0) {
      ring_[static_cast<std::size_t>(to) % windows_near].push_back(process);
      ++near_;
      return;
    }
  }
  far_.push({when, process});
}

Number Agenda::next() {
  if (taken_ < present_.size()) return present_[taken_++];
  present_.clear();
  taken_ = 0;
  return none;
}

// Those whose windows have come near.
void Agenda::fetch_far() {
  while (!far_.empty()) {
    const std::int64_t to = number(far_.top().when);
    if (to - first_ >= static_cast<std::int64_t>(windows_near)) return;
    ring_[static_cast<std::size_t>(to) % windows_near].push_back(far_.top().process);
    ++near_;
    far_.pop();
  }
}

bool Agenda::go_on() {
  if (width_ == 0) {
    if (far_.empty()) return false;
    begin_ = far_.top().when;
    end_ = {begin_.time, begin_.steps + 1};
    for (; !far_.empty() && far_.top().when < end_; far_.pop()) present_.push_back(far_.top().process);
    return true;
  }
  if (near_ == 0) {
    if (far_.empty()) return false;
    first_ = number(far_.top().when);
  } else {
    ++first_;
  }
  fetch_far();
  while (ring_[static_cast<std::size_t>(first_) % windows_near].empty()) ++first_;
  std::vector<Number>& those = ring_[static_cast<std::size_t>(first_) % windows_near];
  near_ -= those.size();
  present_.swap(those);
  begin_ = {static_cast<double>(first_ * width_) * quantum_, 0};
  end_ = {static_cast<double>((first_ + 1) * width_) * quantum_, 0};
  return true;
}

}  // namespace wave::backend::processes::compiled
