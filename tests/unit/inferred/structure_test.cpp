// Loops that are found again, and ranks and runs that are followed along a program.
#include "analysis/inferred/structure.h"

#include <catch2/catch.hpp>

#include <random>

namespace {

using namespace wave::analysis::inferred;
using wave::analysis::recorded::Step;

void write_out(const std::vector<Folded>& folded, std::vector<std::uint32_t>& row) {
  for (const Folded& one : folded) {
    if (one.rounds == 0) row.push_back(static_cast<std::uint32_t>(one.symbol));
    for (std::size_t k = 0; k < one.rounds; ++k) write_out(one.body, row);
  }
}

std::size_t count_of(const std::vector<Folded>& folded) {
  std::size_t count = folded.size();
  for (const Folded& one : folded) count += count_of(one.body);
  return count;
}

// A program of nested loops, written out.
std::vector<std::uint32_t> random_row(std::mt19937& random, int depth) {
  std::uniform_int_distribution<int> length(1, 4), rounds(2, 6), symbol(0, 5), choice(0, 2);
  std::vector<std::uint32_t> row;
  const int count = length(random);
  for (int k = 0; k < count; ++k) {
    if (depth == 0 || choice(random) > 0) {
      row.push_back(static_cast<std::uint32_t>(symbol(random)));
      continue;
    }
    const auto body = random_row(random, depth - 1);
    const int times = rounds(random);
    for (int time = 0; time < times; ++time) row.insert(row.end(), body.begin(), body.end());
  }
  return row;
}

// --- runs of a program on a grid, as a recorder would have them ---

class Recorder {
 public:
  Recorder(std::int64_t rank, std::int64_t ranks) : rank_(rank), ranks_(ranks) {}
  void send(std::int64_t peer, double size) { add(Step::Kind::send, peer, size); }
  void receive(std::int64_t peer, double size) { add(Step::Kind::receive, peer, size); }
  void begin_receive(std::int64_t peer, double size) { begin(Step::Kind::posted_receive, peer, size); }
  void begin_send(std::int64_t peer, double size) { begin(Step::Kind::started_send, peer, size); }
  void wait() {
    if (open_.empty()) return;
    Call call;
    call.kind = Step::Kind::wait;
    call.first_ended = static_cast<std::uint32_t>(calls_.ended.size());
    call.ended_count = static_cast<std::uint32_t>(open_.size());
    calls_.ended.insert(calls_.ended.end(), open_.begin(), open_.end());
    open_.clear();
    calls_.calls.push_back(call);
  }
  void reduce(Names& names) {
    Call call;
    call.kind = Step::Kind::collective;
    call.name = names.number_of("allreduce");
    call.participants = static_cast<std::int32_t>(ranks_);
    call.size = 8;
    calls_.calls.push_back(call);
  }
  std::int64_t rank() const { return rank_; }
  Calls calls() { return std::move(calls_); }

 private:
  void add(Step::Kind kind, std::int64_t peer, double size) {
    if (peer < 0) return;
    Call call;
    call.kind = kind;
    call.peer = static_cast<std::int32_t>(peer);
    call.size = size;
    calls_.calls.push_back(call);
  }
  void begin(Step::Kind kind, std::int64_t peer, double size) {
    if (peer >= 0) open_.push_back(static_cast<std::uint32_t>(calls_.calls.size()));
    add(kind, peer, size);
  }
  const std::int64_t rank_, ranks_;
  Calls calls_;
  std::vector<std::uint32_t> open_;
};

// A halo in two axes, `steps` times, with a reduction each time.
Run halo_run(std::int64_t rows, std::int64_t columns, int steps, bool wraps, Names& names) {
  Run run{"halo", {{"steps", steps}}, {}, {}, {}};
  const RankGrid grid{{rows, columns}, {wraps, wraps}};
  for (std::int64_t rank = 0; rank < rows * columns; ++rank) {
    Recorder of(rank, rows * columns);
    const auto peer = [&](std::int64_t dy, std::int64_t dx) {
      return peer_of({PeerRule::Kind::offset, {dy, dx}}, rank, grid);
    };
    for (int step = 0; step < steps; ++step) {
      of.begin_receive(peer(-1, 0), 80);
      of.begin_receive(peer(1, 0), 80);
      of.begin_receive(peer(0, -1), 40);
      of.begin_receive(peer(0, 1), 40);
      of.begin_send(peer(1, 0), 80);
      of.begin_send(peer(-1, 0), 80);
      of.begin_send(peer(0, 1), 40);
      of.begin_send(peer(0, -1), 40);
      of.wait();
      of.reduce(names);
    }
    run.ranks.push_back(of.calls());
  }
  return run;
}

}  // namespace

TEST_CASE("folded rows, written out, are the rows", "[inferred]") {
  const unsigned seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (int time = 0; time < 300; ++time) {
    const auto row = random_row(random, 3);
    Budget budget;
    const auto folded = fold(row, budget);
    REQUIRE(folded);
    std::vector<std::uint32_t> again;
    write_out(*folded, again);
    CHECK(again == row);
    CHECK(count_of(*folded) <= row.size() + 1);
  }
}

TEST_CASE("the loop that saves most is found first", "[inferred]") {
  // (0 1)^20 (1 0)^20: a short one first would take `1 1`.
  std::vector<std::uint32_t> row;
  for (int k = 0; k < 20; ++k) row.insert(row.end(), {0, 1});
  for (int k = 0; k < 20; ++k) row.insert(row.end(), {1, 0});
  Budget budget;
  const auto folded = fold(row, budget);
  REQUIRE(folded);
  CHECK(count_of(*folded) <= 7);
}

TEST_CASE("rows that do not repeat are given up", "[inferred]") {
  std::vector<std::uint32_t> row;
  for (std::uint32_t k = 0; k < 5000; ++k) row.push_back(k);
  Budget budget{1000000};
  CHECK_FALSE(fold(row, budget));
  CHECK(budget.comparisons == 0);
}

TEST_CASE("grids and rules of peers are found", "[inferred]") {
  Names names;
  for (const bool wraps : {false, true}) {
    INFO(wraps);
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{3, 4}, {4, 3}, {5, 3}, {3, 6}}) {
      INFO(rows << " x " << columns);
      const auto around = neighbourhoods_of(halo_run(rows, columns, 1, wraps, names), 1);
      REQUIRE(around.size() == 1);
      CHECK(around[0].grid.extents == std::vector<std::int64_t>{rows, columns});
      CHECK(around[0].grid.wraps == std::vector<bool>{wraps, wraps});
      std::set<PeerRule> rules;
      for (const auto& [pair, rule] : around[0].sends) rules.insert(rule);
      CHECK(rules.size() == 4);
    }
  }
}

TEST_CASE("runs on other grids and with other counts are of one program", "[inferred]") {
  Names names;
  for (const bool wraps : {false, true}) {
    std::vector<Run> runs{halo_run(3, 4, 3, wraps, names), halo_run(2, 2, 5, wraps, names),
                          halo_run(5, 3, 1, wraps, names), halo_run(1, 4, 4, wraps, names)};
    Budget budget;
    const FoundStructure found = structure_of(pointers_to(runs), Sizes::apart, budget);
    REQUIRE(found.structure);
    CHECK(found.structure->matched() == runs.size());
    CHECK(found.structure->tree.loops == 1);
    CHECK(found.structure->tree.calls == 10);
  }
}

TEST_CASE("a call that is otherwise on one rank is noticed", "[inferred]") {
  const unsigned seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random(seed);
  Names names;
  const Run run = halo_run(4, 4, 6, false, names);
  Budget budget;
  const FoundStructure found = structure_of({&run}, Sizes::apart, budget);
  REQUIRE(found.structure);
  const RankGrid& grid = found.structure->runs[0]->grid;
  for (int time = 0; time < 200; ++time) {
    const auto rank = std::uniform_int_distribution<std::size_t>(0, run.ranks.size() - 1)(random);
    Calls changed = run.ranks[rank];
    const auto at = std::uniform_int_distribution<std::size_t>(0, changed.calls.size() - 1)(random);
    Call& call = changed.calls[at];
    if (call.kind == Step::Kind::wait) continue;
    if (call.kind == Step::Kind::collective)
      call.participants -= 1;
    else
      call.peer = (call.peer + 5) % 16;
    CHECK_FALSE(match(found.structure->tree, grid, static_cast<std::int64_t>(rank), changed).is_whole);
  }
}
