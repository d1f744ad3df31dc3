// Calls: of functions, machines, models, records, tables, and of what the language itself offers.
#pragma once

#include "frontend/lower/parts.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::frontend::lowering {

class Calls {
 public:
  explicit Calls(const Parts& parts)
      : b_(parts.b),
        sites_(parts.sites),
        values_(parts.values),
        expressions_(parts.expressions),
        literals_(parts.literals),
        lists_(parts.lists),
        functions_(parts.functions),
        instances_(parts.instances),
        lifting_(parts.lifting),
        recurrences_(parts.recurrences),
        messages_(parts.messages),
        processes_(parts.processes),
        studies_(parts.studies) {}

  Symbolic call(const Expr& expr, const expr::Call& call, const Scope& scope, const Naming* naming);
  Symbolic apply(const Symbolic& callee, const std::vector<Named>& arguments, const Scope& scope, Place place,
                 const Naming* naming = nullptr);
  Symbolic same_node(const Symbolic& a, const Symbolic& b, Place place);
  ir::SiteId no_process(const Expr& extent, const item::GridAxis& axis);

 private:
  std::optional<Symbolic> call_builtin_by_syntax(const LanguageFunction& function, const expr::Call& call,
                                                 const Scope& scope, Place place);
  Symbolic builtin(const LanguageFunction& function, const std::vector<Symbolic>& arguments, const Scope& scope,
                   Place place);
  Symbolic function_of_number(ir::UnaryOp op, const Symbolic& argument, Place place);
  Symbolic function_of_list(ReduceOperator op, const std::vector<Symbolic>& arguments, Place place);
  Symbolic record(const Item& declaration, const std::vector<Named>& arguments, Place place);

  ir::Builder& b_;
  Sites& sites_;
  Values& values_;
  Expressions& expressions_;
  Literals& literals_;
  Lists& lists_;
  Functions& functions_;
  Instances& instances_;
  Lifting& lifting_;
  Recurrences& recurrences_;
  Messages& messages_;
  Processes& processes_;
  Studies& studies_;
};

}  // namespace wave::frontend::lowering
