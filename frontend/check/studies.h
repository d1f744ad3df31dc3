// Studies: what is varied, set, shown and plotted of a model.
#pragma once

#include "frontend/check/context.h"

#include <vector>

namespace wave::frontend {
struct Program;
class Diagnostics;
}  // namespace wave::frontend

namespace wave::frontend::check {

class Studies {
 public:
  Studies(const Parts& parts, Program& program, Diagnostics& diagnostics)
      : program_(program),
        diagnostics_(diagnostics),
        context_(parts.context),
        reports_(parts.reports),
        names_(parts.names),
        expressions_(parts.expressions),
        declarations_(parts.declarations) {}

  void check_study(item::Study& study);
  void check_study_of(const Item& model, item::Study& study);
  // What was added to a study that is checked.
  void check_conditions(item::Study& study);
  TypeRef check_study_index(expr::Index& node);

 private:
  void check_vary(const Item& model, item::Study& study);
  TypeRef check_values(const Item& model, item::Study::Vary& vary);
  void require_independent(const item::Study& study, const Expr& values);
  void check_sets(const Item& model, item::Study& study);
  void report_no_parameter(const Item& model, const Identifier& name);
  std::vector<Identifier> unused_vary(const item::Study& study) const;
  void show_outputs(const Item& model, item::Study& study);
  void check_shown(item::Study& study);
  void require_varied(const Identifier& name);

  Program& program_;
  Diagnostics& diagnostics_;
  Context& context_;
  Reports& reports_;
  Names& names_;
  Expressions& expressions_;
  Declarations& declarations_;
};

}  // namespace wave::frontend::check
