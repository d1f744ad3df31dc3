// Operators on constants and references: what the definitions for a replaced event are made of.
#include "backend/closed_form/symbolic/known_value.h"

#include "backend/closed_form/thresholds.h"
#include "ir/evaluate.h"

namespace wave::backend::closed_form {

namespace {

using Known = std::optional<ir::Scalar>;

// Numbers, of which those that are not known are missing.
struct Reader : ir::Numbers {
  const ir::System& system;
  const Knowledge& known;
  int depth = 0;
  std::unordered_map<ir::ValueId, ir::Scalar> found = {};  // values of values that several read

  Known evaluate(ir::ValueId value) {
    if (depth >= deepest_known_value) return std::nullopt;
    if (const auto known_already = found.find(value); known_already != found.end()) return known_already->second;
    ++depth;
    const Known result = ir::evaluate_node(*this, system[value].node);
    --depth;
    if (result) found.emplace(value, *result);
    return result;
  }

  using ir::Numbers::of;
  Known of(const ir::Parameter& n) { return known.parameter(n.parameter); }
  Known of(const ir::Reference& n) {
    if (const Known value = known.definition(n.definition)) return value;
    const ir::Definition& definition = system[n.definition];
    return definition.body.valid() && !definition.bindable ? evaluate(definition.body) : std::nullopt;
  }
  template <class Other>
    requires(!ir::is_operator<Other>)
  Known of(const Other&) {
    return std::nullopt;
  }

  Known unary(const ir::Unary& n, const ir::Scalar& x) {
    return n.op == ir::UnaryOp::quantize ? std::nullopt : value_of(ir::arithmetic::unary(n.op, x));
  }
  Known binary(const ir::Binary& n, const ir::Scalar& a, const Known& b) {
    return b ? value_of(ir::arithmetic::binary(n.op, a, *b)) : std::nullopt;
  }
  void extend(Known& extremum, ir::ReduceKind kind, const Known& x) {
    extremum = extremum && x ? Known(ir::extremum(kind, *extremum, *x)) : std::nullopt;
  }

 private:
  static Known value_of(const ir::arithmetic::Result<ir::Scalar>& result) {
    return result.failed ? std::nullopt : Known(result.value);
  }
};

}  // namespace

Known known_value(const ir::System& system, ir::ValueId value, const Knowledge& known) {
  return Reader{{}, system, known}.evaluate(value);
}

}  // namespace wave::backend::closed_form
