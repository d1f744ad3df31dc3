// `wave.toml` and `wave.lock`, as texts: what a project is called, where its modules lie, what it needs of others, and
// what those were.
#pragma once

#include "frontend/project/version.h"
#include "frontend/source/diagnostics.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::frontend {

struct Dependency {
  std::string name;
  std::string path;  // relative to the project; empty: an installed package
  VersionRange range;
  std::string range_text;  // as written; empty if any version will do
  Location location;
};

struct Manifest {
  std::string name;
  Version version;
  int edition = 1;
  std::vector<std::string> folders;  // of modules, relative to the project
  std::vector<Dependency> dependencies;
  Location location;  // of the name
};

inline constexpr const char* manifest_name = "wave.toml";
inline constexpr const char* lock_name = "wave.lock";
inline constexpr std::size_t largest_manifest = std::size_t{1} << 20;

// Reads `wave.toml`, one of the sources. Nothing, with diagnostics, if there is something wrong with it.
std::optional<Manifest> read_manifest(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics);

// A dependency, direct or not, as it was.
struct Locked {
  std::string name, version, digest;
  Location location;
};

// Reads `wave.lock` likewise.
std::optional<std::vector<Locked>> read_lock(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics);
std::string write_lock(const std::vector<Locked>& locked);

}  // namespace wave::frontend
