// See inherited.h.
#include "cli/inherited.h"

#include <array>
#include <csignal>
#include <cstddef>
#include <sys/resource.h>

namespace wave::cli {
namespace {

// All that cli/main.cpp and cli/limits.cpp change.
constexpr std::array resources{RLIMIT_DATA, RLIMIT_STACK};
constexpr std::array signals{SIGPIPE, SIGXFSZ, SIGALRM};

std::array<rlimit, resources.size()> limits;
std::array<struct sigaction, signals.size()> actions;

}  // namespace

void note_inherited() {
  for (std::size_t k = 0; k < resources.size(); ++k) getrlimit(resources[k], &limits[k]);
  for (std::size_t k = 0; k < signals.size(); ++k) sigaction(signals[k], nullptr, &actions[k]);
}

void restore_inherited() {
  for (std::size_t k = 0; k < resources.size(); ++k) setrlimit(resources[k], &limits[k]);
  for (std::size_t k = 0; k < signals.size(); ++k) sigaction(signals[k], &actions[k], nullptr);
}

}  // namespace wave::cli
