// Sweeps from one corner each, one after the other, whose messages are served where they arrive: by an interface that
// the receiver has to itself, in the order of time. Messages leave in an order that is known, so what comes from one
// neighbour is a *stream* of ascending times. A process goes on as far as it can, tile after tile; its interface merges
// the streams of all neighbours, and serves a request once nothing earlier can come: every other stream has a later
// one, or its sender cannot send before that. The last is what a program takes that never waits (`earliest`).
//
// Nothing is guessed. Neighbours may be in other sweeps meanwhile, whose messages come first where they are earlier.
#pragma once

#include "backend/processes/bulk/plan_kernels.h"
#include "backend/processes/bulk/services.h"
#include "backend/processes/bulk/sweep_form.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace wave::backend::processes {

class StreamPiece;

class StreamedSweeps {
 public:
  struct Setting {
    const PlanGrid& grid;
    const SharedLevels& levels;
    const ir::System& system;
    CarriedTimes& times;
    Servers& servers;
    const std::function<void(std::int64_t bytes)>& claim;  // throws Failed
    const std::function<void()>& look_at_clock;            // throws Failed
  };
  explicit StreamedSweeps(Setting setting);

  // Puts tiles of a sweep behind the others. Refused where it is served in another way, or something stays pending.
  [[nodiscard]] bool add(std::shared_ptr<const SweepPiece> piece, const std::vector<bool>& rising);
  ~StreamedSweeps();
  StreamedSweeps(const StreamedSweeps&) = delete;
  bool empty() const { return pieces_.empty(); }
  bool is_long() const;
  // From the times as they are to those behind the tiles, of which none are left. Refused where messages of a neighbour
  // overtake each other, and where it takes too long to find out what comes first; then the times are of no use.
  [[nodiscard]] bool run();

 private:
  const Setting setting_;
  std::vector<std::unique_ptr<StreamPiece>> pieces_;
  std::vector<ResourceKey> kinds_;  // what serves
};

}  // namespace wave::backend::processes
