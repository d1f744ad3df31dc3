// What a message of one size does where resources serve by time, as its steps are taken.
#pragma once

#include "backend/processes/compiled/layout.h"
#include "backend/processes/resolved_ends.h"

#include <functional>
#include <memory>
#include <vector>

namespace wave::backend::processes::compiled {

struct ServedEnds {
  struct Step {
    ir::Step::Kind kind{};
    bool is_charged_later = false;     // busy: in the background, at the wait
    bool is_taken = false;             // emit: the other end takes the signal in on arrival
    std::uint16_t slot = 0;            // await: which of those of both ends
    std::int16_t place = 0;            // in its end
    std::uint16_t first = 0, end = 0;  // emit: of `targets`
    Number resource = none;            // of all machines
    std::uint32_t signal = 0;
    // ps, on the quantum; acquire: for which it needs the processor.
    double time = 0;
    double occupied = 0;  // ps, on the quantum
  };
  std::vector<Step> steps[2];          // by side
  std::vector<std::uint16_t> targets;  // steps of the other end that a signal reaches
  bool is_charged[2] = {};             // in the background: is anything left to the wait?
  std::uint32_t protocol = 0;
  std::int64_t window = 0;  // 0: none
  // The least time from when an end comes to a step at which it may have waited, or asks for a resource, to when a
  // signal arrives at the other end.
  double lookahead = 0;

  // `number_of`: of a machine's resource among those of all. `is_at_once`: by that number, whether whoever asks for it
  // is served at once. Null: more steps than numbers.
  static std::unique_ptr<ServedEnds> make(const ResolvedEnds& resolved,
                                          const std::function<Number(std::uint32_t)>& number_of,
                                          const std::vector<bool>& is_at_once);
};

}  // namespace wave::backend::processes::compiled
