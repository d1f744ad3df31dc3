// Numbers: integers are exact or fail, everything else is a double.
#include "tests/simulator/evaluator.h"

#include <cmath>
#include <limits>

namespace wave::simulator {

using frontend::BinaryOperator;

double as_real(const Value& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value.is)) return static_cast<double>(*i);
  if (const auto* d = std::get_if<double>(&value.is)) return *d;
  throw Unsupported{"a number is needed"};
}

bool is_number(const Value& value) {
  return std::holds_alternative<std::int64_t>(value.is) || std::holds_alternative<double>(value.is);
}

bool less(const Value& a, const Value& b) {
  const auto* i = std::get_if<std::int64_t>(&a.is);
  const auto* k = std::get_if<std::int64_t>(&b.is);
  return i && k ? *i < *k : as_real(a) < as_real(b);
}

bool equal(const Value& a, const Value& b) {
  if (is_number(a) && is_number(b)) {
    const auto* i = std::get_if<std::int64_t>(&a.is);
    const auto* k = std::get_if<std::int64_t>(&b.is);
    return i && k ? *i == *k : as_real(a) == as_real(b);
  }
  if (a.is.index() != b.is.index()) throw Unsupported{"comparison of different things"};
  if (const auto* x = std::get_if<bool>(&a.is)) return *x == std::get<bool>(b.is);
  if (const auto* x = std::get_if<std::string>(&a.is)) return *x == std::get<std::string>(b.is);
  if (const auto* x = std::get_if<Choice>(&a.is)) return x->ordinal == std::get<Choice>(b.is).ordinal;
  if (const auto* x = std::get_if<Corner>(&a.is)) return x->rising == std::get<Corner>(b.is).rising;
  throw Unsupported{"comparison of such values"};
}

namespace {

using limits = std::numeric_limits<std::int64_t>;

std::int64_t fits(__int128 value, Location location) {
  if (value < limits::min() || value > limits::max()) throw Failed{"integer_overflow", location};
  return static_cast<std::int64_t>(value);
}

std::int64_t floor_of_quotient(std::int64_t a, std::int64_t b, Location location) {
  if (b == 0) throw Failed{"division_by_zero", location};
  __int128 quotient = static_cast<__int128>(a) / b;
  if (static_cast<__int128>(a) % b != 0 && (a < 0) != (b < 0)) --quotient;
  return fits(quotient, location);
}

std::int64_t power(std::int64_t base, std::int64_t exponent, Location location) {
  if (exponent < 0) throw Failed{"negative_exponent", location};
  if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  std::int64_t result = 1;
  for (; exponent > 0; --exponent) result = fits(static_cast<__int128>(result) * base, location);
  return result;
}

double power_of_reals(double base, const Value& exponent, Location location) {
  const auto* whole = std::get_if<std::int64_t>(&exponent.is);
  if (base == 0 && as_real(exponent) < 0) throw Failed{"outside_domain", location};
  if (!whole || std::abs(*whole) > 64) return std::pow(base, as_real(exponent));
  double result = 1;
  for (std::int64_t k = 0; k < std::abs(*whole); ++k) result *= base;
  return *whole < 0 ? 1 / result : result;
}

Value calculate_integers(BinaryOperator op, std::int64_t a, std::int64_t b, Location location) {
  const auto wide = [](std::int64_t x) { return static_cast<__int128>(x); };
  switch (op) {
    case BinaryOperator::add: return {fits(wide(a) + b, location)};
    case BinaryOperator::subtract: return {fits(wide(a) - b, location)};
    case BinaryOperator::multiply: return {fits(wide(a) * b, location)};
    case BinaryOperator::integer_divide: return {floor_of_quotient(a, b, location)};
    case BinaryOperator::modulo: {
      const std::int64_t quotient = b == -1 ? 0 : floor_of_quotient(a, b, location);
      return {b == -1 ? std::int64_t{0} : fits(wide(a) - wide(quotient) * b, location)};
    }
    case BinaryOperator::power: return {power(a, b, location)};
    default: throw Unsupported{"an operator of integers"};
  }
}

Value calculate_reals(BinaryOperator op, double a, double b, const Value& exponent, Location location) {
  switch (op) {
    case BinaryOperator::add: return {a + b};
    case BinaryOperator::subtract: return {a - b};
    case BinaryOperator::multiply: return {a * b};
    case BinaryOperator::divide:
      if (b == 0) throw Failed{"division_by_zero", location};
      return {a / b};
    case BinaryOperator::integer_divide:
      if (b == 0) throw Failed{"division_by_zero", location};
      return {std::floor(a / b)};
    case BinaryOperator::modulo: {
      if (b == 0) throw Failed{"division_by_zero", location};
      const double rest = std::fmod(a, b);
      return {rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest};
    }
    case BinaryOperator::power: return {power_of_reals(a, exponent, location)};
    default: throw Unsupported{"an operator of reals"};
  }
}

}  // namespace

Value calculate(BinaryOperator op, const Value& a, const Value& b, Location location) {
  switch (op) {
    case BinaryOperator::less: return {less(a, b)};
    case BinaryOperator::greater: return {less(b, a)};
    case BinaryOperator::less_equal: return {!less(b, a)};
    case BinaryOperator::greater_equal: return {!less(a, b)};
    case BinaryOperator::equal: return {equal(a, b)};
    case BinaryOperator::not_equal: return {!equal(a, b)};
    default: break;
  }
  const auto* i = std::get_if<std::int64_t>(&a.is);
  const auto* k = std::get_if<std::int64_t>(&b.is);
  if (i && k && op != BinaryOperator::divide) return calculate_integers(op, *i, *k, location);
  return calculate_reals(op, as_real(a), as_real(b), b, location);
}

}  // namespace wave::simulator
