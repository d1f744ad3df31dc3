// How processes and failures at their statements are shown.
#pragma once

#include "backend/processes/program/input.h"
#include "ir/failure.h"

#include <string>

namespace wave::backend::processes::engine {

// As the user writes it: `P[2, 1]`.
std::string name_of(const ProgramInput& input, std::int64_t rank);
// At that statement, in that process.
ir::Failure failure_at(const ProgramInput& input, ir::FailureKind kind, std::int64_t rank,
                       const ir::Statement& statement);

}  // namespace wave::backend::processes::engine
