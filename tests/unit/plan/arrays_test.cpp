// Straight stretches on arrays of clocks, in blocks and over threads, against the same operations one after the other.
#include "backend/processes/bulk/array_run.h"
#include "tests/random/environment.h"
#include "tests/unit/plan/random_process.h"
#include "tests/unit/plan/scalars.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

using namespace wave;
using namespace wave::backend::processes;

namespace {

constexpr double never = -std::numeric_limits<double>::infinity();
using Kind = PlannedOperation::Kind;
using Offset = std::vector<std::int64_t>;

// Who sends to whom, by rank; -1: nobody.
using Ranks = std::vector<std::int32_t>;

PeerMap map_of(const Ranks& ranks) {
  PeerMap::Builder builder(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] >= 0) builder.add(static_cast<std::int64_t>(i), 1, ranks[i]);
  }
  return builder.finish();
}

struct Case {
  std::vector<std::int64_t> extents;
  std::vector<bool> wrap;
  OperationList list;
  std::vector<Ranks> ranks;  // as OperationList::ranks
  std::vector<std::vector<double>> start;
  std::size_t count() const {
    return static_cast<std::size_t>(
        std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies()));
  }
};

// Times are whole numbers, and all sums are exact.
class Maker {
 public:
  explicit Maker(std::uint64_t seed) : choose_(seed) {}

  Case make() {
    make_grid();
    const std::size_t carried = 1 + choose_.below(3);
    for (std::size_t i = 0; i < carried; ++i) {
      result_.list.carried.push_back({});
      if (i > 0) result_.list.carried.back().pending = PendingOperation::Key{nullptr, static_cast<std::uint32_t>(i), 0};
      result_.start.emplace_back(result_.count());
      for (double& time : result_.start.back()) time = i > 0 && choose_.chance(0.1) ? never : some_time();
    }
    result_.list.registers = static_cast<std::uint32_t>(carried) + 2;
    for (std::uint32_t i = 0; i < 2; ++i)
      put({Kind::copy, static_cast<std::uint32_t>(carried) + i, 0, 0, some_weights()});
    for (std::size_t operations = 10 + choose_.below(50); operations > 0; --operations) add_operation();
    while (!sent_.empty()) await();
    return std::move(result_);
  }

 private:
  double some_time() { return static_cast<double>(choose_.below(100)); }

  void make_grid() {
    static const std::vector<std::int64_t> counts{1,    2,    3,    31,   255,   256,   257,   512,   513,
                                                  2047, 2048, 2049, 4500, 16383, 16384, 16385, 32768, 33333};
    static const std::vector<std::int64_t> rows{1, 2, 3, 7, 16, 100, 256, 300};
    const std::int64_t count = choose_.one_of(counts);
    const std::size_t axes = 1 + choose_.below(3);
    std::vector<std::int64_t> extents;
    std::int64_t left = count;
    for (std::size_t axis = 1; axis < axes; ++axis) {
      extents.push_back(std::min(left, choose_.one_of(rows)));
      left = std::max<std::int64_t>(1, left / extents.back());
    }
    extents.insert(extents.begin() + static_cast<std::ptrdiff_t>(choose_.below(extents.size() + 1)), left);
    result_.extents = extents;
    for (std::size_t axis = 0; axis < axes; ++axis) result_.wrap.push_back(choose_.chance(0.3));
  }

  std::uint32_t some_register() { return static_cast<std::uint32_t>(choose_.below(result_.list.registers)); }
  std::uint32_t weight() {
    const PlanGrid grid(result_.extents);
    Field field;
    if (choose_.chance(0.3)) field.axes = static_cast<AxisSet>(choose_.below(std::size_t{1} << grid.axes()));
    for (std::size_t i = grid.size(field.axes); i > 0; --i) field.values.push_back(some_time());
    if (choose_.chance(0.1)) field.values[choose_.below(field.values.size())] = never;
    result_.list.weights.push_back(std::make_shared<Field>(std::move(field)));
    return static_cast<std::uint32_t>(result_.list.weights.size() - 1);
  }
  std::vector<std::uint32_t> some_weights() {
    std::vector<std::uint32_t> weights;
    for (std::size_t count = choose_.below(3); count > 0; --count) weights.push_back(weight());
    return weights;
  }
  Offset some_offset() {
    Offset offset;
    for (const std::int64_t extent : result_.extents) {
      const std::int64_t furthest = choose_.chance(0.1) ? extent + 1 : 2;
      offset.push_back(choose_.chance(0.5) ? 0 : choose_.between(-furthest, furthest));
    }
    return offset;
  }
  std::uint32_t peer(const Offset& offset) {
    result_.list.peers.push_back(offset);
    return static_cast<std::uint32_t>(result_.list.peers.size() - 1);
  }
  // Where each has at most one that names it.
  Ranks some_ranks() {
    const auto count = static_cast<std::int64_t>(result_.count());
    Ranks ranks(result_.count(), -1);
    const std::int64_t distance = std::int64_t{1} << choose_.below(16);
    const std::size_t kind = choose_.below(5);
    std::vector<std::int32_t> shuffled(ranks.size());
    std::iota(shuffled.begin(), shuffled.end(), 0);
    for (std::size_t i = shuffled.size(); kind == 3 && i > 1; --i)
      std::swap(shuffled[i - 1], shuffled[choose_.below(i)]);
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t to = -1;
      switch (kind) {
        case 0: to = i ^ distance; break;
        case 1: to = i + distance; break;
        case 2: to = (i + distance) % count; break;
        case 3: to = shuffled[static_cast<std::size_t>(i)]; break;
        case 4: to = i < distance ? i + distance : -1; break;
        default: break;
      }
      if (to >= 0 && to < count) ranks[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(to);
    }
    return ranks;
  }

  void put(PlannedOperation operation) { result_.list.operations.push_back(std::move(operation)); }
  void add_operation() {
    PlannedOperation operation;
    operation.target = some_register();
    operation.source = some_register();
    operation.weights = some_weights();
    const std::size_t kind = choose_.below(7);
    if (kind == 6) return exchange(operation.target);
    if (kind < 2 && choose_.chance(0.4)) operation.peer = peer(some_offset());
    switch (kind) {
      case 0: operation.kind = Kind::add; return put(operation);
      case 1: operation.kind = Kind::join; return put(operation);
      case 2: operation.kind = Kind::copy; return put(operation);
      case 3:
      case 4: return emit(std::move(operation));
      default:
        if (!sent_.empty()) await();
    }
  }
  // As `irecv`, `isend` and `wait` do it: what is waited for began when the clock was earlier.
  void exchange(std::uint32_t clock) {
    const std::uint32_t began = result_.list.registers - 1, signal = result_.list.signals++;
    Offset offset = some_offset();
    const std::uint32_t to = peer(offset);
    for (std::int64_t& one : offset) one = -one;
    const std::uint32_t from = peer(offset);
    put({Kind::copy, began, clock, 0, {}});
    for (std::size_t sends = choose_.below(3); sends > 0; --sends)
      put({Kind::add, clock, 0, 0, some_weights(), choose_.chance(0.7) ? to : PlannedOperation::always});
    put({Kind::emit, 0, clock, signal, some_weights(), to});
    put({Kind::await, began, 0, signal, some_weights(), from});
    put({Kind::join, clock, began, 0, choose_.chance(0.8) ? std::vector<std::uint32_t>{} : some_weights(), from});
    put({Kind::add, clock, 0, 0, some_weights(), from});
  }
  void emit(PlannedOperation operation) {
    operation.kind = Kind::emit;
    operation.signal = result_.list.signals++;
    Sent sent{operation.signal, {}, PlannedOperation::by_peer};
    if (choose_.chance(0.5)) {
      const Offset offset = some_offset();
      operation.peer = peer(offset);
      for (const std::int64_t one : offset) sent.from.push_back(-one);
    } else {
      const Ranks targets = some_ranks();
      Ranks sources(targets.size(), -1);
      for (std::size_t i = 0; i < targets.size(); ++i) {
        if (targets[i] >= 0) sources[static_cast<std::size_t>(targets[i])] = static_cast<std::int32_t>(i);
      }
      sent.ranks = static_cast<std::uint32_t>(result_.ranks.size());
      result_.list.ranks.push_back(std::make_shared<PeerMap>(map_of(sources)));
      result_.ranks.push_back(std::move(sources));
    }
    put(operation);
    sent_.push_back(std::move(sent));
  }
  void await() {
    const std::size_t which = choose_.below(sent_.size());
    const Sent sent = sent_[which];
    sent_.erase(sent_.begin() + static_cast<std::ptrdiff_t>(which));
    PlannedOperation operation;
    operation.kind = Kind::await;
    operation.target = some_register();
    operation.signal = sent.signal;
    operation.ranks = sent.ranks;
    operation.weights = some_weights();
    if (sent.ranks == PlannedOperation::by_peer) operation.peer = peer(sent.from);
    put(operation);
  }

  struct Sent {
    std::uint32_t signal;
    Offset from;
    std::uint32_t ranks;
  };
  test::Choices choose_;
  Case result_;
  std::vector<Sent> sent_;
};

// By the meaning of the operations (sweep_body.h), process by process.
class Plainly {
 public:
  explicit Plainly(const Case& given) : given_(given), grid_(given.extents), registers_(given.list.registers) {
    for (std::size_t i = 0; i < registers_.size(); ++i)
      registers_[i] = i < given.start.size() ? given.start[i] : std::vector<double>(given.count(), never);
    signals_.assign(given.list.signals, std::vector<double>(given.count(), never));
    choices.assign(given.list.operations.size(), std::vector<int>(given.count(), nothing));
  }
  // By operation and process: what a join or await that happens there takes.
  static constexpr int nothing = -1;
  std::vector<std::vector<int>> choices;
  std::vector<std::vector<double>> run() {
    for (const PlannedOperation& operation : given_.list.operations) {
      std::int64_t process = 0;
      grid_.for_each(grid_.all(), grid_.whole(), [&](const std::vector<std::int64_t>& point) {
        visit(operation, point, static_cast<std::size_t>(process++));
      });
    }
    registers_.resize(given_.start.size());
    return std::move(registers_);
  }

 private:
  // -1: off the grid.
  std::int64_t at(std::vector<std::int64_t> point, const Offset& offset) const {
    std::int64_t rank = 0;
    for (std::size_t axis = 0; axis < point.size(); ++axis) {
      const std::int64_t extent = given_.extents[axis];
      point[axis] += offset[axis];
      if (given_.wrap[axis]) point[axis] = (point[axis] % extent + extent) % extent;
      if (point[axis] < 0 || point[axis] >= extent) return -1;
      rank = rank * extent + point[axis];
    }
    return rank;
  }
  void visit(const PlannedOperation& operation, const std::vector<std::int64_t>& point, std::size_t process) {
    std::int64_t from = 0;
    if (operation.peer != PlannedOperation::always) from = at(point, given_.list.peers[operation.peer]);
    if (operation.ranks != PlannedOperation::by_peer) from = given_.ranks[operation.ranks][process];
    if (from < 0) return;
    double weight = 0;
    for (const std::uint32_t one : operation.weights) {
      const Field& field = *given_.list.weights[one];
      weight += field.values[place(point, grid_.strides(field.axes))];
    }
    double& target = registers_[operation.target][process];
    const double source = registers_[operation.source][process] + weight;
    const auto take_larger = [&](double other) {
      int& choice = choices[static_cast<std::size_t>(&operation - given_.list.operations.data())][process];
      choice = other > target ? ArrayRecord::source : other == target ? ArrayRecord::tie : ArrayRecord::target;
      target = std::max(target, other);
    };
    switch (operation.kind) {
      case Kind::add: target += weight; break;
      case Kind::copy: target = source; break;
      case Kind::join: take_larger(source); break;
      case Kind::emit: signals_[operation.signal][process] = source; break;
      case Kind::await: take_larger(signals_[operation.signal][static_cast<std::size_t>(from)] + weight); break;
    }
  }
  const Case& given_;
  PlanGrid grid_;
  std::vector<std::vector<double>> registers_, signals_;
};

// What programs of arrays need beside the case.
class Arrays {
 public:
  explicit Arrays(const Case& given, bool keeps_choices = false)
      : given_(given),
        random_(test::random_process(1)),
        binders_(random_.system),
        scalars_(random_.system),
        grid_(given.extents),
        fields_(random_.system[random_.process], grid_, {binders_, scalars_, [] {}, claim_}),
        places_(random_.system, random_.system[random_.process], given.extents),
        levels_(scalars_, random_.system[random_.process], places_, [] {}),
        orders_(fields_, levels_),
        program(array_program(given.list, fields_, orders_, given.wrap, keeps_choices)) {}

  std::vector<std::vector<double>> run(
      int threads, const std::function<void()>& look_at_clock = [] {}, ArrayRecord* record = nullptr) {
    std::vector<std::vector<double>> values = given_.start;
    SpareArrays spare(given_.count(), claim_);
    const auto of = [&](const Carried& carried) -> std::vector<double>& {
      const auto found = std::find(given_.list.carried.begin(), given_.list.carried.end(), carried);
      return values[static_cast<std::size_t>(found - given_.list.carried.begin())];
    };
    const bool is_done = run_over_arrays(program, {grid_, spare, claim_, look_at_clock, threads, of, record});
    REQUIRE(is_done);
    return values;
  }
  std::int64_t claimed = 0, most_claimed = 0;

 private:
  const Case& given_;
  test::RandomProcess random_;
  ir::FreeBinders binders_;
  test::PlainScalars scalars_;
  PlanGrid grid_;
  std::function<void(std::int64_t)> claim_ = [this](std::int64_t bytes) {
    claimed += bytes;
    most_claimed = std::max(most_claimed, claimed);
  };
  Fields fields_;
  Places places_;
  SharedLevels levels_;
  ServiceOrders orders_;

 public:
  ArrayProgram program;
};

// All processes exchange with those at these distances, one distance after the other.
Case exchanges(std::int64_t processes, const std::vector<std::int64_t>& distances) {
  Case result;
  result.extents = {processes};
  result.wrap = {false};
  result.list.carried = {{}};
  result.start.emplace_back(result.count());
  for (std::size_t i = 0; i < result.count(); ++i) result.start[0][i] = static_cast<double>(i * 7919 % 1009);
  for (const std::int64_t distance : distances) {
    Ranks ranks(result.count(), -1);
    for (std::int64_t i = 0; i < processes; ++i) {
      if ((i ^ distance) < processes) ranks[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i ^ distance);
    }
    const std::uint32_t signal = result.list.signals++;
    result.list.weights.push_back(std::make_shared<Field>(Field{0, {3}}));
    PlannedOperation sent{Kind::emit, 0, 0, signal, {signal}}, awaited{Kind::await, 0, 0, signal, {}};
    awaited.ranks = signal;
    result.list.operations.insert(result.list.operations.end(), {sent, awaited});
    result.list.ranks.push_back(std::make_shared<PeerMap>(map_of(ranks)));
    result.ranks.push_back(std::move(ranks));
  }
  return result;
}

constexpr std::uint64_t stretches = 120;

}  // namespace

TEST_CASE(
    "random stretches on arrays have the times of their operations one after the other, on any number of threads") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1), count = test::rounds_of(stretches);
  std::size_t with_blocks = 0, with_several_groups = 0, with_several_blocks = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    const Case given = Maker(seed).make();
    const std::vector<std::vector<double>> expected = Plainly(given).run();
    Arrays arrays(given);
    for (const int threads : {1, 2, 3}) {
      INFO(threads << " threads");
      REQUIRE(arrays.run(threads) == expected);
    }
    with_several_groups += arrays.program.groups.size() > 1;
    for (const ArrayGroup& group : arrays.program.groups) {
      with_blocks += !group.units.empty();
      with_several_blocks += group.first_unit.size() > 2;
    }
  }
  CHECK(with_blocks * 4 > count);
  CHECK(with_several_groups * 20 > count);
  CHECK(with_several_blocks * 40 > count);
}

TEST_CASE("what random stretches record is which of two times was the later, one operation after the other") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1), count = test::rounds_of(stretches);
  std::size_t kept = 0, others = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    const Case given = Maker(seed).make();
    Plainly plainly(given);
    const std::vector<std::vector<double>> expected = plainly.run();
    Arrays arrays(given, true);
    REQUIRE(arrays.run(1) == expected);
    ArrayRecord record;
    REQUIRE(arrays.run(2, [] {}, &record) == expected);
    for (std::size_t i = 0; i < record.choices.size(); ++i) {
      if (record.choices[i].empty()) continue;  // nobody needs what it takes
      std::size_t different = 0;
      for (std::size_t process = 0; process < given.count(); ++process) {
        const int choice = plainly.choices[i][process];
        if (choice == Plainly::nothing) continue;
        different += choice != record.choices[i][process];
        ++(choice == ArrayRecord::target ? kept : others);
      }
      INFO("operation " << i);
      REQUIRE(different == 0);
    }
  }
  CHECK(kept > 1000);
  CHECK(others > 1000);
}

TEST_CASE("exchanges that leave no block are done together, whatever the size of the grid beside that of a block") {
  for (const std::int64_t processes : {1, 2, 255, 256, 257, 16383, 16384, 16385, 32768, 40000, 65536}) {
    std::vector<std::int64_t> distances;
    for (std::int64_t distance = 1; distance < processes; distance *= 2) distances.push_back(distance);
    INFO(processes << " processes");
    const Case given = exchanges(processes, distances);
    Arrays arrays(given);
    CHECK(arrays.program.groups.size() <= (processes > 16384 ? 2 : 1));
    REQUIRE(arrays.run(1) == Plainly(given).run());
    REQUIRE(arrays.run(2) == arrays.run(1));
  }
}

TEST_CASE("the arrays of a stretch count against the limit of memory, and are given back") {
  const Case given = exchanges(65536, {1, 32768, 2, 16384});
  Arrays arrays(given);
  const std::int64_t before = arrays.claimed;
  arrays.run(2);
  CHECK(arrays.claimed == before);
  CHECK(arrays.most_claimed - before >=
        static_cast<std::int64_t>((arrays.program.arrays - 1) * 65536 * sizeof(double)));
}

TEST_CASE("a stretch on arrays stops where the deadline has passed, on any number of threads") {
  const Case given = exchanges(65536, {1, 32768, 2, 16384});
  Arrays arrays(given);
  for (const int threads : {1, 2}) {
    int looks = 0;
    CHECK_THROWS_AS(arrays.run(threads,
                               [&] {
                                 if (++looks == 1) throw backend::Failed{{}};
                               }),
                    backend::Failed);
  }
}

TEST_CASE("peers are the same whether they are kept in runs or process by process") {
  for (const std::int32_t length : {1, 2, 7, 8, 9, 256, 300}) {
    Ranks ranks(3000, -1);
    for (std::int32_t i = 0; i < 3000; ++i) {
      const std::int32_t peer = i / length % 2 == 0 ? i + length : i - length;
      if (i % 17 != 3 && peer < 3000 && peer % 17 != 3) ranks[static_cast<std::size_t>(i)] = peer;
    }
    const PeerMap map = map_of(ranks);
    Ranks found(3000, -1);
    for (std::int32_t begin = 0; begin < 3000; begin += 123) {
      map.for_each_run(begin, std::min(begin + 123, 3000), [&](const PeerMap::Run& run) {
        for (std::int32_t i = 0; i < run.count; ++i) found[static_cast<std::size_t>(run.first + i)] = run.peer + i;
      });
    }
    INFO("exchanges over " << length);
    CHECK(found == ranks);
    CHECK(map.is_inverse_of(map));
    ranks[100] = ranks[101] = -1;
    CHECK(!map_of(ranks).is_inverse_of(map));
  }
}
