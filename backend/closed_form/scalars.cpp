// Every operation is done in all lanes; what fails marks its lane, and only what a lane needs can mark it.
#include "backend/closed_form/scalars.h"

#include "backend/closed_form/thresholds.h"
#include "ir/loops.h"
#include "ir/table.h"

#include <algorithm>

namespace wave::backend::closed_form {

using ir::Scalar;
using ir::ScalarType;

namespace {

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

}  // namespace

bool LaneValues::any_failed() const {
  return std::any_of(failed.begin(), failed.end(), [](std::uint8_t lane) { return lane != 0; });
}

Scalar LaneValues::scalar(std::size_t lane) const { return scalar_of(type, at(lane)); }

void Scalars::bind(ir::BinderId binder, std::vector<std::int64_t> values) {
  auto bound = lanes(ScalarType::integer, values.size());
  for (std::size_t lane = 0; lane < values.size(); ++lane) bound->values[lane].integer = values[lane];
  bindings_.bind(binder, std::move(bound));
}

const LaneValues* Scalars::evaluate(ir::ValueId value) { return find(value).get(); }

Scalars::LanesPointer Scalars::refuse() {
  is_refused_ = true;
  return nullptr;
}

// Columns as a domain: what fails marks its lane, and a choice takes from both branches, lane by lane. What is refused
// is missing.
struct Scalars::Visit {
  using Value = LanesPointer;
  using Operand = LanesPointer;
  Scalars& self;
  const ir::Value& value;
  std::int64_t iterations = 0;

  static bool is_missing(const LanesPointer& x) { return !x; }
  static const LanesPointer& present(const LanesPointer& x) { return x; }
  static bool is_true(const LanesPointer& x) { return x->uniform() && !x->failed[0] && x->values[0].integer != 0; }
  static bool is_false(const LanesPointer& x) { return x->uniform() && !x->failed[0] && x->values[0].integer == 0; }
  LanesPointer evaluate(ir::ValueId operand) const { return self.find(operand); }

  LanesPointer of(const ir::Constant& n) const { return constant(n.value); }
  LanesPointer of(const ir::Parameter& n) const {
    const auto& known = self.bindings_.parameters;
    if (const auto found = known.find(n.parameter); found != known.end()) return found->second;
    if (!self.around_.parameter) return self.refuse();
    return constant(self.around_.parameter(n.parameter));
  }
  LanesPointer of(const ir::Index& n) const {
    const auto known = self.bindings_.binders.find(n.binder);
    if (known == self.bindings_.binders.end()) return self.refuse();
    return known->second;
  }
  // In a fresh activation a definition is whatever its body is there.
  LanesPointer of(const ir::Reference& n) const {
    const ir::Definition& definition = self.system_[n.definition];
    if (self.bindings_.is_fresh(definition.frame)) return evaluate(definition.body);
    const auto value = self.around_.definition(n.definition);
    const auto* const scalar = std::get_if<Scalar>(&value);
    return scalar ? constant(*scalar) : failure(definition.type);
  }
  LanesPointer of(const ir::Unary& n) {
    if (n.op == ir::UnaryOp::quantize) return self.refuse();
    return ir::NodeMeaning<Visit>{*this}(n);
  }
  // Both are evaluated before lanes are marked.
  LanesPointer of(const ir::Check& n) const {
    const LanesPointer condition = evaluate(n.condition), checked = evaluate(n.value);
    if (!condition || !checked) return nullptr;
    return each(count_of(*condition, *checked), [&](std::size_t lane, LaneValues& out) {
      out.failed[lane] = condition->has_failed(lane) || condition->at(lane).integer == 0 || checked->has_failed(lane);
      out.values[lane] = checked->at(lane);
    });
  }
  LanesPointer of(const ir::Fail&) const { return failure(value.type); }
  LanesPointer of(const ir::Read&) const { return self.refuse(); }
  LanesPointer of(const ir::Neighbour&) const { return self.refuse(); }
  LanesPointer of(const ir::Measure&) const { return self.refuse(); }
  LanesPointer of(const ir::Reduce& n) {
    switch (n.kind) {
      case ir::ReduceKind::sum:
      case ir::ReduceKind::product: return ir::accumulate(*this, n, value.type);
      case ir::ReduceKind::maximum:
      case ir::ReduceKind::minimum: return ir::extremum(*this, n);
      default: return self.refuse();
    }
  }

  LanesPointer unary(const ir::Unary& n, const LanesPointer& x) const {
    if (n.op == ir::UnaryOp::to_real) {
      return each(x->values.size(), [&](std::size_t lane, LaneValues& out) {
        out.failed[lane] = x->failed[lane];
        out.values[lane].real = static_cast<double>(x->values[lane].integer);
      });
    }
    return each(x->values.size(), [&](std::size_t lane, LaneValues& out) {
      out.failed[lane] = x->failed[lane];
      if (!x->failed[lane]) put(out, lane, ir::arithmetic::unary(n.op, x->scalar(lane)));
    });
  }
  LanesPointer binary(const ir::Binary& n, const LanesPointer& a, const LanesPointer& b) const {
    return b ? operate(n.op, a, b) : nullptr;
  }
  void accumulate(LanesPointer& total, ir::BinaryOp op, const LanesPointer& x, ir::SiteId) const {
    total = operate(op, total, x);
  }
  LanesPointer operate(ir::BinaryOp op, const LanesPointer& a, const LanesPointer& b) const {
    // Real operations that cannot fail: what costs are mostly made of.
    if (a->type == ScalarType::real && op == ir::BinaryOp::add) return all(*a, *b, std::plus());
    if (a->type == ScalarType::real && op == ir::BinaryOp::subtract) return all(*a, *b, std::minus());
    if (a->type == ScalarType::real && op == ir::BinaryOp::multiply) return all(*a, *b, std::multiplies());
    return each(count_of(*a, *b), [&](std::size_t lane, LaneValues& out) {
      out.failed[lane] = a->has_failed(lane);
      if (out.failed[lane]) return;
      const bool decides = (op == ir::BinaryOp::logical_and && a->at(lane).integer == 0) ||
                           (op == ir::BinaryOp::logical_or && a->at(lane).integer != 0);
      out.failed[lane] = !decides && b->has_failed(lane);
      if (decides) {
        out.values[lane] = a->at(lane);
      } else if (!out.failed[lane]) {
        put(out, lane, ir::arithmetic::binary(op, a->scalar(lane), b->scalar(lane)));
      }
    });
  }
  void extend(LanesPointer& extremum, ir::ReduceKind kind, const LanesPointer& x) const {
    if (!extremum || !x) return void(extremum = x);
    extremum = each(count_of(*extremum, *x), [&](std::size_t lane, LaneValues& out) {
      out.failed[lane] = extremum->has_failed(lane) || x->has_failed(lane);
      out.values[lane] = bits_of(ir::extremum(kind, extremum->scalar(lane), x->scalar(lane)));
    });
  }
  LanesPointer either(const ir::Select&, const LanesPointer& condition, const LanesPointer& a,
                      const LanesPointer& b) const {
    if (!a || !b) return nullptr;
    return each(count_of(*condition, *a, *b), [&](std::size_t lane, LaneValues& out) {
      const LaneValues& taken = condition->at(lane).integer != 0 ? *a : *b;
      out.failed[lane] = condition->has_failed(lane) || taken.has_failed(lane);
      out.values[lane] = taken.at(lane);
    });
  }
  LanesPointer lookup(const ir::Lookup& n, const std::array<LanesPointer, 2>& keys) const {
    const LaneValues& first = *keys[0];
    const LaneValues& second = n.keys.size() > 1 ? *keys[1] : first;
    return each(count_of(first, second), [&](std::size_t lane, LaneValues& out) {
      out.failed[lane] = first.has_failed(lane) || second.has_failed(lane);
      if (out.failed[lane]) return;
      const double at[] = {first.at(lane).real, second.at(lane).real};
      const auto found = ir::lookup(self.system_[n.table], at);
      out.failed[lane] = found.failed;
      out.values[lane].real = found.value;
    });
  }
  LanesPointer call(const ir::Call& n, std::vector<LanesPointer> arguments) const {
    const LanesPointer body =
        self.bindings_.call(n, arguments, [&] { return evaluate(self.system_[n.definition].body); });
    if (!body) return nullptr;
    // Arguments are evaluated, needed or not.
    std::erase_if(arguments, [](const LanesPointer& argument) { return !argument->any_failed(); });
    if (arguments.empty()) return body;
    std::size_t count = body->values.size();
    for (const LanesPointer& argument : arguments) count = std::max(count, argument->values.size());
    return each(count, [&](std::size_t lane, LaneValues& out) {
      out.values[lane] = body->at(lane);
      out.failed[lane] = body->has_failed(lane) ||
                         std::any_of(arguments.begin(), arguments.end(),
                                     [&](const LanesPointer& argument) { return argument->has_failed(lane); });
    });
  }

  // Loops whose bounds are the same in all lanes.
  struct Rounds {
    Rounds(Visit& in, const ir::Level& level, const ir::LoopRange&)
        : in(in),
          binder(level.binder),
          outer(in.self.bindings_.binders),
          known(std::exchange(in.self.bindings_.known, {})) {}
    Rounds(const Rounds&) = delete;
    ~Rounds() {
      in.self.bindings_.binders = std::move(outer);
      in.self.bindings_.known = std::move(known);
    }
    bool begin(std::int64_t at) {
      if (++in.iterations > most_iterations_of_weight) in.self.refuse();
      if (in.self.is_refused_) return false;
      in.self.bindings_.bind(binder, constant(Scalar::of(at)));
      return true;
    }
    void end(std::int64_t) {}

    Visit& in;
    const ir::BinderId binder;
    std::unordered_map<ir::BinderId, LanesPointer> outer;
    std::unordered_map<ir::ValueId, LanesPointer> known;
  };
  std::optional<std::int64_t> bound(ir::ValueId id) const {
    const LanesPointer lanes = evaluate(id);
    if (lanes && lanes->uniform() && !lanes->failed[0]) return lanes->values[0].integer;
    self.refuse();
    return std::nullopt;
  }
  std::optional<bool> counts(ir::ValueId filter) const {
    const std::optional<std::int64_t> value = bound(filter);
    return value ? std::optional(*value != 0) : std::nullopt;
  }
  void fail(const ir::Level&, const ir::LoopRange&) const { self.refuse(); }
  LanesPointer nothing(const ir::Reduce&) const { return self.refuse(); }  // it is absent

 private:
  static void put(LaneValues& result, std::size_t lane, const ir::arithmetic::Result<Scalar>& outcome) {
    result.failed[lane] = outcome.failed;
    if (!outcome.failed) result.values[lane] = bits_of(outcome.value);
  }
  template <class Lane>
  LanesPointer each(std::size_t count, Lane&& at) const {
    auto result = lanes(value.type, count);
    for (std::size_t lane = 0; lane < count; ++lane) at(lane, *result);
    return result;
  }
  template <class Operation>
  LanesPointer all(const LaneValues& a, const LaneValues& b, Operation operation) const {
    return each(count_of(a, b), [&](std::size_t lane, LaneValues& out) {
      out.failed[lane] = a.has_failed(lane) || b.has_failed(lane);
      out.values[lane].real = operation(a.at(lane).real, b.at(lane).real);
    });
  }
};

Scalars::LanesPointer Scalars::find(ir::ValueId value) {
  if (is_refused_) return nullptr;
  if (const auto known = bindings_.known.find(value); known != bindings_.known.end()) return known->second;
  if (depth_ >= deepest_lanes) return refuse();
  ++depth_;
  LanesPointer result = ir::evaluate_node(Visit{*this, system_[value]}, system_[value].node);
  --depth_;
  if (!result) return nullptr;
  const std::size_t lanes = result->values.size();
  if (around_.lanes_left && *around_.lanes_left < lanes) return refuse();
  if (around_.lanes_left) *around_.lanes_left -= lanes;
  work_ += lanes;
  if (work_ > lanes_between_clock_reads) {
    work_ = 0;
    if (around_.look_at_clock) around_.look_at_clock();
  }
  return bindings_.known[value] = std::move(result);
}

}  // namespace wave::backend::closed_form
