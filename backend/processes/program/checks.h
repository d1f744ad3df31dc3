// What every way through a process's program checks alike, and the failures that it meets.
#pragma once

#include "backend/failed.h"
#include "ir/walk.h"

#include <utility>

namespace wave::backend::processes {

// A time on the quantum; one that is not finite fails at `site`.
inline double on_quantum(double time, double quantum, ir::SiteId site, Location location) {
  const auto rounded = ir::arithmetic::quantize(time, quantum);
  if (!rounded.failed) return rounded.value;
  ir::Failure failure;
  failure.kind = rounded.kind;
  failure.site = site;
  failure.values = {ir::Scalar::of(time)};
  failure.location = location;
  throw Failed{std::move(failure)};
}

// A loop whose step leads nowhere fails at `site` (ir::Level).
inline void require_progress(const ir::LoopRange& range, ir::SiteId site) {
  if (range.makes_progress()) return;
  ir::Failure failure;
  failure.kind = ir::FailureKind::no_progress;
  failure.site = site;
  failure.values = {ir::Scalar::of(range.first), ir::Scalar::of(range.last), ir::Scalar::of(range.step)};
  throw Failed{std::move(failure)};
}

}  // namespace wave::backend::processes
