// See written_type.h.
#include "frontend/lower/written_type.h"

namespace wave::frontend::lowering {

TypeRef written_number(const TypeExpr* type) {
  const auto* product = type ? std::get_if<type_expr::Product>(&type->node) : nullptr;
  if (!product || product->factors.empty()) return nullptr;
  bool quantity = true;
  for (const type_expr::Power& factor : product->factors) {
    if (factor.path.empty()) continue;
    if (factor.path.size() != 1) return nullptr;
    const std::string& word = factor.path.front().text;
    if (word == "int" && product->factors.size() == 1) return std::make_shared<Type>(Type{types::Int{}});
    if (word == "bool") return std::make_shared<Type>(Type{types::Bool{}});
    quantity &= word == "real" || word == "time" || word == "data" || word == "work";
  }
  // The dimension does not matter here.
  return quantity ? std::make_shared<Type>(Type{types::Real{}}) : nullptr;
}

}  // namespace wave::frontend::lowering
