// See project.h.
#include "frontend/project/project.h"

#include "frontend/project/contents.h"
#include "frontend/source/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace wave::frontend {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_packages = 200;
constexpr int highest_climb = 64;

// The folders of installed packages, by the XDG Base Directory Specification.
std::vector<std::string> package_folders() {
  const auto variable = [](const char* name, const std::string& otherwise) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0' ? std::string(value) : otherwise;
  };
  std::vector<std::string> folders;
  const std::string home = variable("HOME", "");
  const std::string own = variable("XDG_DATA_HOME", home.empty() ? "" : home + "/.local/share");
  std::string all = own + ":" + variable("XDG_DATA_DIRS", "/usr/local/share:/usr/share");
  while (!all.empty()) {
    const std::size_t colon = std::min(all.find(':'), all.size());
    if (all.front() == '/') folders.push_back(join(all.substr(0, colon), "wave/packages"));
    all.erase(0, colon + 1);
  }
  return folders;
}

// As the user would write it.
std::string below(const std::string& folder, const std::string& path) {
  if (path == ".") return folder;
  return folder == "." ? path : join(folder, path);
}

std::string as_path(const std::vector<std::string>& words, std::size_t first) {
  std::string path;
  for (std::size_t i = first; i < words.size(); ++i) path += (path.empty() ? "" : "/") + words[i];
  return path + ".wave";
}

std::string unsuitable(const Manifest& found, const Dependency& wanted) {
  return fmt::format("`{}` is version {}, and `{}` is asked for", wanted.name, to_string(found.version),
                     wanted.range_text);
}

}  // namespace

std::string project_folder(const std::string& folder) {
  std::error_code error;
  fs::path at = fs::weakly_canonical(folder.empty() ? "." : folder, error);
  for (int i = 0; i < highest_climb && !error; ++i) {
    if (is_file((at / manifest_name).string())) return at.string();
    if (!at.has_parent_path() || at == at.parent_path()) break;
    at = at.parent_path();
  }
  return "";
}

std::unique_ptr<Project> Project::find(const std::string& folder, Sources& sources, Diagnostics& diagnostics,
                                       Lock lock) {
  std::string root = project_folder(folder);
  if (root.empty()) return nullptr;
  // As the user would name it, from here.
  std::error_code error;
  if (const fs::path near = fs::relative(root, error); !error && near.string().size() < root.size())
    root = near.string();
  auto project = std::make_unique<Project>();
  if (!project->add(root, sources, diagnostics)) return nullptr;
  for (std::size_t i = 0; i < project->packages_.size(); ++i) {
    const std::vector<Dependency> dependencies = project->packages_[i].manifest.dependencies;
    for (const Dependency& one : dependencies) {
      if (!project->add_dependency(i, one, sources, diagnostics)) return nullptr;
    }
  }
  const bool is_sound = lock == Lock::ignored || project->check_lock(sources, diagnostics);
  return is_sound ? std::move(project) : nullptr;
}

bool Project::add(const std::string& root, Sources& sources, Diagnostics& diagnostics) {
  const std::string path = below(root, manifest_name);
  const FileText file = read_plain_file(path, largest_manifest);
  if (!file.ok) {
    diagnostics.add(DiagnosticKind::bad_project, {}, fmt::format("cannot read `{}`: {}", path, file.text));
    return false;
  }
  auto manifest = read_manifest(sources, sources.add(path, file.text), diagnostics);
  if (!manifest) return false;
  packages_.push_back({std::move(*manifest), root, {}});
  return true;
}

bool Project::add_dependency(std::size_t of, const Dependency& dependency, Sources& sources, Diagnostics& diagnostics) {
  const auto trouble = [&](const std::string& message) -> Diagnostic& {
    return diagnostics.add(DiagnosticKind::bad_dependency, dependency.location, message, "asked for here");
  };
  std::vector<std::string> places;
  if (!dependency.path.empty()) {
    places.push_back(is_absolute(dependency.path)
                         ? dependency.path
                         : fs::path(join(packages_[of].root, dependency.path)).lexically_normal().string());
  } else {
    for (const std::string& folder : package_folders()) places.push_back(join(folder, dependency.name));
  }
  const auto has_manifest = [](const std::string& place) { return is_file(join(place, manifest_name)); };
  const auto found = std::find_if(places.begin(), places.end(), has_manifest);
  if (found == places.end()) {
    Diagnostic& d = trouble(fmt::format("there is no project `{}`", dependency.name));
    d.notes.push_back("searched: " + quoted_list(places));
    if (dependency.path.empty())
      d.help.push_back(
          fmt::format("`{0} = {{ path = \"...\" }}` says where it is; nothing is fetched", dependency.name));
    return false;
  }
  const auto same = [&](const Package& one) { return canonical(one.root) == canonical(*found); };
  auto known = std::find_if(packages_.begin(), packages_.end(), same);
  if (known == packages_.end()) {
    if (packages_.size() >= most_packages) {
      trouble(fmt::format("there are more than {} dependencies", most_packages));
      return false;
    }
    if (!add(*found, sources, diagnostics)) return false;
    known = packages_.end() - 1;
  }
  const auto other = [&](const Package& one) { return one.manifest.name == known->manifest.name; };
  if (std::count_if(packages_.begin(), packages_.end(), other) > 1) {
    trouble(fmt::format("there are two projects `{}`", known->manifest.name))
        .help.push_back("all that depend on it name the same folder");
    return false;
  }
  if (known->manifest.name != dependency.name) {
    trouble(fmt::format("`{}` is the project `{}`", *found, known->manifest.name))
        .help.push_back(fmt::format("name the dependency `{}`", known->manifest.name));
    return false;
  }
  if (!dependency.range.contains(known->manifest.version)) {
    trouble(unsuitable(known->manifest, dependency)).labels.push_back({known->manifest.location, "this one"});
    return false;
  }
  packages_[of].dependencies[dependency.name] = static_cast<std::size_t>(known - packages_.begin());
  return true;
}

// --- what it says of files ---

std::vector<std::string> Project::folders() const {
  std::vector<std::string> folders;
  for (const std::string& one : manifest().folders) folders.push_back(below(root(), one));
  return folders;
}

std::vector<std::string> Project::roots() const {
  std::vector<std::string> roots;
  for (const Package& one : packages_) roots.push_back(one.root);
  return roots;
}

// The one whose folder is the nearest above.
const Package& Project::package_of(const std::string& folder) const {
  const std::string path = canonical(folder.empty() ? "." : folder) + "/";
  const Package* nearest = &packages_.front();
  std::size_t longest = 0;
  for (const Package& one : packages_) {
    const std::string root = canonical(one.root) + "/";
    if (!path.starts_with(root) || root.size() < longest) continue;
    nearest = &one;
    longest = root.size();
  }
  return *nearest;
}

std::vector<std::string> Project::candidates(const std::string& folder, const std::vector<std::string>& words) const {
  std::vector<std::string> found;
  const auto add = [&](const Package& package, std::size_t first) {
    if (first == words.size()) return;
    for (const std::string& one : package.manifest.folders) {
      found.push_back(below(below(package.root, one), as_path(words, first)));
    }
  };
  const Package& package = package_of(folder);
  add(package, 0);
  if (words.front() == package.manifest.name) add(package, 1);
  if (const auto one = package.dependencies.find(words.front()); one != package.dependencies.end())
    add(packages_[one->second], 1);
  return found;
}

// --- the lock ---

std::string Project::lock_path() const { return below(packages_.front().root, lock_name); }

std::optional<std::vector<Locked>> Project::locked(Diagnostics& diagnostics) const {
  std::vector<Locked> all;
  for (std::size_t i = 1; i < packages_.size(); ++i) {
    const Package& one = packages_[i];
    const auto digest = digest_of_contents(one.root, one.manifest.folders);
    if (!digest) {
      diagnostics.add(DiagnosticKind::bad_dependency, one.manifest.location,
                      fmt::format("`{}` cannot be looked at as a whole: it is too large, or partly not to be read",
                                  one.manifest.name),
                      "this project");
      return std::nullopt;
    }
    all.push_back({one.manifest.name, to_string(one.manifest.version), *digest, {}});
  }
  const auto by_name = [](const Locked& a, const Locked& b) { return a.name < b.name; };
  std::sort(all.begin(), all.end(), by_name);
  return all;
}

bool Project::check_lock(Sources& sources, Diagnostics& diagnostics) const {
  if (packages_.size() == 1 || !is_file(lock_path())) return true;
  const FileText file = read_plain_file(lock_path(), largest_manifest);
  if (!file.ok) {
    diagnostics.add(DiagnosticKind::bad_project, {}, fmt::format("cannot read `{}`: {}", lock_path(), file.text));
    return false;
  }
  const std::uint32_t source = sources.add(lock_path(), file.text);
  const auto before = read_lock(sources, source, diagnostics);
  const auto now = before ? locked(diagnostics) : std::nullopt;
  if (!now) return false;
  bool is_same = true;
  for (const Locked& one : *now) {
    const auto named = [&](const Locked& other) { return other.name == one.name; };
    const auto found = std::find_if(before->begin(), before->end(), named);
    if (found != before->end() && found->digest == one.digest) continue;
    is_same = false;
    const bool is_new = found == before->end();
    Diagnostic& d =
        diagnostics.add(DiagnosticKind::changed_dependency, is_new ? Location{source, 0, 0} : found->location,
                        is_new ? fmt::format("the dependency `{}` is not in `{}`", one.name, lock_path())
                               : fmt::format("the dependency `{}` has changed since it was locked", one.name),
                        is_new ? "" : fmt::format("version {} then", found->version));
    if (!is_new && found->version != one.version) d.notes.push_back(fmt::format("it is version {} now", one.version));
    d.help.push_back("look at what is different; `wave lock` takes it as it is now");
  }
  return is_same;
}

}  // namespace wave::frontend
