// Batches as a whole: any number of rows and threads, nodes that lanes cannot evaluate, limits.
#include "ir/operations.h"
#include "tests/parity/batches.h"
#include "tests/parity/compare.h"
#include "tests/parity/systems.h"
#include "tests/random/environment.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <mutex>

using namespace wave;
using namespace wave::parity;

namespace {

// Has a parameter of each type. The square root of `x` fails in every row except those where x >= 0.
struct Mixed {
  Mixed() {
    ir::Builder& build = model.build;
    const ir::SiteId site = model.site(ir::FailureKind::outside_domain);
    const ValueId x = model.parameter("x", build.real(1)), k = model.parameter("k", build.integer(2));
    const ValueId b = model.parameter("b", build.boolean(true));
    const ValueId root = build.unary(ir::UnaryOp::square_root, x, site);
    real = build.define(ir::System::root_frame, "real", build.add(root, build.to_real(k)));
    integer = build.define(ir::System::root_frame, "integer", build.select(b, k, build.integer(-1)));
    const ValueId is_large = build.binary(BinaryOp::greater, root, build.real(3));
    boolean = build.define(ir::System::root_frame, "boolean", build.logical_and(b, is_large));
    root_of_all =
        build.root({"all",
                    {{{}, {build.reference(integer), build.reference(boolean), build.reference(real)}}},
                    build.check(build.less(k, build.integer(900)), b, model.site(ir::FailureKind::require_failed))});
  }

  Table table(std::size_t rows) const {
    std::vector<double> x;
    std::vector<std::int64_t> k, b;
    for (std::size_t row = 0; row < rows; ++row) {
      x.push_back(row % 10 == 9 ? -1.0 : static_cast<double>(row));
      k.push_back(static_cast<std::int64_t>(row));
      b.push_back(row % 3 == 0);
    }
    Table table;
    table.add(model.definition("x"), x);
    table.add(model.definition("k"), k);
    table.add(model.definition("b"), b);
    return table;
  }

  Model model;
  ir::DefinitionId real, integer, boolean;
  ir::RootId root_of_all;
};

backend::EngineOptions threads(int count) {
  backend::EngineOptions options;
  options.threads = count;
  return options;
}

std::unique_ptr<backend::Engine> compiled(const ir::System& system, const backend::EngineOptions& options = {}) {
  return std::get<std::unique_ptr<backend::Engine>>(backend::make_engine(backend::EngineKind::jit, system, options));
}

}  // namespace

TEST_CASE("columns of every type, in any number of rows, are what single evaluations give", "[long]") {
  const Mixed mixed;
  const std::vector<backend::Wanted> wanted{mixed.real, mixed.root_of_all, mixed.integer, mixed.boolean};
  const auto interpreter = engine(backend::EngineKind::interpreter, mixed.model.system);
  for (const int count : {1, 3}) {
    const auto engine = compiled(mixed.model.system, threads(count));
    const auto batch = engine->batch(mixed.table(1).parameters, wanted);
    for (const std::uint64_t rows : {0ul, 1ul, 7ul, 8ul, 1025ul, test::fewer(5000)}) {
      INFO(rows << " rows, " << count << " threads");
      const BatchComparison comparison = compare(mixed.model.system, *interpreter, *batch, mixed.table(rows), wanted);
      CHECK(comparison.difference == "");
      CHECK(comparison.in_lanes + comparison.failed == rows);
    }
    const int compiled = backend::jit_counts(*engine).compilations;
    CHECK(compare(mixed.model.system, *interpreter, *batch, mixed.table(100), wanted).difference == "");
    CHECK(backend::jit_counts(*engine).compilations == compiled);  // other columns need no new code
  }
}

TEST_CASE("a batch by the interpreter is row by row") {
  const Mixed mixed;
  const std::vector<backend::Wanted> wanted{mixed.integer, mixed.root_of_all};
  const auto interpreter = engine(backend::EngineKind::interpreter, mixed.model.system);
  CHECK(interpreter->batch({}, {}) == nullptr);
  for (const int count : {1, 4}) {
    const auto batch =
        backend::make_plain_batch(*interpreter, mixed.model.system, mixed.table(1).parameters, wanted, count);
    for (const std::size_t rows : {0, 1, 7, 1025}) {
      INFO(rows << " rows, " << count << " threads");
      CHECK(compare(mixed.model.system, *interpreter, *batch, mixed.table(rows), wanted).difference == "");
    }
  }
}

TEST_CASE("recurrences are evaluated row by row, alone where other columns are in lanes") {
  Model model;
  add_start(model, 4, 3);
  ir::Builder& build = model.build;
  const ValueId corner = model.read(ir::EventId{0}, {model.refer("n"), model.refer("m")});
  const ir::DefinitionId last = build.define(ir::System::root_frame, "last", corner);
  const ir::DefinitionId both =
      build.define(ir::System::root_frame, "both",
                   build.select(build.less(model.refer("n"), build.integer(4)), build.real(1), build.reference(last)));
  const ir::DefinitionId sum =
      build.define(ir::System::root_frame, "sum", build.add(model.refer("W"), model.refer("send")));
  Table table;
  std::vector<std::int64_t> n;
  std::vector<double> work;
  for (std::int64_t row = 0; row < 45; ++row) n.push_back(row % 9 - 1), work.push_back(1e6 * static_cast<double>(row));
  table.add(model.definition("n"), n);
  table.add(model.definition("W"), work);
  for (const int count : {1, 2}) {
    const BatchComparison alone = compare_batch(model.system, table, {last}, threads(count));
    CHECK(alone.difference == "");
    CHECK(alone.in_lanes == 0);
    CHECK(alone.failed == 10);
    CHECK(alone.schedule.find("row by row") == 0);
    CHECK(alone.schedule.find("`start` is a recurrence") != std::string::npos);
    const BatchComparison mixed = compare_batch(model.system, table, {sum, last}, threads(count));
    CHECK(mixed.difference == "");
    CHECK(mixed.in_lanes == 45);
    const BatchComparison some = compare_batch(model.system, table, {both, sum}, threads(count));
    CHECK(some.difference == "");
    CHECK(some.in_lanes == 25);
  }
}

TEST_CASE("recursive functions are evaluated row by row") {
  Model model;
  ir::Builder& build = model.build;
  const ValueId n = model.parameter("n", build.integer(1));
  const ir::FrameId frame = build.frame("f", ir::System::root_frame);
  const ir::ParameterId k = build.parameter(frame, "k", ScalarType::integer);
  const ir::DefinitionId f = build.declare(frame, "f", ScalarType::integer);
  const ir::SiteId site = model.site(ir::FailureKind::recursion_too_deep);
  const ValueId rest = build.call(frame, f, {build.subtract(build.parameter_value(k), build.integer(1), site)}, site);
  build.set_body(f, build.select(build.less(build.parameter_value(k), build.integer(1)), build.integer(0),
                                 build.add(build.parameter_value(k), rest, site)));
  const ir::DefinitionId result = build.define(ir::System::root_frame, "result", build.call(frame, f, {n}, site));
  Table table;
  table.add(model.definition("n"), std::vector<std::int64_t>{0, 1, 5, 100, 2000});
  CHECK(compare_batch(model.system, table, {result}).difference == "");
}

TEST_CASE("a batch ends at its deadline, and does not begin where its columns do not fit") {
  const Mixed mixed;
  const auto engine = compiled(mixed.model.system);
  const std::vector<backend::Wanted> wanted{mixed.real};
  const auto batch = engine->batch(mixed.table(1).parameters, wanted);
  const Table table = mixed.table(5000);
  const auto inputs = table.inputs();
  backend::Limits late;
  late.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  const auto no_time = batch->evaluate(inputs, late);
  REQUIRE(std::holds_alternative<ir::Failure>(no_time));
  CHECK(std::get<ir::Failure>(no_time).kind == ir::FailureKind::time_limit);
  backend::Limits small;
  small.memory_bytes = 20'000;
  const auto no_memory = batch->evaluate(inputs, small);
  REQUIRE(std::holds_alternative<ir::Failure>(no_memory));
  CHECK(std::get<ir::Failure>(no_memory).kind == ir::FailureKind::memory_limit);
}

TEST_CASE("progress rises to the number of rows") {
  const Mixed mixed;
  for (const int count : {1, 3}) {
    const auto engine = compiled(mixed.model.system, threads(count));
    const auto batch = engine->batch(mixed.table(1).parameters, {mixed.real});
    const Table table = mixed.table(9000);
    const auto inputs = table.inputs();
    std::size_t last = 0;
    bool rises = true;
    const auto result =
        batch->evaluate(inputs, {}, [&](std::size_t rows) { rises = rises && rows >= last, last = rows; });
    REQUIRE(std::holds_alternative<backend::BatchResult>(result));
    CHECK(rises);
    CHECK(last == 9000);
  }
}
