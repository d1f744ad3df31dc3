// Random programs of processes, as the tests write them, on large grids and again and again: what people may write, in
// no good order. Machine code and arrays, compared with the process network.
// Usage: bench_random PROGRAM [COUNT [MESSAGES]]
#include "bench/model.h"
#include "bench/table.h"
#include "tests/random/processes.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

using namespace wave;
using bench::Model;
using test::Resources;

namespace {

struct Program {
  std::unique_ptr<Model> compiled, network;
  Model::Integers once, all;
  double messages_once = 0;
  double messages() const { return messages_once * static_cast<double>(all.back().second); }
};

// The folder in which this run writes its programs.
class Folder {
 public:
  Folder() : path_((std::filesystem::temp_directory_path() / "wave-bench-XXXXXX").string()) {
    if (!mkdtemp(path_.data())) std::exit(1);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// About 4096 processes.
Model::Integers large_grid(std::size_t axes) {
  Model::Integers extents;
  const auto extent = std::llround(std::pow(4096.0, 1.0 / static_cast<double>(axes)));
  for (std::size_t axis = 0; axis < axes; ++axis) extents.emplace_back(fmt::format("n{}", axis), extent);
  return extents;
}

// Nothing where a program fails, as some do on purpose, or has few messages.
std::unique_ptr<Program> make(std::uint64_t seed, Resources resources, double messages, const Folder& folder) {
  const test::WrittenProcess written = test::random_process(seed, resources, true);
  if (written.features.contains("mistakes")) return nullptr;
  const std::string file = folder.path(fmt::format("{}.wave", seed));
  std::ofstream(file) << written.text;
  auto made = std::make_unique<Program>();
  const auto open = [&](backend::EngineKind kind) {
    auto model = std::make_unique<Model>(file, "M");
    model->open(kind, {.shortcuts = false, .threads = 1, .cpu = {}, .cache_folder = {}});
    return model;
  };
  made->network = open(backend::EngineKind::interpreter);
  const std::size_t axes = written.features.contains("one axis")     ? 1
                           : written.features.contains("two axes")   ? 2
                           : written.features.contains("three axes") ? 3
                                                                     : 4;
  made->once = large_grid(axes);
  made->once.emplace_back("times", 1);
  const std::optional<double> sent = made->network->try_to_evaluate(made->once, "sent");
  constexpr double least = 4096, most = 1e6;
  if (!sent || *sent < least || *sent > most) return nullptr;
  made->messages_once = *sent;
  made->all = made->once;
  made->all.back().second = static_cast<std::int64_t>(std::ceil(messages / *sent));
  made->compiled = open(backend::EngineKind::jit);
  bench::require_same(fmt::format("program {}", seed), made->compiled->evaluate(made->once, "elapsed"),
                      made->network->evaluate(made->once, "elapsed"));
  return made;
}

void measure(bench::Table& table, const std::string& words, Resources resources, std::size_t count, double messages,
             const Folder& folder) {
  std::vector<std::unique_ptr<Program>> programs;
  std::uint64_t seed = 1;
  for (; programs.size() < count; ++seed) {
    if (auto made = make(seed, resources, messages, folder)) programs.push_back(std::move(made));
  }
  double all = 0, once = 0;
  for (const auto& program : programs) all += program->messages(), once += program->messages_once;
  const auto evaluate = [&](std::unique_ptr<Model> Program::* model, Model::Integers Program::* how) {
    return [&programs, model, how] {
      double sum = 0;
      for (const auto& program : programs) sum += ((*program).*model)->evaluate((*program).*how, "elapsed");
      return sum;
    };
  };
  table.row(fmt::format("{}, seeds up to {}", words, seed - 1), all, {evaluate(&Program::compiled, &Program::all), {}},
            {{{evaluate(&Program::network, &Program::once), {}}, 0, once, false}}, 0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 20;
  const double messages = argc > 3 ? std::strtod(argv[3], nullptr) : 1e6;
  fmt::print("{}\n", bench::machine());
  const Folder folder;
  bench::Table table(
      fmt::format("{} random programs of some {:g} messages each, one thread, no shortcuts", count, messages),
      "programs", "Mmessages/s", 1e6, {"network, by message"});
  measure(table, "without resources", Resources::none, count, messages, folder);
  measure(table, "with resources", Resources::always, count, messages, folder);
  return bench::Table::agreed() ? 0 : 1;
}
