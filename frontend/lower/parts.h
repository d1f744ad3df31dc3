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
};

// Counts itself while it lives.
struct Counted {
  explicit Counted(std::size_t& count) : count(count) { ++count; }
  ~Counted() { --count; }
  std::size_t& count;
};

using Named = std::pair<std::string, Symbolic>;  // an argument; with an empty name it is given by position

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
  Symbolic element;  // the present element, for a list
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
class Processes;
class Studies;
class Outputs;

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
  Processes& processes;
  Studies& studies;
  Outputs& outputs;
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

// The sites where values may fail, and what is remembered of a place to describe its failure; strings as integers; and
// the way out when something cannot be lowered.
class Sites {
 public:
  Sites(const Parts& parts, std::vector<std::string>& words, SiteNotes& notes);

  [[noreturn]] void abandon(DiagnosticKind kind, Place place, const std::string& message, const std::string& label = {},
                            const std::string& help = {});
  ir::SiteId site(ir::FailureKind kind, Place place, const std::string& text = {}, std::vector<Place> related = {});
  // None for an operation that never fails.
  ir::SiteId site(const ir::Operation& operation, Place place, const std::string& text = {});

  SiteNote& note(ir::SiteId site) { return notes_[site.index]; }
  void note_types(ir::SiteId site, std::vector<TypeRef> types) { note(site).operands = std::move(types); }
  // Remembers the types of the operands of an expression, for the sites at its place.
  void note_operands(Place place, std::vector<TypeRef> types);
  void note_table(ir::SiteId site, ir::TableId table) { note(site).table = table; }
  // The call at a place; null if none has been lowered there.
  void note_call(Place place, const expr::Call& call) { calls_at_.try_emplace(key(place), &call); }
  const expr::Call* call_at(Place place) const;

  // The integer that stands for a string in the system.
  std::int64_t word(const std::string& text);
  const std::string& text_of_word(std::int64_t word) const { return words_[static_cast<std::size_t>(word)]; }

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  static Key key(Place place) { return {place.file, place.begin, place.end}; }

  void find_generic_functions();
  bool in_generic_function(Place place) const;

  const Program& program_;
  ir::Builder& b_;
  Diagnostics& diagnostics_;
  std::vector<std::string>& words_;
  SiteNotes& notes_;
  std::unordered_map<std::string, std::int64_t> word_numbers_;
  std::map<Key, std::vector<TypeRef>> operands_at_;
  std::map<Key, const expr::Call*> calls_at_;
  std::vector<Place> generic_functions_;
  std::map<std::tuple<int, std::uint32_t, std::uint32_t, std::uint32_t, std::string>, ir::SiteId> sites_;
};

std::optional<ir::ScalarType> scalar_type(const TypeRef& type);
Scope bind_local(const Scope& scope, const std::string& name, Symbolic value);
Scope bind_later(const Scope& scope, const LocalLet& let, bool define);
Scope bind_later(const Scope& scope, const Identifier& name, const TypeExpr* type, const Expr& value, bool define);

// The type as written, if it is a number or a truth value; null for anything else. All quantities are plain reals here.
TypeRef written_number(const TypeExpr* type);

// What can be done with every value: take its scalars, merge two under a condition, widen, compare, name. Also says
// which values are the same, and in which frames they live.
class Values {
 public:
  explicit Values(const Parts& parts) : parts_(parts) {}

  ir::ValueId scalar_of(const Symbolic& value, Place place);
  std::vector<ir::ValueId> unify(const std::vector<Symbolic>& values, Place place);  // to one type: integers widen
  Symbolic select(ir::ValueId condition, const Symbolic& if_true, const Symbolic& if_false);
  Symbolic convert(const Symbolic& value, const TypeRef& type);
  Symbolic map_leaves(const Symbolic& value, const std::function<ir::ValueId(ir::ValueId)>& change);
  Symbolic distribute(const Symbolic& value, const std::function<Symbolic(const Symbolic&)>& use);
  // Makes definitions of `frame` for the scalars of a value, so that they are evaluated once.
  Symbolic define_leaves(const Symbolic& value, ir::FrameId frame, const std::string& name, Place place);
  std::string key(const Symbolic& value) const;  // equal keys mean the same value
  bool depends_on_loop(const Symbolic& value);
  ir::FrameId deepest_frame(const Symbolic& value);
  Symbolic equal(const Symbolic& left, const Symbolic& right, Place place);
  void visit_leaves(const Symbolic& value, const std::function<void(ir::ValueId)>& visit) const;
  Symbolic failure(ir::FailureKind kind, Place place, const std::string& text);

 private:
  const Parts& parts_;
  ir::Builder& b_ = parts_.b;
  FactTable& facts_ = parts_.facts;
  Sites& sites_ = parts_.sites;
};

}  // namespace wave::frontend::lowering
