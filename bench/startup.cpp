// Whole processes, from fork to exit: what a user waits for.
#include "bench/timing.h"

#include <fmt/format.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <vector>

namespace {

// The exit status of the program with its output thrown away.
int run(const std::vector<std::string>& command) {
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    std::vector<char*> arguments;
    for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

void print_row(const std::string& what, const std::vector<std::string>& command) {
  int status = 0;
  const double seconds = wave::bench::median_seconds(wave::bench::Clock::wall, 31, [&] { status = run(command); });
  fmt::print("| {:<58} | {:>8.1f} ms |{}\n", what, seconds * 1e3, status == 0 ? "" : " (failed)");
}

// A module of about a kilobyte.
std::string write_small_file() {
  const char* const folder = std::getenv("TMPDIR");
  const std::string path = std::string(folder ? folder : "/tmp") + "/wave-bench-small.wave";
  std::ofstream file(path);
  file << "wave 1\n\n/// A module of about a kilobyte.\nmodel Small {\n  param n: int = 4\n  param W: time = 3 us\n";
  for (int i = 1; i <= 28; ++i) file << fmt::format("  let t{} = W * {} + {} us\n", i, i + 1, i);
  file << "  output total = t1 + t28\n}\n";
  return path;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "usage: bench_startup PROGRAM\n");
    return 2;
  }
  const std::string wave = arguments[1];
  const std::string small = write_small_file();
  const std::string sweep3d = WAVE_SOURCE_DIR "/examples/sweep3d/sweep3d.wave";
  fmt::print("Start-up, whole processes, medians of 31, {}\n\n", wave::bench::machine());
  fmt::print("| {:<58} | {:>11} |\n|---|---:|\n", "command", "time");
  print_row("(a process that does nothing: /bin/true)", {"/bin/true"});
  print_row("wave --version", {wave, "--version"});
  print_row("wave check (1 KB)", {wave, "check", small});
  print_row("wave run examples/sweep3d/sweep3d.wave", {wave, "run", sweep3d});
  print_row("wave run --engine jit examples/sweep3d/sweep3d.wave", {wave, "run", "--engine", "jit", sweep3d});
  print_row("wave run -D n=4096 -D m=4096 examples/sweep3d/sweep3d.wave",
            {wave, "run", "-D", "n=4096", "-D", "m=4096", sweep3d});
  return 0;
}
