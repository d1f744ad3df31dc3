// Machines of the library and of other modules of the project, offered where a machine is wanted.
#include "editors/server/index.h"
#include "editors/server/questions.h"
#include "frontend/check/modules.h"
#include "frontend/check/type_tools.h"
#include "frontend/parse/printer.h"
#include "frontend/parse/tokens.h"
#include "frontend/source/files.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace wave::editors {
namespace {

using namespace frontend;

constexpr double longest_first_reading = 0.4;  // of the project, while somebody waits for completions

// After the last import, or after the edition, or at the beginning.
std::uint32_t place_of_import(const Asking& asking, const Lines& lines) {
  const Module& module = asking.analysis.main();
  std::uint32_t past = 0;
  for (const auto& item : module.items) {
    if (std::holds_alternative<item::Import>(item->node)) past = std::max(past, item->location.end);
  }
  if (past == 0 && module.edition) past = static_cast<std::uint32_t>(asking.text.find("wave") + 4);
  if (past == 0) return 0;
  return lines.line_begin(lines.line_of(past) + 1);
}

bool is_word_of_import(const std::string& word) {
  return !word.empty() && is_dotted(word) && word.find('.') == std::string::npos && !is_keyword(word);
}

// How a file of this folder imports another one: `sub.ring`, `"../ring.wave"`.
std::string import_path(const std::string& folder, const std::string& key) {
  const std::filesystem::path path = std::filesystem::path(key).lexically_relative(folder);
  std::string dotted;
  for (const auto& part : path.parent_path()) dotted += is_word_of_import(part.string()) ? part.string() + "." : "/";
  const std::string stem = path.stem().string();
  if (dotted.find('/') == std::string::npos && is_word_of_import(stem) && dotted != "std.") return dotted + stem;
  const std::string text = path.generic_string();
  return quote(text.starts_with("../") ? text : "./" + text);
}

// The files that import one, directly or not, and that itself: none of them can be imported by it.
std::set<std::string> importers_of(const std::string& key, const IndexedFiles& files) {
  std::set<std::string> all{key};
  for (std::size_t before = 0; before != all.size();) {
    before = all.size();
    for (const auto& [path, file] : files) {
      const auto is_one = [&](const std::string& import) { return all.count(import) > 0; };
      if (std::any_of(file->imports.begin(), file->imports.end(), is_one)) all.insert(path);
    }
  }
  return all;
}

// The name under which the document imports all of a module; empty if it does not.
std::string whole_import(const Module& main, const std::string& module) {
  for (const auto& item : main.items) {
    const auto* import = std::get_if<item::Import>(&item->node);
    if (import && import->module && import->module->key == module && !import->selective) return import_name(*import);
  }
  return "";
}

class Finder {
 public:
  Finder(const Asking& asking, const Lines& lines, const Probe& probe) : asking_(asking), lines_(lines) {
    const auto* machine = check::as<types::Machine>(probe.expected);
    is_value_ = probe.wanted != "machine";
    if (is_value_ && machine) wanted_ = full_name(*machine->declaration);
    for (const Probe::Visible& one : probe.names) {
      if (one.item || one.type) visible_.insert(one.name);
    }
  }

  void add(const OfferedMachine& machine, const std::string& from, const std::string& import) {
    const bool fits =
        wanted_.empty() || std::find(machine.types.begin(), machine.types.end(), wanted_) != machine.types.end();
    const std::string whole = whole_import(asking_.analysis.main(), machine.module);
    const bool is_hidden = whole.empty() && visible_.count(machine.name) > 0;  // or offered already
    if (!fits || is_hidden) return;
    MachineElsewhere one{
        machine, from, (whole.empty() ? "" : whole + ".") + machine.name + (is_value_ ? "()" : ""), {}};
    if (whole.empty()) one.import = new_import(asking_, lines_, import, machine.name);
    found_.push_back(std::move(one));
  }
  std::vector<MachineElsewhere> result() && { return std::move(found_); }

 private:
  const Asking& asking_;
  const Lines& lines_;
  std::string wanted_;  // a type; empty: any
  bool is_value_ = false;
  std::set<std::string> visible_;
  std::vector<MachineElsewhere> found_;
};

void add_machines_of_project(const Asking& asking, Finder& finder) {
  const std::string& key = asking.analysis.main().key;
  const std::string folder = folder_of(canonical(path_of_uri(asking.uri)));
  if (folder.empty() || !asking.project.index) return;
  const IndexedFiles files = asking.project.index->latest(asking.project, longest_first_reading);
  const std::set<std::string> excluded = importers_of(key, files);
  for (const auto& [path, file] : files) {
    if (excluded.count(path) > 0) continue;
    const std::string import = import_path(folder, path);
    const std::string from = std::filesystem::path(path).lexically_relative(folder).generic_string();
    for (const IndexedItem& item : file->items) {
      if (item.machine) finder.add(*item.machine, from, import);
    }
  }
}

}  // namespace

NewImport new_import(const Asking& asking, const Lines& lines, const std::string& from, const std::string& name) {
  const std::uint32_t at = place_of_import(asking, lines);
  const bool ends_line = at == 0 || asking.text[at - 1] == '\n';
  return {at, (ends_line ? "" : "\n") + std::string("import ") + from + " { " + name + " }\n"};
}

std::vector<MachineElsewhere> machines_elsewhere(const Asking& asking, const Lines& lines, const Probe& probe) {
  Finder finder(asking, lines, probe);
  add_machines_of_project(asking, finder);
  for (const OfferedMachine& machine : library_machines()) finder.add(machine, machine.module, machine.module);
  return std::move(finder).result();
}

}  // namespace wave::editors
