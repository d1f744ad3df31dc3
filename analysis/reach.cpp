// See reach.h.
#include "analysis/reach.h"

#include "ir/visit.h"

#include <algorithm>
#include <vector>

namespace wave::analysis {

Reached reach(const ir::System& system, ir::ValueId from, const std::function<bool(ir::DefinitionId)>& ends_at) {
  Reached reached;
  std::set<ir::ValueId> seen;
  std::set<ir::EventId> events;
  std::vector<ir::ValueId> pending{from};
  const auto event = [&](ir::EventId first) {
    for (std::vector<ir::EventId> more{first}; !more.empty();) {
      const ir::EventId id = more.back();
      more.pop_back();
      if (!events.insert(id).second) continue;
      ir::for_each_value(system[id], [&](ir::ValueId value) { pending.push_back(value); });
      for (const ir::Constraint& constraint : system[id].constraints) {
        if (constraint.source.valid()) more.push_back(constraint.source);
      }
    }
  };
  while (!pending.empty()) {
    const ir::ValueId value = pending.back();
    pending.pop_back();
    if (!value.valid() || !seen.insert(value).second) continue;
    const ir::Node& node = system[value].node;
    ir::for_each_operand(node, [&](ir::ValueId operand) { pending.push_back(operand); });
    const auto definition = [&](ir::DefinitionId id) {
      if (reached.definitions.insert(id).second && !ends_at(id)) pending.push_back(system[id].body);
    };
    if (const auto* n = std::get_if<ir::Reference>(&node)) definition(n->definition);
    if (const auto* n = std::get_if<ir::Call>(&node)) definition(n->definition);
    if (const auto* n = std::get_if<ir::Read>(&node)) event(n->event);
    if (const auto* n = std::get_if<ir::Neighbour>(&node)) event(n->event);
    if (const auto* n = std::get_if<ir::Lookup>(&node)) reached.tables.insert(n->table);
    if (std::holds_alternative<ir::Measure>(node)) reached.measures.insert(value);
  }
  return reached;
}

namespace {

int time_in(const frontend::TypeRef& type) {
  const auto* real = type ? std::get_if<frontend::types::Real>(&type->kind) : nullptr;
  return real ? real->dimension.time : 0;
}

}  // namespace

std::vector<Input> inputs_of(const frontend::Lowered& lowered, const std::vector<std::string>& wanted) {
  std::set<ir::DefinitionId> parameters;
  const auto is_wanted = [&](const frontend::ParameterInfo& one) {
    return std::find(wanted.begin(), wanted.end(), one.path) != wanted.end();
  };
  for (const auto& one : lowered.parameters) {
    if (one.definition.valid() && (time_in(one.type) != 0 || is_wanted(one))) parameters.insert(one.definition);
  }
  const auto is_parameter = [&](ir::DefinitionId id) { return parameters.count(id) != 0; };
  std::vector<Input> inputs;
  for (const auto& one : lowered.parameters) {
    if (!one.definition.valid() || !is_parameter(one.definition)) continue;
    const Reached inside = reach(lowered.system, lowered.system[one.definition].body, is_parameter);
    const bool is_derived = std::any_of(inside.definitions.begin(), inside.definitions.end(), is_parameter);
    if (is_derived && !is_wanted(one)) continue;
    inputs.push_back({Input::Kind::parameter, one.path, {}, time_in(one.type), one.definition, {}, 0});
  }
  for (const auto& one : lowered.literals) {
    const auto kind = one.table.valid() ? Input::Kind::table : Input::Kind::literal;
    inputs.push_back({kind, one.text, one.place, one.time, one.definition, one.table, 0});
  }
  return inputs;
}

void add_cuts(std::vector<Input>& inputs, const std::vector<frontend::CutInfo>& cuts) {
  for (const auto& cut : cuts) {
    if (!cut.definition.valid() || cut.time == 0) continue;
    const auto same = [&](const Input& input) { return input.definition == cut.definition; };
    std::erase_if(inputs, same);
    inputs.push_back({Input::Kind::cut, cut.name, {}, cut.time, cut.definition, {}, 0});
  }
}

}  // namespace wave::analysis
