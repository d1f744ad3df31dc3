// What can be done with every value: take its scalars, merge two under a condition, widen, compare, name; which values
// are the same, and where what they are made of lives.
#pragma once

#include "frontend/lower/facts.h"
#include "frontend/lower/parts.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wave::frontend::lowering {

std::optional<ir::ScalarType> scalar_type(const TypeRef& type);
Scope bind_local(const Scope& scope, const std::string& name, Symbolic value);
Scope bind_later(const Scope& scope, const LocalLet& let, bool define);
Scope bind_later(const Scope& scope, const Identifier& name, const TypeExpr* type, const Expr& value, bool define);

// The type as written where it is a number or a truth value; null for anything else. All quantities are one here.
TypeRef written_number(const TypeExpr* type);

class Values {
 public:
  explicit Values(const Parts& parts) : parts_(parts), b_(parts.b), facts_(parts.facts), sites_(parts.sites) {}

  ir::ValueId scalar_of(const Symbolic& value, Place place);
  std::vector<ir::ValueId> unify(const std::vector<Symbolic>& values, Place place);  // one type: int widens
  Symbolic select(ir::ValueId condition, const Symbolic& if_true, const Symbolic& if_false);
  Symbolic convert(const Symbolic& value, const TypeRef& type);
  Symbolic map_leaves(const Symbolic& value, const std::function<ir::ValueId(ir::ValueId)>& change);
  Symbolic distribute(const Symbolic& value, const std::function<Symbolic(const Symbolic&)>& use);
  // Definitions of `frame` for the scalars of a value, so that they are evaluated once.
  Symbolic define_leaves(const Symbolic& value, ir::FrameId frame, const std::string& name, Place place);
  std::string key(const Symbolic& value) const;  // equal keys: the same value
  bool depends_on_loop(const Symbolic& value);
  ir::FrameId deepest_frame(const Symbolic& value);
  Symbolic equal(const Symbolic& left, const Symbolic& right, Place place);
  void visit_leaves(const Symbolic& value, const std::function<void(ir::ValueId)>& visit) const;
  Symbolic failure(ir::FailureKind kind, Place place, const std::string& text);

 private:
  const Parts& parts_;
  ir::Builder& b_;
  FactTable& facts_;
  Sites& sites_;
};

}  // namespace wave::frontend::lowering
