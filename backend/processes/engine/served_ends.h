// What a message of one size does where resources serve by time, as its steps are taken.
#pragma once

#include "backend/processes/engine/layout.h"
#include "backend/processes/engine/moment.h"
#include "backend/processes/program/ends.h"
#include "backend/processes/program/resource_instances.h"

#include <functional>
#include <memory>
#include <vector>

namespace wave::backend::processes::engine {

using SharedInstances = ResourceInstances<ServedMoment, std::less<>>;

// What a step asks for.
struct ServedUse {
  Number resource = none;                 // of all machines
  std::uint32_t instance = 0;             // of those that stand side by side
  SharedInstances::Kind* kind = nullptr;  // null: each process has one of it, with its other things
  double occupied = 0;                    // ps, on the quantum
};

struct ServedEnds {
  struct Step {
    ir::Step::Kind kind{};
    bool is_charged_later = false;     // busy: in the background, at the wait
    bool is_taken = false;             // emit: the other end takes the signal in on arrival
    bool is_watched = false;           // emit: a `sent` step of this end waits for it
    std::uint16_t slot = 0;            // await, sent: which of those of both ends
    std::int16_t place = 0;            // in its end
    std::uint16_t first = 0, end = 0;  // emit: of `targets`
    std::uint16_t next = 0, last = 0;  // what else the signal passes after `use`: of `passes`
    std::uint32_t signal = 0;
    // ps, on the quantum; acquire: for which it needs the processor.
    double time = 0;
    ServedUse use;  // of nothing: its resource is none
  };
  std::vector<Step> steps[2];          // by side
  std::vector<std::uint16_t> targets;  // steps of the other end that a signal reaches
  std::vector<ServedUse> passes;
  const ResolvedEnds* resolved = nullptr;
  bool is_charged[2] = {};  // in the background: is anything left to the wait?
  std::uint32_t protocol = 0;
  std::int64_t window = 0;  // 0: none
  // The least time from when an end comes to a step at which it may have waited, or asks for a resource, to when a
  // signal arrives at the other end.
  double lookahead = 0;

  std::size_t bytes() const;  // about

  // `find`: which resource that is. `is_at_once`: by its number, whether whoever asks for it is served at once. Null:
  // more steps than numbers.
  static std::unique_ptr<ServedEnds> make(const ResolvedEnds& resolved,
                                          const std::function<ServedUse(const ResolvedUse&)>& find,
                                          const std::vector<bool>& is_at_once);
};

}  // namespace wave::backend::processes::engine
