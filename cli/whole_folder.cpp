// See whole_folder.h. The files are written beside the folder, which then takes the place of the one before.
#include "cli/whole_folder.h"

#include "base/folder.h"
#include "cli/files.h"
#include "frontend/source/files.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sstream>

namespace wave::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_names = std::size_t{16} << 20;  // bytes of the list of files

// Without a slash at the end, which would stand for what lies inside.
std::string plain_path(const std::string& path) {
  fs::path plain = fs::path(path).lexically_normal();
  if (!plain.has_filename() && plain.has_parent_path()) plain = plain.parent_path();
  return plain.string();
}

// What is in a folder besides the files that its list names; empty if nothing is.
std::string found_besides(const std::string& folder) {
  const auto list = frontend::read_plain_file((fs::path(folder) / list_of_files).string(), most_names);
  std::set<std::string> known{list_of_files};
  std::istringstream lines(list.ok ? list.text : "");
  for (std::string line; std::getline(lines, line);) known.insert(line);
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().lexically_relative(folder).generic_string();
    if (at->is_symlink() || !(at->is_directory() || known.count(name))) return name;
  }
  return error ? error.message() : "";
}

}  // namespace

std::string trouble_of_folder(const std::string& path) {
  std::error_code error;
  const fs::path folder = plain_path(path);
  if (fs::exists(fs::symlink_status(folder, error))) {
    if (!fs::is_directory(fs::symlink_status(folder, error))) return "it is no folder";
    const std::string other = found_besides(folder.string());
    if (!other.empty()) return "it holds `" + other + "`, which was not made by this command";
  }
  const fs::path parent = folder.has_parent_path() ? folder.parent_path() : ".";
  return access(parent.c_str(), W_OK) == 0 ? "" : std::strerror(errno);
}

WholeFolder::WholeFolder(std::string path) : path_(plain_path(path)) {
  error_ = trouble_of_folder(path_);
  if (!error_.empty()) return;
  std::string name = path_ + ".XXXXXX";
  if (mkdtemp(name.data()) == nullptr)
    error_ = std::strerror(errno);
  else
    temporary_ = name;
}

WholeFolder::~WholeFolder() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

void WholeFolder::write(const std::string& name, std::string_view text) {
  if (!error_.empty()) return;
  const fs::path file = fs::path(temporary_) / name;
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  error_ = error ? error.message() : replace_file(file.string(), std::string(text));
  names_.insert(name);
}

std::string WholeFolder::commit() {
  std::string list;
  for (const std::string& name : names_) list += name + "\n";
  write(list_of_files, list);
  if (error_.empty()) error_ = trouble_of_folder(path_);  // it may have changed meanwhile
  if (!error_.empty()) return error_;
  const mode_t hidden = umask(0);
  umask(hidden);
  chmod(temporary_.c_str(), 0777 & ~hidden);
  // An old folder changes places with the new one, and is removed.
  const bool is_there = fs::exists(path_);
  if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), is_there ? RENAME_EXCHANGE : RENAME_NOREPLACE) !=
      0)
    return error_ = std::strerror(errno);
  if (!is_there) temporary_.clear();
  const int failed = sync_folder_of(path_);
  return failed == 0 ? "" : std::strerror(failed);
}

}  // namespace wave::cli
