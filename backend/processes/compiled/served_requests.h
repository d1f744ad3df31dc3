// What asks for resources of a process and has not been served yet.
#pragma once

#include "backend/processes/compiled/served_agenda.h"
#include "backend/processes/compiled/served_ends.h"

#include <tuple>
#include <utility>
#include <vector>

namespace wave::backend::processes::compiled {

struct Request {
  enum class Kind : std::uint8_t { emit, await, acquire, arrival, processor };
  Moment when;              // it may be served; later where it has been found to wait
  Moment at;                // with all down to `order`, its stamp
  Number process = 0;       // that asks, or whose signal arrives
  std::uint32_t call = 0;   // which of its messages
  std::int16_t place = 0;   // of the step in its end
  std::uint16_t order = 0;  // of several requests of one signal
  Kind kind{};
  Side side{};
  Number message = none, operation = none;  // in the background; or none
  const ServedEnds::Step* step = nullptr;   // of all but `processor`
  Moment from;                              // when it was made
  double time = 0;                          // for which it needs the processor
  Number child = none, sibling = none;

  friend bool operator<(const Request& a, const Request& b) {
    if (a.when < b.when || b.when < a.when) return a.when < b.when;
    if (a.at < b.at || b.at < a.at) return a.at < b.at;
    return std::tie(a.process, a.call, a.place, a.order) < std::tie(b.process, b.call, b.place, b.order);
  }
};

// Those of all processes, each process's as a pairing heap that begins at its first.
class ServedRequests {
 public:
  // How many bytes the next `add` may need beyond those in use.
  std::size_t growth() const {
    return free_ == none && all_.size() == all_.capacity() ? (all_.size() + 1) * sizeof(Request) : 0;
  }
  // The first of these and the new one.
  Number add(Number first, const Request& request) {
    Number number = free_;
    if (number == none) {
      number = static_cast<Number>(all_.size());
      all_.push_back(request);
    } else {
      free_ = all_[number].sibling;
      all_[number] = request;
    }
    all_[number].child = all_[number].sibling = none;
    return first == none ? number : merge(first, number);
  }
  const Request& operator[](Number number) const { return all_[number]; }
  // Takes the first away, and gives the first of the others.
  Number remove(Number first) {
    const Number rest = merge_all(all_[first].child);
    all_[first].sibling = free_;
    free_ = first;
    return rest;
  }

 private:
  Number merge(Number a, Number b) {
    if (all_[b] < all_[a]) std::swap(a, b);
    all_[b].sibling = all_[a].child;
    all_[a].child = b;
    return a;
  }
  // Two by two from the front, then one by one from the back.
  Number merge_all(Number list) {
    Number pairs = none;
    while (list != none) {
      const Number a = list, b = all_[a].sibling;
      list = b == none ? none : all_[b].sibling;
      const Number pair = b == none ? a : merge(a, b);
      all_[pair].sibling = pairs;
      pairs = pair;
    }
    Number result = none;
    while (pairs != none) {
      const Number next = all_[pairs].sibling;
      result = result == none ? pairs : merge(result, pairs);
      pairs = next;
    }
    if (result != none) all_[result].sibling = none;
    return result;
  }

  std::vector<Request> all_;
  Number free_ = none;
};

}  // namespace wave::backend::processes::compiled
