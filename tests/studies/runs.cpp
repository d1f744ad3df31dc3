// See runs.h.
#include "tests/studies/runs.h"

#include "tests/folder.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

namespace wave::test {

Run::Run(const std::string& folder, const std::vector<std::string>& arguments) {
  static int count = 0;
  said_ = folder + "/said." + std::to_string(++count);
  std::vector<char*> words{const_cast<char*>(WAVE_PROGRAM)};
  for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  process_ = fork();
  if (process_ != 0) return;
  const int out = open(said_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), in = open("/dev/null", O_RDONLY);
  if (chdir(folder.c_str()) != 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(126);
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
  if (!status_ && waitpid(process_, &status, WNOHANG) == process_) status_ = status;
  return status_.has_value();
}

Finished Run::finish() {
  int status = 0;
  while (!status_) {
    if (waitpid(process_, &status, 0) == process_) status_ = status;
  }
  const std::string said = contents_of(said_);
  return WIFEXITED(*status_) ? Finished{WEXITSTATUS(*status_), 0, said} : Finished{0, WTERMSIG(*status_), said};
}

Finished run(const std::string& folder, const std::vector<std::string>& arguments) {
  return Run(folder, arguments).finish();
}

unsigned seed() {
  const char* const given = std::getenv("WAVE_SEED");
  const unsigned number =
      given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : std::random_device{}();
  std::printf("WAVE_SEED=%u\n", number);
  return number;
}

}  // namespace wave::test
