// See limits.h.
#include "cli/limits.h"

#include "backend/limits.h"
#include "backend/threads.h"
#include "base/clock.h"
#include "cli/client.h"
#include "cli/diagnostics.h"
#include "cli/ending.h"
#include "cli/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>
#include <utility>

namespace wave::cli {
namespace {

// Made before they are needed: a signal handler may not allocate, and where memory is out nobody can.
struct LastWords {
  std::string time_is_out, memory_is_out;
};
LastWords& last_words() {
  static LastWords words;
  return words;
}

// Since when a command line is watched; nothing where a client asks.
std::optional<std::chrono::steady_clock::time_point> watched_since;
// The limit that the user has given; infinite if there is none.
double given_limit = std::numeric_limits<double>::infinity();

extern "C" void time_is_out(int) { end_at_once({last_words().time_is_out}, failure); }

std::string rendered(const CommonOptions& options, frontend::DiagnosticKind kind, const std::string& message,
                     const std::string& help) {
  frontend::Diagnostics diagnostics;
  auto& d = diagnostics.add(kind, {}, message);
  d.help.push_back(help);
  if (options.diagnostics == DiagnosticFormat::json) return render_json({}, d);
  return render_text({}, d, Palette(false)) + "\n" + count_line(1, 0) + "\n";
}

// Sends SIGALRM to this program that many seconds after its start, and no sooner than after `least`. An alarm that was
// set before is dropped.
void set_alarm(double after_start, double least) {
  const double seconds = std::max(after_start - seconds_since(*watched_since), least);
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  // All zeros would turn the alarm off.
  timer.it_value.tv_usec = std::max<suseconds_t>(1, static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6));
  setitimer(ITIMER_REAL, &timer, nullptr);
}

// An engine notices the end by itself and says where it was, so it gets a moment: less than a second, since what it has
// taken of memory takes a while to give back, too.
double end_of(double limit) { return limit * 1.1 + 0.7; }

void watch_time(const CommonOptions& options) {
  if (options.reading_limit_seconds > longest_seconds) given_limit = options.time_limit_seconds;
  const bool of_reading = options.time_limit_seconds > longest_seconds;
  const double limit = of_reading ? options.reading_limit_seconds : options.time_limit_seconds;
  if (limit > longest_seconds) return;
  last_words().time_is_out = rendered(options, frontend::DiagnosticKind::out_of_time,
                                      fmt::format("{} took longer than the limit of {}",
                                                  of_reading ? "reading the model" : "this", format_seconds(limit)),
                                      "give it more time with `--time-limit`, or make the model smaller");
  std::signal(SIGALRM, time_is_out);
  set_alarm(end_of(limit), 0);
}

// The reserve is for what every run takes: the program's own tables, LLVM, and the stacks of threads, which count as
// soon as they are there.
void watch_memory([[maybe_unused]] const CommonOptions& options) {
  const OutOfMemory words = out_of_memory(options);
  last_words().memory_is_out = rendered(options, frontend::DiagnosticKind::out_of_memory, words.message, words.help);
#ifndef WAVE_SANITIZED
  constexpr rlim_t reserve = rlim_t{512} << 20, stack_of_thread = rlim_t{8} << 20;
  rlimit current{};
  if (getrlimit(RLIMIT_DATA, &current) != 0) return;
  const auto threads = static_cast<rlim_t>(backend::actual_threads(0));
  const rlim_t wanted = options.memory_limit + reserve + threads * stack_of_thread;
  if (current.rlim_cur != RLIM_INFINITY && current.rlim_cur <= wanted) return;
  current.rlim_cur = wanted;
  setrlimit(RLIMIT_DATA, &current);
#endif
}

}  // namespace

OutOfMemory out_of_memory(const CommonOptions& options) {
  return {
      fmt::format("this needs more memory than there is, or than the limit of {}", format_bytes(options.memory_limit)),
      "give it more with `--memory-limit`, or make the model smaller"};
}

void start_watching(const CommonOptions& options) {
  watched_since = options.begin;
  watch_time(options);
  watch_memory(options);
}

void watch_given_limit() {
  if (given_limit > longest_seconds) stop_watching();
}

void stop_watching() {
  if (!watched_since) return;
  const itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
}

void call_at_given_limit(void (*ask_to_stop)(int)) {
  constexpr double moment = 3;
  stop_watching();
  if (!watched_since || given_limit > longest_seconds) return;
  std::signal(SIGALRM, ask_to_stop != nullptr ? ask_to_stop : time_is_out);
  set_alarm(ask_to_stop != nullptr ? given_limit : end_of(given_limit), ask_to_stop != nullptr ? 0 : moment);
}

std::string_view memory_is_out_words() { return last_words().memory_is_out; }

std::string_view time_is_out_words() { return last_words().time_is_out; }

std::optional<OutOfMemory> make_room_on_stack() {
  constexpr rlim_t least = rlim_t{4} << 20;
  rlimit stack{};
  if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur == RLIM_INFINITY || stack.rlim_cur >= least)
    return std::nullopt;
  const rlim_t before = std::exchange(stack.rlim_cur, least);
  if (stack.rlim_max >= least && setrlimit(RLIMIT_STACK, &stack) == 0) return std::nullopt;
  return OutOfMemory{fmt::format("the stack of this program is limited to {}", format_bytes(before)),
                     "it needs 4 MiB to read models of any shape: `ulimit -s 4096`"};
}

backend::Limits engine_limits(const CommonOptions& options) {
  backend::Limits limits;
  limits.memory_bytes = options.memory_limit;
  backend::set_time_limit(limits, options.time_limit_seconds, options.begin);
  if (options.client) limits.stop = &options.client->is_stopped();
  return limits;
}

std::string format_seconds(double seconds) {
  return format_quantity(seconds * 1e12, frontend::Dimension{1, 0, 0}, std::nullopt, 4);
}

std::string format_bytes(std::size_t bytes) {
  return format_quantity(static_cast<double>(bytes), frontend::Dimension{0, 1, 0}, std::nullopt, 4);
}

}  // namespace wave::cli
