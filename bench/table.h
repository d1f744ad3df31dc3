// Tables in which every row is measured beside its peers, in the same run, with ratios and what they should be.
#pragma once

#include "bench/timing.h"

#include <functional>
#include <string>
#include <vector>

namespace wave::bench {

// Gives a value that must be the same of all in a row. `before`: see Timed.
struct Contender {
  std::function<double()> work;  // empty: there is no such peer for this row
  std::function<void()> before = {};
};

struct Peer {
  Contender contender;
  double target = 0;  // of the ratio, its seconds to ours; 0: none
  double units = 0;   // that it works on, where it is given less than we are; 0: as many
  bool compared = true;
};

class Table {
 public:
  // "Gcells/s" of `unit` = 1e9; one column a peer. Prints the header.
  Table(const std::string& title, const std::string& first, const std::string& rate, double unit,
        const std::vector<std::string>& peers, Clock clock = Clock::cpu);
  // One row. `units`: cells, blocks, ... in one run.
  void row(const std::string& name, double units, const Contender& ours, const std::vector<Peer>& peers,
           double budget = 1.5);
  // Whether all values agreed, so far, in all tables.
  static bool agreed();

 private:
  double unit_;
  std::size_t peers_;
  Clock clock_;
};

// Ends the program, with both values, unless they are the same doubles.
void require_same(const std::string& what, double value, double expected);

}  // namespace wave::bench
