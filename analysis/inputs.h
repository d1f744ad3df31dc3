// What the outputs of a lowered model are computed from: what carries time into them, and which parameters change
// nothing. It follows what reads what in the system, and never tries other values.
#pragma once

#include "frontend/lower/lower.h"
#include "ir/system.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace wave::analysis {

// --- what a value looks at ---

struct Reached {
  std::set<ir::DefinitionId> definitions;
  std::set<ir::TableId> tables;
  std::set<ir::EventId> events;
  std::set<ir::ValueId> measures;  // what is asked of processes
};

// Everything that the evaluation of a value may look at. What processes and the extents of grids are made of counts
// only if `with_grids`. The walk does not look behind the definitions for which `ends_at` holds.
Reached reach(const ir::System& system, ir::ValueId from, const std::function<bool(ir::DefinitionId)>& ends_at = {},
              bool with_grids = false);

// Something of a process that decides what its program does: how often, to whom and in which branch, without what takes
// time in it and how large its messages are. Of a measure that is counted, also how large they are.
struct Decision {
  Location location;
  std::string what;  // "how many tiles there are"
  std::set<ir::DefinitionId> from;
};
// All of the processes of these measures. What the arguments of functions are is looked for at their calls.
std::vector<Decision> decisions_of(const ir::System& system, const std::set<ir::ValueId>& measures);
// What these values are computed from, also through the arguments of the functions that they stand in.
std::set<ir::DefinitionId> reach_through_calls(const ir::System& system, const std::vector<ir::ValueId>& values);
// How large the messages of a process are.
std::vector<ir::ValueId> sizes_of_messages(const ir::System& system, ir::ProcessId process);

// The questions to processes to which every evaluation of the value comes: those behind no condition, in no loop and in
// no process.
std::set<ir::ValueId> surely_asked(const ir::System& system, ir::ValueId from);

// The definitions that the values of outputs are computed from. What is only required (`require`, ranges of parameters)
// decides whether there is a value, not which one. It is looked at if `with_checks`.
std::set<ir::DefinitionId> looked_at(const frontend::Lowered& lowered, bool with_checks);

// --- inputs of time ---

// Something that carries time into a model: a parameter, a literal, a table, or a part of a process that varies over
// the grid.
struct Input {
  enum class Kind { parameter, literal, table, process, cut } kind{};
  std::string name;             // `net.L`, `23 us`
  Location location;            // of a literal or table, or the statement of a process
  int time = 1;                 // the exponent of time in its dimension
  ir::DefinitionId definition;  // of the root frame, bindable
  ir::TableId table;            // of a table: no definition
  double value = 0;             // once it has been evaluated; of a table 1
};

// The inputs of a system that was lowered with its literals as definitions. A parameter whose default is computed from
// other parameters is no input, but they are.
std::vector<Input> inputs_of(const frontend::Lowered& lowered);

// Adds the names at which an output cuts. What stands behind a cut no longer counts where it is reached through it.
void add_cuts(std::vector<Input>& inputs, const std::vector<frontend::CutInfo>& cuts);

// --- unused parameters ---

// A parameter that no value shown by an output is computed from.
struct UnusedParameter {
  std::string path;
  bool given = false;  // by -D
  std::string why;     // "nothing in `M` reads it"
};

// The unused parameters of a model all of whose outputs have been lowered, in their order. What is inside an unused
// machine or model is listed only if it was given.
std::vector<UnusedParameter> unused_parameters(const frontend::Lowered& lowered);

}  // namespace wave::analysis
