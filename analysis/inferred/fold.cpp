// See tree.h.
#include "analysis/inferred/tree.h"

#include <algorithm>

namespace wave::analysis::inferred {

namespace {

struct TooMany {};

class Folding {
 public:
  Folding(const std::vector<std::uint32_t>& row, Budget& budget) : row_(row), left_(budget.comparisons) {}

  std::vector<Folded> fold(std::size_t begin, std::size_t end) {
    std::vector<Folded> result;
    // What follows a loop is looked at next, without a call of this function: there may be many.
    while (begin < end) {
      const Repeated best = longest(begin, end);
      if (best.saved == 0) {
        for (; begin < end; ++begin) result.push_back({row_[begin], 0, {}});
        break;
      }
      if (best.begin > begin) append(result, fold(begin, best.begin));
      Folded loop{0, best.rounds, fold(best.begin, best.begin + best.width)};
      if (loop.body.size() == 1 && loop.body[0].rounds > 0) {  // a loop of loops is one
        loop.rounds *= loop.body[0].rounds;
        loop.body = std::vector<Folded>(std::move(loop.body[0].body));
      }
      result.push_back(std::move(loop));
      begin = best.begin + best.width * best.rounds;
    }
    return result;
  }

 private:
  struct Repeated {
    std::size_t begin = 0, width = 0, rounds = 0, saved = 0;
  };

  static void append(std::vector<Folded>& to, std::vector<Folded> from) {
    for (Folded& one : from) to.push_back(std::move(one));
  }

  // The repetition that shortens this part of the row most.
  Repeated longest(std::size_t begin, std::size_t end) {
    constexpr std::size_t widest = 1 << 14;
    Repeated best;
    const std::size_t count = end - begin;
    for (std::size_t width = 1; width <= std::min(count / 2, widest) && count - width > best.saved; ++width) {
      if (left_ < count) {
        left_ = 0;
        throw TooMany{};
      }
      left_ -= count;
      std::size_t equal = 0;  // so many before here are as those one width later
      for (std::size_t i = begin; i + width <= end; ++i) {
        const bool goes_on = i + width < end && row_[i] == row_[i + width];
        if (goes_on) {
          ++equal;
          continue;
        }
        const std::size_t saved = equal / width * width;
        if (saved > best.saved) best = {i - equal, width, equal / width + 1, saved};
        equal = 0;
      }
    }
    return best;
  }

  const std::vector<std::uint32_t>& row_;
  std::uint64_t& left_;  // comparisons
};

void number(std::vector<Node>& nodes, Tree& tree) {
  for (Node& node : nodes) {
    node.number = node.is_loop ? tree.loops++ : tree.calls++;
    number(node.body, tree);
  }
}

}  // namespace

bool has_size(recorded::Step::Kind kind) {
  using Kind = recorded::Step::Kind;
  return kind == Kind::send || kind == Kind::started_send || kind == Kind::exchange || kind == Kind::collective;
}

bool can_do(const Operation& operation, std::int64_t rank, const RankGrid& grid) {
  return operation.kind == recorded::Step::Kind::collective || peer_of(operation.to, rank, grid) >= 0 ||
         peer_of(operation.from, rank, grid) >= 0;
}

std::optional<std::vector<Folded>> fold(const std::vector<std::uint32_t>& row, Budget& budget) {
  try {
    return Folding(row, budget).fold(0, row.size());
  } catch (const TooMany&) {
    return std::nullopt;
  }
}

void number(Tree& tree) {
  tree.calls = tree.loops = 0;
  number(tree.nodes, tree);
}

}  // namespace wave::analysis::inferred
