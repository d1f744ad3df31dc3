// See module_list.h.
#include "cli/module_list.h"

#include "cli/files.h"
#include "frontend/check/modules.h"
#include "frontend/parse/parser.h"
#include "frontend/parse/printer.h"
#include "frontend/project/project.h"
#include "frontend/source/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace wave::cli {
namespace {

namespace fs = std::filesystem;
using frontend::canonical;

constexpr std::size_t most_bytes_of_module = std::size_t{4} << 20;  // as the parser takes

// `exchange/ring.wave` below a folder is `exchange.ring`; empty if no import can name it.
std::string dotted_name(const std::string& file, const std::string& folder) {
  std::string name = fs::path(file).lexically_relative(folder).replace_extension().string();
  std::replace(name.begin(), name.end(), '/', '.');
  return frontend::is_dotted(name) ? name : "";
}

void add_files(const std::string& folder, const std::string& prefix, frontend::Diagnostics& diagnostics,
               std::vector<ListedModule>& modules) {
  for (const std::string& file : expand_folders({folder}, diagnostics)) {
    const std::string name = dotted_name(file, folder);
    modules.push_back({name.empty() ? file : prefix + name, file});
  }
}

void sort(std::vector<ListedModule>& modules) {
  std::sort(modules.begin(), modules.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  const auto same = [](const auto& a, const auto& b) { return a.path == b.path && a.name == b.name; };
  modules.erase(std::unique(modules.begin(), modules.end(), same), modules.end());
}

bool is_below(const std::string& file, const std::string& folder) {
  return canonical(file).starts_with(canonical(folder) + "/");
}

}  // namespace

ModuleList modules_of_library() {
  ModuleList list{"std", "", {}, {}};
  for (const auto& [name, text] : frontend::standard_library()) list.modules.push_back({name, ""});
  return list;
}

std::optional<ModuleList> modules_of_folder(const std::string& folder, Console& console) {
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  const auto project = frontend::Project::find(folder, sources, diagnostics, frontend::Lock::ignored);
  ModuleList list{folder, folder, {}, {}};
  if (project != nullptr) {
    list.title = project->manifest().name;
    list.folder = project->root();
    list.manifest = project->manifest();
    for (const std::string& one : project->folders()) {
      if (std::error_code error; fs::is_directory(one, error))
        add_files(one, list.title + ".", diagnostics, list.modules);
    }
    if (canonical(folder) != canonical(list.folder))
      std::erase_if(list.modules, [&](const ListedModule& one) { return !is_below(one.path, folder); });
  } else if (!diagnostics.has_errors()) {
    add_files(folder, "", diagnostics, list.modules);
  }
  sort(list.modules);
  if (list.modules.empty() && !diagnostics.has_errors())
    diagnostics.add(frontend::DiagnosticKind::unusable_folder, {},
                    fmt::format("no module of `{}` lies in `{}`", list.title, folder));
  if (!console.report(sources, diagnostics)) return std::nullopt;
  return list;
}

bool load_all(const ModuleList& list, Session& session) {
  std::string imports;
  for (std::size_t i = 0; i < list.modules.size(); ++i) {
    const auto& [name, path] = list.modules[i];
    const std::string from =
        path.empty() ? name : frontend::quote("./" + fs::path(path).lexically_relative(list.folder).generic_string());
    imports += fmt::format("import {} as module{}\n", from, i);
  }
  // As a file in the folder, from where it finds the others.
  const std::string place = list.folder.empty() ? "<library>" : frontend::join(list.folder, "all modules");
  return session.load(place, imports);
}

std::vector<const frontend::Module*> loaded_modules(const frontend::Program& program) {
  std::vector<const frontend::Module*> modules;
  for (const auto& item : program.main().items) {
    const auto* import = std::get_if<frontend::item::Import>(&item->node);
    if (import != nullptr && import->module != nullptr) modules.push_back(import->module);
  }
  return modules;
}

std::string first_sentence(const std::string& text) {
  std::string sentence = text.substr(0, text.find("\n\n"));
  std::replace(sentence.begin(), sentence.end(), '\n', ' ');
  const auto stop = sentence.find(". ");
  return stop == std::string::npos ? sentence : sentence.substr(0, stop + 1);
}

std::string documentation_of(const ListedModule& module) {
  frontend::Sources sources;
  frontend::Diagnostics ignored;
  std::string text;
  if (!module.path.empty()) {
    text = frontend::read_plain_file(module.path, most_bytes_of_module).text;
  } else {
    for (const auto& [name, standard] : frontend::standard_library()) {
      if (name == module.name) text = standard;
    }
  }
  return frontend::parse_module(sources, sources.add(module.name, std::move(text)), ignored)->doc;
}

}  // namespace wave::cli
