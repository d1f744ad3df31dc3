// An observer learns how a long evaluation goes: what has begun, how long it may take, and how much of it is done.
// Engines report to it, and do not know what it makes of that (a line on a terminal, say).
#pragma once

#include "backend/thresholds.h"

#include <string_view>

namespace wave::backend {

// From one thread at a time. What is called takes microseconds; it is looked at about as often as the clock is.
class Observer {
 public:
  virtual ~Observer() = default;
  // `count` cells of the event `name`, or processes of the process `name`, are being evaluated; `what` says which
  // ("cells", "processes"). About so many seconds in all; 0: nothing is known. Something else that was begun before is
  // over.
  virtual void begin(std::string_view name, double count, std::string_view what, double seconds) = 0;
  // How much of it is done, from 0 to 1, rising.
  virtual void advance(double part) = 0;
};

// What an evaluation that measures itself as it goes tells an observer: it begins once its speed is known.
class Announcement {
 public:
  void tell(Observer* observer, std::string_view name, double count, std::string_view what, double spent, double part) {
    if (observer == nullptr || part <= 0 || (!begun_ && spent < seconds_until_judged)) return;
    if (!begun_) observer->begin(name, count, what, spent / part);
    begun_ = true;
    observer->advance(part);
  }

 private:
  bool begun_ = false;
};

}  // namespace wave::backend
