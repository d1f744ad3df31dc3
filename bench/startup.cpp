// Whole processes, from fork to exit: the time until a user sees the first number. Usage: bench_startup PROGRAM
#include "bench/child.h"
#include "bench/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <unistd.h>

using namespace wave;

namespace {

namespace fs = std::filesystem;
using Command = std::vector<std::string>;

constexpr double target = 0.050;  // seconds

struct Measured {
  double wall = 0, cpu = 0;
  int status = 0;
};

Measured measure(const Command& command, const std::vector<std::string>& environment,
                 const std::function<void()>& before) {
  std::vector<double> wall, cpu;
  Measured result;
  for (int run = 0; run < 15; ++run) {
    if (before) before();
    const bench::Child child = bench::run(command, environment);
    wall.push_back(child.wall);
    cpu.push_back(child.cpu);
    result.status = std::max(result.status, child.status);
  }
  std::sort(wall.begin(), wall.end());
  std::sort(cpu.begin(), cpu.end());
  result.wall = wall[wall.size() / 2];
  result.cpu = cpu[cpu.size() / 2];
  return result;
}

std::string cell(const Measured& measured) {
  return fmt::format("{:.1f} ({:.1f}){}", measured.wall * 1e3, measured.cpu * 1e3,
                     measured.status != 0     ? " failed"
                     : measured.wall < target ? ""
                                              : " above");
}

// A folder for the files of this program's runs, and the environment that makes `wave` keep its kernels there.
struct Folder {
  Folder() : path(fs::temp_directory_path() / fmt::format("wave-bench-{}", getpid())) { fs::create_directory(path); }
  ~Folder() { fs::remove_all(path); }
  fs::path path;
  std::vector<std::string> environment() const { return {"XDG_CACHE_HOME=" + (path / "cache").string()}; }
  void forget() const { fs::remove_all(path / "cache"); }
};

// A module of about a kilobyte.
std::string write_small_file(const Folder& folder) {
  const std::string path = folder.path / "small.wave";
  std::ofstream file(path);
  file << "wave 1\n\n/// A module of about a kilobyte.\nmodel Small {\n  param n: int = 4\n  param W: time = 3 us\n";
  for (int i = 1; i <= 28; ++i) file << fmt::format("  let t{} = W * {} + {} us\n", i, i + 1, i);
  file << "  output total = t1 + t28\n}\n";
  return path;
}

// Measures without kernels in the cache, and then with those of the run before.
void print_row(const std::string& what, const Command& command, const Folder& folder) {
  const Measured cold = measure(command, folder.environment(), [&] { folder.forget(); });
  const Measured warm = measure(command, folder.environment(), {});
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
  const Folder folder;
  fmt::print("{}\n\nStart to end of whole processes: wall (CPU) time in ms, medians of 15; target: below {:.0f} ms\n\n",
             bench::machine(), target * 1e3);
  fmt::print("| command | no kernels cached | kernels cached |\n|---|---:|---:|\n");
  print_row("(a process that does nothing: `true`)", {"/bin/true"}, folder);
  print_row("`wave --version`", {wave, "--version"}, folder);
  print_row("`wave check` (1 KB)", {wave, "check", write_small_file(folder)}, folder);
  const std::string section7 = WAVE_SOURCE_DIR "/tests/language/section7/";
  for (const std::string name : {"sweep3d", "lu", "chimaera", "diagonal", "halo", "pipeline"}) {
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
