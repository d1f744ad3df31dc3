// Programs whose messages ask for resources, which serve by time: machine code, compared with the process network on
// grids that it can take in the time.
// Usage: bench_served PROGRAM
#include "bench/model.h"
#include "bench/recorded_path.h"
#include "bench/table.h"

#include <fmt/format.h>

using namespace wave;
using bench::Model;

namespace {

const char* const file = WAVE_SOURCE_DIR "/bench/served.wave";

struct Kind {
  const char *words, *model, *net;
  long n, tiles;  // the network has a quarter as many processes along each axis
  double messages(long extent) const {
    const auto sent = static_cast<double>(4 * extent * (extent - 1) * tiles);
    return std::string(model) == "Pending" ? sent : 2 * sent;
  }
};

const Kind kinds[] = {
    {"all corners at once, 256 x 256", "AtOnce", "LogGP(L = 5 us, o = 2 us, g = 4 us, G = 0.01 us/B)", 256, 10},
    {"the same without latency, 128 x 128", "AtOnce", "LogGP(L = 0 us, o = 2 us, g = 4 us, G = 0 us/B)", 128, 10},
    {"and without overhead, 128 x 128", "AtOnce", "LogGP(L = 0 us, o = 0 us, g = 4 us, G = 0 us/B)", 128, 10},
    {"taken in on arrival, 128 x 128", "AtOnce", "LogGOPS(L = 5 us, o = 2 us, g = 4 us, G = 0.01 us/B, S = 1 KiB)", 128,
     10},
    {"one corner after the other, 256 x 256", "InTurn", "LogGP(L = 5 us, o = 2 us, g = 4 us, G = 0.01 us/B)", 256, 10},
    {"rendezvous in the background, all pending, 32 x 32", "Pending",
     "LogGPS(L = 5 us, o = 2 us, g = 4 us, G = 0.01 us/B, S = 0 B)", 32, 50},
};

Model open(const Kind& kind, backend::EngineKind engine) {
  Model model(file, kind.model, {{"net", kind.net}});
  model.open(engine, {.threads = 1, .cpu = {}, .cache_folder = {}});
  return model;
}

// The peer does a part of the same work: an evaluation without the path.
void measure_breakdown() {
  bench::Table table("The same times and their critical paths, one thread, no shortcuts", "program", "Mmessages/s", 1e6,
                     {"the time alone"});
  for (const Kind& kind : kinds) {
    const Model compiled = open(kind, backend::EngineKind::jit);
    const Model::Integers bound{{"n", kind.n}, {"tiles", kind.tiles}};
    const auto both = [&] {
      const double finish = compiled.evaluate(bound, "finish");
      bench::require_same("critical path", bench::recorded_path(compiled, bound), finish);
      return finish;
    };
    table.row(kind.words, kind.messages(kind.n), {both, {}},
              {{{[&] { return compiled.evaluate(bound, "finish"); }, {}}, 0.2}}, 0);
  }
}

void measure_times() {
  bench::Table table("Programs whose interfaces serve by time, one thread, no shortcuts", "program", "Mmessages/s", 1e6,
                     {"network, by message"});
  for (const Kind& kind : kinds) {
    const Model compiled = open(kind, backend::EngineKind::jit), network = open(kind, backend::EngineKind::interpreter);
    const long fewer = kind.n / 4;
    const Model::Integers all{{"n", kind.n}, {"tiles", kind.tiles}}, some{{"n", fewer}, {"tiles", kind.tiles}};
    bench::require_same(kind.words, compiled.evaluate(some, "finish"), network.evaluate(some, "finish"));
    table.row(kind.words, kind.messages(kind.n), {[&] { return compiled.evaluate(all, "finish"); }, {}},
              {{{[&] { return network.evaluate(some, "finish"); }, {}}, 0, kind.messages(fewer), false}}, 0);
  }
}

}  // namespace

int main() {
  fmt::print("{}\n", bench::machine());
  measure_times();
  measure_breakdown();
  return bench::Table::agreed() ? 0 : 1;
}
