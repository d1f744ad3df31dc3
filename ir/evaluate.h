// What each node means, once for every domain of values: numbers, columns of numbers, intervals. The comments in
// ir/scalar.h are the text, this is the law. A domain has
//
//   Value, Operand        an Operand is a Value that is not missing. Missing is what is absent, unknown or sure to
//   is_missing, present   fail, and so is an operation on it
//   evaluate(ValueId)     a node's value, by `evaluate_node`, with what the domain remembers, counts and limits
//   is_true, is_false     of an Operand. If neither, both branches of a choice are evaluated, and it is
//   either(node, condition, if_true, if_false)
//   unary(node, x), binary(node, a, b)   where b may be missing
//   extend(Value& extremum, kind, x)     by one more, where both may be missing
//   call, read, measure(node, operands), lookup(node, keys), fail(node)
//   of(node)              for kinds that are not in NodeMeaning, and for those that mean something else in the domain
#pragma once

#include "ir/arithmetic.h"
#include "ir/operations.h"
#include "ir/visit.h"

#include <array>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wave::ir {

// The kinds that only choose and compute.
template <class Kind>
inline constexpr bool is_operator =
    std::is_same_v<Kind, Unary> || std::is_same_v<Kind, Binary> || std::is_same_v<Kind, Maximum> ||
    std::is_same_v<Kind, Minimum> || std::is_same_v<Kind, Select>;

template <class Domain>
struct NodeMeaning {
  using Value = typename Domain::Value;
  using Operand = typename Domain::Operand;
  Domain& in;

  Value operator()(const Unary& n) const {
    const Value x = in.evaluate(n.operand);
    if (in.is_missing(x)) return x;
    return in.unary(n, in.present(x));
  }
  Value operator()(const Binary& n) const {
    const Value a = in.evaluate(n.left);
    if (in.is_missing(a)) return a;
    if (n.op == BinaryOp::logical_and && in.is_false(in.present(a))) return a;
    if (n.op == BinaryOp::logical_or && in.is_true(in.present(a))) return a;
    return in.binary(n, in.present(a), in.evaluate(n.right));
  }
  Value operator()(const Maximum& n) const { return extremum(ReduceKind::maximum, n.operands); }
  Value operator()(const Minimum& n) const { return extremum(ReduceKind::minimum, n.operands); }
  Value operator()(const Select& n) const {
    const Value condition = in.evaluate(n.condition);
    if (in.is_missing(condition)) return condition;
    if (in.is_true(in.present(condition))) return in.evaluate(n.if_true);
    if (in.is_false(in.present(condition))) return in.evaluate(n.if_false);
    const Value if_true = in.evaluate(n.if_true);
    return in.either(n, in.present(condition), if_true, in.evaluate(n.if_false));
  }
  Value operator()(const Check& n) const {
    const Value condition = in.evaluate(n.condition);
    if (in.is_missing(condition)) return condition;
    return in.is_false(in.present(condition)) ? in.fail(n) : in.evaluate(n.value);
  }
  Value operator()(const Fail& n) const { return in.fail(n); }
  Value operator()(const Call& n) const {
    return with(n.arguments, [&](std::vector<Operand> all) { return in.call(n, std::move(all)); });
  }
  Value operator()(const Read& n) const {
    return with(n.indices, [&](const std::vector<Operand>& all) { return in.read(n, all); });
  }
  Value operator()(const Measure& n) const {
    return with(n.indices, [&](const std::vector<Operand>& all) { return in.measure(n, all); });
  }
  Value operator()(const Lookup& n) const {
    std::array<Operand, 2> keys{};  // tables have one axis or two
    for (std::size_t axis = 0; axis < n.keys.size(); ++axis) {
      const Value key = in.evaluate(n.keys[axis]);
      if (in.is_missing(key)) return key;
      keys[axis] = in.present(key);
    }
    return in.lookup(n, keys);
  }

 private:
  Value extremum(ReduceKind kind, const std::vector<ValueId>& operands) const {
    Value result = in.evaluate(operands.front());
    for (std::size_t i = 1; i < operands.size(); ++i) in.extend(result, kind, in.evaluate(operands[i]));
    return result;
  }
  template <class Use>
  Value with(const std::vector<ValueId>& operands, Use&& use) const {
    std::vector<Operand> all;
    all.reserve(operands.size());
    for (const ValueId operand : operands) {
      const Value x = in.evaluate(operand);
      if (in.is_missing(x)) return x;
      all.push_back(in.present(x));
    }
    return use(std::move(all));
  }
};

template <class Domain>
struct NodeVisitor {
  Domain in;
  using Meaning = NodeMeaning<std::remove_reference_t<Domain>>;

  template <class Kind>
  typename Meaning::Value operator()(const Kind& n) {
    if constexpr (requires { in.of(n); }) {
      return in.of(n);
    } else {
      return Meaning{in}(n);
    }
  }
};

template <class Domain>
auto evaluate_node(Domain&& in, const Node& node) {
  return std::visit(NodeVisitor<Domain>{std::forward<Domain>(in)}, node);
}

inline Scalar extremum(ReduceKind kind, const Scalar& a, const Scalar& b) {
  return kind == ReduceKind::maximum ? arithmetic::maximum(a, b) : arithmetic::minimum(a, b);
}

// What domains of numbers have in common.
struct Numbers {
  using Value = std::optional<Scalar>;
  using Operand = Scalar;

  static bool is_missing(const Value& x) { return !x; }
  static const Scalar& present(const Value& x) { return *x; }
  static bool is_true(const Scalar& x) { return x.boolean; }
  static bool is_false(const Scalar& x) { return !x.boolean; }
  static Value either(const Select&, const Scalar&, const Value& if_true, const Value&) { return if_true; }  // never
  static Value of(const Constant& n) { return n.value; }
  // What is missing is skipped.
  static void extend(Value& extremum, ReduceKind kind, const Value& x) {
    if (x) extremum = extremum ? ir::extremum(kind, *extremum, *x) : *x;
  }
};

// What is known where no engine evaluates: of columns and intervals, under the binders that their users bind.
template <class Value>
struct Bindings {
  const System& system;
  std::unordered_map<BinderId, Value> binders;
  std::unordered_map<ParameterId, Value> parameters;  // of frames entered by calls
  std::unordered_map<ValueId, Value> known;           // under the present bindings
  std::uint32_t fresh = 0xffffffff;                   // frames at least this deep were entered by a call

  explicit Bindings(const System& system) : system(system) {}
  void bind(BinderId binder, Value value) {
    binders.insert_or_assign(binder, std::move(value));
    known.clear();
  }
  // In a frame that was entered by a call, a definition is whatever its body is there.
  bool is_fresh(FrameId frame) const { return depth(system, frame) >= fresh; }
  // What `body` gives in a fresh activation of the frame that is called.
  template <class Body>
  Value call(const Call& node, const std::vector<Value>& arguments, Body&& body) {
    auto outer_known = std::exchange(known, {});
    auto outer_parameters = parameters;
    const std::uint32_t outer_fresh = std::exchange(fresh, std::min(fresh, depth(system, node.frame)));
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < system.parameters.size(); ++i) {
      if (system.parameters[i].frame == node.frame) parameters.insert_or_assign({i}, arguments.at(next++));
    }
    Value result = body();
    known = std::move(outer_known);
    parameters = std::move(outer_parameters);
    fresh = outer_fresh;
    return result;
  }
};

}  // namespace wave::ir
