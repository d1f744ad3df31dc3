// What a search found, as columns and in words.
#pragma once

#include "analysis/optimize/ask_problem.h"
#include "analysis/optimize/optimize.h"

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

// How long it may take to say what limits the best, and where their time goes, after a search of so many seconds.
double seconds_to_explain(double budget_seconds);
inline constexpr std::size_t most_rows_explained = 10;
// What limits the first few of the best, as far as the time suffices: none of the others. A neighbour is asked for in
// either direction of each variable. `stop` ends it.
std::vector<std::optional<LimitedBy>> find_limits(const AskedProblem& asked, const std::vector<Candidate>& best,
                                                  double seconds, const std::atomic<bool>& stop);
// "n * m <= 16", "k is the smallest tried".
std::vector<std::string> limits_text(const AskedProblem& asked, const LimitedBy& limits);

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
