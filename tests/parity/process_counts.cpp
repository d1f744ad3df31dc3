// See process_counts.h.
#include "tests/parity/process_counts.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace wave::parity {

namespace {

using namespace backend::processes;

using Pair = std::pair<std::int64_t, std::int64_t>;
struct Both {
  Count own, of_collectives;
};

bool same(const Count& a, const Count& b) { return a.messages == b.messages && a.bytes == b.bytes; }
bool same(const Both& a, const Both& b) { return same(a.own, b.own) && same(a.of_collectives, b.of_collectives); }

struct Listed : ProgramListener {
  void compute(const ir::Statement&, double) override {}
  void message(const Call& call) override {
    if (call.message.side != ir::Message::Side::send) return;
    Both& pair = pairs[{rank, call.peer}];
    (call.message.context != 0 ? pair.of_collectives : pair.own).add(call.size, 1);
    all.add(call.size, 1);
    for (const ir::PhaseId phase : inside) phases[phase].add(call.size, 1);
  }
  void wait(const ir::Statement&, std::span<const std::uint32_t>) override {}
  void collective(const ir::Statement&, const ir::Collective&) override {}
  void enter_phase(ir::PhaseId phase) override { inside.push_back(phase); }
  void leave_phase(ir::PhaseId) override { inside.pop_back(); }

  std::int64_t rank = 0;
  std::vector<ir::PhaseId> inside;
  Count all;
  std::map<ir::PhaseId, Count> phases;
  std::map<Pair, Both> pairs;
};

std::string compare_pairs(const std::vector<PairCount>& pairs, const Listed& listed) {
  if (pairs.size() != listed.pairs.size())
    return fmt::format("{} pairs are counted, and {} exchange messages", pairs.size(), listed.pairs.size());
  for (const PairCount& one : pairs) {
    const auto found = listed.pairs.find({one.sender, one.receiver});
    if (found == listed.pairs.end() || !same({one.own, one.of_collectives}, found->second))
      return fmt::format("what {} sends to {} is counted otherwise", one.sender, one.receiver);
  }
  return {};
}

std::string compare_ranks(const std::vector<RankCount>& ranks, const Listed& listed) {
  std::map<std::int64_t, Both> sent;
  std::map<std::int64_t, std::int64_t> partners;
  for (const auto& [pair, both] : listed.pairs) {
    Both& of = sent[pair.first];
    of.own.messages += both.own.messages;
    of.of_collectives.messages += both.of_collectives.messages;
    partners[pair.first] += both.own.messages > 0;
  }
  for (const RankCount& one : ranks) {
    const Both& of = sent[one.rank];
    if (of.own.messages != one.own.messages || of.of_collectives.messages != one.of_collectives.messages)
      return fmt::format("the messages of {} are counted otherwise", one.rank);
    if (partners[one.rank] != one.partners)
      return fmt::format("{} has {} partners, not {}", one.rank, partners[one.rank], one.partners);
  }
  return {};
}

// Whoever takes part in a call calls.
std::string compare_calls(const CallTally& calls, const std::vector<RankCount>& ranks) {
  __int128 participants = 0, callers = 0;
  for (const auto& [call, times] : calls) participants += call.participants * times;
  for (const RankCount& rank : ranks) callers += rank.calls;
  return participants == callers ? "" : "calls of collectives have other participants than callers";
}

}  // namespace

std::string check_counts(Run& run, const ir::System& system) {
  Listed listed;
  std::vector<std::int64_t> ranks(static_cast<std::size_t>(run.places().count()));
  std::iota(ranks.begin(), ranks.end(), 0);
  run.list(ranks, [&](std::int64_t rank) -> ProgramListener& {
    listed.rank = rank;
    return listed;
  });
  Counter& counter = run.counts();
  const Counts& all = counter.all();
  if (!same(all.whole, listed.all)) return "all messages together are counted otherwise";
  for (const auto& [phase, count] : listed.phases) {
    if (!same(all.phases[phase.index], count)) return "the messages of a phase are counted otherwise";
  }
  Count by_class;
  for (const auto& [kind, count] : counter.tallies().messages) {
    by_class.add(kind.size, count);
    if (kind.protocol >= system[kind.ends].protocols.size()) return "a message takes no protocol";
  }
  if (!same(by_class, listed.all)) return "the messages by class are others";
  std::string difference = compare_pairs(counter.by_pair({}), listed);
  const std::vector<RankCount> by_rank = counter.by_rank({});
  if (difference.empty()) difference = compare_ranks(by_rank, listed);
  if (difference.empty()) difference = compare_calls(counter.tallies().calls, by_rank);
  if (!difference.empty()) return difference;
  // Some of the ranks, as if there were no others.
  const std::int64_t last = ranks.back();
  const std::set<std::int64_t> some{0, last / 2, last};
  std::erase_if(listed.pairs, [&](const auto& pair) { return !some.contains(pair.first.first); });
  difference = compare_pairs(counter.by_pair(some), listed);
  if (difference.empty()) difference = compare_ranks(counter.by_rank(some), listed);
  return difference.empty() ? difference : "of some ranks: " + difference;
}

}  // namespace wave::parity
