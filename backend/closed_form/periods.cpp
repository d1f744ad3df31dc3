// A scalar repeats if all its parts do. Whole numbers, and reals that are exact, may also grow by the same amount from
// period to period. A comparison of such numbers repeats as long as it has one answer; otherwise the range is split.
// The numbers rise or fall along a residue, so if they do not overflow at either end, they do not overflow in between.
#include "backend/closed_form/periods.h"

#include "backend/closed_form/index_function.h"
#include "backend/closed_form/thresholds.h"
#include "ir/operations.h"
#include "ir/visit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace wave::backend::closed_form {

using ir::BinaryOp;
using ir::ScalarType;
using ir::UnaryOp;
using ir::ValueId;

namespace {

constexpr double exact_integers = 0x1p53;

struct Split {
  std::int64_t at;  // the first index of the second part
};

struct Repeat {
  std::int64_t period = 1;
  std::int64_t step = 0;  // of a whole number, per period
  double real_step = 0;   // of a real
  double granularity = 0;
  bool only_repeats() const { return step == 0 && real_step == 0; }
};

// The largest power of two that the number is a multiple of; 0 for 0 and what is not finite.
double lowest_bit(double x) {
  if (x == 0 || !std::isfinite(x)) return 0;
  int exponent = 0;
  const double mantissa = std::frexp(std::fabs(x), &exponent);
  const auto whole = static_cast<std::uint64_t>(std::ldexp(mantissa, 53));
  return std::ldexp(1.0, exponent - 53 + std::countr_zero(whole));
}

std::int64_t common(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b / std::gcd(a, b), &result) || result > longest_period) throw NotCovered{};
  return result;
}

class Analysis {
 public:
  Analysis(const ir::System& system, const Surroundings& surroundings, LooksAt& looks_at, ir::BinderId axis,
           std::int64_t first, std::int64_t last)
      : system_(system), looks_at_(looks_at), axis_(axis), first_(first), last_(last), scalars_(system, surroundings) {}

  Repeat of(ValueId value) {
    if (const auto known = known_.find(value); known != known_.end()) return known->second;
    const std::vector<ir::BinderId>& binders = looks_at_.binders(value);
    Repeat result;
    if (std::binary_search(binders.begin(), binders.end(), axis_)) {
      result = special(value);
      if (!result.only_repeats()) check_ends(value, result);
    }
    return known_[value] = result;
  }

 private:
  // The values in the first and in the last period.
  struct Ends {
    std::vector<ir::Scalar> front, back;
  };

  Ends ends(ValueId value, std::int64_t period) {
    if (2 * period > last_ - first_ + 1) throw NotCovered{};
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
    const LaneValues& lanes = scalars_.evaluate(value);
    if (lanes.any_failed()) throw NotCovered{};
    Ends result;
    const std::int64_t rest = (last_ - first_ + 1) % period;
    for (std::int64_t i = 0; i < period; ++i) {
      result.front.push_back(lanes.scalar(static_cast<std::size_t>(i)));
      result.back.push_back(lanes.scalar(static_cast<std::size_t>((i < rest ? 2 : 1) * period + i)));
    }
    return result;
  }

  void check_ends(ValueId value, Repeat& repeat) {
    const Ends at = ends(value, repeat.period);
    if (system_[value].type == ScalarType::integer) return;  // nothing failed there
    for (const auto* side : {&at.front, &at.back}) {
      for (const ir::Scalar& x : *side) {
        if (!(std::fabs(x.real) < exact_integers * repeat.granularity)) throw NotCovered{};
      }
    }
  }

  double magnitude(ValueId value, std::int64_t period) {
    double result = 0;
    const Ends at = ends(value, period);
    for (const auto* side : {&at.front, &at.back}) {
      for (const ir::Scalar& x : *side)
        result = std::max(result, std::fabs(x.type == ScalarType::real ? x.real : static_cast<double>(x.integer)));
    }
    return result;
  }

  Repeat special(ValueId value) {
    const ir::Node& node = system_[value].node;
    if (std::holds_alternative<ir::Index>(node)) return {1, 1, 0, 0};
    if (const auto* n = std::get_if<ir::Unary>(&node)) return unary(*n);
    if (const auto* n = std::get_if<ir::Binary>(&node)) return binary(*n);
    if (const auto* n = std::get_if<ir::Select>(&node)) return select(*n);
    if (const auto* n = std::get_if<ir::Maximum>(&node)) return extremum(n->operands);
    if (const auto* n = std::get_if<ir::Minimum>(&node)) return extremum(n->operands);
    if (const auto* n = std::get_if<ir::Check>(&node)) {
      const Repeat condition = of(n->condition), checked = of(n->value);
      return stretched(checked, common(condition.period, checked.period));
    }
    // Everything else is a function of its operands.
    Repeat result;
    ir::for_each_operand(node, [&](ValueId operand) {
      const Repeat x = of(operand);
      if (!x.only_repeats()) throw NotCovered{};
      result.period = common(result.period, x.period);
    });
    return result;
  }

  static Repeat stretched(Repeat x, std::int64_t period) {
    const std::int64_t factor = period / x.period;
    if (__builtin_mul_overflow(x.step, factor, &x.step)) throw NotCovered{};
    x.real_step *= static_cast<double>(factor);
    x.period = period;
    return x;
  }

  Repeat unary(const ir::Unary& n) {
    if (n.op == UnaryOp::floor || n.op == UnaryOp::ceil) {
      if (const auto whole = rounded_quotient(n.operand)) return *whole;
    }
    Repeat x = of(n.operand);
    if (x.only_repeats()) return {x.period};
    switch (n.op) {
      case UnaryOp::negate: x.step = -x.step, x.real_step = -x.real_step; return x;
      case UnaryOp::to_real: {
        if (!(magnitude(n.operand, x.period) < exact_integers)) throw NotCovered{};
        return {x.period, 0, static_cast<double>(x.step), 1};
      }
      case UnaryOp::floor:
      case UnaryOp::ceil: {
        // Whole steps move the result by as much.
        const double least = lowest_bit(x.real_step);
        if (least < 1) x = stretched(x, common(x.period, x.period * factor_of(1 / least)));
        if (!(std::fabs(x.real_step) < 0x1p62)) throw NotCovered{};
        return {x.period, static_cast<std::int64_t>(x.real_step), 0, 0};
      }
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
    throw NotCovered{};
  }

  // floor or ceil of a quotient of whole numbers: that of the exact quotient. One that is no whole number is away from
  // the next by 1 / |divisor| at least, more than half a unit in the last place while the dividend is below 2^53.
  std::optional<Repeat> rounded_quotient(ValueId quotient) {
    const auto* const n = std::get_if<ir::Binary>(&system_[quotient].node);
    if (!n || n->op != BinaryOp::divide) return std::nullopt;
    const Repeat a = of(n->left), b = of(n->right);
    if (a.only_repeats() || !b.only_repeats() || b.period != 1 || a.granularity < 1) return std::nullopt;
    const double divisor = fixed(n->right, b).real;
    if (divisor == 0 || divisor != std::trunc(divisor) || std::fabs(divisor) > static_cast<double>(longest_period))
      return std::nullopt;
    if (!(std::fabs(a.real_step) < 0x1p60) || !(magnitude(n->left, a.period) < exact_integers)) return std::nullopt;
    const auto size = static_cast<std::int64_t>(std::fabs(divisor)), step = static_cast<std::int64_t>(a.real_step);
    const std::int64_t factor = size / std::gcd(size, step);
    const Repeat x = stretched(a, common(a.period, a.period * factor));
    return Repeat{x.period, static_cast<std::int64_t>(x.real_step) / static_cast<std::int64_t>(divisor), 0, 0};
  }

  static std::int64_t factor_of(double factor) {
    if (!(factor <= static_cast<double>(longest_period))) throw NotCovered{};
    return static_cast<std::int64_t>(factor);
  }

  Repeat binary(const ir::Binary& n) {
    const Repeat a = of(n.left), b = of(n.right);
    const std::int64_t period = common(a.period, b.period);
    if (a.only_repeats() && b.only_repeats()) return {period};
    const bool is_real = system_[n.left].type == ScalarType::real;
    switch (n.op) {
      case BinaryOp::add:
      case BinaryOp::subtract: return is_real ? real_sum(n, a, b, period) : sum(n.op, a, b, period);
      case BinaryOp::multiply:
      case BinaryOp::divide: return is_real ? real_multiple(n, a, b) : multiple(n, a, b);
      case BinaryOp::floor_divide:
      case BinaryOp::modulo: return is_real ? throw NotCovered{} : quotient(n, a, b);
      case BinaryOp::less:
      case BinaryOp::less_equal:
      case BinaryOp::greater:
      case BinaryOp::greater_equal:
      case BinaryOp::equal:
      case BinaryOp::not_equal: return comparison(n, a, b, period);
      case BinaryOp::power_integer:
      case BinaryOp::power_real:
      case BinaryOp::round_to:
      case BinaryOp::logical_and:
      case BinaryOp::logical_or: break;
    }
    throw NotCovered{};
  }

  static Repeat sum(BinaryOp op, Repeat a, Repeat b, std::int64_t period) {
    a = stretched(a, period), b = stretched(b, period);
    std::int64_t step = 0;
    if (op == BinaryOp::add ? __builtin_add_overflow(a.step, b.step, &step)
                            : __builtin_sub_overflow(a.step, b.step, &step)) {
      throw NotCovered{};
    }
    return {period, step, 0, 0};
  }

  // Multiples of the finer granularity; check_ends sees that they stay small enough to be exact.
  Repeat real_sum(const ir::Binary& n, Repeat a, Repeat b, std::int64_t period) {
    const double granularity = std::min(granularity_of(n.left, a), granularity_of(n.right, b));
    a = stretched(a, period), b = stretched(b, period);
    return {period, 0, n.op == BinaryOp::add ? a.real_step + b.real_step : a.real_step - b.real_step, granularity};
  }

  double granularity_of(ValueId value, const Repeat& repeat) {
    if (!repeat.only_repeats()) return repeat.granularity;
    double result = 0x1p1000;
    for (const ir::Scalar& x : ends(value, repeat.period).front) {
      if (!std::isfinite(x.real)) throw NotCovered{};
      if (x.real != 0) result = std::min(result, lowest_bit(x.real));
    }
    return result;
  }

  ir::Scalar fixed(ValueId value, const Repeat& repeat) {
    if (repeat.period != 1 || !repeat.only_repeats()) throw NotCovered{};
    return ends(value, 1).front.front();
  }

  Repeat multiple(const ir::Binary& n, const Repeat& a, const Repeat& b) {
    const bool left_moves = !a.only_repeats();
    Repeat result = left_moves ? a : b;
    const std::int64_t factor = fixed(left_moves ? n.right : n.left, left_moves ? b : a).integer;
    if (__builtin_mul_overflow(result.step, factor, &result.step)) throw NotCovered{};
    return result;
  }

  // A product is exact where all its bits fit: then it is a multiple of the product of the granularities.
  Repeat real_multiple(const ir::Binary& n, const Repeat& a, const Repeat& b) {
    const bool left_moves = !a.only_repeats();
    if (n.op == BinaryOp::divide && !left_moves) throw NotCovered{};
    Repeat result = left_moves ? a : b;
    double factor = fixed(left_moves ? n.right : n.left, left_moves ? b : a).real;
    if (n.op == BinaryOp::divide) {
      if (factor == 0 || lowest_bit(factor) != std::fabs(factor)) throw NotCovered{};
      factor = 1 / factor;
    }
    const double bit = lowest_bit(factor), largest = magnitude(left_moves ? n.left : n.right, result.period);
    const double granularity = result.granularity * bit;
    if (!(bit > 0x1p-500 && bit < 0x1p500 && result.granularity > 0x1p-500)) throw NotCovered{};
    if (!((largest / result.granularity) * (std::fabs(factor) / bit) < exact_integers)) throw NotCovered{};
    return {result.period, 0, result.real_step * factor, granularity};
  }

  Repeat quotient(const ir::Binary& n, const Repeat& a, const Repeat& b) {
    if (!b.only_repeats()) throw NotCovered{};
    const std::int64_t divisor = fixed(n.right, b).integer;
    if (divisor == 0 || divisor == std::numeric_limits<std::int64_t>::min()) throw NotCovered{};
    const std::int64_t size = std::abs(divisor);
    const std::int64_t factor = size / std::gcd(size, a.step);
    if (factor > longest_period) throw NotCovered{};
    const Repeat x = stretched(a, common(a.period, a.period * factor));
    return {x.period, n.op == BinaryOp::modulo ? 0 : x.step / divisor, 0, 0};
  }

  // -1, 0 or 1.
  static int order(const ir::Scalar& a, const ir::Scalar& b) {
    if (a.type == ScalarType::integer) return a.integer < b.integer ? -1 : a.integer > b.integer;
    return a.real < b.real ? -1 : a.real > b.real;
  }

  // The difference moves by the same amount from period to period; where its sign is the same at both ends of a
  // residue, it is in between.
  Repeat comparison(const ir::Binary& n, const Repeat& a, const Repeat& b, std::int64_t period) {
    if (system_[n.left].type == ScalarType::boolean) throw NotCovered{};
    const Repeat x = stretched(a, period), y = stretched(b, period);
    if (x.step == y.step && x.real_step == y.real_step) return {period};
    same_order(n.left, n.right, period);
    return {period};
  }

  void same_order(ValueId left, ValueId right, std::int64_t period) {
    const Ends a = ends(left, period), b = ends(right, period);
    for (std::size_t i = 0; i < a.front.size(); ++i) {
      if (a.front[i].type == ScalarType::real && (std::isnan(a.front[i].real) || std::isnan(b.front[i].real)))
        throw NotCovered{};
      if (order(a.front[i], b.front[i]) != order(a.back[i], b.back[i])) throw Split{crossing(left, right)};
    }
  }

  // Somewhere in the range; exactly where the order changes, if it changes once.
  std::int64_t crossing(ValueId left, ValueId right) {
    const auto order_at = [&](std::int64_t index) {
      scalars_.bind(axis_, {index});
      bound_period_ = 0;
      const LaneValues a = scalars_.evaluate(left);
      const LaneValues& b = scalars_.evaluate(right);
      if (a.any_failed() || b.any_failed()) throw NotCovered{};
      return order(a.scalar(0), b.scalar(0));
    };
    const int front = order_at(first_);
    std::int64_t low = first_, high = last_;  // the order at `low` is that at the front
    if (order_at(last_) == front) return first_ + (last_ - first_) / 2 + 1;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (order_at(middle) == front ? low : high) = middle;
    }
    return high;
  }

  Repeat select(const ir::Select& n) {
    const Repeat condition = of(n.condition);
    if (condition.period == 1) {
      scalars_.bind(axis_, {first_});
      bound_period_ = 0;
      const LaneValues decided = scalars_.evaluate(n.condition);
      if (decided.any_failed()) throw NotCovered{};
      return of(decided.scalar(0).boolean ? n.if_true : n.if_false);
    }
    const Repeat a = of(n.if_true), b = of(n.if_false);
    const Repeat both = alike(n.if_true, a, n.if_false, b, common(a.period, b.period));
    return stretched(both, common(condition.period, both.period));
  }

  // Two numbers that move alike.
  Repeat alike(ValueId left, const Repeat& a, ValueId right, const Repeat& b, std::int64_t period) {
    Repeat x = stretched(a, period);
    const Repeat y = stretched(b, period);
    if (x.step != y.step || x.real_step != y.real_step) throw NotCovered{};
    if (!x.only_repeats() && system_[left].type == ScalarType::real) {
      x.granularity = std::min(granularity_of(left, a), granularity_of(right, b));
    }
    return x;
  }

  Repeat extremum(const std::vector<ValueId>& operands) {
    Repeat result = of(operands.front());
    ValueId largest = operands.front();
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const Repeat next = of(operands[i]);
      const std::int64_t period = common(result.period, next.period);
      const Repeat x = stretched(result, period), y = stretched(next, period);
      if (x.only_repeats() && y.only_repeats()) {
        result = {period};
        continue;
      }
      if (i > 1 || operands.size() > 2) throw NotCovered{};
      if (x.step == y.step && x.real_step == y.real_step) return alike(largest, result, operands[i], next, period);
      throw NotCovered{};
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
};

}  // namespace

std::vector<Repetition> repetitions(const ir::System& system, const Surroundings& surroundings, LooksAt& looks_at,
                                    ValueId value, ir::BinderId axis, std::int64_t first, std::int64_t last,
                                    std::int64_t length) {
  std::vector<Repetition> result;
  std::vector<std::pair<std::int64_t, std::int64_t>> pending{{first, last}};
  const auto tabulate = [&](std::int64_t from, std::int64_t to) {
    if (to - from >= most_values) throw NotCovered{};
    result.push_back({from, to, to - from + 1, 0, 0});
  };
  while (!pending.empty()) {
    const auto [from, to] = pending.back();
    pending.pop_back();
    if (to - from < std::min(shortest_range_looked_into, length) || last - first < length ||
        result.size() + pending.size() > most_ranges) {
      tabulate(from, to);
      continue;
    }
    try {
      const Repeat repeat = Analysis(system, surroundings, looks_at, axis, from, to).of(value);
      const double increment =
          system[value].type == ScalarType::real ? repeat.real_step : static_cast<double>(repeat.step);
      result.push_back({from, to, std::min(repeat.period, to - from + 1), increment, repeat.granularity});
    } catch (const Split& split) {
      pending.push_back({split.at, to});
      pending.push_back({from, split.at - 1});
    } catch (const NotCovered&) {
      tabulate(from, to);
    }
  }
  return result;
}

}  // namespace wave::backend::closed_form
