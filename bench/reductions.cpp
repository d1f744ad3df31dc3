// Long reductions in vector lanes, compared with the loops that you would write in C++. Usage: bench_reductions PROGRAM
#include "bench/model.h"
#include "bench/reduction_peers.h"
#include "bench/table.h"

#include <fmt/format.h>

#include <functional>

using namespace wave;
using bench::Model;

namespace {

const char* const file = WAVE_SOURCE_DIR "/bench/supersteps.wave";

struct Row {
  const char* words;
  const char* model;
  Model::Integers large;
  std::vector<Model::Integers> small;  // sizes at which they are first compared with the interpreter
  std::function<double(const Model::Integers&)> by_hand;
  double units;
};

std::vector<Row> rows() {
  const auto parflow = [](const Model::Integers& bound) {
    return bench::heaviest_of_parflow(bound[0].second, bound[1].second, bound[2].second);
  };
  const auto of_parflow = [](long processors, long steps, long partitions) {
    return Model::Integers{{"processors", processors}, {"steps", steps}, {"partitions", partitions}};
  };
  const auto grid = [](long processors, long steps) {
    return Model::Integers{{"processors", processors}, {"steps", steps}};
  };
  const auto steps = [](long count) { return Model::Integers{{"steps", count}}; };
  return {
      {"ParFlow++, 2000 processors x 2000 steps",
       "Heaviest",
       of_parflow(2000, 2000, 1),
       {of_parflow(1, 1, 1), of_parflow(37, 90, 1)},
       parflow,
       4e6},
      {"the same on 500 processors, 4 strips each",
       "Heaviest",
       of_parflow(500, 2000, 4),
       {of_parflow(7, 70, 5)},
       parflow,
       4e6},
      {"remainders, 4000 x 4000",
       "Remainders",
       grid(4000, 4000),
       {grid(1, 1), grid(300, 50)},
       [](const Model::Integers& bound) { return bench::heaviest_remainders(bound[0].second, bound[1].second); },
       16e6},
      {"1/1 + 1/2 + ... + 1/10^7",
       "Series",
       steps(10'000'000),
       {steps(1), steps(12345)},
       [](const Model::Integers& bound) { return bench::harmonic_series(bound[0].second); },
       1e7},
  };
}

void check(const Row& row, const Model& compiled) {
  Model interpreter(file, row.model);
  interpreter.open(backend::EngineKind::interpreter);
  for (const Model::Integers& bound : row.small) {
    const double expected = interpreter.evaluate(bound, "heaviest");
    bench::require_same(fmt::format("{}, compiled", row.words), compiled.evaluate(bound, "heaviest"), expected);
    bench::require_same(fmt::format("{}, by hand", row.words), row.by_hand(bound), expected);
  }
}

void measure() {
  bench::Table table("Reductions, one thread", "what, elements", "Gelements/s", 1e9, {"C++ by hand"});
  for (const Row& row : rows()) {
    Model model(file, row.model);
    model.open(backend::EngineKind::jit, {.shortcuts = true, .threads = 1, .cpu = {}, .cache_folder = {}});
    check(row, model);
    table.row(row.words, row.units, {[&] { return model.evaluate(row.large, "heaviest"); }, {}},
              {{{[&] { return row.by_hand(row.large); }, {}}}});
  }
}

void measure_threads() {
  bench::Table table("Two threads against one", "what, elements", "Gelements/s", 1e9, {"one thread"},
                     bench::Clock::wall);
  const Row row = rows().front();
  Model one(file, row.model), two(file, row.model);
  one.open(backend::EngineKind::jit);
  two.open(backend::EngineKind::jit, {.threads = 2, .cpu = {}, .cache_folder = {}});
  Model::Integers bound = row.large;
  bound[1].second *= 10;
  table.row("ParFlow++, 2000 processors x 20000 steps", 10 * row.units,
            {[&] { return two.evaluate(bound, "heaviest"); }, {}},
            {{{[&] { return one.evaluate(bound, "heaviest"); }, {}}}});
}

}  // namespace

int main() {
  fmt::print("{}\n", bench::machine());
  measure();
  measure_threads();
  return bench::Table::agreed() ? 0 : 1;
}
