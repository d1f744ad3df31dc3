// The resources that processes have by themselves or share, and when each of their servers is free.
#pragma once

#include "backend/processes/program/input.h"
#include "backend/processes/program/shared_levels.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace wave::backend::processes {

// `Before`: whether one moment comes before another.
template <class Moment, class Before>
class ResourceInstances {
 public:
  // All of one resource.
  class Kind {
   public:
    // What serves a process, and when it is free.
    struct Server {
      std::uint32_t group, number;
      Moment& free;
    };
    // Those who share it; each process by itself where nobody does.
    std::uint32_t group_of(std::uint32_t process) const { return groups_ ? groups_->of[process] : process; }
    std::size_t groups() const { return free_.size() / (count_ * servers_); }
    // Those of the first that stand side by side in a group.
    std::span<Moment> servers_of(std::size_t group) { return {free_.data() + group * count_ * servers_, servers_}; }
    const std::vector<Moment>& free() const { return free_; }
    // By the number of what it asks for among those that stand side by side: of several servers, the one which is free
    // first.
    Server find(std::int64_t number, std::uint32_t process) {
      const std::uint32_t group = group_of(process);
      Moment* const first = free_.data() + (group * count_ + static_cast<std::size_t>(number)) * servers_;
      if (servers_ == 1) return {group, 0, *first};
      Moment* const found = std::min_element(first, first + servers_, Before{});
      return {group, static_cast<std::uint32_t>(found - first), *found};
    }

   private:
    friend class ResourceInstances;
    const SharedLevels::Groups* groups_ = nullptr;  // null: of each process
    std::size_t count_ = 1, servers_ = 1;
    std::vector<Moment> free_;  // by group, number, server
  };

  // `claim`: bytes.
  ResourceInstances(const ProgramInput& input, std::function<void(std::int64_t)> claim)
      : input_(input), claim_(std::move(claim)) {}

  // Stays where it is. `resource`: of MessageEnds::resources. Throws what `claim` throws.
  Kind& find(ir::EndsId machine, std::uint32_t resource) {
    Kind& kind = kinds_[{machine, resource}];
    if (kind.free_.empty()) set_up(kind, machine, resource);
    return kind;
  }

 private:
  void set_up(Kind& kind, ir::EndsId machine, std::uint32_t number) {
    const EndsResolver::Instances instances = input_.resolver.instances(machine, number);
    kind.count_ = static_cast<std::size_t>(instances.count);
    kind.servers_ = static_cast<std::size_t>(instances.servers);
    kind.groups_ = input_.levels.sharers(input_.scalars.system()[machine], number);
    const auto groups =
        kind.groups_ ? std::size_t{kind.groups_->count} : static_cast<std::size_t>(input_.places.count());
    const double all =
        static_cast<double>(groups) * static_cast<double>(kind.count_) * static_cast<double>(kind.servers_);
    constexpr auto too_many = static_cast<double>(std::numeric_limits<std::int64_t>::max() / 1024);
    claim_(static_cast<std::int64_t>(std::min(all, too_many)) * static_cast<std::int64_t>(sizeof(Moment)));
    kind.free_.resize(groups * kind.count_ * kind.servers_);
  }

  const ProgramInput& input_;
  std::function<void(std::int64_t)> claim_;
  std::map<std::pair<ir::EndsId, std::uint32_t>, Kind> kinds_;
};

}  // namespace wave::backend::processes
