// See plan_lines.h. A line is between its ends, so what holds at both of them holds for all of it.
#include "backend/processes/bulk/plan_lines.h"

#include "backend/processes/thresholds.h"
#include "ir/evaluate.h"

#include <algorithm>
#include <limits>

namespace wave::backend::processes {

using ir::ScalarType;

// Lines as a domain. Missing is what is no line.
struct LineScalars::Visit {
  using Value = LineScalars::Value;
  using Operand = Line;
  LineScalars& self;

  static bool is_missing(const Value& x) { return !x; }
  static Line present(const Value& x) { return *x; }
  static bool is_true(const Line& x) { return x.first != 0; }
  static bool is_false(const Line& x) { return x.first == 0; }
  Value evaluate(ir::ValueId value) const { return self.find(value); }
  static Value either(const ir::Select&, const Line&, const Value&, const Value&) { return {}; }  // never
  static Value fail(const ir::Fail&) { return {}; }
  static Value fail(const ir::Check&) { return {}; }
  Value of(const ir::Index& n) const {
    const auto axis = static_cast<std::size_t>(std::find(self.indices_.begin(), self.indices_.end(), n.binder) -
                                               self.indices_.begin());
    if (axis == self.indices_.size()) return {};
    return Line{(*self.first_)[axis], axis + 1 == self.indices_.size() ? 1 : 0};
  }
  Value of(const ir::Maximum& n) const { return extremum(n.operands, true); }
  Value of(const ir::Minimum& n) const { return extremum(n.operands, false); }
  // Kinds that are rare in what depends on indices.
  template <class Other>
    requires(!ir::is_operator<Other> && !std::is_same_v<Other, ir::Check> && !std::is_same_v<Other, ir::Fail>)
  Value of(const Other&) const {
    return {};
  }

  Value unary(const ir::Unary& n, const Line& x) const {
    if (n.op == ir::UnaryOp::logical_not) return Line{x.first == 0 ? 1 : 0, 0};
    if (n.op != ir::UnaryOp::negate) return {};
    return self.checked(-static_cast<__int128>(x.first), -static_cast<__int128>(x.step));
  }
  Value binary(const ir::Binary& n, const Line& a, const Value& right) const {
    if (!right) return {};
    const Line& b = *right;
    const __int128 first = a.first, step = a.step;
    switch (n.op) {
      case ir::BinaryOp::logical_and:
      case ir::BinaryOp::logical_or: return b;  // the left one does not decide
      case ir::BinaryOp::add: return self.checked(first + b.first, step + b.step);
      case ir::BinaryOp::subtract: return self.checked(first - b.first, step - b.step);
      case ir::BinaryOp::multiply:
        if (a.step != 0 && b.step != 0) return {};
        return self.checked(first * b.first, step * b.first + first * b.step);
      case ir::BinaryOp::floor_divide: return divided(a, b, false);
      case ir::BinaryOp::modulo: return divided(a, b, true);
      case ir::BinaryOp::less: return compared(a, b, [](auto x) { return x < 0; });
      case ir::BinaryOp::less_equal: return compared(a, b, [](auto x) { return x <= 0; });
      case ir::BinaryOp::greater: return compared(a, b, [](auto x) { return x > 0; });
      case ir::BinaryOp::greater_equal: return compared(a, b, [](auto x) { return x >= 0; });
      case ir::BinaryOp::equal: return equal(a, b, true);
      case ir::BinaryOp::not_equal: return equal(a, b, false);
      default: return {};
    }
  }
  // Within one multiple of the divisor the quotient stays the same, and the remainder rises as the line does.
  Value divided(const Line& a, const Line& b, bool remainder) const {
    if (b.step != 0 || b.first <= 0) return {};
    const std::int64_t quotient = ir::arithmetic::floor_divide(a.first, b.first).value;
    if (ir::arithmetic::floor_divide(self.last(a), b.first).value != quotient) return {};
    return remainder ? Line{ir::arithmetic::modulo(a.first, b.first).value, a.step} : Line{quotient, 0};
  }
  // `holds` of the difference changes once at most along a line.
  template <class Holds>
  Value compared(const Line& a, const Line& b, Holds holds) const {
    const bool at_first = holds(static_cast<__int128>(a.first) - b.first);
    if (holds(static_cast<__int128>(self.last(a)) - self.last(b)) != at_first) return {};
    return Line{at_first ? 1 : 0, 0};
  }
  Value equal(const Line& a, const Line& b, bool is_equal) const {
    const __int128 first = static_cast<__int128>(a.first) - b.first;
    const __int128 last = static_cast<__int128>(self.last(a)) - self.last(b);
    if (first == 0 && last == 0) return Line{is_equal ? 1 : 0, 0};
    if ((first < 0 && last < 0) || (first > 0 && last > 0)) return Line{is_equal ? 0 : 1, 0};
    return {};
  }
  Value extremum(const std::vector<ir::ValueId>& operands, bool is_maximum) const {
    Value result = evaluate(operands.front());
    for (std::size_t i = 1; result && i < operands.size(); ++i) {
      const Value x = evaluate(operands[i]);
      if (!x) return {};
      const Value is_less = compared(*result, *x, [](auto difference) { return difference < 0; });
      if (!is_less) return {};
      if ((is_less->first != 0) == is_maximum) result = x;
    }
    return result;
  }
};

// Both ends have to be integers.
LineScalars::Value LineScalars::checked(__int128 first, __int128 step) const {
  constexpr __int128 most = std::numeric_limits<std::int64_t>::max(), least = std::numeric_limits<std::int64_t>::min();
  if (step < least || step > most) return {};
  const __int128 last = first + step * (count_ - 1);
  if (first < least || first > most || last < least || last > most) return {};
  return Line{static_cast<std::int64_t>(first), static_cast<std::int64_t>(step)};
}

LineScalars::Value LineScalars::find(ir::ValueId value) {
  if (const auto found = uniform_.find(value); found != uniform_.end()) return found->second;
  if (const auto found = known_.find(value); found != known_.end()) return found->second;
  const ScalarType type = scalars_.system()[value].type;
  const std::vector<ir::BinderId>& free = binders_.of(value);
  const bool varies = std::any_of(free.begin(), free.end(), [&](ir::BinderId binder) {
    return std::find(indices_.begin(), indices_.end(), binder) != indices_.end();
  });
  if (type == ScalarType::real || (varies && depth_ >= most_depth_in_bulk)) return {};
  if (!varies) {
    const ir::Scalar scalar = scalars_.value(value);
    return uniform_[value] = Line{type == ScalarType::integer ? scalar.integer : std::int64_t{scalar.boolean}, 0};
  }
  ++depth_;
  const Value found = ir::evaluate_node(Visit{*this}, scalars_.system()[value].node);
  --depth_;
  return known_[value] = found;
}

std::optional<LineScalars::Line> LineScalars::line(ir::ValueId value, const std::vector<std::int64_t>& first,
                                                   std::int64_t count) {
  known_.clear();
  first_ = &first;
  count_ = count;
  depth_ = 0;
  return find(value);
}

}  // namespace wave::backend::processes
