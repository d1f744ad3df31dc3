// Modules: how they are found by names, on a command line or in an import, and how a file's imports are loaded.
#pragma once

#include "frontend/check/program.h"
#include "frontend/source/files.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace wave::frontend {

struct ModuleFile {
  std::string path;  // the path of a file, or the name of a standard module
  bool is_standard = false;
};

// What a name means: a file, or else a module as imports name it, of the standard library or below the current folder
// or those of `search`. Nothing if there is neither.
std::optional<ModuleFile> find_module(const std::string& name, const SearchPath& search);

// Whether it is a dotted name, `lattice.shapes`, and not the name of a file.
bool is_dotted(const std::string& name);

// The name of the standard module that is most like it; empty if none is.
std::string nearest_module(const std::string& name);

// The modules of the standard library that declare something under that name. They need not be loaded.
std::vector<std::string> standard_modules_with(const std::string& name);

// What those who import a module find in it under that name: what it declares, tests excepted, or hands on. Null if
// nothing.
const Item* find_declaration(const Module& module, const std::string& name);

// All such names.
std::vector<std::string> names_of(const Module& module);

// Whether names may be missing among them, because of errors.
bool may_declare_more(const Module& module);

// The name that an import without braces gives its module.
std::string import_name(const item::Import& import);

// The module that is imported as a whole under that name; null if none is.
const Module* imported_module(const Module& module, const std::string& name);

// What a module imports or hands on under that name, `SP2` or `ibm_sp2.SP2`; null if nothing.
const Item* find_imported(const Module& module, const std::string& name);

// All such names that are models.
std::vector<std::string> imported_models(const Module& module);

}  // namespace wave::frontend

// Finds, reads and parses the modules that a file imports.

namespace wave::frontend::check {

class Loader {
 public:
  Loader(Program& program, const SearchPath& search, Diagnostics& diagnostics);

  // Loads the file or module that was asked for, and everything that it imports.
  void load_main(const std::string& name, const std::string* text);
  // Gives the main module another text, and loads what it newly imports.
  void reload_main(std::string text);
  // Loads a module of the standard library by its name, "std.comm"; null if there is none.
  Module* load_standard(const std::string& name);

 private:
  struct Found {
    std::string key, shown_name, folder;
    const std::string* text = nullptr;
    bool is_imported = false;
  };

  Module* parse(const Found& found, const std::string& text);
  void load_imports(Module& module);
  void note_exports(Module& module);  // once its imports are loaded, which have noted theirs
  Module* load_import(const Module& importer, const item::Import& import, Location location);
  std::string locate(const Module& importer, const item::Import& import, Location location);
  Module* load_found(const Found& found, Location location);
  const Project* project();
  void allow_project();
  std::optional<ModuleFile> find_in_project(const std::string& name);
  void allow_folders(const std::string& main);
  const std::string* open_text(const std::string& key) const;  // null if no text stands for the file
  bool exists(const std::string& path) const;
  void report_unreadable(const std::string& name);
  void report_unreadable(const Found& found, Location location, const FileText& file);
  void report_cycle(const std::string& key, Location location);
  void report_missing(const Module& importer, const item::Import& import, Location location,
                      const std::vector<std::string>& searched);

  Program& program_;
  const SearchPath& search_;
  Diagnostics& diagnostics_;
  std::vector<std::string> roots_;  // below which imports lie: the folder of the file asked for, `search`, the project
  std::size_t handed_on_ = 0;       // names, by all modules
  std::unordered_map<std::string, Module*> by_key_;  // null if it could not be read, which has been reported
  std::vector<std::pair<std::string, std::string>> being_loaded_;  // key and shown name, outermost first
};

// `std.machines.ibm_sp2`
std::string dotted(const std::vector<Identifier>& path);

}  // namespace wave::frontend::check
