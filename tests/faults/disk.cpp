// See disk.h.
#include "tests/faults/disk.h"

#include "tests/folder.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <utility>

namespace wave::test {
namespace {

namespace fs = std::filesystem;

std::string parent_of(const std::string& name) { return fs::path(name).parent_path().string(); }

}  // namespace

Disk::Disk(std::string folder) : folder_(std::move(folder)) {
  look();
  certain_names_ = now_;
  for (const auto& [name, file] : now_) certain_data_[file] = seen(name);
}

std::string Disk::relative(const std::string& path) const {
  return path == folder_ ? std::string() : fs::path(path).lexically_relative(folder_).string();
}

std::string Disk::seen(const std::string& name) const { return contents_of(fs::path(folder_) / name); }

// Which names there are, and of which files. The system may give a new file the number of one that is gone, but not
// between two looks: each call is one step.
void Disk::look() {
  Names names;
  std::map<ino_t, File> numbers;
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    struct stat info{};
    if (lstat(entry.path().c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    const auto known = numbers_.find(info.st_ino);
    const File file = known != numbers_.end() ? known->second : next_++;
    numbers[info.st_ino] = file;
    names[relative(entry.path().string())] = file;
  }
  now_ = std::move(names);
  numbers_ = std::move(numbers);
}

void Disk::made(const FileCall& call, long result) {
  if (result < 0) return;
  look();
  if (call.number != SYS_fsync && call.number != SYS_fdatasync) return;
  const std::string name = relative(call.path);
  if (const auto file = now_.find(name); file != now_.end()) {
    certain_data_[file->second] = seen(name);
  } else if (fs::is_directory(call.path)) {
    std::erase_if(certain_names_, [&](const auto& one) { return parent_of(one.first) == name; });
    for (const auto& one : now_) {
      if (parent_of(one.first) == name) certain_names_.insert(one);
    }
  }
}

Disk::Contents Disk::certain() const {
  Contents files;
  for (const auto& [name, file] : certain_names_) {
    const auto data = certain_data_.find(file);
    files[name] = data == certain_data_.end() ? std::string() : data->second;
  }
  return files;
}

std::vector<Disk::State> Disk::after_power_loss() const {
  std::map<File, std::string> seen_data;
  for (const auto& [name, file] : now_) seen_data[file] = seen(name);
  const auto data_in = [](const std::map<File, std::string>& all, File file) {
    const auto found = all.find(file);
    return found == all.end() ? std::string() : found->second;
  };
  const auto certain_data = [&](File file) { return data_in(certain_data_, file); };
  // A file that has no name any more was seen for the last time when it was synced, or never.
  const auto kept_data = [&](File file) { return seen_data.contains(file) ? seen_data[file] : certain_data(file); };
  const auto zeros = [&](File file) {
    std::string data = certain_data(file);
    data.resize(std::max(data.size(), kept_data(file).size()), '\0');
    return data;
  };
  const auto half = [&](File file) {
    const std::string before = certain_data(file), now = kept_data(file);
    return now.size() <= before.size() ? before : now.substr(0, before.size() + (now.size() - before.size()) / 2);
  };
  // A file that was renamed has one of its names: that is one step.
  Names only_removed, only_added = now_;
  for (const auto& one : certain_names_) {
    const bool is_renamed =
        std::any_of(now_.begin(), now_.end(), [&](const auto& other) { return other.second == one.second; });
    if (now_.contains(one.first) || is_renamed) only_removed.insert(one);
    if (!is_renamed) only_added.insert(one);
  }

  const auto state = [](const char* name, const Names& names, const std::function<std::string(File)>& data) {
    State made{name, {}};
    for (const auto& [path, file] : names) made.files[path] = data(file);
    return made;
  };
  return {state("all that was not synced is lost", certain_names_, certain_data),
          state("names are kept, data are lost", now_, certain_data),
          state("names and sizes are kept, data are zeros", now_, zeros),
          state("names are kept, and half of the data", now_, half),
          state("data are kept, names are lost", certain_names_, kept_data),
          state("removals are kept, new names are lost", only_removed, certain_data),
          state("new names are kept, removals are lost", only_added, certain_data),
          state("all is kept", now_, kept_data)};
}

void Disk::restore(const std::string& folder, const Contents& files) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_directory()) fs::remove(entry.path());
  }
  for (const auto& [name, data] : files) {
    fs::create_directories((fs::path(folder) / name).parent_path());
    write_file(fs::path(folder) / name, data);
  }
}

}  // namespace wave::test
