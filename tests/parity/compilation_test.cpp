// What is compiled, how often, and which functions the compiled loops call.
#include "ir/operations.h"
#include "tests/parity/compare.h"
#include "tests/parity/systems.h"

#include <catch2/catch.hpp>

#include <optional>
#include <set>
#include <sstream>
#include <string>

using namespace wave;
using namespace wave::parity;
using backend::EngineKind;

namespace {

// The functions that a function calls in a module printed by LLVM; empty where the module does not define it.
std::optional<std::set<std::string>> callees_of(const std::string& module, const std::string& function) {
  std::istringstream lines(module);
  std::optional<std::set<std::string>> callees;
  for (std::string line; std::getline(lines, line);) {
    if (!callees) {
      if (line.starts_with("define") && line.find("@" + function + "(") != std::string::npos) callees.emplace();
      continue;
    }
    if (line == "}") break;
    const std::size_t call = line.find("call ");
    if (call == std::string::npos) continue;
    const std::size_t name = line.find('@', call);
    const std::size_t end = line.find('(', name == std::string::npos ? call : name);
    callees->insert(name < end ? line.substr(name + 1, end - name - 1) : "an address: " + line);
  }
  return callees;
}

}  // namespace

TEST_CASE("other extents and parameters do not recompile") {
  Model model;
  add_start(model, 10, 10);
  const auto jit = engine(EngineKind::jit, model.system);
  const auto interpreter = engine(EngineKind::interpreter, model.system);
  int first = 0;
  for (const std::int64_t n : {10, 64, 500}) {
    for (const double work : {1e6, 3.14e8}) {
      const std::vector<backend::Binding> bindings{{model.definition("n"), ir::Scalar::of(n)},
                                                   {model.definition("W"), ir::Scalar::of(work)}};
      CHECK(compare(model.system, *interpreter, *jit, bindings).difference == "");
      if (first == 0) first = backend::jit_counts(*jit).compilations;
      CHECK(backend::jit_counts(*jit).compilations == first);
    }
  }
  CHECK(first == 1);
}

TEST_CASE("the loop nest of a recurrence calls nothing but itself, the clock and failures") {
  Model model;
  add_start(model, 10, 10);
  const auto dump = backend::dump_llvm(model.system);
  REQUIRE(dump.index() == 0);
  const std::string after = std::get<0>(dump).substr(std::get<0>(dump).find("after the passes"));
  const std::set<std::string> allowed{"edge_0",         "inner_0",       "wave_jit_fail",
                                      "wave_jit_index", "wave_jit_tick", "wave_jit_fail_weight"};
  for (const char* const name : {"kernel_0", "edge_0", "inner_0"}) {
    const auto callees = callees_of(after, name);
    REQUIRE(callees);
    for (const std::string& callee : *callees) {
      INFO(name << " calls " << callee);
      CHECK((allowed.contains(callee) || callee.starts_with("llvm.")));
    }
  }
  CHECK(callees_of(after, "kernel_0")->contains("edge_0"));
}

TEST_CASE("small models compile nothing of their own accord, large ones do") {
  const AsUsual usual;
  Model model;
  add_start(model, 2, 2);  // so few that no clock is looked at: on a busy machine a few points may take long
  const auto automatic = engine(EngineKind::automatic, model.system);
  automatic->start({}, {})->evaluate(ir::RootId{0});
  CHECK(std::string(automatic->name()) == "interpreter");
  const auto large = automatic->start({{model.definition("n"), ir::Scalar::of(std::int64_t{1000})},
                                       {model.definition("m"), ir::Scalar::of(std::int64_t{1000})}},
                                      {});
  CHECK(std::holds_alternative<backend::Rows>(large->evaluate(ir::RootId{0})));
  CHECK(std::string(automatic->name()) == "jit");
  REQUIRE(large->reports().size() == 1);
  CHECK(large->reports().front().cells == 1e6);
}

TEST_CASE("a recurrence read in a few points runs in a window of rows, far below the memory of all cells") {
  Model model;
  add_start(model, 20000, 5000);
  backend::Limits limits;
  limits.memory_bytes = 8 << 20;  // all cells would take 800 MB
  const auto outcome = engine(EngineKind::jit, model.system)->start({}, limits)->evaluate(ir::RootId{0});
  CHECK(std::holds_alternative<backend::Rows>(outcome));
}

TEST_CASE("the window of a finished recurrence leaves its memory to the next") {
  Model model;
  add_start(model, 20, 200'000);
  add_start(model, 20, 200'000);
  backend::Limits limits;
  limits.memory_bytes = 4'000'000;  // one window takes at least two rows of 1.6 MB
  const auto jit = engine(EngineKind::jit, model.system);
  const auto evaluation = jit->start({}, limits);
  for (const std::uint32_t root : {0u, 1u}) {
    CHECK(std::holds_alternative<backend::Rows>(evaluation->evaluate(ir::RootId{root})));
  }
}

TEST_CASE("a recurrence that does not fit is refused with its estimate") {
  Model model;
  add_start(model, 100000, 100000);
  model.root_of_all("all", ir::EventId{0});
  const auto outcome = engine(EngineKind::jit, model.system)->start({}, {})->evaluate(ir::RootId{0});
  REQUIRE(std::holds_alternative<ir::Failure>(outcome));
  CHECK(std::get<ir::Failure>(outcome).kind == ir::FailureKind::memory_limit);
  CHECK(std::get<ir::Failure>(outcome).detail.find("80 GB") != std::string::npos);
}

TEST_CASE("a deadline ends long loops and long recurrences") {
  Model model;
  add_start(model, 1'000'000, 1'000'000);
  ir::Builder& build = model.build;
  const ir::BinderId k = build.binder("k");
  model.root(
      "count",
      {build.reduce(ir::ReduceKind::count,
                    {model.level(k, build.integer(1), model.parameter("far", build.integer(INT64_MAX)))}, {}, {}, {})});
  for (const std::uint32_t root : {0u, 1u}) {
    backend::Limits limits;
    limits.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
    const auto outcome = engine(EngineKind::jit, model.system)->start({}, limits)->evaluate(ir::RootId{root});
    REQUIRE(std::holds_alternative<ir::Failure>(outcome));
    CHECK(std::get<ir::Failure>(outcome).kind == ir::FailureKind::time_limit);
  }
}
