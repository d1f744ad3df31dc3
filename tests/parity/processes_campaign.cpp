// Random processes through simulator, interpreter and JIT, as many as you like. Continues where a program differs, up
// to ten times.
//   process_campaign [COUNT [FIRST-SEED]]  a third of the programs have resources
//   process_campaign --resources ...       all of them do
//   process_campaign --no-resources ...    none of them does
//   process_campaign --print SEED          shows a program
//   process_campaign --check FILE          compares the program in a file
#include "tests/parity/processes.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

namespace {

int check_file(const std::string& path) {
  std::ifstream file(path);
  wave::parity::ProcessCampaign one;
  wave::parity::compare_process_program({std::istreambuf_iterator<char>(file), {}}, one);
  fmt::print("{}\n", one.difference.empty() ? "no difference" : one.difference);
  for (const auto& [kind, number] : one.failures) fmt::print("fails with {}\n", kind);
  return one.difference.empty() ? 0 : 1;
}

void show(const wave::parity::ProcessCampaign& total) {
  fmt::print(
      "{} programs: {} outputs, {} with resources, {} on arrival, {} fail alike, {} unknown to the simulator, {} "
      "with compiled sweeps\n",
      total.programs, total.outputs, total.with_resources, total.on_arrival, total.failed, total.unsupported,
      total.swept);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  setenv("WAVE_JIT_PLUGIN", WAVE_JIT_MODULE, 0);
  wave::test::Resources resources = wave::test::Resources::some;
  std::vector<std::string> words;
  for (const std::string word : std::vector<std::string>(arguments + 1, arguments + count)) {
    if (word == "--resources")
      resources = wave::test::Resources::always;
    else if (word == "--no-resources")
      resources = wave::test::Resources::none;
    else
      words.push_back(word);
  }
  const auto number = [&](std::size_t k, std::uint64_t otherwise) {
    return words.size() > k ? std::strtoull(words[k].c_str(), nullptr, 10) : otherwise;
  };
  if (words.size() > 1 && words[0] == "--print") {
    fmt::print("{}", wave::test::random_process_program(number(1, 0), resources));
    return 0;
  }
  if (words.size() > 1 && words[0] == "--check") return check_file(words[1]);
  const std::uint64_t programs = number(0, 1000), first = number(1, std::random_device()());
  fmt::print("{} programs from seed {}\n", programs, first);
  wave::parity::ProcessCampaign total;
  std::size_t differ = 0;
  for (std::uint64_t seed = first; seed < first + programs && differ < 10; ++seed) {
    const auto one = wave::parity::compare_random_processes(seed, 1, resources);
    total.add(one);
    if (!one.difference.empty()) ++differ, fmt::print("{}\n", one.difference);
    if (total.programs % 100 == 0) show(total);
  }
  show(total);
  for (const auto& [kind, failed] : total.failures) fmt::print("  {} {}\n", failed, kind);
  if (differ > 0) fmt::print("{} programs differ\n", differ);
  return differ > 0 ? 1 : 0;
}
