// Columns of scalars.
#include "backend/processes/plan_bulk.h"

#include "backend/processes/thresholds.h"
#include "ir/evaluate.h"

#include <algorithm>
#include <functional>

namespace wave::backend::processes {

using ir::Scalar;

namespace {

double real_of(const Scalar& scalar) {
  switch (scalar.type) {
    case ir::ScalarType::real: return scalar.real;
    case ir::ScalarType::integer: return static_cast<double>(scalar.integer);
    case ir::ScalarType::boolean: return scalar.boolean ? 1 : 0;
  }
  return 0;
}

}  // namespace

// Columns as a domain: a choice evaluates each branch for the rows that take it, and what fails for one of them is
// missing.
struct BulkScalars::Visit {
  using Value = const std::vector<Scalar>*;  // of which the rows are known
  using Operand = Value;
  BulkScalars& self;
  ir::ValueId id;
  const Rows& rows;
  std::vector<Scalar>& to;

  static bool is_missing(Value x) { return !x; }
  static Value present(Value x) { return x; }
  static bool is_true(Value) { return false; }  // the rows are asked one by one
  static bool is_false(Value) { return false; }
  Value evaluate(ir::ValueId value) const { return self.column(value, rows); }

  Value of(const ir::Index& n) const {
    const auto axis = static_cast<std::size_t>(std::find(self.indices_.begin(), self.indices_.end(), n.binder) -
                                               self.indices_.begin());
    return each([&](std::uint32_t row) { return Scalar::of(self.places_[axis][row]); });
  }
  // The right operand of `and` and `or` only where the left does not decide.
  Value of(const ir::Binary& n) const {
    const bool is_and = n.op == ir::BinaryOp::logical_and;
    if (!is_and && n.op != ir::BinaryOp::logical_or) return ir::NodeMeaning<const Visit>{*this}(n);
    const Value left = evaluate(n.left);
    if (!left) return nullptr;
    copy(*left, rows);
    return take(n.right, where(*left, is_and));
  }
  Value of(const ir::Select& n) const {
    const Value condition = evaluate(n.condition);
    if (!condition) return nullptr;
    const Rows yes = where(*condition, true), no = where(*condition, false);
    return take(n.if_true, yes) ? take(n.if_false, no) : nullptr;
  }
  Value of(const ir::Check& n) const {
    const Value condition = evaluate(n.condition);
    return condition && where(*condition, false).empty() ? evaluate(n.value) : nullptr;
  }
  Value of(const ir::Fail&) const { return nullptr; }
  Value of(const ir::Maximum& n) const { return extremum(ir::ReduceKind::maximum, n.operands); }
  Value of(const ir::Minimum& n) const { return extremum(ir::ReduceKind::minimum, n.operands); }
  template <class Other>
    requires(!ir::is_operator<Other>)
  Value of(const Other&) const {
    self.ask(id, rows, to);
    return &to;
  }

  Value unary(const ir::Unary& n, Value from) const {
    if (n.op == ir::UnaryOp::to_real) {
      return each([&](std::uint32_t row) { return Scalar::of(static_cast<double>((*from)[row].integer)); });
    }
    return each_result([&](std::uint32_t row) { return ir::arithmetic::unary(n.op, (*from)[row]); });
  }
  Value binary(const ir::Binary& n, Value a, Value b) const {
    if (!b) return nullptr;
    if (self.scalars_.system()[n.left].type == ir::ScalarType::real) {
      switch (n.op) {
        case ir::BinaryOp::add: return reals(*a, *b, std::plus());
        case ir::BinaryOp::subtract: return reals(*a, *b, std::minus());
        case ir::BinaryOp::multiply: return reals(*a, *b, std::multiplies());
        default: break;  // rarer: by the one definition of arithmetic, like all that follows
      }
    } else if (self.scalars_.system()[n.left].type == ir::ScalarType::integer) {
      switch (n.op) {
        case ir::BinaryOp::add: return integers(*a, *b, [](auto x, auto y) { return ir::arithmetic::add(x, y); });
        case ir::BinaryOp::subtract:
          return integers(*a, *b, [](auto x, auto y) { return ir::arithmetic::subtract(x, y); });
        case ir::BinaryOp::multiply:
          return integers(*a, *b, [](auto x, auto y) { return ir::arithmetic::multiply(x, y); });
        case ir::BinaryOp::modulo: return integers(*a, *b, [](auto x, auto y) { return ir::arithmetic::modulo(x, y); });
        default: break;
      }
    }
    return each_result([&](std::uint32_t row) { return ir::arithmetic::binary(n.op, (*a)[row], (*b)[row]); });
  }
  Value extremum(ir::ReduceKind kind, const std::vector<ir::ValueId>& operands) const {
    Value result = evaluate(operands.front());
    for (std::size_t i = 1; result && i < operands.size(); ++i) {
      const Value x = evaluate(operands[i]);
      if (!x) return nullptr;
      result = each([&](std::uint32_t row) { return ir::extremum(kind, (*result)[row], (*x)[row]); });
    }
    return result;
  }

  Rows where(const std::vector<Scalar>& condition, bool is) const {
    Rows result;
    for (const std::uint32_t row : rows) {
      if (condition[row].boolean == is) result.push_back(row);
    }
    return result;
  }
  void copy(const std::vector<Scalar>& from, const Rows& of) const {
    for (const std::uint32_t row : of) to[row] = from[row];
  }
  Value take(ir::ValueId value, const Rows& of) const {
    if (of.empty()) return &to;
    const Value some = self.column(value, of);
    if (!some) return nullptr;
    copy(*some, of);
    return &to;
  }
  template <class At>
  Value each(At at) const {
    for (const std::uint32_t row : rows) to[row] = at(row);
    return &to;
  }
  template <class At>
  Value each_result(At at) const {
    for (const std::uint32_t row : rows) {
      const auto result = at(row);
      if (result.failed) return nullptr;
      to[row] = as_scalar(result.value);
    }
    return &to;
  }
  static const Scalar& as_scalar(const Scalar& x) { return x; }
  static Scalar as_scalar(std::int64_t x) { return Scalar::of(x); }
  template <class Combine>
  Value reals(const std::vector<Scalar>& a, const std::vector<Scalar>& b, Combine combine) const {
    return each([&](std::uint32_t row) { return Scalar::of(combine(a[row].real, b[row].real)); });
  }
  template <class Combine>
  Value integers(const std::vector<Scalar>& a, const std::vector<Scalar>& b, Combine combine) const {
    return each_result([&](std::uint32_t row) { return combine(a[row].integer, b[row].integer); });
  }
};

bool BulkScalars::is_uniform(ir::ValueId value) const {
  const std::vector<ir::BinderId>& free = binders_.of(value);
  return std::none_of(free.begin(), free.end(), [&](ir::BinderId binder) {
    return std::find(indices_.begin(), indices_.end(), binder) != indices_.end();
  });
}

void BulkScalars::ask(ir::ValueId value, const Rows& rows, std::vector<Scalar>& to) {
  for (const std::uint32_t row : rows) {
    for (std::size_t axis = 0; axis < indices_.size(); ++axis) {
      if (!places_[axis].empty()) scalars_.bind(indices_[axis], places_[axis][row]);
    }
    to[row] = scalars_.value(value);
  }
}

bool BulkScalars::compute(ir::ValueId value, const Rows& rows, std::vector<Scalar>& to) {
  if (is_uniform(value)) {
    const Scalar everywhere = scalars_.value(value);
    for (const std::uint32_t row : rows) to[row] = everywhere;
  } else if (depth_ >= most_depth_in_bulk) {
    ask(value, rows, to);
  } else {
    ++depth_;
    const Visit visit{*this, value, rows, to};
    const std::vector<Scalar>* const result = ir::evaluate_node(visit, scalars_.system()[value].node);
    --depth_;
    if (!result) return false;
    if (result != &to) visit.copy(*result, rows);
  }
  return true;
}

const std::vector<Scalar>* BulkScalars::column(ir::ValueId value, const Rows& rows) {
  std::unique_ptr<PlaceValues>& column = columns_[value];
  const bool is_new = !column;
  if (is_new) column = std::make_unique<PlaceValues>(PlaceValues{std::vector<Scalar>(count_), {}, false});
  PlaceValues& known = *column;  // which stays where it is while others are added
  if (known.all) return &known.values;
  if (is_new && rows.size() == count_) {
    known.all = compute(value, rows, known.values);
    return known.all ? &known.values : nullptr;
  }
  if (is_new) known.known.resize(count_, false);
  Rows missing;
  for (const std::uint32_t row : rows) {
    if (!known.known[row]) missing.push_back(row);
  }
  if (missing.empty()) return &known.values;
  if (!compute(value, missing, known.values)) return nullptr;
  for (const std::uint32_t row : missing) known.known[row] = true;
  return &known.values;
}

bool BulkScalars::evaluate(ir::ValueId value, std::size_t count, double* out) {
  columns_.clear();
  count_ = count;
  depth_ = 0;
  Rows rows(count);
  for (std::uint32_t row = 0; row < count; ++row) rows[row] = row;
  const std::vector<Scalar>* const values = column(value, rows);
  if (!values) return false;
  for (std::size_t row = 0; row < count; ++row) out[row] = real_of((*values)[row]);
  return true;
}

}  // namespace wave::backend::processes
