// Tables in which every row is measured together with its peers, in the same run, with ratios and targets for them.
#pragma once

#include "bench/timing.h"

#include <functional>
#include <string>
#include <vector>

namespace wave::bench {

// Returns a value that must be the same for all in a row. For `before` see Timed.
struct Contender {
  std::function<double()> work;  // empty if this row has no such peer
  std::function<void()> before = {};
};

struct Peer {
  Contender contender;
  double target = 0;  // for the ratio of its seconds to ours; 0: no target
  double units = 0;   // the units that it works on, if they are fewer than ours; 0: as many
  bool compared = true;
};

class Table {
 public:
  // Prints the header. The speeds are in "Gcells/s" with `unit` = 1e9, and each peer has a column.
  Table(const std::string& title, const std::string& first, const std::string& rate, double unit,
        const std::vector<std::string>& peers, Clock clock = Clock::cpu);
  // Measures one row. `units` are the cells, blocks, ... in one run.
  void row(const std::string& name, double units, const Contender& ours, const std::vector<Peer>& peers,
           double budget = 1.5);
  // Whether all values in all tables agreed so far.
  static bool agreed();

 private:
  double unit_;
  std::size_t peers_;
  Clock clock_;
};

// Ends the program and prints both values, unless they are the same doubles.
void require_same(const std::string& what, double value, double expected);

}  // namespace wave::bench
