// Columns of scalars.
#include "backend/processes/bulk/plan_bulk.h"

#include "backend/processes/thresholds.h"
#include "ir/evaluate.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace wave::backend::processes {

using ir::Scalar;
using ir::ScalarType;

// Columns as a domain: a choice evaluates each branch for the rows that take it, and what fails for one of them is
// missing.
struct BulkScalars::Visit {
  using Value = const Column*;  // of which the rows are known
  using Operand = Value;
  BulkScalars& self;
  ir::ValueId id;
  const Rows& rows;
  Column& to;

  static bool is_missing(Value x) { return !x; }
  static Value present(Value x) { return x; }
  static bool is_true(Value) { return false; }  // the rows are asked one by one
  static bool is_false(Value) { return false; }
  Value evaluate(ir::ValueId value) const { return self.column(value, rows); }

  Value of(const ir::Index& n) const {
    const auto axis = static_cast<std::size_t>(std::find(self.indices_.begin(), self.indices_.end(), n.binder) -
                                               self.indices_.begin());
    const std::int64_t* const places = self.places_[axis].data();
    return each_integer([&](std::uint32_t row) { return places[row]; });
  }
  // The right operand of `and` and `or` only where the left does not decide.
  Value of(const ir::Binary& n) const {
    const bool is_and = n.op == ir::BinaryOp::logical_and;
    if (!is_and && n.op != ir::BinaryOp::logical_or) return ir::NodeMeaning<const Visit>{*this}(n);
    const Value left = evaluate(n.left);
    if (!left) return nullptr;
    copy(*left, rows);
    return take(n.right, where(*left, is_and).rows);
  }
  Value of(const ir::Select& n) const {
    const Value condition = evaluate(n.condition);
    if (!condition) return nullptr;
    const Listed yes = where(*condition, true), no = where(*condition, false);
    return take(n.if_true, yes.rows) ? take(n.if_false, no.rows) : nullptr;
  }
  Value of(const ir::Check& n) const {
    const Value condition = evaluate(n.condition);
    return condition && where(*condition, false).rows.count == 0 ? evaluate(n.value) : nullptr;
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
    const Cell* const x = from->data();
    if (n.op == ir::UnaryOp::to_real)
      return each_real([&](std::uint32_t row) { return static_cast<double>(x[row].integer); });
    const ScalarType type = self.type(n.operand);
    return each_result([&](std::uint32_t row) { return ir::arithmetic::unary(n.op, scalar(x[row], type)); });
  }
  // The common ones in loops of their own; the others by the one definition of arithmetic, which these mirror.
  Value binary(const ir::Binary& n, Value left, Value right) const {
    if (!right) return nullptr;
    const Cell* const a = left->data();
    const Cell* const b = right->data();
    const ScalarType type = self.type(n.left);
    const Value common = type == ScalarType::real      ? of_reals(n.op, a, b)
                         : type == ScalarType::integer ? of_integers(n, a, b)
                                                       : nullptr;
    if (common || failed_) return common;
    return each_result(
        [&](std::uint32_t row) { return ir::arithmetic::binary(n.op, scalar(a[row], type), scalar(b[row], type)); });
  }
  // Null: there is no loop.
  Value of_reals(ir::BinaryOp op, const Cell* a, const Cell* b) const {
    switch (op) {
      case ir::BinaryOp::add: return each_real([&](std::uint32_t row) { return a[row].real + b[row].real; });
      case ir::BinaryOp::subtract: return each_real([&](std::uint32_t row) { return a[row].real - b[row].real; });
      case ir::BinaryOp::multiply: return each_real([&](std::uint32_t row) { return a[row].real * b[row].real; });
      default: return nullptr;
    }
  }
  // Null: there is no loop, or a row has failed.
  Value of_integers(const ir::Binary& n, const Cell* a, const Cell* b) const {
    const auto checked = [&](auto combine) {
      return each_checked([&](std::uint32_t row) { return combine(a[row].integer, b[row].integer); });
    };
    const auto compared = [&](auto holds) {
      return each_integer([&](std::uint32_t row) { return std::int64_t{holds(a[row].integer, b[row].integer)}; });
    };
    switch (n.op) {
      case ir::BinaryOp::add: return checked([](auto x, auto y) { return ir::arithmetic::add(x, y); });
      case ir::BinaryOp::subtract: return checked([](auto x, auto y) { return ir::arithmetic::subtract(x, y); });
      case ir::BinaryOp::multiply: return checked([](auto x, auto y) { return ir::arithmetic::multiply(x, y); });
      case ir::BinaryOp::floor_divide: {
        if (const std::optional<int> shift = power_of_two(n.right))
          return each_integer([&](std::uint32_t row) { return a[row].integer >> *shift; });
        return checked([](auto x, auto y) { return ir::arithmetic::floor_divide(x, y); });
      }
      case ir::BinaryOp::modulo: {
        if (const std::optional<int> shift = power_of_two(n.right))
          return each_integer([&](std::uint32_t row) { return a[row].integer & ((std::int64_t{1} << *shift) - 1); });
        return checked([](auto x, auto y) { return ir::arithmetic::modulo(x, y); });
      }
      case ir::BinaryOp::less: return compared(std::less());
      case ir::BinaryOp::less_equal: return compared(std::less_equal());
      case ir::BinaryOp::greater: return compared(std::greater());
      case ir::BinaryOp::greater_equal: return compared(std::greater_equal());
      case ir::BinaryOp::equal: return compared(std::equal_to());
      case ir::BinaryOp::not_equal: return compared(std::not_equal_to());
      default: return nullptr;
    }
  }
  // Which power of two a divisor is everywhere.
  std::optional<int> power_of_two(ir::ValueId divisor) const {
    const PlaceValues& values = *self.columns_.at(divisor);
    if (values.filled == 0) return std::nullopt;
    const std::int64_t value = values.values[0].integer;
    if (value <= 0 || !std::has_single_bit(static_cast<std::uint64_t>(value))) return std::nullopt;
    return std::countr_zero(static_cast<std::uint64_t>(value));
  }
  Value extremum(ir::ReduceKind kind, const std::vector<ir::ValueId>& operands) const {
    const ScalarType type = self.type(operands.front());
    Value result = evaluate(operands.front());
    for (std::size_t i = 1; result && i < operands.size(); ++i) {
      const Value x = evaluate(operands[i]);
      if (!x) return nullptr;
      result = each([&, so_far = result](std::uint32_t row) {
        return cell(ir::extremum(kind, scalar((*so_far)[row], type), scalar((*x)[row], type)));
      });
    }
    return result;
  }

  // Rows, and the room that they are listed in.
  struct Listed {
    std::unique_ptr<std::uint32_t[]> room;
    Rows rows;
  };
  Listed where(const Column& condition, bool is) const {
    Listed result{std::make_unique_for_overwrite<std::uint32_t[]>(rows.count), {}};
    std::uint32_t* const found = result.room.get();
    std::size_t count = 0;
    for_each_row([&](std::uint32_t row) {
      found[count] = row;
      count += (condition[row].integer != 0) == is;
    });
    result.rows = {count, count == self.count_ ? nullptr : found};
    return result;
  }
  void copy(const Column& from, const Rows& of) const {
    Visit{self, id, of, to}.each([&](std::uint32_t row) { return from[row]; });
  }
  Value take(ir::ValueId value, const Rows& of) const {
    if (of.count == 0) return &to;
    const Value some = self.column(value, of);
    if (!some) return nullptr;
    copy(*some, of);
    return &to;
  }

  template <class Do>
  void for_each_row(Do&& act) const {
    if (!rows.listed) {
      for (std::uint32_t row = 0; row < rows.count; ++row) act(row);
    } else {
      for (std::size_t i = 0; i < rows.count; ++i) act(rows.listed[i]);
    }
  }
  template <class At>
  Value each(At at) const {
    Cell* const cells = to.data();
    for_each_row([&](std::uint32_t row) { cells[row] = at(row); });
    return &to;
  }
  template <class At>
  Value each_real(At at) const {
    return each([&](std::uint32_t row) { return Cell{.real = at(row)}; });
  }
  template <class At>
  Value each_integer(At at) const {
    return each([&](std::uint32_t row) { return Cell{.integer = at(row)}; });
  }
  // Integers, where one may fail: all are looked at, which costs less than to stop.
  template <class At>
  Value each_checked(At at) const {
    bool failed = false;
    each([&](std::uint32_t row) {
      const auto result = at(row);
      failed |= result.failed;
      return Cell{.integer = result.value};
    });
    failed_ = failed;
    return failed ? nullptr : &to;
  }
  template <class At>
  Value each_result(At at) const {
    bool failed = false;
    each([&](std::uint32_t row) {
      const ir::arithmetic::Result<Scalar> result = at(row);
      failed |= result.failed;
      return cell(result.value);
    });
    failed_ = failed;
    return failed ? nullptr : &to;
  }

  static Scalar scalar(Cell x, ScalarType type) {
    switch (type) {
      case ScalarType::real: return Scalar::of(x.real);
      case ScalarType::integer: return Scalar::of(x.integer);
      case ScalarType::boolean: return Scalar::of(x.integer != 0);
    }
    return {};
  }
  static Cell cell(const Scalar& x) {
    switch (x.type) {
      case ScalarType::real: return {.real = x.real};
      case ScalarType::integer: return {.integer = x.integer};
      case ScalarType::boolean: return {.integer = x.boolean};
    }
    return {.integer = 0};
  }

  mutable bool failed_ = false;
};

bool BulkScalars::is_uniform(ir::ValueId value) const {
  const std::vector<ir::BinderId>& free = binders_.of(value);
  return std::none_of(free.begin(), free.end(), [&](ir::BinderId binder) {
    return std::find(indices_.begin(), indices_.end(), binder) != indices_.end();
  });
}

void BulkScalars::ask(ir::ValueId value, const Rows& rows, Column& to) {
  Visit{*this, value, rows, to}.each([&](std::uint32_t row) {
    for (std::size_t axis = 0; axis < indices_.size(); ++axis) {
      if (!places_[axis].empty()) scalars_.bind(indices_[axis], places_[axis][row]);
    }
    return Visit::cell(scalars_.value(value));
  });
}

bool BulkScalars::compute(ir::ValueId value, const Rows& rows, Column& to) {
  if (depth_ >= most_depth_in_bulk) {
    ask(value, rows, to);
    return true;
  }
  ++depth_;
  const Visit visit{*this, value, rows, to};
  const Column* const result = ir::evaluate_node(visit, scalars_.system()[value].node);
  --depth_;
  if (!result) return false;
  if (result != &to) visit.copy(*result, rows);
  return true;
}

const BulkScalars::Column* BulkScalars::column(ir::ValueId value, const Rows& rows) {
  std::unique_ptr<PlaceValues>& column = columns_[value];
  if (!column) column = std::make_unique<PlaceValues>();
  PlaceValues& known = *column;  // which stays where it is while others are added
  const bool is_new = known.of != evaluations_;
  if (is_new) {
    known.of = evaluations_;
    known.all = false;
    known.known.clear();
    known.values.resize(count_);
  }
  if (known.all) return &known.values;
  if (is_new && is_uniform(value)) {
    // Often what it was before.
    const Cell everywhere = Visit::cell(scalars_.value(value));
    if (known.filled < count_ || known.values.front().integer != everywhere.integer)
      std::fill(known.values.begin(), known.values.end(), everywhere);
    known.filled = count_;
    known.all = true;
    return &known.values;
  }
  if (known.known.empty() && rows.count == count_) {
    known.all = compute(value, rows, known.values);
    return known.all ? &known.values : nullptr;
  }
  known.known.resize(count_, 0);
  std::vector<std::uint32_t> missing;
  Visit{*this, value, rows, known.values}.for_each_row([&](std::uint32_t row) {
    if (!known.known[row]) missing.push_back(row);
  });
  if (missing.empty()) return &known.values;
  if (!compute(value, {missing.size(), missing.data()}, known.values)) return nullptr;
  for (const std::uint32_t row : missing) known.known[row] = 1;
  return &known.values;
}

const BulkScalars::Column* BulkScalars::evaluate(ir::ValueId value, std::size_t count) {
  ++evaluations_;
  count_ = count;
  depth_ = 0;
  return column(value, {count, nullptr});
}

bool BulkScalars::evaluate(ir::ValueId value, std::size_t count, double* out) {
  const Column* const values = evaluate(value, count);
  if (!values) return false;
  const bool is_real = type(value) == ScalarType::real;
  for (std::size_t row = 0; row < count; ++row)
    out[row] = is_real ? (*values)[row].real : static_cast<double>((*values)[row].integer);
  return true;
}

bool BulkScalars::evaluate(ir::ValueId value, std::size_t count, std::int64_t* out) {
  const Column* const values = evaluate(value, count);
  if (!values) return false;
  for (std::size_t row = 0; row < count; ++row) out[row] = (*values)[row].integer;
  return true;
}

}  // namespace wave::backend::processes
