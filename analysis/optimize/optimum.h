// What a search found, as columns and in words.
#pragma once

#include "analysis/optimize/ask_problem.h"
#include "analysis/optimize/optimize.h"
#include "analysis/tables/row_table.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wave::analysis {

// What is said of a method, and of what is proved, in one word: "exhaustive", "all points". Scripts read these.
const char* word_of(Method method);
const char* word_of(Proof proof);

// What whoever asks calls the limits of a search.
struct SearchWords {
  std::string time = "--budget", points = "--points";
};

// The best, one after the other.
Points points_of(const AskedProblem& asked, const std::vector<Candidate>& best);
// From 1. Those with the same costs have the same place.
std::vector<std::int64_t> places(const std::vector<Candidate>& best);
// With one goal a cost that no point is known to go below: of the best itself where that is proved.
std::optional<double> bound_of(const SearchOutcome& outcome);

// What limits each of the best, and the largest parts of its time: of the first few, as far as there is time.
struct Explained {
  std::vector<std::optional<LimitedBy>> limits;
  std::vector<std::vector<std::string>> parts;  // "compute 98 %"
};
// The largest parts of the time of the first goal with these values, "n=32", if they are found within `seconds`.
using FindParts = std::function<std::vector<std::string>(const std::vector<std::string>& values, double seconds)>;
// It takes a part of what the search was allowed to take. `stop` ends it. The limits of all come before the first
// parts.
Explained explain(const AskedProblem& asked, const std::vector<Candidate>& best, double budget_seconds,
                  const std::atomic<bool>& stop, const FindParts& find_parts);
// "n * m <= 16", "k is the smallest tried".
std::vector<std::string> limits_text(const AskedProblem& asked, const LimitedBy& limits);

// method, proof, points (infinite where a variable has an interval), looked_at (points whose constraints were
// evaluated), evaluated, satisfying, failed, as_good_as_the_last and, with one goal, bound: no point is better.
RowTable outcome_table(const AskedProblem& asked, const SearchOutcome& outcome);

// How many points there are, how many were evaluated, whether the best is proved, and what failed; a sentence each. The
// first is about the proof.
std::vector<std::string> statements_of(const AskedProblem& asked, const SearchOutcome& outcome,
                                       const SearchWords& words = {});
// What failed, a sentence each: "12 points failed: E0512: ...".
std::vector<std::string> failure_texts(const AskedProblem& asked, const SearchOutcome& outcome);

// Nothing satisfies the constraints, or what does fails: why, as far as it is known.
void report_nothing(const AskedProblem& asked, const SearchOutcome& outcome, const SearchWords& words,
                    frontend::Diagnostics& diagnostics);

}  // namespace wave::analysis
