// Difference constraints, axis by axis, and an order of what falls into one step.
#include "backend/jit/sweep/schedule.h"

#include "backend/jit/sweep/thresholds.h"

#include <algorithm>

namespace wave::jit::sweep {

namespace {

// Events so that each comes after those of the same step that it needs; nothing where that is a cycle.
std::optional<std::vector<std::uint32_t>> order_within_step(std::size_t events,
                                                            const std::vector<Dependence>& dependences,
                                                            const StepOrder& schedule) {
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
std::optional<StepOrder> with_skew(std::size_t events, const std::vector<Dependence>& dependences, const Offset& skew) {
  StepOrder result{.lean = {}, .skew = skew, .shift = std::vector<Offset>(events), .order = {}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto found = strips::least_shifts(axis, events, dependences, skew[axis]);
    if (!found) return std::nullopt;
    for (std::size_t event = 0; event < events; ++event) result.shift[event][axis] = (*found)[event];
  }
  auto order = order_within_step(events, dependences, result);
  if (!order) return std::nullopt;
  result.order = std::move(*order);
  return result;
}

// Each axis first takes its least skew; then columns, rows and planes lag further until what falls into one step has an
// order.
std::optional<StepOrder> with_lean(std::size_t events, std::vector<Dependence> dependences, const Lean& lean) {
  for (Dependence& dependence : dependences) dependence.offset = lean.step(dependence.offset);
  Offset least{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto skew = strips::least_skew(axis, events, dependences, axis == 2 ? 1 : 0, largest_skew);
    if (!skew) return std::nullopt;
    least[axis] = *skew;
  }
  for (int planes = 0; planes <= most_further_planes; ++planes) {
    for (int rows = 0; rows <= most_further_rows; ++rows) {
      for (int columns = 0; columns <= most_further_columns; ++columns) {
        if (auto found = with_skew(events, dependences, plus(least, {planes, rows, columns}))) {
          found->lean = lean;
          return found;
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Offset Lean::step(const Offset& place) const {
  return {place[0], place[1] + rows_by_plane * place[0],
          place[2] + columns_by_plane * place[0] + columns_by_row * place[1]};
}

Offset Lean::place(const Offset& step) const {
  const int row = step[1] - rows_by_plane * step[0];
  return {step[0], row, step[2] - columns_by_plane * step[0] - columns_by_row * row};
}

Offset StepOrder::distance(const Dependence& dependence) const {
  const Offset offset = lean.step(dependence.offset);
  Offset result{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    result[axis] =
        shift[dependence.to][axis] - shift[dependence.from][axis] - offset[axis] + dependence.back * skew[axis];
  }
  return result;
}

std::vector<Dependence> dependences(const Events& events) {
  std::vector<Dependence> all;
  for (std::uint32_t index = 0; index < events.events.size(); ++index) {
    const SweepEvent& event = events.events[index];
    switch (event.kind) {
      case SweepEvent::Kind::largest:
        for (const Edge& edge : event.edges) all.push_back({edge.source, index, edge.offset});
        for (const Addend& addend : event.addends) {
          if (addend.array) all.push_back({*addend.array, index, {}});
        }
        break;
      case SweepEvent::Kind::earlier: all.push_back({event.of, index, {}, 1}); break;
      case SweepEvent::Kind::array: all.push_back({index, index, {}, 1}); break;
    }
  }
  return all;
}

std::optional<StepOrder> schedule(std::size_t events, const std::vector<Dependence>& dependences) {
  for (int total = 0; total <= 3 * largest_lean; ++total) {
    for (int rows = 0; rows <= largest_lean; ++rows) {
      for (int columns = 0; columns <= largest_lean; ++columns) {
        const int by_row = total - rows - columns;
        if (by_row < 0 || by_row > largest_lean) continue;
        if (auto found = with_lean(events, dependences, {rows, columns, by_row})) return found;
      }
    }
  }
  return std::nullopt;
}

namespace {

// Steps of time that rise along every dependence: a process later by some number of operations per axis, and a tile
// later by more than all that.
bool runs_in_time(std::uint32_t count, const std::vector<Dependence>& dependences) {
  for (int planes = 0; planes <= most_bodies_later; ++planes) {
    for (int rows = 0; rows <= most_bodies_later; ++rows) {
      for (int columns = 0; columns <= most_bodies_later; ++columns) {
        const auto later = [&](const Dependence& dependence) {
          const Offset& by = dependence.offset;
          return 1 + static_cast<int>(count) * (planes * by[0] + rows * by[1] + columns * by[2]);
        };
        if (strips::least_shifts(count, dependences, later)) return true;
      }
    }
  }
  return false;
}

}  // namespace

bool runs_through(const backend::processes::SweepBody& body) {
  using Kind = backend::processes::SweepBody::Operation::Kind;
  std::vector<Dependence> all;
  const auto& operations = body.operations;
  const auto count = static_cast<std::uint32_t>(operations.size());
  for (std::uint32_t index = 0; index < count; ++index) {
    if (index > 0) all.push_back({index - 1, index, {}});
    if (operations[index].kind != Kind::await) continue;
    Offset offset{};
    const auto& peer = operations[index].peer;
    for (std::size_t axis = 0; axis < peer.size(); ++axis) offset[axis] = peer[axis];
    for (std::uint32_t other = 0; other < count; ++other) {
      if (operations[other].kind == Kind::emit && operations[other].signal == operations[index].signal) {
        all.push_back({other, index, offset});
      }
    }
  }
  return runs_in_time(count, all);
}

}  // namespace wave::jit::sweep
