// See child.h.
#include "bench/child.h"

#include "bench/timing.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wave::bench {

namespace {

[[noreturn]] void become(const std::vector<std::string>& command, const std::vector<std::string>& environment,
                         int output) {
  dup2(output, STDOUT_FILENO);
  dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
  for (const std::string& variable : environment) putenv(const_cast<char*>(variable.c_str()));
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

Child run(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
  Child result;
  int ends[2];
  result.status = 127;
  if (pipe2(ends, O_CLOEXEC) != 0) return result;
  const double begin = now(Clock::wall);
  const pid_t child = fork();
  if (child == 0) become(command, environment, ends[1]);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return result;
  }
  char buffer[1 << 12];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;)
    result.output.append(buffer, static_cast<std::size_t>(count));
  close(ends[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  result.wall = now(Clock::wall) - begin;
  result.cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  result.peak = static_cast<double>(usage.ru_maxrss) * 1024;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

Child median(std::vector<Child> runs) {
  Child result = runs.front();
  for (const auto figure : {&Child::wall, &Child::cpu, &Child::peak}) {
    std::sort(runs.begin(), runs.end(), [&](const Child& a, const Child& b) { return a.*figure < b.*figure; });
    result.*figure = runs[runs.size() / 2].*figure;
  }
  for (const Child& one : runs) result.status = std::max(result.status, one.status);
  return result;
}

Folder::Folder() : path(std::filesystem::temp_directory_path() / ("wave-bench-" + std::to_string(getpid()))) {
  std::filesystem::create_directory(path);
}

Folder::~Folder() { std::filesystem::remove_all(path); }

}  // namespace wave::bench
