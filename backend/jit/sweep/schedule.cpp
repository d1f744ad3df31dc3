// Difference constraints, axis by axis, and an order of what falls into one step.
#include "backend/jit/sweep/schedule.h"

#include <algorithm>

namespace wave::jit::sweep {

namespace {

constexpr int largest_skew = 4;

// The least shifts with shift[to] >= shift[from] + offset - skew (of an earlier tile); nothing where there are none.
std::optional<std::vector<int>> shifts(std::size_t events, const std::vector<Dependence>& dependences, std::size_t axis,
                                       int skew) {
  std::vector<int> shift(events, 0);
  for (std::size_t round = 0; round <= events; ++round) {
    bool changed = false;
    for (const Dependence& dependence : dependences) {
      const int least = shift[dependence.from] + dependence.offset[axis] - (dependence.earlier_tile ? skew : 0);
      if (shift[dependence.to] >= least) continue;
      shift[dependence.to] = least;
      changed = true;
    }
    if (!changed) return shift;
  }
  return std::nullopt;
}

// Events so that each comes after those of the same step that it needs; nothing where that is a cycle.
std::optional<std::vector<std::uint32_t>> order_within_step(std::size_t events, const std::vector<Dependence>& dependences,
                                                            const Schedule& schedule) {
  std::vector<int> missing(events, 0);
  for (const Dependence& dependence : dependences) {
    if (schedule.distance(dependence) == Offset{}) ++missing[dependence.to];
  }
  std::vector<std::uint32_t> order;
  for (std::uint32_t event = 0; event < events; ++event) {
    if (missing[event] == 0) order.push_back(event);
  }
  for (std::size_t next = 0; next < order.size(); ++next) {
    for (const Dependence& dependence : dependences) {
      if (dependence.from != order[next] || schedule.distance(dependence) != Offset{}) continue;
      if (--missing[dependence.to] == 0) order.push_back(dependence.to);
    }
  }
  if (order.size() != events) return std::nullopt;
  return order;
}

// The order where tiles lag by `skew`.
std::optional<Schedule> with_skew(std::size_t events, const std::vector<Dependence>& dependences, const Offset& skew) {
  Schedule result{.skew = skew, .shift = std::vector<Offset>(events), .order = {}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto found = shifts(events, dependences, axis, skew[axis]);
    if (!found) return std::nullopt;
    for (std::size_t event = 0; event < events; ++event) result.shift[event][axis] = (*found)[event];
  }
  auto order = order_within_step(events, dependences, result);
  if (!order) return std::nullopt;
  result.order = std::move(*order);
  return result;
}

}  // namespace

Offset Schedule::distance(const Dependence& dependence) const {
  Offset result{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    result[axis] = shift[dependence.to][axis] - shift[dependence.from][axis] - dependence.offset[axis] +
                   (dependence.earlier_tile ? skew[axis] : 0);
  }
  return result;
}

std::vector<Dependence> dependences(const Events& events) {
  std::vector<Dependence> all;
  for (std::uint32_t index = 0; index < events.events.size(); ++index) {
    const Event& event = events.events[index];
    switch (event.kind) {
      case Event::Kind::largest:
        for (const Edge& edge : event.edges) all.push_back({edge.source, index, edge.offset, false});
        for (const Addend& addend : event.addends) {
          if (addend.array) all.push_back({*addend.array, index, {}, false});
        }
        break;
      case Event::Kind::earlier: all.push_back({event.of, index, {}, true}); break;
      case Event::Kind::array: all.push_back({index, index, {}, true}); break;
    }
  }
  return all;
}

// Larger skews only relax, so each axis first takes its least one; then columns, rows and planes lag further until what
// falls into one step has an order.
std::optional<Schedule> schedule(std::size_t events, const std::vector<Dependence>& dependences) {
  Offset skew{0, 0, 1};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    while (!shifts(events, dependences, axis, skew[axis])) {
      if (++skew[axis] > largest_skew) return std::nullopt;
    }
  }
  const Offset least = skew;
  for (int planes = 0; planes < 2; ++planes) {
    for (int rows = 0; rows < 2; ++rows) {
      for (int columns = 0; columns < 3; ++columns) {
        if (auto found = with_skew(events, dependences, plus(least, {planes, rows, columns}))) return found;
      }
    }
  }
  return std::nullopt;
}

bool runs_through(const backend::processes::SweepBody& body) {
  using Kind = backend::processes::SweepBody::Operation::Kind;
  std::vector<Dependence> all;
  const auto& operations = body.operations;
  const auto count = static_cast<std::uint32_t>(operations.size());
  for (std::uint32_t index = 0; index < count; ++index) {
    all.push_back({index == 0 ? count - 1 : index - 1, index, {}, index == 0});
    if (operations[index].kind != Kind::await) continue;
    Offset offset{};
    const auto& peer = operations[index].peer;
    for (std::size_t axis = 0; axis < peer.size(); ++axis) offset[axis] = peer[axis];
    for (std::uint32_t other = 0; other < count; ++other) {
      if (operations[other].kind == Kind::emit && operations[other].signal == operations[index].signal) {
        all.push_back({other, index, offset, false});
      }
    }
  }
  return schedule(count, all).has_value();
}

}  // namespace wave::jit::sweep
