// Ids and types first, node by node; then scopes, entity by entity (definition, event, space, root, ends, process).
#include "ir/verify.h"

#include "ir/arithmetic.h"
#include "ir/dependences.h"
#include "ir/operations.h"
#include "ir/visit.h"
#include "ir/walk.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::ir {

namespace {

// Finds a node that reaches itself through its operands. Builders make operands before their users, but others need
// not.
bool has_cycle(const System& system) {
  enum class Mark : std::uint8_t { fresh, open, closed };
  std::vector<Mark> marks(system.values.size(), Mark::fresh);
  for (std::uint32_t start = 0; start < system.values.size(); ++start) {
    std::vector<ValueId> pending{{start}};
    while (!pending.empty()) {
      const ValueId value = pending.back();
      Mark& mark = marks[value.index];
      if (mark != Mark::fresh) {
        mark = Mark::closed;
        pending.pop_back();
        continue;
      }
      mark = Mark::open;
      bool is_cyclic = false;
      for_each_operand(system[value].node, [&](ValueId operand) {
        is_cyclic = is_cyclic || marks[operand.index] == Mark::open;
        if (marks[operand.index] == Mark::fresh) pending.push_back(operand);
      });
      if (is_cyclic) return true;
    }
  }
  return false;
}

// The place of a value.
struct Context {
  std::string name;
  FrameId frame;
  SpaceId space;                  // valid inside an event
  std::vector<BinderId> binders;  // bound from outside
};

class ScopeVerifier {
 public:
  ScopeVerifier(const System& system, std::vector<std::string>& complaints)
      : system_(system), binders_(system), complaints_(complaints) {}

  void run() {
    for (const Definition& definition : system_.definitions) verify(definition);
    for (const Space& space : system_.spaces) verify(space);
    for (const Event& event : system_.events) verify(event);
    for (const Root& root : system_.roots) verify(root);
    for (const MessageEnds& ends : system_.ends) {
      const Context place{"ends " + ends.name, ends.frame, {}, {}};
      for_each_value_of_ends(ends, [&](ValueId value) { walk(value, place); });
    }
    for (const Process& process : system_.processes) {
      walk_process(system_, process, [&](ValueId value, const std::vector<BinderId>& binders) {
        walk(value, {"process " + process.name, process.frame, {}, binders});
      });
    }
  }

 private:
  void complain(const std::string& where, const std::string& what) { complaints_.push_back(where + ": " + what); }

  void expect(bool condition, const Context& place, const char* what) {
    if (!condition) complain(place.name, what);
  }

  void verify(const Definition& definition) {
    const Context place{"definition " + definition.name, definition.frame, {}, {}};
    if (!definition.body.valid()) return complain(place.name, "has no body");
    expect(system_[definition.body].type == definition.type, place, "the body has another type");
    expect(!definition.bindable || definition.frame == System::root_frame, place, "bindable outside the root frame");
    walk(definition.body, place);
  }

  void verify(const Space& space) {
    const Context place{"space " + space.name, space.frame, {}, {}};
    expect(!space.axes.empty(), place, "has no axis");
    for (const Axis& axis : space.axes) {
      expect(axis.site.valid(), place, "an axis has no site");
      for (const ValueId end : {axis.first, axis.last}) {
        if (!end.valid()) return complain(place.name, "an axis has no extent");
        expect(system_[end].type == ScalarType::integer, place, "an extent is not an integer");
        walk(end, place);
      }
    }
  }

  void verify(const Event& event) {
    Context place{"event " + event.name, event.frame, event.space, {}};
    for (const Axis& axis : system_[event.space].axes) place.binders.push_back(axis.binder);
    expect(system_[event.space].frame == event.frame, place, "its space is of another frame");
    expect(event.site.valid(), place, "has no site");
    expect(!event.exact || event.type == ScalarType::real, place, "exact, but not real");
    expect(event.general() || event.type == ScalarType::real, place, "constraints of an event that is not real");
    expect(!event.general() || event.constraints.empty(), place, "has both constraints and a body");
    expect(!event.general() || event.otherwise.size() <= 1, place, "several summands in the else of a body");
    if (event.general()) expect(system_[event.body].type == event.type, place, "the body has another type");
    for (const ValueId value : event.otherwise)
      expect(system_[value].type == event.type, place, "the else has another type");
    for (const Constraint& constraint : event.constraints) verify(constraint, place);
    for_each_value(event, [&](ValueId value) { walk(value, place); });
  }

  void verify(const Constraint& constraint, const Context& place) {
    expect(constraint.source.valid() || !constraint.weights.empty(), place,
           "a constraint with neither source nor weight");
    if (constraint.source.valid()) {
      const Event& source = system_[constraint.source];
      expect(source.space == place.space, place, "a source on another space");
      expect(source.type == ScalarType::real, place, "a source that is not real");
      expect(constraint.offset.size() == system_[place.space].axes.size(), place,
             "an offset of another rank than the space");
    }
    for (const ValueId weight : constraint.weights) {
      expect(system_[weight].type == ScalarType::real, place, "a weight that is not real");
    }
    if (constraint.guard.valid())
      expect(system_[constraint.guard].type == ScalarType::boolean, place, "a guard that is not boolean");
  }

  void verify(const Root& root) {
    Context place{"root " + root.name, System::root_frame, {}, {}};
    if (root.precondition.valid()) walk(root.precondition, place);
    for (const RowBlock& block : root.blocks) {
      place.binders.clear();
      const auto& expected = root.blocks.front().columns;
      expect(std::equal(block.columns.begin(), block.columns.end(), expected.begin(), expected.end(),
                        [&](ValueId a, ValueId b) { return system_[a].type == system_[b].type; }),
             place, "blocks with other columns");
      for (const Level& level : block.levels) {
        for (const ValueId value : {level.first, level.last, level.step}) walk(value, place);
        place.binders.push_back(level.binder);
        if (level.filter.valid()) walk(level.filter, place);
      }
      for (const ValueId column : block.columns) walk(column, place);
    }
  }

  void walk(ValueId start, const Context& place) {
    for (const BinderId binder : binders_.of(start)) {
      const bool is_bound = std::find(place.binders.begin(), place.binders.end(), binder) != place.binders.end();
      if (!is_bound) complain(place.name, fmt::format("looks at `{}`, which is not bound there", system_[binder].name));
    }
    any_reachable(system_, start, [&](const Node& node) {
      check_scope(node, place);
      return false;
    });
  }

  void check_scope(const Node& node, const Context& place) {
    const auto is_visible = [&](FrameId frame) { return encloses(system_, frame, place.frame); };
    if (const auto* n = std::get_if<Parameter>(&node)) {
      expect(is_visible(system_[n->parameter].frame), place, "a parameter of a frame that does not enclose it");
    } else if (const auto* n = std::get_if<Reference>(&node)) {
      expect(is_visible(system_[n->definition].frame), place, "a definition of a frame that does not enclose it");
    } else if (const auto* n = std::get_if<Call>(&node)) {
      const FrameId parent = system_[n->frame].parent;
      expect(parent.valid() && is_visible(parent), place, "a call of a frame whose parent does not enclose it");
    } else if (const auto* n = std::get_if<Read>(&node)) {
      expect(is_visible(system_[n->event].frame), place, "an event of a frame that does not enclose it");
      expect(n->site.valid() || place.space.valid(), place, "a read without a site outside an event");
    } else if (const auto* n = std::get_if<Measure>(&node)) {
      expect(is_visible(system_[n->process].frame), place, "a process of a frame that does not enclose it");
      expect(n->site.valid() || n->indices.empty(), place, "a process is asked about one place without a site");
    } else if (const auto* n = std::get_if<Neighbour>(&node)) {
      expect(place.space.valid() && system_[n->event].space == place.space, place, "a neighbour from another space");
    } else if (const auto* n = std::get_if<Unary>(&node)) {
      expect(n->op != UnaryOp::quantize || place.space.valid(), place, "quantize outside an event");
    } else if (const auto* n = std::get_if<Reduce>(&node)) {
      check_levels(*n, place);
    }
  }

  // A level only looks at binders further out.
  void check_levels(const Reduce& node, const Context& place) {
    const auto looks_at = [&](ValueId value, BinderId binder) {
      const auto& free = binders_.of(value);
      return value.valid() && std::find(free.begin(), free.end(), binder) != free.end();
    };
    for (std::size_t inner = 0; inner < node.levels.size(); ++inner) {
      const BinderId binder = node.levels[inner].binder;
      for (std::size_t outer = 0; outer <= inner; ++outer) {
        const Level& level = node.levels[outer];
        const bool is_early = looks_at(level.first, binder) || looks_at(level.last, binder) ||
                              looks_at(level.step, binder) ||
                              (outer < inner && level.filter.valid() && looks_at(level.filter, binder));
        expect(!is_early, place, "a loop looks at a binder further in");
      }
      const bool is_inside = node.kind == ReduceKind::nth && looks_at(node.value, binder);
      expect(!is_inside, place, "the number of an element looks at the loop over it");
    }
  }

  const System& system_;
  FreeBinders binders_;
  std::vector<std::string>& complaints_;
};

}  // namespace

std::vector<std::string> verify(const System& system) {
  std::vector<std::string> complaints = verify_ids(system);
  if (complaints.empty()) complaints = verify_process_ids(system);
  if (!complaints.empty()) return complaints;
  if (has_cycle(system)) return {"a node is among its own operands"};
  complaints = verify_types(system);
  for (std::string& complaint : verify_process_types(system)) complaints.push_back(std::move(complaint));
  ScopeVerifier(system, complaints).run();
  return complaints;
}

}  // namespace wave::ir
