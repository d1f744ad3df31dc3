// Types: as they are written, when a value may stand for one, and what is said where it may not.
#pragma once

#include "frontend/check/context.h"
#include "frontend/source/diagnostics.h"

#include <string>
#include <vector>

namespace wave::frontend::check {

class Types {
 public:
  explicit Types(const Parts& parts)
      : context_(parts.context),
        reports_(parts.reports),
        names_(parts.names),
        declarations_(parts.declarations),
        references_(parts.references),
        functions_(parts.functions) {}

  // --- as written (written_types.cpp) ---
  TypeRef resolve(const TypeExpr& type);
  // `what` is named in a diagnostic where the type is missing: "a parameter".
  TypeRef resolve(const TypeExprPtr& type, const char* what, Place place);
  const std::vector<TypeRef>& fields_of(const Item& record);

  // --- agreement (agreement.cpp) ---
  bool agrees(const TypeRef& from, const TypeRef& to);
  // The type of which both are; null where there is none.
  TypeRef unify(const TypeRef& a, const TypeRef& b);
  // How an offered function or collective differs from the wanted one; "" where it does not.
  std::string differing(const Item& offered, const Item& wanted);
  void report_mismatch(const Expr& e, const TypeRef& found, const TypeRef& expected, const Why& why);
  void report_disagreement(const Expr& left, const Expr& right, const char* what);
  void explain(Diagnostic& d, const Expr& e);  // adds where the dimension of `e` comes from

 private:
  TypeRef resolve_product(const TypeExpr& type, const type_expr::Product& product);
  TypeRef resolve_named(const std::vector<Identifier>& path, Place place);
  TypeRef unify_machines(const types::Machine& a, const types::Machine& b);
  std::string missing_offer(const types::Machine& from, const types::Machine& to);  // "" where nothing is missing

  Context& context_;
  Reports& reports_;
  Names& names_;
  Declarations& declarations_;
  References& references_;
  Functions& functions_;
};

}  // namespace wave::frontend::check
