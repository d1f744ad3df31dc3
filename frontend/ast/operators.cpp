// The tables of operators and functions, from operators.def and the operations of ir/.
#include "frontend/ast/operators.h"

#include "ir/operations.h"

#include <algorithm>
#include <iterator>

namespace wave::frontend {
namespace {

constexpr OperatorRow operators[] = {
#define WAVE_OPERATOR(name, of_reals, of_integers, flops) {ir::BinaryOp::of_reals, ir::BinaryOp::of_integers, flops},
#include "frontend/ast/operators.def"
};

constexpr ir::ReduceKind reductions[] = {
#define WAVE_REDUCTION_WORD(name, kind) ir::ReduceKind::kind,
#include "frontend/ast/operators.def"
};

constexpr FunctionRow functions[] = {
#define WAVE_FUNCTION(name, text, operand, result, fails, dimension, flops) \
  {ir::UnaryOp::name, FunctionRow::Dimension::dimension, flops},
#include "ir/operations.def"
};

const std::vector<LanguageFunction>& all_functions() {
  static const std::vector<LanguageFunction> all = {
#define WAVE_FUNCTION(name, ...) ir::UnaryOp::name,
#include "ir/operations.def"
#define WAVE_REDUCTION_WORD(name, kind) ReduceOperator::name,
#define WAVE_OTHER_FUNCTION(name) OtherFunction::name,
#include "frontend/ast/operators.def"
  };
  return all;
}

const char* name_of(ir::UnaryOp function) { return ir::operation(function).text; }

const char* name_of(OtherFunction function) {
  switch (function) {
#define WAVE_OTHER_FUNCTION(name) \
  case OtherFunction::name: return #name;
#include "frontend/ast/operators.def"
  }
  return "";
}

}  // namespace

const OperatorRow& row_of(BinaryOperator op) { return operators[static_cast<std::size_t>(op)]; }

const char* name_of(BinaryOperator op) { return ir::operation(row_of(op).of_reals).text; }

bool is_comparison(BinaryOperator op) {
  const ir::Operation& operation = ir::operation(row_of(op).of_reals);
  return operation.result == ir::ScalarType::boolean && operation.takes(ir::ScalarType::real);
}

ir::ReduceKind kind_of(ReduceOperator op) { return reductions[static_cast<std::size_t>(op)]; }

const char* name_of(ReduceOperator op) { return ir::name_of(kind_of(op)); }

std::optional<ReduceOperator> find_reduction(std::string_view name) {
  const auto function = find_function(name);
  const auto* reduction = function ? std::get_if<ReduceOperator>(&*function) : nullptr;
  return reduction ? std::optional(*reduction) : std::nullopt;
}

const FunctionRow& row_of(ir::UnaryOp function) {
  return *std::find_if(std::begin(functions), std::end(functions),
                       [&](const FunctionRow& row) { return row.op == function; });
}

const char* name_of(const LanguageFunction& function) {
  return std::visit([](auto one) { return name_of(one); }, function);
}

std::optional<LanguageFunction> find_function(std::string_view name) {
  for (const LanguageFunction& function : all_functions()) {
    if (name_of(function) == name) return function;
  }
  return std::nullopt;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const LanguageFunction& function : all_functions()) names.push_back(name_of(function));
  return names;
}

}  // namespace wave::frontend
