// Which of a model's processes are meant, and whether what the model requires of its parameters holds for them.
#pragma once

#include "backend/engine.h"
#include "frontend/lower/lower.h"

#include <string>
#include <vector>

namespace wave::analysis {

// Those with this name, or all if it is empty: `transport` may stand for `sweep.transport`, a process of a model
// inside. Where there is none, the diagnostics say which there are.
std::vector<frontend::ProcessInfo> choose_processes(const std::string& wanted, const frontend::Item& model,
                                                    const std::vector<frontend::ProcessInfo>& all,
                                                    frontend::Diagnostics& diagnostics);

// Of several processes those that the evaluation of the outputs comes to, since the text may name others that a
// condition did not choose. All of them if it comes to none, or meets a limit.
std::vector<frontend::ProcessInfo> evaluated_processes(const frontend::Lowered& lowered,
                                                       std::vector<frontend::ProcessInfo> processes,
                                                       const backend::Limits& limits);

// The model's requirements must hold before its processes are asked about.
void check_requirements(const frontend::Lowered& lowered, const std::vector<frontend::ProcessInfo>& processes,
                        const backend::Limits& limits, frontend::Diagnostics& diagnostics);

}  // namespace wave::analysis
