// Runs every program of the corpus with kernels and without: the outputs of every model with its default parameters,
// and every expectation of every test. Programs with errors are run as far as they can be lowered. (`wave test` tests
// the library and the examples with each engine.)
#include "frontend/lower/lower.h"
#include "tests/parity/compare.h"
#include "tests/random/environment.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>

using namespace wave;

namespace {

std::vector<std::string> corpus() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(WAVE_SOURCE_DIR "/tests/language")) {
    if (entry.path().extension() == ".wave") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Totals {
  std::size_t systems = 0, roots = 0, limited = 0;
};

void compare_system(const ir::System& system, const std::string& what, Totals& totals) {
  if (system.roots.empty()) return;
  INFO(what);
  const auto interpreter = parity::engine(backend::EngineKind::interpreter, system);
  const auto jit = parity::engine(backend::EngineKind::jit, system);
  backend::Limits limits;
  limits.deadline =
      std::chrono::steady_clock::now() + std::chrono::seconds(5);  // the corpus contains recursion without end
  const auto comparison = parity::compare(system, *interpreter, *jit, {}, limits);
  CHECK(comparison.difference == "");
  ++totals.systems;
  totals.roots += comparison.roots;
  totals.limited += comparison.limited;
}

void compare_program(const std::string& file, Totals& totals) {
  frontend::Diagnostics diagnostics;
  const auto program = frontend::load(file, {{WAVE_SOURCE_DIR "/tests/language"}}, diagnostics);
  if (!program || diagnostics.has_errors()) return;
  for (const auto& item : program->main().items) {
    if (!std::holds_alternative<frontend::item::Model>(item->node)) continue;
    frontend::Diagnostics own;
    const frontend::Lowered lowered = frontend::lower_model(*program, *item, {}, own);
    if (!own.has_errors()) compare_system(lowered.system, file + ": model " + item->name.text, totals);
  }
  frontend::Diagnostics own;
  const frontend::LoweredTests tests = frontend::lower_tests(*program, own);
  if (!own.has_errors()) compare_system(tests.system, file + ": tests", totals);
}

}  // namespace

TEST_CASE("every program of the corpus has the same bits and the same failures in both engines") {
  Totals totals;
  const std::vector<std::string> files = corpus();
  const std::size_t step = test::step_over(files.size());
  for (std::size_t i = 0; i < files.size(); i += step) compare_program(files[i], totals);
  WARN(totals.systems << " systems, " << totals.roots << " roots, " << totals.limited << " beyond a limit");
  CHECK(totals.systems * step > 10);
}
