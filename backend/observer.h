// Who is told how an evaluation goes that takes more than a moment: what is begun, how long it may take, how much of it
// is done. Engines tell; what becomes of it (a line on a terminal, say) is not their matter.
#pragma once

#include <string_view>

namespace wave::backend {

// From one thread at a time. What is called takes microseconds; it is looked at about as often as the clock is.
class Observer {
 public:
  virtual ~Observer() = default;
  // Before `count` cells of the event `name`, or processes of the process `name`, are evaluated; `what` says which ("cells",
  // "processes"). About so many seconds, by an estimate; 0: nothing is known. Something else that was begun before is over.
  virtual void begin(std::string_view name, double count, std::string_view what, double seconds) = 0;
  // How much of it is done, from 0 to 1, rising.
  virtual void advance(double part) = 0;
};

}  // namespace wave::backend
