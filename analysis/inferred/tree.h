// The program of all ranks: calls, and loops around them.
#pragma once

#include "analysis/inferred/grid.h"

#include <cstdint>
#include <set>
#include <vector>

namespace wave::analysis::inferred {

// Of a call: what is the same on all ranks and in all runs.
struct Operation {
  recorded::Step::Kind kind{};
  std::uint8_t name = 0;    // of a collective
  std::vector<bool> along;  // of a collective: the axes along which its participants lie; empty: all processes
  PeerRule to, from;        // `from` of receives and exchanges
  friend auto operator<=>(const Operation&, const Operation&) = default;
};

bool has_size(recorded::Step::Kind kind);
// Whether there is a process at the other end for a rank: a neighbour, or all who take part.
bool can_do(const Operation& operation, std::int64_t rank, const RankGrid& grid);

struct Node {
  bool is_loop = false;
  std::size_t number = 0;  // among calls, or among loops, in the order of the text

  // Of a call.
  Operation operation;
  std::set<std::size_t> ends;    // of a wait: the calls whose operations it ends
  bool is_conditional = false;   // some ranks that could do it do not
  bool varies = false;           // its size is another each time
  std::set<std::int64_t> ranks;  // that it was found on, while the tree is made

  // Of a loop.
  std::vector<Node> body;
  std::size_t rounds = 0;  // where it was found
};

struct Tree {
  std::vector<Node> nodes;
  std::size_t calls = 0, loops = 0;
};

// Numbers calls and loops in the order of the text.
void number(Tree& tree);

// What may be spent on looking for loops, in all runs together.
struct Budget {
  std::uint64_t comparisons = std::uint64_t{3} << 29;
};

// Loops in a row of calls, each written as a number: those first that shorten the row most. Leaves have these numbers
// as `number`. Nothing: that takes too many comparisons, which happens where calls do not repeat.
struct Folded {
  std::size_t symbol = 0;  // of a call
  std::size_t rounds = 0;  // of a loop; 0: this is a call
  std::vector<Folded> body;
};
std::optional<std::vector<Folded>> fold(const std::vector<std::uint32_t>& row, Budget& budget);

}  // namespace wave::analysis::inferred
