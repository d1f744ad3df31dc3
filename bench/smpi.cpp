// The process of Listing 1 as an MPI program in SimGrid's SMPI, compared with the same process in Wave.
// Usage: bench_smpi PROGRAM
#include "bench/child.h"
#include "bench/model.h"
#include "bench/table.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace wave;
using bench::Model;

namespace {

const char* const file = WAVE_SOURCE_DIR "/bench/listing.wave";
constexpr double target = 10'000;
constexpr long tiles = 100, sweeps = 8;

Model::Integers bound(long side, long blocks_of_tiles = tiles, long times = sweeps) {
  return {{"n", side}, {"m", side}, {"tiles", blocks_of_tiles}, {"sweeps", times}};
}

// The fastest settings found: a network without contention, no measuring of the program's own time, and no copies of
// its globals (it has none).
bench::Child simulate(long side, const std::string& hosts) {
  return bench::run({SMPIRUN, "-np", std::to_string(side * side), "-hostfile", hosts, "-platform",
                     WAVE_SOURCE_DIR "/bench/smpi/platform.xml", "--cfg=network/model:CM02",
                     "--cfg=smpi/simulate-computation:no", "--cfg=smpi/privatization:no",
                     "--cfg=smpi/async-small-thresh:65536", "--cfg=smpi/os:0:47e-6:0", "--cfg=smpi/or:0:47e-6:0",
                     "--log=root.thres:error", SMPI_WAVEFRONT, std::to_string(side), std::to_string(side),
                     std::to_string(tiles), std::to_string(sweeps)});
}

std::string cell(double seconds, double theirs, bool has_target) {
  const double ratio = theirs / seconds;
  const char* const verdict = !has_target ? "" : ratio < target ? " (below 10000)" : " (of 10000)";
  return fmt::format("{:.3f} ms, **{:.0f} x**{}", seconds * 1e3, ratio, verdict);
}

void print_row(const std::string& wave, const Model& compiled, long side, const std::string& hosts) {
  const bench::Child smpi = simulate(side, hosts);
  if (smpi.status != 0) {
    fmt::print("smpirun failed ({})\n", smpi.status);
    std::exit(1);
  }
  double predicted = 0;
  const double inside = bench::median_seconds(bench::Clock::wall, 1,
                                              {{[&] { predicted = compiled.evaluate(bound(side), "finish"); }}})[0];
  const std::vector<std::string> command{wave,
                                         "run",
                                         file,
                                         "--model",
                                         "Listing",
                                         "--engine",
                                         "jit",
                                         "-D",
                                         fmt::format("n={}", side),
                                         "-D",
                                         fmt::format("m={}", side)};
  const double whole = bench::median_seconds(bench::Clock::wall, 1, {{[&] { bench::run(command); }}})[0];
  fmt::print("| {} | {:.9f} s | {:.9f} s | {:.2f} s ({:.2f} s) | {} | {} |\n", side * side,
             std::atof(smpi.output.c_str()), predicted * 1e-12, smpi.wall, smpi.cpu,
             cell(inside, smpi.wall, side == 32), cell(whole, smpi.wall, false));
  std::fflush(stdout);
}

}  // namespace

int main(int, char** arguments) {
  Model interpreter(file, "Listing"), compiled(file, "Listing");
  interpreter.open(backend::EngineKind::interpreter);
  compiled.open(backend::EngineKind::jit);
  bench::require_same("compiled", compiled.evaluate(bound(8, 20, 2), "finish"),
                      interpreter.evaluate(bound(8, 20, 2), "finish"));

  const std::string hosts = std::filesystem::temp_directory_path() / fmt::format("wave-bench-hosts-{}", getpid());
  std::ofstream list(hosts);
  for (int host = 0; host < 1024; ++host) list << "host" << host << '\n';
  list.close();
  fmt::print("{}\n\nListing 1, eager, {} sweeps of {} tiles, wall time, one thread, no shortcuts\n\n", bench::machine(),
             sweeps, tiles);
  fmt::print(
      "| ranks | SMPI predicts | Wave predicts | smpirun, wall (CPU) | Wave, one evaluation | `wave run`, whole "
      "process |\n");
  fmt::print("|---:|---:|---:|---:|---:|---:|\n");
  for (const long side : {8L, 16L, 32L}) print_row(arguments[1], compiled, side, hosts);
  std::filesystem::remove(hosts);
  return 0;
}
