// Expressions as values: literals, names, operators, conditions.
#pragma once

#include "frontend/lower/parts.h"
#include "ir/builder.h"

#include <map>
#include <vector>

namespace wave::frontend::lowering {

class Expressions {
 public:
  explicit Expressions(const Parts& parts)
      : parts_(parts),
        b_(parts.b),
        sites_(parts.sites),
        values_(parts.values),
        literals_(parts.literals),
        lists_(parts.lists),
        calls_(parts.calls),
        instances_(parts.instances),
        processes_(parts.processes) {}

  Symbolic evaluate(const Expr& expr, const Scope& scope);
  ir::ValueId scalar(const Expr& expr, const Scope& scope);
  ir::ValueId real(const Expr& expr, const Scope& scope);
  Symbolic evaluate_named(const Expr& expr, const Scope& scope, const Naming& naming);
  Symbolic look_up(const std::string& name, const Scope& scope, Place place);
  Symbolic binary(BinaryOperator op, const Symbolic& left, const Symbolic& right, Place place);

 private:
  Symbolic evaluate_name(const expr::Name& node, const Scope& scope, Place place);
  Symbolic evaluate_when(const expr::When& node, const Scope& scope, Place place);
  Symbolic evaluate_list(const expr::List& node, const Scope& scope, Place place);
  Symbolic evaluate_range(const expr::Range& node, const Scope& scope, Place place);
  Symbolic flops(const expr::Flops& node, const Scope& scope, Place place);

  const Parts& parts_;
  ir::Builder& b_;
  Sites& sites_;
  Values& values_;
  Literals& literals_;
  Lists& lists_;
  Calls& calls_;
  Instances& instances_;
  Processes& processes_;
  std::map<const Expr*, Symbolic> tables_;
  std::size_t depth_ = 0;
};

}  // namespace wave::frontend::lowering
