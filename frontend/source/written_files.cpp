// A file is known by its device and number, so that links and other spellings of its path lead to the same one.
#include "frontend/source/written_files.h"

#include <algorithm>
#include <filesystem>

namespace wave::frontend {

WrittenFiles::File WrittenFiles::file_at(const std::string& path) {
  File file;
  struct stat info{};
  if (stat(path.c_str(), &info) == 0) {
    if (S_ISREG(info.st_mode)) file = {true, info.st_dev, info.st_ino, "", ""};
    return file;
  }
  std::error_code error;
  file.place = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error).string();
  return file;
}

const WrittenFiles::File* WrittenFiles::find(const File& file) const {
  if (!file.is_there && file.place.empty()) return nullptr;
  const auto found = std::find_if(files_.begin(), files_.end(), [&](const File& one) {
    return one.is_there == file.is_there && one.device == file.device && one.number == file.number &&
           one.place == file.place;
  });
  return found == files_.end() ? nullptr : &*found;
}

std::string WrittenFiles::add(const std::string& path, const std::string& name) {
  File file = file_at(path);
  if (const File* const same = find(file)) return same->name;
  file.name = name;
  if (file.is_there || !file.place.empty()) files_.push_back(std::move(file));
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
  static WrittenFiles files;
  return files;
}

}  // namespace wave::frontend
