// Compiles what is asked for, with the care that it is worth.
#include "backend/jit/compiled_system.h"

#include "backend/jit/thresholds.h"
#include "backend/limits.h"
#include "base/big_stack.h"

namespace wave::jit {

namespace {

// Lanes are only worth it optimised, and are asked for only where there is much to do.
bool is_scalar(Wanted::Kind kind) {
  return kind != Wanted::strips && kind != Wanted::batch && kind != Wanted::reduction;
}

}  // namespace

void* CompiledSystem::get(const Wanted& wanted, const backend::Limits& limits, std::string& why) {
  const std::lock_guard lock(mutex);
  const std::string symbol = wanted.symbol();
  if (void* const known = compiler.find(symbol)) return known;
  const bool is_quick = wanted.care == Care::full && is_scalar(wanted.kind) && expected < quick_seconds;
  Compiler& chosen = is_quick ? quick_compiler : compiler;
  if (void* const known = chosen.find(symbol)) return known;
  Wanted asked = wanted;
  if (is_quick) asked.care = Care::quick;
  asked.give_up = backend::half_time(limits);
  const auto now = std::chrono::steady_clock::now();
  const auto before = given_up.find(symbol);
  if (before != given_up.end() && asked.give_up && *asked.give_up - now < 2 * before->second.time) {
    why = before->second.why;
    return nullptr;
  }
  // What emits code is recursive, and may be asked for deep inside an evaluation.
  run_on_big_stack([&](std::size_t) { why = chosen.compile(asked); });
  if (!why.empty() && asked.give_up && std::chrono::steady_clock::now() >= *asked.give_up)
    given_up.insert_or_assign(symbol, GivenUp{why, *asked.give_up - now});
  has_code = has_code || why.empty();
  return why.empty() ? chosen.find(symbol) : nullptr;
}

}  // namespace wave::jit
