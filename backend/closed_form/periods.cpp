// A scalar repeats if all its parts do. Whole numbers, and reals that are exact, may also grow by the same amount from
// period to period. A comparison of such numbers repeats as long as it has one answer; otherwise the range is split.
// The numbers rise or fall along a residue, so if they do not overflow at either end, they do not overflow in between.
#include "backend/closed_form/periods.h"

#include "backend/closed_form/repeat.h"
#include "backend/closed_form/thresholds.h"
#include "ir/operations.h"
#include "ir/visit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wave::backend::closed_form {

using ir::BinaryOp;
using ir::ScalarType;
using ir::UnaryOp;
using ir::ValueId;

namespace {

constexpr double exact_integers = 0x1p53;

// Functions give nothing where nothing is found to repeat; the range may then have to be split.
class Analysis {
 public:
  Analysis(const ir::System& system, const Surroundings& surroundings, LooksAt& looks_at, ir::BinderId axis,
           std::int64_t first, std::int64_t last)
      : system_(system), looks_at_(looks_at), axis_(axis), first_(first), last_(last), scalars_(system, surroundings) {}

  std::optional<Repeat> of(ValueId value) {
    if (const auto known = known_.find(value); known != known_.end()) return known->second;
    const std::vector<ir::BinderId>* const binders = looks_at_.binders(value);
    if (!binders) return std::nullopt;
    Repeat result;
    if (std::binary_search(binders->begin(), binders->end(), axis_)) {
      const auto found = special(value);
      if (!found || (!found->only_repeats() && !are_exact_at_ends(value, *found))) return std::nullopt;
      result = *found;
    }
    return known_[value] = result;
  }

  // The first index of the second part, where a comparison has two answers.
  std::optional<std::int64_t> split() const { return split_; }

 private:
  // The values in the first and in the last period.
  struct Ends {
    std::vector<ir::Scalar> front, back;
  };

  std::optional<Ends> ends(ValueId value, std::int64_t period) {
    if (2 * period > last_ - first_ + 1) return std::nullopt;
    if (period != bound_period_) {
      std::vector<std::int64_t> indices;
      for (std::int64_t i = 0; i < period; ++i) indices.push_back(first_ + i);
      const std::int64_t rounds = (last_ - first_ + 1 - period) / period;
      for (std::int64_t i = 0; i < period; ++i) indices.push_back(first_ + rounds * period + i);
      // The last, incomplete period is one more step away.
      for (std::int64_t i = 0; i < period; ++i) indices.push_back(std::min(last_, first_ + (rounds + 1) * period + i));
      scalars_.bind(axis_, std::move(indices));
      bound_period_ = period;
    }
    const LaneValues* const lanes = scalars_.evaluate(value);
    if (!lanes || lanes->any_failed()) return std::nullopt;
    Ends result;
    const std::int64_t rest = (last_ - first_ + 1) % period;
    for (std::int64_t i = 0; i < period; ++i) {
      result.front.push_back(lanes->scalar(static_cast<std::size_t>(i)));
      result.back.push_back(lanes->scalar(static_cast<std::size_t>((i < rest ? 2 : 1) * period + i)));
    }
    return result;
  }

  bool are_exact_at_ends(ValueId value, const Repeat& repeat) {
    const auto at = ends(value, repeat.period);
    if (!at) return false;
    if (system_[value].type == ScalarType::integer) return true;  // nothing failed there
    for (const auto* side : {&at->front, &at->back}) {
      for (const ir::Scalar& x : *side) {
        if (!(std::fabs(x.real) < exact_integers * repeat.granularity)) return false;
      }
    }
    return true;
  }

  std::optional<double> magnitude(ValueId value, std::int64_t period) {
    const auto at = ends(value, period);
    if (!at) return std::nullopt;
    double result = 0;
    for (const auto* side : {&at->front, &at->back}) {
      for (const ir::Scalar& x : *side)
        result = std::max(result, std::fabs(x.type == ScalarType::real ? x.real : static_cast<double>(x.integer)));
    }
    return result;
  }

  std::optional<Repeat> special(ValueId value) {
    const ir::Node& node = system_[value].node;
    if (std::holds_alternative<ir::Index>(node)) return Repeat{1, 1, 0, 0};
    if (const auto* n = std::get_if<ir::Unary>(&node)) return unary(*n);
    if (const auto* n = std::get_if<ir::Binary>(&node)) return binary(*n);
    if (const auto* n = std::get_if<ir::Select>(&node)) return select(*n);
    if (const auto* n = std::get_if<ir::Maximum>(&node)) return extremum(n->operands);
    if (const auto* n = std::get_if<ir::Minimum>(&node)) return extremum(n->operands);
    if (const auto* n = std::get_if<ir::Check>(&node)) {
      const auto condition = of(n->condition);
      const auto checked = condition ? of(n->value) : std::nullopt;
      return checked ? with_period_of(*checked, *condition) : std::nullopt;
    }
    // Everything else is a function of its operands.
    std::optional<Repeat> result = Repeat{};
    ir::for_each_operand(node, [&](ValueId operand) {
      const auto x = result ? of(operand) : std::nullopt;
      result = x && x->only_repeats() ? with_period_of(*result, *x) : std::nullopt;
    });
    return result;
  }

  std::optional<Repeat> unary(const ir::Unary& n) {
    if (n.op == UnaryOp::floor || n.op == UnaryOp::ceil) return rounded(n.operand);
    const auto found = of(n.operand);
    if (!found) return std::nullopt;
    Repeat x = *found;
    if (x.only_repeats()) return Repeat{x.period};
    switch (n.op) {
      case UnaryOp::negate: x.step = -x.step, x.real_step = -x.real_step; return x;
      case UnaryOp::to_real: {
        const auto largest = magnitude(n.operand, x.period);
        if (!largest || !(*largest < exact_integers)) return std::nullopt;
        return Repeat{x.period, 0, static_cast<double>(x.step), 1};
      }
      case UnaryOp::floor:
      case UnaryOp::ceil:
      case UnaryOp::absolute:
      case UnaryOp::round:
      case UnaryOp::to_integer:
      case UnaryOp::logical_not:
      case UnaryOp::square_root:
      case UnaryOp::quantize:
      case UnaryOp::quantum_of:
#define WAVE_CALLED(name, ...) case UnaryOp::name:
#include "ir/operations.def"
        break;
    }
    return std::nullopt;
  }

  // floor or ceil.
  std::optional<Repeat> rounded(ValueId operand) {
    const auto* const n = std::get_if<ir::Binary>(&system_[operand].node);
    if (!n || n->op != BinaryOp::divide) return rounded_real(operand);
    const auto a = of(n->left);
    const auto b = a ? of(n->right) : std::nullopt;
    if (!b) return std::nullopt;
    if (a->only_repeats() || !b->only_repeats() || b->period != 1 || a->granularity < 1) return rounded_real(operand);
    const auto fixed_divisor = fixed(n->right, *b);
    if (!fixed_divisor) return std::nullopt;
    const double divisor = fixed_divisor->real;
    const bool is_small_whole = divisor != 0 && divisor == std::trunc(divisor) &&
                                !(std::fabs(divisor) > static_cast<double>(longest_period)) &&
                                std::fabs(a->real_step) < 0x1p60;
    if (!is_small_whole) return rounded_real(operand);
    const auto largest = magnitude(n->left, a->period);
    if (!largest) return std::nullopt;
    return *largest < exact_integers ? rounded_quotient(*a, static_cast<std::int64_t>(divisor)) : rounded_real(operand);
  }

  // Whole steps move the result by as much.
  std::optional<Repeat> rounded_real(ValueId operand) {
    auto x = of(operand);
    if (!x) return std::nullopt;
    if (x->only_repeats()) return Repeat{x->period};
    const double least = lowest_bit(x->real_step);
    if (least < 1) {
      if (!(1 / least <= static_cast<double>(longest_period))) return std::nullopt;
      x = stretched_by(*x, static_cast<std::int64_t>(1 / least));
    }
    if (!x || !(std::fabs(x->real_step) < 0x1p62)) return std::nullopt;
    return Repeat{x->period, static_cast<std::int64_t>(x->real_step), 0, 0};
  }

  std::optional<Repeat> binary(const ir::Binary& n) {
    const auto a = of(n.left);
    const auto b = a ? of(n.right) : std::nullopt;
    const auto of_both = b ? with_period_of(Repeat{a->period}, *b) : std::nullopt;
    if (!of_both || (a->only_repeats() && b->only_repeats())) return of_both;
    const bool is_real = system_[n.left].type == ScalarType::real;
    switch (n.op) {
      case BinaryOp::add:
      case BinaryOp::subtract: return is_real ? real_sum(n, *a, *b) : whole_sum(n.op, *a, *b);
      case BinaryOp::multiply:
      case BinaryOp::divide: return is_real ? real_multiple(n, *a, *b) : multiple(n, *a, *b);
      case BinaryOp::floor_divide:
      case BinaryOp::modulo: return is_real ? std::nullopt : quotient(n, *a, *b);
      case BinaryOp::less:
      case BinaryOp::less_equal:
      case BinaryOp::greater:
      case BinaryOp::greater_equal:
      case BinaryOp::equal:
      case BinaryOp::not_equal: return comparison(n, *a, *b);
      case BinaryOp::power_integer:
      case BinaryOp::power_real:
      case BinaryOp::round_to:
      case BinaryOp::logical_and:
      case BinaryOp::logical_or: break;
    }
    return std::nullopt;
  }

  // Multiples of the finer granularity; are_exact_at_ends sees that they stay small enough to be exact.
  std::optional<Repeat> real_sum(const ir::Binary& n, const Repeat& a, const Repeat& b) {
    const auto granularity = finer_granularity(n.left, a, n.right, b);
    const auto both = granularity ? paired(a, b) : std::nullopt;
    if (!both) return std::nullopt;
    const double x = both->left.real_step, y = both->right.real_step;
    return Repeat{both->period(), 0, n.op == BinaryOp::add ? x + y : x - y, *granularity};
  }

  std::optional<double> finer_granularity(ValueId left, const Repeat& a, ValueId right, const Repeat& b) {
    const auto y = granularity_of(right, b);
    const auto x = y ? granularity_of(left, a) : std::nullopt;
    return x ? std::optional(std::min(*x, *y)) : std::nullopt;
  }

  std::optional<double> granularity_of(ValueId value, const Repeat& repeat) {
    if (!repeat.only_repeats()) return repeat.granularity;
    const auto at = ends(value, repeat.period);
    if (!at) return std::nullopt;
    double result = 0x1p1000;
    for (const ir::Scalar& x : at->front) {
      if (!std::isfinite(x.real)) return std::nullopt;
      if (x.real != 0) result = std::min(result, lowest_bit(x.real));
    }
    return result;
  }

  std::optional<ir::Scalar> fixed(ValueId value, const Repeat& repeat) {
    if (repeat.period != 1 || !repeat.only_repeats()) return std::nullopt;
    const auto at = ends(value, 1);
    return at ? std::optional(at->front.front()) : std::nullopt;
  }

  std::optional<Repeat> multiple(const ir::Binary& n, const Repeat& a, const Repeat& b) {
    const bool left_moves = !a.only_repeats();
    Repeat result = left_moves ? a : b;
    const auto factor = fixed(left_moves ? n.right : n.left, left_moves ? b : a);
    if (!factor || __builtin_mul_overflow(result.step, factor->integer, &result.step)) return std::nullopt;
    return result;
  }

  // A product is exact where all its bits fit: then it is a multiple of the product of the granularities.
  std::optional<Repeat> real_multiple(const ir::Binary& n, const Repeat& a, const Repeat& b) {
    const bool left_moves = !a.only_repeats();
    if (n.op == BinaryOp::divide && !left_moves) return std::nullopt;
    const Repeat& moving = left_moves ? a : b;
    const auto other = fixed(left_moves ? n.right : n.left, left_moves ? b : a);
    if (!other) return std::nullopt;
    double factor = other->real;
    if (n.op == BinaryOp::divide) {
      if (factor == 0 || lowest_bit(factor) != std::fabs(factor)) return std::nullopt;
      factor = 1 / factor;
    }
    const auto largest = magnitude(left_moves ? n.left : n.right, moving.period);
    if (!largest) return std::nullopt;
    const double bit = lowest_bit(factor);
    const bool is_tame = bit > 0x1p-500 && bit < 0x1p500 && moving.granularity > 0x1p-500;
    if (!is_tame || !((*largest / moving.granularity) * (std::fabs(factor) / bit) < exact_integers))
      return std::nullopt;
    return Repeat{moving.period, 0, moving.real_step * factor, moving.granularity * bit};
  }

  std::optional<Repeat> quotient(const ir::Binary& n, const Repeat& a, const Repeat& b) {
    const auto divisor = fixed(n.right, b);
    if (!divisor || divisor->integer == 0 || divisor->integer == std::numeric_limits<std::int64_t>::min())
      return std::nullopt;
    const std::int64_t size = std::abs(divisor->integer);
    const std::int64_t factor = size / std::gcd(size, a.step);
    const auto x = factor > longest_period ? std::nullopt : stretched_by(a, factor);
    if (!x) return std::nullopt;
    return Repeat{x->period, n.op == BinaryOp::modulo ? 0 : x->step / divisor->integer, 0, 0};
  }

  // -1, 0 or 1.
  static int order(const ir::Scalar& a, const ir::Scalar& b) {
    if (a.type == ScalarType::integer) return a.integer < b.integer ? -1 : a.integer > b.integer;
    return a.real < b.real ? -1 : a.real > b.real;
  }

  // The difference moves by the same amount from period to period; where its sign is the same at both ends of a
  // residue, it is in between.
  std::optional<Repeat> comparison(const ir::Binary& n, const Repeat& a, const Repeat& b) {
    if (system_[n.left].type == ScalarType::boolean) return std::nullopt;
    const auto both = paired(a, b);
    if (!both || !(both->move_alike() || has_one_order(n.left, n.right, both->period()))) return std::nullopt;
    return Repeat{both->period()};
  }

  bool has_one_order(ValueId left, ValueId right, std::int64_t period) {
    const auto a = ends(left, period);
    const auto b = a ? ends(right, period) : std::nullopt;
    if (!b) return false;
    for (std::size_t i = 0; i < a->front.size(); ++i) {
      const ir::Scalar &x = a->front[i], &y = b->front[i];
      if (x.type == ScalarType::real && (std::isnan(x.real) || std::isnan(y.real))) return false;
      if (order(x, y) != order(a->back[i], b->back[i])) {
        split_ = crossing(left, right);
        return false;
      }
    }
    return true;
  }

  std::optional<int> order_at(std::int64_t index, ValueId left, ValueId right) {
    scalars_.bind(axis_, {index});
    bound_period_ = 0;
    const LaneValues* const a = scalars_.evaluate(left);
    const LaneValues* const b = a ? scalars_.evaluate(right) : nullptr;
    if (!b || a->any_failed() || b->any_failed()) return std::nullopt;
    return order(a->scalar(0), b->scalar(0));
  }

  // Somewhere in the range; exactly where the order changes, if it changes once.
  std::optional<std::int64_t> crossing(ValueId left, ValueId right) {
    const auto front = order_at(first_, left, right);
    const auto back = front ? order_at(last_, left, right) : std::nullopt;
    if (!back) return std::nullopt;
    if (*back == *front) return first_ + (last_ - first_) / 2 + 1;
    std::int64_t low = first_, high = last_;  // the order at `low` is that at the front
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      const auto there = order_at(middle, left, right);
      if (!there) return std::nullopt;
      (*there == *front ? low : high) = middle;
    }
    return high;
  }

  std::optional<Repeat> select(const ir::Select& n) {
    const auto condition = of(n.condition);
    if (!condition) return std::nullopt;
    if (condition->period == 1) {
      scalars_.bind(axis_, {first_});
      bound_period_ = 0;
      const LaneValues* const decided = scalars_.evaluate(n.condition);
      if (!decided || decided->any_failed()) return std::nullopt;
      return of(decided->scalar(0).boolean ? n.if_true : n.if_false);
    }
    const auto a = of(n.if_true);
    const auto b = a ? of(n.if_false) : std::nullopt;
    const auto both = b ? alike(n.if_true, *a, n.if_false, *b) : std::nullopt;
    return both ? with_period_of(*both, *condition) : std::nullopt;
  }

  // Two numbers that move alike.
  std::optional<Repeat> alike(ValueId left, const Repeat& a, ValueId right, const Repeat& b) {
    const auto both = paired(a, b);
    if (!both || !both->move_alike()) return std::nullopt;
    Repeat x = both->left;
    if (!x.only_repeats() && system_[left].type == ScalarType::real) {
      const auto granularity = finer_granularity(left, a, right, b);
      if (!granularity) return std::nullopt;
      x.granularity = *granularity;
    }
    return x;
  }

  std::optional<Repeat> extremum(const std::vector<ValueId>& operands) {
    auto result = of(operands.front());
    for (std::size_t i = 1; result && i < operands.size(); ++i) {
      const auto next = of(operands[i]);
      const auto both = next ? paired(*result, *next) : std::nullopt;
      if (!both) return std::nullopt;
      if (both->left.only_repeats() && both->right.only_repeats()) {
        result = Repeat{both->period()};
      } else {
        result = operands.size() > 2 ? std::nullopt : alike(operands.front(), *result, operands[i], *next);
      }
    }
    return result;
  }

  const ir::System& system_;
  LooksAt& looks_at_;
  ir::BinderId axis_;
  std::int64_t first_, last_;
  Scalars scalars_;
  std::int64_t bound_period_ = 0;
  std::unordered_map<ValueId, Repeat> known_;
  std::optional<std::int64_t> split_;
};

}  // namespace

std::optional<std::vector<Repetition>> repetitions(const ir::System& system, const Surroundings& surroundings,
                                                   LooksAt& looks_at, ValueId value, ir::BinderId axis,
                                                   std::int64_t first, std::int64_t last, std::int64_t length) {
  std::vector<Repetition> result;
  std::vector<std::pair<std::int64_t, std::int64_t>> pending{{first, last}};
  while (!pending.empty()) {
    const auto [from, to] = pending.back();
    pending.pop_back();
    const bool is_looked_into = to - from >= std::min(shortest_range_looked_into, length) && last - first >= length &&
                                result.size() + pending.size() <= most_ranges;
    if (is_looked_into) {
      Analysis analysis(system, surroundings, looks_at, axis, from, to);
      if (const auto repeat = analysis.of(value)) {
        const bool is_real = system[value].type == ScalarType::real;
        const double increment = is_real ? repeat->real_step : static_cast<double>(repeat->step);
        result.push_back({from, to, std::min(repeat->period, to - from + 1), increment, repeat->granularity});
        continue;
      }
      if (const auto at = analysis.split()) {
        pending.push_back({*at, to});
        pending.push_back({from, *at - 1});
        continue;
      }
    }
    if (to - from >= most_values) return std::nullopt;
    result.push_back({from, to, to - from + 1, 0, 0});
  }
  return result;
}

}  // namespace wave::backend::closed_form
