// Every table of a system, field by field.
#include "backend/jit/structure.h"

#include "backend/jit/code.h"
#include "ir/builder.h"
#include "ir/visit.h"

#include <utility>

namespace wave::jit {

namespace {

// Calls `f` with every value that the system's tables hold but the bodies of definitions.
template <class AnySystem, class Function>
void for_each_other_value(AnySystem& system, Function&& f) {
  for (auto& space : system.spaces) {
    for (auto& axis : space.axes) f(axis.first), f(axis.last);
  }
  for (auto& event : system.events) ir::for_each_value(event, f);
  for (auto& ends : system.ends) ir::for_each_value_of_ends(ends, f);
  for (auto& process : system.processes) ir::for_each_value_of_process(process, f);
  for (auto& root : system.roots) ir::for_each_value_of_root(root, f);
}

class Renumbering {
 public:
  explicit Renumbering(const ir::System& system) : from_(system), number_(system.values.size()) {}

  ir::System run() {
    ir::System result = from_;
    result.values.clear();
    to_ = &result;
    for (std::size_t i = 0; i < from_.definitions.size(); ++i) {
      if (!is_argument(from_.definitions[i], from_)) move(result.definitions[i].body);
    }
    for_each_other_value(result, [&](ir::ValueId& id) { move(id); });
    for (std::size_t i = 0; i < from_.definitions.size(); ++i) {
      if (!is_argument(from_.definitions[i], from_)) continue;
      result.definitions[i].body = append(from_[from_.definitions[i].body]);
    }
    return result;
  }

 private:
  ir::ValueId append(ir::Value value) {
    to_->values.push_back(std::move(value));
    return ir::ValueId{static_cast<std::uint32_t>(to_->values.size() - 1)};
  }

  // Operands before their users.
  void move(ir::ValueId& id) {
    if (!id.valid()) return;
    ir::ValueId& number = number_[id.index];
    if (!number.valid()) {
      ir::Value value = from_[id];
      ir::for_each_operand(value.node, [&](ir::ValueId& operand) { move(operand); });
      number = append(std::move(value));
    }
    id = number;
  }

  const ir::System& from_;
  ir::System* to_ = nullptr;
  std::vector<ir::ValueId> number_;
};

class StructureWriter {
 public:
  explicit StructureWriter(const ir::System& system) : system_(system) {}

  std::string run() {
    values();
    frames();
    definitions();
    spaces();
    list(system_.events, [&](const ir::Event& event) { put(event); });
    list(system_.processes, [&](const ir::Process& process) { put(process); });
    list(system_.roots, [&](const ir::Root& root) { put(root); });
    list(system_.sites, [&](const ir::Site& site) { put(static_cast<std::uint64_t>(site.kind)); });
    return std::move(text_.bytes);
  }

 private:
  void put(std::uint64_t number) { text_.put(number); }
  template <class Tag>
  void put(ir::Id<Tag> id) {
    put(std::uint64_t{id.index});
  }
  template <class List, class Function>
  void list(const List& all, Function&& each) {
    put(std::uint64_t{all.size()});
    for (const auto& one : all) each(one);
  }
  void put(const std::vector<ir::ValueId>& ids) {
    list(ids, [&](ir::ValueId id) { put(id); });
  }
  void put(const ir::Level& level) {
    put(level.binder), put(level.first), put(level.last), put(level.step), put(level.filter), put(level.site);
    put(std::uint64_t{level.geometric});
  }

  void values() {
    std::size_t arguments = 0;
    for (const ir::Definition& definition : system_.definitions) arguments += is_argument(definition, system_) ? 1 : 0;
    put(std::uint64_t{arguments});
    put(std::uint64_t{system_.values.size()});
    for (std::size_t i = 0; i + arguments < system_.values.size(); ++i) {
      list(ir::node_key(system_.values[i].node, system_.values[i].type), [&](std::uint64_t word) { put(word); });
    }
  }

  void frames() {
    list(system_.frames, [&](const ir::System::Frame& frame) { put(frame.parent); });
    list(system_.parameters, [&](const ir::FrameParameter& parameter) {
      put(static_cast<std::uint64_t>(parameter.type)), put(parameter.frame);
    });
  }

  void definitions() {
    list(system_.definitions, [&](const ir::Definition& definition) {
      put(static_cast<std::uint64_t>(definition.type)), put(definition.frame), put(definition.body);
      put(std::uint64_t{definition.bindable});
      put(std::uint64_t{is_argument(definition, system_)});
    });
  }

  void spaces() {
    list(system_.spaces, [&](const ir::Space& space) {
      put(space.frame);
      list(space.axes, [&](const ir::Axis& axis) {
        put(axis.binder), put(axis.first), put(axis.last), put(std::uint64_t{axis.wrap}), put(axis.site);
      });
    });
  }

  void put(const ir::Event& event) {
    put(static_cast<std::uint64_t>(event.type)), put(event.frame), put(event.space), put(event.body),
        put(event.otherwise);
    put(event.site), put(std::uint64_t{event.exact});
    list(event.constraints, [&](const ir::Constraint& constraint) {
      put(constraint.source);
      list(constraint.offset, [&](std::int32_t distance) { put(static_cast<std::uint64_t>(std::int64_t{distance})); });
      put(constraint.weights), put(constraint.guard);
    });
  }

  // What is in it is not compiled but by its sweeps (backend/jit/sweep).
  void put(const ir::Process& process) { put(process.frame), put(process.space); }

  void put(const ir::Root& root) {
    put(root.precondition);
    list(root.blocks, [&](const ir::RowBlock& block) {
      list(block.levels, [&](const ir::Level& level) { put(level); });
      put(block.columns);
    });
  }

  const ir::System& system_;
  Writer text_;
};

}  // namespace

bool is_argument(const ir::Definition& definition, const ir::System& system) {
  return definition.bindable && definition.body.valid() &&
         std::holds_alternative<ir::Constant>(system[definition.body].node);
}

bool is_outside(const ir::Definition& definition, const ir::System& system) {
  if (!definition.body.valid()) return false;
  const auto* const fail = std::get_if<ir::Fail>(&system[definition.body].node);
  return fail && !fail->site.valid();
}

ir::System in_order_of_use(const ir::System& system) { return Renumbering(system).run(); }

std::string structure_of(const ir::System& system) { return StructureWriter(system).run(); }

}  // namespace wave::jit
