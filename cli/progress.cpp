// See progress.h.
#include "cli/progress.h"

#include "backend/limits.h"
#include "cli/client.h"
#include "cli/ending.h"
#include "cli/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <string_view>
#include <unistd.h>

namespace wave::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Evaluations that are quicker need no line, and nobody reads faster than this.
constexpr std::chrono::milliseconds patience(700), pause(200);
// Evaluations that take less are not announced, unless that is asked for.
constexpr double worth_a_word = 2;

std::string rate_text(double per_second) {
  if (per_second >= 1e6) return fmt::format("{:.3g} million a second", per_second / 1e6);
  if (per_second >= 1) return fmt::format("{} a second", grouped(static_cast<std::uint64_t>(per_second)));
  return fmt::format("{:.2g} a second", per_second);
}

// An estimate needs no tenths.
std::string left_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s left", seconds);
  if (seconds < 120) return fmt::format("{:.0f} s left", seconds);
  return backend::duration_text(seconds) + " left";
}

}  // namespace

std::string progress_text(std::string_view what, double done, double all, double seconds) {
  std::string text = fmt::format("{} of {} {}", grouped(static_cast<std::uint64_t>(done)),
                                 grouped(static_cast<std::uint64_t>(all)), what);
  if (done > 0 && seconds > 0) {
    text += fmt::format(", {}, {}", rate_text(done / seconds), left_text((all - done) * seconds / done));
  }
  return text;
}

std::string progress_bar(double part) {
  constexpr int width = 24;
  const double whole = part > 0 ? std::min(part, 1.0) : 0;
  const int filled = static_cast<int>(whole * width);
  return fmt::format("[{}{}] {:>3} %", std::string(static_cast<std::size_t>(filled), '#'),
                     std::string(static_cast<std::size_t>(width - filled), '.'), static_cast<int>(100 * whole));
}

ProgressLine::ProgressLine(Console& console, std::string what, double all)
    : console_(console), what_(std::move(what)), all_(all), next_(begin_ + patience) {
  if (console_.client()) console_.client()->advance(0, all_);
}

ProgressLine::~ProgressLine() { console_.status(""); }

void ProgressLine::advance(double done) {
  if (console_.client()) return console_.client()->advance(done, all_);
  if (Clock::now() < next_) return;
  next_ = Clock::now() + pause;
  console_.status(progress_bar(all_ > 0 ? done / all_ : 1) + "  " +
                  progress_text(what_, done, all_, seconds_since(begin_)));
}

EvaluationWatch::~EvaluationWatch() { console_.status(""); }

void EvaluationWatch::begin(std::string_view name, double count, std::string_view what, double seconds) {
  name_ = name;
  begin_ = Clock::now();
  next_ = begin_ + patience;
  const bool shown = always_ || (console_.is_watched() && seconds >= worth_a_word);
  if (!shown) return;
  const std::string time = seconds > 0 ? fmt::format(", about {}", backend::duration_text(seconds)) : "";
  console_.remark(fmt::format("{}: {} {}{}\n", name, backend::count_text(count), what, time));
}

void EvaluationWatch::advance(double part) {
  if (Clock::now() < next_) return;
  next_ = Clock::now() + pause;
  const double seconds = seconds_since(begin_);
  const std::string left = part > 0 ? ", " + left_text((1 - part) * seconds / part) : "";
  console_.status(fmt::format("{}: {:.0f} %{}", name_, 100 * part, left));
}

namespace {

constexpr int signals[] = {SIGINT, SIGTERM};
constexpr int patience_seconds = 3;
constexpr int of_a_signal = 128;

std::atomic<bool> flagged{false};
std::atomic<int> received{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "signal handlers use them");

// This is made before it is needed, because a signal handler may not allocate.
std::string& words() {
  static std::string text;
  return text;
}

int code_after(int number) { return number == SIGALRM ? 1 : of_a_signal + number; }

extern "C" void end_now(int) {
  const int number = received.load();
  end_at_once({number == SIGALRM ? time_is_out_words() : std::string_view(), words()}, code_after(number));
}

extern "C" void take_signal(int number) {
  int none = 0;
  received.compare_exchange_strong(none, number);
  if (flagged.exchange(true)) end_now(number);
  std::signal(SIGALRM, end_now);
  alarm(patience_seconds);
}

}  // namespace

Interrupt::Interrupt(const Console& console, std::string last_words) : client_(console.client()) {
  if (client_) return;
  words() = std::move(last_words);
  flagged = false;
  received = 0;
  for (const int number : signals) {
    struct sigaction present{};
    // A program that was started to ignore signals (`nohup`, a shell's background) keeps ignoring them.
    if (sigaction(number, nullptr, &present) == 0 && present.sa_handler == SIG_IGN) continue;
    struct sigaction wanted{};
    wanted.sa_handler = take_signal;
    wanted.sa_flags = SA_RESTART;
    sigaction(number, &wanted, nullptr);
  }
  call_at_given_limit(take_signal);
}

Interrupt::~Interrupt() {
  if (client_) return;
  call_at_given_limit(nullptr);
  for (const int number : signals) {
    struct sigaction present{};
    if (sigaction(number, nullptr, &present) == 0 && present.sa_handler == take_signal) std::signal(number, SIG_DFL);
  }
}

const std::atomic<bool>& Interrupt::flag() const { return client_ ? client_->is_stopped() : flagged; }

bool Interrupt::is_out_of_time() const { return !client_ && received == SIGALRM; }

int Interrupt::exit_code() const { return client_ ? failure : code_after(received.load()); }

int Interrupt::report_end(Console& console, std::string_view what, const std::string& kept) const {
  if (is_out_of_time())
    report_without_location(console, frontend::DiagnosticKind::out_of_time,
                            fmt::format("{} took longer than `--time-limit` allows", what), kept);
  return exit_code();
}

}  // namespace wave::cli
