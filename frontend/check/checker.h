// Names, types and dimensions of modules that are parsed: puts the parts of the checker together.
#pragma once

#include "frontend/check/program.h"

#include <functional>
#include <memory>
#include <string>

namespace wave::frontend::check {

class Checker {
 public:
  // Gives a module of the standard library that is loaded, with those that it imports, at the program's end.
  using LoadStandard = std::function<Module*(const std::string&)>;
  Checker(Program& program, const SearchPath& search, Diagnostics& diagnostics, LoadStandard load_standard);
  ~Checker();

  void check_modules(std::size_t first = 0);  // the modules from this one on
  // An expression in the scope of a model's parameters.
  void check_override(Expr& e, const Item* model, const Module& module, const TypeRef& expected);
  // A study that is no item of a module.
  void check_asked(Item& item, const Item& model);
  // What was added to a study that is checked: conditions.
  void check_conditions(Item& item);

 private:
  struct Assembly;

  void declare_from(std::size_t first);  // the modules from this one on
  Module* standard(const std::string& name);
  void stand_outside(const Module* module);

  Program& program_;
  LoadStandard load_standard_;
  std::unique_ptr<Assembly> parts_;
};

}  // namespace wave::frontend::check
