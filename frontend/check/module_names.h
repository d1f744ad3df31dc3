// Modules and their declarations by the names that stand on a command line.
#pragma once

#include "frontend/check/program.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::frontend {

struct ModuleLocation {
  std::string path;  // of a file, or the name of a standard module
  bool is_standard = false;
};

// What a name means: a file; else a module as imports name it, of the standard library, or below the current folder or
// those of `search`. Nothing where there is neither.
std::optional<ModuleLocation> find_module(const std::string& name, const SearchPath& search);

// The name of a standard module that is most like it; empty where none is.
std::string nearest_module(const std::string& name);

// What a module itself declares by that name; tests have none. Null where there is nothing.
const Item* find_declaration(const Module& module, const std::string& name);

// The name that an import without braces gives its module.
std::string import_name(const item::Import& import);

// The module that is imported whole under that name; null where none is.
const Module* imported_module(const Module& module, const std::string& name);

// What a module imports by that name, `SP2` or `ibm_sp2.SP2`; null where there is nothing.
const Item* find_imported(const Module& module, const std::string& name);

// All such names of models.
std::vector<std::string> imported_models(const Module& module);

}  // namespace wave::frontend
