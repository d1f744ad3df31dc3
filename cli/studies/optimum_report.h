// What `wave optimize` says of what it found.
#pragma once

#include "analysis/optimize/optimum.h"
#include "cli/studies/ask_problem.h"
#include "cli/studies/point_table.h"

#include <string>
#include <vector>

namespace wave::cli {

struct Optimum {
  std::uint64_t seed;  // of the search
  const AskedProblem& asked;
  const analysis::SearchOutcome& outcome;
  analysis::Explained explained;
  std::size_t left_out = 0;  // points of a long front that are not shown
};

Document document_of(const Optimum& optimum, const std::string& file);

}  // namespace wave::cli
