// The operators on scalars, and the rows of ir/operations.def by operator. ir/arithmetic.h says what they do.
#pragma once

#include "ir/failure.h"
#include "ir/scalar.h"

#include <optional>

namespace wave::ir {

enum class UnaryOp : std::uint8_t {
#define WAVE_UNARY(name, ...) name,
#include "ir/operations.def"
};

enum class BinaryOp : std::uint8_t {
#define WAVE_BINARY(name, ...) name,
#include "ir/operations.def"
};

enum class ReduceKind : std::uint8_t {
#define WAVE_REDUCTION(name, text) name,
#include "ir/operations.def"
};

struct Operation {
  enum class Operand : std::uint8_t { real, integer, boolean, number, any };

  const char* text;
  Operand operand;
  std::optional<ScalarType> result;    // nothing: the operand's type
  std::optional<FailureKind> failure;  // nothing: it never fails

  bool takes(ScalarType type) const;
  ScalarType result_of(ScalarType type) const { return result.value_or(type); }
  // Whether the operator can fail on operands of this type.
  bool can_fail(ScalarType type) const {
    return failure && (*failure != FailureKind::integer_overflow || type == ScalarType::integer);
  }
};

const Operation& operation(UnaryOp op);
const Operation& operation(BinaryOp op);
const char* name_of(ReduceKind kind);

}  // namespace wave::ir
