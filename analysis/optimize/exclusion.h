// Tells why nothing satisfies all constraints: one alone excludes every point, or two together do.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace wave::analysis {

class Exclusion {
 public:
  explicit Exclusion(std::size_t constraints)
      : met_with_(constraints, 0), none_(constraints == 0 ? 0 : (std::uint64_t{1} << constraints) - 1) {}

  // A point, or a box of which all points break these constraints.
  void add(std::uint64_t violated);
  // Constraints that each point breaks, of those that were added; nothing was: none.
  std::vector<std::size_t> alone() const;
  // The first two that no point satisfies both, where none does so alone.
  std::optional<std::pair<std::size_t, std::size_t>> pair() const;

 private:
  std::vector<std::uint64_t> met_with_;  // of each: what was satisfied along with it somewhere
  std::uint64_t none_;                   // broken everywhere
  bool has_any_ = false;
};

}  // namespace wave::analysis
