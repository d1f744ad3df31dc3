// Programs of processes whose parts have no order known beforehand, as machine code: all corners at once, compared with
// an event-queue simulator, and 1F1B, compared with their instructions.
// Usage: bench_programs PROGRAM
#include "bench/event_queue.h"
#include "bench/model.h"
#include "bench/recorded_path.h"
#include "bench/table.h"

#include <fmt/format.h>

using namespace wave;
using bench::Model;

namespace {

const char* const file = WAVE_SOURCE_DIR "/bench/programs.wave";
// Messages of 800 bytes on the SP/2: 23 us, and 23 us + 800 B * 0.07 us/B.
constexpr bench::Costs sp2{.work = 420e6, .overhead = 23e6, .wire = 79e6};

Model open(const char* model, backend::EngineKind engine, int threads = 1,
           const std::vector<std::pair<std::string, std::string>>& given = {}) {
  Model opened(file, model, given);
  opened.open(engine, {.shortcuts = false, .threads = threads, .cpu = {}, .cache_folder = {}});
  return opened;
}

Model::Integers corners(long n, long m, long tiles) { return {{"n", n}, {"m", m}, {"tiles", tiles}}; }

// Checks on smaller grids that everything timed below gives the bits of instructions.
void check() {
  const Model instructions = open("Corners", backend::EngineKind::interpreter),
              compiled = open("Corners", backend::EngineKind::jit);
  for (const auto& [n, m, tiles] : {std::array{1L, 1L, 5L}, {2L, 3L, 4L}, {17L, 40L, 13L}}) {
    const double expected = instructions.evaluate(corners(n, m, tiles), "finish");
    bench::require_same("all corners, compiled", compiled.evaluate(corners(n, m, tiles), "finish"), expected);
    bench::require_same("all corners, simulated", bench::simulate_all_corners(n, m, tiles, sp2).finish, expected);
  }
}

void measure_corners() {
  const long n = 256, tiles = 50;
  const Model compiled = open("Corners", backend::EngineKind::jit);
  const double messages = 4.0 * tiles * 2 * n * (n - 1);
  bench::Table table("All four corners at once on 256 x 256 processes, 50 tiles, one thread, no shortcuts", "protocol",
                     "Mmessages/s", 1e6, {"event queue"});
  table.row("eager", messages, {[&] { return compiled.evaluate(corners(n, n, tiles), "finish"); }, {}},
            {{{[&] { return bench::simulate_all_corners(n, n, tiles, sp2).finish; }, {}}, 10}}, 0);
}

// The peer does a part of the same work: an evaluation without the path.
void measure_breakdown() {
  const long n = 256, tiles = 50;
  const Model compiled = open("Corners", backend::EngineKind::jit);
  const auto both = [&] {
    const double finish = compiled.evaluate(corners(n, n, tiles), "finish");
    bench::require_same("critical path", bench::recorded_path(compiled, corners(n, n, tiles)), finish);
    return finish;
  };
  bench::Table table("The same time and its critical path, one thread, no shortcuts", "protocol", "Mmessages/s", 1e6,
                     {"the time alone"});
  table.row("eager", 4.0 * tiles * 2 * n * (n - 1), {both, {}},
            {{{[&] { return compiled.evaluate(corners(n, n, tiles), "finish"); }, {}}, 0.2}}, 0);
}

void measure_threads() {
  const long n = 256, tiles = 50;
  const Model one = open("Corners", backend::EngineKind::jit), two = open("Corners", backend::EngineKind::jit, 2);
  bench::Table table("The same on two threads, no shortcuts", "protocol", "Mmessages/s", 1e6, {"one thread"},
                     bench::Clock::wall);
  table.row("eager", 4.0 * tiles * 2 * n * (n - 1), {[&] { return two.evaluate(corners(n, n, tiles), "finish"); }, {}},
            {{{[&] { return one.evaluate(corners(n, n, tiles), "finish"); }, {}}, 1.6}}, 0);
}

void measure_training() {
  bench::Table table("1F1B, 64 stages, 8192 microbatches, one thread, no shortcuts", "protocol", "Mmessages/s", 1e6,
                     {"instructions"});
  const double messages = 2.0 * 63 * 8192;
  for (const auto& [words, size] : {std::pair{"eager", "1 KiB"}, {"rendezvous", "64 KiB"}}) {
    const Model compiled = open("Training", backend::EngineKind::jit, 1, {{"activation", size}}),
                instructions = open("Training", backend::EngineKind::interpreter, 1, {{"activation", size}});
    table.row(words, messages, {[&] { return compiled.evaluate({}, "finish"); }, {}},
              {{{[&] { return instructions.evaluate({}, "finish"); }, {}}}});
  }
}

}  // namespace

int main() {
  fmt::print("{}\n", bench::machine());
  check();
  measure_corners();
  measure_breakdown();
  measure_threads();
  measure_training();
  return bench::Table::agreed() ? 0 : 1;
}
