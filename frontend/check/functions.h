// Functions: their signatures, their bodies, and those without parameter types, which are checked anew at each call.
#pragma once

#include "frontend/check/context.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace wave::frontend::check {

// What can be called: its parameters in order.
struct Signature {
  struct Parameter {
    std::string name;
    TypeRef type;  // null: without a type, checked anew at each call
    bool optional = false;
    Place place;
  };
  std::string name;
  std::vector<Parameter> parameters;
  TypeRef result;
  Place place;
  Item* item = nullptr;
};

// The same as the type of a value.
TypeRef type_of(const Signature& signature);

// `send`, `recv` and `total` as they follow from the protocols of a machine.
Signature derived_signature(const std::string& name, Place place);

// An argument for a parameter without a type: of a function it is remembered which one it is.
struct Given {
  TypeRef type;
  const Item* function = nullptr;
};

class Functions {
 public:
  explicit Functions(const Parts& parts)
      : context_(parts.context),
        reports_(parts.reports),
        names_(parts.names),
        types_(parts.types),
        expressions_(parts.expressions),
        references_(parts.references),
        declarations_(parts.declarations) {}

  Signature signature_of(const Item& item);  // of a function or a collective
  TypeRef function_type(Item& item, item::Function& function);
  void check_function(Item& item, item::Function& function);
  // The type of the result with arguments of these types.
  TypeRef instantiate(Item& item, item::Function& function, std::vector<Given> given, Place call);
  // Whether a function can be called as `expected` says: one without parameter types is checked with those.
  bool fits_function(const Item& item, const types::Function& expected, Place use);

  // Parameters as locals, and their types.
  std::vector<TypeRef> open_parameters(std::vector<Parameter>& parameters, const char* what);
  void check_locals(std::vector<LocalLet>& lets);
  void check_local(const Identifier& name, const TypeExprPtr& type, Expr& value);
  void require_known(const Identifier& name, const Expr& value);

 private:
  void check_default_values(std::vector<Parameter>& parameters,
                            const std::vector<std::pair<std::string, TypeRef>>& types);
  TypeRef check_body(Item& item, item::Function& function, const std::vector<Given>& arguments, const TypeRef& result);

  Context& context_;
  Reports& reports_;
  Names& names_;
  Types& types_;
  Expressions& expressions_;
  References& references_;
  Declarations& declarations_;
  std::unordered_map<std::string, TypeRef> instances_;  // results of generic functions, by what they were given
};

}  // namespace wave::frontend::check
