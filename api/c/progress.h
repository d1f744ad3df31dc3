// A call that evaluates many rows or points: whom it tells how far it is, and whether somebody ended it.
#pragma once

#include "api/include/wave/wave.h"

#include <atomic>
#include <cstdint>

namespace wave::api {

class RunControl {
 public:
  // A call begins. That one before was stopped counts no more. `progress` may be null.
  void begin(wave_progress progress, void* data) {
    is_stopped_ = false;
    all_ = 0;
    progress_ = progress;
    data_ = data;
  }
  // It has so many rows or points, none of which is done yet.
  void expect(std::uint64_t all) {
    all_ = all;
    tell(0);
  }
  // From one thread at a time.
  void tell(std::uint64_t done) { tell(done, all_); }
  void tell(std::uint64_t done, std::uint64_t all) {
    if (progress_ && progress_(done, all, data_) != 0) is_stopped_ = true;
  }
  // From any thread.
  void stop() { is_stopped_ = true; }
  const std::atomic<bool>& is_stopped() const { return is_stopped_; }

 private:
  std::atomic<bool> is_stopped_{false};
  std::uint64_t all_ = 0;
  wave_progress progress_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace wave::api
