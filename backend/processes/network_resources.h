// The resources of the processes of a network, and when each is free. Part of network_core.h.
#pragma once

#include "backend/processes/network_control.h"
#include "backend/processes/network_moments.h"
#include "backend/processes/shared_levels.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <vector>

namespace wave::backend::processes::network {

template <class Times>
class Resources {
 public:
  using Moment = network::Moment<Times>;

  // `claim`: bytes.
  Resources(const NetworkInput& input, std::function<void(std::size_t)> claim)
      : input_(input), claim_(std::move(claim)) {}

  // When what this process asks for is free: of several servers, that of the one which is free first.
  Moment& free(ir::EndsId machine, const ResolvedUse& use, Number process) {
    Kind& kind = kinds_[{machine, use.resource}];
    if (kind.free.empty()) set_up(kind, machine, use.resource);
    const std::size_t group = kind.groups ? kind.groups->of[process] : process;
    const auto number = static_cast<std::size_t>(use.number);
    const auto first = kind.free.begin() + static_cast<std::ptrdiff_t>((group * kind.count + number) * kind.servers);
    if (kind.servers == 1) return *first;
    return *std::min_element(first, first + static_cast<std::ptrdiff_t>(kind.servers),
                             [](const Moment& a, const Moment& b) { return at(a) < at(b); });
  }

 private:
  struct Kind {
    const SharedLevels::Groups* groups = nullptr;  // null: of each process
    std::size_t count = 1, servers = 1;
    std::vector<Moment> free;  // by group, number, server
  };

  void set_up(Kind& kind, ir::EndsId machine, std::uint32_t number) {
    const ir::MessageEnds& ends = input_.scalars.system()[machine];
    const ir::Resource& resource = ends.resources[number];
    const EndsResolver::Instances instances = input_.resolver.instances(machine, number);
    kind.count = static_cast<std::size_t>(instances.count);
    kind.servers = static_cast<std::size_t>(instances.servers);
    if (resource.level) kind.groups = input_.levels.find(ends.levels[*resource.level].number);
    const auto groups = kind.groups ? std::size_t{kind.groups->count} : static_cast<std::size_t>(input_.places.count());
    const double all =
        static_cast<double>(groups) * static_cast<double>(kind.count) * static_cast<double>(kind.servers);
    constexpr auto too_many = static_cast<double>(std::numeric_limits<std::int64_t>::max() / 1024);
    claim_(static_cast<std::size_t>(std::min(all, too_many)) * sizeof(Moment));
    kind.free.resize(groups * kind.count * kind.servers);
  }

  const NetworkInput& input_;
  std::function<void(std::size_t)> claim_;
  std::map<ResourceKey, Kind> kinds_;
};

}  // namespace wave::backend::processes::network
