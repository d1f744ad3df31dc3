// The parts of the abstract interpreter behind lower.h. Expressions become values (value.h), and the scalars among them
// nodes of the system. Each part takes from `Parts` those that it asks, and lists them as its members. Facts, sites and
// values are what all parts use, and so stand here.
#pragma once

#include "frontend/lower/lower.h"
#include "frontend/lower/value.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wave::ir {
class Builder;
struct Operation;
}  // namespace wave::ir
namespace wave::frontend {
struct Program;
}

namespace wave::frontend::lowering {

// Bounds on what is resolved here. Beyond them there is a diagnostic.
struct Bounds {
  static constexpr std::size_t nodes = 3'000'000;         // of the system
  static constexpr std::size_t elements = 10'000;         // in a list that is written out element by element
  static constexpr std::size_t evaluations = 20'000;      // expressions inside each other, over all calls
  static constexpr std::size_t inlined = 200;             // calls without a frame of their own, inside each other
  static constexpr std::size_t instances = 60;            // machines and models inside each other
  static constexpr std::size_t specialisations = 20'000;  // frames
  static constexpr double declared = 1'000;               // scalars that a function gives, known before its body is
};

// Counts itself while it lives.
struct Counted {
  explicit Counted(std::size_t& count) : count(count) { ++count; }
  ~Counted() { --count; }
  std::size_t& count;
};

using Named = std::pair<std::string, ValuePtr>;  // an argument; with an empty name it is given by position

// Where -D finds the instance that a call makes.
struct Naming {
  std::string path;
  std::string title;
  bool addressable = false;
  bool through_parameter = false;
};

// Some iterations of a list or of binders. They are loops, or a single iteration if `levels` is empty.
struct Iteration {
  std::optional<ir::ValueId> guard;  // they count only if it is true. It depends on no level
  std::vector<ir::Level> levels;
  ValuePtr element;  // the present element, for a list
  Scope scope;       // where the binders' names are known, for binders
};

class FactTable;
class Sites;
class Values;
class Expressions;
class Literals;
class Lists;
class Calls;
class Functions;
class Instances;
class Parameters;
class Lifting;
class Recurrences;
class Messages;
class Levels;
class Processes;
class Studies;
class Outputs;
class Observations;

struct Parts {
  const Program& program;
  ir::Builder& b;
  FactTable& facts;
  Diagnostics& diagnostics;
  Sites& sites;
  Values& values;
  Expressions& expressions;
  Literals& literals;
  Lists& lists;
  Calls& calls;
  Functions& functions;
  Instances& instances;
  Parameters& parameters;
  Lifting& lifting;
  Recurrences& recurrences;
  Messages& messages;
  Levels& levels;
  Processes& processes;
  Studies& studies;
  Outputs& outputs;
  Observations& observations;
  const LoweringOptions& options;
};

// What a node of the system depends on. That decides whether it may be moved into a definition, and of which frame.
struct Facts {
  std::vector<ir::BinderId> free;  // loop variables and indices from outside it, sorted
  bool event_local = false;        // only for the body of an event: neighbours, and reads that may be absent
  bool parameters = false;         // uses arguments of its frame
  ir::FrameId deepest = ir::System::root_frame;  // the innermost frame of what it uses

  bool depends_on_loop() const { return event_local || !free.empty(); }
  // Whether it may stand in a definition of a frame inside `deepest`.
  bool closed() const { return !depends_on_loop() && !parameters; }
};

class FactTable {
 public:
  explicit FactTable(const ir::System& system) : system_(system) {}
  const Facts& of(ir::ValueId value);
  std::size_t depth(ir::FrameId frame) const;
  ir::FrameId deeper(ir::FrameId a, ir::FrameId b) const { return depth(a) < depth(b) ? b : a; }

 private:
  void absorb(Facts& into, ir::ValueId operand) const;
  void absorb_levels(Facts& into, const ir::Reduce& reduce) const;
  Facts compute(ir::ValueId value) const;

  const ir::System& system_;
  std::vector<Facts> known_;  // a node has a greater number than its operands
};

// The sites where values may fail, and what is remembered of a location to describe its failure; strings as integers;
// and the way out when something cannot be lowered.
class Sites {
 public:
  Sites(const Parts& parts, std::vector<std::string>& words, SiteNotes& notes);

  [[noreturn]] void abandon(DiagnosticKind kind, Location location, const std::string& message,
                            const std::string& label = {}, const std::string& help = {});
  // Where lowering is, and the bound on what it makes.
  void look_at(Location location) { present_ = location; }
  void require_room(std::size_t nodes) {
    if (nodes > Bounds::nodes) abandon_for_size();
  }
  ir::SiteId site(ir::FailureKind kind, Location location, const std::string& text = {},
                  std::vector<Location> related = {});
  // None for an operation that never fails.
  ir::SiteId site(const ir::Operation& operation, Location location, const std::string& text = {});

  // Of a require_failed that the language asks for, not the program.
  ir::SiteId requirement(Location location, const std::string& text, const std::string& help);

  SiteNote& note(ir::SiteId site) { return notes_[site.index]; }
  void note_types(ir::SiteId site, std::vector<TypeRef> types) { note(site).operands = std::move(types); }
  // Remembers the types of the operands of an expression, for the sites at its location.
  void note_operands(Location location, std::vector<TypeRef> types);
  void note_table(ir::SiteId site, ir::TableId table) { note(site).table = table; }
  // The call at a location; null if none has been lowered there.
  void note_call(Location location, const expr::Call& call) { calls_at_.try_emplace(key(location), &call); }
  const expr::Call* call_at(Location location) const;

  // Whether the types in the tree are only those of the last call.
  bool in_generic_function(Location location) const;

  // The integer that stands for a string in the system.
  std::int64_t word(const std::string& text);
  const std::string& text_of_word(std::int64_t word) const { return words_[static_cast<std::size_t>(word)]; }

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  static Key key(Location location) { return {location.file, location.begin, location.end}; }

  void find_generic_functions();
  [[noreturn]] void abandon_for_size();

  const Program& program_;
  ir::Builder& b_;
  Diagnostics& diagnostics_;
  std::vector<std::string>& words_;
  SiteNotes& notes_;
  std::unordered_map<std::string, std::int64_t> word_numbers_;
  std::map<Key, std::vector<TypeRef>> operands_at_;
  std::map<Key, const expr::Call*> calls_at_;
  std::vector<Location> generic_functions_;
  Location present_;
  std::map<std::tuple<int, std::uint32_t, std::uint32_t, std::uint32_t, std::string>, ir::SiteId> sites_;
};

std::optional<ir::ScalarType> scalar_type(const TypeRef& type);
Scope bind_local(const Scope& scope, const std::string& name, ValuePtr value);
Scope bind_later(const Scope& scope, const LocalLet& let, bool define);
Scope bind_later(const Scope& scope, const Identifier& name, const TypeExpr* type, const Expr& value, bool define);

// The type as written, if it is a number or a truth value; null for anything else. All quantities are plain reals here.
TypeRef written_number(const TypeExpr* type);

// What can be done with every value: take its scalars, merge two under a condition, widen, compare, name. Also says
// which values are the same, and in which frames they live.
class Values {
 public:
  explicit Values(const Parts& parts) : parts_(parts) {}

  // The scalar of this type that a value is. What has no type yet takes it, and an integer widens to a real.
  ir::ValueId scalar_of(const ValuePtr& value, ir::ScalarType type, Location location);
  // Scalars of one type: integers widen to reals, and what has no type yet takes that of the others, or else `untyped`.
  std::vector<ir::ValueId> unify(const std::vector<ValuePtr>& values, ir::ScalarType untyped, Location location);
  ValuePtr select(ir::ValueId condition, const ValuePtr& if_true, const ValuePtr& if_false);
  ValuePtr convert(const ValuePtr& value, const TypeRef& type);
  // Refuses to go on if the model has become too large. It is asked wherever something grows, not only afterwards.
  void require_room();
  ValuePtr map_leaves(const ValuePtr& value, const std::function<ir::ValueId(ir::ValueId)>& change);
  // Chooses between what `use` makes of each of the values that a value is a choice between, once for each, however
  // many ways lead to it. `distribute` leaves failures as they are.
  ValuePtr for_each_choice(const ValuePtr& value, const std::function<ValuePtr(const ValuePtr&)>& use);
  ValuePtr distribute(const ValuePtr& value, const std::function<ValuePtr(const ValuePtr&)>& use);
  // Makes definitions of `frame` for the scalars of a value, so that they are evaluated once.
  ValuePtr define_leaves(const ValuePtr& value, ir::FrameId frame, const std::string& name, Location location);
  std::string key(const ValuePtr& value) const;  // equal keys mean the same value
  bool same(const ValuePtr& a, const ValuePtr& b) const;
  bool depends_on_loop(const ValuePtr& value);
  ir::FrameId deepest_frame(const ValuePtr& value);
  ValuePtr equal(const ValuePtr& left, const ValuePtr& right, Location location);
  void visit_leaves(const ValuePtr& value, const std::function<void(ir::ValueId)>& visit) const;
  // Every value inside it, itself first.
  void visit_parts(const ValuePtr& value, const std::function<void(const ValuePtr&)>& part,
                   const std::function<void(ir::ValueId)>& leaf) const;
  ValuePtr failure(ir::FailureKind kind, Location location, const std::string& text);

 private:
  const Parts& parts_;
  ir::Builder& b_ = parts_.b;
  FactTable& facts_ = parts_.facts;
  Sites& sites_ = parts_.sites;
  mutable std::unordered_map<std::string, std::size_t> numbers_;  // of the values that `key` has met, by their parts
};

}  // namespace wave::frontend::lowering
