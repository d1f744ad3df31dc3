// Random programs of processes, as the tests write them, on large grids and again and again: what people may write, in
// no good order. Machine code and arrays, compared with their instructions.
// Usage: bench_random PROGRAM [COUNT [MESSAGES [each]]]
// `each` lists every program, the slowest last; `process_campaign --print SEED --repeated` shows it.
#include "bench/child.h"
#include "bench/model.h"
#include "bench/table.h"
#include "bench/timing.h"
#include "tests/random/processes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

using namespace wave;
using bench::Folder;
using bench::Model;
using test::Resources;

namespace {

struct Program {
  std::uint64_t seed = 0;
  std::unique_ptr<Model> compiled, instructions;
  Model::Integers all, few;  // parameters; `few`: for instructions
  double messages = 0, few_messages = 0;
};

// Of about so many processes.
Model::Integers grid(std::size_t axes, double processes, std::int64_t times) {
  Model::Integers parameters;
  const auto extent = std::llround(std::pow(processes, 1.0 / static_cast<double>(axes)));
  for (std::size_t axis = 0; axis < axes; ++axis) parameters.emplace_back(fmt::format("n{}", axis), extent);
  parameters.emplace_back("times", times);
  return parameters;
}

// Nothing where a program fails, as some do on purpose, or has few messages.
std::unique_ptr<Program> make(std::uint64_t seed, Resources resources, double messages, const Folder& folder) {
  const test::WrittenProcess written = test::random_process(seed, resources, true);
  if (written.features.contains("mistakes")) return nullptr;
  const std::string file = folder.path / fmt::format("{}.wave", seed);
  std::ofstream(file) << written.text;
  auto made = std::make_unique<Program>();
  made->seed = seed;
  const auto open = [&](backend::EngineKind kind) {
    auto model = std::make_unique<Model>(file, "M");
    model->open(kind, {.shortcuts = false, .threads = 1, .cpu = {}, .cache_folder = {}});
    return model;
  };
  const std::size_t axes = written.features.contains("one axis")     ? 1
                           : written.features.contains("two axes")   ? 2
                           : written.features.contains("three axes") ? 3
                                                                     : 4;
  constexpr double processes = 4096, least = processes, most = 1e6;
  made->compiled = open(backend::EngineKind::jit);
  made->instructions = open(backend::EngineKind::interpreter);
  made->few = grid(axes, processes / 16, 1);
  const std::optional<double> few = made->instructions->try_to_evaluate(made->few, "sent");
  if (!few || *few > most) return nullptr;
  const std::optional<double> once = made->compiled->try_to_evaluate(grid(axes, processes, 1), "sent");
  if (!once || *once < least || *once > most) return nullptr;
  // What is sent needs no clock, so a program that sends may still fail.
  if (!made->instructions->try_to_evaluate(made->few, "elapsed")) return nullptr;
  if (!made->compiled->try_to_evaluate(grid(axes, processes, 1), "elapsed")) return nullptr;
  const double times = std::ceil(messages / *once);
  made->all = grid(axes, processes, static_cast<std::int64_t>(times));
  made->messages = times * *once;
  made->few_messages = *few;
  bench::require_same(fmt::format("program {}", seed), made->compiled->evaluate(made->few, "elapsed"),
                      made->instructions->evaluate(made->few, "elapsed"));
  return made;
}

void list_each(const std::vector<std::unique_ptr<Program>>& programs) {
  std::vector<std::pair<double, const Program*>> all;  // messages a second
  for (const auto& program : programs) {
    const double begin = bench::now(bench::Clock::cpu);
    program->compiled->evaluate(program->all, "elapsed");
    all.emplace_back(program->messages / (bench::now(bench::Clock::cpu) - begin), program.get());
  }
  std::ranges::sort(all, std::greater{});
  for (const auto& [rate, program] : all) {
    std::string parameters;
    for (const auto& [name, value] : program->all) parameters += fmt::format(" -D {}={}", name, value);
    fmt::print("{:9.3f} Mmessages/s  seed {}{}\n", rate / 1e6, program->seed, parameters);
  }
}

void measure(bench::Table& table, const std::string& words, Resources resources, std::size_t count, double messages,
             bool each, const Folder& folder) {
  std::vector<std::unique_ptr<Program>> programs;
  std::uint64_t seed = 1;
  for (; programs.size() < count; ++seed) {
    if (auto made = make(seed, resources, messages, folder)) programs.push_back(std::move(made));
  }
  if (each) list_each(programs);
  double all = 0, few = 0;
  for (const auto& program : programs) all += program->messages, few += program->few_messages;
  const auto ours = [&] {
    double sum = 0;
    for (const auto& program : programs) sum += program->compiled->evaluate(program->all, "elapsed");
    return sum;
  };
  const auto theirs = [&] {
    double sum = 0;
    for (const auto& program : programs) sum += program->instructions->evaluate(program->few, "elapsed");
    return sum;
  };
  table.row(fmt::format("{}, seeds up to {}", words, seed - 1), all, {ours, {}}, {{{theirs, {}}, 0, few, false}}, 0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 20;
  const double messages = argc > 3 ? std::strtod(argv[3], nullptr) : 2e5;
  const bool each = argc > 4 && std::string_view(argv[4]) == "each";
  fmt::print("{}\n", bench::machine());
  const Folder folder;
  bench::Table table(
      fmt::format("{} random programs of some {:g} messages each, one thread, no shortcuts", count, messages),
      "programs", "Mmessages/s", 1e6, {"instructions, by message"});
  measure(table, "without resources", Resources::none, count, messages, each, folder);
  measure(table, "with resources", Resources::always, count, messages, each, folder);
  return bench::Table::agreed() ? 0 : 1;
}
