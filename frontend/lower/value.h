// Values while a program is lowered. A scalar is a node of the system, known only at run time. Everything around it
// (records, lists, machines, models, functions, orders) is resolved here.
#pragma once

#include "base/overloaded.h"
#include "frontend/ast/ast.h"
#include "frontend/check/type_tools.h"
#include "frontend/source/diagnostics.h"
#include "ir/system.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace wave::frontend::lowering {

struct Value;
using ValuePtr = std::shared_ptr<const Value>;
struct Instance;
struct Recurrence;
struct LoweredProcess;
struct Environment;
using EnvironmentPtr = std::shared_ptr<Environment>;

// Where an expression stands: what its names mean, and the frame whose nodes it makes.
struct Scope {
  EnvironmentPtr locals;     // innermost first; null if there are none
  Instance* self = nullptr;  // the machine or model whose members are in scope
  const Module* module = nullptr;
  ir::FrameId frame = ir::System::root_frame;
  Recurrence* body = nullptr;  // the recurrence in whose body it stands
};

// A local name. It has its value, or the expression of its value, which is evaluated when it is first used.
struct Environment {
  EnvironmentPtr parent;
  std::string name;
  ValuePtr value;
  const Expr* pending = nullptr;
  Scope scope;          // of `pending`
  TypeRef type;         // of `pending`, where declared
  bool define = false;  // whether a scalar becomes a definition of the scope's frame
  bool evaluating = false;
};

// One more operation on a lifted instance, from left to right.
struct LiftedStep {
  enum class Kind { member, call, index, count, measure } kind{};
  std::string name;                                         // of a measure: `finish`
  std::vector<std::pair<std::string, ValuePtr>> arguments;  // with an empty name, given by position
  std::optional<std::string> phase = {};                    // of a measure
  ir::Over over = ir::Over::one;                            // of a measure
};

namespace value {
// The kinds of values are read as a table, a line each.
// clang-format off
struct Scalar { ir::ValueId id; };
struct Record { const Item* declaration; std::vector<ValuePtr> fields; };
struct List { std::vector<ValuePtr> elements; };
struct Rows;
// `rows`: each key has a list of them, and there is no `table`.
struct Table { ir::TableId table; std::size_t keys; bool is_integer = false; std::shared_ptr<const Rows> rows = nullptr; };
// The rows of a table: `first` and `last` give their numbers for a key, from 1; each column is read at a number.
struct Rows { ir::TableId first, last; std::vector<Table> columns; const Item* record; };
// Integers, or reals of any dimension (in which `by` counts, too). With `widen` they are integers that stand for reals,
// with `rows` for rows of these.
struct Range {
  ir::ValueId first, last, step; bool geometric = false; bool widen = false; Location location;
  std::shared_ptr<const Rows> rows = nullptr;
};
struct Comprehension { const expr::Comprehension* node; Scope scope; TypeRef element; Location location; };  // null: as they are
// Eliminators distribute over it. `is_untyped`: whichever is taken, it only fails.
struct Select { ir::ValueId condition; ValuePtr if_true, if_false; bool is_untyped = false; };
struct Corner { std::vector<bool> rising; };
// An axis of the grid as a process sees it (View): which one, its own index along it, how many processes lie along it.
struct Axis { std::size_t number; ir::ValueId index, extent; };
// `guarded` is set for a member that was read from outside: its instance's requirements come first.
struct Function { const Item* declaration; Instance* self; bool guarded = false; };   // fn, collective or procedure
struct Builtin { LanguageFunction function; };
// send, recv, total, as they follow from the protocols that a declaration has: that of the machine, or one that it extends.
struct Derived { std::string end; Instance* machine; const Item* declaration; bool guarded = false; };
struct Declaration { const Item* item; };            // a machine, model or record by its name, to be called
struct Event { Recurrence* recurrence; bool guarded = false; };
struct Grid { const Item* declaration; Instance* self; };
struct Point { const Item* grid; Instance* self; std::vector<ir::ValueId> indices; };
struct Process { LoweredProcess* process; bool guarded = false; };
struct Series { const Item* output; Instance* self; };   // `output load[q in 1..p] = ...`, read with its index
struct Failure { ir::SiteId site; };                 // `error("...")`: takes the type of what it meets
struct Object { Instance* instance; };               // a machine or a model
// clang-format on
// A machine or model whose parameters depend on a loop variable or index, and what was done with it. It becomes a frame
// of its own as soon as a scalar of it is needed.
struct Lifted {
  const Item* declaration;
  std::vector<std::pair<std::string, ValuePtr>> given;
  std::vector<LiftedStep> steps;
  Location call;  // where it was given that
};
}  // namespace value

struct Value {
  std::variant<value::Scalar, value::Record, value::List, value::Range, value::Comprehension, value::Select,
               value::Corner, value::Axis, value::Function, value::Builtin, value::Derived, value::Declaration,
               value::Table, value::Event, value::Grid, value::Point, value::Process, value::Series, value::Failure,
               value::Object, value::Lifted>
      node;
};

template <class Node>
ValuePtr make(Node node) {
  return std::make_shared<const Value>(Value{std::move(node)});
}
inline ValuePtr number(ir::ValueId id) { return make(value::Scalar{id}); }
using check::as;  // the same for types
template <class Node>
const Node* as(const ValuePtr& value) {
  return std::get_if<Node>(&value->node);
}

// Whether all that a value does is fail: an `error`, an element of an empty list, or a choice between such. It has no
// type yet, and takes that of what it meets (Values::scalar_of and Values::unify).
inline bool is_untyped(const ValuePtr& value) {
  const auto* select = as<value::Select>(value);
  return select ? select->is_untyped : as<value::Failure>(value) != nullptr;
}

// Calls `part` with every value and `leaf` with every scalar directly inside a value, in the order in which they are
// written. Both take references, to rewrite them if the value is not const. What a comprehension's names stand for is
// found in its scope, with for_each_local.
template <class AnyValue, class Part, class Leaf>
void for_each_part(AnyValue& value, Part&& part, Leaf&& leaf) {
  const auto all = [&](auto& values) {
    for (auto& one : values) part(one);
  };
  const auto named = [&](auto& values) {
    for (auto& one : values) part(one.second);
  };
  std::visit(
      [&](auto& node) {
        using Kind = std::remove_cvref_t<decltype(node)>;
        constexpr bool is_leaf = std::is_same_v<Kind, value::Comprehension> || std::is_same_v<Kind, value::Corner> ||
                                 std::is_same_v<Kind, value::Function> || std::is_same_v<Kind, value::Builtin> ||
                                 std::is_same_v<Kind, value::Derived> || std::is_same_v<Kind, value::Declaration> ||
                                 std::is_same_v<Kind, value::Table> || std::is_same_v<Kind, value::Event> ||
                                 std::is_same_v<Kind, value::Grid> || std::is_same_v<Kind, value::Process> ||
                                 std::is_same_v<Kind, value::Series> || std::is_same_v<Kind, value::Failure> ||
                                 std::is_same_v<Kind, value::Object>;
        if constexpr (std::is_same_v<Kind, value::Scalar>) {
          leaf(node.id);
        } else if constexpr (std::is_same_v<Kind, value::Record>) {
          all(node.fields);
        } else if constexpr (std::is_same_v<Kind, value::List>) {
          all(node.elements);
        } else if constexpr (std::is_same_v<Kind, value::Range>) {
          leaf(node.first), leaf(node.last), leaf(node.step);
        } else if constexpr (std::is_same_v<Kind, value::Axis>) {
          leaf(node.index), leaf(node.extent);
        } else if constexpr (std::is_same_v<Kind, value::Select>) {
          leaf(node.condition), part(node.if_true), part(node.if_false);
        } else if constexpr (std::is_same_v<Kind, value::Point>) {
          for (auto& index : node.indices) leaf(index);
        } else if constexpr (std::is_same_v<Kind, value::Lifted>) {
          named(node.given);
          for (auto& step : node.steps) named(step.arguments);
        } else {
          static_assert(is_leaf, "a kind of value without its parts listed here");
        }
      },
      value.node);
}

// Calls `f` with the values of local names, outermost first, but for those that are yet to be evaluated.
template <class Function>
void for_each_local(const Environment* local, Function&& f) {
  if (!local) return;
  for_each_local(local->parent.get(), f);
  if (local->value) f(local->value);
}

// How far something is that is lowered once, when it is first asked for. If it was abandoned, a diagnostic says why.
enum class Progress { fresh, evaluating, done, abandoned };

// A member that has been evaluated, or is being evaluated.
struct Member {
  Progress progress = Progress::fresh;
  ValuePtr value;
  DiagnosticKind error{};   // why it was abandoned
  ir::DefinitionId raw;     // of a parameter, before its range is checked
  ir::SiteId below, above;  // of a parameter with bounds, where it fails
  bool is_asked = false;    // for more than to be listed
};

// A process of an instance.
struct LoweredProcess {
  const Item* declaration = nullptr;
  Instance* self = nullptr;
  ir::ProcessId id;
  ir::ValueId requirements;  // of the machines that it uses; not valid if there are none
  Progress progress = Progress::fresh;
  DiagnosticKind error{};  // why it was abandoned
};

// A machine or model with its parameters.
struct Instance {
  const Item* declaration = nullptr;
  ir::FrameId frame;
  std::string path;                // "net", "wavefront": where -D finds it; empty for the root model
  std::string title;               // what its definitions are named after: "net." or ""
  bool addressable = false;        // -D may reach its parameters
  bool through_parameter = false;  // -D may replace what its call gives, too
  std::vector<std::pair<std::string, ValuePtr>> given;
  Location call;  // where it was given that
  std::map<std::string, Member> members;
  std::map<const Item*, Member> replaced;  // members under the same names that `super` still reads
  std::map<std::string, std::unique_ptr<Recurrence>> recurrences;
  std::map<std::string, std::unique_ptr<LoweredProcess>> processes;
  std::optional<ir::ValueId> requirements;
  bool checking = false;       // its requirements are being lowered
  std::size_t evaluating = 0;  // members that are being evaluated
};

// A recurrence of an instance, or of a test.
struct Recurrence {
  const Item* declaration = nullptr;
  Instance* self = nullptr;
  ir::EventId event;
  ir::SpaceId space;
  Progress progress = Progress::fresh;
  DiagnosticKind error{};          // why it was abandoned
  std::vector<Recurrence*> reads;  // in its body, so far
};

// Thrown after a diagnostic, when there is no value.
struct Abandoned {
  DiagnosticKind kind;
};

}  // namespace wave::frontend::lowering
