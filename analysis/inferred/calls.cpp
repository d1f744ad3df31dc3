// See calls.h.
#include "analysis/inferred/calls.h"

#include <algorithm>

namespace wave::analysis::inferred {

using recorded::Step;

std::uint8_t Names::number_of(const std::string& name) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) {
    names_.push_back(name);
    return static_cast<std::uint8_t>(names_.size() - 1);
  }
  return static_cast<std::uint8_t>(found - names_.begin());
}

Runs pointers_to(const std::vector<Run>& runs) {
  Runs pointers;
  for (const Run& run : runs) pointers.push_back(&run);
  return pointers;
}

std::size_t calls_in(const Run& run) {
  std::size_t count = 0;
  for (const Calls& calls : run.ranks) count += calls.calls.size();
  return count;
}

Calls calls_of(const recorded::Steps& all, const std::vector<recorded::Times>& times, Names& names) {
  std::vector<std::size_t> from;
  const recorded::Steps steps = recorded::with_whole_waits(all, &from);
  Calls result;
  result.calls.reserve(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    Call call;
    call.kind = step.kind;
    call.peer = static_cast<std::int32_t>(step.peer);
    call.from = static_cast<std::int32_t>(step.from);
    call.participants = static_cast<std::int32_t>(step.participants);
    const bool has_parts = step.kind == Step::Kind::collective && step.size < 0 && step.received > 0;
    call.size = has_parts ? step.received : step.size;
    call.received = step.received;
    if (from[i] < times.size()) {
      // The processor's time, where it is known: ranks may share a core.
      const recorded::Times& own = times[from[i]];
      call.since = static_cast<float>(own.cpu_ns >= 0 ? own.cpu_ns : own.since_ns);
    }
    if (step.kind == Step::Kind::collective) call.name = names.number_of(step.name);
    call.first_ended = static_cast<std::uint32_t>(result.ended.size());
    call.ended_count = static_cast<std::uint32_t>(step.ended.size());
    for (const std::size_t ended : step.ended) result.ended.push_back(static_cast<std::uint32_t>(ended));
    result.calls.push_back(call);
  }
  return result;
}

}  // namespace wave::analysis::inferred
