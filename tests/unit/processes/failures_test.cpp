// Errors: deadlocks, messages without their other end, sizes that differ, and scalars that fail.
#include "tests/unit/processes/process_fixture.h"

using namespace wave;
using test::ProcessFixture;

namespace {

using Indices = std::vector<std::pair<std::string, std::int64_t>>;

// One stage of a pipeline: forward along the line until it is warm, then forward and backward in turn, then the rest
// backward. With `in_background`, sends do not wait.
ir::Block one_forward_one_backward(ProcessFixture& f, std::int64_t stages, std::int64_t batches, bool in_background) {
  const auto forward = [&] {
    auto send = f.send(200, f.offset({1}));
    return ir::Block{f.recv(200, f.offset({-1})), f.compute(1), in_background ? f.background(send) : send};
  };
  const auto backward = [&] {
    auto send = f.send(200, f.offset({-1}));
    return ir::Block{f.recv(200, f.offset({1})), f.compute(2), in_background ? f.background(send) : send};
  };
  const ir::ValueId warm = f.b.subtract(f.b.integer(stages), f.index(0), f.site());
  const ir::ValueId rest = f.b.subtract(f.b.integer(batches), warm, f.site());
  ir::Block both = forward();
  for (const auto& statement : backward()) both.push_back(statement);
  return {f.loop(f.b.binder("a"), f.b.integer(1), warm, forward()), f.loop(f.b.binder("c"), f.b.integer(1), rest, both),
          f.loop(f.b.binder("d"), f.b.integer(1), warm, backward()), f.wait()};
}

}  // namespace

TEST_CASE("sends both ways that wait for their receivers deadlock, for two processes and more") {
  for (const std::int64_t extent : {1, 2, 3, 7}) {
    ProcessFixture f({extent});
    f.program({f.send(200, f.offset({1})), f.send(200, f.offset({-1})), f.recv(200, f.offset({-1})),
               f.recv(200, f.offset({1}))});
    if (extent == 1) {
      CHECK(f.time() == 0);
      continue;
    }
    const auto failure = f.failing();
    CHECK(failure.kind == ir::FailureKind::deadlock);
    // Every process waits for its eastern neighbour. The last one has none and waits for its western neighbour.
    const std::string last = "P[" + std::to_string(extent) + "]", before = "P[" + std::to_string(extent - 1) + "]";
    CHECK(failure.location.begin == 1);
    CHECK(failure.detail == before + " waits here for " + last);
    CHECK((failure.indices == Indices{{"i", extent - 1}}));
    REQUIRE(failure.labels.size() == 1);
    CHECK(failure.labels[0].first.begin == 2);
    CHECK(failure.labels[0].second == last + " waits here for " + before);
  }
}

TEST_CASE("who does not come to a collective along an axis is named") {
  // Along i, others wait for P[3, 1] and P[2, 2], which wait for messages that these send later.
  ProcessFixture f({4, 2});
  const auto at = [&](std::int64_t i, std::int64_t j) { return f.b.logical_and(f.at(0, i), f.at(1, j)); };
  f.program({f.when(f.b.logical_or(at(3, 1), at(2, 2)), {f.recv(8, f.offset({-1, 0}))}, {}),
             f.collective(5, ir::Collective::Root::none, 0),
             f.when(f.b.logical_or(at(2, 1), at(1, 2)), {f.send(8, f.offset({1, 0}))}, {})});
  const auto failure = f.failing();
  CHECK(failure.kind == ir::FailureKind::deadlock);
  std::string all = failure.detail;
  for (const auto& label : failure.labels) all += "; " + label.second;
  CHECK(all == "P[2, 1] waits here for P[3, 1]; P[3, 1] waits here for P[2, 1]");
}

TEST_CASE("a process that waits for itself is a deadlock") {
  ProcessFixture f({1}, {true});
  f.program({f.send(200, f.offset({1})), f.recv(200, f.offset({-1}))});
  const auto failure = f.failing();
  CHECK(failure.kind == ir::FailureKind::deadlock);
  CHECK(failure.detail == "P[1] waits here for itself");
}

TEST_CASE("one forward, one backward: blocking sends that wait deadlock, background ones do not") {
  for (const bool in_background : {false, true}) {
    ProcessFixture f({4});
    f.program(one_forward_one_backward(f, 4, 8, in_background));
    if (in_background)
      CHECK(f.time() > 33);
    else
      CHECK(f.failing().kind == ir::FailureKind::deadlock);
  }
}

TEST_CASE("a send that nobody receives is an error, also where nothing waits for it") {
  ProcessFixture f({3});
  f.program({f.when(f.at(0, 2), {f.send(8, f.offset({1}))})});
  const auto failure = f.failing();
  CHECK(failure.kind == ir::FailureKind::unmatched_message);
  CHECK(failure.location.begin == 1);
  CHECK((failure.indices == Indices{{"i", 2}}));
  CHECK(failure.detail == "P[2] sends to P[3] here, which never receives it");
}

TEST_CASE("a receive that nothing sends is not called a deadlock") {
  ProcessFixture f({3});
  f.program({f.when(f.at(0, 2), {f.recv(8, f.offset({-1})), f.send(8, f.offset({1}))}),
             f.when(f.at(0, 3), {f.recv(8, f.offset({-1}))})});
  const auto failure = f.failing();
  CHECK(failure.kind == ir::FailureKind::unmatched_message);
  CHECK(failure.location.begin == 1);
  CHECK((failure.indices == Indices{{"i", 2}}));
}

TEST_CASE(
    "messages are held against each other to the end of all programs, though processes wait for each other before") {
  ProcessFixture crossed({2});
  crossed.program({crossed.recv(8, crossed.offset({1})), crossed.recv(8, crossed.offset({-1}))});
  CHECK(crossed.failing().kind == ir::FailureKind::unmatched_message);
  ProcessFixture itself({1}, {true});
  itself.program({itself.recv(8, itself.offset({1}))});
  CHECK(itself.failing().kind == ir::FailureKind::unmatched_message);
  ProcessFixture late({2}, {true});
  late.program({late.send(200, late.offset({1})), late.recv(200, late.offset({-1})), late.send(8, late.offset({1})),
                late.recv(9, late.offset({-1}))});
  CHECK(late.failing().kind == ir::FailureKind::size_mismatch);
}

TEST_CASE("an offset on one side and an absolute place on the other do not match") {
  ProcessFixture f({2});
  f.program({f.when(f.at(0, 1), {f.send(8, f.offset({1}))}, {f.recv(8, f.place({1}))})});
  CHECK(f.failing().kind == ir::FailureKind::unmatched_message);
}

TEST_CASE("sizes that differ name both statements, the first process and both sizes") {
  ProcessFixture f({4});
  const auto size = f.b.select(f.b.less(f.index(0), f.b.integer(3)), f.b.real(8), f.b.real(9));
  auto receive = f.recv(8, f.offset({-1}));
  std::get<ir::Message>(receive.node).size = size;
  f.program({f.send(8, f.offset({1})), receive});
  const auto failure = f.failing();
  CHECK(failure.kind == ir::FailureKind::size_mismatch);
  CHECK((failure.indices == Indices{{"i", 3}}));
  REQUIRE(failure.values.size() == 2);
  CHECK(failure.values[0].real == 9);
  CHECK(failure.values[1].real == 8);
  REQUIRE(failure.labels.size() == 1);
}

TEST_CASE("the failure reported is that of the first process, whatever else goes wrong") {
  ProcessFixture f({5});
  const auto bad = f.site(ir::FailureKind::negative_quantity);
  const auto time = f.b.check(f.b.less(f.index(0), f.b.integer(3)), f.b.real(1), bad);
  const auto tile = f.b.binder("tile");
  // Later processes never reach their computation, since the first ones deadlock.
  f.program({f.send(200, f.offset({1})), f.send(200, f.offset({-1})), f.recv(200, f.offset({-1})),
             f.recv(200, f.offset({1})), f.sweep(3, tile, {true}, {f.compute(time)})});
  const auto failure = f.failing();
  CHECK(failure.kind == ir::FailureKind::negative_quantity);
  CHECK((failure.indices == Indices{{"i", 3}, {"tile", 1}}));
}

TEST_CASE("a weight that is not finite fails at its statement") {
  ProcessFixture f({2});
  f.program({f.compute(f.b.divide(f.b.real(1e308), f.b.real(1e-308), f.site()))});
  const auto failure = f.failing();
  CHECK(failure.kind == ir::FailureKind::weight_not_finite);
  CHECK(failure.location.begin == 1);
}

TEST_CASE("an absolute place off the grid and a result off the grid are errors") {
  ProcessFixture f({2, 2});
  f.program({f.send(8, f.place({2, 3}))});
  CHECK(f.failing().kind == ir::FailureKind::index_off_grid);
  ProcessFixture g({2});
  g.program({g.compute(1)});
  const auto failure = g.failure(g.measured(ir::Metric::finish, {3}));
  CHECK(failure.kind == ir::FailureKind::index_off_grid);
  CHECK(failure.site.valid());
  CHECK(failure.values.at(0).integer == 3);
}

TEST_CASE("a process whose clocks do not fit says so before anything is evaluated") {
  ProcessFixture f({100'000, 100'000});
  f.program({f.compute(1)});
  const auto failure = f.failing();
  CHECK(failure.kind == ir::FailureKind::memory_limit);
  CHECK(failure.detail.find("processes of `p`") != std::string::npos);
}

TEST_CASE("messages on their way are held against the limit of memory") {
  ProcessFixture f({2});
  f.limits.memory_bytes = std::size_t{1} << 20;
  f.program({f.when(f.at(0, 1), {f.repeat(1'000'000, {f.send(8, f.offset({1}))}), f.collective(1)},
                    {f.collective(1), f.repeat(1'000'000, {f.recv(8, f.offset({-1}))})})});
  const auto failure = f.failing();
  CHECK(failure.kind == ir::FailureKind::memory_limit);
  CHECK(failure.detail.find("messages") != std::string::npos);
}

TEST_CASE("what messages of many sizes do is held against the limit of memory") {
  for (const std::int64_t sizes : {1'000, 20'000}) {
    ProcessFixture f({2});
    f.limits.memory_bytes = std::size_t{4} << 20;
    const ir::BinderId size = f.b.binder("size");
    ir::Statement send = f.send(8, f.offset({1}));
    std::get<ir::Message>(send.node).size = f.b.to_real(f.b.index(size));
    // Each is answered, so few are on their way.
    f.program({f.when(f.at(0, 1), {f.loop(size, f.b.integer(1), f.b.integer(sizes), {send, f.recv(8, f.offset({1}))})},
                      {f.repeat(sizes, {f.recv(-1, f.offset({-1})), f.send(8, f.offset({-1}))})})});
    if (sizes == 1'000)
      CHECK(f.time() > 0);
    else
      CHECK(f.failing().kind == ir::FailureKind::memory_limit);
  }
}

TEST_CASE("an evaluation that takes too long is given up") {
  ProcessFixture f({2});
  f.limits.time_budget_seconds = 0.05;
  f.limits.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  SECTION("by an estimate") { f.program({f.repeat(1'000'000'000'000, {f.compute(1)})}); }
  SECTION("by the clock") {
    const auto k = f.b.binder("k");
    f.program({f.loop(k, f.b.integer(1), f.b.integer(1'000'000'000'000),
                      {f.when(f.b.less(f.b.index(k), f.b.integer(0)), {f.compute(1)})})});
  }
  CHECK(f.failing().kind == ir::FailureKind::time_limit);
}
