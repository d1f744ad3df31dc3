// See structure.h.
#include "analysis/inferred/structure.h"

#include "analysis/inferred/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace wave::analysis::inferred {

using recorded::Step;

namespace {

constexpr std::size_t most_nodes = 4000;

// The calls of a rank as a row of numbers: equal ones do the same, at places of this grid.
class Row {
 public:
  Row(const Neighbourhood& around, std::int64_t rank, const Calls& calls, Sizes sizes) : around_(around), rank_(rank) {
    find_varying(calls, sizes);
    std::vector<Key> all;
    for (const Call& call : calls.calls) {
      Key key{operation_of(call), false, 0, {}};
      key.varies = varying_.count(key.operation) > 0;
      if (has_size(call.kind) && !key.varies) key.size = call.size;
      all.push_back(std::move(key));
    }
    give_sides(all);
    std::vector<std::uint32_t> of_call;
    for (std::size_t at = 0; at < calls.calls.size(); ++at) {
      const Call& call = calls.calls[at];
      Key& key = all[at];
      for (std::uint32_t k = 0; k < call.ended_count; ++k)
        key.ended.push_back(of_call[calls.ended[call.first_ended + k]]);
      const auto [found, is_new] = numbers_.try_emplace(std::move(key), keys_.size());
      if (is_new) keys_.push_back(found->first);
      symbols_.push_back(static_cast<std::uint32_t>(found->second));
      of_call.push_back(symbols_.back());
    }
  }

  const std::vector<std::uint32_t>& symbols() const { return symbols_; }
  std::size_t distinct() const { return keys_.size(); }
  Node node_of(std::size_t symbol) const {
    Node node;
    node.operation = keys_[symbol].operation;
    node.varies = keys_[symbol].varies;
    node.ranks.insert(rank_);
    return node;
  }

 private:
  struct Key {
    Operation operation;
    bool varies;
    double size;
    std::vector<std::uint32_t> ended;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  Operation operation_of(const Call& call) const {
    Operation operation{call.kind, call.name, {}, {}, {}};
    const auto rule_of = [&](const auto& rules, std::int64_t peer) {
      const auto found = rules.find({rank_, peer});
      return found == rules.end() ? PeerRule{} : found->second;
    };
    switch (call.kind) {
      case Step::Kind::send:
      case Step::Kind::started_send: operation.to = rule_of(around_.sends, call.peer); break;
      case Step::Kind::receive:
      case Step::Kind::posted_receive: operation.from = rule_of(around_.receives, call.peer); break;
      case Step::Kind::exchange:
        if (call.peer >= 0) operation.to = rule_of(around_.sends, call.peer);
        if (call.from >= 0) operation.from = rule_of(around_.receives, call.from);
        break;
      case Step::Kind::collective:
        if (call.participants != around_.grid.count()) operation.along = axes_of(call.participants);
        break;
      case Step::Kind::wait: break;
    }
    return operation;
  }

  // The axis along which a rule goes one step, to a neighbour, where both sides wrap.
  std::optional<std::size_t> stepped_axis(const PeerRule& rule) const {
    std::optional<std::size_t> stepped;
    if (rule.kind != PeerRule::Kind::offset) return stepped;
    for (std::size_t axis = 0; axis < rule.by.size(); ++axis) {
      if (rule.by[axis] == 0) continue;
      if (stepped || std::abs(rule.by[axis]) != 1 || !around_.grid.wraps[axis]) return std::nullopt;
      stepped = axis;
    }
    return stepped;
  }
  static PeerRule& rule_of(Operation& operation) {
    return operation.to.kind != PeerRule::Kind::none ? operation.to : operation.from;
  }

  // On an axis of two that wraps, the neighbours on both sides are one rank. Of two equal calls in a row, each is given
  // a side, in the order in which calls come along a longer axis: otherwise first up, and sends against receives, so
  // that the first message meets the first receive.
  void give_sides(std::vector<Key>& all) const {
    std::map<Step::Kind, std::int64_t> first;
    for (Key& key : all) {
      const PeerRule& rule = rule_of(key.operation);
      const auto axis = stepped_axis(rule);
      if (axis && around_.grid.extents[*axis] > 2) first.try_emplace(key.operation.kind, rule.by[*axis]);
    }
    const auto side_of = [&](Step::Kind kind) {
      const auto found = first.find(kind);
      if (found != first.end()) return found->second;
      const bool is_send = kind == Step::Kind::send || kind == Step::Kind::started_send;
      return std::int64_t{is_send ? -1 : 1};
    };
    for (std::size_t at = 0; at + 1 < all.size(); ++at) {
      Operation& one = all[at].operation;
      const auto axis = stepped_axis(rule_of(one));
      if (!axis || around_.grid.extents[*axis] != 2 || all[at] != all[at + 1]) continue;
      Operation& other = all[at + 1].operation;
      const std::int64_t side = side_of(one.kind);
      rule_of(one).by[*axis] = side;
      rule_of(other).by[*axis] = -side;
      if (one.kind == Step::Kind::exchange && stepped_axis(one.from) == axis) {
        one.from.by[*axis] = -side;
        other.from.by[*axis] = side;
      }
      ++at;
    }
  }

  // The axes along which so many processes lie; all axes where none have as many.
  std::vector<bool> axes_of(std::int64_t participants) const {
    const auto& extents = around_.grid.extents;
    for (std::uint32_t chosen = 1; chosen < 1U << extents.size(); ++chosen) {
      std::int64_t count = 1;
      std::vector<bool> along;
      for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        along.push_back((chosen >> axis & 1U) != 0);
        if (along.back()) count *= extents[axis];
      }
      if (count == participants) return along;
    }
    return {};
  }

  // Operations whose sizes are others nearly every time.
  void find_varying(const Calls& calls, Sizes of_calls) {
    const std::size_t most_sizes = of_calls == Sizes::apart ? 12 : 1;
    std::map<Operation, std::set<double>> sizes;
    for (const Call& call : calls.calls) {
      if (!has_size(call.kind) || (call.kind == Step::Kind::collective && of_calls == Sizes::together)) continue;
      auto& own = sizes[operation_of(call)];
      if (own.size() <= most_sizes) own.insert(call.size);
    }
    for (const auto& [operation, own] : sizes) {
      if (own.size() > most_sizes) varying_.insert(operation);
    }
  }

  const Neighbourhood& around_;
  const std::int64_t rank_;
  std::set<Operation> varying_;
  std::map<Key, std::size_t> numbers_;
  std::vector<Key> keys_;
  std::vector<std::uint32_t> symbols_;
};

// Whether a call that is repeated a few times is a loop, or stands there as often. Ranks between whose calls others
// have further ones want the latter; runs in which it is repeated more often want the former. Both are tried.
enum class ShortLoops : std::uint8_t { kept, written_out };

std::vector<Node> nodes_of(const std::vector<Folded>& folded, const Row& row, std::int64_t rank, ShortLoops loops) {
  constexpr std::size_t few = 4;
  std::vector<Node> nodes;
  for (const Folded& one : folded) {
    if (one.rounds == 0) {
      nodes.push_back(row.node_of(one.symbol));
      continue;
    }
    if (loops == ShortLoops::written_out && one.rounds <= few && one.body.size() == 1 && one.body[0].rounds == 0) {
      for (std::size_t k = 0; k < one.rounds; ++k) nodes.push_back(row.node_of(one.body[0].symbol));
      continue;
    }
    Node loop;
    loop.is_loop = true;
    loop.rounds = one.rounds;
    loop.ranks.insert(rank);
    loop.body = nodes_of(one.body, row, rank, loops);
    nodes.push_back(std::move(loop));
  }
  return nodes;
}

std::size_t count_of(const std::vector<Node>& nodes) {
  std::size_t count = nodes.size();
  for (const Node& node : nodes) count += count_of(node.body);
  return count;
}

// A call is conditional where ranks that could do it do not.
void find_conditions(std::vector<Node>& nodes, const RankGrid& grid, const std::vector<std::int64_t>& ranks) {
  for (Node& node : nodes) {
    find_conditions(node.body, grid, ranks);
    if (node.is_loop || node.operation.kind == Step::Kind::wait) continue;
    node.is_conditional = std::any_of(ranks.begin(), ranks.end(), [&](std::int64_t rank) {
      return can_do(node.operation, rank, grid) && node.ranks.count(rank) == 0;
    });
  }
}

void forget_ends(std::vector<Node>& nodes) {
  for (Node& node : nodes) {
    node.ends.clear();
    forget_ends(node.body);
  }
}

// The program of one run's ranks, made of those that do most.
class Maker {
 public:
  Maker(const Run& run, const Neighbourhood& around, ShortLoops loops, Sizes sizes, Budget& budget)
      : run_(run), around_(around), loops_(loops), sizes_(sizes), budget_(budget) {}

  std::optional<Tree> make(std::string& reason) {
    std::vector<std::int64_t> order(run_.ranks.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<std::size_t> kinds;
    for (const std::int64_t rank : order) kinds.push_back(Row(around_, rank, calls_of(rank), sizes_).distinct());
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      const auto key = [&](std::int64_t rank) {
        return std::pair(kinds[static_cast<std::size_t>(rank)], calls_of(rank).calls.size());
      };
      return key(a) > key(b);
    });
    for (const std::int64_t rank : order) {
      if (!merged_.empty() && match(tree_, around_.grid, rank, calls_of(rank)).is_whole) continue;
      if (!add(rank, reason)) return std::nullopt;
    }
    for (const std::int64_t rank : order) {
      const Match match = inferred::match(tree_, around_.grid, rank, calls_of(rank));
      if (match.is_whole) continue;
      reason =
          fmt::format("rank {} does something else from its call {} on than the other ranks", rank, match.calls + 1);
      return std::nullopt;
    }
    return std::move(tree_);
  }

 private:
  const Calls& calls_of(std::int64_t rank) const { return run_.ranks[static_cast<std::size_t>(rank)]; }

  bool add(std::int64_t rank, std::string& reason) {
    const Row row(around_, rank, calls_of(rank), sizes_);
    const auto folded = fold(row.symbols(), budget_);
    if (!folded) {
      reason = fmt::format("the calls of rank {} do not repeat", rank);
      return false;
    }
    std::vector<Node> nodes = nodes_of(*folded, row, rank, loops_);
    tree_.nodes = merged_.empty() ? std::move(nodes) : merge(std::move(tree_.nodes), std::move(nodes));
    merged_.push_back(rank);
    if (count_of(tree_.nodes) > most_nodes) {
      reason = fmt::format("the calls of {} are more than {} after loops were found",
                           merged_.size() == 1 ? fmt::format("rank {}", rank) : fmt::format("{} ranks", merged_.size()),
                           most_nodes);
      return false;
    }
    number(tree_);
    find_conditions(tree_.nodes, around_.grid, merged_);
    forget_ends(tree_.nodes);
    Waits waits(tree_);
    for (const std::int64_t one : merged_) waits.add(tree_, around_.grid, one, calls_of(one));
    return true;
  }

  const Run& run_;
  const Neighbourhood& around_;
  const ShortLoops loops_;
  const Sizes sizes_;
  Budget& budget_;
  Tree tree_;
  std::vector<std::int64_t> merged_;
};

Seen nothing_seen(const Tree& tree, const RankGrid& grid, std::size_t ranks) {
  return {grid, std::vector<std::vector<CallSeen>>(tree.calls, std::vector<CallSeen>(ranks)),
          std::vector<std::vector<LoopSeen>>(tree.loops, std::vector<LoopSeen>(ranks))};
}

void note(const Trail& trail, const Calls& calls, std::size_t rank, Seen& seen) {
  for (const Followed& followed : trail) {
    if (followed.is_loop) {
      LoopSeen& loop = seen.loops[followed.node][rank];
      if (loop.times++ == 0) loop.rounds = followed.count;
      if (loop.varying.empty() && followed.count != loop.rounds) loop.varying.assign(loop.times - 1, loop.rounds);
      if (!loop.varying.empty() || followed.count != loop.rounds) loop.varying.push_back(followed.count);
      continue;
    }
    const Call& call = calls.calls[followed.count];
    CallSeen& one = seen.calls[followed.node][rank];
    seen.calls[followed.behind][rank].since += static_cast<double>(call.since);
    ++seen.calls[followed.behind][rank].gaps;
    if (one.times++ == 0) one.size = call.size;
    if (one.sizes.empty() && call.size != one.size) one.sizes.assign(one.times - 1, one.size);
    if (!one.sizes.empty() || call.size != one.size) one.sizes.push_back(call.size);
  }
}

std::optional<Seen> seen_on(const Tree& tree, const RankGrid& grid, const Run& run) {
  Seen seen = nothing_seen(tree, grid, run.ranks.size());
  for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
    const Match found = match(tree, grid, static_cast<std::int64_t>(rank), run.ranks[rank]);
    if (!found.is_whole) return std::nullopt;
    note(found.trail, run.ranks[rank], rank, seen);
  }
  return seen;
}

// The run as this program, on the first grid with as many axes on which it is one.
std::optional<Seen> seen_in(const Tree& tree, const RankGrid& base, const Run& run) {
  const auto count = static_cast<std::int64_t>(run.ranks.size());
  auto all = extents_of(count, base.extents.size());
  // Grids that the program made, and those whose extents are alike, come first.
  const auto unlike = [&](const std::vector<std::int64_t>& extents) {
    if (extents == run.hint) return 0.0;
    const auto [low, high] = std::minmax_element(extents.begin(), extents.end());
    return static_cast<double>(*high) / static_cast<double>(*low);
  };
  std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return unlike(a) < unlike(b); });
  for (const auto& extents : all) {
    if (!run.extents.empty() && run.extents.size() == extents.size() && extents != run.extents) continue;
    if (auto seen = seen_on(tree, {extents, base.wraps}, run)) return seen;
  }
  return std::nullopt;
}

}  // namespace

std::size_t Structure::matched() const {
  return static_cast<std::size_t>(
      std::count_if(runs.begin(), runs.end(), [](const auto& run) { return run.has_value(); }));
}

namespace {

std::size_t conditions_of(const std::vector<Node>& nodes) {
  std::size_t count = 0;
  for (const Node& node : nodes) count += (node.is_conditional ? 1U : 0U) + conditions_of(node.body);
  return count;
}

// Whether it has more of the runs, or as many with less text.
bool is_plainer(const Structure& one, const Structure& other) {
  constexpr std::size_t for_a_condition = 2;
  if (one.matched() != other.matched()) return one.matched() > other.matched();
  const auto length = [](const Structure& structure) {
    return structure.tree.calls + structure.tree.loops + for_a_condition * conditions_of(structure.tree.nodes);
  };
  return length(one) < length(other);
}

}  // namespace

namespace {

bool has_one_neighbour(const RankGrid& grid) {
  for (std::size_t axis = 0; axis < grid.extents.size(); ++axis) {
    if (grid.wraps[axis] && grid.extents[axis] <= 2) return true;
  }
  return false;
}

void find_unclear(Structure& structure, Sizes sizes) {
  structure.is_unclear.assign(structure.runs.size(), false);
  if (sizes == Sizes::apart) return;
  std::size_t clear = 0;
  for (const auto& run : structure.runs) clear += run && !has_one_neighbour(run->grid);
  constexpr std::size_t enough = 2;
  for (std::size_t run = 0; run < structure.runs.size() && clear >= enough; ++run)
    structure.is_unclear[run] = structure.runs[run] && has_one_neighbour(structure.runs[run]->grid);
}

}  // namespace

FoundStructure structure_of(const Runs& runs, Sizes sizes, Budget& budget) {
  constexpr std::size_t most_grids = 4;
  FoundStructure found;
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return runs[a]->ranks.size() > runs[b]->ranks.size(); });
  for (const std::size_t base : order) {
    const auto arounds = neighbourhoods_of(*runs[base], most_grids);
    for (const Neighbourhood& around : arounds) {
      if (around.cost > 2 * arounds.front().cost + 1) break;
      for (const ShortLoops loops : {ShortLoops::kept, ShortLoops::written_out}) {
        std::string reason;
        auto tree = Maker(*runs[base], around, loops, sizes, budget).make(reason);
        if (!tree) {
          if (found.none.reason.empty()) found.none = {base, reason};
          if (budget.comparisons == 0) return found;  // no grid makes calls repeat
          continue;
        }
        Structure structure{std::move(*tree), {}, base, {}};
        for (std::size_t run = 0; run < runs.size(); ++run) {
          structure.runs.push_back(run == base ? seen_on(structure.tree, around.grid, *runs[run])
                                               : seen_in(structure.tree, around.grid, *runs[run]));
        }
        find_unclear(structure, sizes);
        if (!found.structure || is_plainer(structure, *found.structure)) found.structure = std::move(structure);
      }
    }
    if (found.structure && found.structure->matched() == runs.size()) return found;
  }
  return found;
}

}  // namespace wave::analysis::inferred
