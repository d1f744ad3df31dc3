// See flop_rules.h.
#include "frontend/lower/flop_rules.h"

#include "frontend/ast/operators.h"
#include "frontend/lower/overloaded.h"

#include <algorithm>

namespace wave::frontend::lowering {

namespace {

constexpr std::int64_t flops_of_another_function = 8;

std::int64_t flops_of_call(const std::string& name) {
  const auto function = find_function(name);
  const auto* op = function ? std::get_if<ir::UnaryOp>(&*function) : nullptr;
  return op ? row_of(*op).flops : flops_of_another_function;
}

void add(FlopOperations& all, const FlopOperation& one) {
  if (one.weight == 0 || one.count == 0) return;
  const auto same =
      std::find_if(all.begin(), all.end(), [&](const FlopOperation& other) { return other.what == one.what; });
  if (same == all.end())
    all.push_back(one);
  else
    same->count += one.count;
}

void collect(const Expr& expr, FlopOperations& all);

void add_costliest(const std::vector<const Expr*>& branches, FlopOperations& all) {
  FlopOperations costliest;
  for (const Expr* branch : branches) {
    FlopOperations operations = operations_of(*branch);
    if (flops_of(operations) > flops_of(costliest)) costliest = std::move(operations);
  }
  for (const FlopOperation& one : costliest) add(all, one);
}

void collect_call(const expr::Call& call, FlopOperations& all) {
  for (const Argument& argument : call.arguments) collect(*argument.value, all);
  const auto* name = std::get_if<expr::Name>(&call.callee->node);
  const std::string text = name ? name->text : "call";
  if (text == "max" || text == "min") {
    add(all, {text, 1, std::max<std::int64_t>(1, static_cast<std::int64_t>(call.arguments.size())) - 1});
  } else {
    add(all, {text, flops_of_call(text)});
  }
}

void collect(const Expr& expr, FlopOperations& all) {
  std::visit(Overloaded{
                 [&](const expr::Uncertain& node) { collect(*node.mean, all); },
                 [&](const expr::Unary& node) { collect(*node.operand, all); },  // a sign is free
                 [&](const expr::Conversion& node) {
                   add(all, {"(" + node.type.text + ")"});
                   collect(*node.operand, all);
                 },
                 [&](const expr::Binary& node) {
                   collect(*node.left, all);
                   add(all, {name_of(node.op), row_of(node.op).flops});
                   collect(*node.right, all);
                 },
                 [&](const expr::If& node) {
                   collect(*node.condition, all);
                   add_costliest({node.then_value.get(), node.else_value.get()}, all);
                 },
                 [&](const expr::When& node) {
                   std::vector<const Expr*> branches;
                   for (const auto& [condition, value] : node.arms) {
                     collect(*condition, all);
                     branches.push_back(value.get());
                   }
                   if (node.otherwise) branches.push_back(node.otherwise.get());
                   add_costliest(branches, all);
                 },
                 [&](const expr::Call& node) { collect_call(node, all); },
                 [](const expr::Integer&) {},
                 [](const expr::Number&) {},
                 [](const expr::Boolean&) {},
                 [](const expr::String&) {},
                 [](const expr::Name&) {},
                 [](const expr::Member&) {},
                 [](const expr::Index&) {},  // index arithmetic is free
                                             // The checker refuses these.
                 [](const expr::List&) {},
                 [](const expr::Range&) {},
                 [](const expr::Comprehension&) {},
                 [](const expr::Reduce&) {},
                 [](const expr::SignTuple&) {},
                 [](const expr::TableLiteral&) {},
                 [](const expr::TableFile&) {},
                 [](const expr::Flops&) {},
             },
             expr.node);
}

}  // namespace

FlopOperations operations_of(const Expr& expr) {
  FlopOperations all;
  collect(expr, all);
  return all;
}

FlopOperations operations_of_assignment(const Expr& value) {
  FlopOperations all = operations_of(value);
  if (flops_of(all) == 0) all = {{"="}};
  return all;
}

std::int64_t flops_of(const FlopOperations& operations) {
  std::int64_t total = 0;
  for (const FlopOperation& one : operations) total += one.weight * one.count;
  return total;
}

}  // namespace wave::frontend::lowering
