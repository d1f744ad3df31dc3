// Straight messages of all processes on arrays of clocks: a collective as an algorithm and a halo exchange, compared
// with loops that you would write in C++, and with the instructions of processes. Usage: bench_arrays PROGRAM
#include "bench/array_peers.h"
#include "bench/model.h"
#include "bench/table.h"

#include <fmt/format.h>

#include <algorithm>

using namespace wave;
using bench::Model;

namespace {

const char* const file = WAVE_SOURCE_DIR "/bench/arrays.wave";
constexpr bench::EagerCosts costs{.send_overhead = 2e6, .latency = 5e6, .recv_overhead = 3e6};

struct Allreduces {
  long processes, calls;
  static constexpr const char* model = "Allreduces";
  Model::Integers bound() const { return {{"n", processes}, {"calls", calls}}; }
  double messages() const {
    double rounds = 0;
    for (long reached = 1; reached < processes; reached *= 2) ++rounds;
    return rounds * static_cast<double>(processes * calls);
  }
  double by_hand() const {
    std::vector<double> clocks(static_cast<std::size_t>(processes), 0);
    bench::allreduces_by_hand(calls, 1e6, costs, clocks);
    return *std::max_element(clocks.begin(), clocks.end());
  }
};

struct Halo {
  long n, m, steps;
  static constexpr const char* model = "Halo";
  Model::Integers bound() const { return {{"n", n}, {"m", m}, {"steps", steps}}; }
  double messages() const { return 2.0 * static_cast<double>(((n - 1) * m + n * (m - 1)) * steps); }
  double by_hand() const {
    std::vector<double> clocks(static_cast<std::size_t>(n * m), 0), work;
    for (long i = 1; i <= n; ++i) {
      for (long j = 1; j <= m; ++j) work.push_back(10e6 + 1e3 * static_cast<double>((i * 7919 + j * 104729) % 4001));
    }
    bench::halo_by_hand(n, m, steps, costs, work, clocks);
    return *std::max_element(clocks.begin(), clocks.end());
  }
};

Model open(const char* model, backend::EngineKind engine, int threads = 1) {
  Model opened(file, model);
  opened.open(engine, {.threads = threads, .cpu = {}, .cache_folder = {}});
  return opened;
}

// On smaller grids, everything that is timed below gives the bits of instructions.
template <class Size>
void check(const std::vector<Size>& sizes) {
  const Model instructions = open(Size::model, backend::EngineKind::interpreter),
              compiled = open(Size::model, backend::EngineKind::jit);
  for (const Size& size : sizes) {
    const double expected = instructions.evaluate(size.bound(), "finish");
    bench::require_same(std::string(Size::model) + ", on arrays", compiled.evaluate(size.bound(), "finish"), expected);
    bench::require_same(std::string(Size::model) + ", by hand", size.by_hand(), expected);
  }
}

// Instructions take `few` messages, and their time is multiplied.
template <class Size>
void measure(bench::Table& table, const char* words, const Size& size, const Size& few) {
  const Model compiled = open(Size::model, backend::EngineKind::jit),
              instructions = open(Size::model, backend::EngineKind::interpreter);
  table.row(words, size.messages(), {[&] { return compiled.evaluate(size.bound(), "finish"); }, {}},
            {{{[&] { return size.by_hand(); }, {}}, 0.5},
             {{[&] { return instructions.evaluate(few.bound(), "finish"); }, {}}, 100, few.messages(), false}});
}

template <class Size>
void measure_threads(bench::Table& table, const char* words, const Size& size) {
  const Model one = open(Size::model, backend::EngineKind::jit), two = open(Size::model, backend::EngineKind::jit, 2);
  table.row(words, size.messages(), {[&] { return two.evaluate(size.bound(), "finish"); }, {}},
            {{{[&] { return one.evaluate(size.bound(), "finish"); }, {}}, 1.6}}, 3);
}

}  // namespace

int main() {
  fmt::print("{}\n", bench::machine());
  check<Allreduces>({{1, 2}, {2, 1}, {512, 3}, {32768, 1}});
  check<Halo>({{1, 1, 3}, {1, 5, 4}, {7, 3, 5}, {60, 50, 4}});
  const Allreduces few{1 << 12, 2}, many{1 << 20, 10}, most{1 << 20, 100};
  const Halo small{60, 60, 10}, large{300, 300, 100}, larger{300, 300, 1000};
  bench::Table table("Messages over arrays, one thread, no shortcuts", "what", "Mmessages/s", 1e6,
                     {"C++ by hand", "instructions"});
  measure(table, "10 allreduces on 2^20 processes", many, few);
  measure(table, "100 allreduces on 2^20 processes", most, few);
  measure(table, "halo exchange, 300 x 300, 100 steps", large, small);
  measure(table, "halo exchange, 300 x 300, 1000 steps", larger, small);
  bench::Table threads("The same on two threads, no shortcuts", "what", "Mmessages/s", 1e6, {"one thread"},
                       bench::Clock::wall);
  measure_threads(threads, "100 allreduces on 2^20 processes", most);
  measure_threads(threads, "halo exchange, 300 x 300, 1000 steps", larger);
  return bench::Table::agreed() ? 0 : 1;
}
