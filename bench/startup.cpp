// Whole processes, from fork to exit: the time until a user sees the first number. Usage: bench_startup PROGRAM
#include "bench/child.h"
#include "bench/timing.h"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <functional>

using namespace wave;

namespace {

using Command = std::vector<std::string>;

constexpr double target = 0.050;  // seconds

bench::Child measure(const Command& command, const std::vector<std::string>& environment,
                     const std::function<void()>& before) {
  std::vector<bench::Child> runs;
  for (int run = 0; run < 15; ++run) {
    if (before) before();
    runs.push_back(bench::run(command, environment));
  }
  return bench::median(std::move(runs));
}

std::string cell(const bench::Child& measured) {
  return fmt::format("{:.1f} ({:.1f}){}", measured.wall * 1e3, measured.cpu * 1e3,
                     measured.status != 0     ? " failed"
                     : measured.wall < target ? ""
                                              : " above");
}

// A module of about a kilobyte.
std::string write_small_file(const bench::Folder& folder) {
  const std::string path = folder.path / "small.wave";
  std::ofstream file(path);
  file << "wave 1\n\n/// A module of about a kilobyte.\nmodel Small {\n  param n: int = 4\n  param W: time = 3 us\n";
  for (int i = 1; i <= 28; ++i) file << fmt::format("  let t{} = W * {} + {} us\n", i, i + 1, i);
  file << "  output total = t1 + t28\n}\n";
  return path;
}

// Measures without kernels in the cache, and then with those of the run before.
void print_row(const std::string& what, const Command& command, const bench::Folder& folder) {
  const bench::Child cold = measure(command, folder.environment(), [&] { folder.forget(); });
  const bench::Child warm = measure(command, folder.environment(), {});
  fmt::print("| {} | {} | {} |\n", what, cell(cold), cell(warm));
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "usage: bench_startup PROGRAM\n");
    return 2;
  }
  const std::string wave = arguments[1];
  const bench::Folder folder;
  fmt::print("{}\n\nStart to end of whole processes: wall (CPU) time in ms, medians of 15; target: below {:.0f} ms\n\n",
             bench::machine(), target * 1e3);
  fmt::print("| command | no kernels cached | kernels cached |\n|---|---:|---:|\n");
  print_row("(a process that does nothing: `true`)", {"/bin/true"}, folder);
  print_row("`wave --version`", {wave, "--version"}, folder);
  print_row("`wave check` (1 KB)", {wave, "check", write_small_file(folder)}, folder);
  const std::string section7 = WAVE_SOURCE_DIR "/tests/language/section7/";
  for (const std::string name : {"sweep3d", "lu", "diagonal", "halo", "pipeline"}) {
    const bool designed = name == "sweep3d" || name == "lu";
    const std::string file =
        (designed ? section7 : fmt::format("{}/examples/{}/", WAVE_SOURCE_DIR, name)) + name + ".wave";
    print_row(fmt::format("`wave run {}.wave`", name), {wave, "run", file}, folder);
    print_row(fmt::format("`wave run {}.wave --engine jit`", name), {wave, "run", "--engine", "jit", file}, folder);
  }
  print_row("`wave run sweep3d.wave -D n=64 -D m=64`",
            {wave, "run", "-D", "n=64", "-D", "m=64", section7 + "sweep3d.wave"}, folder);
  return 0;
}
