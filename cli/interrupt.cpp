// See interrupt.h.
#include "cli/interrupt.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <string_view>
#include <sys/time.h>
#include <unistd.h>

namespace wave::cli {
namespace {

constexpr int signals[] = {SIGINT, SIGTERM};
constexpr int patience_seconds = 3;
constexpr int of_a_signal = 128;

std::atomic<bool> flagged{false};
std::atomic<int> received{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "signal handlers use them");

// Made before it is needed: a signal handler may not allocate.
std::string& words() {
  static std::string text;
  return text;
}

int code_after(int number) { return number == SIGALRM ? 1 : of_a_signal + number; }

extern "C" void end_now(int) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, words().data(), words().size());
  _exit(code_after(received.load()));
}

extern "C" void take_signal(int number) {
  int none = 0;
  received.compare_exchange_strong(none, number);
  if (flagged.exchange(true)) end_now(number);
  std::signal(SIGALRM, end_now);
  alarm(patience_seconds);
}

}  // namespace

Interrupt::Interrupt(std::string last_words) {
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
}

Interrupt::~Interrupt() {
  alarm(0);
  for (const int number : signals) {
    struct sigaction present{};
    if (sigaction(number, nullptr, &present) == 0 && present.sa_handler == take_signal) std::signal(number, SIG_DFL);
  }
}

const std::atomic<bool>& Interrupt::flag() const { return flagged; }

bool Interrupt::is_out_of_time() const { return received == SIGALRM; }

int Interrupt::exit_code() const { return code_after(received.load()); }

void Interrupt::press_after(double seconds) {
  constexpr double longest_seconds = 1e8;
  if (seconds > longest_seconds) return;
  std::signal(SIGALRM, take_signal);
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = std::max<suseconds_t>(1, static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6));
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace wave::cli
