// Modules: where they are searched, cycles of imports, the standard library inside the program, and names on a command
// line.
#include "frontend/check/modules.h"

#include "frontend/check/members.h"
#include "frontend/parse/parser.h"
#include "frontend/project/project.h"

#include <algorithm>
#include <cctype>

namespace wave::frontend::check {
namespace {

constexpr std::size_t deepest_import = 200;
constexpr std::size_t largest_module = std::size_t{64} << 20;  // the parser has a lower bound, and a better message

// Tells every declaration its module and what it is a member of.
void link_items(std::vector<std::unique_ptr<Item>>& items, const Module* module, const Item* owner) {
  for (auto& item : items) {
    item->module = module;
    item->owner = owner;
    if (auto* members = members_of(*item)) link_items(*members, module, item.get());
  }
}

const std::string* standard_text(const std::string& name) {
  for (const auto& [key, text] : standard_library()) {
    if (key == name) return &text;
  }
  return nullptr;
}

bool starts_with(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

std::string as_file(const std::vector<Identifier>& path) {
  std::string file;
  for (const Identifier& part : path) file += (file.empty() ? "" : "/") + part.text;
  return file + ".wave";
}

}  // namespace

std::string dotted(const std::vector<Identifier>& path) {
  std::string text;
  for (const Identifier& part : path) text += (text.empty() ? "" : ".") + part.text;
  return text;
}

Loader::Loader(Program& program, const SearchPath& search, Diagnostics& diagnostics)
    : program_(program), search_(search), diagnostics_(diagnostics) {
  for (const auto& module : program.modules) by_key_[module->key] = module.get();
}

void Loader::load_main(const std::string& name, const std::string* text) {
  auto file = text ? std::nullopt : find_module(name, search_);
  if (!text && !file) file = find_in_project(name);
  if (file && file->is_standard) {
    load_standard(name);
    return;
  }
  if (!text && !file) {
    report_unreadable(name);
    program_.modules.push_back(std::make_unique<Module>());
    program_.modules.back()->name = program_.modules.back()->key = name;
    return;
  }
  const std::string path = file ? file->path : name;
  const bool has_folder = !text || (path != "-" && !starts_with(path, "<"));
  Found found{has_folder ? canonical(path) : path, path, has_folder ? folder_of(path) : "", text};
  allow_folders(found.folder);
  if (!load_found(found, {})) {
    program_.modules.push_back(std::make_unique<Module>());
    program_.modules.back()->name = path;
  }
}

void Loader::allow_folders(const std::string& main) {
  roots_ = {main.empty() ? "." : main};
  roots_.insert(roots_.end(), search_.folders.begin(), search_.folders.end());
  roots_.insert(roots_.end(), search_.allowed.begin(), search_.allowed.end());
  allow_project();
}

void Loader::reload_main(std::string text) {
  Module& old = program_.main();
  if (old.file == Location::no_file) return;  // it could not be read in the first place
  program_.sources.replace(old.file, std::move(text));
  program_.uses.forget(old.file);
  auto fresh = parse_module(program_.sources, old.file, diagnostics_);
  fresh->file = old.file;
  fresh->name = std::move(old.name);
  fresh->key = std::move(old.key);
  fresh->folder = std::move(old.folder);
  program_.modules.front() = std::move(fresh);
  Module& module = program_.main();
  link_items(module.items, &module, nullptr);
  by_key_[module.key] = &module;
  allow_folders(module.folder);
  being_loaded_.emplace_back(module.key, module.name);
  load_imports(module);
  note_exports(module);
  being_loaded_.pop_back();
}

const std::string* Loader::open_text(const std::string& key) const {
  const auto found = search_.texts.find(key);
  return found == search_.texts.end() ? nullptr : found->second.get();
}

bool Loader::exists(const std::string& path) const {
  return is_file(path) || (!search_.texts.empty() && open_text(canonical(path)));
}

// The project that the file asked for belongs to; null if it belongs to none. It is looked for when something is
// imported.
const Project* Loader::project() {
  if (!program_.project) {
    const std::size_t before = diagnostics_.all().size();
    program_.project = Project::find(roots_.empty() ? "." : roots_.front(), program_.sources, diagnostics_);
    program_.project_is_broken = diagnostics_.all().size() > before;
    allow_project();
  }
  return program_.project->get();
}

void Loader::allow_project() {
  const Project* const project = program_.project ? program_.project->get() : nullptr;
  if (project == nullptr) return;
  for (std::string& root : project->roots()) roots_.push_back(std::move(root));
}

// A module by the name that an import of the project in the current folder would have.
std::optional<ModuleFile> Loader::find_in_project(const std::string& name) {
  if (!is_dotted(name)) return std::nullopt;
  const Project* const here = project();
  if (here == nullptr) return std::nullopt;
  std::vector<std::string> words{""};
  for (const char c : name) {
    if (c == '.')
      words.emplace_back();
    else
      words.back() += c;
  }
  for (std::string& path : here->candidates(".", words)) {
    if (is_file(path)) return ModuleFile{std::move(path)};
  }
  return std::nullopt;
}

// Reports a name that is neither a file nor a module.
void Loader::report_unreadable(const std::string& name) {
  const std::string near = nearest_module(name);
  const std::string help = near.empty() ? "" : "did you mean the module `" + near + "`?";
  if (starts_with(name, "std.")) {
    Diagnostic& d = diagnostics_.add(DiagnosticKind::unknown_module, {}, "there is no module `" + name + "`");
    d.help.push_back(help.empty() ? "`wave doc` lists the modules of the standard library" : help);
    return;
  }
  Diagnostic& d =
      diagnostics_.add(DiagnosticKind::cannot_read, {}, "cannot read `" + name + "`: " + read_file(name, 0).text);
  if (!help.empty()) d.help.push_back(help);
}

void Loader::report_unreadable(const Found& found, Location location, const FileText& file) {
  const std::string& name = found.shown_name;
  if (!file.is_outside) {
    diagnostics_.add(DiagnosticKind::cannot_read, location, "cannot read `" + name + "`: " + file.text);
    return;
  }
  if (program_.project_is_broken) return;  // which has been reported, and would perhaps let it in
  diagnostics_
      .add(DiagnosticKind::outside_import, location, "cannot import `" + name + "`: " + file.text, "imported here")
      .help.push_back("if it is meant to be read, let its folder in with `-I FOLDER`");
}

Module* Loader::load_standard(const std::string& name) {
  const std::string* text = standard_text(name);
  return text ? load_found({name, name, "", text}, {}) : nullptr;
}

Module* Loader::load_found(const Found& found, Location location) {
  for (const auto& [key, name] : being_loaded_) {
    if (key != found.key) continue;
    report_cycle(found.key, location);
    return nullptr;
  }
  if (const auto known = by_key_.find(found.key); known != by_key_.end()) return known->second;
  if (being_loaded_.size() >= deepest_import) {
    diagnostics_.add(DiagnosticKind::cyclic_import, location, "imports are nested more than 200 deep",
                     "the 200th import on the way from the first file");
    return nullptr;
  }
  const std::string* text = found.text ? found.text : open_text(found.key);
  const FileText file = text                ? FileText{true, *text}
                        : found.is_imported ? read_file_below(found.shown_name, roots_, largest_module)
                                            : read_file(found.shown_name, largest_module);
  if (!file.ok) {
    report_unreadable(found, location, file);
    return by_key_[found.key] = nullptr;
  }
  being_loaded_.emplace_back(found.key, found.shown_name);
  Module* module = parse(found, file.text);
  load_imports(*module);
  note_exports(*module);
  being_loaded_.pop_back();
  return module;
}

Module* Loader::parse(const Found& found, const std::string& text) {
  const std::uint32_t file = program_.sources.add(found.shown_name, text);
  program_.modules.push_back(parse_module(program_.sources, file, diagnostics_));
  Module& module = *program_.modules.back();
  module.file = file;
  module.name = found.shown_name;
  module.key = found.key;
  module.folder = found.folder;
  link_items(module.items, &module, nullptr);
  by_key_[found.key] = &module;
  return &module;
}

void Loader::load_imports(Module& module) {
  for (auto& item : module.items) {
    if (auto* import = std::get_if<item::Import>(&item->node); import && !import->is_broken) {
      import->module =
          load_import(module, *import, import->path_location.known() ? import->path_location : item->location);
    }
  }
}

Module* Loader::load_import(const Module& importer, const item::Import& import, Location location) {
  if (!import.file && !import.path.empty() && import.path.front().text == "std") {
    const std::string name = dotted(import.path);
    if (const std::string* text = standard_text(name)) return load_found({name, name, "", text}, location);
    report_missing(importer, import, location, {"the standard library"});
    return nullptr;
  }
  const std::string path = locate(importer, import, location);
  return path.empty() ? nullptr : load_found({canonical(path), path, folder_of(path), nullptr, true}, location);
}

// The file that an import means, or "" after a diagnostic.
std::string Loader::locate(const Module& importer, const item::Import& import, Location location) {
  const std::string file = import.file ? *import.file : as_file(import.path);
  if (file.size() < 5 || file.compare(file.size() - 5, 5, ".wave") != 0 || file.find('\0') != std::string::npos) {
    diagnostics_
        .add(DiagnosticKind::unknown_module, location, "a module's file ends in `.wave`", "no module has this name")
        .help.push_back("data files are read by `table \"" + file + "\" ...`");
    return "";
  }
  if (is_absolute(file)) {
    diagnostics_
        .add(DiagnosticKind::outside_import, location,
             "cannot import `" + file + "`: a module is named relative to the file that imports it", "imported here")
        .help.push_back("modules of a further folder are found with `-I " + folder_of(file) + "`");
    return "";
  }
  std::vector<std::string> candidates;
  if (!starts_with(importer.name, "std.")) {
    const std::string folder = importer.folder.empty() ? "." : importer.folder;
    candidates.push_back(join(folder, file));
    const Project* const here = project();
    if (here != nullptr && !import.file) {
      std::vector<std::string> words;
      for (const Identifier& word : import.path) words.push_back(word.text);
      for (std::string& one : here->candidates(folder, words)) {
        if (std::find(candidates.begin(), candidates.end(), one) == candidates.end())
          candidates.push_back(std::move(one));
      }
    }
    if (!starts_with(file, "./") && !starts_with(file, "../")) {
      for (const std::string& folder : search_.folders) candidates.push_back(join(folder, file));
    }
  }
  const auto found =
      std::find_if(candidates.begin(), candidates.end(), [this](const std::string& path) { return exists(path); });
  if (found != candidates.end()) return *found;
  if (program_.project_is_broken) return "";  // which has been reported, and may be why
  for (std::string& candidate : candidates) candidate = "`" + candidate + "`";
  report_missing(importer, import, location, candidates);
  return "";
}

void Loader::report_cycle(const std::string& key, Location location) {
  const auto same = [&](const auto& entry) { return entry.first == key; };
  const auto first = std::find_if(being_loaded_.begin(), being_loaded_.end(), same);
  std::string cycle;
  for (auto entry = first; entry != being_loaded_.end(); ++entry) cycle += "`" + entry->second + "` imports ";
  cycle += "`" + first->second + "`";
  diagnostics_
      .add(DiagnosticKind::cyclic_import, location, "this import closes a cycle: " + cycle, "imported again here")
      .help.push_back("put what both need into a module of its own, and import it from both");
}

void Loader::report_missing(const Module&, const item::Import& import, Location location,
                            const std::vector<std::string>& searched) {
  const std::string name = import.file ? *import.file : dotted(import.path);
  Diagnostic& d =
      diagnostics_.add(DiagnosticKind::unknown_module, location, "there is no module `" + name + "`", "imported here");
  std::string places;
  for (const std::string& one : searched) places += (places.empty() ? "" : ", ") + one;
  d.notes.push_back("searched: " + places);
  if (starts_with(name, "std.")) {
    if (const std::string near = nearest_module(name); !near.empty()) {
      d.help.push_back(did_you_mean({near}));
      d.fixes.push_back({location, near});
    }
    return;
  }
  d.help.push_back("further folders are given by `-I DIR` or in WAVE_PATH, other projects in `wave.toml`");
}

}  // namespace wave::frontend::check

// --- names on a command line ---

namespace wave::frontend {
namespace {

constexpr const char* extension = ".wave";

bool is_standard(const std::string& name) {
  const auto& modules = standard_library();
  return std::any_of(modules.begin(), modules.end(), [&](const auto& one) { return one.first == name; });
}

bool is_letter_of_name(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); }

// Whether a line of the text begins with a word and then the name, `machine SP2`. This finds declarations without
// parsing the module.
bool declares(const std::string& text, const std::string& name) {
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += name.size()) {
    const std::size_t end = at + name.size();
    if (at < 2 || text[at - 1] != ' ' || (end < text.size() && is_letter_of_name(text[end]))) continue;
    const std::size_t line = text.rfind('\n', at) + 1;  // 0 if there is none
    const std::string_view word = std::string_view(text).substr(line, at - 1 - line);
    for (const char* declaration : {"machine", "model", "fn", "type", "let", "interface", "procedure"}) {
      if (word == declaration) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> standard_modules_with(const std::string& name) {
  std::vector<std::string> modules;
  for (const auto& [key, text] : standard_library()) {
    if (declares(text, name)) modules.push_back(key);
  }
  return modules;
}

std::string import_name(const item::Import& import) {
  if (import.alias) return import.alias->text;
  if (!import.file) return import.path.empty() ? "" : import.path.back().text;
  const std::size_t slash = import.file->rfind('/');
  const std::string file = slash == std::string::npos ? *import.file : import.file->substr(slash + 1);
  return file.substr(0, file.find('.'));
}

bool is_dotted(const std::string& name) {
  bool at_start = true;
  for (const char c : name) {
    const bool is_letter = std::isalpha(static_cast<unsigned char>(c)) || c == '_';
    if (c == '.' ? at_start : !(is_letter || (!at_start && std::isdigit(static_cast<unsigned char>(c))))) return false;
    at_start = c == '.';
  }
  return !at_start && !name.ends_with(extension);
}

std::optional<ModuleFile> find_module(const std::string& name, const SearchPath& search) {
  if (is_file(name)) return ModuleFile{name};
  if (!is_dotted(name)) return std::nullopt;
  if (is_standard(name)) return ModuleFile{name, true};
  std::string file = name + extension;
  std::replace(file.begin(), file.end() - static_cast<std::ptrdiff_t>(std::string(extension).size()), '.', '/');
  if (is_file(file)) return ModuleFile{file};
  for (const std::string& folder : search.folders) {
    std::string path = join(folder, file);
    if (is_file(path)) return ModuleFile{std::move(path)};
  }
  return std::nullopt;
}

std::string nearest_module(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [key, text] : standard_library()) names.push_back(key);
  return nearest(name, names);
}

const Module* imported_module(const Module& module, const std::string& name) {
  for (const auto& item : module.items) {
    const auto* import = std::get_if<item::Import>(&item->node);
    if (import && import->module && !import->selective && import_name(*import) == name) return import->module;
  }
  return nullptr;
}

const Item* find_imported(const Module& module, const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot != std::string::npos) {
    const Module* from = imported_module(module, name.substr(0, dot));
    return from ? find_declaration(*from, name.substr(dot + 1)) : nullptr;
  }
  for (const auto& item : module.items) {
    const auto* import = std::get_if<item::Import>(&item->node);
    if (!import || !import->module) continue;
    for (const ImportedName& one : import->names) {
      if (one.here().text == name) return find_declaration(*import->module, one.name.text);
    }
  }
  const auto handed_on = module.handed_on.find(name);
  return handed_on == module.handed_on.end() ? nullptr : handed_on->second.item;
}

std::vector<std::string> imported_models(const Module& module) {
  std::vector<std::string> names;
  const auto add = [&](const Module& from, const std::string& name, const std::string& shown) {
    const Item* item = find_declaration(from, name);
    if (item && std::holds_alternative<item::Model>(item->node)) names.push_back(shown);
  };
  for (const auto& item : module.items) {
    const auto* import = std::get_if<item::Import>(&item->node);
    if (!import || !import->module) continue;
    for (const ImportedName& one : import->names) add(*import->module, one.name.text, one.here().text);
    if (import->selective) continue;
    for (const std::string& one : names_of(*import->module))
      add(*import->module, one, import_name(*import) + "." + one);
  }
  return names;
}

}  // namespace wave::frontend
