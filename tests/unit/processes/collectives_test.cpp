// Collectives as costs.
#include "tests/unit/processes/process_fixture.h"

using namespace wave;
using test::ProcessFixture;

namespace {

// Process i has computed for 10 i before it.
double finish_after(ir::Collective::Root root, std::int64_t process) {
  ProcessFixture f({4});
  f.program({f.compute(f.b.multiply(f.b.real(10), f.b.to_real(f.index(0)))), f.collective(5, root)});
  return f.finish({process});
}

}  // namespace

TEST_CASE("nobody is done before the cost has passed since the last one came") {
  CHECK(finish_after(ir::Collective::Root::none, 1) == 45);
  CHECK(finish_after(ir::Collective::Root::none, 4) == 45);
}

TEST_CASE("a collective from the root waits for the root alone") {
  CHECK(finish_after(ir::Collective::Root::from, 1) == 15);
  CHECK(finish_after(ir::Collective::Root::from, 2) == 20);
  CHECK(finish_after(ir::Collective::Root::from, 4) == 40);
}

TEST_CASE("a collective to the root makes the root alone wait") {
  CHECK(finish_after(ir::Collective::Root::to, 1) == 45);
  CHECK(finish_after(ir::Collective::Root::to, 2) == 20);
}

TEST_CASE("along an axis each line is on its own") {
  ProcessFixture f({2, 3});
  f.program({f.compute(f.b.multiply(f.b.real(100), f.b.to_real(f.index(0)))), f.compute(f.b.to_real(f.index(1))),
             f.collective(5, ir::Collective::Root::none, 1)});
  CHECK(f.finish({1, 1}) == 108);
  CHECK(f.finish({2, 2}) == 208);
}

TEST_CASE("collectives come one after the other, however far ahead the root is") {
  ProcessFixture f({3});
  f.program({f.repeat(4, {f.when(f.at(0, 3), {f.compute(100)}), f.collective(5, ir::Collective::Root::from)}),
             f.collective(1)});
  CHECK(f.finish({1}) == 401);
  CHECK(f.value(f.measured(ir::Metric::wait, {3})).real == 1);
}
