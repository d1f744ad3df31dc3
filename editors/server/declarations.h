// Everything that a module declares, down to the variable of a loop: where its name stands, what it is, and of which
// type.
#pragma once

#include "frontend/check/program.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace wave::editors {

enum class DeclarationKind {
  item,       // an item of a module or a member: its node says what it is
  parameter,  // of a function, a protocol, a collective or a procedure
  local,      // `let` in a body
  variable,   // of a loop, a reduction, a comprehension, an output
  axis,
  grid,   // `R` of `on R[r: p]`
  level,  // of a grid or a machine
  field,
  signal,
  operation,  // `isend … as a`
  varied,     // a name of a study's own
  shown,      // a column of a study
  import,     // a module under its name here
};

struct Declaration {
  DeclarationKind kind;
  std::string name;
  Location place;                        // of the name
  const frontend::Item* item = nullptr;  // itself, or the one around
  frontend::TypeRef type;                // null if it has none, or if it is only known as it is written
  Location written_type;                 // where it is
  const frontend::Module* module = nullptr;
};

// In the order of their places.
std::vector<Declaration> declarations_of(const frontend::Module& module);

// The type of an item that has a value; null otherwise.
frontend::TypeRef type_of(const frontend::Item& item);

// Calls `visit` for every item of a module, members included.
void for_each_item(const frontend::Module& module, const std::function<void(const frontend::Item&)>& visit);

}  // namespace wave::editors
