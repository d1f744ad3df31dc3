// Random processes through the simulator and both engines, as many as one likes: process_campaign [COUNT [FIRST-SEED]];
// process_campaign --print SEED shows a program, process_campaign --check FILE compares the one in a file.
#include "tests/parity/processes.h"
#include "tests/random/processes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

int main(int count, char** arguments) {
  setenv("WAVE_JIT_PLUGIN", WAVE_JIT_MODULE, 0);
  if (count > 2 && std::string(arguments[1]) == "--print") {
    fmt::print("{}", wave::test::random_process_program(std::strtoull(arguments[2], nullptr, 10)));
    return 0;
  }
  if (count > 2 && std::string(arguments[1]) == "--check") {
    std::ifstream file(arguments[2]);
    wave::parity::ProcessCampaign one;
    wave::parity::compare_process_program({std::istreambuf_iterator<char>(file), {}}, one);
    fmt::print("{}\n", one.difference.empty() ? "no difference" : one.difference);
    for (const auto& [kind, number] : one.failures) fmt::print("fails with {}\n", kind);
    return one.difference.empty() ? 0 : 1;
  }
  const std::uint64_t programs = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1000;
  const std::uint64_t first = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : std::random_device()();
  fmt::print("{} programs from seed {}\n", programs, first);
  constexpr std::uint64_t batch = 100;
  wave::parity::ProcessCampaign total;
  for (std::uint64_t done = 0; done < programs && total.difference.empty(); done += batch) {
    total.add(wave::parity::compare_random_processes(first + done, std::min(batch, programs - done)));
    fmt::print(
        "{} programs: {} outputs, {} fail alike, {} unknown to the simulator, {} left to the interpreter, {} with "
        "compiled sweeps\n",
        total.programs, total.outputs, total.failed, total.unsupported, total.interpreted, total.swept);
    std::fflush(stdout);
  }
  for (const auto& [kind, number] : total.failures) fmt::print("  {} {}\n", number, kind);
  if (total.difference.empty()) return 0;
  fmt::print("{}\n", total.difference);
  return 1;
}
