// Where the time of a goal goes at one point, in a few words.
#pragma once

#include "cli/options.h"
#include "cli/session.h"

#include <string>
#include <vector>

namespace wave::cli {

// Of an output of dimension time by its name: "computation 84 %", "overhead 9 %": the kinds along a critical path where
// a process is behind it, else the parameters and literals that carry the time; the largest few. `values` are "n=32".
// Empty: it is not found in `seconds`, or is no such output.
std::vector<std::string> largest_parts(Session& session, const frontend::Item& model, const StudyChoice& choice,
                                       const std::string& output, const std::vector<std::string>& values,
                                       double seconds);

}  // namespace wave::cli
