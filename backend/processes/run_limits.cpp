// Holds a process against its limits. Memory is claimed. A process that clearly takes too long is refused before it
// begins, or as soon as that is seen.
#include "backend/limits.h"
#include "backend/observer.h"
#include "backend/processes/engine/pieces.h"
#include "backend/processes/quantum.h"
#include "backend/processes/run.h"
#include "backend/processes/thresholds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace wave::backend::processes {

namespace {

std::string processes_text(double count) { return count_text(count) + (count == 1 ? " process" : " processes"); }

}  // namespace

// `before_messages`: what is needed in all before the first message is under way; 0: it is for messages.
void Run::claim(std::int64_t bytes, double before_messages) {
  if (claim_memory_(bytes)) return;
  const double count = static_cast<double>(places_->count());
  const double limit = static_cast<double>(limits_.memory_bytes);
  ir::Failure failure;
  failure.kind = ir::FailureKind::memory_limit;
  failure.location = process_.location;
  if (before_messages <= 0) {
    failure.detail = fmt::format("{} of `{}` and the messages between them need more than the limit, {}",
                                 processes_text(count), process_.name, bytes_text(limit));
  } else {
    failure.detail = fmt::format("needs about {} for {} of `{}`, the limit is {}", bytes_text(before_messages),
                                 processes_text(count), process_.name, bytes_text(limit));
    if (before_messages > limit) {
      failure.detail +=
          fmt::format("; about {} would fit", processes_text(std::floor(count * limit / before_messages)));
    }
  }
  throw Failed{std::move(failure)};
}

// A process that clearly exceeds the limits is not begun. One processor may do far more than the others (it hands out
// work, say), so the time is estimated from those that do least.
void Run::check_limits(const Guess& guess) {
  const double count = static_cast<double>(places_->count());
  const double bytes = count * static_cast<double>(bytes_per_process());
  double later = 0;
  if (!kernels_) {
    EndsResolver resolver = make_resolver(0);
    const ProgramInput input = program_input(resolver, 0);
    later = count * engine::Pieces::bytes_of_process(input, process_.blocks[process_.body.index]);
  }
  constexpr double most = 0x1p62;
  const auto whole = static_cast<std::int64_t>(std::min(most, bytes + later));
  claim(whole, bytes + later);
  claim_memory_(-whole);
  if (count >= static_cast<double>(std::numeric_limits<std::uint32_t>::max()))
    claim(std::int64_t{1} << 62, bytes + later);
  const double seconds = shortcuts_     ? count * seconds_per_process / threads_
                         : is_compiled_ ? guess.least_summands * compiled_seconds_per_summand / threads_
                                        : guess.least_summands * seconds_per_summand;
  if (seconds >= seconds_left(limits_)) refuse(seconds, kernels_ ? "at least" : "about");
}

// Steps have been evaluated for a while, and there is nothing yet that would let others be skipped.
void Run::expect(double seconds) {
  if (seconds > hopeless * seconds_left(limits_)) refuse(seconds, "about");
  if (limits_.observer == nullptr || std::exchange(is_announced_, true)) return;
  limits_.observer->begin(process_.name, static_cast<double>(places_->count()), "processes", seconds);
}

void Run::refuse(double seconds, const char* about) {
  const double count = static_cast<double>(places_->count()), budget = limits_.time_budget_seconds;
  ir::Failure failure;
  failure.kind = ir::FailureKind::time_limit;
  failure.location = process_.location;
  failure.detail =
      fmt::format("needs {} {} for {} of `{}`, {}", about, duration_text(seconds), processes_text(count), process_.name,
                  budget > 0 ? "the limit is " + duration_text(budget) : "more than the time limit");
  const double fitting = std::floor(count * budget / seconds);
  if (fitting >= 1) failure.detail += fmt::format("; about {} would fit", processes_text(fitting));
  throw Failed{std::move(failure)};
}

// Of the state that is kept: the clock, and two for every phase that is asked for.
std::int64_t Run::bytes_per_process() const {
  return static_cast<std::int64_t>(sizeof(double)) * (1 + 2 * std::count(wanted_.begin(), wanted_.end(), true));
}

}  // namespace wave::backend::processes
