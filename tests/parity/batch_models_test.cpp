// Batches of models with recurrences and processes, with shortcuts, against the interpreter without them.
#include "frontend/lower/lower.h"
#include "tests/parity/batches.h"
#include "tests/parity/compare.h"
#include "tests/random/choices.h"

#include <catch2/catch.hpp>

#include <stdexcept>

using namespace wave;
using namespace wave::parity;

namespace {

frontend::Lowered lower(const std::string& file, const std::string& model) {
  frontend::Diagnostics diagnostics;
  const auto program = frontend::load(WAVE_SOURCE_DIR "/" + file, {}, diagnostics);
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
