// What tests decide.
#include "backend/kernels/choice.h"

#include <atomic>
#include <mutex>
#include <utility>

namespace wave::backend::kernels {

namespace {

std::atomic<bool> is_asked = false;
std::mutex mutex;
std::function<bool()> decide;

}  // namespace

void decide_by(std::function<bool()> decision) {
  const std::lock_guard lock(mutex);
  is_asked = static_cast<bool>(decision);
  decide = std::move(decision);
}

std::optional<bool> decided() {
  if (!is_asked) return std::nullopt;
  const std::lock_guard lock(mutex);
  return decide ? std::optional(decide()) : std::nullopt;
}

}  // namespace wave::backend::kernels
