// See contents.h.
#include "frontend/project/contents.h"

#include "base/digest.h"
#include "frontend/project/manifest.h"
#include "frontend/source/files.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

namespace wave::frontend {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 10'000, most_entries = 100'000, most_bytes = std::size_t{256} << 20;
constexpr int deepest_folder = 64;

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with("."); }

// Adds the files below a folder. False if there are too many, or the folder cannot be read.
bool add_files(const fs::path& folder, std::set<std::string>& files) {
  std::error_code error;
  std::size_t entries = 0;
  fs::recursive_directory_iterator at(folder, error);
  for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
    if (++entries > most_entries || files.size() > most_files) return false;
    const fs::file_status status = at->symlink_status(error);
    if (error) return false;
    if (is_hidden(at->path())) {
      if (fs::is_directory(status)) at.disable_recursion_pending();
      continue;
    }
    if (fs::is_directory(status) && at.depth() >= deepest_folder) return false;
    if (fs::is_regular_file(status)) files.insert(at->path().string());
  }
  return !error;
}

}  // namespace

std::optional<std::string> digest_of_contents(const std::string& root, const std::vector<std::string>& folders) {
  std::set<std::string> files{(fs::path(root) / manifest_name).lexically_normal().string()};
  for (const std::string& folder : folders) {
    if (!add_files((fs::path(root) / folder).lexically_normal(), files)) return std::nullopt;
  }
  std::string all;
  std::size_t left = most_bytes;
  for (const std::string& path : files) {
    const std::string name = fs::path(path).lexically_relative(root).generic_string();
    if (name == lock_name) continue;  // its own dependencies are looked at by themselves
    const FileText file = read_plain_file(path, left);
    if (!file.ok) return std::nullopt;
    left -= file.text.size();
    all += fmt::format("{} {}\n", hexadecimal(digest(file.text)), name);
  }
  return hexadecimal(digest(all));
}

}  // namespace wave::frontend
