// Every model of examples/, from the command to the end, with nothing cached: how well `--engine auto` chooses.
// Usage: bench_examples PROGRAM
#include "bench/child.h"
#include "bench/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

using namespace wave;

namespace {

namespace fs = std::filesystem;

constexpr int rounds = 3;
constexpr double target = 0.1, most = 1.2, allowance = 0.02;  // seconds; of the quicker engine; seconds

// A file without a model has nothing to run.
bool declares_model(const fs::path& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model ")) return true;
  }
  return false;
}

std::vector<fs::path> find_models() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(WAVE_SOURCE_DIR "/examples")) {
    if (entry.path().extension() == ".wave" && declares_model(entry.path())) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string cell(const bench::Child& child) {
  return fmt::format("{:.1f} ({:.1f}){}", child.wall * 1e3, child.cpu * 1e3, child.status == 0 ? "" : " failed");
}

void print_row(const std::string& wave, const fs::path& model, const bench::Folder& folder) {
  std::vector<bench::Child> runs[3];
  for (int round = 0; round < rounds; ++round) {
    for (const std::size_t engine : {0, 1, 2}) {
      folder.forget();
      const char* const name = engine == 0 ? "auto" : engine == 1 ? "interpreter" : "jit";
      runs[engine].push_back(
          bench::run({wave, "run", "--threads", "1", "--engine", name, model}, folder.environment()));
    }
  }
  const bench::Child chosen = bench::median(runs[0]), plain = bench::median(runs[1]), compiled = bench::median(runs[2]);
  const double quicker = std::min(plain.cpu, compiled.cpu);
  fmt::print("| `{}` | {}{} | {} | {} | **{:.2f} x**{} |\n", fs::relative(model, WAVE_SOURCE_DIR "/examples").string(),
             cell(chosen), chosen.cpu < target ? "" : " above", cell(plain), cell(compiled), chosen.cpu / quicker,
             chosen.cpu <= most * quicker + allowance ? "" : " above");
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "usage: bench_examples PROGRAM\n");
    return 2;
  }
  const std::string wave = arguments[1];
  const bench::Folder folder;
  fmt::print(
      "{}\n\nStart to end of `wave run`: wall (CPU) time in ms, one thread, nothing cached, medians of {}; targets: "
      "below {:.0f} ms, and {} x the quicker engine plus {:.0f} ms\n\n",
      bench::machine(), rounds, target * 1e3, most, allowance * 1e3);
  fmt::print(
      "| example | Wave, as it chooses | interpreter | jit | against the quicker |\n|---|---:|---:|---:|---:|\n");
  for (const fs::path& model : find_models()) print_row(wave, model, folder);
  return 0;
}
