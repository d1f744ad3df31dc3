// Blocks of which the operations are counted. Their variables belong to the program that is modelled: they are not
// declared here, and nothing is known of them but what is done with them. The bounds of loops belong to the model.
#include "frontend/check/checker.h"

namespace wave::frontend::check {

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
      check_flops_block(conditional->then_body);
      check_flops_block(conditional->else_body);
    } else if (!std::holds_alternative<statement::Assign>(statement->node) &&
               !std::holds_alternative<statement::Evaluate>(statement->node)) {
      report(DiagnosticKind::misplaced_statement, statement->place, "this statement has no operations to count",
             "`flops` holds assignments, calls, `for` and `if`");
    }
  }
}

}  // namespace wave::frontend::check
