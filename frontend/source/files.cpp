// A written file is known by its device and number, so that links and other spellings of its path lead to the same one.
#include "frontend/source/files.h"

#include "frontend/source/diagnostics.h"
#include "frontend/source/sources.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace wave::frontend {
namespace {

namespace fs = std::filesystem;

bool climbs(const fs::path& path) {
  return std::any_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
}

bool lies_below(const fs::path& file, const fs::path& folder) {
  const auto [end, position] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return end == folder.end() || (end->empty() && std::next(end) == folder.end());
}

std::string bytes(std::size_t limit) { return std::to_string(limit >> 20) + " MiB"; }

using Stream = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

FileText read_all(const Stream& file, std::size_t limit) {
  if (std::string why = written_files().refuse(fileno(file.get())); !why.empty()) return {false, std::move(why)};
  std::string text;
  struct stat info{};
  if (fstat(fileno(file.get()), &info) == 0 && info.st_size > 0)
    text.reserve(std::min(limit, static_cast<std::size_t>(info.st_size)));
  char buffer[1 << 16];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file.get())) {
    text.append(buffer, count);
    if (text.size() > limit) return {false, "it has more than " + bytes(limit)};
  }
  if (std::ferror(file.get())) return {false, std::strerror(errno)};
  return {true, std::move(text)};
}

// Opens `inside` of the folder `root`, both without links. A link is not followed either if it takes the place of a
// folder or of the file after these were looked at, and a pipe without a writer is not waited for. -1 and `errno` if
// that fails.
int open_below(const fs::path& root, const fs::path& inside) {
  int folder = open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  for (auto part = inside.begin(); folder >= 0 && part != inside.end(); ++part) {
    const bool is_last = std::next(part) == inside.end();
    const int kind = is_last ? O_RDONLY | O_NONBLOCK | O_NOCTTY : O_PATH | O_DIRECTORY;
    const int next = openat(folder, part->c_str(), kind | O_NOFOLLOW | O_CLOEXEC);
    const int error = errno;
    close(std::exchange(folder, next));
    errno = error;
  }
  return folder;
}

}  // namespace

WrittenFiles::File WrittenFiles::file_at(const std::string& path) {
  File file;
  struct stat info{};
  if (stat(path.c_str(), &info) == 0) {
    if (S_ISREG(info.st_mode)) file = {true, info.st_dev, info.st_ino, "", ""};
    return file;
  }
  std::error_code error;
  file.resolved = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error).string();
  return file;
}

const WrittenFiles::File* WrittenFiles::find(const File& file) const {
  if (!file.is_there && file.resolved.empty()) return nullptr;
  const auto found = std::find_if(files_.begin(), files_.end(), [&](const File& one) {
    return one.is_there == file.is_there && one.device == file.device && one.number == file.number &&
           one.resolved == file.resolved;
  });
  return found == files_.end() ? nullptr : &*found;
}

std::string WrittenFiles::add(const std::string& path, const std::string& name) {
  File file = file_at(path);
  if (const File* const same = find(file)) return same->name;
  file.name = name;
  if (file.is_there || !file.resolved.empty()) files_.push_back(std::move(file));
  return "";
}

bool WrittenFiles::contains(const std::string& path) const { return find(file_at(path)) != nullptr; }

std::string WrittenFiles::refuse(int stream) {
  struct stat info{};
  if (files_.empty() || fstat(stream, &info) != 0 || !S_ISREG(info.st_mode)) return "";
  const File* const same = find({true, info.st_dev, info.st_ino, "", ""});
  if (same == nullptr) return "";
  has_refused_ = true;
  return same->name + " would replace it";
}

WrittenFiles& written_files() {
  thread_local WrittenFiles files;
  return files;
}

FileText read_file(const std::string& path, std::size_t limit) {
  std::error_code error;
  if (fs::is_directory(path, error)) return {false, "it is a folder"};
  errno = 0;
  const Stream file(std::fopen(path.c_str(), "rb"), &std::fclose);
  return file ? read_all(file, limit) : FileText{false, std::strerror(errno)};
}

FileText read_plain_file(const std::string& path, std::size_t limit) {
  std::error_code error;
  if (!fs::exists(path, error)) return {false, error ? error.message() : std::strerror(ENOENT)};
  return read_file_below(path, {"/"}, limit);
}

FileText read_file_below(const std::string& path, const std::vector<std::string>& roots, std::size_t limit) {
  std::error_code error;
  const fs::path resolved = canonical(path);
  const auto holds = [&](const std::string& root) { return lies_below(resolved, canonical(root)); };
  const auto root = std::find_if(roots.begin(), roots.end(), holds);
  if (root == roots.end()) {
    // Without links it would lie there: then one of them leads out.
    const fs::path named = fs::absolute(path, error).lexically_normal();
    const auto seems_to_hold = [&](const std::string& one) {
      return lies_below(named, fs::absolute(one, error).lexically_normal());
    };
    const auto seeming = std::find_if(roots.begin(), roots.end(), seems_to_hold);
    if (seeming != roots.end()) return {false, "it is a link that leads out of `" + *seeming + "`", true};
    return {false, "it lies outside " + quoted_list(roots), true};
  }
  if (!fs::is_regular_file(resolved, error)) return {false, "it is not a plain file"};
  const int stream = open_below(canonical(*root), resolved.lexically_relative(canonical(*root)));
  const Stream file(stream < 0 ? nullptr : fdopen(stream, "rb"), &std::fclose);
  struct stat info{};
  if (!file || fstat(stream, &info) != 0) return {false, std::strerror(errno)};
  return S_ISREG(info.st_mode) ? read_all(file, limit) : FileText{false, "it is not a plain file"};
}

std::string canonical(const std::string& path) {
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(path, error);
  return error ? path : resolved.string();
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string join(const std::string& folder, const std::string& path) {
  return (fs::path(folder) / path).lexically_normal().string();
}

bool is_file(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error) && !fs::is_directory(path, error);
}

bool is_absolute(const std::string& path) { return fs::path(path).is_absolute(); }

FileText read_data_file(const std::string& path, const std::string& folder, const std::vector<std::string>& folders) {
  if (path.empty()) return {false, "its name is empty"};
  if (path.find('\0') != std::string::npos) return {false, "its name is not a path"};
  if (is_absolute(path)) return {false, "a data file is named relative to its module"};
  if (climbs(path)) return {false, "a data file lies below its module's folder, `..` leads out of it"};
  std::vector<std::string> roots;
  if (!folder.empty()) roots.push_back(folder);
  roots.insert(roots.end(), folders.begin(), folders.end());
  std::vector<std::string> searched;
  for (const std::string& root : roots) {
    const std::string candidate = join(root, path);
    searched.push_back(candidate);
    if (!is_file(candidate)) continue;
    FileText file = read_file_below(candidate, {root}, largest_data_file);
    if (!file.ok) return file;
    if (const auto found = find_no_text(file.text)) return {false, "it is not UTF-8 text; " + found->help};
    return file;
  }
  if (roots.empty()) return {false, "a module without a folder reads data files only from a `-I` folder"};
  return {false, "there is none; looked for " + quoted_list(searched)};
}

}  // namespace wave::frontend
