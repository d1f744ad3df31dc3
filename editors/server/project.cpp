// See project.h.
#include "editors/server/project.h"

#include "editors/server/documents.h"
#include "frontend/source/files.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace wave::editors {
namespace {

namespace fs = std::filesystem;

constexpr const char* model_extension = ".wave";
constexpr std::size_t largest_file = std::size_t{4} << 20;
constexpr int deepest_folder = 30;
constexpr std::size_t most_entries = 1'000'000;

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with("."); }

// The words of the lines that import, or hand on: names of files that this one imports are among them.
void add_imported_words(const std::string& text, std::set<std::string>& words) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("import") && !line.starts_with("export")) continue;
    std::string word;
    for (const char c : line) {
      const bool is_letter = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
      if (is_letter) word += c;
      if (!is_letter) words.insert(std::exchange(word, {}));
    }
    words.insert(word);
  }
}

}  // namespace

bool is_of_library(const frontend::Module& module) { return module.key.starts_with("std."); }

std::string Project::uri_of(const frontend::Module& module) const {
  if (is_of_library(module)) {
    if (library_folder.empty()) return uri_of_library(module.key);
    std::string path = module.key;
    std::replace(path.begin(), path.end(), '.', '/');
    return uri_of_path(frontend::join(library_folder, path + model_extension));
  }
  const auto open = uris.find(module.key);
  return open == uris.end() ? uri_of_path(module.key) : open->second;
}

Json Project::location(const Analysis& analysis, Location location) const {
  const frontend::Module* module = analysis.module_of(location.file);
  if (!module) return nullptr;
  const Lines lines(analysis.sources().text(location.file), encoding);
  return {{"uri", uri_of(*module)}, {"range", lines.range(location)}};
}

std::optional<std::string> Project::text_of(const std::string& path) const {
  if (const auto open = search.texts.find(path); open != search.texts.end()) return *open->second;
  frontend::FileText file = frontend::read_plain_file(path, largest_file);
  if (!file.ok) return std::nullopt;
  return std::move(file.text);
}

std::vector<std::string> Project::files(const std::atomic<bool>& stop) const {
  std::set<std::string> found;
  for (const auto& [path, text] : search.texts) found.insert(path);
  std::size_t entries = 0;
  for (const std::string& folder : folders) {
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
    for (; !error && entry != end && !stop && found.size() < most_files; entry.increment(error)) {
      if (++entries > most_entries) break;
      const bool is_folder = entry->is_directory(error);
      if (is_folder && (is_hidden(entry->path()) || entry.depth() >= deepest_folder)) entry.disable_recursion_pending();
      if (!is_folder && entry->path().extension() == model_extension && entry->is_regular_file(error))
        found.insert(frontend::canonical(entry->path().string()));
      error.clear();
    }
  }
  return {found.begin(), found.end()};
}

void Project::for_each_file(const std::string& word, const std::atomic<bool>& stop, const Visit& visit) const {
  struct File {
    std::string path;
    bool is_imported = false;
  };
  std::set<std::string> imported;
  std::vector<File> all;
  for (std::string& path : files(stop)) {
    const auto text = text_of(path);
    if (!text || stop) continue;
    add_imported_words(*text, imported);
    if (text->find(word) != std::string::npos) all.push_back({std::move(path)});
  }
  // A file is analysed with what it imports, so those come first that nobody seems to import.
  for (File& file : all) file.is_imported = imported.count(fs::path(file.path).stem().string()) > 0;
  std::stable_sort(all.begin(), all.end(), [](const File& a, const File& b) { return a.is_imported < b.is_imported; });
  std::set<std::string> visited;
  for (const File& file : all) {
    if (stop) return;
    if (visited.count(file.path)) continue;
    const auto text = text_of(file.path);
    if (!text) continue;
    std::optional<Analysis> read;
    if (!finishes_within(reading_seconds, [&] { read.emplace(file.path, search, &*text); })) continue;
    const Analysis& analysis = *read;
    for (const auto& module : analysis.program().modules) {
      // Also what lies elsewhere, and is only imported.
      const bool is_asked_for = !is_of_library(*module) && module->file != Location::no_file &&
                                analysis.sources().text(module->file).find(word) != std::string_view::npos;
      if (is_asked_for && visited.insert(module->key).second) visit(analysis, module->file);
    }
  }
}

}  // namespace wave::editors
