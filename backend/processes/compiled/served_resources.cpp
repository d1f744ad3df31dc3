// See served_resources.h.
#include "backend/processes/compiled/served_resources.h"

#include "backend/processes/program_uses.h"

#include <algorithm>

namespace wave::backend::processes::compiled {

namespace {

using Kind = ir::Step::Kind;

bool always_holds(const ir::System& system, ir::ValueId condition) {
  if (!condition.valid()) return true;
  const auto* const constant = std::get_if<ir::Constant>(&system[condition].node);
  return constant && constant->value.boolean;
}

std::size_t awaits_of(const std::vector<ir::Step>& steps) {
  return static_cast<std::size_t>(std::ranges::count(steps, Kind::await, &ir::Step::kind));
}

}  // namespace

ServedResources::ServedResources(const ir::System& system, const ir::Process& process, const network::Bytecode& program)
    : processor_serves_(resource_use(system, process).on_arrival) {
  for (const ir::MessageEnds& ends : system.ends) {
    first_.push_back(static_cast<Number>(is_at_once_.size()));
    is_at_once_.resize(is_at_once_.size() + ends.resources.size(), !processor_serves_);
  }
  for (const network::Instruction& instruction : program.code) {
    const auto* const n = std::get_if<network::Communicate>(&instruction);
    if (!n) continue;
    const ir::Message& written = *n->message;
    for (const ir::Protocol& protocol : system[written.ends].protocols) {
      for (const Side side : {Side::send, Side::receive}) {
        bool is_later = false;
        for (const ir::Step& step : side == Side::send ? protocol.sender : protocol.receiver) {
          const bool is_await = step.kind == Kind::await;
          is_later = is_later || (is_await && written.background && side == written.side);
          if (!step.uses.empty() && (is_await || step.kind == Kind::arrival || is_later))
            is_at_once_[number(written.ends, step.uses.front().resource)] = false;
        }
      }
      most_awaits_ = std::max(most_awaits_, awaits_of(protocol.sender) + awaits_of(protocol.receiver));
      if (always_holds(system, protocol.condition)) break;
    }
  }
}

}  // namespace wave::backend::processes::compiled
