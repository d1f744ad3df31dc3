// Random processes through the simulator and all ways to evaluate them, as many as you like. Continues where a program
// differs, up to ten times.
//   process_campaign [COUNT [FIRST-SEED]]  a third of the programs have resources
//   process_campaign --resources ...       all of them do
//   process_campaign --no-resources ...    none of them does
//   process_campaign --streams ...         sweeps that are served in streams, see tests/random/streams.h
//   process_campaign --jobs N ...          on N threads
//   process_campaign --values ...          models of values alone, see tests/random/values.h
//   process_campaign --print SEED          shows a program; with --repeated as bench/random.cpp has it
//   process_campaign --check FILE          compares the program in a file
#include "tests/parity/process_ways.h"
#include "tests/parity/processes.h"
#include "tests/random/streams.h"
#include "tests/random/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace {

using wave::parity::Evaluated;
using wave::parity::ProcessCampaign;

int check_file(const std::string& path) {
  std::ifstream file(path);
  ProcessCampaign one;
  wave::parity::compare_process_program({{std::istreambuf_iterator<char>(file), {}}, {}}, one);
  fmt::print("{}\n", one.difference.empty() ? "no difference" : one.difference);
  for (const auto& [kind, number] : one.failures) fmt::print("fails with {}\n", kind);
  return one.difference.empty() ? 0 : 1;
}

void show(const ProcessCampaign& total) {
  fmt::print(
      "{} programs: {} outputs, {} fail alike, {} unknown to the simulator, {} evaluations with compiled sweeps, {} "
      "with programs on threads, {} without the memory, {} critical paths, {} of them followed back, {} recorded, {} "
      "of phases, {} breakdowns, {} derivatives, {} of them along another order, {} services, {} of them on tracks\n",
      total.programs, total.outputs, total.failed, total.unsupported, total.swept, total.on_threads, total.starved,
      total.paths, total.followed, total.recorded, total.phases, total.breakdowns, total.derivatives, total.reordered,
      total.services, total.shown);
  std::fflush(stdout);
}

void show_features(const ProcessCampaign& total) {
  fmt::print("{:40}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}\n", "how programs were evaluated", "programs", "fail",
             "planned", "batches", "streams", "pieces", "compiled", "network", "as whole");
  for (const auto& [feature, n] : total.by_feature) {
    fmt::print("{:40}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}\n", feature.empty() ? "all" : feature, n.programs,
               n.failed, n.planned, n.batches, n.streams, n.pieces, n.compiled, n.network, n.also_compiled);
  }
}

class Workers {
 public:
  using Compare = std::function<ProcessCampaign(std::uint64_t seed)>;
  Workers(std::uint64_t first, std::uint64_t count, Compare compare)
      : next_(first), end_(first + count), compare_(std::move(compare)) {}

  ProcessCampaign run(unsigned jobs) {
    std::vector<std::thread> threads;
    for (unsigned k = 0; k < jobs; ++k) threads.emplace_back([this] { work(); });
    for (std::thread& one : threads) one.join();
    return total_;
  }
  std::size_t differ() const { return differ_; }

 private:
  void work() {
    for (std::uint64_t seed = next_++; seed < end_; seed = next_++) {
      const ProcessCampaign one = compare_(seed);
      const std::lock_guard lock(mutex_);
      if (differ_ == most_differences) return;
      total_.add(one);
      if (!one.difference.empty()) ++differ_, fmt::print("{}\n", one.difference);
      if (total_.programs % 500 == 0) show(total_);
    }
  }

  static constexpr std::size_t most_differences = 10;
  std::atomic<std::uint64_t> next_;
  const std::uint64_t end_;
  const Compare compare_;
  std::mutex mutex_;  // of the following
  ProcessCampaign total_;
  std::size_t differ_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
  setenv("WAVE_JIT_PLUGIN", WAVE_JIT_MODULE, 0);
  wave::parity::let_threads_decide();
  wave::test::Resources resources = wave::test::Resources::some;
  unsigned jobs = 1;
  bool repeated = false, values = false, streams = false;
  std::vector<std::string> words, given(arguments + 1, arguments + count);
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (given[k] == "--resources")
      resources = wave::test::Resources::always;
    else if (given[k] == "--no-resources")
      resources = wave::test::Resources::none;
    else if (given[k] == "--values")
      values = true;
    else if (given[k] == "--streams")
      streams = true;
    else if (given[k] == "--repeated")
      repeated = true;
    else if (given[k] == "--jobs" && k + 1 < given.size())
      jobs = std::max(1u, static_cast<unsigned>(std::strtoul(given[++k].c_str(), nullptr, 10)));
    else
      words.push_back(given[k]);
  }
  const auto number = [&](std::size_t k, std::uint64_t otherwise) {
    return words.size() > k ? std::strtoull(words[k].c_str(), nullptr, 10) : otherwise;
  };
  if (words.size() > 1 && words[0] == "--print") {
    const std::uint64_t seed = number(1, 0);
    fmt::print("{}", (values    ? wave::test::random_values(seed)
                      : streams ? wave::test::random_streams(seed)
                                : wave::test::random_process(seed, resources, repeated))
                         .text);
    return 0;
  }
  if (words.size() > 1 && words[0] == "--check") return check_file(words[1]);
  const std::uint64_t programs = number(0, 1000), first = number(1, std::random_device()());
  fmt::print("{} programs from seed {}\n", programs, first);
  Workers workers(first, programs, [&](std::uint64_t seed) {
    return values    ? wave::parity::compare_random_values(seed, 1)
           : streams ? wave::parity::compare_random_streams(seed, 1)
                     : wave::parity::compare_random_processes(seed, 1, resources);
  });
  const ProcessCampaign total = workers.run(jobs);
  show(total);
  show_features(total);
  for (const auto& [kind, failed] : total.failures) fmt::print("  {} {}\n", failed, kind);
  for (const auto& [why, number] : total.no_derivative) fmt::print("{} have no derivative: {}\n", number, why);
  if (total.unsupported > 0) fmt::print("unknown to the simulator: {}\n", total.why_unsupported);
  if (workers.differ() > 0) fmt::print("{} programs differ\n", workers.differ());
  return workers.differ() > 0 ? 1 : 0;
}
