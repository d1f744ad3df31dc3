// Texts of exceeded limits.
#include "backend/limits.h"

#include "base/clock.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace wave::backend {

std::string count_text(double count) {
  if (count < 1e6) return fmt::format("{:.0f}", count);
  const double exponent = std::floor(std::log10(count) + 1e-9);
  const double factor = count / std::pow(10.0, exponent);
  if (std::fabs(factor - 1) < 0.05) return fmt::format("10^{:.0f}", exponent);
  return fmt::format("{:.1f} * 10^{:.0f}", factor, exponent);
}

std::string bytes_text(double bytes) {
  constexpr const char* binary[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  constexpr const char* decimal[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  for (int unit = 4; unit >= 1; --unit) {
    const double count = bytes / std::ldexp(1.0, 10 * unit);
    if (count >= 1 && count < 1024 && count == std::trunc(count)) return fmt::format("{:.0f} {}", count, binary[unit]);
  }
  int unit = 0;
  for (; bytes >= 1000 && unit < 6; ++unit) bytes /= 1000;
  return fmt::format("{:.{}f} {}", bytes, bytes < 10 && unit > 0 ? 1 : 0, decimal[unit]);
}

std::string duration_text(double seconds) {
  if (seconds < 1) return fmt::format("{:.2g} s", seconds);
  if (seconds < 120) return fmt::format("{:.3g} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} minutes", seconds / 60);
  if (seconds < 48 * 3600.0) return fmt::format("{:.0f} hours", seconds / 3600);
  if (seconds < 2 * 365.25 * 86400) return fmt::format("{:.0f} days", seconds / 86400);
  return fmt::format("{} years", count_text(seconds / (365.25 * 86400)));
}

namespace {

ir::Failure of_event(ir::FailureKind kind, const ir::System& system, ir::EventId event, std::string detail) {
  ir::Failure failure;
  failure.kind = kind;
  failure.location = system[event].location;
  failure.detail = std::move(detail);
  return failure;
}

std::string time_limit_text(const Limits& limits) {
  return limits.time_budget_seconds > 0 ? "the limit is " + duration_text(limits.time_budget_seconds)
                                        : "more than the time limit";
}

}  // namespace

ir::Failure memory_exceeded(const ir::System& system, ir::EventId event, double cells, double bytes,
                            const Limits& limits) {
  return of_event(
      ir::FailureKind::memory_limit, system, event,
      fmt::format("needs about {} for {} cells of `{}`, the limit is {}", bytes_text(bytes), count_text(cells),
                  system[event].name, bytes_text(static_cast<double>(limits.memory_bytes))));
}

ir::Failure time_exceeded(const ir::System& system, ir::EventId event, double cells, double seconds,
                          const Limits& limits) {
  return of_event(ir::FailureKind::time_limit, system, event,
                  fmt::format("needs about {} for {} cells of `{}`, {}", duration_text(seconds), count_text(cells),
                              system[event].name, time_limit_text(limits)));
}

ir::Failure deadline_passed(const Limits& limits) {
  ir::Failure failure;
  failure.kind = ir::FailureKind::time_limit;
  failure.detail = "not done in time, " + time_limit_text(limits);
  return failure;
}

ir::Failure memory_refused(const ir::System& system, ir::EventId event) {
  return of_event(ir::FailureKind::memory_limit, system, event,
                  fmt::format("the system has no more memory for `{}`", system[event].name));
}

ir::Failure rows_exceed_memory(const Limits& limits) {
  ir::Failure failure;
  failure.kind = ir::FailureKind::memory_limit;
  failure.detail = fmt::format("the rows of the result do not fit, the limit is {}",
                               bytes_text(static_cast<double>(limits.memory_bytes)));
  return failure;
}

void set_time_limit(Limits& limits, double seconds, std::chrono::steady_clock::time_point from) {
  limits.deadline.reset();
  limits.time_budget_seconds = 0;
  if (seconds > longest_seconds) return;
  const std::chrono::duration<double> budget(seconds);
  limits.deadline = from + std::chrono::duration_cast<std::chrono::steady_clock::duration>(budget);
  limits.time_budget_seconds = seconds;
}

std::optional<std::chrono::steady_clock::time_point> half_time(const Limits& limits) {
  if (!limits.deadline) return std::nullopt;
  const auto now = std::chrono::steady_clock::now();
  return now + (*limits.deadline - now) / 2;
}

bool is_stopped(const Limits& limits) { return limits.stop != nullptr && *limits.stop; }

bool is_over(const Limits& limits) {
  return is_stopped(limits) || (limits.deadline && std::chrono::steady_clock::now() > *limits.deadline);
}

double seconds_left(const Limits& limits) {
  if (is_stopped(limits)) return -1;
  if (!limits.deadline) return std::numeric_limits<double>::infinity();
  return -seconds_since(*limits.deadline);
}

}  // namespace wave::backend
