// Windows that are near lie in a ring of lists; all others, and single moments, in a heap.
#include "backend/processes/engine/served_agenda.h"

namespace wave::backend::processes::engine {

// Those whose windows have come near.
void Agenda::fetch_far() {
  for (; !far_.empty() && number(far_.top().when) - present_number_ < near; far_.pop())
    add_near(far_.top().process, number(far_.top().when));
}

bool Agenda::go_on() {
  if (width_ == 0) {
    if (far_.empty()) return false;
    const ServedMoment begin = far_.top().when;
    end_ = {begin.time, begin.steps + 1};
    for (; !far_.empty() && far_.top().when < end_; far_.pop()) present_.push_back(far_.top().process);
    return true;
  }
  if (near_ == 0 && far_.empty()) return false;
  present_number_ = near_ == 0 ? number(far_.top().when) : present_number_ + 1;
  fetch_far();
  while (ring_[static_cast<std::size_t>(present_number_ % near)].empty()) ++present_number_;
  std::vector<Number>& those = ring_[static_cast<std::size_t>(present_number_ % near)];
  near_ -= those.size();
  present_.swap(those);
  end_ = {static_cast<double>(present_number_ + 1) * width_, 0};
  return true;
}

}  // namespace wave::backend::processes::engine
