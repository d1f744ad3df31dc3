// See whole_folder.h. The files are written beside the folder, which then takes the place of the one before.
#include "cli/whole_folder.h"

#include "base/folder.h"
#include "cli/ending.h"
#include "cli/files.h"
#include "frontend/source/files.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

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
    if (!fs::is_directory(at->symlink_status(error)) && !known.count(name)) return name;
    if (at->is_symlink(error)) return name;
  }
  return error ? error.message() : "";
}

struct Descriptor {
  explicit Descriptor(int n) : number(n) {}
  ~Descriptor() {
    if (number >= 0) close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number;
};

using Temporaries = std::list<Temporary>;

// Makes a folder beside the target, and returns what holds its lock, so that nobody takes it for abandoned; -1 with
// errno if it cannot.
int make_beside(const std::string& target, std::string& beside, Temporaries& temporaries) {
  const Undisturbed undisturbed;
  std::string made = target + ".XXXXXX";  // mkdtemp wants these last
  beside = made + std::string(temporary_ending);
  temporaries.emplace_back(beside, undisturbed);
  if (mkdtemp(made.data()) == nullptr) return -1;
  beside.replace(0, made.size(), made);
  temporaries.back().rename(beside, undisturbed);
  const int lock = open(made.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (lock >= 0) flock(lock, LOCK_EX | LOCK_NB);  // a file system without locks has nobody who could take it away
  if (lock >= 0 && rename(made.c_str(), beside.c_str()) == 0) return lock;
  const int error = errno;
  if (lock >= 0) close(lock);
  rmdir(made.c_str());
  errno = error;
  return -1;
}

// Files within a folder that is being made, with the folders that they need. They are whole after commit().
class FilesBelow {
 public:
  FilesBelow(std::string folder, Temporaries& temporaries) : folder_(std::move(folder)), temporaries_(temporaries) {}

  // False: something is wrong, which commit() says.
  bool write(const std::string& name, std::string_view text) {
    auto& file = files_[name];
    if (!file) file = open(name);
    return file != nullptr && file->write(text);
  }

  std::string commit() {
    for (auto& [name, file] : files_) {
      if (trouble_.empty() && file) trouble_ = file->commit();
      file.reset();
    }
    return trouble_;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [name, file] : files_) names.push_back(name);
    return names;
  }

 private:
  std::unique_ptr<WholeFile> open(const std::string& name) {
    fs::path file = folder_;
    std::error_code error;
    for (const fs::path& part : fs::path(name)) {
      const Undisturbed undisturbed;
      if (!fs::exists(file, error)) {
        temporaries_.emplace_back(file.string(), undisturbed);
        fs::create_directory(file, error);
      }
      if (error) {
        trouble_ = error.message();
        return nullptr;
      }
      file /= part;
    }
    {
      const Undisturbed undisturbed;
      temporaries_.emplace_back(file.string(), undisturbed);
    }
    return std::make_unique<WholeFile>(file.string(), ".part");  // nobody else writes here
  }

  const std::string folder_;
  Temporaries& temporaries_;
  std::map<std::string, std::unique_ptr<WholeFile>> files_;
  std::string trouble_;
};

std::string write_below(const std::string& folder, const std::string& name, const std::string& text,
                        Temporaries& temporaries) {
  FilesBelow files(folder, temporaries);
  files.write(name, text);
  return files.commit();
}

// A folder that is there changes places with the new one, in one step where the file system can do that.
std::string put_in_place_of(const std::string& target, const std::string& beside) {
  const mode_t hidden = umask(0);
  umask(hidden);
  chmod(beside.c_str(), 0777 & ~hidden);
  if (std::error_code error; !fs::exists(target, error)) {
    if (rename(beside.c_str(), target.c_str()) != 0) return std::strerror(errno);
  } else if (renameat2(AT_FDCWD, beside.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) != 0) {
    if (errno != EINVAL && errno != ENOSYS) return std::strerror(errno);
    const std::string before = beside + ".before";
    if (rename(target.c_str(), before.c_str()) != 0) return std::strerror(errno);
    const int failed = rename(beside.c_str(), target.c_str()) == 0 ? 0 : errno;
    rename(before.c_str(), failed == 0 ? beside.c_str() : target.c_str());
    if (failed != 0) return std::strerror(failed);
  }
  const int failed = sync_folder_of(target);
  return failed == 0 ? "" : std::strerror(failed);
}

// Where the files of an empty folder are written before they are in their places.
std::string inside(const std::string& folder) { return (fs::path(folder) / "wave").string(); }

// Moves what is in a folder into another one; all or nothing.
std::string move_all(const std::string& from, const std::string& to) {
  std::vector<fs::path> moved;
  std::error_code error;
  for (fs::directory_iterator at(from, error), end; !error && at != end; at.increment(error)) {
    const fs::path target = fs::path(to) / at->path().filename();
    fs::rename(at->path(), target, error);
    if (error) break;
    moved.push_back(target);
  }
  int failed = error.value();
  if (failed == 0) failed = sync_folder_of(inside(to));
  if (failed == 0) return "";
  std::error_code ignored;
  for (const fs::path& one : moved) fs::remove_all(one, ignored);
  return std::strerror(failed);
}

// The outermost folder above `path` that does not exist; empty if all do.
fs::path missing_above(const fs::path& path) {
  fs::path missing;
  std::error_code error;
  for (fs::path at = path.parent_path(); !at.empty() && !fs::exists(at, error); at = at.parent_path()) missing = at;
  return missing;
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

std::string fill_folder(const std::string& path, const std::function<std::string(const FolderSink& sink)>& fill) {
  if (std::string trouble = trouble_of_folder(path); !trouble.empty()) return trouble;
  const std::string target = plain_path(path);
  remove_abandoned(target);
  std::string beside;
  Temporaries temporaries;
  const Descriptor lock(make_beside(target, beside, temporaries));
  if (lock.number < 0) return std::strerror(errno);
  FilesBelow files(beside, temporaries);
  std::string trouble = fill([&](const std::string& name, std::string_view text) { return files.write(name, text); });
  std::string list;
  for (const std::string& name : files.names()) list += name + "\n";
  files.write(list_of_files, list);
  if (std::string of_files = files.commit(); !of_files.empty()) trouble = std::move(of_files);
  const Undisturbed undisturbed;
  if (trouble.empty()) trouble = put_in_place_of(target, beside);
  std::error_code ignored;
  fs::remove_all(beside, ignored);  // what was written in vain, or the folder of before
  return trouble;
}

std::string replace_folder(const std::string& path, const FolderTexts& texts) {
  return fill_folder(path, [&](const FolderSink& sink) {
    for (const auto& [name, text] : texts) {
      if (!sink(name, text)) break;
    }
    return std::string();
  });
}

bool is_empty_folder(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return false;
  remove_abandoned(inside(path));
  return fs::is_empty(path, error) && !error;
}

std::string make_folder(const std::string& path, const FolderTexts& texts, const std::vector<std::string>& programs) {
  const std::string target = plain_path(path);
  std::error_code error;
  const bool is_there = fs::exists(target, error);
  const fs::path missing = missing_above(target);
  const auto make = [&]() -> std::string {
    if (!missing.empty()) fs::create_directories(fs::path(target).parent_path(), error);
    if (error) return error.message();
    remove_abandoned(is_there ? inside(target) : target);
    std::string beside;
    Temporaries temporaries;
    const Descriptor lock(make_beside(is_there ? inside(target) : target, beside, temporaries));
    if (lock.number < 0) return std::strerror(errno);
    std::string trouble;
    for (const auto& [name, text] : texts) {
      if (!trouble.empty()) break;
      trouble = write_below(beside, name, text, temporaries);
      if (!trouble.empty()) trouble = "`" + name + "`: " + trouble;
    }
    constexpr auto may_run = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
    for (const std::string& name : programs)
      fs::permissions(fs::path(beside) / name, may_run, fs::perm_options::add, error);
    const Undisturbed undisturbed;
    if (trouble.empty()) trouble = is_there ? move_all(beside, target) : put_in_place_of(target, beside);
    std::error_code ignored;
    fs::remove_all(beside, ignored);
    return trouble;
  };
  const std::string trouble = make();
  if (trouble.empty() || missing.empty()) return trouble;
  std::error_code ignored;
  fs::path made = fs::path(target).parent_path();
  while (fs::remove(made, ignored) && made != missing) made = made.parent_path();  // only what is empty
  return trouble;
}

}  // namespace wave::cli
