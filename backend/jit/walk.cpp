// Straight scalars of the root frame, by walking over their nodes. Values and failures are those of the code that would
// be compiled for them; definitions are left in the record, where compiled code finds them.
#include "backend/jit/runtime.h"
#include "ir/arithmetic.h"
#include "ir/operations.h"
#include "ir/table.h"

#include <initializer_list>
#include <stdexcept>

namespace wave::jit {

using ir::Scalar;

struct Run::Walk {
  Run& run;
  const ir::System& system;

  // Nothing: it failed, and the failure has been noted.
  using Result = std::optional<Scalar>;

  Result value(ir::ValueId id) {
    if (const auto* const constant = std::get_if<ir::Constant>(&system[id].node)) return constant->value;
    if (const auto known = run.walked_.find(id); known != run.walked_.end()) return known->second;
    const Result result = std::visit([&](const auto& node) { return of(node); }, system[id].node);
    if (result) run.walked_.emplace(id, *result);
    return result;
  }

  Result of(const ir::Constant& n) { return n.value; }
  Result of(const ir::Reference& n) {
    if (run.evaluate_straight(n.definition) != done) return std::nullopt;
    return to_scalar(system[n.definition].type,
                     run.root_record_[run.compiled_.layout.value_offset[n.definition.index] / 8]);
  }
  Result of(const ir::Unary& n) {
    const Result x = value(n.operand);
    if (!x) return x;
    return given(ir::arithmetic::unary(n.op, *x), n.site, {*x});
  }
  Result of(const ir::Binary& n) {
    const Result a = value(n.left);
    if (!a || (n.op == ir::BinaryOp::logical_and && !a->boolean) || (n.op == ir::BinaryOp::logical_or && a->boolean))
      return a;
    const Result b = value(n.right);
    if (!b) return b;
    return given(ir::arithmetic::binary(n.op, *a, *b), n.site, {*a, *b});
  }
  Result of(const ir::Maximum& n) {
    return fold(n.operands, [](Scalar a, Scalar b) { return ir::arithmetic::maximum(a, b); });
  }
  Result of(const ir::Minimum& n) {
    return fold(n.operands, [](Scalar a, Scalar b) { return ir::arithmetic::minimum(a, b); });
  }
  Result of(const ir::Select& n) {
    const Result condition = value(n.condition);
    if (!condition) return condition;
    return value(condition->boolean ? n.if_true : n.if_false);
  }
  Result of(const ir::Check& n) {
    const Result condition = value(n.condition);
    if (!condition) return condition;
    return condition->boolean ? value(n.value) : fail_check(n);
  }
  Result of(const ir::Fail& n) { return fail(n.site, system[n.site].kind, {}); }
  Result of(const ir::Lookup& n) {
    double keys[2] = {0, 0};
    for (std::size_t axis = 0; axis < n.keys.size(); ++axis) {
      const Result key = value(n.keys[axis]);
      if (!key) return key;
      keys[axis] = key->real;
    }
    const auto found = ir::lookup(system[n.table], keys);
    if (n.keys.size() == 1) return given(found, n.site, {Scalar::of(keys[0])});
    return given(found, n.site, {Scalar::of(keys[0]), Scalar::of(keys[1])});
  }
  Result of(const ir::Measure& n) {
    std::vector<std::int64_t> indices;
    for (const ir::ValueId index : n.indices) {
      const Result x = value(index);
      if (!x) return x;
      indices.push_back(x->integer);
    }
    Word word = 0;
    if (run.measure(n, indices, &word) != done) return std::nullopt;
    return to_scalar(n.metric == ir::Metric::messages ? ir::ScalarType::integer : ir::ScalarType::real, word);
  }
  // Not straight.
  Result of(const ir::Parameter&) { return never(); }
  Result of(const ir::Index&) { return never(); }
  Result of(const ir::Call&) { return never(); }
  Result of(const ir::Reduce&) { return never(); }
  Result of(const ir::Read&) { return never(); }
  Result of(const ir::Neighbour&) { return never(); }

 private:
  static Result never() { throw std::logic_error("a scalar that is not straight"); }

  Result fail(ir::SiteId site, ir::FailureKind kind, std::initializer_list<Scalar> values) {
    std::array<Word, 3> bits{};
    auto types = static_cast<std::uint32_t>(values.size());
    std::uint32_t number = 0;
    for (const Scalar& one : values) {
      types |= static_cast<std::uint32_t>(one.type) << (8 + 2 * number);
      bits[number++] = to_bits(one);
    }
    run.fail(site, kind, types, bits);
    return std::nullopt;
  }

  // With the two sides, where the condition compares; both have been evaluated.
  Result fail_check(const ir::Check& n) {
    const ir::FailureKind kind = system[n.site].kind;
    const auto* const compares = std::get_if<ir::Binary>(&system[n.condition].node);
    if (!compares || compares->op == ir::BinaryOp::logical_and || compares->op == ir::BinaryOp::logical_or) {
      return fail(n.site, kind, {});
    }
    const Result left = value(compares->left), right = value(compares->right);
    return fail(n.site, kind, {left.value_or(Scalar{}), right.value_or(Scalar{})});
  }

  template <class T>
  Result given(const ir::arithmetic::Result<T>& result, ir::SiteId site, std::initializer_list<Scalar> operands) {
    if (result.failed) return fail(site, result.kind, operands);
    if constexpr (std::is_same_v<T, Scalar>) {
      return result.value;
    } else {
      return Scalar::of(result.value);
    }
  }

  template <class Function>
  Result fold(const std::vector<ir::ValueId>& operands, Function combine) {
    Result result;
    for (const ir::ValueId operand : operands) {
      const Result x = value(operand);
      if (!x) return x;
      result = result ? combine(*result, *x) : *x;
    }
    return result;
  }
};

Status Run::evaluate_straight(ir::DefinitionId id) {
  std::uint8_t& state = reinterpret_cast<std::uint8_t*>(root_record_.data())[compiled_.layout.state_offset[id.index]];
  if (state == evaluated) return done;
  const Walk::Result result = Walk{*this, compiled_.system}.value(compiled_.system[id].body);
  if (!result) {
    unwind(id);
    return failed;
  }
  root_record_[compiled_.layout.value_offset[id.index] / 8] = to_bits(*result);
  state = evaluated;
  return done;
}

Status Run::evaluate_straight(ir::ValueId value, Word& out) {
  const Walk::Result result = Walk{*this, compiled_.system}.value(value);
  if (!result) return failed;
  out = to_bits(*result);
  return done;
}

backend::Outcome Run::evaluate_straight(ir::RootId id) {
  const ir::Root& root = compiled_.system[id];
  begin_rows(id);
  Word ignored = 0;
  Status status = root.precondition.valid() ? evaluate_straight(root.precondition, ignored) : done;
  for (std::uint32_t block = 0; block < root.blocks.size() && status == done; ++block) {
    std::vector<Word> words;
    for (const ir::ValueId column : root.blocks[block].columns) {
      status = evaluate_straight(column, words.emplace_back());
      if (status != done) break;
    }
    if (status == done) status = row(id, block, words.data());
  }
  return end_rows(status);
}

}  // namespace wave::jit
