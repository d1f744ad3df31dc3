// Follows what a rank did along the tree: which call of the tree each of its calls is, and how often loops turned.
#pragma once

#include "analysis/inferred/calls.h"
#include "analysis/inferred/tree.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace wave::analysis::inferred {

struct Followed {
  std::size_t node = 0;   // the number of the call, or of the loop
  bool is_loop = false;   // its end
  std::size_t count = 0;  // of a call: which one of the rank; of a loop: rounds
  // Of a call: the first of the tree behind the rank's call before. What was computed between the two was there, where
  // other ranks have further calls.
  std::size_t behind = 0;
};
// In the order in which they happened.
using Trail = std::vector<Followed>;

// How far a rank was followed before something was otherwise: the number of its calls.
struct Match {
  bool is_whole = false;
  std::size_t calls = 0;
  Trail trail;
};

// Loops turn as long as their body is there. A call that the tree does under a condition is taken where it is there.
// Calls that do not vary have one size for each rank.
Match match(const Tree& tree, const RankGrid& grid, std::int64_t rank, const Calls& calls);

// Which calls each wait ends, by the number of the wait. Ranks are added by how much they do, the most first: what a
// later one ends in a wait is noted only for calls that those before it did not make, since waits without a call
// between them are recorded as one.
class Waits {
 public:
  explicit Waits(const Tree& tree);
  // False: the tree does not match.
  bool add(Tree& tree, const RankGrid& grid, std::int64_t rank, const Calls& calls);

 private:
  std::vector<bool> known_;  // by call
};

}  // namespace wave::analysis::inferred
