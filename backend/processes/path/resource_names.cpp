// See resource_names.h.
#include "backend/processes/path/resource_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::backend::processes {

namespace {

std::string level_name(const ir::System& system, const ResourceKey& key) {
  const std::optional<std::uint32_t> level = resource_of(system, key).level;
  return level ? system[key.first].levels[*level].name : "process";
}

// With its machine where it takes that to tell it from others.
std::string short_name(const ir::System& system, const ResourceKey& key) {
  const ir::MessageEnds& machine = system[key.first];
  const ir::Resource& resource = resource_of(system, key);
  const std::string level = level_name(system, key);
  for (std::uint32_t other = 0; other < system.ends.size(); ++other) {
    const ir::MessageEnds& of = system.ends[other];
    if (of.name == machine.name) continue;
    for (std::uint32_t number = 0; number < of.resources.size(); ++number) {
      if (of.resources[number].name == resource.name && level_name(system, {ir::EndsId{other}, number}) == level)
        return machine.name + "." + resource.name;
    }
  }
  return resource.name;
}

}  // namespace

std::string resource_name(const ir::System& system, const ResourceKey& key) {
  return short_name(system, key) + " of " + level_name(system, key);
}

std::string process_name(const ProgramInput& input, std::int64_t rank) {
  const std::string& grid = input.scalars.system()[input.process.space].name;
  return fmt::format("{}[{}]", grid, fmt::join(input.places.point(rank), ", "));
}

std::string instance_name(const ProgramInput& input, const ResourceInstance& instance) {
  const ir::System& system = input.scalars.system();
  const ir::Resource& resource = resource_of(system, instance.resource);
  std::string name = short_name(system, instance.resource);
  if (resource.count.valid()) name += fmt::format("[{}]", instance.number);
  const auto& [machine, number] = instance.resource;
  if (input.levels.sharers(system[machine], number))
    return fmt::format("{} of {} {}", name, level_name(system, instance.resource), instance.group);
  return name + " of " + process_name(input, instance.group);
}

}  // namespace wave::backend::processes
