// The operators and functions of the language: how they are written and what they become.
#pragma once

#include "frontend/ast/ast.h"
#include "ir/operations.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::frontend {

struct OperatorRow {
  ir::BinaryOp of_reals, of_integers;
  int flops;
};
const OperatorRow& row_of(BinaryOperator op);
const char* name_of(BinaryOperator op);  // `+`, `div`
bool is_comparison(BinaryOperator op);

const char* name_of(ReduceOperator op);
ir::ReduceKind kind_of(ReduceOperator op);
std::optional<ReduceOperator> find_reduction(std::string_view name);

struct FunctionRow {
  enum class Dimension {
    same,         // any quantity, and the result is one
    plain,        // a plain number, and so is the result
    square_root,  // any quantity whose exponents can be halved
    cube_root     // any quantity whose exponents can be divided by three
  };
  ir::UnaryOp op;
  Dimension dimension;
  int flops;
};
const FunctionRow& row_of(ir::UnaryOp function);

const char* name_of(const LanguageFunction& function);
std::optional<LanguageFunction> find_function(std::string_view name);
std::vector<std::string> function_names();

}  // namespace wave::frontend
