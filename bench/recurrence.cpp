// StartP with every class of costs: compiled recurrences that evaluate every cell, compared with handwritten loops and
// vector kernels. Usage: bench_recurrence PROGRAM [MODEL N]: prints all tables, or one row of the first.
#include "bench/model.h"
#include "bench/peers.h"
#include "bench/table.h"
#include "bench/vector_peers.h"

#include <fmt/format.h>

using namespace wave;
using bench::Contender;
using bench::Model;

namespace {

// The values of bench/startp.wave for n x m cells.
struct Costs {
  Costs(long n, long m) {
    for (long i = 1; i <= n; ++i) {
      by_row.push_back(400e6 + 1e3 * static_cast<double>(i * 7919 % 4001));
      more_by_row.push_back(20e6 + 1e3 * static_cast<double>(i * 31 % 997));
      factor_of_row.push_back(1e3 * static_cast<double>(400 + i % 17));
    }
    for (long j = 1; j <= m; ++j) {
      by_column.push_back(300e6 + 1e3 * static_cast<double>(j * 104729 % 3001));
      more_by_column.push_back(10e6 + 1e3 * static_cast<double>(j * 7907 % 2003));
      factor_of_column.push_back(static_cast<double>(900 + j % 13));
    }
  }
  void fill_work(long n, long m) {
    work.resize(static_cast<std::size_t>(n * m));
    for (long i = 0; i < n; ++i) {
      for (long j = 0; j < m; ++j)
        work[static_cast<std::size_t>(i * m + j)] =
            400e6 + 1e3 * static_cast<double>(((i + 1) * 7919 + (j + 1) * 104729) % 4001);
    }
    diagonals = bench::allocate(bench::diagonal_size(n, m));
    bench::lay_out_diagonally(n, m, work.data(), diagonals.get());
  }
  std::vector<double> by_row, by_column, more_by_row, more_by_column, factor_of_row, factor_of_column, work;
  bench::Memory diagonals;
};

constexpr double down = 655.5e6, right = 631.75e6;            // Uniform, Stored
constexpr double less_down = 235.5e6, less_right = 211.75e6;  // PerCell, Loaded
// Periodic: 420 us of work, a message inside a node 70 us, between nodes 235.5 us; i and j from 0.
constexpr double from_above[4] = {655.5e6, 655.5e6, 490e6, 490e6}, from_left[4] = {655.5e6, 490e6, 655.5e6, 490e6};

// One class of costs on one grid.
struct Case {
  long n, m;
  Costs costs{n, m};
  bench::Row row, matrix;
  bench::Scratch scratch;
  bench::Memory stored;

  Case(long n_, long m_) : n(n_), m(m_) {}

  double rolling(const std::string& model) {
    if (model == "PerAxis") return bench::rolling_per_axis(n, m, costs.by_row.data(), costs.by_column.data(), row);
    if (model == "Periodic") return bench::rolling_periodic(n, m, from_above, from_left, row);
    if (model == "BothIndices")
      return bench::rolling_separable(n, m, costs.by_row.data(), costs.more_by_column.data(), costs.more_by_row.data(),
                                      costs.by_column.data(), row);
    if (model == "PerCell")
      return bench::rolling_product(n, m, costs.factor_of_row.data(), costs.factor_of_column.data(), less_down,
                                    less_right, row);
    if (model == "Loaded") return bench::rolling_loaded(n, m, costs.work.data(), less_down, less_right, row);
    return bench::rolling_uniform(n, m, down, right, row);
  }

  double vector(const std::string& model) {
    if (model == "PerAxis") return bench::vector_per_axis(n, m, costs.by_row.data(), costs.by_column.data(), scratch);
    if (model == "Periodic") return bench::vector_periodic(n, m, from_above, from_left, scratch);
    if (model == "BothIndices")
      return bench::vector_separable(
          n, m, {costs.by_row.data(), costs.more_by_column.data(), costs.more_by_row.data(), costs.by_column.data()},
          scratch);
    if (model == "PerCell")
      return bench::vector_product(n, m, costs.factor_of_row.data(), costs.factor_of_column.data(), less_down,
                                   less_right, scratch);
    if (model == "Loaded") return bench::vector_loaded(n, m, costs.diagonals.get(), less_down, less_right, scratch);
    if (model == "Stored") return bench::vector_stored(n, m, down, right, stored.get(), scratch);
    return bench::vector_uniform(n, m, down, right, scratch);
  }

  void prepare(const std::string& model) {
    if (model == "Loaded") costs.fill_work(n, m);
    if (model == "Stored") stored = bench::allocate(bench::diagonal_size(n, m));
  }
};

const char* const file = WAVE_SOURCE_DIR "/bench/startp.wave";

Model::Integers extents(long n, long m) { return {{"n", n}, {"m", m}}; }

// Checks on smaller grids that everything timed below gives the interpreter's bits.
void check(const std::string& name) {
  Model interpreter(file, name), compiled(file, name);
  interpreter.open(backend::EngineKind::interpreter);
  compiled.open(backend::EngineKind::jit);
  for (const auto& [n, m] :
       std::vector<std::pair<long, long>>{{1, 1}, {2, 3}, {1, 40}, {40, 1}, {17, 129}, {150, 64}, {300, 280}}) {
    Case small(n, m);
    small.prepare(name);
    const double expected = interpreter.evaluate(extents(n, m), "corner");
    const auto what = [&, n = n, m = m](const char* who) { return fmt::format("{}, {} x {}, {}", name, n, m, who); };
    bench::require_same(what("compiled"), compiled.evaluate(extents(n, m), "corner"), expected);
    bench::require_same(what("row by hand"), small.rolling(name), expected);
    bench::require_same(what("vector kernel"), small.vector(name), expected);
    if (name == "Stored")
      bench::require_same(what("matrix by hand"), bench::full_matrix(n, m, down, right, small.matrix), expected);
  }
}

struct Class {
  const char* model;
  const char* words;
  double rolling, rolling_small, vector, matrix = 0;  // targets for the ratios
};

const Class classes[] = {
    {"Uniform", "uniform", 25, 15, 0.85},
    {"PerAxis", "per axis", 0, 0, 0},
    {"Periodic", "periodic, 2 x 2 nodes", 25, 15, 0.85},
    {"BothIndices", "both indices, sums", 15, 15, 0},
    {"PerCell", "both indices, products", 15, 15, 0},
    {"Loaded", "from a matrix", 2.5, 2.5, 0},
    {"Stored", "uniform; all cells stored", 0, 0, 0, 10},
};

// One row: a class of costs on an n x n grid.
void measure(bench::Table& table, const Class& costs, long n) {
  const std::string name = costs.model;
  Case grid(n, n);
  grid.prepare(name);
  Model model(file, name);
  model.open(backend::EngineKind::jit);
  std::unique_ptr<backend::Evaluation> evaluation;
  Contender ours{[&] { return model.evaluate(extents(n, n), "corner"); }, {}};
  if (name == "Loaded") {
    ours.before = [&] { model.evaluate(*(evaluation = model.start(extents(n, n))), "filled"); };
    ours.work = [&] { return model.evaluate(*evaluation, "corner"); };
  }
  Contender matrix;
  if (name == "Uniform" || name == "Stored")
    matrix.work = [&] { return bench::full_matrix(n, n, down, right, grid.matrix); };
  table.row(fmt::format("{}, {} x {}", costs.words, n, n), static_cast<double>(n * n), ours,
            {{matrix, costs.matrix},
             {{[&] { return grid.rolling(name); }, {}}, n < 10000 ? costs.rolling_small : costs.rolling},
             {{[&] { return grid.vector(name); }, {}}, costs.vector}});
}

bench::Table make_table() {
  return {"StartP, doubles, one thread, no shortcuts",
          "costs, cells",
          "Gcells/s",
          1e9,
          {"C++, whole matrix", "C++, one row", "vector kernel"}};
}

void measure_recurrences() {
  bench::Table table = make_table();
  for (const long n : {10000L, 1000L}) {
    for (const Class& costs : classes) measure(table, costs, n);
  }
}

void measure_one(const std::string& model, long n) {
  check(model);
  bench::Table table = make_table();
  for (const Class& costs : classes) {
    if (costs.model == model) measure(table, costs, n);
  }
}

void measure_large() {
  constexpr long n = 100'000;
  Case grid(n, n);
  bench::Table table("StartP on 10^5 x 10^5, one thread, no shortcuts", "costs", "Gcells/s", 1e9, {"vector kernel"});
  for (const Class& costs : {classes[0], classes[2]}) {
    Model large(file, costs.model);
    large.open(backend::EngineKind::jit);
    table.row(costs.words, static_cast<double>(n) * n, {[&] { return large.evaluate(extents(n, n), "corner"); }, {}},
              {{{[&] { return grid.vector(costs.model); }, {}}, costs.vector}}, 0);
  }
}

void measure_threads() {
  bench::Table table("Two threads against one, no shortcuts", "costs, cells", "Gcells/s", 1e9, {"one thread"},
                     bench::Clock::wall);
  for (const Class& costs : {classes[0], classes[3], classes[5], classes[6]}) {
    Model one(file, costs.model), two(file, costs.model);
    one.open(backend::EngineKind::jit);
    two.open(backend::EngineKind::jit, {.threads = 2, .cpu = {}, .cache_folder = {}});
    constexpr long n = 10000;
    table.row(fmt::format("{}, {} x {}", costs.words, n, n), static_cast<double>(n * n),
              {[&] { return two.evaluate(extents(n, n), "corner"); }, {}},
              {{{[&] { return one.evaluate(extents(n, n), "corner"); }, {}}}});
  }
}

void measure_three_axes() {
  const auto bound = [](long n) { return Model::Integers{{"n", n}, {"m", n}, {"l", n}}; };
  Model interpreter(file, "ThreeAxes"), compiled(file, "ThreeAxes");
  interpreter.open(backend::EngineKind::interpreter);
  compiled.open(backend::EngineKind::jit);
  bench::Row plane;
  const auto by_hand = [&](long n) { return bench::rolling_plane(n, n, n, 655.5e6, 631.75e6, 640.125e6, plane); };
  for (const long n : {1L, 2L, 9L, 50L}) {
    const double expected = interpreter.evaluate(bound(n), "corner");
    bench::require_same("three axes, compiled", compiled.evaluate(bound(n), "corner"), expected);
    bench::require_same("three axes, by hand", by_hand(n), expected);
  }
  bench::Table table("Three axes, one thread, no shortcuts", "cells", "Gcells/s", 1e9, {"C++, one plane"});
  for (const long n : {100L, 500L}) {
    table.row(fmt::format("{0} x {0} x {0}", n), static_cast<double>(n * n * n),
              {[&] { return compiled.evaluate(bound(n), "corner"); }, {}}, {{{[&] { return by_hand(n); }, {}}}});
  }
}

// A recurrence each of 1 x 1 to 1000 x 1000 cells: what an instance costs besides its cells.
void measure_instances() {
  constexpr long count = 1000;
  const auto bound = [](long count) { return Model::Integers{{"count", count}}; };
  Model interpreter(file, "Instances"), compiled(file, "Instances");
  interpreter.open(backend::EngineKind::interpreter);
  compiled.open(backend::EngineKind::jit);
  bench::Scratch scratch;
  const auto cells_alone = [&](long count) {
    double sum = 0;
    for (long k = 1; k <= count; ++k) sum += bench::vector_uniform(k, k, down, right, scratch);
    return sum;
  };
  const double expected = interpreter.evaluate(bound(40), "corners");
  bench::require_same("instances, compiled", compiled.evaluate(bound(40), "corners"), expected);
  bench::require_same("instances, their cells alone", cells_alone(40), expected);
  double cells = 0;
  for (long k = 1; k <= count; ++k) cells += static_cast<double>(k * k);
  bench::Table table("1000 instances of one structure, one thread, no shortcuts", "costs, instances", "Gcells/s", 1e9,
                     {"their cells alone"});
  table.row("uniform, 1 x 1 to 1000 x 1000", cells, {[&] { return compiled.evaluate(bound(count), "corners"); }, {}},
            {{{[&] { return cells_alone(count); }, {}}, 1.0 / 3}});
}

void measure_interpreter() {
  constexpr long n = 10000, fewer = 500;
  Model interpreter(file, "Uniform"), compiled(file, "Uniform");
  interpreter.open(backend::EngineKind::interpreter);
  compiled.open(backend::EngineKind::jit);
  bench::Table table("The interpreter (on 500 x 500 cells)", "costs, cells", "Gcells/s", 1e9, {"interpreter"});
  table.row("uniform, 10000 x 10000", static_cast<double>(n * n),
            {[&] { return compiled.evaluate(extents(n, n), "corner"); }, {}},
            {{.contender = {[&] { return interpreter.evaluate(extents(fewer, fewer), "corner"); }, {}},
              .units = static_cast<double>(fewer * fewer),
              .compared = false}});
}

}  // namespace

int main(int count, char** arguments) {
  if (!bench::has_vector_peers()) {
    fmt::print("bench_recurrence: the vector kernels by hand are for AVX-512, which this machine does not have\n");
    return 0;
  }
  fmt::print("{}\n", bench::machine());
  if (count == 3 && std::string(arguments[2]) == "instances") {
    measure_instances();
    return bench::Table::agreed() ? 0 : 1;
  }
  if (count == 4) {
    measure_one(arguments[2], std::atol(arguments[3]));
    return bench::Table::agreed() ? 0 : 1;
  }
  for (const Class& costs : classes) check(costs.model);
  measure_recurrences();
  measure_large();
  measure_threads();
  measure_three_axes();
  measure_instances();
  measure_interpreter();
  return bench::Table::agreed() ? 0 : 1;
}
