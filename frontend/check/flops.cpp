// Blocks of which the operations are counted. Their variables belong to the program that is modelled: they are not
// declared here, and nothing is known of them but what is done with them. The bounds of loops belong to the model.
#include "frontend/ast/walk.h"
#include "frontend/check/checker.h"

namespace wave::frontend::check {
namespace {

// What is no arithmetic on numbers, wherever it stands but in an index: what a C program does not know.
const Expr* find_uncountable(const Expr& e) {
  const bool is_uncountable =
      std::holds_alternative<expr::List>(e.node) || std::holds_alternative<expr::Range>(e.node) ||
      std::holds_alternative<expr::Comprehension>(e.node) || std::holds_alternative<expr::Reduce>(e.node) ||
      std::holds_alternative<expr::SignTuple>(e.node) || std::holds_alternative<expr::TableLiteral>(e.node) ||
      std::holds_alternative<expr::TableFile>(e.node) || std::holds_alternative<expr::Flops>(e.node);
  if (is_uncountable) return &e;
  if (std::holds_alternative<expr::Index>(e.node)) return nullptr;
  const Expr* found = nullptr;
  for_each_child(e, [&](const Expr& child) { found = found ? found : find_uncountable(child); });
  return found;
}

}  // namespace

void Checker::require_countable(const Expr& e) {
  const Expr* wrong = find_uncountable(e);
  if (!wrong) return;
  Diagnostic& d = report(DiagnosticKind::misplaced_statement, wrong->place, "this has no operations to count",
                         "`flops` holds arithmetic on numbers and elements, as in C");
  if (std::holds_alternative<expr::Reduce>(wrong->node))
    d.help.push_back("write it as a loop, `for k in 1..n { s = s + x[k] }`");
}

TypeRef Checker::check_flops(expr::Flops& flops) {
  LocalScope scope(context_.locals);
  check_flops_block(flops.body);
  return work_type();
}

void Checker::check_flops_block(Block& block) {
  for (auto& statement : block) {
    if (auto* loop = std::get_if<statement::For>(&statement->node)) {
      LocalScope scope(context_.locals);
      expect(*loop->list, list_of(int_type()));
      context_.locals.push_back({loop->variable.text, int_type(), loop->variable.place});
      check_flops_block(loop->body);
    } else if (auto* repeat = std::get_if<statement::Repeat>(&statement->node)) {
      LocalScope scope(context_.locals);
      expect(*repeat->count, int_type());
      check_flops_block(repeat->body);
    } else if (auto* conditional = std::get_if<statement::If>(&statement->node)) {
      require_countable(*conditional->condition);
      check_flops_block(conditional->then_body);
      check_flops_block(conditional->else_body);
    } else if (const auto* assign = std::get_if<statement::Assign>(&statement->node)) {
      require_countable(*assign->value);
    } else if (const auto* evaluate = std::get_if<statement::Evaluate>(&statement->node)) {
      require_countable(*evaluate->value);
    } else {
      report(DiagnosticKind::misplaced_statement, statement->place, "this statement has no operations to count",
             "`flops` holds assignments, calls, `for` and `if`");
    }
  }
}

}  // namespace wave::frontend::check
