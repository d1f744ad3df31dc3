// Proved shortcuts, compared with the evaluation that they replace. Usage: bench_shortcuts PROGRAM
#include "bench/model.h"
#include "bench/table.h"

#include <fmt/format.h>

using namespace wave;
using bench::Model;

namespace {

const char* const startp = WAVE_SOURCE_DIR "/bench/startp.wave";
const char* const listing = WAVE_SOURCE_DIR "/bench/listing.wave";
using Given = std::vector<std::pair<std::string, std::string>>;

// One model in two engines: one evaluates cell by cell, the other uses shortcuts.
struct Pair {
  Pair(const std::string& file, const std::string& name, const Given& given = {})
      : direct(file, name, given), shortened(file, name, given), interpreted(file, name, given) {
    direct.open(backend::EngineKind::jit);
    shortened.open(backend::EngineKind::jit, {.shortcuts = true, .cpu = {}, .cache_folder = {}});
    interpreted.open(backend::EngineKind::interpreter);
  }
  // Checks on a smaller grid that both give the interpreter's bits.
  void check(const Model::Integers& bound, const std::string& output) const {
    const double expected = interpreted.evaluate(bound, output);
    bench::require_same("compiled", direct.evaluate(bound, output), expected);
    bench::require_same("with shortcuts", shortened.evaluate(bound, output), expected);
  }
  Model direct, shortened, interpreted;
};

// The way in which an output was evaluated: the schedule of the last event.
std::string used(const Model& model, const Model::Integers& bound, const std::string& output) {
  const auto evaluation = model.start(bound);
  model.evaluate(*evaluation, output);
  const auto reports = evaluation->reports();
  return reports.empty() ? "?" : reports.back().schedule;
}

Model::Integers extents(long n) { return {{"n", n}, {"m", n}}; }

struct Class {
  const char *model, *words;
};

const Class classes[] = {
    {"Uniform", "uniform"},    {"PerAxis", "per axis"}, {"Periodic", "2 x 2 nodes"},
    {"OneSigned", "one sign"}, {"Blocks", "blocks"},
};

double evaluate(const Model& model, long n) { return model.evaluate(extents(n), "corner"); }

void measure_recurrences() {
  bench::Table table("StartP, one thread", "costs, cells (shortcut)", "Mcells/s", 1e6, {"every cell evaluated"});
  for (const Class& costs : classes) {
    Pair pair(startp, costs.model);
    for (const long n : {1L, 2L, 30L, 200L}) pair.check(extents(n), "corner");
    constexpr long n = 10000, many = 100'000, most = 1'000'000'000;
    const std::string how = used(pair.shortened, extents(n), "corner");
    table.row(fmt::format("{}, 10^4 x 10^4 ({})", costs.words, how), static_cast<double>(n * n),
              {[&] { return evaluate(pair.shortened, n); }, {}}, {{{[&] { return evaluate(pair.direct, n); }, {}}}},
              0.3);
    for (const auto& [words, size] : {std::pair{"10^5 x 10^5", many}, std::pair{"10^9 x 10^9", most}}) {
      const long extent = size;
      if (!pair.shortened.try_to_evaluate(extents(extent), "corner")) {
        fmt::print("| {}, {} | not at once | |\n", costs.words, words);
        continue;
      }
      table.row(fmt::format("{}, {}", costs.words, words), static_cast<double>(extent) * static_cast<double>(extent),
                {[&] { return evaluate(pair.shortened, extent); }, {}}, {}, 0.3);
    }
  }
}

void measure_processes() {
  struct Row {
    const char *words, *model, *net;
  };
  bench::Table table("Listing 1 on 1000 x 1000 processes, 8 sweeps of 100 tiles, one thread", "protocol (shortcut)",
                     "Gblocks/s", 1e9, {"every block evaluated"});
  for (const Row& row : {Row{"eager", "Listing", "Eager()"}, Row{"rendezvous", "Listing", "Rendezvous()"},
                         Row{"eager, work by process", "ByProcess", "Eager()"}}) {
    Pair pair(listing, row.model, {{"net", row.net}});
    const auto bound = [](long n, long tiles, long sweeps) {
      return Model::Integers{{"n", n}, {"m", n}, {"tiles", tiles}, {"sweeps", sweeps}};
    };
    pair.check(bound(20, 60, 2), "finish");
    const auto large = bound(1000, 100, 8);
    const std::string how = used(pair.shortened, large, "finish");
    table.row(fmt::format("{} ({})", row.words, how), 8e8,
              {[&] { return pair.shortened.evaluate(large, "finish"); }, {}},
              {{{[&] { return pair.direct.evaluate(large, "finish"); }, {}}}}, 0.3);
  }
}

}  // namespace

int main() {
  fmt::print("{}\n", bench::machine());
  measure_recurrences();
  measure_processes();
  return bench::Table::agreed() ? 0 : 1;
}
