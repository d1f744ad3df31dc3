// Which process something happens to next, where resources serve by time.
#pragma once

#include "backend/processes/engine/calendar.h"
#include "backend/processes/engine/layout.h"
#include "backend/processes/engine/moment.h"

#include <cstdint>
#include <vector>

namespace wave::backend::processes::engine {

// Processes by the moment at which something happens to them next. Those of one window are looked at together: what
// happens to one of them leads to nothing at another before the window ends.
class Agenda {
 public:
  // `width`: of a window, ps, a power of two; 0: a window is one moment.
  explicit Agenda(double width) : width_(width), windows_(width > 0 ? 1 / width : 0), ring_(width > 0 ? near : 0) {}

  // The beginning of the window of a moment.
  ServedMoment window(const ServedMoment& when) const {
    return width_ == 0 ? when : ServedMoment{static_cast<double>(number(when)) * width_, 0};
  }
  // That of the present window is given at once.
  void add(Number process, const ServedMoment& when) {
    const std::int64_t behind = width_ == 0 ? near : number(when) - present_number_;
    if (when < end_)
      present_.push_back(process);
    else if (behind < near)
      add_near(process, number(when));
    else
      far_.push({when, process});
  }
  // The next process of the present window; none: there is no more, for now.
  Number next() {
    if (taken_ < present_.size()) return present_[taken_++];
    present_.clear();
    taken_ = 0;
    return none;
  }
  // Some of those that come after it; none: there are fewer.
  Number later(std::size_t after) const { return taken_ + after < present_.size() ? present_[taken_ + after] : none; }
  bool has_more() const { return taken_ < present_.size(); }
  // Goes to the window of the earliest that was added. False: there is none.
  bool go_on();
  // Of the present window, which ends before.
  const ServedMoment& end() const { return end_; }
  double width() const { return width_; }

 private:
  static constexpr std::int64_t near = 4096;  // windows that are found without a search
  std::int64_t number(const ServedMoment& when) const { return static_cast<std::int64_t>(when.time * windows_); }
  void add_near(Number process, std::int64_t to) {
    ring_[static_cast<std::size_t>(to % near)].push_back(process);
    ++near_;
  }
  void fetch_far();

  const double width_, windows_;  // windows in a ps
  ServedMoment end_{-1, 0};
  std::vector<Number> present_;
  std::size_t taken_ = 0;                    // of those
  std::int64_t present_number_ = -2 * near;  // of windows
  std::vector<std::vector<Number>> ring_;    // of the windows behind it
  std::size_t near_ = 0;                     // processes in there
  Calendar far_;
};

}  // namespace wave::backend::processes::engine
