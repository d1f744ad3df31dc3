// What a value of a system is made of, through everything that its evaluation may look at.
#pragma once

#include "frontend/lower/lower.h"
#include "ir/system.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace wave::analysis {

struct Reached {
  std::set<ir::DefinitionId> definitions;
  std::set<ir::TableId> tables;
  std::set<ir::ValueId> measures;  // what is asked of processes
};

// `ends_at`: definitions that are not looked behind. What a process is made of is not looked at.
Reached reach(const ir::System& system, ir::ValueId from, const std::function<bool(ir::DefinitionId)>& ends_at);

// What carries time into a model: parameters, literals, tables, and parts of processes that vary over the grid.

struct Input {
  enum class Kind { parameter, literal, table, process, cut } kind{};
  std::string name;             // `net.L`, `23 us`
  Place place;                  // of a literal or table, or the statement of a process
  int time = 1;                 // the exponent of time in its dimension
  ir::DefinitionId definition;  // of the root frame, bindable
  ir::TableId table;            // of a table: no definition
  double value = 0;             // once it has been evaluated; of a table 1
};

// Of a system that was lowered with its literals as definitions. A parameter whose default is made of other
// parameters is none, what it is made of counts; unless it is one of those `wanted`, which may be of any dimension.
std::vector<Input> inputs_of(const frontend::Lowered& lowered, const std::vector<std::string>& wanted = {});

// With the names at which an output cuts; what stands behind them counts no more where it is reached through them.
void add_cuts(std::vector<Input>& inputs, const std::vector<frontend::CutInfo>& cuts);

}  // namespace wave::analysis
