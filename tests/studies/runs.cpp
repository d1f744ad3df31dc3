// See runs.h.
#include "tests/studies/runs.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <random>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace wave::test {

Run::Run(const std::string& folder, const std::vector<std::string>& arguments, const std::function<bool()>& prepare)
    : said_(std::tmpfile(), &std::fclose) {
  if (!said_) throw std::runtime_error("no file for what the program says");
  std::vector<char*> words{const_cast<char*>(WAVE_PROGRAM)};
  for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  std::fflush(nullptr);
  process_ = fork();
  if (process_ != 0) return;
  const int out = fileno(said_.get()), in = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (chdir(folder.c_str()) != 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(126);
  close(out);
  if (prepare && !prepare()) _exit(125);
  execv(WAVE_PROGRAM, words.data());
  _exit(127);
}

Run::~Run() {
  if (!status_) {
    send(SIGKILL);
    finish();
  }
}

void Run::send(int signal) {
  if (!has_ended()) kill(process_, signal);
}

bool Run::has_ended() {
  int status = 0;
  if (!status_ && wait4(process_, &status, WNOHANG, &used_) == process_) status_ = status;
  return status_.has_value();
}

double Run::cpu_seconds() const {
  clockid_t clock = 0;
  timespec time{};
  if (clock_getcpuclockid(process_, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

Finished Run::finish() {
  int status = 0;
  while (!status_) {
    if (wait4(process_, &status, 0, &used_) == process_) status_ = status;
  }
  Finished finished;
  std::rewind(said_.get());
  char piece[4096];
  while (const std::size_t count = std::fread(piece, 1, sizeof piece, said_.get())) finished.said.append(piece, count);
  (WIFEXITED(*status_) ? finished.code : finished.signal) =
      WIFEXITED(*status_) ? WEXITSTATUS(*status_) : WTERMSIG(*status_);
  for (const timeval& part : {used_.ru_utime, used_.ru_stime})
    finished.cpu_seconds += static_cast<double>(part.tv_sec) + static_cast<double>(part.tv_usec) * 1e-6;
  finished.peak_bytes = std::int64_t{used_.ru_maxrss} * 1024;
  return finished;
}

Finished run(const std::string& folder, const std::vector<std::string>& arguments,
             const std::function<bool()>& prepare) {
  return Run(folder, arguments, prepare).finish();
}

unsigned seed() {
  const char* const given = std::getenv("WAVE_SEED");
  const unsigned number =
      given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : std::random_device{}();
  std::printf("WAVE_SEED=%u\n", number);
  return number;
}

int count_of_trials(int unless_given) {
  const char* const given = std::getenv("WAVE_COUNT");
  return given != nullptr ? static_cast<int>(std::strtol(given, nullptr, 10)) : unless_given;
}

}  // namespace wave::test
