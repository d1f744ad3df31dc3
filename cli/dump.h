// `--dump`: the stages of the compiler as text.
#pragma once

#include "cli/options/model.h"
#include "cli/session.h"

#include <optional>
#include <string>

namespace wave::cli {

// Dump::ast or Dump::typed.
std::string dump_tree(const frontend::Program& program, Dump stage);
// The others. Nothing, with a diagnostic, where the stage is not there (`llvm` without the JIT).
std::optional<std::string> dump_system(Session& session, const EngineSettings& settings, const ir::System& system,
                                       Dump stage);

}  // namespace wave::cli
