// Walking through folders, within bounds. See file_list.h.
#include "cli/file_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace wave::cli {
namespace {

namespace fs = std::filesystem;
using frontend::DiagnosticKind;
using frontend::Diagnostics;

bool is_hidden(const fs::path& path) {
  const std::string name = path.filename().string();
  return !name.empty() && name.front() == '.';
}

void refuse(const std::string& folder, const std::string& why, Diagnostics& diagnostics, const std::string& help) {
  auto& d = diagnostics.add(DiagnosticKind::unusable_folder, {}, fmt::format("`{}`: {}", folder, why));
  if (!help.empty()) d.help.push_back(help);
}

// Every plain file below `folder` that ends in `.wave`, in any order; nothing, reported, where there is too much.
std::vector<std::string> files_below(const std::string& folder, FolderBounds bounds, Diagnostics& diagnostics) {
  const std::string name_files = "name the files, or a folder further down";
  std::vector<std::string> files;
  std::error_code error;
  std::size_t entries = 0;
  fs::recursive_directory_iterator at(folder, error);
  for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
    if (++entries > bounds.entries) {
      refuse(folder, fmt::format("more than {} files and folders lie below it", bounds.entries), diagnostics,
             name_files);
      return {};
    }
    std::error_code gone;  // a file that is removed meanwhile is no file
    const bool is_link = at->is_symlink(gone);
    const bool is_folder = !is_link && at->is_directory(gone);
    if (is_hidden(at->path())) {
      if (is_folder) at.disable_recursion_pending();
    } else if (is_folder && at.depth() >= bounds.depth) {
      refuse(folder, fmt::format("folders lie more than {} deep in it", bounds.depth), diagnostics, name_files);
      return {};
    } else if (!is_link && at->is_regular_file(gone) && at->path().extension() == ".wave") {
      files.push_back(at->path().lexically_normal().string());
    }
  }
  if (error) {
    refuse(folder, error.message(), diagnostics, "");
    return {};
  }
  if (files.empty())
    refuse(folder, "no `.wave` file lies below it", diagnostics, "hidden folders and links are not looked at");
  return files;
}

}  // namespace

std::vector<std::string> expand_folders(const std::vector<std::string>& named, Diagnostics& diagnostics,
                                        FolderBounds bounds) {
  std::vector<std::string> files;
  std::set<std::string> met;
  for (const std::string& name : named) {
    std::error_code error;
    if (name == "-" || !fs::is_directory(name, error)) {
      files.push_back(name);
      continue;
    }
    auto found = files_below(name, bounds, diagnostics);
    std::sort(found.begin(), found.end());
    for (std::string& file : found) {
      if (met.insert(file).second) files.push_back(std::move(file));
    }
  }
  return files;
}

}  // namespace wave::cli
