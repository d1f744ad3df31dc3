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

// What a version has that the one before did not, by Semantic Versioning: nothing, other contents, more for those who
// use it, or less. Before 1.0 the second number plays the first.
enum class Step { none, patch, minor, major };
std::string_view to_string(Step step);
// The first version that may have it.
Version next(const Version& before, Step step);
bool may_have(const Version& version, const Version& before, Step step);

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
