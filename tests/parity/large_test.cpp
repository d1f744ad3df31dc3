// Systems whose code could grow without bound, and systems whose evaluation goes deep.
#include "tests/parity/compare.h"
#include "tests/parity/systems.h"

#include <catch2/catch.hpp>

using namespace wave;
using namespace wave::parity;

namespace {

// x_k = if x_{k-1} < limit then x_{k-1} + x_{k-2} else x_{k-2} - x_{k-1}: each value is first needed in two branches.
ir::ValueId branching_chain(Model& model, ir::ValueId start, int links, ir::ValueId limit) {
  ir::Builder& build = model.build;
  ir::ValueId before = build.real(1), last = start;
  for (int link = 0; link < links; ++link) {
    const ir::ValueId next = build.select(build.less(build.multiply(last, build.real(0.5 + link)), limit),
                                          build.add(last, before), build.subtract(before, last));
    before = std::exchange(last, next);
  }
  // These are first needed inside the branches.
  return build.select(build.less(limit, start), last, build.negate(last));
}

void check_compiled(const ir::System& system) {
  const Comparison comparison = compare(system);
  CHECK(comparison.difference == "");
}

}  // namespace

TEST_CASE("values that several branches need first do not double the code at every link of a chain") {
  Model model;
  ir::Builder& build = model.build;
  const ir::ValueId start = model.parameter("start", build.real(3));
  const ir::ValueId limit = model.parameter("limit", build.real(1000));
  const ir::ValueId chain = branching_chain(model, start, 200, limit);
  model.root("chain", {chain});
  const ir::BinderId k = build.binder("k");
  model.root("in a loop", {build.add(chain, build.to_real(build.index(k)))},
             {model.level(k, build.integer(1), build.integer(3))});
  check_compiled(model.system);
}

TEST_CASE("a failure inside a value that is kept has the indices of the loop that needs it") {
  Model model;
  ir::Builder& build = model.build;
  const ir::ValueId zero = model.parameter("zero", build.real(0));
  const ir::ValueId start = build.divide(build.real(1), zero, model.site(ir::FailureKind::division_by_zero));
  const ir::ValueId chain = branching_chain(model, start, 200, model.parameter("limit", build.real(1000)));
  const ir::BinderId k = build.binder("k");
  model.root("loop", {build.select(build.less(build.index(k), build.integer(3)), build.real(0), chain)},
             {model.level(k, build.integer(1), build.integer(5))});
  model.root("again", {build.add(chain, build.real(1))});
  check_compiled(model.system);
}

TEST_CASE("a kept value inside a function belongs to the activation") {
  Model model;
  ir::Builder& build = model.build;
  const ir::FrameId frame = build.frame("f", ir::System::root_frame);
  const ir::ParameterId x = build.parameter(frame, "x", ir::ScalarType::real);
  const ir::ValueId chain =
      branching_chain(model, build.parameter_value(x), 100, model.parameter("limit", build.real(100)));
  const ir::DefinitionId f = build.define(frame, "f", chain);
  const ir::SiteId deep = model.site(ir::FailureKind::recursion_too_deep);
  model.root("calls", {build.call(frame, f, {build.real(1)}, deep), build.call(frame, f, {build.real(2)}, deep)});
  check_compiled(model.system);
}

TEST_CASE("20 000 definitions that each read the one before end alike") {
  Model model;
  ir::Builder& build = model.build;
  ir::ValueId last = model.parameter("first", build.real(1));
  for (int i = 0; i < 20'000; ++i) {
    // This operation is too large to be inlined in place of the definition.
    const ir::ValueId sum = build.add(build.multiply(last, build.real(0.999)), build.real(i));
    last = build.reference(build.define(ir::System::root_frame, "d" + std::to_string(i), sum));
  }
  model.root("last", {last});
  CHECK(compare(model.system).difference == "");
}

// Under the sanitizers the interpreter has an eighth of the stack (base/big_stack.h), so it can nest
// fewer nodes than compiled code can.
#ifdef WAVE_SANITIZED
constexpr int definitions_an_activation = 5;
#else
constexpr int definitions_an_activation = 30;
#endif

TEST_CASE(
    "definitions inside an activation that reads them deeply, a thousand activations inside each other, end alike") {
  Model model;
  ir::Builder& build = model.build;
  const ir::FrameId frame = build.frame("f", ir::System::root_frame);
  const ir::ParameterId n = build.parameter(frame, "n", ir::ScalarType::integer);
  const ir::DefinitionId f = build.declare(frame, "f", ir::ScalarType::real);
  const ir::ValueId here = build.parameter_value(n);
  const ir::SiteId site = model.site(ir::FailureKind::integer_overflow);
  ir::ValueId last = build.select(build.less(here, build.integer(1)), build.real(0),
                                  build.call(frame, f, {build.subtract(here, build.integer(1), site)},
                                             model.site(ir::FailureKind::recursion_too_deep)));
  for (int i = 0; i < definitions_an_activation; ++i) {
    const ir::ValueId sum = build.add(build.multiply(last, build.real(0.5)), build.to_real(here));
    last = build.reference(build.define(frame, "d" + std::to_string(i), sum));
  }
  build.set_body(f, last);
  const ir::SiteId deep = model.site(ir::FailureKind::recursion_too_deep);
  model.root("fits", {build.call(frame, f, {build.integer(900)}, deep)});
  model.root("too deep", {build.call(frame, f, {build.integer(2000)}, deep)});
  check_compiled(model.system);
}

TEST_CASE("a sum of 5 000 summands inside each other is compiled") {
  Model model;
  ir::Builder& build = model.build;
  const ir::ValueId step = model.parameter("step", build.real(0.1));
  ir::ValueId sum = step;
  for (int i = 0; i < 5'000; ++i) sum = build.add(build.multiply(sum, build.real(0.5)), step);
  model.root("sum", {sum});
  check_compiled(model.system);
}
