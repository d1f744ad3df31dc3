// See request_order.h.
#include "backend/processes/bulk/request_order.h"

#include "ir/visit.h"

#include <algorithm>
#include <span>

namespace wave::backend::processes {

namespace {

using Steps = std::span<const ir::Step>;
using StepKind = ir::Step::Kind;

// Does this end emit the signal only after it has awaited one of those that are emitted in `asking`?
bool answers(Steps end, std::uint32_t signal, Steps asking) {
  const auto is_emit = [&](const ir::Step& step) { return step.kind == StepKind::emit && step.signal == signal; };
  const auto emit = std::ranges::find_if(end, is_emit);
  if (emit == end.end()) return false;
  return std::any_of(end.begin(), emit, [&](const ir::Step& step) {
    return step.kind == StepKind::await && std::ranges::any_of(asking, [&](const ir::Step& asked) {
             return asked.kind == StepKind::emit && asked.signal == step.signal;
           });
  });
}

}  // namespace

bool is_simple(const ir::MessageEnds& machine, std::uint32_t resource, const SharedLevels* levels) {
  const ir::Resource& it = machine.resources[resource];
  if (it.count.valid() || it.servers.valid()) return false;
  const SharedLevels::Groups* const groups = levels ? levels->sharers(machine, resource) : nullptr;
  return !groups || !groups->share();
}

namespace {

// Calls f(resource) for what the steps of an end ask for in another order.
template <class Function>
void for_each_by_time(const ir::MessageEnds& machine, const ir::Protocol& protocol, const ir::Message& message,
                      const SharedLevels* levels, Function&& f) {
  const bool sends = message.side == ir::Message::Side::send;
  const Steps own = sends ? protocol.sender : protocol.receiver, other = sends ? protocol.receiver : protocol.sender;
  bool is_later = false;  // in the background
  std::size_t asked = 0;  // behind the last step that has asked for something
  for (std::size_t i = 0; i < own.size(); ++i) {
    const ir::Step& step = own[i];
    is_later = is_later || (ir::is_awaiting(step.kind) && message.background);
    if (step.uses.empty()) continue;
    const bool is_early = step.kind == StepKind::await && !answers(other, step.signal, own.subspan(asked, i - asked));
    for (const ir::Use& use : step.uses) {
      if (is_later || is_early || step.uses.size() > 1 || !is_simple(machine, use.resource, levels)) f(use.resource);
    }
    asked = i + 1;
  }
}

}  // namespace

bool asks_in_order(const ir::MessageEnds& machine, const ir::Protocol& protocol, const ir::Message& message,
                   const SharedLevels* levels) {
  const Steps own = message.side == ir::Message::Side::send ? protocol.sender : protocol.receiver;
  bool in_order = std::ranges::none_of(own, [](const ir::Step& step) { return step.kind == StepKind::arrival; });
  for_each_by_time(machine, protocol, message, levels, [&](std::uint32_t) { in_order = false; });
  return in_order;
}

std::set<ResourceKey> served_by_time(const ir::System& system, const ir::Process& process, const SharedLevels& levels) {
  std::set<ResourceKey> found;
  ir::for_each_statement(process, [&](const ir::Statement& statement) {
    const auto* const message = std::get_if<ir::Message>(&statement.node);
    if (!message) return;
    for (const ir::Protocol& protocol : system[message->ends].protocols) {
      for_each_by_time(system[message->ends], protocol, *message, &levels,
                       [&](std::uint32_t resource) { found.insert({message->ends, resource}); });
    }
  });
  return found;
}

}  // namespace wave::backend::processes
