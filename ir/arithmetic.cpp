// The operators by name, on scalars whose type is known only at run time.
#include "ir/arithmetic.h"

#include "base/random.h"
#include "ir/operations.h"

namespace wave::ir::arithmetic {

namespace {

template <class T>
Result<Scalar> scalar(Result<T> result) {
  if (result.failed) return result.kind;
  return Scalar::of(result.value);
}

Result<Scalar> scalar(double value) { return Scalar::of(value); }

bool is_real(Scalar x) { return x.type == ScalarType::real; }

// -1, 0 or 1, or 2 for operands without an order (NaN).
template <class T>
int compare(T a, T b) {
  return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2;
}

int compare(Scalar a, Scalar b) {
  switch (a.type) {
    case ScalarType::real: return compare(a.real, b.real);
    case ScalarType::integer: return compare(a.integer, b.integer);
    case ScalarType::boolean: return compare(a.boolean, b.boolean);
  }
  return 2;
}

Result<Scalar> truth(bool value) { return Scalar::of(value); }

// --- the functions of WAVE_CALLED: all engines call them through unary() ---

Result<double> exponential(double x) { return std::exp(x); }
Result<double> natural_log(double x) {
  if (x <= 0) return FailureKind::outside_domain;
  return std::log(x);
}
Result<double> log2(double x) {
  if (x <= 0) return FailureKind::outside_domain;
  return std::log2(x);
}
Result<double> log10(double x) {
  if (x <= 0) return FailureKind::outside_domain;
  return std::log10(x);
}
Result<double> cube_root(double x) { return std::cbrt(x); }
Result<double> random_number(double x) { return random_of(x); }
Result<double> normal_quantile(double x) {
  if (!(x > 0 && x < 1)) return FailureKind::outside_domain;
  return wave::normal_quantile(x);
}

}  // namespace

Result<Scalar> unary(UnaryOp op, Scalar x) {
  switch (op) {
    case UnaryOp::negate: return is_real(x) ? scalar(-x.real) : scalar(negate(x.integer));
    case UnaryOp::logical_not: return truth(!x.boolean);
    case UnaryOp::absolute: return is_real(x) ? scalar(std::fabs(x.real)) : scalar(absolute(x.integer));
    case UnaryOp::floor: return scalar(floor(x.real));
    case UnaryOp::ceil: return scalar(ceil(x.real));
    case UnaryOp::round: return scalar(round(x.real));
    case UnaryOp::square_root: return scalar(square_root(x.real));
    case UnaryOp::to_real: return scalar(static_cast<double>(x.integer));
    case UnaryOp::to_integer: return scalar(to_integer(x.real));
    case UnaryOp::quantize: return scalar(quantize(x.real, 0));
    case UnaryOp::quantum_of: return scalar(quantum_of(x.real));
#define WAVE_CALLED(name, ...) \
  case UnaryOp::name: return scalar(name(x.real));
#include "ir/operations.def"
  }
  return FailureKind::outside_domain;
}

Result<Scalar> binary(BinaryOp op, Scalar a, Scalar b) {
  const bool real = is_real(a);
  switch (op) {
    case BinaryOp::add: return real ? scalar(a.real + b.real) : scalar(add(a.integer, b.integer));
    case BinaryOp::subtract: return real ? scalar(a.real - b.real) : scalar(subtract(a.integer, b.integer));
    case BinaryOp::multiply: return real ? scalar(a.real * b.real) : scalar(multiply(a.integer, b.integer));
    case BinaryOp::divide: return scalar(divide(a.real, b.real));
    case BinaryOp::floor_divide:
      return real ? scalar(floor_divide(a.real, b.real)) : scalar(floor_divide(a.integer, b.integer));
    case BinaryOp::modulo: return real ? scalar(modulo(a.real, b.real)) : scalar(modulo(a.integer, b.integer));
    case BinaryOp::power_integer: return scalar(power(a.integer, b.integer));
    case BinaryOp::power_real: return scalar(power(a.real, b.real));
    case BinaryOp::less: return truth(compare(a, b) == -1);
    case BinaryOp::less_equal: return truth(compare(a, b) <= 0);
    case BinaryOp::greater: return truth(compare(a, b) == 1);
    case BinaryOp::greater_equal: {
      const int order = compare(a, b);
      return truth(order == 0 || order == 1);
    }
    case BinaryOp::equal: return truth(compare(a, b) == 0);
    case BinaryOp::not_equal: return truth(compare(a, b) != 0);
    case BinaryOp::logical_and: return truth(a.boolean && b.boolean);
    case BinaryOp::logical_or: return truth(a.boolean || b.boolean);
    case BinaryOp::round_to: return scalar(round_to(a.real, b.real));
  }
  return FailureKind::outside_domain;
}

}  // namespace wave::ir::arithmetic
