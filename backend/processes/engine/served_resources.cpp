// See served_resources.h.
#include "backend/processes/engine/served_resources.h"

#include "backend/processes/bulk/request_order.h"
#include "backend/processes/program/uses.h"

#include <algorithm>

namespace wave::backend::processes::engine {

namespace {

using Kind = ir::Step::Kind;

bool always_holds(const ir::System& system, ir::ValueId condition) {
  if (!condition.valid()) return true;
  const auto* const constant = std::get_if<ir::Constant>(&system[condition].node);
  return constant && constant->value.boolean;
}

std::size_t awaits_of(const std::vector<ir::Step>& steps) {
  return static_cast<std::size_t>(std::ranges::count_if(steps, ir::is_awaiting, &ir::Step::kind));
}

}  // namespace

ServedResources::ServedResources(const ir::System& system, const ir::Process& process, const program::Bytecode& program,
                                 const SharedLevels& levels)
    : processor_serves_(resource_use(system, process).on_arrival) {
  for (const ir::MessageEnds& ends : system.ends) {
    first_.push_back(static_cast<Number>(is_at_once_.size()));
    for (std::uint32_t number = 0; number < ends.resources.size(); ++number) {
      is_simple_.push_back(processes::is_simple(ends, number, &levels));
      is_at_once_.push_back(is_simple_.back() && !processor_serves_);
    }
  }
  for (const program::Instruction& instruction : program.code) {
    const auto* const n = std::get_if<program::Communicate>(&instruction);
    if (!n) continue;
    const ir::Message& written = *n->message;
    for (const ir::Protocol& protocol : system[written.ends].protocols) {
      for (const Side side : {Side::send, Side::receive}) {
        bool is_later = false;
        for (const ir::Step& step : side == Side::send ? protocol.sender : protocol.receiver) {
          const bool is_await = step.kind == Kind::await;
          is_later = is_later || (ir::is_awaiting(step.kind) && written.background && side == written.side);
          const bool is_queued = is_await || step.kind == Kind::arrival || is_later || step.uses.size() > 1;
          for (const ir::Use& use : step.uses) {
            if (is_queued) is_at_once_[number(written.ends, use.resource)] = false;
            const SharedLevels::Groups* const groups = levels.sharers(system[written.ends], use.resource);
            // Levels lie within each other: of the outer one there are fewer groups.
            if (groups && groups->share() && (!desks_ || groups->count < desks_->count)) desks_ = groups;
          }
        }
      }
      most_awaits_ = std::max(most_awaits_, awaits_of(protocol.sender) + awaits_of(protocol.receiver));
      if (always_holds(system, protocol.condition)) break;
    }
  }
}

}  // namespace wave::backend::processes::engine
