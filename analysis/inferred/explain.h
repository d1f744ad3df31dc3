// What a program's sizes, counts, conditions and computations are made of, over all runs.
#pragma once

#include "analysis/inferred/formulas.h"
#include "analysis/inferred/structure.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace wave::analysis::inferred {

// A size in bytes, or how often a loop turns.
struct Amount {
  std::optional<Formula> formula;
  std::vector<Formula> others;  // formulas that are as exact on these runs
  // Where there is none: what was seen, by run and rank; of several times the mean.
  std::vector<std::vector<double>> seen;
  std::set<std::size_t> runs;  // in which it was seen
  bool varies = false;         // from time to time on one rank
  bool is_by_turn = false;     // the formula is one of the turns of the loop around it
};

// Which ranks do a call that others leave out.
struct Condition {
  struct Term {
    enum class Kind : std::uint8_t {
      first,
      not_first,
      last,
      not_last,
      border,
      not_border,
      odd,
      even,
      below_last_even
    } kind{};
    std::size_t axis = 0;
    friend auto operator<=>(const Term&, const Term&) = default;
  };
  std::vector<Term> all;                 // hold together
  std::vector<std::vector<bool>> ranks;  // where no terms say it: by run and rank
};

// What is computed before a call. Calls that do the same behind calls that do the same have one.
struct Work {
  std::size_t group = 0;       // of such calls
  double ns = 0;               // of a unit of `per`
  std::optional<Formula> per;  // with a factor of 1; nothing: once
  double least = 0, most = 0;  // among runs and ranks, of a unit
  double share = 0;            // of all computations
};

struct Explained {
  std::vector<std::optional<Amount>> sizes;          // by call; nothing: it has none
  std::vector<Amount> rounds;                        // by loop
  std::vector<std::optional<Condition>> conditions;  // by call
  double left_out = 0;                               // of all computations: what has no line
  std::vector<std::optional<Work>> work;             // by call; nothing: less than is worth a line
};

// Of the runs that the structure has.
Explained explain(const Structure& structure, Formulas& formulas);

// How many sizes and counts differ from time to time without a formula, and how many have none.
struct Unexplained {
  std::size_t varying = 0, tables = 0;
};
Unexplained unexplained_of(const Explained& explained);

// By axis: the parameter of the runs that is its extent in all of them, of at least two; empty: there is none.
std::vector<std::string> given_extents(const Structure& structure, const Runs& runs);

// The processes of all runs that the structure has, run by run, rank by rank.
std::vector<Where> places_of(const Structure& structure, const Runs& runs);

}  // namespace wave::analysis::inferred
