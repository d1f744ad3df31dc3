// StartP with uniform costs on 4096 x 4096 processors: the interpreter, the JIT, and the loops one would write by hand.
#include "backend/engine_choice.h"
#include "bench/peers.h"
#include "bench/timing.h"
#include "tests/parity/systems.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

using namespace wave;

namespace {

constexpr std::int64_t n = 4096, m = 4096;

std::unique_ptr<backend::Engine> open(backend::EngineKind kind, const ir::System& system) {
  auto made = backend::make_engine(kind, system);
  if (const auto* const error = std::get_if<std::string>(&made)) {
    fmt::print(stderr, "{}\n", *error);
    std::exit(1);
  }
  return std::move(std::get<std::unique_ptr<backend::Engine>>(made));
}

double corner(backend::Engine& engine, std::uint32_t root) {
  const auto outcome = engine.start({}, {})->evaluate(ir::RootId{root});
  if (const auto* const rows = std::get_if<backend::Rows>(&outcome)) return rows->cells.front().real;
  fmt::print(stderr, "the evaluation failed\n");
  std::exit(1);
}

void print_row(const char* what, double seconds, double interpreted, double by_hand, double value) {
  fmt::print("| {:<44} | {:>9.2f} ms | {:>8.3f} | {:>8.1f} | {:>8.2f} | {} |\n", what, seconds * 1e3,
             static_cast<double>(n * m) / seconds * 1e-9, interpreted / seconds, by_hand / seconds, value);
}

// A root that reads along every index, so that all cells are stored; one cell of it is evaluated.
void add_full_read(parity::Model& model) {
  const ir::BinderId k = model.build.binder("k");
  const ir::ValueId end = model.refer("n");
  model.root("diagonal", {model.read(ir::EventId{0}, {model.build.index(k), model.build.index(k)})},
             {model.level(k, end, end)});
}

}  // namespace

int main() {
  parity::Model few, all;
  parity::add_start(few, n, m);
  parity::add_start(all, n, m);
  add_full_read(all);
  const double down = 420e6 + 141.4e6 + 94.1e6, right = 420e6 + 70.3e6 + 141.4e6;

  const auto interpreter = open(backend::EngineKind::interpreter, few.system);
  const auto jit = open(backend::EngineKind::jit, few.system);
  const auto jit_all = open(backend::EngineKind::jit, all.system);
  parity::Model small;
  parity::add_start(small, 4, 4);
  const double compile = bench::median_seconds(bench::Clock::cpu, 9, [&] {
    corner(*open(backend::EngineKind::jit, small.system), 0);
  });

  std::vector<double> row, matrix;
  double by_interpreter = 0, by_jit = 0, by_jit_all = 0, by_row = 0, by_matrix = 0;
  const double interpreted = bench::median_seconds(bench::Clock::cpu, 1, [&] { by_interpreter = corner(*interpreter, 0); });
  const double rolling = bench::median_seconds(bench::Clock::cpu, 9, [&] { by_row = bench::rolling_row(n, m, down, right, row); });
  const double naive = bench::median_seconds(bench::Clock::cpu, 9, [&] { by_matrix = bench::full_matrix(n, m, down, right, matrix); });
  const double compiled = bench::median_seconds(bench::Clock::cpu, 9, [&] { by_jit = corner(*jit, 0); });
  const double stored = bench::median_seconds(bench::Clock::cpu, 9, [&] { by_jit_all = corner(*jit_all, 1); });

  fmt::print("StartP, uniform costs, {} x {}, one thread, CPU time, {}\n\n", n, m, bench::machine());
  fmt::print("| {:<44} | {:>12} | Gcells/s | x interp | x by row | start[n, m] |\n", "", "time");
  fmt::print("|---|---:|---:|---:|---:|---:|\n");
  print_row("interpreter", interpreted, interpreted, rolling, by_interpreter);
  print_row("JIT, few points read (a window of rows)", compiled, interpreted, rolling, by_jit);
  print_row("JIT, all cells stored", stored, interpreted, rolling, by_jit_all);
  print_row("C++ -O3 -march=native, full matrix", naive, interpreted, rolling, by_matrix);
  print_row("C++ -O3 -march=native, one row overwritten", rolling, interpreted, rolling, by_row);
  fmt::print("\nCompiling this model: {:.1f} ms.\n", compile * 1e3);
  return by_interpreter == by_jit && by_jit == by_jit_all ? 0 : 1;
}
