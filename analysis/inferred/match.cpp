// See match.h.
#include "analysis/inferred/match.h"

#include <algorithm>
#include <functional>

namespace wave::analysis::inferred {

using recorded::Step;

namespace {

// What is under way: the call of the tree that began it, and the rank's.
struct Pending {
  std::size_t node;
  std::uint32_t call;
};

class Follower {
 public:
  Follower(const Tree& tree, const RankGrid& grid, std::int64_t rank, const Calls& calls)
      : tree_(tree), grid_(grid), rank_(rank), calls_(calls), sizes_(tree.calls), seen_(tree.calls) {
    prepare(tree.nodes);
    ended_by_.assign(calls.calls.size(), calls.calls.size());
    for (std::size_t at = 0; at < calls.calls.size(); ++at) {
      const Call& call = calls.calls[at];
      for (std::uint32_t k = 0; k < call.ended_count; ++k) ended_by_[calls.ended[call.first_ended + k]] = at;
    }
  }
  // Where this is set, a wait ends whatever the rank's wait ends, which is noted.
  std::function<void(std::size_t wait, std::size_t ended)> note;

  Match run() {
    Match result;
    result.is_whole = follow(tree_.nodes) && at_ == calls_.calls.size();
    result.calls = furthest_;
    result.trail = std::move(trail_);
    return result;
  }

 private:
  // Peers are the same each time.
  void prepare(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      if (node.is_loop) {
        prepare(node.body);
        continue;
      }
      peers_.resize(std::max(peers_.size(), node.number + 1));
      peers_[node.number] = {peer_of(node.operation.to, rank_, grid_), peer_of(node.operation.from, rank_, grid_)};
    }
  }

  bool follow(const std::vector<Node>& nodes) {
    return std::all_of(nodes.begin(), nodes.end(),
                       [&](const Node& node) { return node.is_loop ? follow_loop(node) : follow_call(node); });
  }

  bool follow_loop(const Node& loop) {
    std::size_t rounds = 0;
    for (;; ++rounds) {
      const State before = state();
      if (!follow(loop.body)) {
        restore(before);
        break;
      }
      if (at_ == before.at && ended_ == before.ended) {  // nothing of it is there for this rank
        restore(before);
        break;
      }
    }
    trail_.push_back({loop.number, true, rounds, 0});
    return true;
  }

  bool follow_call(const Node& node) {
    if (node.operation.kind == Step::Kind::wait) return follow_wait(node);
    const auto [to, from] = peers_[node.number];
    const Operation& operation = node.operation;
    const bool is_there = operation.kind == Step::Kind::collective || to >= 0 || from >= 0;
    if (!behind_) behind_ = node.number;
    if (!is_there) return true;
    const bool is_next = ended_ == 0 && at_ < calls_.calls.size() && is(calls_.calls[at_], node, to, from);
    if (!is_next) return node.is_conditional;
    const Call& call = calls_.calls[at_];
    if (call.kind == Step::Kind::started_send || call.kind == Step::Kind::posted_receive)
      pending_.push_back({node.number, static_cast<std::uint32_t>(at_)});
    if (seen_[node.number]++ == 0) sizes_[node.number] = call.size;
    add_to_trail(node.number);
    advance();
    return true;
  }

  void add_to_trail(std::size_t call) {
    trail_.push_back({call, false, at_, behind_.value_or(call)});
    behind_.reset();
  }

  bool is(const Call& call, const Node& node, std::int64_t to, std::int64_t from) const {
    const Operation& operation = node.operation;
    if (call.kind != operation.kind) return false;
    const bool is_sized = has_size(call.kind) && (call.kind != Step::Kind::exchange || to >= 0);
    if (is_sized && !node.varies && seen_[node.number] > 0 && sizes_[node.number] != call.size) return false;
    switch (call.kind) {
      case Step::Kind::send:
      case Step::Kind::started_send: return call.peer == to;
      case Step::Kind::receive:
      case Step::Kind::posted_receive: return call.peer == from;
      case Step::Kind::exchange: return call.peer == to && call.from == from;
      case Step::Kind::collective: return call.name == operation.name && call.participants == participants(operation);
      case Step::Kind::wait: return false;
    }
    return false;
  }

  std::int64_t participants(const Operation& operation) const {
    if (operation.along.empty()) return grid_.count();
    std::int64_t count = 1;
    for (std::size_t axis = 0; axis < operation.along.size(); ++axis) {
      if (operation.along[axis]) count *= grid_.extents[axis];
    }
    return count;
  }

  // The rank's waits without a call between them are one: each of the tree's ends a part of it.
  bool follow_wait(const Node& wait) {
    if (!behind_) behind_ = wait.number;
    const bool is_next = at_ < calls_.calls.size() && calls_.calls[at_].kind == Step::Kind::wait;
    if (note) {
      if (!is_next) return true;
      const Call& call = calls_.calls[at_];
      for (std::uint32_t k = 0; k < call.ended_count; ++k) note_ended(wait, calls_.ended[call.first_ended + k]);
      add_to_trail(wait.number);
      advance();
      return true;
    }
    const auto is_ended = [&](const Pending& one) { return wait.ends.count(one.node) > 0; };
    const bool can_end = std::all_of(pending_.begin(), pending_.end(), [&](const Pending& one) {
      return !is_ended(one) || (is_next && is_ended_here(one.call));
    });
    if (!can_end) return false;
    const auto ended = static_cast<std::uint32_t>(std::erase_if(pending_, is_ended));
    if (ended == 0) return true;
    // A wait of the rank that others of the tree have begun already has no time of its own.
    if (ended_ == 0) add_to_trail(wait.number);
    ended_ += ended;
    if (ended_ == calls_.calls[at_].ended_count) advance();
    return true;
  }
  bool is_ended_here(std::uint32_t began) const { return ended_by_[began] == at_; }
  void note_ended(const Node& wait, std::uint32_t began) {
    const auto found =
        std::find_if(pending_.begin(), pending_.end(), [&](const Pending& one) { return one.call == began; });
    if (found == pending_.end()) return;
    note(wait.number, found->node);
    pending_.erase(found);
  }

  void advance() {
    ++at_;
    ended_ = 0;
    furthest_ = std::max(furthest_, at_);
  }

  struct State {
    std::size_t at, trail;
    std::uint32_t ended;
    std::optional<std::size_t> behind;
    std::vector<Pending> pending;
  };
  State state() const { return {at_, trail_.size(), ended_, behind_, pending_}; }
  void restore(const State& before) {
    while (trail_.size() > before.trail) {
      if (!trail_.back().is_loop) {
        std::size_t& seen = seen_[trail_.back().node];
        seen -= seen > 0;
      }
      trail_.pop_back();
    }
    at_ = before.at;
    ended_ = before.ended;
    behind_ = before.behind;
    pending_ = before.pending;
  }

  const Tree& tree_;
  const RankGrid& grid_;
  const std::int64_t rank_;
  const Calls& calls_;
  std::vector<std::pair<std::int64_t, std::int64_t>> peers_;  // by call: whom it sends to, whom it receives from
  std::vector<std::size_t> ended_by_;                         // by call of the rank: its wait
  std::vector<double> sizes_;                                 // by call
  std::vector<std::size_t> seen_;                             // by call, how often
  std::vector<Pending> pending_;
  std::size_t at_ = 0;
  std::uint32_t ended_ = 0;            // of the rank's next call, a wait: so many of what it ends are accounted for
  std::optional<std::size_t> behind_;  // the first call of the tree behind the rank's last one
  std::size_t furthest_ = 0;
  Trail trail_;
};

Node* find(std::vector<Node>& nodes, std::size_t call) {
  for (Node& node : nodes) {
    if (!node.is_loop && node.number == call) return &node;
    if (Node* const inside = find(node.body, call)) return inside;
  }
  return nullptr;
}

}  // namespace

Match match(const Tree& tree, const RankGrid& grid, std::int64_t rank, const Calls& calls) {
  return Follower(tree, grid, rank, calls).run();
}

Waits::Waits(const Tree& tree) : known_(tree.calls) {}

bool Waits::add(Tree& tree, const RankGrid& grid, std::int64_t rank, const Calls& calls) {
  std::vector<std::pair<std::size_t, std::size_t>> ends;
  Follower follower(tree, grid, rank, calls);
  follower.note = [&](std::size_t wait, std::size_t ended) {
    if (!known_[ended]) ends.emplace_back(wait, ended);
  };
  const Match match = follower.run();
  if (!match.is_whole) return false;
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  for (const auto& [wait, ended] : ends) find(tree.nodes, wait)->ends.insert(ended);
  for (const Followed& followed : match.trail) {
    if (!followed.is_loop) known_[followed.node] = true;
  }
  return true;
}

}  // namespace wave::analysis::inferred
