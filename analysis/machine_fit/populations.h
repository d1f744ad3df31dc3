// Files that are fitted together but were not measured between the same kind of processes: on one node and between
// nodes, say. A line through both describes neither.
#pragma once

#include "analysis/machine_fit/machine_fit.h"
#include "analysis/machine_fit/timings.h"

#include <Eigen/Core>

namespace wave::analysis::machine_fit {

// Warns about every measured quantity of which two files have different times.
void warn_of_populations(const Timings& timings, Tool tool, const frontend::Sources& sources,
                         frontend::Diagnostics& diagnostics);

// The times of empty messages, of each segment its line at size 0, as sums of latency and overheads: which of these the
// sums determine, and what they are.
//
// Of eager segments the sum is 2 o_k + L. Of a rendezvous segment it is 3 c + 3 L + 2 o, where c is what handling a
// request costs and o the overhead of the largest eager messages (PPoPP'99, eqs (1)-(4); c is the overhead of the
// smallest ones there). A further rendezvous segment has an overhead of its own.

struct Intercept {
  double value = 0, standard_error = 0;
};

struct Separation {
  std::vector<std::string> names;  // "L", "o_1", ...
  Eigen::VectorXd values;
  Eigen::MatrixXd covariance;
  std::vector<bool> determined;
  bool all_determined = false;
  Eigen::MatrixXd rows;                // of each segment, over the names
  std::vector<std::string> overheads;  // of each segment, the name of its overhead

  bool plausible() const;  // determined, and nothing negative
};

// Assumptions name "L" or "o_k"; with a single overhead, "o".
Separation separate(const std::vector<Intercept>& intercepts, const std::vector<ProtocolKind>& protocols,
                    const std::vector<Assumption>& assumptions, bool requests_cost_overhead);

// "2 o_1 + L"
std::string sum_of(const Eigen::RowVectorXd& row, const std::vector<std::string>& names);

}  // namespace wave::analysis::machine_fit
