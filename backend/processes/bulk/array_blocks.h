// Where the processes of a block and their times stand.
#pragma once

#include "backend/processes/bulk/array_program.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace wave::backend::processes {

// Processes that follow each other, and where the times of the first stand among those of their block.
struct BlockSpan {
  std::int32_t begin = 0, end = 0, place = 0;
  std::int32_t count() const { return end - begin; }
};

// The processes of a group, block by block.
class GroupSpans {
 public:
  GroupSpans(const ArrayGroup& group, std::int32_t processes) : group_(group), processes_(processes) {
    if (group.units.empty()) return;
    place_of_unit_.resize(group.units.size());
    for (std::size_t block = 0; block + 1 < group.first_unit.size(); ++block) {
      std::int32_t place = 0;
      for (std::size_t i = group.first_unit[block]; i < group.first_unit[block + 1]; ++i, place += PeerMap::unit)
        place_of_unit_[static_cast<std::size_t>(group.units[i])] = place;
    }
  }
  std::size_t blocks() const {
    if (!group_.units.empty()) return group_.first_unit.size() - 1;
    return static_cast<std::size_t>((processes_ - 1) / group_.processes_of_block + 1);
  }
  void list(std::size_t block, std::vector<BlockSpan>& spans) const {
    spans.clear();
    if (group_.units.empty()) {
      const auto begin = static_cast<std::int32_t>(block) * group_.processes_of_block;
      spans.push_back({begin, std::min(processes_, begin + group_.processes_of_block), 0});
      return;
    }
    for (std::size_t i = group_.first_unit[block]; i < group_.first_unit[block + 1]; ++i) {
      const std::int32_t begin = group_.units[i] * PeerMap::unit, end = std::min(processes_, begin + PeerMap::unit);
      if (!spans.empty() && spans.back().end == begin)
        spans.back().end = end;
      else
        spans.push_back({begin, end, place(begin)});
    }
  }
  // Of a process in the block.
  std::int32_t place(std::int32_t process) const {
    return place_of_unit_[static_cast<std::size_t>(process / PeerMap::unit)] + process % PeerMap::unit;
  }

 private:
  const ArrayGroup& group_;
  std::int32_t processes_;
  std::vector<std::int32_t> place_of_unit_;
};

}  // namespace wave::backend::processes
