// See accounts_uses.h.
#include "backend/processes/accounts_uses.h"

#include <algorithm>

namespace wave::backend::processes {

// Offsets beyond it are rare, and would make as many classes of places.
constexpr std::int64_t furthest = 100;

struct ProgramUses::Collector {
  ProgramUses& self;
  Uses& uses;

  void value(ir::ValueId value) {
    if (!value.valid()) return;
    const auto& free = self.binders_.of(value);
    uses.binders.insert(free.begin(), free.end());
  }
  void block(ir::BlockId block) {
    if (!block.valid()) return;
    const Uses& inner = self.of(block);
    uses.binders.insert(inner.binders.begin(), inner.binders.end());
    uses.waits = uses.waits || inner.waits;
  }

  void operator()(const ir::Compute& n) {
    if (self.of_ != Of::counts) value(n.time);
  }
  void operator()(const ir::Message& n) {
    if (self.of_ == Of::counts && n.side == ir::Message::Side::receive) return;
    for (const ir::ValueId coordinate : n.peer.coordinates) value(coordinate);
    value(n.size), value(n.local), value(n.tag);
  }
  void operator()(const ir::Wait&) { uses.waits = true; }
  void operator()(const ir::Sweep& n) {
    value(n.tiles);
    for (const ir::Front& front : n.fronts) block(front.body);
  }
  void operator()(const ir::Loop& n) {
    for (const ir::Level& level : n.levels)
      value(level.first), value(level.last), value(level.step), value(level.filter);
    block(n.body);
  }
  void operator()(const ir::Branch& n) { value(n.condition), block(n.then_block), block(n.else_block); }
  void operator()(const ir::Phase& n) { block(n.body); }
  void operator()(const ir::Collective& n) {
    if (self.of_ == Of::all) value(n.cost);
  }
};

const Uses& ProgramUses::of(ir::BlockId id) {
  if (const auto found = known_.find(id); found != known_.end()) return found->second;
  Uses uses;
  for (const ir::Statement& statement : process_.blocks[id.index]) std::visit(Collector{*this, uses}, statement.node);
  return known_.emplace(id, std::move(uses)).first->second;
}

std::optional<std::int64_t> ProgramUses::reach(std::uint32_t axis) {
  const ir::Axis& the_axis = system_[process_.space].axes[axis];
  if (of(process_.body).binders.count(the_axis.binder) != 0) return std::nullopt;
  std::int64_t reach = 0;
  for (const ir::Block& block : process_.blocks) {
    for (const ir::Statement& statement : block) {
      const auto* message = std::get_if<ir::Message>(&statement.node);
      if (!message || message->peer.kind != ir::Peer::Kind::offset) continue;
      if (of_ == Of::counts && message->side == ir::Message::Side::receive) continue;
      if (message->peer.by_rank) return std::nullopt;
      const auto* constant = std::get_if<ir::Constant>(&system_[message->peer.coordinates[axis]].node);
      if (!constant) return std::nullopt;
      const std::int64_t distance = constant->value.integer;
      if (distance < -furthest || distance > furthest) return std::nullopt;
      if (!the_axis.wrap) reach = std::max(reach, distance < 0 ? -distance : distance);
    }
  }
  return reach;
}

}  // namespace wave::backend::processes
