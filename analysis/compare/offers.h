// What a declaration offers to those who use it: what it takes, gives and has as members, without how it does that.
#pragma once

#include "frontend/ast/ast.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::analysis {

// Of a function, a collective, a protocol or a procedure.
struct OfferedParameter {
  std::string name, type;
  std::optional<std::string> default_text;
};

// An end of the range of a parameter, as it is written, and its number if it is one. An empty text: none.
struct OfferedBound {
  std::string text;
  std::optional<double> number;
};

struct Offer {
  std::string kind;  // "parameter"
  std::string name;
  std::string type;                // as a user would write it; empty if it has none
  std::vector<std::string> words;  // if the type is a choice
  std::vector<OfferedParameter> parameters;
  bool has_value = false;  // a default, or what an interface gives those that do not
  std::string value;       // as it is written: nobody relies on its text
  OfferedBound lower, upper;
  std::vector<std::string> requirements;  // of a machine or a model
  std::vector<Offer> members;             // with those of what is extended
};

Offer offer_of(const frontend::Sources& sources, const frontend::Item& item);

}  // namespace wave::analysis
