// The critical path of a process as a value of the system: the sum of its weights, each times the number of its
// occurrences on the path. As long as the path stays the longest, this value changes as the process does.
#pragma once

#include "analysis/reach.h"
#include "backend/processes/critical.h"
#include "ir/builder.h"
#include "ir/dependences.h"

namespace wave::analysis {

// `compute`, `overhead`, ...
const char* word_of(backend::processes::Cause::Kind kind);

// What looks at more than a process's place (at the tile, say) becomes a definition of its own, listed in `varying`.
ir::ValueId path_value(ir::Builder& builder, const ir::FreeBinders& binders, ir::ProcessId process,
                       const backend::processes::CriticalPath& path, std::vector<Input>& varying);

}  // namespace wave::analysis
