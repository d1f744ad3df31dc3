// Fixes the offsets of definitions, parameters and groups in their frames' records.
#include "backend/jit/layout.h"

#include "backend/jit/structure.h"

namespace wave::jit {

namespace {

constexpr std::uint32_t word = 8;

std::uint32_t whole_words(std::uint32_t bytes) { return (bytes + word - 1) / word * word; }

std::vector<std::vector<ir::Hoisted>> hoisted_of(const ir::System& system, const std::vector<ir::EventGroup>& groups) {
  std::vector<std::vector<ir::Hoisted>> result;
  const ir::FreeBinders binders(system);
  for (const ir::EventGroup& group : groups) result.push_back(ir::hoisted(system, group, binders));
  return result;
}

}  // namespace

Layout::Layout(const ir::System& system)
    : system(system),
      shared(system),
      groups(ir::event_groups(system)),
      hoisted(hoisted_of(system, groups)),
      frames(system.frames.size()),
      state_offset(system.definitions.size()),
      value_offset(system.definitions.size()),
      parameter_offset(system.parameters.size()),
      group_of(system.events.size()),
      position(system.events.size()) {
  for (const ir::EventGroup& group : groups) schedules.push_back(ir::schedule(system, group));
  strips = lanes::plan_all_strips(system, groups, schedules);
  for (GroupIndex g = 0; g < groups.size(); ++g) {
    for (std::uint32_t i = 0; i < groups[g].events.size(); ++i) {
      group_of[groups[g].events[i].index] = g;
      position[groups[g].events[i].index] = i;
    }
  }
  std::vector<std::vector<std::uint32_t>> definitions(frames.size()), parameters(frames.size());
  for (std::uint32_t i = 0; i < system.definitions.size(); ++i) {
    definitions[system.definitions[i].frame.index].push_back(i);
  }
  for (std::uint32_t i = 0; i < system.parameters.size(); ++i) {
    parameters[system.parameters[i].frame.index].push_back(i);
  }
  for (std::uint32_t f = 0; f < frames.size(); ++f) {
    const bool is_root = f == ir::System::root_frame.index;
    std::uint32_t offset = group_offset(is_root ? static_cast<GroupIndex>(groups.size()) : 0);
    for (const std::uint32_t d : definitions[f]) state_offset[d] = offset++;
    const std::vector<ir::ValueId> shared_here = shared.met_in(ir::FrameId{f});
    for (const ir::ValueId value : shared_here) frames[f].shared[value].state = offset++;
    offset = whole_words(offset);
    frames[f].cleared_bytes = offset - word;
    for (const std::uint32_t p : parameters[f]) parameter_offset[p] = offset, offset += word;
    for (const std::uint32_t d : definitions[f]) value_offset[d] = offset, offset += word;
    for (const ir::ValueId value : shared_here) frames[f].shared[value].value = offset, offset += word;
    frames[f].size = offset;
  }
}

}  // namespace wave::jit
