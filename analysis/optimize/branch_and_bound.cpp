// Divides boxes of points, the most promising first. A box is left out if its bounds say that each of its points is
// worse than what was found, breaks a constraint or fails. A small box is evaluated point by point. See oracle.h.
#include "analysis/optimize/oracle.h"
#include "analysis/optimize/problem.h"

#include <algorithm>
#include <cmath>
#include <queue>

namespace wave::analysis {
namespace {

constexpr std::size_t most_open = std::size_t{1} << 18;
constexpr double smallest_leaf = 1, largest_leaf = 4096;
constexpr std::size_t largest_group = 4096;
constexpr double narrow = 1e-12;  // an interval that is no longer divided, relative to what it was

struct Open {
  Box box;
  std::vector<double> lower;  // of the costs
  std::uint64_t number = 0;
};
struct Later {
  bool operator()(const Open& a, const Open& b) const {
    return a.lower != b.lower ? a.lower > b.lower : a.number > b.number;
  }
};

class Search {
 public:
  Search(Oracle& oracle, const Best& known)
      : oracle_(oracle), problem_(oracle.problem()), known_(known), pending_(problem_.domains.size()) {}

  BoundedEnd run() {
    if (problem_.size() > 0) open(problem_.whole());
    while (!queue_.empty() || !stack_.empty()) {
      if (oracle_.ended()) return end(false);
      Open next = take();
      if (is_excluded(next.lower)) {
        oracle_.skip(points_of(next.box));
      } else if (points_of(next.box) <= leaf_size()) {
        add_points(next);
        if (pending_.size() >= group_size() && !flush()) return end(false);
      } else if (!divide(next)) {
        return end(false);
      }
    }
    return end(flush());
  }

 private:
  bool is_interval(std::size_t i) const { return problem_.domains[i].is_interval; }

  // The number of points in a box; infinite if one of its intervals can still be divided.
  double points_of(const Box& box) const {
    double points = 1;
    for (std::size_t i = 0; i < box.low.size(); ++i) {
      if (is_interval(i))
        points *= is_narrow(box, i) ? 1 : infinity;
      else
        points *= box.high[i] - box.low[i] + 1;
    }
    return points;
  }
  bool is_narrow(const Box& box, std::size_t i) const {
    return box.high[i] - box.low[i] <= narrow * (problem_.domains[i].high - problem_.domains[i].low);
  }

  // The size of a box whose points are evaluated in less time than another division takes.
  double leaf_size() const {
    const double point = oracle_.seconds_to_evaluate();
    if (point <= 0 || bounds_ == 0) return 64;
    return std::clamp(4 * bound_seconds_ / static_cast<double>(bounds_) / point, smallest_leaf, largest_leaf);
  }
  // Slow points are evaluated as soon as they are found, so that they help to exclude others.
  std::size_t group_size() const {
    const double point = std::max(oracle_.seconds_to_evaluate(), 1e-9);
    return static_cast<std::size_t>(std::clamp(0.02 / point, 1.0, static_cast<double>(largest_group)));
  }

  bool is_excluded(const std::vector<double>& lower) const {
    return oracle_.best.excludes(lower) || known_.excludes(lower);
  }
  // Over intervals, a proof to the last bit would take for ever.
  bool is_good_enough(const std::vector<double>& lower) const {
    if (!problem_.has_intervals() || lower.size() != 1) return false;
    const double least = std::min(oracle_.best.least(), known_.least());
    return least < infinity && lower[0] >= least - oracle_.options().tolerance * std::fabs(least);
  }
  Open take() {
    if (!stack_.empty()) {
      Open next = std::move(stack_.back());
      stack_.pop_back();
      return next;
    }
    Open next = queue_.top();
    queue_.pop();
    return next;
  }

  void open(Box box) {
    const double begin = oracle_.seconds();
    const auto bounds = problem_.bound(box);
    bound_seconds_ += oracle_.seconds() - begin;
    ++bounds_;
    ++oracle_.outcome.boxes;
    Open one{std::move(box), std::vector<double>(oracle_.goals(), -infinity), next_number_++};
    if (bounds) {
      if (bounds->violated != 0) return oracle_.exclude(points_of(one.box), bounds->violated);
      bool empty = bounds->fails;
      for (std::size_t k = 0; k < one.lower.size(); ++k) {
        const ir::Interval range = bounds->goals[k];
        empty = empty || range.low > range.high;
        one.lower[k] = problem_.maximize[k] ? -range.high : range.low;
      }
      if (empty) return oracle_.skip(points_of(one.box));
    }
    if (is_excluded(one.lower)) return oracle_.skip(points_of(one.box));
    if (is_good_enough(one.lower)) {
      left_ = std::min(left_, one.lower[0]);
      return;
    }
    if (queue_.size() >= most_open)
      stack_.push_back(std::move(one));
    else
      queue_.push(std::move(one));
  }

  // The variable to divide: words and machines first, then the one whose values have the largest ratio, since costs are
  // mostly products. Nothing if the box is one point.
  std::optional<std::size_t> widest(const Box& box) const {
    std::optional<std::size_t> best;
    double width = 0;
    for (std::size_t i = 0; i < box.low.size(); ++i) {
      if (!(box.low[i] < box.high[i]) || (is_interval(i) && is_narrow(box, i))) continue;
      const Domain& domain = problem_.domains[i];
      double own = infinity;
      if (domain.is_number) {
        const double a = domain.value(box.low[i]), b = domain.value(box.high[i]);
        const double least = std::min(std::fabs(a), std::fabs(b)), most = std::max(std::fabs(a), std::fabs(b));
        own = a * b > 0 ? std::log(most / least) : 50 + std::log(most + 1);
        own = std::max(own, 1e-15);
      }
      if (best && own <= width) continue;
      best = i;
      width = own;
    }
    return best;
  }

  // The last coordinate of the lower half.
  double cut(const Box& box, std::size_t i) const {
    const Domain& domain = problem_.domains[i];
    const double low = box.low[i], high = box.high[i];
    if (!domain.is_number) return low;
    const double a = domain.value(low), b = domain.value(high);
    const bool geometric = a * b > 0 && std::max(a, b) / std::min(a, b) > 4 && a > 0;
    if (domain.is_interval) return geometric ? std::sqrt(a) * std::sqrt(b) : low + (high - low) / 2;
    double middle = std::floor((low + high) / 2);
    if (geometric) {
      const double wanted = std::sqrt(a) * std::sqrt(b);
      double from = low, to = high - 1;  // for lists that rise or fall; otherwise any cut is as good
      while (from < to) {
        const double at = std::floor((from + to) / 2);
        const bool beyond = a < b ? domain.value(at + 1) > wanted : domain.value(at + 1) < wanted;
        if (beyond)
          to = at;
        else
          from = at + 1;
      }
      middle = from;
    }
    return std::clamp(middle, low, high - 1);
  }

  // False if the search has to end.
  bool divide(const Open& parent) {
    const auto axis = widest(parent.box);
    if (!axis) {
      add_points(parent);
      return true;
    }
    if (problem_.has_intervals() && !try_middle(parent)) return false;
    const double at = cut(parent.box, *axis);
    Box low = parent.box, high = parent.box;
    low.high[*axis] = at;
    high.low[*axis] = is_interval(*axis) ? at : at + 1;
    open(std::move(low));
    open(std::move(high));
    return true;
  }

  // Evaluates a point of a box of intervals, so that there is something to compare other boxes with.
  bool try_middle(const Open& parent) {
    Points middle(parent.box.low.size());
    std::vector<double> at = parent.box.low;
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (is_interval(i))
        at[i] = parent.box.low[i] + (parent.box.high[i] - parent.box.low[i]) / 2;
      else if (parent.box.low[i] < parent.box.high[i])
        return true;
    }
    middle.add(at);
    return oracle_.ask(middle);
  }

  void add_points(const Open& leaf) {
    pending_lower_ = std::min(pending_lower_, leaf.lower[0]);
    std::vector<double> at = leaf.box.low;
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (is_interval(i)) at[i] = leaf.box.low[i] + (leaf.box.high[i] - leaf.box.low[i]) / 2;
    }
    for (bool more = true; more;) {
      pending_.add(at);
      more = false;
      for (std::size_t i = at.size(); i-- > 0 && !more;) {
        if (is_interval(i)) continue;
        if (at[i] < leaf.box.high[i]) {
          at[i] += 1;
          more = true;
        } else {
          at[i] = leaf.box.low[i];
        }
      }
    }
    if (problem_.has_intervals()) left_ = std::min(left_, leaf.lower[0]);
  }

  bool flush() {
    if (!oracle_.ask(pending_)) return false;
    pending_.clear();
    pending_lower_ = infinity;
    return true;
  }

  BoundedEnd end(bool complete) {
    double lower = std::min(left_, complete ? infinity : pending_lower_);
    if (!queue_.empty()) lower = std::min(lower, queue_.top().lower[0]);
    for (const Open& one : stack_) lower = std::min(lower, one.lower[0]);
    return {complete, left_ < infinity, lower};
  }

  Oracle& oracle_;
  Problem& problem_;
  const Best& known_;
  std::priority_queue<Open, std::vector<Open>, Later> queue_;
  std::vector<Open> stack_;
  Points pending_;
  double pending_lower_ = infinity;
  double left_ = infinity;  // the least cost in what was left out within the tolerance
  double bound_seconds_ = 0;
  std::uint64_t bounds_ = 0, next_number_ = 0;
};

}  // namespace

BoundedEnd branch_and_bound(Oracle& oracle, const Best& known) { return Search(oracle, known).run(); }

}  // namespace wave::analysis
