// The body of a sweep as events on grid x tile, contracted: sums are exact, so chains of additions and maxima may be
// merged in any way, and what stays is what is awaited from several places, or carried to the next tile.
#pragma once

#include "backend/jit/sweep/weights.h"
#include "backend/processes/bulk/sweep_body.h"

#include <optional>

namespace wave::jit::sweep {

using EventIndex = std::uint32_t;

struct Edge {
  EventIndex source = 0;  // for the same tile
  Offset offset{};        // of the source's process
  WeightId weight = Weights::zero;
  bool is_other = false;  // of a choice: of the time that is compared with the target, not of the target
};

// A weight that varies, added to an event.
struct Addend {
  std::uint32_t weight = 0;         // of the call
  std::optional<EventIndex> array;  // the event that carries it; none: by tile
  WeightId gate = Weights::zero;    // never: not added there
};

struct SweepEvent {
  enum class Kind : std::uint8_t {
    largest,  // the largest of source + weight over its edges, plus its addends
    earlier,  // the value of `of` for the tile before; for the first one, of a carried register
    array,    // a weight by process: the same for every tile
  } kind = Kind::largest;
  std::vector<Edge> edges{};
  std::vector<Addend> addends{};
  std::optional<std::uint32_t> choice{};  // largest: the join or await whose choice is recorded, by its operation
  EventIndex of = 0;                      // earlier
  std::uint32_t number = 0;               // earlier: the register; array: the weight
};

// A carried register that has to be stored from tile to tile.
struct Carried {
  std::uint32_t number = 0;  // the register
  EventIndex last = 0;       // its value at the end of a tile
};

// Whether `bound` was at least `weight` far from the borders: contraction went by it.
struct Decision {
  WeightId weight = 0, bound = 0;
  bool is_bounded = false;
};

struct Events {
  Weights weights;
  std::vector<SweepEvent> events;
  std::vector<Carried> carried;
  std::vector<Decision> decisions;
  // Whether it would be the same with these weights.
  bool hold_for(std::span<const double> given) const;
  std::size_t choices() const { return choices(static_cast<EventIndex>(events.size())); }
  std::size_t choices(EventIndex before) const;  // of the events before this one
};

// What a kernel is compiled for, besides the body.
struct Variation {
  enum class Kind : std::uint8_t { uniform, by_process, by_tile };
  std::vector<Kind> weights;
  std::vector<bool> kept;  // per carried register: its values are wanted
  // A chain of additions may be merged backwards, which takes weights away: not where one is -infinity.
  bool subtract = true;
  // Joins and awaits stay as they are, events each, so that it can be told which of their two times was the later.
  bool records = false;
  auto operator<=>(const Variation&) const = default;
};

// `body` has three axes. A constraint that another chain of constraints outdoes with the weights `given` is dropped,
// and kept near the borders only, where that chain may be cut. Nothing: a signal that nothing emits, or one that waits
// for itself.
std::optional<Events> contract(const backend::processes::SweepBody& body, const Variation& variation,
                               std::span<const double> given);

}  // namespace wave::jit::sweep
