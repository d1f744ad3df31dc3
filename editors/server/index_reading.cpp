// What one program says of the files that it consists of, for the index. Many files are loaded as one program that
// imports them, so that what they share is read once.
#include "editors/server/features.h"
#include "editors/server/index.h"
#include "frontend/check/members.h"
#include "frontend/check/modules.h"
#include "frontend/parse/printer.h"
#include "frontend/project/project.h"
#include "frontend/source/files.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace wave::editors {
namespace {

using namespace frontend;

constexpr std::size_t most_files_of_program = 250;

bool is_below(const std::string& path, const std::string& folder) { return path.starts_with(folder + "/"); }

// --- one file of a program ---

class FileReader {
 public:
  explicit FileReader(const Analysis& analysis) : analysis_(analysis) {
    for (const auto& module : analysis.program().modules) by_file_[module->file] = module.get();
  }

  std::shared_ptr<const IndexedFile> read(const Module& module, std::shared_ptr<const std::string> text) {
    auto file = std::make_shared<IndexedFile>();
    file->key = module.key;
    file->text = std::move(text);
    numbers_.clear();
    add_names(module, *file);
    for_each_item(module, [&](const Item& item) { file->items.push_back(indexed(item)); });
    add_imports(module, *file);
    add_errors(module, *file);
    return file;
  }

 private:
  void add_names(const Module& module, IndexedFile& file) {
    for (const Occurrence& one : analysis_.occurrences(module.file)) {
      const auto declared = place_in(file, one.declared), origin = place_in(file, analysis_.origin(one.declared));
      if (declared && origin)
        file.names.push_back({one.place, *declared, *origin, analysis_.declaration(one.place) != nullptr});
    }
  }

  // Nothing for a place that is in no module.
  std::optional<IndexedPlace> place_in(IndexedFile& file, Location location) {
    const auto module = by_file_.find(location.file);
    if (module == by_file_.end()) return std::nullopt;
    const auto [number, is_new] = numbers_.try_emplace(location.file, static_cast<std::uint32_t>(file.modules.size()));
    if (is_new) file.modules.push_back(module->second->key);
    return IndexedPlace{number->second, location.begin};
  }

  static void add_imports(const Module& module, IndexedFile& file) {
    for (const auto& item : module.items) {
      const auto* import = std::get_if<item::Import>(&item->node);
      if (!import || import->is_broken) continue;
      const bool is_standard = import->module && is_of_library(*import->module);
      if (import->module && !is_standard) file.imports.insert(import->module->key);
      if (!is_standard) file.import_words.insert(import_word(*import));
      file.lacks_modules = file.lacks_modules || !import->module;
    }
    for_each_item(module, [&](const Item& item) {
      const auto* function = std::get_if<item::Function>(&item.node);
      const auto has_no_type = [](const Parameter& one) { return !one.type; };
      if (function && std::any_of(function->parameters.begin(), function->parameters.end(), has_no_type))
        file.depends_on_importers = true;
    });
  }

  static std::string import_word(const item::Import& import) {
    if (import.file) return std::filesystem::path(*import.file).stem().string();
    return import.path.empty() ? "" : import.path.back().text;
  }

  void add_errors(const Module& module, IndexedFile& file) const {
    for (const Diagnostic& d : analysis_.diagnostics().all()) {
      const bool is_here = !d.labels.empty() && d.labels.front().location.file == module.file;
      if (!is_here || d.severity != Severity::error) continue;
      ++file.errors;
      if (d.kind == DiagnosticKind::cyclic_import) file.depends_on_importers = true;
    }
  }

  const Analysis& analysis_;
  std::map<std::uint32_t, const Module*> by_file_;
  std::map<std::uint32_t, std::uint32_t> numbers_;  // of modules in the file that is being read, by their files
};

// --- many files as one program ---

using Batch = std::vector<FileTexts::const_iterator>;

// Files that no import can name are programs by themselves.
bool is_importable(const std::string& path) { return path.ends_with(".wave"); }

std::optional<Analysis> load_batch(const Project& project, const std::string& folder, const Batch& batch,
                                   const SearchPath& search) {
  std::optional<Analysis> read;
  const bool is_alone = batch.size() == 1;
  std::string imports;
  for (std::size_t i = 0; i < batch.size() && !is_alone; ++i) {
    const std::string path = "./" + batch[i]->first.substr(folder.size() + 1);
    imports += "import " + quote(path) + " as file" + std::to_string(i) + "\n";
  }
  const std::string name = is_alone ? batch.front()->first : join(folder, "all files");
  const std::string& text = is_alone ? *batch.front()->second : imports;
  if (!finishes_within(project.reading_seconds, [&] { read.emplace(name, search, &text); })) read.reset();
  return read;
}

void read_batch(const Project& project, const std::string& folder, const Batch& batch, const SearchPath& search,
                IndexedFiles& files) {
  const auto analysis = load_batch(project, folder, batch, search);
  if (!analysis && batch.size() > 1) {  // one of them may be why
    for (const auto& one : batch) read_batch(project, folder, {one}, search, files);
    return;
  }
  std::map<std::string, const Module*> modules;
  for (std::size_t i = 0; analysis && i < analysis->program().modules.size(); ++i)
    modules.emplace(analysis->program().modules[i]->key, analysis->program().modules[i].get());
  std::optional<FileReader> reader;
  if (analysis) reader.emplace(*analysis);
  for (const auto& one : batch) {
    const auto module = modules.find(one->first);
    const bool is_read = module != modules.end() && module->second->file != Location::no_file;
    if (is_read) {
      files[one->first] = reader->read(*module->second, one->second);
    } else {
      auto unread = std::make_shared<IndexedFile>();
      unread->key = one->first;
      unread->text = one->second;
      files[one->first] = std::move(unread);
    }
  }
}

}  // namespace

IndexedItem indexed(const Item& item) {
  const Item* outermost = &item;
  while (outermost->owner) outermost = outermost->owner;
  std::optional<OfferedMachine> machine;
  if (check::is_machine(item) && !item.owner) machine = offered_machine(item);
  return {.name = item.name.text,
          .kind = check::kind_of(item),
          .symbol = symbol_kind(item),
          .call_symbol = call_symbol_kind(item),
          .is_shown = is_symbol(item),
          .location = item.location,
          .whole = cover(item.location, item.name.location),
          .name_place = item.name.location,
          .owner = item.owner ? item.owner->name.text : "",
          .outermost = outermost->name.text,
          .outermost_kind = check::kind_of(*outermost),
          .machine = std::move(machine)};
}

std::string reading_folder(const Project& project, const std::string& path) {
  const std::string own = folder_of(path);
  if (std::string folder = project_folder(own); !folder.empty() && is_below(path, folder)) return folder;
  std::string widest = own;
  for (const std::string& folder : project.folders) {
    if (is_below(path, folder) && folder.size() < widest.size()) widest = folder;
  }
  return widest;
}

IndexedFiles read_files(const Project& project, const FileTexts& texts, const std::atomic<bool>& stop) {
  SearchPath search = project.search;
  std::map<std::string, std::string> folders;         // of files in a folder
  std::map<std::string, std::vector<Batch>> batches;  // by the folder from which they are read
  for (auto one = texts.begin(); one != texts.end(); ++one) {
    search.texts[one->first] = one->second;
    const auto [folder, is_new] = folders.try_emplace(folder_of(one->first));
    if (is_new) folder->second = reading_folder(project, one->first);
    auto& all = batches[folder->second];
    const bool is_alone = !is_importable(one->first) || !is_below(one->first, folder->second);
    if (all.empty() || is_alone || all.back().size() == most_files_of_program) all.emplace_back();
    all.back().push_back(one);
    if (is_alone) all.emplace_back();
  }
  IndexedFiles files;
  for (const auto& [folder, all] : batches) {
    for (const Batch& batch : all) {
      if (stop) return files;
      if (!batch.empty()) read_batch(project, folder, batch, search, files);
    }
  }
  return files;
}

}  // namespace wave::editors
