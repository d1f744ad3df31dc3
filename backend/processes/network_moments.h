// When something happens, and who asks first: docs/processes.md, Who asks first.
#pragma once

#include "backend/processes/network_control.h"
#include "backend/processes/network_times.h"

#include <cstdint>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace wave::backend::processes::network {

// A time, and how many steps of no duration have been taken since it was reached. Without resources nobody looks at the
// steps, and none are counted.
template <class Times>
struct Moment {
  typename Times::Clock clock{};
  std::uint32_t steps = 0;
};

// What requests are ordered by.
struct Stamp {
  struct At {
    double time = 0;
    std::uint32_t steps = 0;
    friend bool operator<(const At& a, const At& b) { return std::tie(a.time, a.steps) < std::tie(b.time, b.steps); }
  };
  At at;
  Number process = 0;       // that asks, or whose signal arrives
  std::uint32_t call = 0;   // which of its messages
  std::int32_t place = 0;   // of the step in its end
  std::uint32_t order = 0;  // of several requests of one signal
  friend bool operator<(const Stamp& a, const Stamp& b) {
    return std::tie(a.at, a.process, a.call, a.place, a.order) < std::tie(b.at, b.process, b.call, b.place, b.order);
  }
};

template <class Times>
Stamp::At at(const Moment<Times>& moment) {
  return {Times::time(moment.clock), moment.steps};
}

template <class Times>
struct IsEarlier {
  bool operator()(const Moment<Times>& a, const Moment<Times>& b) const { return at(a) < at(b); }
};

// Something that asks for resources of a process.
template <class Times>
struct Request {
  enum class Kind : std::uint8_t { emit, await, acquire, arrival, processor } kind{};
  Stamp stamp;
  Number process = none;  // whose resources
  Moment<Times> from;     // when it can be served at the earliest
  Cause cause;            // of the processor
  double time = 0;        // for which it needs the processor
  // Of all but `processor`: the step, of which message, and in which operation in the background (or none).
  const ResolvedStep* step = nullptr;
  std::uint32_t use = 0;  // of the step's, which
  Number message = none, operation = none;
  ir::Message::Side side{};
  ir::EndsId machine;
  const ir::Statement* statement = nullptr;
};

// Those that have not been served yet, by the moment at which they may be, then by stamp.
template <class Times>
class Requests {
 public:
  bool empty() const { return queue_.empty(); }
  std::size_t size() const { return requests_.size() - free_.size(); }
  // How many bytes the next `add` may need beyond those in use.
  std::size_t growth() const {
    return free_.empty() && requests_.size() == requests_.capacity() ? (requests_.size() + 1) * bytes_each : 0;
  }
  void add(Request<Times> request, const Stamp::At& when) {
    if (free_.empty()) {
      free_.push_back(static_cast<Number>(requests_.size()));
      requests_.emplace_back();
    }
    const Number number = free_.back();
    free_.pop_back();
    requests_[number] = std::move(request);
    put_back(number, when);
  }
  struct Entry {
    Stamp::At when;
    Stamp stamp;
    Number number;
    friend bool operator<(const Entry& a, const Entry& b) {  // the first is the greatest in the queue
      return std::tie(b.when, b.stamp) < std::tie(a.when, a.stamp);
    }
  };
  // The reference holds until the next `add`.
  std::pair<Entry, Request<Times>&> take_first() {
    const Entry entry = queue_.top();
    queue_.pop();
    return {entry, requests_[entry.number]};
  }
  void put_back(Number number, const Stamp::At& when) { queue_.push({when, requests_[number].stamp, number}); }
  void remove(Number number) { free_.push_back(number); }

 private:
  static constexpr std::size_t bytes_each = sizeof(Request<Times>) + sizeof(Entry) + sizeof(Number);
  std::vector<Request<Times>> requests_;
  std::vector<Number> free_;
  std::priority_queue<Entry> queue_;
};

}  // namespace wave::backend::processes::network
