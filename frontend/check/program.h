// From a file to a checked program: modules are found and read, names resolved, types and dimensions checked. Nothing
// is evaluated.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/check/uses.h"
#include "frontend/source/diagnostics.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wave::frontend {

struct Probe;   // probe.h
class Project;  // frontend/project/project.h

// Texts that stand for files: what an editor holds and has not saved. By paths without links, as canonical() gives
// them.
using OpenTexts = std::map<std::string, std::shared_ptr<const std::string>>;

struct SearchPath {
  std::vector<std::string> folders;  // -I, then WAVE_PATH
  std::vector<std::string> allowed;  // where imports may lead as well: the folders that an editor has open
  OpenTexts texts;
};

struct Program {
  Sources sources;
  Uses uses;  // [checked]
  // Where imports may come from, once something was imported; null if the file asked for belongs to no project, or to
  // one that is broken.
  std::optional<std::shared_ptr<const Project>> project;
  bool project_is_broken = false;
  std::vector<std::unique_ptr<Module>> modules;  // modules[0] is the file asked for; imports after it
  Module& main() const { return *modules.front(); }
};

// Reads `path`, or takes `text` under that name if it is given (as for "-", which the caller reads). The program holds
// what could be understood. It may be evaluated only if `diagnostics` has no errors.
std::unique_ptr<Program> load(const std::string& path, const SearchPath& search, Diagnostics& diagnostics,
                              const std::string* text = nullptr);

// Gives the main module of a loaded program another text. Only that is parsed and checked, and what it newly imports;
// the other modules stay as they were loaded. `diagnostics` becomes what is found in doing so. If there is a `probe`,
// it is answered.
void reload(Program& program, const SearchPath& search, std::string text, Diagnostics& diagnostics,
            Probe* probe = nullptr);

// Checks expressions that are no part of the program, one after the other. Meanwhile nothing else loads modules into
// it.
class LateExpressions {
 public:
  LateExpressions(Program& program, Diagnostics& diagnostics);
  ~LateExpressions();
  LateExpressions(const LateExpressions&) = delete;
  LateExpressions& operator=(const LateExpressions&) = delete;

  // Parses and checks `text` (a `-D` value or a size range of `wave cost`) with the parameters of `model` (may
  // be null) and the names of `std` in scope, against `expected` (may be null: any type). Null after an error.
  ExprPtr check(const Item* model, const std::string& source_name, const std::string& text, const TypeRef& expected);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The same for one expression.
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
