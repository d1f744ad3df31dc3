// See channels.h.
#include "backend/processes/engine/channels.h"

#include "backend/failed.h"
#include "backend/kernels/excerpt.h"

namespace wave::backend::processes::engine {

static PeerOfKey peer_of_key(const ir::Peer& peer) {
  switch (peer.kind) {
    case ir::Peer::Kind::offset: return peer.by_rank ? by_offset_of_rank : by_offset;
    case ir::Peer::Kind::place: return by_place;
    case ir::Peer::Kind::member: return by_member;
  }
  return by_place;
}

ChannelKey key_of(const ir::Message& message, std::span<const std::int64_t> key) {
  ChannelKey result{message.context, key[0], peer_of_key(message.peer)};
  if (message.peer.kind != ir::Peer::Kind::offset) return result;
  for (const std::int64_t offset : key.subspan(1)) {
    const bool is_send = message.side == Side::send;
    result.push_back(is_send ? offset : static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(offset)));
  }
  return result;
}

KindsAtHome kinds_at_home(const ProgramInput& input, const program::Bytecode& program) {
  KindsAtHome homes;
  for (const program::Instruction& instruction : program.code) {
    const auto* const n = std::get_if<program::Communicate>(&instruction);
    if (!n) continue;
    if (n->message->peer.kind != ir::Peer::Kind::offset || homes.kinds.size() == most_kinds_at_home) {
      homes.are_all = false;
      continue;
    }
    std::vector<program::OperandId> operands{n->tag};
    operands.insert(operands.end(), n->coordinates.begin(), n->coordinates.end());
    std::vector<std::int64_t> key;
    for (const program::OperandId id : operands) {
      if (id == program::no_operand) {
        key.push_back(0);
        continue;
      }
      const program::Operand& operand = program.operands[id];
      if (!operand.sources.empty() || !kernels::is_quick(input.scalars.system(), operand.value)) break;
      try {
        key.push_back(input.scalars.value(operand.value).integer);
      } catch (const Failed& failed) {  // nobody may ever ask for it
        if (failed.failure.is_limit()) throw;
        break;
      }
    }
    if (key.size() < operands.size()) {
      homes.are_all = false;
      continue;
    }
    ChannelKey home = key_of(*n->message, key);
    if (std::ranges::find(homes.kinds, home) == homes.kinds.end()) homes.kinds.push_back(std::move(home));
  }
  return homes;
}

}  // namespace wave::backend::processes::engine
