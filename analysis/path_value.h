// The critical path of a process as a value of the system: the sum of its weights, each times as often as it is on the
// path. As long as the path stays the longest, it changes as the process does.
#pragma once

#include "analysis/inputs.h"
#include "backend/processes/critical.h"
#include "ir/builder.h"
#include "ir/dependences.h"

namespace wave::analysis {

// What cannot be written as a weight that is the same everywhere becomes a definition of its own, listed in `varying`.
ir::ValueId path_value(ir::Builder& builder, const ir::FreeBinders& binders, const backend::processes::CriticalPath& path,
                       const std::string& process, std::vector<Input>& varying);

}  // namespace wave::analysis
