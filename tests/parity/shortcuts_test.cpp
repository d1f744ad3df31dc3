// Compiled code uses proofs instead of cells where there are many cells, and gets the same bits.
#include "ir/operations.h"
#include "tests/parity/compare.h"
#include "tests/parity/systems.h"

#include <catch2/catch.hpp>

using namespace wave;
using namespace wave::parity;

namespace {

enum class Costs { equal, one_signed, blocks, products, failing };

// Points of a wavefront, and with `lines` also a row and a column at its borders.
Model wavefront(Costs costs, std::int64_t n, std::int64_t k, bool lines = false) {
  Model m;
  ir::Builder& b = m.build;
  const ValueId extent_n = m.parameter("n", b.integer(n)), extent_k = m.parameter("k", b.integer(k));
  const ValueId dear = m.parameter("dear", b.real(4.25));
  const ir::SpaceId grid = m.grid({"i", "j"}, {extent_n, extent_k});
  const ir::EventId start = m.event("start", grid);
  const ValueId i = m.index(grid, 0), j = m.index(grid, 1);
  const auto mod = [&](ValueId x, std::int64_t size) {
    return b.binary(ir::BinaryOp::modulo, x, b.integer(size), m.site(ir::FailureKind::division_by_zero));
  };
  const auto part = [&](ValueId x, std::int64_t many) {
    return b.select(b.less_equal(x, b.integer(many)), b.real(26), b.real(25.5));
  };
  ValueId west, north;
  switch (costs) {
    case Costs::equal: west = b.multiply(b.to_real(mod(i, 7)), dear), north = b.real(3); break;
    case Costs::one_signed: west = b.multiply(b.to_real(j), dear), north = b.real(3); break;
    case Costs::blocks: west = north = b.multiply(part(i, n / 3), part(j, k / 2)); break;
    case Costs::products: west = b.multiply(b.to_real(i), b.to_real(j)), north = dear; break;
    case Costs::failing:
      west = b.check(b.logical_not(b.equal(i, b.integer(n - 1))), dear, m.site(ir::FailureKind::require_failed));
      north = b.real(1);
      break;
  }
  m.constrain(start, start, {-1, 0}, {west, b.real(1.7)});
  m.constrain(start, start, {0, -1}, {north});
  m.system[start].otherwise = {dear};
  m.root("points", {m.read(start, {extent_n, extent_k}), m.read(start, {b.integer(1), extent_k}),
                    m.read(start, {b.integer(377), b.integer(91)})});
  if (!lines) return m;
  const ir::BinderId x = b.binder("x");
  m.root("row", {m.read(start, {extent_n, b.index(x)})}, {m.level(x, b.integer(1), extent_k)});
  m.root("column", {m.read(start, {b.index(x), extent_k})}, {m.level(x, b.integer(1), extent_n)});
  return m;
}

std::unique_ptr<backend::Engine> compiled(const ir::System& system, bool shortcuts) {
  backend::EngineOptions options;
  options.shortcuts = shortcuts;
  auto made = backend::make_engine(backend::EngineKind::jit, system, options);
  return std::get<std::unique_ptr<backend::Engine>>(std::move(made));
}

// Compares all roots with shortcuts and without, and returns what is reported with them.
std::string schedule_with_shortcuts(const Model& m) {
  const auto direct = compiled(m.system, false), shorter = compiled(m.system, true);
  const auto one = direct->start({}, {}), other = shorter->start({}, {});
  for (std::uint32_t root = 0; root < m.system.roots.size(); ++root) {
    CHECK(difference(m.system, one->evaluate(ir::RootId{root}), other->evaluate(ir::RootId{root})) == "");
  }
  const auto reports = other->reports();
  return reports.empty() ? "" : reports.front().schedule;
}

}  // namespace

TEST_CASE("compiled code names the proof that it uses, and gives the bits of all cells") {
  CHECK(schedule_with_shortcuts(wavefront(Costs::equal, 700, 600)) == "closed form: equal paths");
  CHECK(schedule_with_shortcuts(wavefront(Costs::one_signed, 700, 600)) == "closed form: one-signed differences");
  CHECK(schedule_with_shortcuts(wavefront(Costs::blocks, 700, 600)) == "closed form: blocks of equal paths");
}

TEST_CASE("compiled code reads rows and columns of a proof where that is quicker than the cells") {
  CHECK(schedule_with_shortcuts(wavefront(Costs::equal, 700, 600, true)).find("closed form") == std::string::npos);
  CHECK(schedule_with_shortcuts(wavefront(Costs::equal, 20000, 20000, true)) == "closed form: equal paths");
}

TEST_CASE("compiled code evaluates the cells where no proof covers them, or where they are few, or fail") {
  CHECK(schedule_with_shortcuts(wavefront(Costs::products, 700, 600)).find("closed form") == std::string::npos);
  CHECK(schedule_with_shortcuts(wavefront(Costs::equal, 400, 100)).find("closed form") == std::string::npos);
  CHECK(schedule_with_shortcuts(wavefront(Costs::failing, 700, 600)) == "");
}

TEST_CASE("a grid far beyond all memory is answered where a proof covers it") {
  for (const Costs costs : {Costs::equal, Costs::one_signed, Costs::blocks}) {
    const Model m = wavefront(costs, 1'000'000'000, 1'000'000'000);
    const auto interpreter = [&] {
      backend::EngineOptions options;
      options.shortcuts = true;
      return backend::make_interpreter(m.system, options);
    }();
    const auto jit = compiled(m.system, true);
    const auto one = interpreter->start({}, {}), other = jit->start({}, {});
    const auto a = one->evaluate(ir::RootId{0}), b = other->evaluate(ir::RootId{0});
    CHECK(std::holds_alternative<backend::Rows>(a));
    CHECK(difference(m.system, a, b) == "");
  }
}
