// Columns of scalars.
#include "backend/processes/plan_bulk.h"

#include "backend/processes/plan_fields.h"
#include "ir/arithmetic.h"
#include "ir/operations.h"

#include <algorithm>

namespace wave::backend::processes {

using ir::Scalar;

namespace {

constexpr std::size_t most_depth = 1000;  // of nodes inside each other; deeper ones are asked of the engine

Scalar given(const ir::arithmetic::Result<Scalar>& result) {
  if (result.failed) throw NoPlan{};
  return result.value;
}

double real_of(const Scalar& scalar) {
  switch (scalar.type) {
    case ir::ScalarType::real: return scalar.real;
    case ir::ScalarType::integer: return static_cast<double>(scalar.integer);
    case ir::ScalarType::boolean: return scalar.boolean ? 1 : 0;
  }
  return 0;
}

}  // namespace

struct BulkScalars::Visit {
  BulkScalars& self;
  ir::ValueId id;
  const Rows& rows;
  std::vector<Scalar>& to;

  const std::vector<Scalar>& column(ir::ValueId value, const Rows& of) const { return self.column(value, of); }
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
  template <class Combine>
  void fold(const std::vector<ir::ValueId>& operands, Combine combine) const {
    copy(column(operands.front(), rows), rows);
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const std::vector<Scalar>& next = column(operands[i], rows);
      for (const std::uint32_t row : rows) to[row] = combine(to[row], next[row]);
    }
  }

  void operator()(const ir::Index& n) const {
    const auto axis = static_cast<std::size_t>(std::find(self.indices_.begin(), self.indices_.end(), n.binder) -
                                               self.indices_.begin());
    for (const std::uint32_t row : rows) to[row] = Scalar::of(self.places_[axis][row]);
  }
  void operator()(const ir::Unary& n) const {
    const std::vector<Scalar>& from = column(n.operand, rows);
    if (n.op == ir::UnaryOp::to_real) {
      for (const std::uint32_t row : rows) to[row] = Scalar::of(static_cast<double>(from[row].integer));
    } else {
      for (const std::uint32_t row : rows) to[row] = given(ir::arithmetic::unary(n.op, from[row]));
    }
  }
  void operator()(const ir::Binary& n) const {
    if (n.op == ir::BinaryOp::logical_and || n.op == ir::BinaryOp::logical_or) return by_need(n);
    const std::vector<Scalar>& a = column(n.left, rows);
    const std::vector<Scalar>& b = column(n.right, rows);
    if (self.scalars_.system()[n.left].type == ir::ScalarType::real) {
      switch (n.op) {
        case ir::BinaryOp::add:
          for (const std::uint32_t row : rows) to[row] = Scalar::of(a[row].real + b[row].real);
          return;
        case ir::BinaryOp::subtract:
          for (const std::uint32_t row : rows) to[row] = Scalar::of(a[row].real - b[row].real);
          return;
        case ir::BinaryOp::multiply:
          for (const std::uint32_t row : rows) to[row] = Scalar::of(a[row].real * b[row].real);
          return;
        default: break;  // rarer: by the one definition of arithmetic, like all that follows
      }
    } else if (self.scalars_.system()[n.left].type == ir::ScalarType::integer) {
      switch (n.op) {
        case ir::BinaryOp::add: return integers(a, b, [](auto x, auto y) { return ir::arithmetic::add(x, y); });
        case ir::BinaryOp::subtract:
          return integers(a, b, [](auto x, auto y) { return ir::arithmetic::subtract(x, y); });
        case ir::BinaryOp::multiply:
          return integers(a, b, [](auto x, auto y) { return ir::arithmetic::multiply(x, y); });
        case ir::BinaryOp::modulo: return integers(a, b, [](auto x, auto y) { return ir::arithmetic::modulo(x, y); });
        default: break;
      }
    }
    for (const std::uint32_t row : rows) to[row] = given(ir::arithmetic::binary(n.op, a[row], b[row]));
  }
  template <class Combine>
  void integers(const std::vector<Scalar>& a, const std::vector<Scalar>& b, Combine combine) const {
    for (const std::uint32_t row : rows) {
      const auto result = combine(a[row].integer, b[row].integer);
      if (result.failed) throw NoPlan{};
      to[row] = Scalar::of(result.value);
    }
  }
  // The right operand only where the left does not decide.
  void by_need(const ir::Binary& n) const {
    const std::vector<Scalar>& left = column(n.left, rows);
    copy(left, rows);
    const Rows undecided = where(left, n.op == ir::BinaryOp::logical_and);
    if (!undecided.empty()) copy(column(n.right, undecided), undecided);
  }
  void operator()(const ir::Maximum& n) const {
    fold(n.operands, [](const Scalar& a, const Scalar& b) { return ir::arithmetic::maximum(a, b); });
  }
  void operator()(const ir::Minimum& n) const {
    fold(n.operands, [](const Scalar& a, const Scalar& b) { return ir::arithmetic::minimum(a, b); });
  }
  void operator()(const ir::Select& n) const {
    const std::vector<Scalar>& condition = column(n.condition, rows);
    const Rows yes = where(condition, true), no = where(condition, false);
    if (!yes.empty()) copy(column(n.if_true, yes), yes);
    if (!no.empty()) copy(column(n.if_false, no), no);
  }
  void operator()(const ir::Check& n) const {
    if (!where(column(n.condition, rows), false).empty()) throw NoPlan{};
    copy(column(n.value, rows), rows);
  }
  void operator()(const ir::Fail&) const { throw NoPlan{}; }

  void operator()(const ir::Constant&) const { self.ask(id, rows, to); }
  void operator()(const ir::Parameter&) const { self.ask(id, rows, to); }
  void operator()(const ir::Reference&) const { self.ask(id, rows, to); }
  void operator()(const ir::Call&) const { self.ask(id, rows, to); }
  void operator()(const ir::Reduce&) const { self.ask(id, rows, to); }
  void operator()(const ir::Read&) const { self.ask(id, rows, to); }
  void operator()(const ir::Neighbour&) const { self.ask(id, rows, to); }
  void operator()(const ir::Lookup&) const { self.ask(id, rows, to); }
  void operator()(const ir::Measure&) const { self.ask(id, rows, to); }
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

void BulkScalars::compute(ir::ValueId value, const Rows& rows, std::vector<Scalar>& to) {
  if (is_uniform(value)) {
    const Scalar everywhere = scalars_.value(value);
    for (const std::uint32_t row : rows) to[row] = everywhere;
  } else if (depth_ >= most_depth) {
    ask(value, rows, to);
  } else {
    ++depth_;
    std::visit(Visit{*this, value, rows, to}, scalars_.system()[value].node);
    --depth_;
  }
}

const std::vector<Scalar>& BulkScalars::column(ir::ValueId value, const Rows& rows) {
  std::unique_ptr<PlaceValues>& column = columns_[value];
  const bool is_new = !column;
  if (is_new) column = std::make_unique<PlaceValues>(PlaceValues{std::vector<Scalar>(count_), {}, false});
  PlaceValues& known = *column;  // which stays where it is while others are added
  if (known.all) return known.values;
  if (is_new && rows.size() == count_) {
    compute(value, rows, known.values);
    known.all = true;
    return known.values;
  }
  if (is_new) known.known.resize(count_, false);
  Rows missing;
  for (const std::uint32_t row : rows) {
    if (!known.known[row]) missing.push_back(row);
  }
  if (missing.empty()) return known.values;
  compute(value, missing, known.values);
  for (const std::uint32_t row : missing) known.known[row] = true;
  return known.values;
}

void BulkScalars::evaluate(ir::ValueId value, std::size_t count, double* out) {
  columns_.clear();
  count_ = count;
  depth_ = 0;
  Rows rows(count);
  for (std::uint32_t row = 0; row < count; ++row) rows[row] = row;
  const std::vector<Scalar>& values = column(value, rows);
  for (std::size_t row = 0; row < count; ++row) out[row] = real_of(values[row]);
}

}  // namespace wave::backend::processes
