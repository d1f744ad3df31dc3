// Scalar expressions: a DAG of typed nodes shared by everything in a System.
//
// Evaluation is by need. A node is evaluated when its value is demanded, operands from left to
// right, and `Select`, `And`, `Or`, `Check` look only at what they take; so the first failure met is
// the same in every engine. Arithmetic is defined in ir/arithmetic.h, once, for the constant folder,
// the evaluator and the JIT. Times are picoseconds, data bytes, work flop; the IR knows no units.
//
// Absence exists only inside the body of an event: a `Neighbour` off its space is absent, every
// operation on something absent is absent, `Maximum` and `Minimum` skip absent operands (absent if all
// are), `Select` looks only at the branch it takes (an absent condition makes it absent). What is
// absent is not evaluated: operands are checked for presence from left to right, and an operand to the
// right of an absent one is not evaluated.
//
// Failures carry the kind that the operation met (Check and Fail: the kind of their site), the operands, and the
// indices of the innermost scope: the cell's, where the node stands in an event, then the loops around it.
#pragma once

#include "ir/ids.h"

#include <cstdint>
#include <variant>
#include <vector>

namespace wave::ir {

enum class ScalarType : std::uint8_t { real, integer, boolean };

// A scalar at run time. Choices and strings are integers (an index into the program's words).
struct Scalar {
  ScalarType type = ScalarType::real;
  union {
    double real;
    std::int64_t integer;
    bool boolean;
  };
  Scalar() : real(0) {}
  // clang-format off
  static Scalar of(double x) { Scalar s; s.type = ScalarType::real; s.real = x; return s; }
  static Scalar of(std::int64_t x) { Scalar s; s.type = ScalarType::integer; s.integer = x; return s; }
  static Scalar of(bool x) { Scalar s; s.type = ScalarType::boolean; s.integer = 0; s.boolean = x; return s; }
  // clang-format on
};

// Nodes are read as a table, a line each.
// clang-format off

// The operators are named in ir/operations.h, so that a new one compiles only what knows operators by name.
enum class UnaryOp : std::uint8_t;
enum class BinaryOp : std::uint8_t;
enum class ReduceKind : std::uint8_t;

struct Constant { Scalar value; };
struct Parameter { ParameterId parameter; };      // an argument of the enclosing frame
struct Index { BinderId binder; };                // integer: the present value of a loop variable or axis index
struct Reference { DefinitionId definition; };    // of the own frame or one that encloses it; evaluated at first need
struct Unary { UnaryOp op; ValueId operand; SiteId site; };
struct Binary { BinaryOp op; ValueId left, right; SiteId site; };
// Of at least one operand, from the left: max(a, b) = a > b ? a : b.
struct Maximum { std::vector<ValueId> operands; };
// The same with min(a, b) = a < b ? a : b.
struct Minimum { std::vector<ValueId> operands; };
// A shortcut gives the same value either way where the condition holds: what can be said about the value before it is
// evaluated (ir/interval.h) is said by `if_false`, so that shortcuts change no bound. No pass folds it.
struct Select { ValueId condition, if_true, if_false; bool is_shortcut = false; };
struct Check { ValueId condition; ValueId value; SiteId site; };  // fails at `site` unless `condition`; then `value`
struct Fail { SiteId site; };                     // `error("...")`; has the type of its context

// The value of a definition of `frame` in a fresh activation with these arguments. `definition`
// belongs to `frame`; `frame`'s parent encloses (or is) the frame of the caller. The arguments are evaluated
// first, from left to right, needed or not. Too many activations inside each other fail at `site`.
struct Call { FrameId frame; DefinitionId definition; std::vector<ValueId> arguments; SiteId site; };

// One level of a loop nest. The binder takes first, first+step, ... while <= last (>= for a negative
// step), or first, first*step, ... for a geometric one (first >= 1, step >= 2). Inner levels may use
// outer binders. Where `filter` is valid, an iteration counts only if it is true. On entry first, last and
// step are evaluated, in this order, then the step is checked; the loop ends where the binder would overflow.
struct Level {
  BinderId binder;
  ValueId first, last, step;     // integers; step fails at `site` when it makes no progress
  bool geometric = false;
  ValueId filter;                // optional
  SiteId site;
};

// arg_min and arg_max keep an iteration whose body is < or > the best so far (so a NaN that comes first stays), and
// evaluate `value` then, after `body`. nth evaluates `value` first and the body of that one iteration only.
// Absence (inside an event): an absent bound or filter makes the whole absent; the extrema skip an absent body, for
// the other kinds it makes the whole absent at once.
struct Reduce { ReduceKind kind; std::vector<Level> levels; ValueId body; ValueId value; SiteId site; };
bool begins_with_value(const Reduce& reduce);  // whether `value` is evaluated before `body`, as nth does

// The value of an event anywhere in its space. Off the space: fails at `site` (absent inside an event,
// and then `site` is not valid). Order: the indices from left to right, the extents of the space, the check
// that the point is on it, the event's group (all its cells, see ir/schedule.h), the value.
struct Read { EventId event; std::vector<ValueId> indices; SiteId site; };

// The value of an event at the present point plus a constant offset; only inside event bodies, for
// events on the same space. Absent off the space, where the axis does not wrap.
struct Neighbour { EventId event; std::vector<std::int32_t> offset; };

struct Lookup { TableId table; std::vector<ValueId> keys; SiteId site; };  // real keys, real result

// What can be asked of a process, evaluated as a whole at first need.
//   time       when the last process finishes
//   finish     when a process finishes
//   compute    the sum of its `compute` times; overhead: of its `busy` times; wait: its finish less both (a collective
//              as a cost is waiting)
//   messages   sent (an integer); bytes: their sizes
//   peak       the most that a process holds at once, in the order of its own program
// With indices: of that process; off the grid it fails at `site`. Without: `messages` and `bytes` of all processes; the
// largest `peak`; `finish`, `compute`, `overhead` and `wait` of the last finisher, the first such in row-major order. With a phase: what
// happened between its entry and its exit, summed over its runs: `time` is the time between them (of the process, or the
// last finisher), and `finish` that process's clock when it left the phase last, 0 if it never entered.
enum class Metric : std::uint8_t { time, finish, compute, overhead, wait, messages, bytes, peak };
// Whether it is counted, and no clock is looked at.
constexpr bool is_counted(Metric metric) { return metric >= Metric::messages; }
// Which processes a time is taken over that each of them has for itself: one, the greatest or the least of all, or
// their exact sum divided by their number and rounded once. Unless it is one, there are no indices.
enum class Over : std::uint8_t { one, greatest, mean, least };
struct Measure {
  ProcessId process;
  Metric metric{};
  PhaseId phase;                   // not valid: the whole process
  std::vector<ValueId> indices;    // none, or one per axis
  SiteId site;                     // index_off_grid
  Over over = Over::one;
  MemoryId memory;                 // of peak: which; not valid: all together
};

// clang-format on

using Node = std::variant<Constant, Parameter, Index, Reference, Unary, Binary, Maximum, Minimum, Select, Check, Fail,
                          Call, Reduce, Read, Neighbour, Lookup, Measure>;

struct Value {
  Node node;
  ScalarType type;
};

}  // namespace wave::ir
