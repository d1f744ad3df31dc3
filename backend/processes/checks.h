// What every way through a process's program checks alike, and the failures that it meets.
#pragma once

#include "backend/failed.h"
#include "ir/arithmetic.h"

#include <cstdint>
#include <utility>

namespace wave::backend::processes {

// A time on the quantum; one that is not finite fails at `site`.
inline double on_quantum(double time, double quantum, ir::SiteId site, Place place) {
  const auto rounded = ir::arithmetic::quantize(time, quantum);
  if (!rounded.failed) return rounded.value;
  ir::Failure failure;
  failure.kind = rounded.kind;
  failure.site = site;
  failure.values = {ir::Scalar::of(time)};
  failure.place = place;
  throw Failed{std::move(failure)};
}

// A loop whose step leads nowhere fails at `site` (ir::Level).
inline void require_progress(bool geometric, std::int64_t first, std::int64_t last, std::int64_t step,
                             ir::SiteId site) {
  if (geometric ? first >= 1 && step >= 2 : step != 0) return;
  ir::Failure failure;
  failure.kind = ir::FailureKind::no_progress;
  failure.site = site;
  failure.values = {ir::Scalar::of(first), ir::Scalar::of(last), ir::Scalar::of(step)};
  throw Failed{std::move(failure)};
}

}  // namespace wave::backend::processes
