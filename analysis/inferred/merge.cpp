// See merge.h.
#include "analysis/inferred/merge.h"

#include <algorithm>
#include <map>

namespace wave::analysis::inferred {

namespace {

// How well nodes of two trees fit, for each pair of them.
class Alignment {
  static constexpr std::size_t of_a_collective = 100000;

 public:
  // So many calls can be taken as one; 0: these are different. All ranks come to a collective, so it counts for more than
  // anything else.
  std::size_t fit(const Node& one, const Node& other) {
    if (one.is_loop != other.is_loop) return 0;
    if (!one.is_loop) {
      if (one.operation != other.operation) return 0;
      return one.operation.kind == recorded::Step::Kind::collective ? of_a_collective : 1;
    }
    if (one.rounds != other.rounds) return 0;
    const auto [found, is_new] = loops_.try_emplace({&one, &other}, 0);
    if (is_new) {
      const std::size_t inside = table(one.body, other.body)[0][0];
      loops_[{&one, &other}] = inside > 0 ? inside + 1 : 0;
    }
    return loops_[{&one, &other}];
  }

  // How many calls the ends of both from these nodes on have in common.
  std::vector<std::vector<std::size_t>> table(const std::vector<Node>& one, const std::vector<Node>& other) {
    std::vector<std::vector<std::size_t>> best(one.size() + 1, std::vector<std::size_t>(other.size() + 1));
    for (std::size_t i = one.size(); i-- > 0;) {
      for (std::size_t j = other.size(); j-- > 0;) {
        best[i][j] = std::max(best[i + 1][j], best[i][j + 1]);
        if (const std::size_t both = fit(one[i], other[j]); both > 0)
          best[i][j] = std::max(best[i][j], best[i + 1][j + 1] + both);
      }
    }
    return best;
  }

 private:
  std::map<std::pair<const Node*, const Node*>, std::size_t> loops_;
};

std::vector<Node> merge(std::vector<Node>& one, std::vector<Node>& other, Alignment& alignment) {
  const auto best = alignment.table(one, other);
  std::vector<Node> result;
  std::size_t i = 0, j = 0;
  while (i < one.size() && j < other.size()) {
    const std::size_t both = alignment.fit(one[i], other[j]);
    if (both > 0 && best[i][j] == best[i + 1][j + 1] + both) {
      Node node = one[i];
      node.ranks.insert(other[j].ranks.begin(), other[j].ranks.end());
      node.varies = node.varies || other[j].varies;
      if (node.is_loop) node.body = merge(one[i].body, other[j].body, alignment);
      result.push_back(std::move(node));
      ++i;
      ++j;
    } else if (best[i][j] == best[i + 1][j]) {
      result.push_back(one[i++]);
    } else {
      result.push_back(other[j++]);
    }
  }
  result.insert(result.end(), one.begin() + static_cast<std::ptrdiff_t>(i), one.end());
  result.insert(result.end(), other.begin() + static_cast<std::ptrdiff_t>(j), other.end());
  return result;
}

}  // namespace

std::vector<Node> merge(std::vector<Node> one, std::vector<Node> other) {
  Alignment alignment;
  return merge(one, other, alignment);
}

}  // namespace wave::analysis::inferred
