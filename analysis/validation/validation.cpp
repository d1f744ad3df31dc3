// See validation.h.
#include "analysis/validation/validation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wave::analysis {
namespace {

// Two means differ if they are further apart than this many of the standard errors of their difference.
constexpr double clearly = 2;
constexpr double rounding = 1e-9;  // predictions that differ by less are equal

// The standard deviation of one measurement, of any configuration, as a part of what is measured. 0 where nothing was
// repeated.
double relative_spread(const std::vector<Pair>& pairs) {
  double squares = 0, freedom = 0;
  for (const Pair& one : pairs) {
    if (one.repetitions < 2) continue;
    const auto count = static_cast<double>(one.repetitions - 1);
    squares += count * std::pow(one.deviation / one.measured, 2);
    freedom += count;
  }
  return freedom > 0 ? std::sqrt(squares / freedom) : 0;
}

bool is_tied(const Pair& a, const Pair& b, double spread) {
  if (a.measured == b.measured) return true;
  const double variance = std::pow(spread * a.measured, 2) / static_cast<double>(a.repetitions) +
                          std::pow(spread * b.measured, 2) / static_cast<double>(b.repetitions);
  return std::abs(a.measured - b.measured) <= clearly * std::sqrt(variance);
}

double larger_by(double a, double b) { return std::max(a, b) / std::min(a, b) - 1; }

bool is_worse(const Inversion& a, const Inversion& b) { return a.measured > b.measured; }

// What a choice by the predictions costs.
void choose(Ranking& ranking, const std::vector<Pair>& pairs, const std::vector<std::size_t>& compared, Wanted wanted) {
  ranking.wanted = wanted;
  const auto best_by = [&](double Pair::* value) {
    return *std::min_element(compared.begin(), compared.end(), [&](auto a, auto b) {
      return wanted == Wanted::largest ? pairs[a].*value > pairs[b].*value : pairs[a].*value < pairs[b].*value;
    });
  };
  ranking.chosen = best_by(&Pair::predicted);
  ranking.best = best_by(&Pair::measured);
  ranking.loss = larger_by(pairs[ranking.chosen].measured, pairs[ranking.best].measured);
}

Ranking rank(const std::vector<Pair>& pairs, const std::vector<std::size_t>& compared, Wanted wanted) {
  Ranking result;
  const double spread = relative_spread(pairs);
  auto& worst = result.inversions;
  for (std::size_t x = 0; x < compared.size(); ++x) {
    for (std::size_t y = 0; y < x; ++y) {
      const Pair &a = pairs[compared[x]], &b = pairs[compared[y]];
      if (is_tied(a, b, spread)) {
        ++result.tied;
        continue;
      }
      ++result.distinguished;
      if (std::abs(a.predicted - b.predicted) <= rounding * std::abs(a.predicted)) continue;
      const bool a_is_predicted = a.predicted < b.predicted;
      if (a_is_predicted == (a.measured < b.measured)) {
        ++result.right;
        continue;
      }
      ++result.wrong;
      const Inversion one{a_is_predicted ? compared[x] : compared[y], a_is_predicted ? compared[y] : compared[x],
                          larger_by(a.predicted, b.predicted), larger_by(a.measured, b.measured)};
      if (worst.size() == most_inversions && !is_worse(one, worst.back())) continue;
      worst.insert(std::upper_bound(worst.begin(), worst.end(), one, is_worse), one);
      if (worst.size() > most_inversions) worst.pop_back();
    }
  }
  result.tau = result.distinguished > 0 ? (static_cast<double>(result.right) - static_cast<double>(result.wrong)) /
                                              static_cast<double>(result.distinguished)
                                        : std::numeric_limits<double>::quiet_NaN();
  choose(result, pairs, compared, wanted);
  return result;
}

}  // namespace

Validation validate(std::vector<Pair> pairs, Wanted wanted) {
  Validation result;
  result.pairs = std::move(pairs);
  std::vector<std::size_t> compared;
  double squares = 0;
  for (std::size_t i = 0; i < result.pairs.size(); ++i) {
    const double error = result.pairs[i].error();
    if (!std::isfinite(error)) continue;
    compared.push_back(i);
    result.mean_error += std::abs(error);
    result.bias += error;
    squares += error * error;
    if (compared.size() > 1 && std::abs(error) <= result.largest) continue;
    result.largest = std::abs(error);
    result.worst = i;
  }
  result.compared = compared.size();
  const auto count = static_cast<double>(compared.size());
  result.mean_error /= count;
  result.bias /= count;
  result.root_mean_square = std::sqrt(squares / count);
  result.has_ranking = compared.size() > 1 && compared.size() <= most_ranked;
  if (result.has_ranking) result.ranking = rank(result.pairs, compared, wanted);
  return result;
}

}  // namespace wave::analysis
