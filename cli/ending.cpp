// See ending.h.
#include "cli/ending.h"

#include <atomic>
#include <ctime>
#include <mutex>
#include <unistd.h>

namespace wave::cli {
namespace {

// Signals that end the program at once.
constexpr int ending_signals[] = {SIGALRM, SIGINT, SIGTERM};

std::mutex turn;
std::atomic<bool> is_undisturbed{false}, is_ending{false};
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers use it");

// In the order in which they were made. Nothing before the first one: the program may end before its static objects are
// there, and a handler may not allocate. It stays, since a signal may come when static objects are gone.
std::list<std::string>* temporaries = nullptr;

std::list<std::string>& known_temporaries(const Undisturbed&) {
  if (temporaries == nullptr) temporaries = new std::list<std::string>;
  return *temporaries;
}

void rest() {
  constexpr timespec moment{0, 1'000'000};
  nanosleep(&moment, nullptr);
}

}  // namespace

Undisturbed::Undisturbed() {
  sigset_t ending;
  sigemptyset(&ending);
  for (const int number : ending_signals) sigaddset(&ending, number);
  pthread_sigmask(SIG_BLOCK, &ending, &before_);
  turn.lock();
  is_undisturbed = true;
  if (!is_ending) return;
  is_undisturbed = false;
  for (;;) rest();
}

Undisturbed::~Undisturbed() {
  is_undisturbed = false;
  turn.unlock();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

Temporary::Temporary(const std::string& path, const Undisturbed& undisturbed)
    : place_(known_temporaries(undisturbed).insert(known_temporaries(undisturbed).end(), path)) {}

Temporary::~Temporary() {
  const Undisturbed undisturbed;
  known_temporaries(undisturbed).erase(place_);
}

void end_at_once(std::initializer_list<std::string_view> words, int code) {
  constexpr int longest_wait = 2000;  // where whoever must not be disturbed waits for this thread
  is_ending = true;
  for (int i = 0; i < longest_wait && is_undisturbed; ++i) rest();
  if (!is_undisturbed && temporaries != nullptr) {
    for (auto one = temporaries->rbegin(); one != temporaries->rend(); ++one) {
      if (unlink(one->c_str()) != 0) rmdir(one->c_str());
    }
  }
  for (const std::string_view text : words) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
  }
  _exit(code);
}

}  // namespace wave::cli
