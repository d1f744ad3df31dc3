// What `wave optimize` says of what it found.
#pragma once

#include "analysis/optimize/optimize.h"
#include "cli/studies/ask_problem.h"
#include "cli/studies/point_table.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

struct Optimum {
  std::uint64_t seed;  // of the search
  const AskedProblem& asked;
  const analysis::SearchOutcome& outcome;
  // Of each of the best: what limits it, and where its time goes; may be of the first few.
  std::vector<std::optional<analysis::LimitedBy>> limits;
  std::vector<std::vector<std::string>> parts;
  std::size_t left_out = 0;  // points of a long front that are not shown
};

// How many points there are, how many were evaluated, and whether the best is proved; a sentence a line.
std::vector<std::string> statements_of(const Optimum& optimum);

Document document_of(const Optimum& optimum, const std::string& file);

// Nothing satisfies the constraints, or what does fails: why, as far as it is known. `time_option` gives it more time.
void report_nothing(const AskedProblem& asked, const analysis::SearchOutcome& outcome, const char* time_option,
                    frontend::Diagnostics& diagnostics);
// What failed, a sentence each: "12 points failed: E0512: ...".
std::vector<std::string> failure_texts(const AskedProblem& asked, const analysis::SearchOutcome& outcome);

}  // namespace wave::cli
