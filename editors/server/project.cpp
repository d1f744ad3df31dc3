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

}  // namespace

bool is_of_library(const std::string& key) { return key.starts_with("std."); }
bool is_of_library(const frontend::Module& module) { return is_of_library(module.key); }

std::string Project::uri_of(const std::string& key) const {
  if (is_of_library(key)) {
    if (library_folder.empty()) return uri_of_library(key);
    std::string path = key;
    std::replace(path.begin(), path.end(), '.', '/');
    return uri_of_path(frontend::join(library_folder, path + model_extension));
  }
  const auto open = uris.find(key);
  return open == uris.end() ? uri_of_path(key) : open->second;
}

Json Project::location(const Analysis& analysis, Location location) const {
  const frontend::Module* module = analysis.module_of(location.file);
  if (!module) return nullptr;
  const Lines lines(analysis.sources().text(location.file), encoding);
  return {{"uri", uri_of(module->key)}, {"range", lines.range(location)}};
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

}  // namespace wave::editors
