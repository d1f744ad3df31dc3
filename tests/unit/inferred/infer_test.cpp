// Models of small programs, and programs that have none.
#include "analysis/inferred/infer.h"

#include <catch2/catch.hpp>

#include <random>

namespace {

using namespace wave::analysis::inferred;
using wave::analysis::recorded::Step;

Call call_of(Step::Kind kind, std::int64_t peer, double size) {
  Call call;
  call.kind = kind;
  call.peer = static_cast<std::int32_t>(peer);
  call.size = size;
  return call;
}

// Each rank sends `n` numbers to the next one, `steps` times; the last one has none.
Run chain(std::int64_t ranks, std::int64_t n, std::int64_t steps) {
  Run run{"chain", {{"n", n}, {"steps", steps}}, {}, {}, {}};
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    Calls calls;
    for (std::int64_t step = 0; step < steps; ++step) {
      if (rank > 0) calls.calls.push_back(call_of(Step::Kind::receive, rank - 1, 8.0 * static_cast<double>(n)));
      if (rank + 1 < ranks) calls.calls.push_back(call_of(Step::Kind::send, rank + 1, 8.0 * static_cast<double>(n)));
    }
    run.ranks.push_back(std::move(calls));
  }
  return run;
}

// Each rank sends something of any size to any rank: nothing repeats.
Run noise(std::int64_t ranks, std::size_t calls, unsigned seed) {
  std::mt19937 random(seed);
  Run run{"noise", {{"n", 1}}, {}, {}, {}};
  run.ranks.resize(static_cast<std::size_t>(ranks));
  std::uniform_int_distribution<std::int64_t> rank(0, ranks - 1), size(1, 100000);
  for (std::size_t k = 0; k < calls; ++k) {
    const std::int64_t from = rank(random), to = (from + 1 + rank(random) % (ranks - 1)) % ranks;
    const auto bytes = static_cast<double>(size(random));
    run.ranks[static_cast<std::size_t>(from)].calls.push_back(call_of(Step::Kind::send, to, bytes));
    run.ranks[static_cast<std::size_t>(to)].calls.push_back(call_of(Step::Kind::receive, from, bytes));
  }
  return run;
}

bool has(const std::vector<std::string>& said, const std::string& text) {
  for (const std::string& one : said) {
    if (one.find(text) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a chain of processes has a model of a few lines", "[inferred]") {
  const Names names;
  const Inferred inferred = infer("Chain", {chain(3, 10, 2), chain(4, 12, 5), chain(5, 17, 3)}, names, true);
  CHECK(inferred.refusal.empty());
  CHECK(inferred.tables == 0);
  CHECK(inferred.text.find("8 B * n") != std::string::npos);
  for (const RunCheck& run : inferred.runs) {
    CHECK(run.model == "Chain");
    CHECK(run.was_left_out);
    CHECK(run.difference.empty());
  }
}

TEST_CASE("what was not varied is named", "[inferred]") {
  const Names names;
  const Inferred one = infer("Chain", {chain(3, 10, 2)}, names, true);
  CHECK(has(one.doubts, "`n` is 10 in all runs"));
  CHECK(has(one.doubts, "`ranks` is 3 in all runs"));
  const Inferred together = infer("Chain", {chain(3, 10, 2), chain(4, 12, 4), chain(5, 17, 9)}, names, false);
  CHECK(has(together.doubts, "`n`, `steps`, `ranks` are never varied apart"));
}

TEST_CASE("a program whose calls do not repeat has no model", "[inferred]") {
  const unsigned seed = std::random_device{}();
  CAPTURE(seed);
  const Names names;
  const Inferred inferred = infer("Noise", {noise(6, 30000, seed), noise(8, 30000, seed + 1)}, names, true);
  CHECK(inferred.text.empty());
  CHECK_FALSE(inferred.refusal.empty());
}

TEST_CASE("runs of two programs have a model each", "[inferred]") {
  const Names names;
  std::vector<Run> runs{chain(3, 10, 2), chain(4, 12, 4), chain(5, 17, 3)};
  for (Run run : {chain(3, 8, 2), chain(6, 9, 4)}) {
    for (Calls& calls : run.ranks)
      calls.calls.insert(calls.calls.begin(), calls.calls.begin(), calls.calls.begin() + 1);
    // The first message is there twice: rank 0 sends it twice, the last one receives it twice.
    runs.push_back(std::move(run));
  }
  const Inferred inferred = infer("Chain", runs, names, false);
  CHECK(inferred.refusal.empty());
  CHECK(inferred.runs[0].model == "Chain");
  CHECK(inferred.runs[3].model != "Chain");
}

TEST_CASE("runs without ranks or calls do no harm", "[inferred]") {
  const Names names;
  CHECK_FALSE(infer("None", {}, names, true).refusal.empty());
  Run silent{"silent", {}, {}, {}, std::vector<Calls>(4)};
  const Inferred inferred = infer("Silent", {silent, silent, silent}, names, true);
  CHECK((inferred.refusal.empty() || inferred.text.empty()));
  Run nobody{"nobody", {}, {}, {}, {}};
  CHECK(infer("Nobody", {nobody}, names, true).text.empty());
}
