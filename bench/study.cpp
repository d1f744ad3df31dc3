// A study of a million points of the plug-and-play model on one thread, from the command to the complete file. Its peer
// is a C++ program of one page that writes the same table from the same equations. Usage: bench_study PROGRAM
#include "bench/child.h"
#include "bench/peers.h"
#include "bench/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

using namespace wave;

namespace {

namespace fs = std::filesystem;

const char* const model = WAVE_SOURCE_DIR "/tests/language/section7/lu.wave";
constexpr long grids = 100, works = 100, points = grids * grids * works;
constexpr int rounds = 3;
constexpr double target = 2;

// The SP/2 of PPoPP'99 with the Fortran overheads: eqs (1) to (4), in microseconds and bytes.
struct Cost {
  double send, recv, total;
};
Cost cost_of(double size) {
  const double o = size <= 1024 ? 23 : 47, wire = size * (size <= 1024 ? 0.07 : 0.03), L = 23;
  if (size < 4096) return {o, o, o + wire + L + o};
  const double handshake = 23 + L + 23 + L;
  return {handshake + 23 + 47, 23 + L + 47 + wire + L + 47, handshake + 23 + 47 + wire + L + 47};
}

// LU's step, as in lu.wave and wavefront.wave.
double step(long n, long m, double Wg, bench::Row& row) {
  constexpr double N = 162, Wg_pre = 0.4;
  const double W = Wg * N / static_cast<double>(n) * N / static_cast<double>(m);
  const double before = Wg_pre * N / static_cast<double>(n) * N / static_cast<double>(m);
  const Cost EW = cost_of(40 * N / static_cast<double>(m)), NS = cost_of(40 * N / static_cast<double>(n));
  const double start = before + bench::rolling_uniform(n, m, W + EW.total + NS.recv, W + EW.send + NS.total, row);
  const double stack = (EW.recv + NS.recv + W + EW.send + NS.send + before) * (N - 2) - before;
  const double allreduce = n * m == 1 ? 0 : 50 * std::log2(static_cast<double>(n * m)) + 16;
  return 2 * start + 2 * stack + allreduce;
}

int write_by_hand(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return 1;
  bench::Row row;
  std::fprintf(file, "n,m,Wg [us],step [s]\n");
  for (long n = 1; n <= grids; ++n) {
    for (long m = 1; m <= grids; ++m) {
      for (long work = 1; work <= works; ++work) {
        const double Wg = 0.01 * static_cast<double>(work);
        std::fprintf(file, "%ld,%ld,%.17g,%.17g\n", n, m, Wg, step(n, m, Wg, row) * 1e-6);
      }
    }
  }
  return std::fclose(file) == 0 ? 0 : 1;
}

// The fourth column of every line.
std::vector<double> steps_in(const std::string& path) {
  std::vector<double> steps;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::size_t at = 0;
    for (int comma = 0; comma < 3; ++comma) at = line.find(',', at) + 1;
    steps.push_back(std::strtod(line.c_str() + at, nullptr));
  }
  return steps;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 3 && std::strcmp(arguments[1], "--by-hand") == 0) return write_by_hand(arguments[2]);
  if (count != 2) {
    fmt::print(stderr, "usage: bench_study PROGRAM\n");
    return 2;
  }
  const bench::Folder folder;
  const std::string ours = folder.path / "wave.csv", theirs = folder.path / "cpp.csv";
  const std::vector<std::string> sweep{arguments[1],
                                       "sweep",
                                       model,
                                       "--vary",
                                       fmt::format("n=1..{}", grids),
                                       "--vary",
                                       fmt::format("m=1..{}", grids),
                                       "--vary",
                                       fmt::format("Wg=[0.01 us * k for k in 1..{}]", works),
                                       "--show",
                                       "step",
                                       "--threads",
                                       "1",
                                       "--out",
                                       ours};
  const std::vector<std::string> by_hand{fs::read_symlink("/proc/self/exe"), "--by-hand", theirs};
  std::vector<bench::Child> wave_runs, hand_runs;
  int status = 0;
  for (int round = 0; round < rounds; ++round) {
    wave_runs.push_back(bench::run(sweep, folder.environment()));
    hand_runs.push_back(bench::run(by_hand));
    status = std::max({status, wave_runs.back().status, hand_runs.back().status});
  }
  const auto found = steps_in(ours), expected = steps_in(theirs);
  double worst = found.size() == expected.size() && found.size() == static_cast<std::size_t>(points) ? 0 : INFINITY;
  for (std::size_t i = 0; i < expected.size() && std::isfinite(worst); ++i)
    worst = std::max(worst, std::abs(found[i] / expected[i] - 1));
  const bench::Child wave = bench::median(wave_runs), hand = bench::median(hand_runs);
  const double megabytes = static_cast<double>(fs::exists(ours) ? fs::file_size(ours) : 0) / 1e6;
  if (status != 0 || !(worst < 1e-12)) {
    fmt::print("the two tables differ by {:.2g}, or a program failed ({})\n", worst, status);
    return 1;
  }
  fmt::print(
      "{}\n\nLU's step at {} points of n, m and Wg, from the command to a file of {:.0f} MB, one thread (CPU time, "
      "medians of {})\n\n",
      bench::machine(), points, megabytes, rounds);
  fmt::print("| | Wave | million points/s | peak memory | C++, a page by hand |\n|---|---:|---:|---:|---:|\n");
  const double ratio = hand.cpu / wave.cpu;
  fmt::print(
      "| `wave sweep` | {:.2f} s ({:.2f} s by the wall) | {:.2f} | {:.0f} MB | {:.2f} s, **{:.1f} x** ({} {:.1f}) |\n",
      wave.cpu, wave.wall, static_cast<double>(points) / wave.cpu * 1e-6, wave.peak / 1e6, hand.cpu, ratio,
      ratio >= target ? "of" : "below", target);
  return 0;
}
