// Studies: a model whose parameters vary. The names that vary are definitions that a caller binds; what the study sets
// are other defaults for the parameters of every copy of the model that the study makes.
#pragma once

#include "frontend/lower/lower.h"
#include "frontend/lower/parts.h"

#include <map>
#include <string>
#include <vector>

namespace wave::frontend::lowering {

class Studies {
 public:
  explicit Studies(const Parts& parts)
      : parts_(parts),
        program_(parts.program),
        b_(parts.b),
        diagnostics_(parts.diagnostics),
        sites_(parts.sites),
        values_(parts.values),
        expressions_(parts.expressions),
        lists_(parts.lists),
        instances_(parts.instances),
        parameters_(parts.parameters) {}

  // From here on the study is lowered: its model with what varies, and what it sets.
  Instance& make_study_root(const item::Study& study, const std::vector<std::size_t>& choices);
  void refuse_double_settings();
  StudyVariable variable(Instance& root, const item::Study::Vary& vary);
  OutputInfo shown(Instance& root, const item::Study::Show& show);
  OutputInfo condition(Instance& root, const Expr& condition);
  // What a study says of a parameter that was not given; null: nothing.
  Symbolic parameter_in_study(Instance& instance, const Item& item, const Naming& naming);
  // What varies holds for copies, too, where they do not say otherwise.
  std::vector<Named> varied_from_outside(const Instance& instance);
  Symbolic elsewhere(const Expr& expr, const expr::Index& node, const Scope& scope);
  // `total(n = d)`: an output of the study's model with other parameters; null: another call.
  Symbolic output_with(const expr::Call& call, const Scope& scope, Place place);
  // Whether a study is lowered, not a model alone.
  bool is_lowered() const { return study_ != nullptr; }

 private:
  bool is_of_study(const Instance& instance) const;
  Scope scope_in_study(Instance& instance) const;
  Scope scope_of_shows(Instance& instance, std::size_t count) const;
  std::size_t shows_in(const Scope& scope) const;
  Symbolic stand_in(const item::Study::Vary& vary, const Scope& scope);
  Symbolic chosen(const item::Study::Vary& vary, const Naming& naming);
  void describe(Instance& root, const item::Study::Vary& vary, StudyVariable& info);
  void list_values(Instance& root, const item::Study::Vary& vary, StudyVariable& info);

  const Parts& parts_;
  const Program& program_;
  ir::Builder& b_;
  Diagnostics& diagnostics_;
  Sites& sites_;
  Values& values_;
  Expressions& expressions_;
  Lists& lists_;
  Instances& instances_;
  Parameters& parameters_;
  const item::Study* study_ = nullptr;
  std::vector<std::size_t> choices_;                    // of the study's variables that shape the system
  std::map<std::string, ir::DefinitionId> free_names_;  // of the study, that are no parameters
  Instance* root_ = nullptr;
};

}  // namespace wave::frontend::lowering
