// Every operation is done in all lanes; what fails marks its lane, and only what a lane needs can mark it.
#include "backend/closed_form/scalars.h"

#include "backend/closed_form/index_function.h"
#include "ir/arithmetic.h"
#include "ir/operations.h"
#include "ir/table.h"
#include "ir/walk.h"

#include <algorithm>
#include <utility>

namespace wave::backend::closed_form {

using ir::Scalar;
using ir::ScalarType;

namespace {

constexpr std::size_t most_depth = 200;  // values and calls inside each other
constexpr std::size_t lanes_between_clock_reads = 1 << 18;
constexpr std::int64_t most_iterations = 10'000;  // of a loop inside a weight

LaneValues::Bits bits_of(Scalar scalar) {
  LaneValues::Bits bits{};
  switch (scalar.type) {
    case ScalarType::real: bits.real = scalar.real; break;
    case ScalarType::integer: bits.integer = scalar.integer; break;
    case ScalarType::boolean: bits.integer = scalar.boolean ? 1 : 0; break;
  }
  return bits;
}

Scalar scalar_of(ScalarType type, LaneValues::Bits bits) {
  switch (type) {
    case ScalarType::real: return Scalar::of(bits.real);
    case ScalarType::integer: return Scalar::of(bits.integer);
    case ScalarType::boolean: return Scalar::of(bits.integer != 0);
  }
  return {};
}

std::shared_ptr<LaneValues> lanes(ScalarType type, std::size_t count) {
  auto result = std::make_shared<LaneValues>();
  result->type = type;
  result->values.resize(count);
  result->failed.assign(count, 0);
  return result;
}

std::shared_ptr<LaneValues> constant(Scalar value) {
  auto result = lanes(value.type, 1);
  result->values[0] = bits_of(value);
  return result;
}

std::shared_ptr<LaneValues> failure(ScalarType type) {
  auto result = lanes(type, 1);
  result->failed[0] = 1;
  return result;
}

template <class... More>
std::size_t count_of(const LaneValues& first, const More&... more) {
  std::size_t count = first.values.size();
  ((count = std::max(count, more.values.size())), ...);
  return count;
}

bool is_true(const LaneValues& condition) {
  return condition.uniform() && !condition.failed[0] && condition.values[0].integer != 0;
}
bool is_false(const LaneValues& condition) {
  return condition.uniform() && !condition.failed[0] && condition.values[0].integer == 0;
}

}  // namespace

bool LaneValues::any_failed() const {
  return std::any_of(failed.begin(), failed.end(), [](std::uint8_t lane) { return lane != 0; });
}

Scalar LaneValues::scalar(std::size_t lane) const { return scalar_of(type, at(lane)); }

void Scalars::bind(ir::BinderId binder, std::vector<std::int64_t> values) {
  auto bound = lanes(ScalarType::integer, values.size());
  for (std::size_t lane = 0; lane < values.size(); ++lane) bound->values[lane].integer = values[lane];
  binders_[binder] = std::move(bound);
  known_.clear();
}

const LaneValues& Scalars::evaluate(ir::ValueId value) { return *find(value); }

struct Scalars::Visit {
  Scalars& self;
  const ir::Value& value;

  LanesPointer operator()(const ir::Constant& n) const { return constant(n.value); }
  LanesPointer operator()(const ir::Parameter& n) const {
    if (const auto known = self.parameters_.find(n.parameter); known != self.parameters_.end()) return known->second;
    if (!self.around_.parameter) throw NotCovered{};
    return constant(self.around_.parameter(n.parameter));
  }
  LanesPointer operator()(const ir::Index& n) const {
    const auto known = self.binders_.find(n.binder);
    if (known == self.binders_.end()) throw NotCovered{};
    return known->second;
  }
  LanesPointer operator()(const ir::Reference& n) const { return self.reference(n.definition); }

  LanesPointer operator()(const ir::Unary& n) const {
    if (n.op == ir::UnaryOp::quantize) throw NotCovered{};
    const LanesPointer x = self.find(n.operand);
    if (n.op == ir::UnaryOp::to_real) {
      return each(*x,
                  [](LaneValues::Bits bits, LaneValues::Bits& out) { out.real = static_cast<double>(bits.integer); });
    }
    auto result = lanes(value.type, x->values.size());
    for (std::size_t lane = 0; lane < x->values.size(); ++lane) {
      result->failed[lane] = x->failed[lane];
      if (!x->failed[lane]) put(*result, lane, ir::arithmetic::unary(n.op, x->scalar(lane)));
    }
    return result;
  }

  LanesPointer operator()(const ir::Binary& n) const {
    const LanesPointer a = self.find(n.left);
    const bool is_and = n.op == ir::BinaryOp::logical_and, is_or = n.op == ir::BinaryOp::logical_or;
    if ((is_and && is_false(*a)) || (is_or && is_true(*a))) return a;
    const LanesPointer b = self.find(n.right);
    const std::size_t count = count_of(*a, *b);
    auto result = lanes(value.type, count);
    if (a->type == ScalarType::real && !is_and && !is_or && quick(n.op, *a, *b, *result)) return result;
    for (std::size_t lane = 0; lane < count; ++lane) {
      result->failed[lane] = a->has_failed(lane);
      if (result->failed[lane]) continue;
      if ((is_and && a->at(lane).integer == 0) || (is_or && a->at(lane).integer != 0)) {
        result->values[lane] = a->at(lane);
        continue;
      }
      result->failed[lane] = b->has_failed(lane);
      if (!result->failed[lane]) put(*result, lane, ir::arithmetic::binary(n.op, a->scalar(lane), b->scalar(lane)));
    }
    return result;
  }

  LanesPointer operator()(const ir::Maximum& n) const {
    return fold(n.operands, [](Scalar a, Scalar b) { return ir::arithmetic::maximum(a, b); });
  }
  LanesPointer operator()(const ir::Minimum& n) const {
    return fold(n.operands, [](Scalar a, Scalar b) { return ir::arithmetic::minimum(a, b); });
  }

  LanesPointer operator()(const ir::Select& n) const {
    const LanesPointer condition = self.find(n.condition);
    if (is_true(*condition)) return self.find(n.if_true);
    if (is_false(*condition)) return self.find(n.if_false);
    const LanesPointer a = self.find(n.if_true), b = self.find(n.if_false);
    const std::size_t count = count_of(*condition, *a, *b);
    auto result = lanes(value.type, count);
    for (std::size_t lane = 0; lane < count; ++lane) {
      const LaneValues& taken = condition->at(lane).integer != 0 ? *a : *b;
      result->failed[lane] = condition->has_failed(lane) || taken.has_failed(lane);
      result->values[lane] = taken.at(lane);
    }
    return result;
  }

  LanesPointer operator()(const ir::Check& n) const {
    const LanesPointer condition = self.find(n.condition), checked = self.find(n.value);
    const std::size_t count = count_of(*condition, *checked);
    auto result = lanes(value.type, count);
    for (std::size_t lane = 0; lane < count; ++lane) {
      result->failed[lane] =
          condition->has_failed(lane) || condition->at(lane).integer == 0 || checked->has_failed(lane);
      result->values[lane] = checked->at(lane);
    }
    return result;
  }
  LanesPointer operator()(const ir::Fail&) const { return failure(value.type); }
  LanesPointer operator()(const ir::Call& n) const { return self.call(n); }
  LanesPointer operator()(const ir::Reduce& n) const;

  LanesPointer operator()(const ir::Lookup& n) const {
    std::vector<LanesPointer> keys;
    std::size_t count = 1;
    for (const ir::ValueId key : n.keys) {
      keys.push_back(self.find(key));
      count = std::max(count, keys.back()->values.size());
    }
    auto result = lanes(value.type, count);
    for (std::size_t lane = 0; lane < count; ++lane) {
      double at[2] = {0, 0};
      for (std::size_t axis = 0; axis < keys.size(); ++axis) {
        result->failed[lane] = result->failed[lane] || keys[axis]->has_failed(lane);
        at[axis] = keys[axis]->at(lane).real;
      }
      if (result->failed[lane]) continue;
      const auto found = ir::lookup(self.system_[n.table], at);
      result->failed[lane] = found.failed;
      result->values[lane].real = found.value;
    }
    return result;
  }

  LanesPointer operator()(const ir::Read&) const { throw NotCovered{}; }
  LanesPointer operator()(const ir::Neighbour&) const { throw NotCovered{}; }
  LanesPointer operator()(const ir::Measure&) const { throw NotCovered{}; }

 private:
  static void put(LaneValues& result, std::size_t lane, const ir::arithmetic::Result<Scalar>& outcome) {
    result.failed[lane] = outcome.failed;
    if (!outcome.failed) result.values[lane] = bits_of(outcome.value);
  }

  template <class Function>
  LanesPointer each(const LaneValues& x, Function function) const {
    auto result = lanes(value.type, x.values.size());
    result->failed = x.failed;
    for (std::size_t lane = 0; lane < x.values.size(); ++lane) function(x.values[lane], result->values[lane]);
    return result;
  }

  // Real operations that cannot fail: what costs are mostly made of.
  static bool quick(ir::BinaryOp op, const LaneValues& a, const LaneValues& b, LaneValues& result) {
    const auto all = [&](auto operation) {
      for (std::size_t lane = 0; lane < result.values.size(); ++lane) {
        result.failed[lane] = a.has_failed(lane) || b.has_failed(lane);
        result.values[lane].real = operation(a.at(lane).real, b.at(lane).real);
      }
      return true;
    };
    if (op == ir::BinaryOp::add) return all([](double x, double y) { return x + y; });
    if (op == ir::BinaryOp::subtract) return all([](double x, double y) { return x - y; });
    if (op == ir::BinaryOp::multiply) return all([](double x, double y) { return x * y; });
    return false;
  }

  template <class Function>
  LanesPointer fold(const std::vector<ir::ValueId>& operands, Function combine) const {
    LanesPointer result = self.find(operands.front());
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const LanesPointer x = self.find(operands[i]);
      auto next = lanes(value.type, count_of(*result, *x));
      for (std::size_t lane = 0; lane < next->values.size(); ++lane) {
        next->failed[lane] = result->has_failed(lane) || x->has_failed(lane);
        next->values[lane] = bits_of(combine(result->scalar(lane), x->scalar(lane)));
      }
      result = std::move(next);
    }
    return result;
  }
};

Scalars::LanesPointer Scalars::find(ir::ValueId value) {
  if (const auto known = known_.find(value); known != known_.end()) return known->second;
  if (depth_ >= most_depth) throw NotCovered{};
  ++depth_;
  LanesPointer result = std::visit(Visit{*this, system_[value]}, system_[value].node);
  --depth_;
  const std::size_t lanes = result->values.size();
  if (around_.lanes_left && *around_.lanes_left < lanes) throw NotCovered{};
  if (around_.lanes_left) *around_.lanes_left -= lanes;
  work_ += lanes;
  if (work_ > lanes_between_clock_reads) {
    work_ = 0;
    if (around_.look_at_clock) around_.look_at_clock();
  }
  return known_[value] = std::move(result);
}

bool Scalars::is_fresh(ir::FrameId frame) const { return ir::depth(system_, frame) >= fresh_; }

// In a fresh activation a definition is whatever its body is there.
Scalars::LanesPointer Scalars::reference(ir::DefinitionId id) {
  if (is_fresh(system_[id].frame)) return find(system_[id].body);
  const auto value = around_.definition(id);
  const auto* const scalar = std::get_if<Scalar>(&value);
  return scalar ? constant(*scalar) : failure(system_[id].type);
}

Scalars::LanesPointer Scalars::call(const ir::Call& node) {
  std::vector<LanesPointer> arguments;
  for (const ir::ValueId argument : node.arguments) arguments.push_back(find(argument));
  auto outer_known = std::exchange(known_, {});
  auto outer_parameters = parameters_;
  const std::uint32_t outer_fresh = std::exchange(fresh_, std::min(fresh_, ir::depth(system_, node.frame)));
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < system_.parameters.size(); ++i) {
    if (system_.parameters[i].frame == node.frame) parameters_[ir::ParameterId{i}] = arguments.at(next++);
  }
  const LanesPointer body = find(system_[node.definition].body);
  parameters_ = std::move(outer_parameters);
  known_ = std::move(outer_known);
  fresh_ = outer_fresh;
  // Arguments are evaluated, needed or not.
  std::erase_if(arguments, [](const LanesPointer& argument) { return !argument->any_failed(); });
  if (arguments.empty()) return body;
  std::size_t count = body->values.size();
  for (const LanesPointer& argument : arguments) count = std::max(count, argument->values.size());
  auto result = lanes(body->type, count);
  for (std::size_t lane = 0; lane < count; ++lane) {
    result->values[lane] = body->at(lane);
    result->failed[lane] = body->has_failed(lane);
    for (const LanesPointer& argument : arguments) {
      result->failed[lane] = result->failed[lane] || argument->has_failed(lane);
    }
  }
  return result;
}

// Loops whose bounds are the same in all lanes.
struct Scalars::Loops {
  Scalars& self;
  std::int64_t iterations = 0;

  std::int64_t bound(ir::ValueId value) {
    const LanesPointer lanes = self.find(value);
    if (!lanes->uniform() || lanes->failed[0]) throw NotCovered{};
    return lanes->values[0].integer;
  }

  template <class Body>
  void run(const std::vector<ir::Level>& levels, std::size_t number, Body body) {
    if (number == levels.size()) return body();
    const ir::Level& level = levels[number];
    const ir::LoopRange range{bound(level.first), bound(level.last), bound(level.step), level.geometric};
    if (!range.makes_progress()) throw NotCovered{};
    for (auto at = range.begin(); at; at = range.after(*at)) {
      if (++iterations > most_iterations) throw NotCovered{};
      const auto before = self.binders_.find(level.binder);
      const LanesPointer outer = before == self.binders_.end() ? nullptr : before->second;
      auto known = self.known_;
      self.known_.clear();
      self.binders_[level.binder] = constant(Scalar::of(*at));
      const bool counts = !level.filter.valid() || bound(level.filter) != 0;
      if (counts) run(levels, number + 1, body);
      self.known_ = std::move(known);
      if (outer) self.binders_[level.binder] = outer;
      if (!outer) self.binders_.erase(level.binder);
    }
  }
};

Scalars::LanesPointer Scalars::Visit::operator()(const ir::Reduce& n) const {
  Loops loops{self};
  std::shared_ptr<LaneValues> total;
  const bool is_sum = n.kind == ir::ReduceKind::sum, is_product = n.kind == ir::ReduceKind::product;
  const bool is_extremum = n.kind == ir::ReduceKind::maximum || n.kind == ir::ReduceKind::minimum;
  if (is_sum || is_product) {
    const int unit = is_sum ? 0 : 1;
    total = constant(value.type == ScalarType::real ? Scalar::of(double(unit)) : Scalar::of(std::int64_t{unit}));
  } else if (!is_extremum) {
    throw NotCovered{};
  }
  loops.run(n.levels, 0, [&] {
    const LanesPointer x = self.find(n.body);
    if (!total) {
      total = std::make_shared<LaneValues>(*x);
      return;
    }
    auto next = lanes(value.type, count_of(*total, *x));
    for (std::size_t lane = 0; lane < next->values.size(); ++lane) {
      next->failed[lane] = total->has_failed(lane) || x->has_failed(lane);
      if (next->failed[lane]) continue;
      const Scalar a = total->scalar(lane), b = x->scalar(lane);
      if (is_extremum) {
        next->values[lane] =
            bits_of(n.kind == ir::ReduceKind::maximum ? ir::arithmetic::maximum(a, b) : ir::arithmetic::minimum(a, b));
      } else {
        put(*next, lane, ir::arithmetic::binary(is_sum ? ir::BinaryOp::add : ir::BinaryOp::multiply, a, b));
      }
    }
    total = std::move(next);
  });
  if (!total) throw NotCovered{};  // an extremum of nothing is absent
  return total;
}

}  // namespace wave::backend::closed_form
