// Messages that no statement of the process can ever answer, found before anything runs.
#include "frontend/lower/processes.h"
#include "frontend/source/diagnostics.h"
#include "ir/builder.h"
#include "ir/visit.h"

#include <algorithm>
#include <map>
#include <set>

namespace wave::frontend::lowering {

using ir::ValueId;

namespace {

struct Written {
  const ir::Message* message;
  Location location;
  bool conditional;  // it is under a condition
};

void collect(const ir::Process& process, ir::BlockId id, bool conditional, std::vector<bool>& seen,
             std::vector<Written>& into) {
  if (seen[id.index]) return;
  seen[id.index] = true;
  for (const ir::Statement& statement : process.blocks[id.index]) {
    if (const auto* message = std::get_if<ir::Message>(&statement.node))
      into.push_back({message, statement.location, conditional});
    const bool is_conditional = conditional || std::holds_alternative<ir::Branch>(statement.node);
    ir::for_each_block(statement, [&](ir::BlockId inner) { collect(process, inner, is_conditional, seen, into); });
  }
}

constexpr std::size_t most_compared = 3000;  // each with the others of its context, until one may meet it

// Of messages that meet the same others keeps the first, if possible one without a condition.
std::vector<Written> distinct(std::vector<Written> all) {
  std::stable_partition(all.begin(), all.end(), [](const Written& one) { return !one.conditional; });
  std::set<std::vector<std::uint32_t>> known;
  std::erase_if(all, [&](const Written& one) {
    const ir::Message& m = *one.message;
    const auto number = [](auto word) { return static_cast<std::uint32_t>(word); };
    std::vector<std::uint32_t> key{number(m.side), m.context, number(m.peer.kind), m.peer.by_rank, m.tag.index};
    for (const ValueId coordinate : m.peer.coordinates) key.push_back(coordinate.index);
    return !known.insert(std::move(key)).second;
  });
  return all;
}

class Matches {
 public:
  explicit Matches(const ir::Builder& b) : b_(b) {}

  enum class Verdict { may_meet, other_peer, other_kind, other_tag };
  Verdict compare(const ir::Message& a, const ir::Message& c) const {
    if (a.peer.kind != c.peer.kind) return Verdict::other_kind;
    if (a.peer.kind == ir::Peer::Kind::offset) {
      if (a.peer.by_rank != c.peer.by_rank) return Verdict::other_peer;
      for (std::size_t k = 0; k < a.peer.coordinates.size(); ++k) {
        const auto there = b_.as_constant(a.peer.coordinates[k]);
        const auto back = b_.as_constant(c.peer.coordinates[k]);
        if (there && back && there->integer != -back->integer) return Verdict::other_peer;
      }
    }
    const auto tag = [&](const ir::Message& m) {
      return m.tag.valid() ? b_.as_constant(m.tag) : std::optional(ir::Scalar::of(std::int64_t{0}));
    };
    const auto mine = tag(a);
    const auto theirs = tag(c);
    return mine && theirs && mine->integer != theirs->integer ? Verdict::other_tag : Verdict::may_meet;
  }

 private:
  const ir::Builder& b_;
};

}  // namespace

void ProcessLowering::check_matches() const {
  std::vector<Written> all;
  std::vector<bool> seen(process_.blocks.size(), false);
  collect(process_, process_.body, false, seen, all);
  all = distinct(std::move(all));
  if (all.size() > most_compared) return;
  const Matches matches(b_);
  std::multimap<std::uint32_t, const Written*> by_context;  // messages of others never meet
  for (const Written& one : all) by_context.emplace(one.message->context, &one);
  for (const Written& one : all) {
    if (one.conditional) continue;
    const bool sends = one.message->side == ir::Message::Side::send;
    const Written* near = nullptr;
    auto why = Matches::Verdict::other_peer;
    bool meets = false;
    for (auto [at, end] = by_context.equal_range(one.message->context); at != end && !meets; ++at) {
      const Written& other = *at->second;
      if (other.message->side == one.message->side) continue;
      const auto verdict = matches.compare(*one.message, *other.message);
      meets = verdict == Matches::Verdict::may_meet;
      if (static_cast<int>(verdict) > static_cast<int>(why)) why = verdict, near = &other;
    }
    if (meets) continue;
    const char* label = sends ? "nothing in this process receives it" : "nothing in this process sends it";
    Diagnostic& d = parts_.diagnostics.add(DiagnosticKind::unmatched_message, one.location,
                                           sends ? "a send without its receive" : "a receive without its send", label);
    switch (why) {
      case Matches::Verdict::other_tag: d.labels.push_back({near->location, "this one has another tag"}); break;
      case Matches::Verdict::other_kind:
        d.labels.push_back({near->location, near->message->peer.kind == ir::Peer::Kind::place
                                                ? "this one says an absolute place"
                                                : "this one says an offset"});
        d.help.push_back("an offset on one side and an absolute place on the other do not match");
        break;
      case Matches::Verdict::other_peer:
      case Matches::Verdict::may_meet:
        if (one.message->peer.kind != ir::Peer::Kind::place) {
          d.help.push_back(
              "the other end writes the opposite: what is sent to `[i+1]` is received from `[i-1]`, "
              "to `downwind i` from `upwind i`");
        }
        break;
    }
    throw Abandoned{DiagnosticKind::unmatched_message};
  }
}

}  // namespace wave::frontend::lowering
