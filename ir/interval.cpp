// Interval arithmetic on the endpoints. Rounding to nearest is monotone, so the rounded endpoints enclose the
// rounded results of the engines.
#include "ir/interval.h"

#include "base/random.h"
#include "ir/effects.h"
#include "ir/table.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wave::ir {

namespace {

constexpr std::size_t most_visited = 200'000;
constexpr std::size_t deepest_visited = 600;  // the depth of calls, references and operands inside each other
constexpr double exact_integers = 0x1p53;

Interval of(double low, double high) {
  if (std::isnan(low) || std::isnan(high)) return {};
  return {low, high};
}

Interval enclose(std::initializer_list<double> candidates) {
  Interval result = Interval::empty();
  for (const double x : candidates) {
    if (std::isnan(x)) return {};
    result = hull(result, Interval::point(x));
  }
  return result;
}

// For functions of libm, whose last bits are not monotone.
Interval widen(Interval x) {
  const auto out = [](double value, double sign) { return value + sign * (std::fabs(value) * 1e-14 + 1e-300); };
  return of(out(x.low, -1), out(x.high, 1));
}

Interval of_result(const arithmetic::Result<Scalar>& result) {
  return result.failed ? Interval::empty() : Interval::of(result.value);
}

const Interval undecided{0, 1};
Interval truth(bool value) { return Interval::point(value ? 1 : 0); }

Interval multiply(Interval a, Interval b) {
  return enclose({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
}

Interval divide(Interval a, Interval b) {
  if (b.low <= 0 && b.high >= 0) return {};
  return enclose({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
}

Interval absolute(Interval x) {
  if (x.low >= 0) return x;
  if (x.high <= 0) return {-x.high, -x.low};
  return {0, std::max(-x.low, x.high)};
}

Interval modulo(Interval a, Interval b) {
  if (b.low > 0 && a.low >= 0 && a.high < b.low) return a;
  if (b.low >= 0) return {0, b.high};
  if (b.high <= 0) return {b.low, 0};
  return {b.low, b.high};
}

Interval interval_power(Interval a, Interval b) {
  const auto at = [](double x, double e) { return std::pow(x, e); };
  if (a.low > 0) return widen(enclose({at(a.low, b.low), at(a.low, b.high), at(a.high, b.low), at(a.high, b.high)}));
  if (!b.is_point() || b.low < 0 || b.low != std::trunc(b.low)) return {};
  return widen(
      enclose({at(a.low, b.low), at(a.high, b.low), a.low <= 0 && a.high >= 0 ? at(0, b.low) : at(a.low, b.low)}));
}

// A function of libm that never falls.
template <class Function>
Interval rising(Interval x, Function function) {
  return widen(of(function(x.low), function(x.high)));
}

// The same for a function that fails up to 0.
template <class Function>
Interval rising_above_zero(Interval x, Function function) {
  return x.high <= 0 ? Interval::empty() : rising({std::max(x.low, 0.0), x.high}, function);
}

// The same for a function that fails up to 0 and from 1 on, and has no bounds there.
template <class Function>
Interval rising_between_0_and_1(Interval x, Function function) {
  if (x.high <= 0 || x.low >= 1) return Interval::empty();
  const Interval all;
  return {x.low <= 0 ? all.low : rising(x, function).low, x.high >= 1 ? all.high : rising(x, function).high};
}

Interval interval_unary(UnaryOp op, Interval x) {
  switch (op) {
    case UnaryOp::negate: return {-x.high, -x.low};
    case UnaryOp::logical_not: return {1 - x.high, 1 - x.low};
    case UnaryOp::absolute: return absolute(x);
    case UnaryOp::floor: return of(std::floor(x.low), std::floor(x.high));
    case UnaryOp::ceil: return of(std::ceil(x.low), std::ceil(x.high));
    case UnaryOp::round: return of(std::round(x.low), std::round(x.high));
    case UnaryOp::square_root: return of(std::sqrt(std::max(x.low, 0.0)), std::sqrt(x.high));
    case UnaryOp::exponential: return rising(x, [](double at) { return std::exp(at); });
    case UnaryOp::natural_log: return rising_above_zero(x, [](double at) { return std::log(at); });
    case UnaryOp::log2: return rising_above_zero(x, [](double at) { return std::log2(at); });
    case UnaryOp::log10: return rising_above_zero(x, [](double at) { return std::log10(at); });
    case UnaryOp::cube_root: return rising(x, [](double at) { return std::cbrt(at); });
    case UnaryOp::random_number: return x.is_point() ? Interval::point(random_of(x.low)) : Interval{0, 1};
    case UnaryOp::normal_quantile: return rising_between_0_and_1(x, normal_quantile);
    case UnaryOp::to_real:
    case UnaryOp::to_integer:
    case UnaryOp::quantize: return x;
    case UnaryOp::quantum_of: return {0, arithmetic::quantum_of(0x1p999)};
  }
  return {};
}

Interval compare(BinaryOp op, Interval a, Interval b, bool exact) {
  if (!exact) return undecided;
  switch (op) {
    case BinaryOp::less: return a.high < b.low ? truth(true) : a.low >= b.high ? truth(false) : undecided;
    case BinaryOp::less_equal: return a.high <= b.low ? truth(true) : a.low > b.high ? truth(false) : undecided;
    case BinaryOp::greater: return compare(BinaryOp::less, b, a, exact);
    case BinaryOp::greater_equal: return compare(BinaryOp::less_equal, b, a, exact);
    case BinaryOp::equal:
      if (a.is_point() && b.is_point() && a.low == b.low) return truth(true);
      return a.high < b.low || b.high < a.low ? truth(false) : undecided;
    default: return undecided;
  }
}

Interval interval_binary(BinaryOp op, Interval a, Interval b, ScalarType type) {
  const bool exact = type != ScalarType::integer || (a.magnitude() < exact_integers && b.magnitude() < exact_integers);
  switch (op) {
    case BinaryOp::add: return of(a.low + b.low, a.high + b.high);
    case BinaryOp::subtract: return of(a.low - b.high, a.high - b.low);
    case BinaryOp::multiply: return multiply(a, b);
    case BinaryOp::divide: return divide(a, b);
    case BinaryOp::floor_divide: {
      const Interval quotient = divide(a, b);
      // A real quotient of large integers may round up to the next whole number.
      const double slack = type == ScalarType::integer && a.magnitude() > 0x1p50 ? 1 : 0;
      return of(std::floor(quotient.low) - slack, std::floor(quotient.high) + slack);
    }
    case BinaryOp::modulo: return modulo(a, b);
    case BinaryOp::power_integer:
    case BinaryOp::power_real: return interval_power(a, b);
    case BinaryOp::less:
    case BinaryOp::less_equal:
    case BinaryOp::greater:
    case BinaryOp::greater_equal:
    case BinaryOp::equal: return compare(op, a, b, exact);
    case BinaryOp::not_equal: return interval_unary(UnaryOp::logical_not, compare(BinaryOp::equal, a, b, exact));
    case BinaryOp::logical_and: return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case BinaryOp::logical_or: return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case BinaryOp::round_to: return widen(of(a.low - b.magnitude() / 2, a.high + b.magnitude() / 2));
  }
  return {};
}

// The same for one key, but closer: between two keys, the table lies between their values.
std::optional<Interval> lookup_between(const Table& table, Interval key) {
  if (key.is_empty() || !std::isfinite(key.low) || !std::isfinite(key.high)) return std::nullopt;
  if (table.interpolation == Interpolation::exact) return std::nullopt;
  const double low[2] = {key.low, 0}, high[2] = {key.high, 0};
  const auto first = lookup(table, low), last = lookup(table, high);
  if (first.failed || last.failed) return std::nullopt;
  Interval result = hull(Interval::point(first.value), Interval::point(last.value));
  for (std::size_t i = 0; i < table.keys[0].size(); ++i) {
    if (table.keys[0][i] >= key.low && table.keys[0][i] <= key.high)
      result = hull(result, Interval::point(table.values[i]));
  }
  return widen(result);
}

// The values that a table can have for keys in these intervals.
Interval lookup_range(const Table& table, std::span<const Interval> keys) {
  if (std::all_of(keys.begin(), keys.end(), [](const Interval& k) { return k.exact.has_value(); })) {
    const double at[2] = {keys[0].exact->real, keys.size() > 1 ? keys[1].exact->real : 0};
    const auto value = lookup(table, at);
    return value.failed ? Interval::empty() : Interval::of(Scalar::of(value.value));
  }
  for (std::size_t axis = 0; axis < keys.size() && table.extend; ++axis) {
    const auto& own = table.keys[axis];
    const bool is_inside = keys[axis].low >= own.front() && keys[axis].high <= own.back();
    if (!is_inside && table.interpolation != Interpolation::step) return {};
  }
  Interval result = table.otherwise ? Interval::point(*table.otherwise) : Interval::empty();
  for (const double value : table.values) result = hull(result, Interval::point(value));
  return widen(result);
}

}  // namespace

Interval Interval::of(Scalar x) {
  const double value = x.type == ScalarType::real      ? x.real
                       : x.type == ScalarType::integer ? static_cast<double>(x.integer)
                       : x.boolean                     ? 1.0
                                                       : 0.0;
  if (std::isnan(value)) return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), x};
  return {value, value, x};
}

double Interval::magnitude() const { return is_empty() ? 0 : std::max(std::fabs(low), std::fabs(high)); }

Interval hull(Interval a, Interval b) {
  if (a.is_empty()) return b;
  if (b.is_empty()) return a;
  return {std::min(a.low, b.low), std::max(a.high, b.high), std::nullopt};
}

IntervalEvaluator::IntervalEvaluator(const System& system, IntervalSources sources)
    : system_(system), sources_(std::move(sources)), bindings_{system}, budget_(most_visited) {}

void IntervalEvaluator::bind(BinderId binder, Interval interval) {
  const auto [place, is_new] = bindings_.binders.try_emplace(binder, interval);
  if (is_new || (place->second.low == interval.low && place->second.high == interval.high)) return;
  bindings_.bind(binder, interval);
}

// Intervals as a domain: what fails for sure is missing, and a choice is the hull of its branches.
struct IntervalEvaluator::Visit {
  using Value = Interval;
  using Operand = Interval;
  IntervalEvaluator& self;

  static bool is_missing(const Interval& x) { return x.is_empty(); }
  static const Interval& present(const Interval& x) { return x; }
  static bool is_true(const Interval& x) { return x.low == 1; }
  static bool is_false(const Interval& x) { return x.high == 0; }
  Interval evaluate(ValueId operand) const { return self.evaluate(operand); }

  Interval of(const Constant& n) const { return Interval::of(n.value); }
  Interval of(const Parameter& n) const {
    const auto& known = self.bindings_.parameters;
    if (const auto found = known.find(n.parameter); found != known.end()) return found->second;
    return self.sources_.parameter ? Interval::of(self.sources_.parameter(n.parameter)) : Interval{};
  }
  Interval of(const Index& n) const {
    const auto known = self.bindings_.binders.find(n.binder);
    return known == self.bindings_.binders.end() ? Interval{} : known->second;
  }
  Interval of(const Reference& n) const {
    const Definition& definition = self.system_[n.definition];
    if (self.bindings_.is_fresh(definition.frame)) return evaluate(definition.body);
    if (self.sources_.range) return self.sources_.range(n.definition);
    const auto value = self.sources_.definition(n.definition);
    const auto* scalar = std::get_if<Scalar>(&value);
    return scalar ? Interval::of(*scalar) : Interval::empty();
  }
  Interval of(const Maximum& n) const {
    if (self.sources_.tight) return extremum_of_all(n.operands, [](double a, double b) { return std::max(a, b); });
    return extremum(n.operands, [](Scalar a, Scalar b) { return arithmetic::maximum(a, b); });
  }
  Interval of(const Minimum& n) const {
    if (self.sources_.tight) return extremum_of_all(n.operands, [](double a, double b) { return std::min(a, b); });
    return extremum(n.operands, [](Scalar a, Scalar b) { return arithmetic::minimum(a, b); });
  }
  Interval of(const Select& n) { return n.is_shortcut ? evaluate(n.if_false) : NodeMeaning<Visit>{*this}(n); }
  Interval of(const Reduce& n) const { return self.reduce(n); }
  Interval of(const Read& n) {
    const bool is_unknown =
        !self.sources_.read || self.bindings_.is_fresh(self.system_[self.system_[n.event].space].frame);
    return is_unknown ? event(n.event) : NodeMeaning<Visit>{*this}(n);
  }
  Interval of(const Neighbour& n) const { return event(n.event); }
  Interval of(const Measure& n) const {
    if (self.sources_.measure && !self.bindings_.is_fresh(self.system_[n.process].frame))
      return self.sources_.measure(n);
    return {0, std::numeric_limits<double>::infinity()};
  }

  Interval unary(const Unary& n, const Interval& x) const {
    if (x.exact && n.op != UnaryOp::quantize) return of_result(arithmetic::unary(n.op, *x.exact));
    return interval_unary(n.op, x);
  }
  Interval binary(const Binary& n, const Interval& a, const Interval& b) const {
    if (a.exact && b.exact) return of_result(arithmetic::binary(n.op, *a.exact, *b.exact));
    return b.is_empty() ? (n.op == BinaryOp::logical_and || n.op == BinaryOp::logical_or ? a : b)
                        : interval_binary(n.op, a, b, self.system_[n.left].type);
  }
  Interval either(const Select&, const Interval&, const Interval& a, const Interval& b) const { return hull(a, b); }
  Interval read(const Read& n, const std::vector<Interval>& indices) const { return self.sources_.read(n, indices); }
  Interval lookup(const Lookup& n, const std::array<Interval, 2>& keys) const {
    const Table& table = self.system_[n.table];
    if (self.sources_.tight && n.keys.size() == 1 && !keys[0].exact) {
      if (const auto between = lookup_between(table, keys[0])) return *between;
    }
    return lookup_range(table, {keys.data(), n.keys.size()});
  }
  Interval call(const Call& n, const std::vector<Interval>& arguments) const {
    return self.bindings_.call(n, arguments, [&] { return evaluate(self.system_[n.definition].body); });
  }
  template <class CheckOrFail>
  Interval fail(const CheckOrFail&) const {
    return Interval::empty();
  }

 private:
  Interval event(EventId id) const {
    return self.bindings_.is_fresh(self.system_[id].frame) ? Interval{} : self.sources_.event(id);
  }

  // No operand is absent.
  template <class Function>
  Interval extremum_of_all(const std::vector<ValueId>& operands, Function combine) const {
    Interval result = self.evaluate(operands.front());
    for (const ValueId operand : operands) {
      const Interval x = self.evaluate(operand);
      if (x.is_empty()) return x;
      result = {combine(result.low, x.low), combine(result.high, x.high),
                operands.size() == 1 ? x.exact : std::nullopt};
    }
    return result;
  }

  // Any operand may be absent, so the result can be any of them. But points at the front are one point, as they are for
  // the folder.
  template <class Function>
  Interval extremum(const std::vector<ValueId>& operands, Function combine) const {
    Interval result = Interval::empty();
    bool only_points = true;
    for (const ValueId operand : operands) {
      const Interval x = self.evaluate(operand);
      only_points = only_points && x.exact && !may_be_absent(self.system_, operand);
      result = only_points && result.exact ? Interval::of(combine(*result.exact, *x.exact)) : hull(result, x);
    }
    return result;
  }
};

Interval IntervalEvaluator::evaluate(ValueId value) {
  if (const auto found = bindings_.known.find(value); found != bindings_.known.end()) return found->second;
  if (budget_ == 0 || depth_ >= deepest_visited) return {};
  --budget_;
  ++depth_;
  Interval result = evaluate_node(Visit{*this}, system_[value].node);
  // Larger integers are rounded when they become endpoints.
  if (sources_.tight && system_[value].type == ScalarType::integer && !result.is_empty() &&
      result.magnitude() >= exact_integers) {
    result.low = std::nextafter(result.low, -std::numeric_limits<double>::infinity());
    result.high = std::nextafter(result.high, std::numeric_limits<double>::infinity());
  }
  --depth_;
  bindings_.known[value] = result;
  return result;
}

IntervalEvaluator::Rounds IntervalEvaluator::enter(const std::vector<Level>& levels) {
  double count = 1, least = 1;
  for (const Level& level : levels) {
    const Interval first = evaluate(level.first), last = evaluate(level.last), step = evaluate(level.step);
    if (first.is_empty() || last.is_empty() || step.is_empty()) return {0, 0};
    const Interval range{std::min(first.low, step.low < 0 ? last.low : first.low),
                         std::max(last.high, step.low < 0 ? first.high : last.high)};
    if (range.low > range.high) return {0, 0};
    bind(level.binder, range);
    const double smallest_step =
        level.geometric || (step.low < 0 && step.high > 0) ? 1 : std::min(std::fabs(step.low), std::fabs(step.high));
    const bool is_counted = !level.geometric && !level.filter.valid() && step.low > 0;
    least *= is_counted ? std::max(0.0, std::floor((last.low - first.high) / step.high) + 1) : 0;
    count *= level.geometric ? 64 : std::floor((range.high - range.low) / std::max(1.0, smallest_step)) + 1;
  }
  return {count, least};
}

Interval IntervalEvaluator::reduce(const Reduce& node) {
  const auto [count, least] = enter(node.levels);
  const auto body = [&] { return node.body.valid() && count > 0 ? evaluate(node.body) : Interval::empty(); };
  const auto value = [&] { return node.value.valid() && count > 0 ? evaluate(node.value) : Interval::empty(); };
  switch (node.kind) {
    case ReduceKind::sum: {
      const Interval x = body();
      if (x.is_empty()) return Interval::point(0);
      if (sources_.tight) {
        const double slack = count * x.magnitude() * (count + 2) * 0x1p-52;
        return widen(of((x.low >= 0 ? least : count) * x.low - slack, (x.high >= 0 ? count : least) * x.high + slack));
      }
      // Rounding adds up over a long sum of reals.
      return widen(of(std::min(0.0, x.low * count * (1 + 1e-9)), std::max(0.0, x.high * count * (1 + 1e-9))));
    }
    case ReduceKind::product: {
      const double largest = std::pow(std::max(1.0, body().magnitude()), count) * (1 + 1e-9);
      return of(-largest, largest);
    }
    case ReduceKind::maximum:
    case ReduceKind::minimum:
    case ReduceKind::nth: return body();
    case ReduceKind::count: return of(0, count);
    case ReduceKind::any:
    case ReduceKind::all: return undecided;
    case ReduceKind::arg_min:
    case ReduceKind::arg_max: return value();
  }
  return {};
}

}  // namespace wave::ir
