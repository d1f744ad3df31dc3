// Moments, stamps, and the agenda of events. Many things can happen at one time, some of them because of others. A
// moment is therefore a time and the number of steps without duration that led there.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <set>

namespace wave::simulator {

struct Moment {
  bool is_late = true;  // false: an end that started infinitely earlier than the other, before all other moments
  double time = 0;
  std::int64_t count = 0;
  auto operator<=>(const Moment&) const = default;
};

// The moment one step later.
inline Moment after(const Moment& moment, double length) {
  if (length > 0) return {moment.is_late, moment.time + length, 0};
  return {moment.is_late, moment.time, moment.count + 1};
}

// Decides who is served first.
struct Stamp {
  Moment moment;
  std::size_t process = 0;
  std::size_t message = 0;  // its number among the messages that the process calls
  std::int64_t place = 0;   // of the step in its end; for an arriving signal, of the `emit` in the other end
  bool arrives = false;     // at the same place, the end itself comes before a signal that arrives for it
  std::size_t written = 0;  // the order of several requests by one arriving signal
  auto operator<=>(const Stamp&) const = default;
};

class Desk;

// Runs events in the order of moments. At each moment, everything that is due happens first. Then desks look at the
// requests that have been made by then.
class Agenda {
 public:
  void at(const Moment& moment, std::function<void()> happens);
  void look_at(const Moment& moment, Desk& desk) { looks_.insert({moment, &desk}); }
  void run();

 private:
  struct Event {
    Moment moment;
    std::size_t number;
    std::function<void()> happens;
    bool operator<(const Event& other) const {
      return moment != other.moment ? moment > other.moment : number > other.number;
    }
  };
  Moment now_{false, 0, 0};
  std::size_t events_ = 0;
  std::priority_queue<Event> queue_;
  std::set<std::pair<Moment, Desk*>> looks_;
};

}  // namespace wave::simulator
