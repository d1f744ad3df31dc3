// Follows every message of Listing 1: compiled sweeps, compared with handwritten loops and an event-queue simulator.
// Usage: bench_processes PROGRAM [--long]; --long adds 8 * 10^7 processes, as whole runs of the program.
#include "backend/interpreter/inspection.h"
#include "backend/processes/path/critical_plan.h"
#include "bench/child.h"
#include "bench/event_queue.h"
#include "bench/model.h"
#include "bench/process_peers.h"
#include "bench/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

using namespace wave;
using bench::Contender;
using bench::Model;

namespace {

const char* const file = WAVE_SOURCE_DIR "/bench/listing.wave";
constexpr bench::Costs uniform{.work = 420e6, .overhead = 47e6, .wire = 83e6, .handshake = 23e6, .latency = 23e6};

struct Kind {
  const char *words, *model, *net;
  double target;
  bool rendezvous() const { return std::strcmp(net, "Rendezvous()") == 0; }
  bool by_process() const { return std::strcmp(model, "ByProcess") == 0; }
};

const Kind kinds[] = {
    {"eager", "Listing", "Eager()", 25},
    {"rendezvous", "Listing", "Rendezvous()", 20},
    {"eager, work by process", "ByProcess", "Eager()", 14},
};

// Only for the table with the simulator.
const Kind with_gap{"eager, interfaces with a gap", "Listing", "Gap()", 0};

struct Size {
  long n, m, tiles, sweeps;
  double blocks() const { return static_cast<double>(n * m * tiles * sweeps); }
  Model::Integers bound() const { return {{"n", n}, {"m", m}, {"tiles", tiles}, {"sweeps", sweeps}}; }
};

// The handwritten loops, which keep their memory.
class ByHand {
 public:
  ByHand(const Kind& kind, const Size& size) : kind_(kind), size_(size), costs_(uniform) {
    clocks_.resize(static_cast<std::size_t>(size.n * size.m));
    if (!kind.by_process()) return;
    for (long i = 1; i <= size.n; ++i) {
      for (long j = 1; j <= size.m; ++j)
        work_of_.push_back(400e6 + 1e3 * static_cast<double>((i * 7919 + j * 104729) % 40009));
    }
    costs_.work_of = work_of_.data();
  }
  double run() {
    std::fill(clocks_.begin(), clocks_.end(), 0);
    for (long sweep = 0; sweep < size_.sweeps; ++sweep)
      (kind_.rendezvous() ? bench::rendezvous_by_hand : bench::eager_by_hand)(size_.n, size_.m, size_.tiles, costs_,
                                                                              clocks_);
    return *std::max_element(clocks_.begin(), clocks_.end());
  }
  double simulate() { return bench::simulate_eager(size_.n, size_.m, size_.tiles, costs_).finish; }

 private:
  const Kind& kind_;
  Size size_;
  bench::Costs costs_;
  std::vector<double> clocks_, work_of_;
};

Model open(const Kind& kind, backend::EngineKind engine, int threads = 1) {
  Model model(file, kind.model, {{"net", kind.net}});
  model.open(engine, {.threads = threads, .cpu = {}, .cache_folder = {}});
  return model;
}

// Checks on smaller grids that everything timed below gives the interpreter's bits.
void check() {
  for (const Kind& kind : kinds) {
    const Model interpreter = open(kind, backend::EngineKind::interpreter),
                compiled = open(kind, backend::EngineKind::jit);
    for (const Size& size : {Size{1, 1, 5, 1}, Size{2, 3, 4, 2}, Size{17, 40, 13, 3}, Size{60, 50, 30, 1}}) {
      const double expected = interpreter.evaluate(size.bound(), "finish");
      ByHand by_hand(kind, size);
      bench::require_same(std::string(kind.words) + ", compiled", compiled.evaluate(size.bound(), "finish"), expected);
      bench::require_same(std::string(kind.words) + ", by hand", by_hand.run(), expected);
      if (!kind.rendezvous() && size.sweeps == 1)
        bench::require_same(std::string(kind.words) + ", simulated", by_hand.simulate(), expected);
    }
  }
}

void measure_sweeps() {
  const Size size{1000, 1000, 100, 8};
  bench::Table table("Listing 1 on 1000 x 1000 processes, 8 sweeps of 100 tiles, one thread, no shortcuts", "protocol",
                     "Gblocks/s", 1e9, {"C++ by hand"});
  for (const Kind& kind : kinds) {
    const Model compiled = open(kind, backend::EngineKind::jit);
    ByHand by_hand(kind, size);
    table.row(kind.words, size.blocks(), {[&] { return compiled.evaluate(size.bound(), "finish"); }, {}},
              {{{[&] { return by_hand.run(); }, {}}, kind.target}}, 1);
  }
}

void measure_threads() {
  const Size size{1000, 1000, 100, 8};
  bench::Table table("The same on two threads, no shortcuts", "protocol", "Gblocks/s", 1e9, {"one thread"},
                     bench::Clock::wall);
  for (const Kind& kind : kinds) {
    const Model one = open(kind, backend::EngineKind::jit), two = open(kind, backend::EngineKind::jit, 2);
    table.row(kind.words, size.blocks(), {[&] { return two.evaluate(size.bound(), "finish"); }, {}},
              {{{[&] { return one.evaluate(size.bound(), "finish"); }, {}}, 1.7}}, 3);
  }
}

// When the last process finishes, by the critical path that is followed back from there.
double follow_path(const Model& model, const Size& size, std::size_t memory_bytes) {
  std::vector<backend::Binding> bindings;
  for (const auto& [name, value] : size.bound())
    bindings.emplace_back(model.definition(name), ir::Scalar::of(std::int64_t{value}));
  backend::Limits limits;
  limits.memory_bytes = memory_bytes;
  double total = 0;
  const auto follow = [&](backend::processes::Run& run) {
    run.use_program_only(
        [&](const backend::processes::ProgramInput& input, backend::processes::SweepKernels& kernels) {
          const auto path = backend::processes::follow_critical_path(input, kernels, {}, true);
          if (!path) return std::optional(0.0);
          for (const auto& term : path->terms) total += term.sum;
          return std::optional(path->last_finish);
        },
        [](const backend::processes::ProgramInput&) { return 0.0; });
  };
  const auto failed = backend::inspect_process(model.lowered().system, bindings, limits, ir::ProcessId{0}, follow,
                                               backend::kernel_source(model.engine()));
  return failed ? 0 : total;
}

// The peer does a part of the same work: an evaluation without the path.
void measure_breakdown() {
  const Size size{1000, 1000, 100, 8};
  bench::Table table("The time of the first table and its critical path, in at most 512 MB, one thread, no shortcuts",
                     "protocol", "Gblocks/s", 1e9, {"the time alone"});
  for (const Kind& kind : kinds) {
    const Model compiled = open(kind, backend::EngineKind::jit);
    const auto both = [&] {
      const double finish = compiled.evaluate(size.bound(), "finish");
      bench::require_same("critical path", follow_path(compiled, size, std::size_t{512} << 20), finish);
      return finish;
    };
    table.row(kind.words, size.blocks(), {both, {}},
              {{{[&] { return compiled.evaluate(size.bound(), "finish"); }, {}}, 0.2}}, 3);
  }
}

void measure_simulator() {
  const Size size{300, 300, 50, 1};
  bench::Table table("One sweep of 50 tiles on 300 x 300 processes, one thread, no shortcuts", "protocol", "Gblocks/s",
                     1e9, {"event queue", "C++ by hand"});
  const Kind& kind = kinds[0];
  const Model compiled = open(kind, backend::EngineKind::jit);
  ByHand by_hand(kind, size);
  table.row(kind.words, size.blocks(), {[&] { return compiled.evaluate(size.bound(), "finish"); }, {}},
            {{{[&] { return by_hand.simulate(); }, {}}, 1000}, {{[&] { return by_hand.run(); }, {}}}}, 0);
  const Model served = open(with_gap, backend::EngineKind::jit);
  // The simulator knows no gap, so its times differ, but the number of events is the same.
  table.row(with_gap.words, size.blocks(), {[&] { return served.evaluate(size.bound(), "finish"); }, {}},
            {{{[&] { return by_hand.simulate(); }, {}}, 0, 0, false}, {}}, 0);
  fmt::print("\nThe simulator takes {:.1f} million events.\n",
             bench::simulate_eager(300, 300, 50, uniform).events * 1e-6);
}

void measure_long(const std::string& wave) {
  constexpr long n = 8944;
  fmt::print(
      "\nWhole runs of `wave run listing.wave` on {0} x {0} processes, 8 sweeps of 100 tiles ({1:.1f} * 10^10 blocks), "
      "one thread, no shortcuts (targets: 20 s and 16 bytes a process)\n\n",
      n, static_cast<double>(n * n) * 800 * 1e-10);
  fmt::print("| protocol | CPU time | wall time | peak memory | bytes a process |\n|---|---:|---:|---:|---:|\n");
  for (const Kind& kind : {kinds[0], kinds[1]}) {
    const bench::Child child = bench::run(
        {wave, "run", file, "--model", kind.model, "-D", fmt::format("net={}", kind.net), "-D", fmt::format("n={}", n),
         "-D", fmt::format("m={}", n), "--engine", "jit", "--no-shortcuts", "--threads", "1", "--time-limit", "none"});
    fmt::print("| {} | {:.1f} s | {:.1f} s | {:.0f} MB | {:.1f} |{}\n", kind.words, child.cpu, child.wall,
               child.peak * 1e-6, child.peak / static_cast<double>(n * n), child.status == 0 ? "" : " failed");
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** arguments) {
  fmt::print("{}\n", bench::machine());
  check();
  measure_sweeps();
  measure_threads();
  measure_breakdown();
  measure_simulator();
  if (count > 2 && std::strcmp(arguments[2], "--long") == 0) measure_long(arguments[1]);
  return bench::Table::agreed() ? 0 : 1;
}
