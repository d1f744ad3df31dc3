// Programs whose messages ask for resources, which serve by time: machine code, compared with their instructions on
// grids that it can take in the time.
// Usage: bench_served PROGRAM
#include "base/large_array.h"
#include "bench/model.h"
#include "bench/recorded_path.h"
#include "bench/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace wave;
using bench::Model;

namespace {

const char* const file = WAVE_SOURCE_DIR "/bench/served.wave";

struct Kind {
  const char *words, *model, *net;
  long n, tiles;  // instructions have a quarter as many processes along each axis
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
                     {"instructions, by message"});
  for (const Kind& kind : kinds) {
    const Model compiled = open(kind, backend::EngineKind::jit),
                instructions = open(kind, backend::EngineKind::interpreter);
    const long fewer = kind.n / 4;
    const Model::Integers all{{"n", kind.n}, {"tiles", kind.tiles}}, some{{"n", fewer}, {"tiles", kind.tiles}};
    bench::require_same(kind.words, compiled.evaluate(some, "finish"), instructions.evaluate(some, "finish"));
    table.row(kind.words, kind.messages(kind.n), {[&] { return compiled.evaluate(all, "finish"); }, {}},
              {{{[&] { return instructions.evaluate(some, "finish"); }, {}}, 0, kind.messages(fewer), false}}, 0);
  }
}

Model opened(const char* model, const char* net, backend::EngineKind engine) {
  return open({"", model, net, 0, 0}, engine);
}

// The peer is the same program on the same machine without interfaces.
void measure_in_order() {
  bench::Table table("Interfaces that serve in the order of the program, 256 x 256, one thread, no shortcuts",
                     "machine", "Mmessages/s", 1e6, {"no interfaces"});
  struct Row {
    const char *words, *net, *without;
  };
  const Row rows[] = {{"only senders have one", "SendingOnly()", "AtOnceWires()"},
                      {"messages are asked for", "Rendezvous()", "Wires()"}};
  for (const Row& row : rows) {
    const Kind kind{row.words, "InTurn", row.net, 256, 50};
    const Model compiled = open(kind, backend::EngineKind::jit),
                instructions = open(kind, backend::EngineKind::interpreter),
                without = opened(kind.model, row.without, backend::EngineKind::jit);
    const Model::Integers all{{"n", kind.n}, {"tiles", kind.tiles}}, some{{"n", 32}, {"tiles", kind.tiles}};
    bench::require_same(kind.words, compiled.evaluate(some, "finish"), instructions.evaluate(some, "finish"));
    table.row(kind.words, kind.messages(kind.n), {[&] { return compiled.evaluate(all, "finish"); }, {}},
              {{{[&] { return without.evaluate(all, "finish"); }, {}}, 0.5, 0, false}}, 0);
  }
}

// What bounds programs whose processes take turns: look-ups in memory that no cache of a core holds, each of which
// waits for the one before.
class Lookups {
 public:
  Lookups() : lines_(std::size_t{256} << 20 >> 6) {
    std::vector<std::uint32_t> order(lines_.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin() + 1, order.end(), std::mt19937(1));
    for (std::size_t i = 0; i < order.size(); ++i) lines_.data()[order[i]].next = order[(i + 1) % order.size()];
  }
  double walk(double steps) {
    for (double i = 0; i < steps; ++i) at_ = lines_.data()[at_].next;
    return at_;
  }

 private:
  struct alignas(64) Line {
    std::uint32_t next;
  };
  LargeArray<Line> lines_;  // in large pages, like what Wave looks up
  std::uint32_t at_ = 0;
};

// The peers are the same program with an interface for each process, its instructions on a smaller grid, and a look-up
// for each message.
void measure_shared() {
  Lookups lookups;
  bench::Table table("Interfaces that the processes of a node share, 128 x 128, nodes of 8, one thread, no shortcuts",
                     "program", "Mmessages/s", 1e6,
                     {"interfaces of processes", "instructions, by message", "a look-up in 256 MiB"});
  struct Row {
    const char *words, *model;
    double target;  // for the ratio to interfaces of processes
    long n, fewer, tiles, spread;
    const char* overhead;
  };
  const auto messages = [](const Row& row, long n) {
    const auto along = [](long extent) { return static_cast<double>(3 * extent - 2); };  // of pairs, with itself
    return static_cast<double>(row.tiles) * (row.model == std::string_view("Halo")
                                                 ? static_cast<double>(4 * n * (n - 1))
                                                 : along(32) * along(32) * along(n) - static_cast<double>(32 * 32 * n));
  };
  // Work takes 10 us and up to so much more.
  const Row rows[] = {
      {"halo exchange, equal work", "Halo", 0.5, 128, 32, 10, 0, "1 us"},
      {"work up to 20 % longer", "Halo", 0.5, 128, 32, 10, 2000, "1 us"},
      {"work up to 50 % longer", "Halo", 0.5, 128, 32, 10, 5000, "1 us"},
      {"equal work, no overhead", "Halo", 0, 128, 32, 10, 0, "0"},
      {"26 neighbours, 24 576 processes, nodes of 96, equal work", "Halo27", 0, 24, 3, 2, 0, "1 us"},
      {"work up to 40 % longer", "Halo27", 0, 24, 3, 2, 4000, "1 us"},
  };
  for (const Row& row : rows) {
    const auto opened_on = [&](const char* net, backend::EngineKind engine) {
      return opened(row.model, fmt::format("{}(o = {})", net, row.overhead).c_str(), engine);
    };
    const Model shared = opened_on("SharedNodes", backend::EngineKind::jit),
                own = opened_on("Nodes", backend::EngineKind::jit),
                instructions = opened_on("SharedNodes", backend::EngineKind::interpreter);
    const auto of = [&](long n) { return Model::Integers{{"n", n}, {"tiles", row.tiles}, {"spread", row.spread}}; };
    const Model::Integers all = of(row.n), some = of(row.fewer);
    bench::require_same(row.words, shared.evaluate(some, "finish"), instructions.evaluate(some, "finish"));
    table.row(row.words, messages(row, row.n), {[&] { return shared.evaluate(all, "finish"); }, {}},
              {{{[&] { return own.evaluate(all, "finish"); }, {}}, row.target, 0, false},
               {{[&] { return instructions.evaluate(some, "finish"); }, {}}, 0, messages(row, row.fewer), false},
               {{[&] { return lookups.walk(messages(row, row.n)); }, {}}, 0, 0, false}},
              0);
  }
}

}  // namespace

int main() {
  fmt::print("{}\n", bench::machine());
  measure_times();
  measure_in_order();
  measure_shared();
  measure_breakdown();
  return bench::Table::agreed() ? 0 : 1;
}
