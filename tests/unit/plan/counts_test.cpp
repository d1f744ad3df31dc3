// What processes send and which collectives they call, counted for all of them at once, is what each of them does, one
// by one and statement by statement; and what fails first is found.
#include "backend/processes/program/counts.h"

#include "backend/failed.h"
#include "ir/builder.h"
#include "ir/operations.h"
#include "tests/random/choices.h"
#include "tests/random/environment.h"
#include "tests/unit/plan/scalars.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

using namespace wave;
using namespace wave::backend::processes;
using ir::BinaryOp;
using ir::ValueId;

namespace {

// A program that only sends and calls, on a grid.
struct Program {
  Program() : build(system) {
    ir::MessageEnds net;
    net.frame = build.frame("net", ir::System::root_frame);
    net.size = build.parameter(net.frame, "s", ir::ScalarType::real);
    net.within = build.parameter(net.frame, "within", ir::ScalarType::integer);
    net.sender = build.parameter(net.frame, "sender", ir::ScalarType::integer);
    net.receiver = build.parameter(net.frame, "receiver", ir::ScalarType::integer);
    net.protocols.emplace_back();
    ends = build.ends(std::move(net));
  }
  ir::SiteId site() { return build.site(ir::FailureKind::index_off_grid, {}); }

  void make_grid(const std::vector<std::int64_t>& extents, const std::vector<bool>& wraps) {
    ir::Space space{"P", ir::System::root_frame, {}};
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
      indices.push_back(build.binder("i"));
      space.axes.push_back(
          {"i", indices.back(), build.integer(1), build.integer(extents[axis]), wraps[axis], {}, site()});
    }
    process.frame = ir::System::root_frame;
    process.space = build.space(space);
    this->extents = extents;
  }
  ir::BlockId block(ir::Block statements) {
    process.blocks.push_back(std::move(statements));
    return ir::BlockId{static_cast<std::uint32_t>(process.blocks.size() - 1)};
  }
  ir::Message send(ValueId size, ir::Peer::Kind kind, bool by_rank, std::vector<ValueId> coordinates) {
    ir::Message message;
    message.ends = ends;
    message.size = size;
    message.within = build.integer(0);
    message.peer = {kind, by_rank, std::move(coordinates), site()};
    return message;
  }
  ir::Level level(ValueId first, ValueId last, std::int64_t step, ValueId filter = {}) {
    ir::Level level;
    level.binder = build.binder("k");
    level.first = first;
    level.last = last;
    level.step = build.integer(step);
    level.filter = filter;
    level.site = site();
    return level;
  }

  ir::System system;
  ir::Builder build;
  ir::EndsId ends;
  ir::Process process;
  std::vector<ir::BinderId> indices;
  std::vector<std::int64_t> extents;
};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : choose_(seed), b_(program.build) {
    std::vector<std::int64_t> extents;
    std::vector<bool> wraps;
    const std::size_t axes = 1 + choose_.below(3);
    // Now and then one on which lines are looked for.
    const bool is_long = choose_.chance(0.06);
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const std::int64_t most = is_long ? (axis + 1 == axes ? 3000 : 2) : axes == 3 ? 5 : axes == 2 ? 9 : 40;
      extents.push_back(is_long && axis + 1 == axes ? choose_.between(1100, most) : choose_.between(1, most));
      wraps.push_back(choose_.chance(0.2));
    }
    fails_ = choose_.chance(0.3);
    program.make_grid(extents, wraps);
    for (const ir::BinderId index : program.indices) readable_.push_back(index);
    program.process.phases = {"a", "b"};
    program.process.body = program.block(statements(is_long ? 1 : 3));
  }

  Program program;

 private:
  ValueId number(int depth) {
    if (depth == 0 || choose_.chance(0.25))
      return choose_.chance(0.5) ? b_.integer(choose_.between(-2, 6)) : b_.index(choose_.one_of(readable_));
    const ValueId a = number(depth - 1);
    const ir::SiteId site = program.site();
    switch (choose_.below(6)) {
      case 0: return b_.binary(BinaryOp::add, a, number(depth - 1), site);
      case 1: return b_.binary(BinaryOp::subtract, a, number(depth - 1), site);
      case 2: return b_.binary(BinaryOp::modulo, a, b_.integer(choose_.between(2, 5)), site);
      case 3: return b_.binary(BinaryOp::floor_divide, a, b_.integer(choose_.between(2, 5)), site);
      case 4: return b_.select(condition(depth - 1), a, number(depth - 1));
      default: return fails_ && choose_.chance(0.2) ? b_.binary(BinaryOp::modulo, b_.integer(7), a, site) : a;
    }
  }
  ValueId condition(int depth) {
    const BinaryOp op = choose_.one_of(std::vector{BinaryOp::less, BinaryOp::equal, BinaryOp::not_equal});
    return b_.binary(op, number(depth), number(depth), program.site());
  }
  // At least `least`.
  ValueId bounded(ValueId value, std::int64_t least, std::int64_t most) {
    return b_.maximum({b_.integer(least), b_.minimum({b_.integer(most), value})});
  }

  ir::Message send() {
    const ValueId size = b_.to_real(bounded(number(2), 0, 100));
    const bool by_rank = choose_.chance(0.25);
    const std::size_t count = by_rank ? 1 : program.extents.size();
    std::int64_t processes = 1;
    for (const std::int64_t extent : program.extents) processes *= extent;
    std::vector<ValueId> coordinates;
    if (choose_.chance(0.6)) {
      for (std::size_t k = 0; k < count; ++k)
        coordinates.push_back(choose_.chance(0.6) ? b_.integer(choose_.between(-2, 2)) : number(1));
      return program.send(size, ir::Peer::Kind::offset, by_rank, coordinates);
    }
    for (std::size_t k = 0; k < count; ++k) {
      const std::int64_t extent = by_rank ? processes : program.extents[k];
      coordinates.push_back(fails_ && choose_.chance(0.1) ? number(2) : bounded(number(2), 1, extent));
    }
    return program.send(size, ir::Peer::Kind::place, by_rank, coordinates);
  }

  ir::Block statements(int depth) {
    ir::Block block;
    for (std::size_t k = 1 + choose_.below(3); k > 0; --k) {
      block.push_back({statement(depth), {}, {}});
      if (choose_.chance(0.3)) block.back().call = call();
    }
    return block;
  }
  ir::CallId call() {
    ir::CollectiveCall call;
    call.name = choose_.chance(0.5) ? "a" : "b";
    if (choose_.chance(0.8)) call.size = b_.to_real(bounded(number(2), 0, 100));
    call.participants = choose_.chance(0.5) ? b_.integer(6) : number(1);
    for (std::size_t k = 1 + choose_.below(2); k > 0; --k) {
      const ValueId at = b_.index(choose_.one_of(program.indices));
      call.is_first.push_back(choose_.chance(0.7) ? b_.equal(at, b_.integer(1)) : condition(1));
    }
    program.process.calls.push_back(std::move(call));
    return ir::CallId{static_cast<std::uint32_t>(program.process.calls.size() - 1)};
  }
  decltype(ir::Statement::node) statement(int depth) {
    if (depth == 0) return send();
    switch (choose_.below(6)) {
      case 0:
        return ir::Phase{ir::PhaseId{static_cast<std::uint32_t>(choose_.below(2))},
                         program.block(statements(depth - 1))};
      case 1: {
        const ValueId taken = condition(1);
        const ir::BlockId yes = program.block(statements(depth - 1));
        return ir::Branch{taken, yes, choose_.chance(0.5) ? program.block(statements(depth - 1)) : ir::BlockId{}};
      }
      case 2:
      case 3: return loop(depth);
      case 4: return sweep(depth);
      default: return send();
    }
  }
  ir::Loop loop(int depth) {
    ir::Loop loop;
    const std::size_t outside = readable_.size();
    for (std::size_t k = 1 + choose_.below(2); k > 0; --k) {
      ir::Level level = program.level(b_.integer(choose_.between(-1, 2)), bounded(number(1), -1, 4), 1);
      if (choose_.chance(0.1)) level.first = b_.integer(4), level.last = b_.integer(1), level.step = b_.integer(-1);
      readable_.push_back(level.binder);
      if (choose_.chance(0.2)) level.filter = condition(1);
      loop.levels.push_back(level);
    }
    loop.body = program.block(statements(depth - 1));
    readable_.resize(outside);
    return loop;
  }
  ir::Sweep sweep(int depth) {
    ir::Sweep sweep{bounded(number(1), 0, 4), b_.binder("tile"), {}};
    readable_.push_back(sweep.tile);
    const std::vector<bool> rising(program.extents.size(), true);
    for (std::size_t k = 1 + choose_.below(2); k > 0; --k)
      sweep.fronts.push_back({rising, program.block(statements(depth - 1))});
    readable_.pop_back();
    return sweep;
  }

  test::Choices choose_;
  ir::Builder& b_;
  bool fails_ = false;
  std::vector<ir::BinderId> readable_;
};

using Pairs = std::map<std::pair<std::int64_t, std::int64_t>, Count>;
enum class Calls : std::uint8_t { by_rank, by_class };

// What the definition says: one process after the other, each statement as often as it runs.
class Definition {
 public:
  Definition(const Program& program, const Places& places, Calls calls)
      : program_(program),
        places_(places),
        scalars_(program.system),
        calls_(calls),
        phases(program.process.phases.size()) {
    for (std::int64_t rank = 0; rank < places.count() && !failure; ++rank) {
      rank_ = rank;
      point_ = places.point(rank);
      for (std::size_t axis = 0; axis < point_.size(); ++axis) scalars_.bind(program.indices[axis], point_[axis]);
      try {
        run(program.process.body);
      } catch (const backend::Failed& failed) {
        failure = failed.failure.kind;
      }
    }
  }

 private:
  std::int64_t integer(ValueId value) { return scalars_.value(value).integer; }
  bool holds(ValueId value) { return scalars_.value(value).boolean; }
  void run(ir::BlockId id) {
    if (!id.valid()) return;
    for (const ir::Statement& statement : program_.process.blocks[id.index]) {
      if (statement.call.valid()) call(program_.process.calls[statement.call.index]);
      std::visit([&](const auto& node) { visit(node); }, statement.node);
    }
  }
  void call(const ir::CollectiveCall& call) {
    ++calls_of[rank_];
    const auto does_hold = [&](ValueId condition) { return holds(condition); };
    if (calls_ == Calls::by_rank || !std::all_of(call.is_first.begin(), call.is_first.end(), does_hold)) return;
    CallClass alike;
    alike.name = call.name;
    alike.participants = integer(call.participants);
    if (call.size.valid()) alike.size = scalars_.value(call.size).real;
    ++calls[alike];
  }
  void visit(const ir::Message& message) {
    std::vector<std::int64_t> written, target;
    for (const ValueId coordinate : message.peer.coordinates) written.push_back(integer(coordinate));
    const auto peer = peer_rank(message.peer, places_, point_, written, target);
    if (!peer) return;
    const double size = scalars_.value(message.size).real;
    pairs[{rank_, *peer}].add(size, 1);
    all.add(size, 1);
    for (const ir::PhaseId phase : inside_) phases[phase.index].add(size, 1);
  }
  void visit(const ir::Branch& node) { run(holds(node.condition) ? node.then_block : node.else_block); }
  void visit(const ir::Phase& node) {
    inside_.push_back(node.phase);
    run(node.body);
    inside_.pop_back();
  }
  void visit(const ir::Loop& node) { level(node, 0); }
  void level(const ir::Loop& loop, std::size_t number) {
    if (number == loop.levels.size()) return run(loop.body);
    const ir::Level& level = loop.levels[number];
    const std::int64_t first = integer(level.first), last = integer(level.last), step = integer(level.step);
    for (std::int64_t k = first; step > 0 ? k <= last : k >= last; k += step) {
      scalars_.bind(level.binder, k);
      if (!level.filter.valid() || holds(level.filter)) this->level(loop, number + 1);
    }
  }
  void visit(const ir::Sweep& node) {
    const std::int64_t tiles = integer(node.tiles);
    for (std::int64_t tile = 1; tile <= tiles; ++tile) {
      for (const ir::Front& front : node.fronts) scalars_.bind(node.tile, tile), run(front.body);
    }
  }
  void visit(const ir::Compute&) {}
  void visit(const ir::Wait&) {}
  void visit(const ir::Ready& node) { run(node.tasks); }
  void visit(const ir::Task& node) { run(node.receives), run(node.body); }
  void visit(const ir::Collective&) {}

  const Program& program_;
  const Places& places_;
  test::PlainScalars scalars_;
  Calls calls_;
  std::int64_t rank_ = 0;
  std::vector<std::int64_t> point_;
  std::vector<ir::PhaseId> inside_;

 public:
  Count all;
  std::vector<Count> phases;
  Pairs pairs;
  CallTally calls;
  std::map<std::int64_t, __int128> calls_of;
  std::optional<ir::FailureKind> failure;
};

class Counted {
 public:
  Counted(const Program& program, const Places& places)
      : scalars(program.system),
        binders(program.system),
        counter(scalars, program.process, binders, places, [] {}, [](std::int64_t) {}) {}

  test::PlainScalars scalars;
  ir::FreeBinders binders;
  Counter counter;
};

bool same(const Count& a, const Count& b) { return a.messages == b.messages && a.bytes == b.bytes; }

bool same(const std::vector<PairCount>& counted, const Pairs& pairs) {
  if (counted.size() != pairs.size()) return false;
  return std::all_of(counted.begin(), counted.end(), [&](const PairCount& one) {
    const auto found = pairs.find({one.sender, one.receiver});
    return found != pairs.end() && same(one.own, found->second) && one.of_collectives.messages == 0;
  });
}

}  // namespace

TEST_CASE("random programs are counted for all processes at once as for one after the other") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1), count = test::rounds_of(300);
  std::size_t failed = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    const Maker made(seed);
    const Program& program = made.program;
    const Places places(program.system, program.process, program.extents);
    const Definition one_by_one(program, places, Calls::by_rank), with_calls(program, places, Calls::by_class);
    Counted counted(program, places);
    const auto ask = [&](auto&& question) -> std::optional<ir::FailureKind> {
      try {
        question();
        return std::nullopt;
      } catch (const backend::Failed& failure) {
        return failure.failure.kind;
      }
    };
    CallTally calls;
    REQUIRE(ask([&] { calls = counted.counter.tallies().calls; }) == with_calls.failure);
    if (!with_calls.failure) REQUIRE(calls == with_calls.calls);
    failed += one_by_one.failure.has_value();
    REQUIRE(ask([&] { counted.counter.all(); }) == one_by_one.failure);
    REQUIRE(ask([&] { counted.counter.by_pair({}); }) == one_by_one.failure);
    if (one_by_one.failure) continue;
    const Counts& all = counted.counter.all();
    REQUIRE(same(all.whole, one_by_one.all));
    for (std::size_t phase = 0; phase < all.phases.size(); ++phase)
      REQUIRE(same(all.phases[phase], one_by_one.phases[phase]));
    REQUIRE(same(counted.counter.by_pair({}), one_by_one.pairs));
    // One alone, then all of them, then some.
    for (const std::int64_t rank : {places.count() / 2, std::int64_t{0}, places.count() - 1}) {
      Count sent;
      std::int64_t partners = 0;
      Pairs pairs;
      for (const auto& [pair, of_pair] : one_by_one.pairs) {
        if (pair.first != rank) continue;
        sent.messages += of_pair.messages;
        ++partners;
        pairs[pair] = of_pair;
      }
      REQUIRE(counted.counter.of(rank, {}).messages == sent.messages);
      REQUIRE(same(counted.counter.by_pair({rank}), pairs));
      const std::vector<RankCount> ranks = counted.counter.by_rank({rank});
      REQUIRE(ranks.size() == 1);
      REQUIRE(ranks[0].own.messages == sent.messages);
      REQUIRE(ranks[0].partners == partners);
      const auto called = one_by_one.calls_of.find(rank);
      REQUIRE(ranks[0].calls == (called == one_by_one.calls_of.end() ? 0 : called->second));
    }
  }
  CHECK(failed * 50 > count);
  CHECK(failed * 2 < count);
}

// --- work ---

namespace {

class CountedScalars final : public Scalars {
 public:
  explicit CountedScalars(const ir::System& system) : scalars_(system) {}
  const ir::System& system() const override { return scalars_.system(); }
  void bind(ir::BinderId binder, std::int64_t value) override { scalars_.bind(binder, value); }
  ir::Scalar value(ValueId id) override {
    ++asked;
    return scalars_.value(id);
  }
  void enter(ir::FrameId frame, std::span<const ir::Scalar> arguments) override { scalars_.enter(frame, arguments); }
  void leave() override { scalars_.leave(); }
  std::recursive_mutex& asking() override { return scalars_.asking(); }
  std::size_t asked = 0;

 private:
  test::PlainScalars scalars_;
};

// All neighbours of a cube, by three loops, in as many steps.
std::size_t scalars_asked_for(std::int64_t extent, std::int64_t steps) {
  Program program;
  program.make_grid({extent, extent, extent}, {false, false, false});
  ir::Builder& b = program.build;
  ir::Loop around;
  std::vector<ValueId> offset;
  for (int axis = 0; axis < 3; ++axis) {
    around.levels.push_back(program.level(b.integer(-1), b.integer(1), 1));
    offset.push_back(b.index(around.levels.back().binder));
  }
  const ir::Message send = program.send(b.real(8), ir::Peer::Kind::offset, false, offset);
  around.body = program.block({{send, {}, {}}});
  ir::Loop again;
  again.levels.push_back(program.level(b.integer(1), b.integer(steps), 1));
  const ValueId is_later = b.less(b.integer(1), b.index(again.levels[0].binder));
  const ir::Branch later{is_later, program.block({{around, {}, {}}}), {}};
  again.body = program.block({{around, {}, {}}, {later, {}, {}}});
  program.process.body = program.block({{again, {}, {}}});
  const Places places(program.system, program.process, program.extents);
  const ir::FreeBinders binders(program.system);
  CountedScalars scalars(program.system);
  Counter counter(scalars, program.process, binders, places, [] {}, [](std::int64_t) {});
  const auto with_peer = static_cast<__int128>(3 * extent - 2);
  CHECK(counter.all().whole.messages == with_peer * with_peer * with_peer * (2 * steps - 1));
  return scalars.asked;
}

}  // namespace

TEST_CASE("to count what neighbours send takes no longer on a larger grid, nor in more steps that are alike") {
  const std::size_t few = scalars_asked_for(4, 10);
  CHECK(scalars_asked_for(400, 10) == few);
  CHECK(scalars_asked_for(100'000, 10) == few);
  CHECK(scalars_asked_for(4, 1000) < few + 10'000);
}

TEST_CASE("a condition on a long axis is looked at where it changes") {
  Program program;
  program.make_grid({std::int64_t{1} << 40}, {false});
  ir::Builder& b = program.build;
  const ir::Message send = program.send(b.real(8), ir::Peer::Kind::offset, false, {b.integer(1)});
  const ValueId is_first = b.less(b.index(program.indices[0]), b.integer(1'000'001));
  program.process.body = program.block({{ir::Branch{is_first, program.block({{send, {}, {}}}), {}}, {}, {}}});
  const Places places(program.system, program.process, program.extents);
  const ir::FreeBinders binders(program.system);
  CountedScalars scalars(program.system);
  Counter counter(scalars, program.process, binders, places, [] {}, [](std::int64_t) {});
  CHECK(counter.all().whole.messages == 1'000'000);
  CHECK(scalars.asked < 10'000);
}

TEST_CASE("more messages than an integer can say are an error") {
  Program program;
  program.make_grid({std::int64_t{1} << 40}, {false});
  ir::Builder& b = program.build;
  const ir::Message send = program.send(b.real(8), ir::Peer::Kind::offset, false, {b.integer(1)});
  ir::Loop loop;
  loop.levels.push_back(program.level(b.integer(1), b.integer(std::int64_t{1} << 40), 1));
  loop.body = program.block({{send, {}, {}}});
  program.process.body = program.block({{loop, {}, {}}});
  const Places places(program.system, program.process, program.extents);
  Counted counted(program, places);
  try {
    counted.counter.all();
    FAIL("it was counted");
  } catch (const backend::Failed& failed) {
    CHECK(failed.failure.kind == ir::FailureKind::integer_overflow);
  }
}
