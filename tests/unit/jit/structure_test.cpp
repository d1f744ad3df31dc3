// What cached code depends on, and what it does not depend on.
#include "backend/jit/structure.h"

#include "ir/passes.h"
#include "ir/verify.h"
#include "tests/parity/systems.h"

#include <catch2/catch.hpp>

using namespace wave;
using parity::Model;

namespace {

// A loop and a recurrence, with a parameter whose value may also stand elsewhere.
ir::System example(std::int64_t n, double work, std::int64_t elsewhere = 4) {
  Model model;
  parity::add_start(model, n, 7);
  model.root("more", {model.build.multiply(model.refer("n"), model.build.integer(elsewhere),
                                           model.site(ir::FailureKind::integer_overflow)),
                      model.parameter("work", model.build.real(work))});
  return jit::in_order_of_use(ir::run_passes(model.system));
}

}  // namespace

TEST_CASE("values of parameters are no part of the structure, whether or not they stand elsewhere too") {
  const std::string structure = jit::structure_of(example(10, 2.5));
  CHECK(jit::structure_of(example(11, 2.5)) == structure);
  CHECK(jit::structure_of(example(4, 2.5)) == structure);
  CHECK(jit::structure_of(example(7, 7.0)) == structure);
  CHECK(jit::structure_of(example(1, 0.0)) == structure);
}

TEST_CASE("other constants are part of the structure") {
  CHECK(jit::structure_of(example(10, 2.5, 4)) != jit::structure_of(example(10, 2.5, 5)));
}

TEST_CASE("offsets, guards, types of parameters and what is asked for are part of the structure") {
  const auto with = [](auto change) {
    Model model;
    parity::add_start(model, 10, 10);
    change(model);
    return jit::structure_of(jit::in_order_of_use(model.system));
  };
  const std::string plain = with([](Model&) {});
  CHECK(with([](Model&) {}) == plain);
  CHECK(with([](Model& model) { model.system.events[0].constraints.back().offset.back() -= 1; }) != plain);
  CHECK(with([](Model& model) { model.system.events[0].constraints.back().guard = model.build.boolean(true); }) !=
        plain);
  CHECK(with([](Model& model) { model.system.definitions[0].bindable = !model.system.definitions[0].bindable; }) !=
        plain);
  CHECK(with([](Model& model) { model.system.roots.pop_back(); }) != plain);
  CHECK(with([](Model& model) { model.system.spaces[0].axes[0].wrap = true; }) != plain);
}

TEST_CASE("putting values in order leaves a sound system") {
  const ir::System system = example(10, 2.5);
  for (const std::string& problem : ir::verify(system)) FAIL_CHECK(problem);
  const ir::System again = jit::in_order_of_use(system);
  CHECK(again.values.size() == system.values.size());
  CHECK(jit::structure_of(again) == jit::structure_of(system));
}
