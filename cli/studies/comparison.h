// What `wave compare` shows: sides at the parameters' values, over points, or where one overtakes the other.
#pragma once

#include "analysis/breakdown.h"
#include "cli/options.h"
#include "cli/results.h"
#include "cli/studies/sides.h"

namespace wave::cli {

// What is compared, and how it is shown.
struct Comparison {
  StudyChoice of;
  bool no_breakdown = false;
  std::uint64_t seed = 1;  // of orders of many changes
  Format format;
};

// Each adds its tables to the results. False after an error, which is collected in the session.
bool compare_values(Session& session, const frontend::Item& model, const Comparison& command,
                    const ComparedSides& sides, Results& results);
bool compare_points(Session& session, const Comparison& command, const ComparedSides& sides, Results& results);
// `crossover`: along what, "n" or "n=1..1024".
bool find_crossover(Session& session, const Comparison& command, const std::string& crossover, const TwoSides& sides,
                    Results& results);

// Of the second to the first.
inline double ratio(double first, double second) {
  return first == 0 ? (second == 0 ? 1 : second / first) : second / first;
}

// The text of a number with its unit, failures as their code.
std::string number_text(double value, const frontend::ColumnInfo& column);

// The parts of a difference, compared: `name`.parts and, along critical paths, `name`.path.
void add_parts(const frontend::Sources& sources, const analysis::Breakdown& first, const analysis::Breakdown& second,
               const std::string& name, const Side& first_side, const Side& second_side, Format format,
               Results& results);

// What each of the changes adds: the table `table`. `of`: the numbers; of each its difference from one side to the
// other.
void add_changes(const MixedSides& mixed, const std::vector<Number>& of, const std::string& table, Results& results);

}  // namespace wave::cli
