// Versions of projects (semver.org, without pre-releases) and which of them suit a project that depends on another.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wave::frontend {

struct Version {
  std::uint32_t major = 0, minor = 0, patch = 0;
  auto operator<=>(const Version&) const = default;
};

// "1.2.3".
std::optional<Version> parse_version(std::string_view text);
std::string to_string(const Version& version);

// Versions from one to below another.
class VersionRange {
 public:
  // All of them.
  VersionRange() = default;
  // "1.2": what is compatible with 1.2.0, so below 2.0.0 (below 0.3.0 for "0.2"); "~1.2": 1.2 alone; "=1.2.3";
  // ">=1.0, <1.5"; "*".
  static std::optional<VersionRange> parse(std::string_view text);

  bool contains(const Version& version) const;

 private:
  bool narrow(std::string_view condition);

  Version from_;
  std::optional<Version> below_;
};

}  // namespace wave::frontend
