// See operations.h.
#include "ir/operations.h"

namespace wave::ir {

namespace {

// The values in the columns of the table.
namespace result_column {
using enum ScalarType;
constexpr std::nullopt_t same = std::nullopt;
}  // namespace result_column

namespace fails_column {
using enum FailureKind;
constexpr std::nullopt_t never = std::nullopt;
}  // namespace fails_column

constexpr Operation unary_operations[] = {
#define WAVE_UNARY(name, text, operand, result, fails) \
  {text, Operation::Operand::operand, result_column::result, fails_column::fails},
#include "ir/operations.def"
};

constexpr Operation binary_operations[] = {
#define WAVE_BINARY(name, text, binds, operand, result, fails) \
  {text, Operation::Operand::operand, result_column::result, fails_column::fails},
#include "ir/operations.def"
};

constexpr const char* reductions[] = {
#define WAVE_REDUCTION(name, text) text,
#include "ir/operations.def"
};

}  // namespace

bool Operation::takes(ScalarType type) const {
  switch (operand) {
    case Operand::real: return type == ScalarType::real;
    case Operand::integer: return type == ScalarType::integer;
    case Operand::boolean: return type == ScalarType::boolean;
    case Operand::number: return type != ScalarType::boolean;
    case Operand::any: return true;
  }
  return false;
}

const Operation& operation(UnaryOp op) { return unary_operations[static_cast<std::size_t>(op)]; }
const Operation& operation(BinaryOp op) { return binary_operations[static_cast<std::size_t>(op)]; }
const char* name_of(ReduceKind kind) { return reductions[static_cast<std::size_t>(kind)]; }

bool begins_with_value(const Reduce& reduce) { return reduce.kind == ReduceKind::nth; }

}  // namespace wave::ir
