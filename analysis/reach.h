// What a value of a system is made of, through everything that its evaluation may look at.
#pragma once

#include "ir/system.h"

#include <functional>
#include <set>

namespace wave::analysis {

struct Reached {
  std::set<ir::DefinitionId> definitions;
  std::set<ir::TableId> tables;
  std::set<ir::ValueId> measures;  // what is asked of processes
};

// `ends_at`: definitions that are not looked behind. What a process is made of is not looked at.
Reached reach(const ir::System& system, ir::ValueId from, const std::function<bool(ir::DefinitionId)>& ends_at);

}  // namespace wave::analysis
