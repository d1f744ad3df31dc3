// From the options of `wave optimize` and `wave find` to a problem.
#pragma once

#include "analysis/optimize/ask_problem.h"
#include "cli/options.h"
#include "cli/session.h"

#include <optional>

namespace wave::cli {

using analysis::AskedProblem;

// `question` says what is wanted and what must hold; what may be chosen and what is shown are those of `choice`.
// `session` has loaded the file. Nothing, with diagnostics collected in the session, after an error.
std::optional<AskedProblem> ask_problem(Session& session, const StudyChoice& choice, analysis::ProblemQuestion question,
                                        double point_limit_seconds);

// How to go on where the time limit has ended a search.
inline constexpr const char* nothing_found = "nothing was found by then; give it more time, or fewer points to look at";
inline constexpr const char* found_so_far =
    "what was found by then is shown; give it more time, or fewer points to look at";

}  // namespace wave::cli
