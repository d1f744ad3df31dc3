// See reach.h.
#include "analysis/reach.h"

#include "ir/visit.h"

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

}  // namespace wave::analysis
