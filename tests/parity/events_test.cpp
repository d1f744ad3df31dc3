// Recurrences: the loop nest gives the same cells as the definition.
#include "ir/operations.h"
#include "tests/parity/compare.h"
#include "tests/parity/systems.h"

#include <catch2/catch.hpp>

using namespace wave;
using namespace wave::parity;

namespace {

void same_events(const Model& model) {
  const Comparison comparison = compare(model.system);
  CHECK(comparison.difference == "");
  CHECK(comparison.failures == 0);
}

void fails_alike(const Model& model) {
  const Comparison comparison = compare(model.system);
  CHECK(comparison.difference == "");
  CHECK(comparison.failures == 1);
}

ValueId scaled(Model& model, ValueId index, double factor) {
  return model.build.multiply(model.build.to_real(index), model.build.real(factor));
}

}  // namespace

TEST_CASE("a wavefront has the same points in both engines, stored whole") {
  Model model;
  add_start(model, 7, 5);
  model.root_of_all("all", ir::EventId{0});
  same_events(model);
}

TEST_CASE("a wavefront has the same points in both engines, stored as a window of rows") {
  for (const auto& [n, m] :
       {std::pair{1000, 700}, std::pair{3, 60000}, std::pair{60000, 3}, std::pair{1, 200000}, std::pair{200000, 1}}) {
    if (n == 1) continue;  // start[n-1, m] is off the grid
    Model model;
    add_start(model, n, m);
    same_events(model);
  }
}

TEST_CASE("a read off the grid fails alike in both engines") {
  Model model;
  add_start(model, 1, 200000);
  fails_alike(model);
}

TEST_CASE("weights that depend on the indices, guards and falling directions") {
  for (const int sign : {-1, 1}) {
    Model model;
    const ir::SpaceId grid = model.grid({"i", "j"}, {model.build.integer(9), model.build.integer(11)});
    const ir::EventId time = model.event("time", grid);
    const ValueId i = model.index(grid, 0), j = model.index(grid, 1);
    const ValueId odd = model.build.equal(
        model.build.binary(BinaryOp::modulo, i, model.build.integer(2), model.site(ir::FailureKind::division_by_zero)),
        model.build.integer(1));
    model.constrain(time, time, {sign, 0}, {scaled(model, i, 0.3), scaled(model, j, 1.7)});
    model.constrain(time, time, {0, -sign}, {scaled(model, j, 2.1)}, odd);
    model.constrain(time, time, {sign, -2 * sign}, {model.build.real(1e-3)});
    model.constrain(time, ir::EventId{}, {}, {scaled(model, j, 5.5)}, model.build.equal(j, model.build.integer(6)));
    model.system[time].otherwise = {scaled(model, i, 0.1), model.build.real(0.25)};
    model.root_of_all("all", time);
    same_events(model);
  }
}

TEST_CASE("several events of a group, on one to four axes, all read") {
  for (std::size_t rank = 1; rank <= 4; ++rank) {
    Model model;
    const std::vector<std::string> names{"a", "b", "c", "d"};
    const ir::SpaceId grid = model.grid({names.begin(), names.begin() + static_cast<std::ptrdiff_t>(rank)},
                                        std::vector<ValueId>(rank, model.build.integer(5)));
    const ir::EventId send = model.event("send", grid), recv = model.event("recv", grid);
    for (std::size_t axis = 0; axis < rank; ++axis) {
      std::vector<std::int32_t> offset(rank, 0);
      offset[axis] = -1;
      model.constrain(recv, send, offset, {scaled(model, model.index(grid, axis), 0.7), model.build.real(3)});
    }
    model.system[recv].otherwise = {model.build.real(1)};
    model.constrain(send, recv, std::vector<std::int32_t>(rank, 0), {model.build.real(0.125)});
    model.root_of_all("send", send);
    model.root_of_all("recv", recv);
    same_events(model);
  }
}

TEST_CASE("an axis that wraps, read diagonally across its end") {
  Model model;
  const ir::SpaceId grid = model.grid({"t", "r"}, {model.build.integer(20), model.build.integer(6)}, {false, true});
  const ir::EventId time = model.event("time", grid);
  for (const std::int32_t by : {-7, -1, 0, 2}) {
    model.constrain(time, time, {-1, by}, {scaled(model, model.index(grid, 1), 0.37), model.build.real(by)});
  }
  model.system[time].otherwise = {model.build.real(0)};
  model.root_of_all("all", time);
  same_events(model);
}

TEST_CASE("dependences that only a hyperplane orders") {
  Model model;
  const ir::SpaceId grid = model.grid({"i", "j"}, {model.build.integer(12), model.build.integer(9)});
  const ir::EventId time = model.event("time", grid);
  model.constrain(time, time, {-2, 1}, {scaled(model, model.index(grid, 0), 1.1)});
  model.constrain(time, time, {1, -2}, {scaled(model, model.index(grid, 1), 0.9)});
  model.system[time].otherwise = {scaled(model, model.index(grid, 1), 4)};
  model.root_of_all("all", time);
  same_events(model);
}

TEST_CASE("a recurrence without a loop order is evaluated as it is") {
  Model model;
  const ir::SpaceId grid = model.grid({"i", "j"}, {model.build.integer(1), model.build.integer(9)});
  const ir::EventId time = model.event("time", grid);
  model.constrain(time, time, {0, -1}, {model.build.real(1)});
  model.constrain(time, time, {-1, 2}, {model.build.real(1)});
  model.constrain(time, time, {1, -1}, {model.build.real(1)});
  model.constrain(time, time, {1, 0}, {model.build.real(1)});
  model.system[time].otherwise = {model.build.real(0)};
  model.root_of_all("all", time);
  CHECK(compare(model.system).difference == "");
  const auto jit = engine(backend::EngineKind::jit, model.system);
  const auto evaluation = jit->start({}, {});
  CHECK(std::holds_alternative<backend::Rows>(evaluation->evaluate(ir::RootId{0})));
  REQUIRE(evaluation->reports().size() == 1);
  CHECK(evaluation->reports().front().not_compiled == "it has no loop order");
}

TEST_CASE("bodies evaluated as written: products, integers, booleans, absence") {
  Model model;
  ir::Builder& build = model.build;
  const ir::SpaceId grid = model.grid({"i", "j"}, {build.integer(8), build.integer(8)});
  const ir::EventId product = model.event("product", grid);
  const ir::EventId paths = model.event("paths", grid, ScalarType::integer);
  const ir::EventId dark = model.event("dark", grid, ScalarType::boolean);
  const auto back = [&](ir::EventId event, std::int32_t i, std::int32_t j) { return build.neighbour(event, {i, j}); };
  const ir::SiteId overflow = model.site(ir::FailureKind::integer_overflow);
  model.system[product].body = build.maximum(
      {build.multiply(back(product, -1, 0), build.real(1.1)), build.minimum({back(product, 0, -1), build.real(7.5)}),
       build.select(back(dark, -1, -1), build.real(3.25), build.negate(back(product, -1, -1)))});
  model.system[product].otherwise = {build.real(1)};
  model.system[paths].body = build.add(back(paths, -1, 0), back(paths, 0, -1), overflow);
  model.system[paths].otherwise = {build.integer(1)};
  model.system[dark].body = build.logical_or(build.logical_not(back(dark, 0, -1)), back(dark, -1, 0));
  model.system[dark].otherwise = {build.boolean(true)};
  model.root_of_all("product", product);
  model.root_of_all("paths", paths);
  model.root_of_all("dark", dark);
  same_events(model);
}

TEST_CASE("a point without a value fails at the same cell") {
  Model model;
  const ir::SpaceId grid = model.grid({"i"}, {model.build.integer(5)});
  const ir::EventId time = model.event("time", grid);
  model.constrain(time, time, {-1}, {model.build.real(1)});
  model.root_of_all("all", time);
  fails_alike(model);
}

TEST_CASE("a weight that is not finite fails alike, hoisted or in a cell") {
  for (const bool in_cell : {false, true}) {
    Model model;
    ir::Builder& build = model.build;
    const ValueId n = model.parameter("n", build.integer(6));
    const ir::SpaceId grid = model.grid({"i"}, {n});
    const ir::EventId time = model.event("time", grid);
    const ValueId huge = model.parameter("huge", build.real(1e308));
    const ValueId infinite = build.multiply(huge, in_cell ? build.to_real(model.index(grid, 0)) : build.real(10));
    model.constrain(time, time, {-1}, {build.real(1), infinite});
    model.system[time].otherwise = {build.real(0)};
    model.root("end", {model.read(time, {n})});
    fails_alike(model);
  }
}

TEST_CASE("reductions inside a body, over cells of another recurrence") {
  Model model;
  ir::Builder& build = model.build;
  const ValueId n = model.parameter("n", build.integer(9));
  const ir::SpaceId line = model.grid({"k"}, {n});
  const ir::EventId cost = model.event("cost", line);
  model.constrain(cost, cost, {-1}, {scaled(model, model.index(line, 0), 0.61)});
  model.system[cost].otherwise = {build.real(2)};
  const ir::SpaceId grid = model.grid({"i", "j"}, {n, n});
  const ir::EventId time = model.event("time", grid);
  const ir::BinderId k = build.binder("k");
  const ValueId sum = build.reduce(ir::ReduceKind::sum, {model.level(k, build.integer(1), model.index(grid, 0))},
                                   model.read(cost, {build.index(k)}), {}, {});
  const ir::BinderId q = build.binder("q");
  ir::Level level = model.level(q, build.integer(1), model.index(grid, 1));
  level.filter = build.less(build.index(q), model.index(grid, 0));
  const ValueId most = build.reduce(ir::ReduceKind::maximum, {level}, build.read(cost, {build.index(q)}, {}), {}, {});
  model.constrain(time, time, {-1, 0}, {sum});
  model.constrain(time, time, {0, -1}, {most});
  model.system[time].otherwise = {build.real(0)};
  model.root_of_all("all", time);
  same_events(model);
}

TEST_CASE("a source in another group is rounded like a weight") {
  Model model;
  ir::Builder& build = model.build;
  const ir::SpaceId grid = model.grid({"i"}, {build.integer(10)});
  const ir::EventId fine = model.event("fine", grid), coarse = model.event("coarse", grid);
  model.constrain(fine, fine, {-1}, {build.real(0.1)});
  model.system[fine].otherwise = {build.real(1e-9)};
  model.constrain(coarse, coarse, {-1}, {build.real(1e15)});
  model.constrain(coarse, fine, {1}, {build.real(0.3)});
  model.system[coarse].otherwise = {build.real(0)};
  model.root_of_all("coarse", coarse);
  same_events(model);
}
