// Whether something is handed to a kernel (the measurements stand in thresholds.h).
#pragma once

#include <functional>
#include <optional>

namespace wave::backend::kernels {

class Kernels;

enum class Policy {
  never,
  when_worth_it,  // where evaluating it as it is would take longer than compiling it
  always,         // wherever there is something to compile
};

// The kernels of an engine, loaded when they are first asked for. Null: there are none.
using Provider = std::function<Kernels*()>;

// For tests: asked in place of every choice of a policy that is not `never`. Nothing: as the policy says.
void decide_by(std::function<bool()> decision);
std::optional<bool> decided();

}  // namespace wave::backend::kernels
