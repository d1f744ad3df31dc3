// From a file to a checked program: modules are found and read, names resolved, types and dimensions checked. Nothing
// is evaluated.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/source/diagnostics.h"

#include <memory>
#include <string>
#include <vector>

namespace wave::frontend {

struct SearchPath {
  std::vector<std::string> folders;  // -I, then WAVE_PATH
};

struct Program {
  Sources sources;
  std::vector<std::unique_ptr<Module>> modules;  // modules[0] is the file asked for; imports after it
  Module& main() const { return *modules.front(); }
};

// Reads `path`, or takes `text` under that name if it is given (as for "-", which the caller reads). The program holds
// what could be understood. It may be evaluated only if `diagnostics` has no errors.
std::unique_ptr<Program> load(const std::string& path, const SearchPath& search, Diagnostics& diagnostics,
                              const std::string* text = nullptr);

// Parses and checks `text` (a `-D` value or a size range of `wave cost`) with the parameters of `model` (may
// be null) and the names of `std` in scope, against `expected` (may be null: any type). Null after an error.
ExprPtr check_expression(Program& program, const Item* model, const std::string& source_name, const std::string& text,
                         TypeRef expected, Diagnostics& diagnostics);

// Finds an item of a module by a dotted path, `std.machines.ibm_sp2.SP2`, or by a name in the main module. Loads
// modules of std as needed. Null, with a diagnostic, if there is none.
const Item* find_item(Program& program, const std::string& path, Diagnostics& diagnostics);

// The modules of the standard library, embedded in the program: name ("std.comm") and text.
const std::vector<std::pair<std::string, std::string>>& standard_library();

// A clause of a study that is asked for on the command line. The study is checked like one in a file.
struct AskedClause {
  std::string option;  // "--vary", which diagnostics show as the name of its text
  std::string text;
  bool may_be_interval = false;  // for `vary`: a range of reals without steps stands for all reals between its ends
};

struct Asked {
  std::vector<AskedClause> vary;  // "n=1..1024 by *2", or "net.L" if the values come from elsewhere
  std::vector<AskedClause> show;  // "total", "exact in ms", "speedup = total[n = 1] / total", "n * m <= 1024"
};

// Sets the conditions at the points of a checked study, from a file or asked for. They replace earlier ones. False,
// with diagnostics, after an error.
bool ask_conditions(Program& program, Item& study, const std::vector<AskedClause>& conditions,
                    Diagnostics& diagnostics);

// Makes an item::Study of `model`. Null, with diagnostics, after an error. The program holds its texts.
std::unique_ptr<Item> ask(Program& program, const Item& model, const Asked& asked, Diagnostics& diagnostics);

}  // namespace wave::frontend
