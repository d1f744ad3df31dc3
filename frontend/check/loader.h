// Finds, reads and parses the modules that a file imports.
#pragma once

#include "frontend/check/program.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace wave::frontend::check {

class Loader {
 public:
  Loader(Program& program, const SearchPath& search, Diagnostics& diagnostics);

  // The file or module asked for, then everything that it imports.
  void load_main(const std::string& name, const std::string* text);
  // A module of the standard library by its name, "std.comm"; null where there is none.
  Module* load_standard(const std::string& name);

 private:
  struct Found {
    std::string key, shown_name, folder;
    const std::string* text = nullptr;
  };

  Module* parse(const Found& found, const std::string& text);
  void load_imports(Module& module);
  Module* load_import(const Module& importer, const item::Import& import, Place place);
  std::string locate(const Module& importer, const item::Import& import, Place place);
  Module* load_found(const Found& found, Place place);
  void report_unreadable(const std::string& name);
  void report_cycle(const std::string& key, Place place);
  void report_missing(const Module& importer, const item::Import& import, Place place,
                      const std::vector<std::string>& searched);

  Program& program_;
  const SearchPath& search_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string, Module*> by_key_;                // null: could not be read, reported
  std::vector<std::pair<std::string, std::string>> being_loaded_;  // key and shown name, outermost first
};

// `std.machines.ibm_sp2`
std::string dotted(const std::vector<Identifier>& path);

}  // namespace wave::frontend::check
