// When what the index holds is read again.
#include "editors/server/index.h"

#include "frontend/project/manifest.h"
#include "frontend/project/project.h"
#include "frontend/source/files.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <new>
#include <sys/stat.h>
#include <utility>

namespace wave::editors {
namespace {

std::string stem(const std::string& path) { return std::filesystem::path(path).stem().string(); }

}  // namespace

void ProjectIndex::doubt(const std::string& path) {
  const std::lock_guard lock(mutex_);
  doubted_.insert(path);
}

void ProjectIndex::doubt_all() {
  const std::lock_guard lock(mutex_);
  is_all_doubted_ = true;
}

ProjectIndex::Stamp ProjectIndex::stamp_of(const Project& project, const std::string& path) {
  if (const auto open = project.search.texts.find(path); open != project.search.texts.end())
    return {.typed = open->second};
  struct stat found{};
  if (stat(path.c_str(), &found) != 0) return {};
  return {.typed = nullptr,
          .seconds = found.st_mtim.tv_sec,
          .nanoseconds = found.st_mtim.tv_nsec,
          .size = static_cast<std::uint64_t>(found.st_size),
          .number = found.st_ino};
}

// Where imports may lead decides what they mean.
void ProjectIndex::forget_if_elsewhere(const Project& project) {
  const std::lock_guard lock(mutex_);
  const bool is_elsewhere = folders_ != project.folders || searched_ != project.search.folders;
  if (is_elsewhere || is_all_doubted_) files_.clear();
  is_all_doubted_ = false;
  folders_ = project.folders;
  searched_ = project.search.folders;
}

std::string ProjectIndex::manifests_of(const std::set<std::string>& folders) {
  std::string all;
  const Project nothing;
  for (const std::string& folder : folders) {
    for (const auto name : {frontend::manifest_name, frontend::lock_name}) {
      const std::string path = frontend::join(folder, std::string(name));
      const Stamp stamp = stamp_of(nothing, path);
      if (stamp.number != 0)
        all += path + " " + std::to_string(stamp.seconds) + "." + std::to_string(stamp.nanoseconds) + " " +
               std::to_string(stamp.size) + "\n";
    }
  }
  return all;
}

// So do the projects, and which of them a file belongs to.
void ProjectIndex::forget_if_manifests_differ(const Project& project, const std::set<std::string>& paths) {
  std::map<std::string, std::string> by_own;
  std::set<std::string> folders;
  groups_.clear();
  for (const std::string& path : paths) {
    const auto [folder, is_new] = by_own.try_emplace(frontend::folder_of(path));
    if (is_new) folder->second = reading_folder(project, path);
    groups_[path] = folder->second;
    folders.insert(folder->second);
  }
  std::string manifests = manifests_of(folders);
  if (manifests != manifests_) files_.clear();
  manifests_ = std::move(manifests);
}

// The files whose texts are others than those that were read.
std::set<std::string> ProjectIndex::changed(const Project& project, const std::set<std::string>& listed) {
  std::set<std::string> doubted, outdated;
  {
    const std::lock_guard lock(mutex_);
    doubted.swap(doubted_);
  }
  std::set<std::string> all = listed;
  for (const auto& [key, file] : files_) all.insert(key);
  for (const std::string& path : all) {
    const auto file = files_.find(path);
    Stamp stamp = stamp_of(project, path);
    const bool is_known = file != files_.end();
    if (is_known && stamps_[path] == stamp && !doubted.count(path)) continue;
    stamps_[path] = std::move(stamp);
    const auto text = is_known ? project.text_of(path) : std::nullopt;
    if (!text || *text != *file->second->text) outdated.insert(path);
  }
  return outdated;
}

// Those that import them, too, those that may find a new file by its name, and those that lack modules.
void ProjectIndex::spread(std::set<std::string>& outdated) const {
  if (outdated.empty()) return;
  std::set<std::string> words;
  for (const std::string& path : outdated) words.insert(stem(path));
  for (const auto& [key, file] : files_) {
    const auto is_named = [&](const std::string& word) { return words.count(word) > 0; };
    if (file->lacks_modules || std::any_of(file->import_words.begin(), file->import_words.end(), is_named))
      outdated.insert(key);
  }
  for (std::size_t before = 0; before != outdated.size();) {
    before = outdated.size();
    for (const auto& [key, file] : files_) {
      const auto is_outdated = [&](const std::string& import) { return outdated.count(import) > 0; };
      if (std::any_of(file->imports.begin(), file->imports.end(), is_outdated)) outdated.insert(key);
    }
  }
}

bool ProjectIndex::is_whole_group(const std::string& folder) const {
  return std::any_of(files_.begin(), files_.end(), [&](const auto& one) {
    return one.second->depends_on_importers && groups_.at(one.first) == folder;
  });
}

// A group in which files depend on those that import them is read as a whole.
void ProjectIndex::add_groups(std::set<std::string>& outdated, std::set<std::string>& whole) const {
  std::set<std::string> folders;
  for (const std::string& path : outdated) folders.insert(groups_.at(path));
  for (const std::string& folder : folders) {
    if (!is_whole_group(folder)) continue;
    whole.insert(folder);
    for (const auto& [key, file] : files_) {
      if (groups_.at(key) == folder) outdated.insert(key);
    }
  }
}

// Returns the files that these import and nobody has read.
std::set<std::string> ProjectIndex::read(const Project& project, const std::set<std::string>& outdated,
                                         const std::atomic<bool>& stop) {
  FileTexts texts;
  for (const std::string& path : outdated) {
    files_.erase(path);
    if (auto text = project.text_of(path)) texts[path] = std::make_shared<const std::string>(std::move(*text));
  }
  std::set<std::string> unread;
  for (auto& [key, file] : read_files(project, texts, stop)) {
    for (const std::string& import : file->imports) unread.insert(import);
    files_[key] = file;
  }
  std::erase_if(unread, [&](const std::string& path) { return files_.count(path) > 0; });
  return unread;
}

std::set<std::string> ProjectIndex::reachable(const std::set<std::string>& listed) const {
  std::set<std::string> all;
  std::vector<std::string> next(listed.begin(), listed.end());
  while (!next.empty()) {
    const std::string path = std::move(next.back());
    next.pop_back();
    const auto file = files_.find(path);
    if (file == files_.end() || !all.insert(path).second) continue;
    next.insert(next.end(), file->second->imports.begin(), file->second->imports.end());
  }
  return all;
}

void ProjectIndex::bring_up_to_date(const Project& project, const std::atomic<bool>& stop) {
  forget_if_elsewhere(project);
  const auto found = project.files(stop);
  const std::set<std::string> listed(found.begin(), found.end());
  std::set<std::string> paths = listed;
  for (const auto& [key, file] : files_) paths.insert(key);
  forget_if_manifests_differ(project, paths);
  std::set<std::string> outdated = changed(project, listed), whole, tried;
  outdated.merge(std::exchange(unread_, {}));
  spread(outdated);
  while (!outdated.empty() && files_.size() <= Project::most_files) {
    for (const std::string& path : outdated) {
      if (!groups_.count(path)) groups_[path] = reading_folder(project, path);
      if (!stamps_.count(path)) stamps_[path] = stamp_of(project, path);
    }
    add_groups(outdated, whole);
    tried.insert(outdated.begin(), outdated.end());
    std::set<std::string> next = read(project, outdated, stop);
    if (stop) unread_.insert(outdated.begin(), outdated.end());
    std::erase_if(next, [&](const std::string& path) { return tried.count(path) > 0; });
    for (const std::string& path : outdated) {  // its group may turn out to be read as a whole
      if (is_whole_group(groups_.at(path)) && whole.insert(groups_.at(path)).second) next.insert(path);
    }
    outdated = std::move(next);
  }
  const std::set<std::string> kept = reachable(listed);
  std::erase_if(files_, [&](const auto& one) { return kept.count(one.first) == 0; });
  std::erase_if(stamps_, [&](const auto& one) { return files_.count(one.first) == 0; });
}

IndexedFiles ProjectIndex::latest(const Project& project, double seconds) {
  const std::unique_lock lock(busy_, std::chrono::duration<double>(seconds));
  if (!lock) return {};  // it is being read
  const std::atomic<bool> stop = false;
  if (!is_built_) is_built_ = finishes_within(seconds, [&] { bring_up_to_date(project, stop); });
  return files_;
}

const IndexedFiles& ProjectIndex::files(const Project& project, const std::atomic<bool>& stop) {
  const std::lock_guard lock(busy_);
  try {
    bring_up_to_date(project, stop);
    is_built_ = !stop;
  } catch (const std::bad_alloc&) {
    files_.clear();
    throw;
  }
  return files_;
}

}  // namespace wave::editors
