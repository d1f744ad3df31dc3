// How processes and failures at their statements are shown.
#pragma once

#include "backend/processes/network.h"
#include "ir/failure.h"

#include <string>

namespace wave::backend::processes::compiled {

// As the user writes it: `P[2, 1]`.
std::string name_of(const NetworkInput& input, std::int64_t rank);
// At that statement, in that process.
ir::Failure failure_at(const NetworkInput& input, ir::FailureKind kind, std::int64_t rank,
                       const ir::Statement& statement);

}  // namespace wave::backend::processes::compiled
