// Writes a file as a temporary one in the same folder and renames it over the old one, unless the path has to be
// written through. See files.h.
#include "cli/files.h"

#include "base/folder.h"
#include "base/numbers.h"
#include "cli/text.h"
#include "frontend/project/project.h"
#include "frontend/source/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace wave::cli {
namespace {

namespace fs = std::filesystem;

std::string where_it_leads(const std::string& path) {
  char* real = realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string result(real);
  std::free(real);
  return result;
}

// The mode and owner of a new file.
struct stat fresh_file() {
  const mode_t hidden = umask(0);
  umask(hidden);
  struct stat info{};
  info.st_mode = 0666 & ~hidden;
  info.st_uid = geteuid();
  info.st_gid = getegid();
  return info;
}

// The descriptor of this program that a path stands for, through any links. /dev/stdout leads to /proc/self/fd/1, whose
// own link is not followed: it names what lies behind the descriptor (a file, say, which would be replaced).
std::optional<int> own_descriptor(fs::path path) {
  constexpr int most_links = 40;
  const fs::path own = fs::path("/proc") / std::to_string(getpid()) / "fd";
  for (int links = 0; links < most_links; ++links) {
    std::error_code error;
    const fs::path folder = fs::canonical(path.has_parent_path() ? path.parent_path() : ".", error);
    if (error) return std::nullopt;
    if (folder == own) {
      const auto descriptor = parse_number<int>(path.filename().string());
      return descriptor && fcntl(*descriptor, F_GETFD) != -1 ? descriptor : std::nullopt;
    }
    const fs::path next = fs::read_symlink(folder / path.filename(), error);
    if (error) return std::nullopt;
    path = folder / next;
  }
  return std::nullopt;
}

constexpr std::size_t random_characters = 6;  // that mkostemps chooses

bool is_temporary_of(std::string_view name, std::string_view target) {
  return name.size() == target.size() + 1 + random_characters + temporary_ending.size() && name.starts_with(target) &&
         name[target.size()] == '.' && name.ends_with(temporary_ending);
}

bool is_named(int stream, const char* path) {
  struct stat info{}, named{};
  return fstat(stream, &info) == 0 && lstat(path, &named) == 0 && info.st_ino == named.st_ino &&
         info.st_dev == named.st_dev;
}

// A file, or a folder with all that is in it.
void remove_if_abandoned(const char* found) {
  int stream = open(found, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (stream < 0 && errno == EISDIR) stream = open(found, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (stream < 0) return;
  struct stat info{};
  const bool is_free = fstat(stream, &info) == 0 && info.st_uid == geteuid() && flock(stream, LOCK_EX | LOCK_NB) == 0 &&
                       is_named(stream, found);
  std::error_code ignored;
  if (is_free && S_ISREG(info.st_mode)) unlink(found);
  if (is_free && S_ISDIR(info.st_mode)) fs::remove_all(found, ignored);
  close(stream);
}

bool is_special(const std::string& path) {
  struct stat info{};
  return stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
}

}  // namespace

void remove_abandoned(const std::string& target) {
  const fs::path path(target);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const std::string name = path.filename().string();
  std::error_code error;
  for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator(); at.increment(error)) {
    if (is_temporary_of(at->path().filename().string(), name)) remove_if_abandoned(at->path().c_str());
  }
}

bool is_written_through(const std::string& path) { return own_descriptor(path) || is_special(path); }

std::string trouble_of_output(const std::string& path) {
  if (own_descriptor(path)) return "";
  struct stat info{};
  if (stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) return std::strerror(EISDIR);
    if (access(path.c_str(), W_OK) != 0) return std::strerror(errno);
    if (!S_ISREG(info.st_mode)) return "";
  } else if (errno != ENOENT) {
    return std::strerror(errno);
  }
  const fs::path folder = fs::path(where_it_leads(path)).parent_path();
  return access(folder.empty() ? "." : folder.c_str(), W_OK) == 0 ? "" : std::strerror(errno);
}

WholeFile::WholeFile(const std::string& path, const std::string& ending) : target_(where_it_leads(path)) {
  const std::optional<int> descriptor = own_descriptor(path);
  writes_through_ = descriptor.has_value() || is_special(path);
  if (frontend::written_files().has_refused()) {
    error_ = EBUSY;  // a verb that went on although a file was refused
  } else if (descriptor) {
    stream_ = fcntl(*descriptor, F_DUPFD_CLOEXEC, 0);
  } else if (writes_through_) {
    stream_ = open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  } else {
    open_beside(ending);
  }
  if (stream_ < 0 && error_ == 0) error_ = errno;
  is_terminal_ = stream_ >= 0 && isatty(stream_) == 1;
}

// Opens the file that will replace the one at target_.
void WholeFile::open_beside(const std::string& ending) {
  if (stat(target_.c_str(), &info_) != 0) {
    error_ = errno == ENOENT ? 0 : errno;
    info_ = fresh_file();
  } else if (access(target_.c_str(), W_OK) != 0) {
    error_ = errno;  // it stays as it is, even if its folder is writable
  }
  if (error_ != 0) return;
  if (ending.empty()) {
    remove_abandoned(target_);
    while (!make_temporary()) {}
  } else {
    temporary_ = target_ + ending;
    const Undisturbed undisturbed;
    made_.emplace(temporary_, undisturbed);
    stream_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  }
}

// False where another program has taken it for abandoned before it was locked. A file system without locks has none
// that could do so.
bool WholeFile::make_temporary() {
  temporary_ = fmt::format("{}.{}{}", target_, std::string(random_characters, 'X'), temporary_ending);
  {
    const Undisturbed undisturbed;
    made_.emplace(temporary_, undisturbed);
    stream_ = mkostemps(temporary_.data(), static_cast<int>(temporary_ending.size()), O_CLOEXEC);
    made_->rename(temporary_, undisturbed);
  }
  if (stream_ < 0) return true;
  lock_ = fcntl(stream_, F_DUPFD_CLOEXEC, 0);
  if (flock(stream_, LOCK_EX | LOCK_NB) != 0 ? errno != EWOULDBLOCK : is_named(stream_, temporary_.c_str()))
    return true;
  close(std::exchange(lock_, -1));
  close(std::exchange(stream_, -1));
  made_.reset();
  return false;
}

WholeFile::~WholeFile() {
  if (stream_ >= 0) {
    close(stream_);
    if (!writes_through_) unlink(temporary_.c_str());
  }
  if (lock_ >= 0) close(lock_);
}

void WholeFile::flush() {
  if (error_ == 0) error_ = write_all(stream_, is_terminal_ ? sanitize(buffer_) : buffer_);
  buffer_.clear();
}

bool WholeFile::write(std::string_view text) {
  constexpr std::size_t enough = std::size_t{1} << 20;
  buffer_ += text;
  if (buffer_.size() >= enough) flush();
  return error_ == 0;
}

std::string WholeFile::commit() {
  flush();
  if (error_ == 0 && !writes_through_) {
    // Only root may give a file away. For other users, the owner is either right already or must change.
    if (info_.st_uid != geteuid() || info_.st_gid != getegid()) {
      [[maybe_unused]] const int ignored = fchown(stream_, info_.st_uid, info_.st_gid);
    }
    if (fsync(stream_) != 0 || fchmod(stream_, info_.st_mode & 07777) != 0) error_ = errno;
  }
  if (error_ == 0) {
    const int stream = std::exchange(stream_, -1);
    if (close(stream) != 0) error_ = errno;
    if (error_ == 0 && !writes_through_) error_ = put_in_place(temporary_, target_);
    if (error_ != 0 && !writes_through_) unlink(temporary_.c_str());
  }
  return error_ == 0 ? "" : std::strerror(error_);
}

int put_in_place(const std::string& temporary, const std::string& target) {
  if (rename(temporary.c_str(), target.c_str()) != 0) return errno;
  return sync_folder_of(target);
}

std::string replace_file(const std::string& path, const std::string& text) {
  WholeFile file(path);
  file.write(text);
  return file.commit();
}

namespace {

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

// Every plain file below `folder` that ends in `.wave`, in any order. If there is too much, nothing and an error is
// reported.
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
    std::error_code gone;  // a file that is removed meanwhile does not count
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

// Where the project of this folder is from here; nothing, reported, if there is none.
std::vector<std::string> folder_of_project(Diagnostics& diagnostics) {
  const std::string folder = frontend::project_folder(".");
  if (folder.empty()) {
    diagnostics.add(DiagnosticKind::misuse, {}, "no file is named, and this folder belongs to no project")
        .help.push_back("name files or folders; `wave new` makes a project");
    return {};
  }
  std::error_code error;
  const fs::path near = fs::relative(folder, error);
  return {error ? folder : near.string()};
}

}  // namespace

std::vector<std::string> expand_folders(const std::vector<std::string>& given, Diagnostics& diagnostics,
                                        FolderBounds bounds) {
  std::vector<std::string> files;
  const std::vector<std::string> named = given.empty() ? folder_of_project(diagnostics) : given;
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
