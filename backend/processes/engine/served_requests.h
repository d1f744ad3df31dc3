// What asks for resources of a process and has not been served yet.
#pragma once

#include "backend/processes/engine/moment.h"
#include "backend/processes/engine/pool.h"
#include "backend/processes/engine/served_ends.h"

#include <tuple>
#include <utility>

namespace wave::backend::processes::engine {

struct ServedMessage;

struct ServedRequest {
  // `ahead`: of a program that waits for its clock to come; it is before all others of its moment. `choice`: of one
  // that goes on with what has ended by then; it is behind all others of its moment.
  enum class Kind : std::uint8_t { emit, await, acquire, arrival, processor, ahead, choice };
  ServedMoment when;       // it may be served
  ServedMoment at;         // with all down to `order`, its stamp
  Number process = 0;      // that asks, or whose signal arrives
  std::uint32_t call = 0;  // which of its messages
  std::int16_t place = 0;  // of the step in its end
  Kind kind{};
  Side side{};
  std::uint32_t order = 0;  // of several requests of one signal
  std::uint16_t use = 0;    // of what its signal passes, which
  Number operation = none;  // in the background; or none
  // Of all but `processor`, `ahead` and `choice`.
  const ServedEnds::Step* step = nullptr;
  ServedMessage* message = nullptr;
  Number child = none, next = none;  // in its heap; free: the next one

  // Its stamp is the lesser.
  friend bool operator<(const ServedRequest& a, const ServedRequest& b) {
    if (a.at < b.at || b.at < a.at) return a.at < b.at;
    return std::tie(a.process, a.call, a.place, a.order) < std::tie(b.process, b.call, b.place, b.order);
  }
};

inline constexpr std::int32_t before_steps = -1;  // the place of a request that is no step of a message

static_assert(sizeof(ServedRequest) <= 80,
              "there may be one for each message, and they are read in no particular order");

// Of two that can be served from then on.
struct ByMoment {
  bool operator()(const ServedRequest& a, const ServedRequest& b) const {
    return a.when < b.when || (!(b.when < a.when) && a < b);
  }
};
// Of two that wait for the same.
struct ByStamp {
  bool operator()(const ServedRequest& a, const ServedRequest& b) const { return a < b; }
};

// Those of all processes, in pairing heaps, each of which begins at its first.
class ServedRequests : public Pool<ServedRequest> {
 public:
  using Pool::Pool;
  // The first of a heap and of one that is in none.
  template <class Order>
  Number add(Number first, Number number) {
    (*this)[number].child = (*this)[number].next = none;
    return first == none ? number : merge<Order>(first, number);
  }
  // The first of the others.
  template <class Order>
  Number rest(Number first) {
    const Number child = (*this)[first].child;
    if (child == none || (*this)[child].next == none) return child;
    return merge_all<Order>(child);
  }

 private:
  template <class Order>
  Number merge(Number a, Number b) {
    if (Order{}((*this)[b], (*this)[a])) std::swap(a, b);
    (*this)[b].next = (*this)[a].child;
    (*this)[a].child = b;
    return a;
  }
  // Two by two from the front, then one by one from the back.
  template <class Order>
  Number merge_all(Number list) {
    Number pairs = none;
    while (list != none) {
      const Number a = list, b = (*this)[a].next;
      list = b == none ? none : (*this)[b].next;
      const Number pair = b == none ? a : merge<Order>(a, b);
      (*this)[pair].next = pairs;
      pairs = pair;
    }
    Number result = none;
    while (pairs != none) {
      const Number next = (*this)[pairs].next;
      result = result == none ? pairs : merge<Order>(result, pairs);
      pairs = next;
    }
    (*this)[result].next = none;
    return result;
  }
};

}  // namespace wave::backend::processes::engine
