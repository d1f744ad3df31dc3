// The constraint system: the one intermediate representation between the language and the engines.
//
// Frames hold definitions (scalars evaluated on demand, at most once per activation) and events. The root
// frame is activated once per evaluation; every other frame is activated by a `Call`. Events are values
// on spaces, given by max-plus constraints E(p) >= F(p + d) + w(p) (Karp, Miller and Winograd 1967) or,
// where the recurrence is more than max and plus, by a body evaluated as written.
#pragma once

#include "ir/failure.h"
#include "ir/ids.h"
#include "ir/location.h"
#include "ir/process.h"
#include "ir/scalar.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wave::ir {

// The arguments of a call follow the order in which the frame's parameters stand in `System::parameters`.
struct FrameParameter {
  std::string name;
  ScalarType type;
  FrameId frame;
};

// A scalar with a name. Its body may use parameters of its frame, definitions and events of its frame and
// of the frames around it, but no binder from outside itself.
struct Definition {
  std::string name;  // as a user would write it: `W`, `net.L`, `wavefront.stack`
  ScalarType type;
  FrameId frame;
  ValueId body;
  Location location;
  // A run-time argument: an engine may be given a value for it, which then stands in place of `body`.
  // Only in the root frame. The body is the default (a `Fail` of kind parameter_missing where there is none).
  bool bindable = false;
};

struct Axis {
  std::string name;
  BinderId binder;      // its index inside event bodies
  ValueId first, last;  // integers that depend on no binder; the extent is last - first + 1
  bool wrap = false;    // offsets count modulo the extent
  Location location;
  SiteId site;  // extent_not_positive
};

// A box of points; one iteration order for all events on it.
struct Space {
  std::string name;
  FrameId frame;
  std::vector<Axis> axes;
};

// target(p) >= source(p + offset) + sum of weights(p), wherever p + offset is in the space and the guard holds. Without
// a source: target(p) >= sum of weights(p). Each weight is one summand as written: it is rounded to the quantum by
// itself, before anything is added. The order of evaluation is: the guard, whether the source exists, the weights from
// left to right, and the sum from the left, source first. A source in another group is rounded like a weight.
struct Constraint {
  EventId source;                    // not valid: a constant
  std::vector<std::int32_t> offset;  // one per axis
  std::vector<ValueId> weights;
  ValueId guard;  // optional boolean; evaluated before the weights
  Location location;
};

struct Event {
  std::string name;
  ScalarType type;
  FrameId frame;
  SpaceId space;
  Location location;
  // Either constraints (the event is their maximum, folded from the left over those that are present; real) ...
  std::vector<Constraint> constraints;
  // ... or a general body, evaluated as written (`constraints` is then empty).
  ValueId body;
  // Holds where everything above is absent. For an event of constraints its summands are weights too; a
  // general one has at most one.
  std::vector<ValueId> otherwise;  // empty, or absent too: the point fails at `site`
  SiteId site;                     // all_absent; also the site of weight_not_finite in constraints
  // Weights are rounded to a common quantum, after which no sum rounds (docs/exact-time.md). True for
  // events of constraints; for a general body, true when it is max, min, `if` and sums over `quantize`.
  bool exact = false;
  bool general() const { return body.valid(); }
};

enum class Interpolation : std::uint8_t { linear, step, logarithmic, exact };
struct Table {
  std::string name;
  // Keys per axis, strictly rising; values row-major. One or two axes. With `exact`, which has values for some keys
  // only: the keys of each value, in rising order.
  std::vector<std::vector<double>> keys;
  std::vector<double> values;
  Interpolation interpolation{};
  // linear: straight lines; logarithmic: straight lines between the logarithms of keys and values (all positive);
  // step: the value of the largest key that is not greater; exact: only at its keys. See ir/table.h.
  bool extend = false;  // beyond the ends: the nearest segment goes on (linear, log) or the end value (step)
  std::optional<double> otherwise{};  // exact: the value at all other keys
};

// Rows that an engine can be asked for: for every iteration of `levels`, the columns. No levels: one row.
struct RowBlock {
  std::vector<Level> levels;
  std::vector<ValueId> columns;
};
struct Root {
  std::string name;
  std::vector<RowBlock> blocks;  // all with equally many columns of equal types
  ValueId precondition;          // optional: evaluated first (requirements); its value does not matter
};

struct BinderInfo {
  std::string name;
};

struct System {
  // Defined in system.cpp, because many files hold a system but few should compile how it is copied and destroyed.
  System();
  System(const System&);
  System(System&&) noexcept;
  System& operator=(const System&);
  System& operator=(System&&) noexcept;
  ~System();

  std::vector<Value> values;
  struct Frame {
    std::string name;
    FrameId parent;
  };
  std::vector<Frame> frames;  // frames[0] is the root
  std::vector<FrameParameter> parameters;
  std::vector<Definition> definitions;
  std::vector<Space> spaces;
  std::vector<Event> events;
  std::vector<Process> processes;
  std::vector<MessageEnds> ends;  // of the machines that processes use
  std::vector<BinderInfo> binders;
  std::vector<Table> tables;
  std::vector<Site> sites;
  std::vector<Root> roots;

  static constexpr FrameId root_frame{0};

  const Value& operator[](ValueId id) const { return values[id.index]; }
  const Frame& operator[](FrameId id) const { return frames[id.index]; }
  const FrameParameter& operator[](ParameterId id) const { return parameters[id.index]; }
  const Definition& operator[](DefinitionId id) const { return definitions[id.index]; }
  Definition& operator[](DefinitionId id) { return definitions[id.index]; }
  const Space& operator[](SpaceId id) const { return spaces[id.index]; }
  const Event& operator[](EventId id) const { return events[id.index]; }
  Event& operator[](EventId id) { return events[id.index]; }
  const BinderInfo& operator[](BinderId id) const { return binders[id.index]; }
  const Table& operator[](TableId id) const { return tables[id.index]; }
  const Site& operator[](SiteId id) const { return sites[id.index]; }
  const Process& operator[](ProcessId id) const { return processes[id.index]; }
  Process& operator[](ProcessId id) { return processes[id.index]; }
  const MessageEnds& operator[](EndsId id) const { return ends[id.index]; }
  const Root& operator[](RootId id) const { return roots[id.index]; }
};

}  // namespace wave::ir
