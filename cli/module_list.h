// Which modules there are: of the library, of a project, or below a folder.
#pragma once

#include "cli/session.h"
#include "frontend/project/manifest.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

struct ListedModule {
  std::string name;  // as imports give it, "halo.exchange.ring"; as its file is named where none can
  std::string path;  // of its file; empty: a module of the library
};

struct ModuleList {
  std::string title;                           // "halo", "std", or the folder
  std::string folder;                          // of the project, or the one that was named; empty: the library
  std::optional<frontend::Manifest> manifest;  // of the project
  std::vector<ListedModule> modules;           // in alphabetical order
};

ModuleList modules_of_library();

// Those of the project of a folder that lie below the folder, or all modules below it if it belongs to no project.
// Nothing, reported, if the project or the folder cannot be used.
std::optional<ModuleList> modules_of_folder(const std::string& folder, Console& console);

// Loads all of them in one program, which imports them one after the other. False, reported, if they have errors.
bool load_all(const ModuleList& list, Session& session);
// What the loaded program imports, in the order of the list.
std::vector<const frontend::Module*> loaded_modules(const frontend::Program& program);

// The first sentence of a text of documentation.
std::string first_sentence(const std::string& text);

// What a module says of itself. It is read, but not checked.
std::string documentation_of(const ListedModule& module);

}  // namespace wave::cli
