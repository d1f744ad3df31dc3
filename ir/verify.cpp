// Ids and types first, node by node; then scopes, entity by entity (definition, event, space, root, ends, process).
#include "ir/verify.h"

#include "ir/arithmetic.h"
#include "ir/dependences.h"
#include "ir/operations.h"
#include "ir/visit.h"
#include "ir/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace wave::ir {

namespace {

// Finds a node that reaches itself through its operands. Builders make operands before their users, but others need
// not.
bool has_cycle(const System& system) {
  const auto is_before_all = [&](std::uint32_t user) {
    bool is_after = true;
    for_each_operand(system.values[user].node, [&](ValueId operand) { is_after = is_after && operand.index < user; });
    return is_after;
  };
  std::uint32_t sorted = 0;
  while (sorted < system.values.size() && is_before_all(sorted)) ++sorted;
  if (sorted == system.values.size()) return false;
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
      const Context context{"ends " + ends.name, ends.frame, {}, {}};
      for_each_value_of_ends(ends, [&](ValueId value) { walk(value, context); });
    }
    for (const Process& process : system_.processes) {
      walk_process(system_, process, [&](ValueId value, const std::vector<BinderId>& binders) {
        walk(value, {"process " + process.name, process.frame, {}, binders});
      });
    }
  }

 private:
  void complain(const std::string& where, const std::string& what) { complaints_.push_back(where + ": " + what); }

  void expect(bool condition, const Context& context, const char* what) {
    if (!condition) complain(context.name, what);
  }

  void verify(const Definition& definition) {
    const Context context{"definition " + definition.name, definition.frame, {}, {}};
    if (!definition.body.valid()) return complain(context.name, "has no body");
    expect(system_[definition.body].type == definition.type, context, "the body has another type");
    expect(!definition.bindable || definition.frame == System::root_frame, context, "bindable outside the root frame");
    walk(definition.body, context);
  }

  void verify(const Space& space) {
    const Context context{"space " + space.name, space.frame, {}, {}};
    expect(!space.axes.empty(), context, "has no axis");
    for (const Axis& axis : space.axes) {
      expect(axis.site.valid(), context, "an axis has no site");
      for (const ValueId end : {axis.first, axis.last}) {
        if (!end.valid()) return complain(context.name, "an axis has no extent");
        expect(system_[end].type == ScalarType::integer, context, "an extent is not an integer");
        walk(end, context);
      }
    }
  }

  void verify(const Event& event) {
    Context context{"event " + event.name, event.frame, event.space, {}};
    for (const Axis& axis : system_[event.space].axes) context.binders.push_back(axis.binder);
    expect(system_[event.space].frame == event.frame, context, "its space is of another frame");
    expect(event.site.valid(), context, "has no site");
    expect(!event.exact || event.type == ScalarType::real, context, "exact, but not real");
    expect(event.general() || event.type == ScalarType::real, context, "constraints of an event that is not real");
    expect(!event.general() || event.constraints.empty(), context, "has both constraints and a body");
    expect(!event.general() || event.otherwise.size() <= 1, context, "several summands in the else of a body");
    if (event.general()) expect(system_[event.body].type == event.type, context, "the body has another type");
    for (const ValueId value : event.otherwise)
      expect(system_[value].type == event.type, context, "the else has another type");
    for (const Constraint& constraint : event.constraints) verify(constraint, context);
    for_each_value(event, [&](ValueId value) { walk(value, context); });
  }

  void verify(const Constraint& constraint, const Context& context) {
    expect(constraint.source.valid() || !constraint.weights.empty(), context,
           "a constraint with neither source nor weight");
    if (constraint.source.valid()) {
      const Event& source = system_[constraint.source];
      expect(source.space == context.space, context, "a source on another space");
      expect(source.type == ScalarType::real, context, "a source that is not real");
      expect(constraint.offset.size() == system_[context.space].axes.size(), context,
             "an offset of another rank than the space");
    }
    for (const ValueId weight : constraint.weights) {
      expect(system_[weight].type == ScalarType::real, context, "a weight that is not real");
    }
    if (constraint.guard.valid())
      expect(system_[constraint.guard].type == ScalarType::boolean, context, "a guard that is not boolean");
  }

  void verify(const Root& root) {
    Context context{"root " + root.name, System::root_frame, {}, {}};
    if (root.precondition.valid()) walk(root.precondition, context);
    for (const RowBlock& block : root.blocks) {
      context.binders.clear();
      const auto& expected = root.blocks.front().columns;
      expect(std::equal(block.columns.begin(), block.columns.end(), expected.begin(), expected.end(),
                        [&](ValueId a, ValueId b) { return system_[a].type == system_[b].type; }),
             context, "blocks with other columns");
      for (const Level& level : block.levels) {
        for (const ValueId value : {level.first, level.last, level.step}) walk(value, context);
        context.binders.push_back(level.binder);
        if (level.filter.valid()) walk(level.filter, context);
      }
      for (const ValueId column : block.columns) walk(column, context);
    }
  }

  void walk(ValueId start, const Context& context) {
    for (const BinderId binder : binders_.of(start)) {
      const bool is_bound = std::find(context.binders.begin(), context.binders.end(), binder) != context.binders.end();
      if (!is_bound)
        complain(context.name, fmt::format("looks at `{}`, which is not bound there", system_[binder].name));
    }
    any_reachable(system_, start, [&](const Node& node) {
      check_scope(node, context);
      return false;
    });
  }

  void check_scope(const Node& node, const Context& context) {
    const auto is_visible = [&](FrameId frame) { return encloses(system_, frame, context.frame); };
    if (const auto* n = std::get_if<Parameter>(&node)) {
      expect(is_visible(system_[n->parameter].frame), context, "a parameter of a frame that does not enclose it");
    } else if (const auto* n = std::get_if<Reference>(&node)) {
      expect(is_visible(system_[n->definition].frame), context, "a definition of a frame that does not enclose it");
    } else if (const auto* n = std::get_if<Call>(&node)) {
      const FrameId parent = system_[n->frame].parent;
      expect(parent.valid() && is_visible(parent), context, "a call of a frame whose parent does not enclose it");
    } else if (const auto* n = std::get_if<Read>(&node)) {
      expect(is_visible(system_[n->event].frame), context, "an event of a frame that does not enclose it");
      expect(n->site.valid() || context.space.valid(), context, "a read without a site outside an event");
    } else if (const auto* n = std::get_if<Measure>(&node)) {
      expect(is_visible(system_[n->process].frame), context, "a process of a frame that does not enclose it");
      expect(n->site.valid() || n->indices.empty(), context, "a process is asked about one place without a site");
    } else if (const auto* n = std::get_if<Neighbour>(&node)) {
      expect(context.space.valid() && system_[n->event].space == context.space, context,
             "a neighbour from another space");
    } else if (const auto* n = std::get_if<Unary>(&node)) {
      expect(n->op != UnaryOp::quantize || context.space.valid(), context, "quantize outside an event");
    } else if (const auto* n = std::get_if<Reduce>(&node)) {
      check_levels(*n, context);
    }
  }

  // A level only looks at binders further out.
  void check_levels(const Reduce& node, const Context& context) {
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
        expect(!is_early, context, "a loop looks at a binder further in");
      }
      const bool is_inside = node.kind == ReduceKind::nth && looks_at(node.value, binder);
      expect(!is_inside, context, "the number of an element looks at the loop over it");
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

void require_valid(const System& system) {
  const std::vector<std::string> complaints = verify(system);
  if (complaints.empty()) return;
  constexpr std::size_t most = 3;
  std::string text = "the constraint system breaks its own rules";
  for (std::size_t i = 0; i < complaints.size() && i < most; ++i) text += (i ? "; " : ": ") + complaints[i];
  if (complaints.size() > most) text += fmt::format("; and {} more", complaints.size() - most);
  throw std::logic_error(text);
}

}  // namespace wave::ir
