// See program_uses.h.
#include "backend/processes/program/uses.h"

#include "backend/processes/bulk/request_order.h"
#include "backend/processes/thresholds.h"
#include "ir/visit.h"

#include <algorithm>

namespace wave::backend::processes {

template <class Function>
void ProgramUses::for_each_value(const ir::Statement& statement, Function&& f) const {
  if (of_ == Of::held) {
    for (const ir::HeldId held : statement.held) f(process_.held[held.index].size);
    const bool decides = std::holds_alternative<ir::Branch>(statement.node) ||
                         std::holds_alternative<ir::Loop>(statement.node) ||
                         std::holds_alternative<ir::Sweep>(statement.node);
    return decides ? ir::for_each_value_of_statement(statement, f) : void();
  }
  const bool is_counted = of_ == Of::counts || of_ == Of::classes;
  if (of_ == Of::classes && statement.call.valid()) ir::for_each_value_of_call(process_.calls[statement.call.index], f);
  if (std::holds_alternative<ir::Collective>(statement.node) && of_ != Of::all) return;
  if (std::holds_alternative<ir::Compute>(statement.node) && is_counted) return;
  const auto* const message = std::get_if<ir::Message>(&statement.node);
  if (!message || !is_counted) return ir::for_each_value_of_statement(statement, f);
  if (message->side == ir::Message::Side::receive) return;
  for (const ir::ValueId coordinate : message->peer.coordinates) f(coordinate);
  f(message->size);
  if (of_ == Of::counts) return;
  f(message->within);
  if (message->sender.valid()) f(message->sender), f(message->receiver);
}

const Uses& ProgramUses::of(ir::BlockId id) {
  if (const auto found = known_.find(id); found != known_.end()) return found->second;
  Uses uses = of(process_.blocks[id.index]);
  return known_.emplace(id, std::move(uses)).first->second;
}

Uses ProgramUses::of(std::span<const ir::Statement> statements) {
  Uses uses;
  for (const ir::Statement& statement : statements) {
    uses.waits = uses.waits || std::holds_alternative<ir::Wait>(statement.node);
    for_each_value(statement, [&](ir::ValueId value) {
      uses.binders.insert(binders_.of(value).begin(), binders_.of(value).end());
    });
    ir::for_each_block(statement, [&](ir::BlockId block) {
      const Uses& inner = of(block);
      uses.binders.insert(inner.binders.begin(), inner.binders.end());
      uses.waits = uses.waits || inner.waits;
    });
  }
  return uses;
}

bool ProgramUses::looks_at(const ir::Loop& loop, std::size_t level) {
  return looks_at(loop.body, loop.levels[level].binder) || levels_look_at(loop, level);
}

bool ProgramUses::levels_look_at(const ir::Loop& loop, std::size_t level) const {
  bool found = false;
  for (std::size_t inner = level + 1; inner < loop.levels.size(); ++inner) {
    ir::for_each_value_of_level(loop.levels[inner], [&](ir::ValueId value) {
      const auto& free = binders_.of(value);
      found = found || std::find(free.begin(), free.end(), loop.levels[level].binder) != free.end();
    });
  }
  return found;
}

std::optional<std::int64_t> ProgramUses::reach(std::uint32_t axis) {
  const ir::Axis& the_axis = system_[process_.space].axes[axis];
  if (looks_at(process_.body, the_axis.binder)) return std::nullopt;
  std::int64_t reach = 0;
  const auto is_without_end = [&](const ir::Message& message) {
    if (message.peer.kind != ir::Peer::Kind::offset) return false;
    if (message.peer.by_rank) return true;
    const auto* constant = std::get_if<ir::Constant>(&system_[message.peer.coordinates[axis]].node);
    if (!constant) return true;
    const std::int64_t distance = constant->value.integer;
    if (distance < -furthest_offset || distance > furthest_offset) return true;
    if (!the_axis.wrap) reach = std::max(reach, distance < 0 ? -distance : distance);
    return false;
  };
  return ir::any_statement<ir::Message>(process_, is_without_end) ? std::nullopt : std::optional(reach);
}

ResourceUse resource_use(const ir::System& system, const ir::Process& process) {
  ResourceUse use;
  ir::for_each_statement(process, [&](const ir::Statement& statement) {
    use.in_sweeps = use.in_sweeps || std::holds_alternative<ir::Sweep>(statement.node);
    const auto* const wait = std::get_if<ir::Wait>(&statement.node);
    use.chooses = use.chooses || (wait && wait->is_any) || std::holds_alternative<ir::Ready>(statement.node);
    const auto* const message = std::get_if<ir::Message>(&statement.node);
    if (!message) return;
    use.reads_ranks = use.reads_ranks || system[message->ends].reads_ranks;
    const std::vector<ir::Protocol>& protocols = system[message->ends].protocols;
    use.by_time = use.by_time || std::ranges::none_of(protocols, [&](const ir::Protocol& protocol) {
                    return asks_in_order(system[message->ends], protocol, *message, nullptr);
                  });
    for (const ir::Protocol& protocol : protocols) {
      for (const auto* const steps : {&protocol.sender, &protocol.receiver}) {
        for (const ir::Step& step : *steps) {
          use.on_arrival = use.on_arrival || step.kind == ir::Step::Kind::arrival;
          use.any = use.any || !step.uses.empty() || step.kind == ir::Step::Kind::arrival;
          for (const ir::Use& one : step.uses) {
            const ir::Resource& resource = system[message->ends].resources[one.resource];
            use.at_places = use.at_places || resource.count.valid() || step.uses.size() > 1;
            use.is_shared = use.is_shared || resource.level || resource.count.valid() || resource.servers.valid() ||
                            step.uses.size() > 1;
          }
        }
      }
    }
  });
  use.by_time = use.by_time || use.on_arrival;
  return use;
}

bool has_windows(const ir::System& system, const ir::Process& process) {
  return ir::any_statement<ir::Message>(process, [&](const ir::Message& message) {
    const std::vector<ir::Protocol>& protocols = system[message.ends].protocols;
    return std::any_of(protocols.begin(), protocols.end(),
                       [](const ir::Protocol& protocol) { return protocol.window.valid(); });
  });
}

bool is_structure(const ir::Process& process, const ir::Statement& statement, const std::vector<bool>* wanted_phases) {
  const auto* const phase = std::get_if<ir::Phase>(&statement.node);
  bool found = std::holds_alternative<ir::Sweep>(statement.node) ||
               std::holds_alternative<ir::Collective>(statement.node) ||
               (phase && wanted_phases && (*wanted_phases)[phase->phase.index]);
  if (found) return true;
  ir::for_each_block(statement,
                     [&](ir::BlockId block) { found = found || is_structure(process, block, wanted_phases); });
  return found;
}

bool is_structure(const ir::Process& process, ir::BlockId block, const std::vector<bool>* wanted_phases) {
  const ir::Block& statements = process.blocks[block.index];
  return straight_statements(process, statements, wanted_phases) < statements.size();
}

std::size_t straight_statements(const ir::Process& process, std::span<const ir::Statement> statements,
                                const std::vector<bool>* wanted_phases) {
  const auto found = std::find_if(statements.begin(), statements.end(),
                                  [&](const ir::Statement& one) { return is_structure(process, one, wanted_phases); });
  return static_cast<std::size_t>(found - statements.begin());
}

}  // namespace wave::backend::processes
