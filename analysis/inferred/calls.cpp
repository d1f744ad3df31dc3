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

Calls calls_of(const recorded::Steps& steps, const std::vector<float>& since, Names& names) {
  Calls result;
  result.calls.reserve(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    Call call;
    call.kind = step.kind;
    call.peer = static_cast<std::int32_t>(step.peer);
    call.from = static_cast<std::int32_t>(step.from);
    call.participants = static_cast<std::int32_t>(step.participants);
    call.size = step.size;
    call.received = step.received;
    call.since = i < since.size() ? since[i] : 0;
    if (step.kind == Step::Kind::collective) call.name = names.number_of(step.name);
    call.first_ended = static_cast<std::uint32_t>(result.ended.size());
    call.ended_count = static_cast<std::uint32_t>(step.ended.size());
    for (const std::size_t ended : step.ended) result.ended.push_back(static_cast<std::uint32_t>(ended));
    result.calls.push_back(call);
  }
  return result;
}

}  // namespace wave::analysis::inferred
