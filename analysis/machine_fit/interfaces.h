// Fits what processes share to times of messages that several pairs exchange at once. Each class of sizes has its own
// numbers (pair_class.h); where one ends and the next begins is found from the data.
#pragma once

#include "analysis/machine_fit/machine_fit.h"
#include "analysis/machine_fit/pair_class.h"
#include "analysis/machine_fit/timings.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::analysis::machine_fit {

// Messages between two processes that share this level and no inner one.
struct PlaceFit {
  std::string level;  // empty: they share nothing
  std::vector<PairClass> classes;
  std::vector<int> pairs;  // those measured, from the fewest on
  int servers = 1;
  bool servers_told = false;  // whether the data tell them from one that is as many times as fast

  bool is_shared() const { return pairs.size() > 1; }
  bool has_streams() const;  // whether streams were measured, so that a process has a limit of its own
};

struct InterfaceFit {
  std::vector<PlaceFit> places;  // the innermost level first
  std::vector<WildTime> wild;
  std::vector<std::string> notes;  // for people: what the data do not tell, and what is written instead
};

// The numbers of a place, as the machine has them: "L_2", "G_N_node_1". What the data do not tell has no error.
std::vector<MachineParameter> parameters_of(const PlaceFit& place);
// What the names of a class end in: "_2", "_node_1".
std::string end_of_names(const PlaceFit& place, std::size_t k);

// Whether several pairs at once, or several places, were measured.
bool has_interfaces(const Timings& timings);

// If there is too little data, there are diagnostics and no result.
std::optional<InterfaceFit> fit_interfaces(const Timings& timings, frontend::Diagnostics& diagnostics);

}  // namespace wave::analysis::machine_fit
