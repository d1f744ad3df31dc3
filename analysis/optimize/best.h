// The best points so far: the best few with one goal; with several, those that no other dominates.
#pragma once

#include "analysis/optimize/problem.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wave::analysis {

struct Candidate {
  std::vector<double> at;     // coordinates, see Points
  std::vector<double> costs;  // the goals, those to be large negated
  std::uint64_t equals = 0;   // of a front: other points with the same costs
};

// `a` is nowhere worse and somewhere better.
bool dominates(std::span<const double> a, std::span<const double> b);

// Ordered by cost, equal ones by their place in the product, so that it does not matter in which order they are found.
class Best {
 public:
  // `most` are kept of one goal; of several goals all (at most `most_of_front`). Coordinates of `intervals` do not tell
  // points apart: of points that differ in nothing else the better one is kept.
  Best(std::size_t goals, std::size_t most, std::vector<bool> intervals = {});

  // Each point is offered once, if `equals` are to be counted right. All costs are finite.
  void offer(std::span<const double> at, std::span<const double> costs);
  void merge(const Best& other);

  // With one goal the list; else the front by its first goal.
  std::vector<Candidate> sorted() const;
  bool empty() const { return list_.empty(); }
  // With one goal: points that are as good as the last of a full list, and not in it.
  std::uint64_t more_equals() const { return more_equals_; }
  // No point at which each goal costs at least this can be of interest. Ties are.
  bool excludes(std::span<const double> lower) const;
  // With one goal: a cost that what is still of interest does not exceed; infinite while the list is not full.
  double threshold() const;
  double least() const;  // of the first goal; infinite: nothing was found
  bool overflowed() const { return overflowed_; }

  static constexpr std::size_t most_of_front = 100'000;

 private:
  bool same_place(const Candidate& a, std::span<const double> at) const;
  void offer_to_list(Candidate&& one);
  void offer_to_front(Candidate&& one);

  std::size_t goals_, most_;
  std::vector<bool> intervals_;
  bool has_intervals_ = false;
  std::vector<Candidate> list_;
  std::uint64_t more_equals_ = 0;
  bool overflowed_ = false;
};

}  // namespace wave::analysis
