// Collectives that are costs: all processes of the grid, or of a line of it, come to one before any leaves it, or only
// the root waits, or only for the root.
#pragma once

#include "backend/processes/engine/layout.h"
#include "backend/processes/engine/moment.h"
#include "backend/processes/engine/recording.h"
#include "backend/processes/program/input.h"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace wave::backend::processes::engine {

class Gatherings {
 public:
  struct Gathering {
    std::uint64_t arrived = 0, left = 0;
    ServedMoment last{}, root{};  // when they came
    Recording::Last recorded = {};
    bool has_root = false;
    std::vector<Number> waiting;
  };

  // `recording`: null, nothing is recorded. `claim`: bytes; throws.
  Gatherings(const ProgramInput& input, Recording* recording, std::function<void(std::int64_t)> claim)
      : input_(input), recording_(recording), claim_(std::move(claim)) {}

  // The process, whose coordinates these are, is at its next one, and comes to it unless it has before. Those for whom
  // that was the last to wait for are woken. `again`: it has to wait; `pays`: it leaves at a cost; `goes_on`: it
  // leaves.
  Outcome come(Standing& me, const std::int64_t* coordinates, const ir::Collective& collective, const ServedMoment& now,
               const std::function<void(Number)>& wake);
  // Where the process is.
  Gathering& at(const Standing& me, const std::int64_t* coordinates, const ir::Collective& collective) {
    return all_[part(me, coordinates, collective).key];
  }
  void leave(Standing& me, const std::int64_t* coordinates, const ir::Collective& collective);
  // The first participant that has not come to the collective at which the process stands; none: all have.
  Number missing(const Standing& me, const std::int64_t* coordinates, const ir::Collective& collective,
                 const std::function<Standing&(Number)>& standing) const;

 private:
  // `key` has the first participant, the root; they lie `stride` apart.
  struct Part {
    Recording::GatheringKey key;
    std::uint64_t participants = 0, stride = 1;
    bool is_root = false;
  };
  Part part(const Standing& me, const std::int64_t* coordinates, const ir::Collective& collective) const;

  const ProgramInput& input_;
  Recording* const recording_;
  const std::function<void(std::int64_t)> claim_;
  std::map<Recording::GatheringKey, Gathering> all_;
  std::size_t claimed_ = 0;  // entries
};

}  // namespace wave::backend::processes::engine
