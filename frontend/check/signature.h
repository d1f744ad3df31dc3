// What can be called: its parameters in order.
#pragma once

#include "frontend/ast/ast.h"

#include <string>
#include <vector>

namespace wave::frontend::check {

struct Signature {
  struct Parameter {
    std::string name;
    TypeRef type;  // null for a parameter without a type, which is checked again at each call
    bool optional = false;
    Location location;         // of its type where one is written, which diagnostics show
    Location name_location{};  // if that is elsewhere
    Location declared() const { return name_location.known() ? name_location : location; }
  };
  std::string name;
  std::vector<Parameter> parameters;
  TypeRef result;
  Location location;
  Item* item = nullptr;
};

}  // namespace wave::frontend::check
