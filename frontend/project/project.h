// A project of models: where modules of its own and of its dependencies lie, and whether those are what they were.
// Nothing is fetched from anywhere.
#pragma once

#include "frontend/project/manifest.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wave::frontend {

struct Package {
  Manifest manifest;
  std::string root;                                 // its folder, as the user would write it
  std::map<std::string, std::size_t> dependencies;  // by name: which of the packages
};

// Whether the dependencies must be what `wave.lock` says, if there is one.
enum class Lock { kept, ignored };

class Project {
 public:
  // The project whose `wave.toml` lies in a folder, or in the nearest one above it. Null if there is none, or if it
  // cannot be used, which is reported. Its texts become sources.
  static std::unique_ptr<Project> find(const std::string& folder, Sources& sources, Diagnostics& diagnostics,
                                       Lock lock = Lock::kept);

  const Manifest& manifest() const { return packages_.front().manifest; }
  const std::string& root() const { return packages_.front().root; }
  // Where its own modules lie.
  std::vector<std::string> folders() const;

  // Where imported files may lie.
  std::vector<std::string> roots() const;
  // The files that an import may mean, `acme.machines.cluster` say, in a file of this folder.
  std::vector<std::string> candidates(const std::string& folder, const std::vector<std::string>& words) const;

  // The dependencies as they are now. Nothing, reported, if one is too large to look at.
  std::optional<std::vector<Locked>> locked(Diagnostics& diagnostics) const;
  // Where `wave.lock` lies, or would.
  std::string lock_path() const;

 private:
  bool add(const std::string& root, Sources& sources, Diagnostics& diagnostics);
  bool add_dependency(std::size_t of, const Dependency& dependency, Sources& sources, Diagnostics& diagnostics);
  bool check_lock(Sources& sources, Diagnostics& diagnostics) const;
  const Package& package_of(const std::string& folder) const;

  std::vector<Package> packages_;  // the project itself, then what it depends on, directly or not
};

// The folder of the nearest `wave.toml`, from a folder upwards; empty if there is none.
std::string project_folder(const std::string& folder);

}  // namespace wave::frontend
