// See separate.h.
#include "analysis/machine_fit/separate.h"

#include "analysis/machine_fit/linear.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::analysis::machine_fit {
namespace {

// An assumption is exact; beside measurements it weighs so much more.
constexpr double exactness = 1e4;

}  // namespace

bool Separation::plausible() const {
  if (!all_determined) return false;
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (values[i] < 0) return false;
  }
  return true;
}

Separation separate(const std::vector<Intercept>& intercepts, const std::vector<Protocol>& protocols,
                    const std::vector<Assumption>& assumptions, bool requests_cost_overhead) {
  Separation result;
  result.names.push_back("L");
  const std::size_t eager = static_cast<std::size_t>(std::count(protocols.begin(), protocols.end(), Protocol::eager));
  const std::size_t rendezvous = protocols.size() - eager;
  const std::size_t classes = eager + (rendezvous > 1 ? rendezvous - 1 : 0) + (eager == 0 && rendezvous > 0 ? 1 : 0);
  for (std::size_t k = 1; k <= classes; ++k)
    result.names.push_back(classes == 1 ? std::string("o") : fmt::format("o_{}", k));

  const auto unknowns = static_cast<Eigen::Index>(result.names.size());
  const auto segments = static_cast<Eigen::Index>(intercepts.size());
  result.rows = Eigen::MatrixXd::Zero(segments, unknowns);
  Eigen::Index own = 0, largest_eager = std::max<Eigen::Index>(static_cast<Eigen::Index>(eager), 1),
               further = largest_eager;
  bool first_rendezvous = true;
  for (Eigen::Index k = 0; k < segments; ++k) {
    Eigen::Index overhead = 0;
    if (protocols[static_cast<std::size_t>(k)] == Protocol::eager) {
      overhead = ++own;
      result.rows(k, 0) = 1;
    } else {
      overhead = first_rendezvous ? largest_eager : ++further;
      first_rendezvous = false;
      result.rows(k, 0) = 3;
      if (requests_cost_overhead) result.rows(k, 1) += 3;
    }
    result.rows(k, overhead) += 2;
    result.overheads.push_back(result.names[static_cast<std::size_t>(overhead)]);
  }

  std::vector<std::pair<Eigen::Index, double>> assumed;
  for (const auto& one : assumptions) {
    for (Eigen::Index i = 0; i < unknowns; ++i) {
      const std::string& name = result.names[static_cast<std::size_t>(i)];
      if (name == one.name) assumed.emplace_back(i, one.value);
    }
  }
  const Eigen::Index equations = segments + static_cast<Eigen::Index>(assumed.size());
  Eigen::MatrixXd design = Eigen::MatrixXd::Zero(equations, unknowns);
  Eigen::VectorXd values(equations), weights(equations);
  design.topRows(segments) = result.rows;
  double least = intercepts.front().standard_error;
  for (Eigen::Index k = 0; k < segments; ++k) {
    const Intercept& one = intercepts[static_cast<std::size_t>(k)];
    // Noise-free times still have a width, that of rounding, so this is never zero.
    values[k] = one.value;
    weights[k] = 1 / (one.standard_error * one.standard_error);
    least = std::min(least, one.standard_error);
  }
  for (std::size_t i = 0; i < assumed.size(); ++i) {
    const Eigen::Index row = segments + static_cast<Eigen::Index>(i);
    design(row, assumed[i].first) = 1;
    values[row] = assumed[i].second;
    weights[row] = exactness * exactness / (least * least);
  }
  const LinearFit fit = solve_linear(design, values, weights);
  result.values = fit.values;
  result.covariance = fit.unscaled_covariance;
  result.determined = fit.determined;
  result.all_determined = std::all_of(fit.determined.begin(), fit.determined.end(), [](bool one) { return one; });
  return result;
}

std::string sum_of(const Eigen::RowVectorXd& row, const std::vector<std::string>& names) {
  std::string text;
  // Overheads first, as the papers write it.
  for (Eigen::Index i = 1; i <= row.size(); ++i) {
    const Eigen::Index at = i % row.size();
    const double factor = row[at];
    if (factor == 0) continue;
    if (!text.empty()) text += " + ";
    text += factor == 1 ? names[static_cast<std::size_t>(at)]
                        : fmt::format("{} {}", factor, names[static_cast<std::size_t>(at)]);
  }
  return text;
}

}  // namespace wave::analysis::machine_fit
