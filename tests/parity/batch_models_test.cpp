// Batches of models with recurrences and processes, with shortcuts, against the interpreter without them.
#include "backend/engine_choice.h"
#include "frontend/lower/lower.h"
#include "tests/parity/batches.h"
#include "tests/parity/compare.h"
#include "tests/random/choices.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <map>
#include <stdexcept>

using namespace wave;
using namespace wave::parity;

namespace {

frontend::Lowered lower(const std::string& file, const std::string& model) {
  frontend::Diagnostics diagnostics;
  const auto program = frontend::load(WAVE_SOURCE_DIR "/" + file, {{WAVE_SOURCE_DIR "/tests"}}, diagnostics);
  for (const auto& item : program->main().items) {
    if (!diagnostics.has_errors() && item->name.text == model)
      return frontend::lower_model(*program, *item, {}, diagnostics);
  }
  throw std::runtime_error("no model " + model);
}

ir::DefinitionId parameter(const frontend::Lowered& lowered, const std::string& name) {
  for (const auto& info : lowered.parameters) {
    if (info.path == name) return info.definition;
  }
  throw std::runtime_error("no parameter " + name);
}

ir::RootId output(const frontend::Lowered& lowered, const std::string& name) {
  for (const auto& info : lowered.outputs) {
    if (info.name == name) return info.root;
  }
  throw std::runtime_error("no output " + name);
}

std::vector<std::int64_t> integers(test::Choices& choose, std::size_t rows, std::int64_t low, std::int64_t high) {
  std::vector<std::int64_t> values(rows);
  for (std::int64_t& value : values) value = choose.between(low, high);
  return values;
}

std::vector<double> reals(test::Choices& choose, std::size_t rows) {
  std::vector<double> values(rows);
  for (double& value : values) value = 1e4 * choose.tame_real();
  return values;
}

BatchComparison compare_with_shortcuts(const ir::System& system, const Table& table,
                                       const std::vector<backend::Wanted>& wanted, int threads) {
  backend::EngineOptions options;
  options.shortcuts = true;
  options.threads = threads;
  return compare_batch(system, table, wanted, options);
}

// Rows that change one parameter at a time, and come back to the first row: each three times in a row, with other
// times, so that whatever rows hand on is used, and given up.
Table table_of_changes(const frontend::Lowered& lowered, const std::map<std::string, std::int64_t>& first,
                       const std::vector<std::pair<std::string, std::int64_t>>& changes) {
  std::vector<std::map<std::string, std::int64_t>> rows;
  const auto add = [&](const std::map<std::string, std::int64_t>& row) { rows.insert(rows.end(), 3, row); };
  add(first);
  for (const auto& [name, value] : changes) {
    auto changed = first;
    changed[name] = value;
    add(changed);
    add(first);
  }
  Table table;
  for (const auto& [name, value] : first) {
    const ir::DefinitionId definition = parameter(lowered, name);
    std::vector<std::int64_t> integers;
    std::vector<double> reals;
    for (const auto& row : rows) integers.push_back(row.at(name)), reals.push_back(static_cast<double>(row.at(name)));
    if (lowered.system[definition].type == ir::ScalarType::integer)
      table.add(definition, integers);
    else
      table.add(definition, reals);
  }
  std::vector<double> latency;
  for (std::size_t row = 0; row < rows.size(); ++row) latency.push_back(5e6 + 1e5 / 3 * static_cast<double>(row % 7));
  table.add(parameter(lowered, "latency"), latency);
  return table;
}

// With and without shortcuts and kernels, on one thread and on two.
void check_rows(const frontend::Lowered& lowered, const Table& table, const std::vector<backend::Wanted>& wanted) {
  const auto reference = engine(backend::EngineKind::interpreter, lowered.system);
  for (const int threads : {1, 2}) {
    for (const bool shortcuts : {true, false}) {
      backend::EngineOptions options;
      options.shortcuts = shortcuts;
      options.threads = threads;
      INFO(threads << " threads, " << (shortcuts ? "with shortcuts" : "without shortcuts"));
      CHECK(compare_batch(lowered.system, table, wanted, options).difference == "");
      const auto interpreter = backend::make_interpreter(lowered.system, options);
      const auto batch =
          backend::make_plain_batch(*interpreter, lowered.system, table.parameters, wanted, options.threads);
      const BatchComparison comparison = compare(lowered.system, *reference, *batch, table, wanted);
      CHECK(comparison.difference == "");
      CHECK(comparison.failed > 0);
      CHECK(comparison.failed < table.rows() / 4);
    }
  }
}

}  // namespace

TEST_CASE("a plug-and-play model is in lanes with shortcuts, and has the bits of its recurrence") {
  const frontend::Lowered lowered = lower("tests/language/section7/sweep3d.wave", "Sweep3D");
  test::Choices choose(7);
  constexpr std::size_t rows = 203;
  Table table;
  table.add(parameter(lowered, "n"), integers(choose, rows, -1, 23));
  table.add(parameter(lowered, "m"), integers(choose, rows, 0, 23));
  table.add(parameter(lowered, "mk"), integers(choose, rows, 1, 100));
  table.add(parameter(lowered, "Wg"), reals(choose, rows));
  for (const int threads : {1, 2}) {
    const BatchComparison comparison =
        compare_with_shortcuts(lowered.system, table, {output(lowered, "total")}, threads);
    INFO(comparison.schedule);
    CHECK(comparison.difference == "");
    CHECK(comparison.failed > 0);
    CHECK(comparison.in_lanes + comparison.failed == rows);
  }
}

TEST_CASE("processes in a batch are evaluated row by row on any number of threads, beside columns in lanes") {
  const frontend::Lowered lowered = lower("tests/parity/chimaera.wave", "Chimaera");
  test::Choices choose(8);
  constexpr std::size_t rows = 37;
  Table table;
  table.add(parameter(lowered, "N"), integers(choose, rows, 22, 26));
  table.add(parameter(lowered, "Htile"), integers(choose, rows, 1, 3));
  table.add(parameter(lowered, "n"), integers(choose, rows, 0, 5));
  table.add(parameter(lowered, "m"), integers(choose, rows, 1, 5));
  const std::vector<backend::Wanted> wanted{output(lowered, "iteration"), output(lowered, "exact"),
                                            output(lowered, "difference")};
  for (const int threads : {1, 3}) {
    const BatchComparison comparison = compare_with_shortcuts(lowered.system, table, wanted, threads);
    INFO(comparison.schedule);
    CHECK(comparison.difference == "");
    CHECK(comparison.in_lanes > 0);
    CHECK(comparison.failed > 0);
    CHECK(comparison.schedule.find("`transport` is a process") != std::string::npos);
  }
}

TEST_CASE("rows whose processes exchange other messages than the row before are what single evaluations give") {
  const frontend::Lowered lowered = lower("tests/parity/process_rows.wave", "Exchange");
  const Table table = table_of_changes(lowered,
                                       {{"n", 4},
                                        {"m", 3},
                                        {"far", 1},
                                        {"turn", 1},
                                        {"calls", 2},
                                        {"special", 2},
                                        {"limit", 1000},
                                        {"sent", 80},
                                        {"received", 80},
                                        {"first", 1'000'000},
                                        {"work", 10'000'000}},
                                       {{"n", 5},         {"n", 1},       {"m", 1},
                                        {"far", 2},       {"far", -1},    {"turn", 2},
                                        {"turn", 4},      {"calls", 0},   {"calls", 3},
                                        {"special", 1},   {"special", 3}, {"special", 5},
                                        {"limit", 10},    {"limit", 81},  {"limit", 200},
                                        {"received", 81}, {"first", 0},   {"first", 1'000'000'000'000},
                                        {"work", 0},      {"work", -1},   {"work", 20'000'001}});
  check_rows(lowered, table, {output(lowered, "last"), output(lowered, "mean"), output(lowered, "least")});
}

TEST_CASE("rows whose sweeps send other messages than the row before are what single evaluations give") {
  const frontend::Lowered lowered = lower("tests/parity/process_rows.wave", "Sweeps");
  const Table table = table_of_changes(
      lowered, {{"n", 3}, {"m", 4}, {"tiles", 5}, {"special", 2}, {"limit", 1000}, {"sent", 80}, {"work", 10'000'000}},
      {{"n", 1},
       {"n", 8},
       {"m", 1},
       {"tiles", 0},
       {"tiles", 40},
       {"special", 1},
       {"special", 7},
       {"limit", 10},
       {"limit", 170},
       {"sent", 0},
       {"work", 0},
       {"work", -1},
       {"work", 1'000'000'000'000}});
  check_rows(lowered, table, {output(lowered, "last"), output(lowered, "mean")});
}
