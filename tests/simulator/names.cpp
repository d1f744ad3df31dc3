// What names mean: locals, members of machines and models, items of modules.
#include "tests/simulator/evaluator.h"
#include "tests/simulator/simulator.h"

#include <algorithm>

namespace wave::simulator {

using namespace frontend;

LocalsPtr with(LocalsPtr outer, std::string name, Value value) {
  return std::make_shared<const Locals>(Locals{std::move(name), std::move(value), std::move(outer)});
}

Axis axis_of(const LocalsPtr& locals, const std::string& name) {
  for (const Locals* one = locals.get(); one; one = one->outer.get()) {
    const auto* axis = std::get_if<Axis>(&one->value.is);
    if (axis && one->name == name) return *axis;
  }
  throw Unsupported{"the axis `" + name + "`"};
}

namespace {

const std::vector<std::unique_ptr<Item>>* own_members(const Item& declaration) {
  if (const auto* node = std::get_if<item::Interface>(&declaration.node)) return &node->members;
  if (const auto* node = std::get_if<item::Machine>(&declaration.node)) return &node->members;
  if (const auto* node = std::get_if<item::Model>(&declaration.node)) return &node->members;
  return nullptr;
}

bool is_signature_only(const Item& item) {
  if (const auto* node = std::get_if<item::Function>(&item.node)) return !node->body;
  if (const auto* node = std::get_if<item::Collective>(&item.node)) return !node->cost && !node->has_algorithm;
  return false;
}

// A declaration, what it extends, and their interfaces, the nearest first.
std::vector<const Item*> ancestry(const Item& declaration) {
  std::vector<const Item*> chain, interfaces;
  for (const Item* one = &declaration; one;) {
    chain.push_back(one);
    const auto* machine = std::get_if<item::Machine>(&one->node);
    if (machine && machine->interface_item) interfaces.push_back(machine->interface_item);
    one = machine ? machine->base_item : nullptr;
  }
  chain.insert(chain.end(), interfaces.begin(), interfaces.end());
  return chain;
}

Value corner(const std::string& name) { return {Corner{{name == "NW" || name == "SW", name == "NW" || name == "NE"}}}; }

}  // namespace

const Item* find_member(const Item& declaration, const std::string& name) {
  for (const Item* owner : ancestry(declaration)) {
    for (const auto& one : *own_members(*owner)) {
      if (one->name.text == name && !is_signature_only(*one)) return one.get();
    }
  }
  return nullptr;
}

// The protocols that a machine adds are tried before those it inherits. One that replaces another keeps its place.
std::vector<const Item*> protocols_of(const Item& machine) {
  const auto& node = std::get<item::Machine>(machine.node);
  std::vector<const Item*> inherited, added;
  if (node.base_item) inherited = protocols_of(*node.base_item);
  for (const auto& one : node.members) {
    if (!std::holds_alternative<item::Protocol>(one->node)) continue;
    const auto old = std::find_if(inherited.begin(), inherited.end(),
                                  [&](const Item* other) { return other->name.text == one->name.text; });
    if (old != inherited.end())
      *old = one.get();
    else
      added.push_back(one.get());
  }
  added.insert(added.end(), inherited.begin(), inherited.end());
  return added;
}

Value Evaluator::name(const expr::Name& node, Location location, const Scope& scope) {
  if (std::holds_alternative<target::Local>(node.target)) {
    for (const Locals* one = scope.locals.get(); one; one = one->outer.get()) {
      if (one->name != node.text) continue;
      const auto* axis = std::get_if<Axis>(&one->value.is);
      return axis ? Value{axis->position} : one->value;
    }
    throw Unsupported{"the name `" + node.text + "`"};
  }
  if (std::holds_alternative<target::AxisName>(node.target)) return {axis_of(scope.locals, node.text)};
  if (std::holds_alternative<target::Member>(node.target)) return member(scope.self, node.text, location);
  if (const auto* global = std::get_if<target::Global>(&node.target)) return item(*global->item, nullptr, location);
  if (const auto* word = std::get_if<target::ChoiceWord>(&node.target)) return {Choice{word->ordinal}};
  if (std::holds_alternative<target::LevelWord>(node.target)) return {Level{node.text}};
  if (std::holds_alternative<target::CornerName>(node.target)) return corner(node.text);
  throw Unsupported{"the name `" + node.text + "`"};
}

Value Evaluator::member(const std::shared_ptr<Instance>& instance, const std::string& name, Location location) {
  if (!instance) throw Unsupported{"a member of nothing"};
  if (const auto found = instance->known.find(name); found != instance->known.end()) return found->second;
  const Item* declared = find_member(*instance->declaration, name);
  if (!declared) {
    if (name == "send" || name == "recv" || name == "total")
      return {DerivedCost{name, instance, instance->declaration}};
    throw Unsupported{"the member `" + name + "`"};
  }
  if (const auto found = instance->failed.find(name); found != instance->failed.end()) throw found->second;
  try {
    Value value = item(*declared, instance, location);
    instance->known[name] = value;
    return value;
  } catch (const Failed& failed) {
    instance->failed.emplace(name, failed);
    throw;
  }
}

Value Evaluator::inherited(const std::shared_ptr<Instance>& instance, const Item& base, const std::string& name,
                           Location location) {
  const Item* declared = find_member(base, name);
  if (declared) return item(*declared, instance, location);
  if (name == "send" || name == "recv" || name == "total") return {DerivedCost{name, instance, &base}};
  throw Unsupported{"the member `" + name + "`"};
}

Value Evaluator::item(const Item& item, const std::shared_ptr<Instance>& self, Location location) {
  if (const auto* node = std::get_if<item::Param>(&item.node)) {
    if (const auto given = self->given.find(item.name.text); given != self->given.end()) {
      const auto* real = std::get_if<types::Real>(&node->checked_type->kind);
      return real && is_number(given->second) ? Value{as_real(given->second)} : given->second;
    }
    if (!node->default_value) throw Failed{"missing_parameter", item.location};
    const Value value = evaluate(*node->default_value, {self, nullptr});
    return std::holds_alternative<types::Real>(node->checked_type->kind) ? Value{as_real(value)} : value;
  }
  if (const auto* node = std::get_if<item::Let>(&item.node)) return evaluate(*node->value, {self, nullptr});
  if (const auto* node = std::get_if<item::Output>(&item.node)) {
    if (node->indices.empty()) return evaluate(*node->value, {self, nullptr});
    throw Unsupported{"a series as a value"};
  }
  if (std::holds_alternative<item::Function>(item.node) || std::holds_alternative<item::Collective>(item.node)) {
    return {Function{&item, self}};
  }
  if (std::holds_alternative<item::Process>(item.node)) {
    return {Measured{simulate(*this, item, self), "", ""}};
  }
  if (std::holds_alternative<item::Machine>(item.node) || std::holds_alternative<item::Model>(item.node)) {
    return call_item(item, {}, location, {});
  }
  throw Unsupported{"the value of `" + item.name.text + "`"};
}

void Evaluator::check_requirements(const std::shared_ptr<Instance>& instance) {
  for (const Item* owner : ancestry(*instance->declaration)) {
    for (const auto& one : *own_members(*owner)) {
      const auto* node = std::get_if<item::Require>(&one->node);
      if (node && !boolean(*node->condition, {instance, nullptr})) throw Failed{"require_failed", one->location};
    }
  }
}

}  // namespace wave::simulator
