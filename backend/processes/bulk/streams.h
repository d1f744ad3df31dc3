// Sweeps from one corner each, one after the other, whose messages are served in the order of time where they arrive or
// before they leave, by an interface of the process or by those that a group of processes shares. Messages leave in an
// order that is known, so what comes from one neighbour is a *stream* of ascending times, and so are the requests of
// one program. A process goes on as far as it can, tile after tile. An interface merges the streams of all who share
// it, and serves a request once nothing earlier can come: every other stream has a later one, or its sender cannot send
// before that. The last is when the sender's program would send if it never waited (`earliest`). What is sent behind a
// request enters its receiver's stream when that is served.
//
// Neighbours may be in other sweeps meanwhile, whose messages come first where they are earlier. Whether requests were
// served in the order of their stamps is verified.
#pragma once

#include "backend/processes/bulk/plan_kernels.h"
#include "backend/processes/bulk/services.h"
#include "backend/processes/bulk/sweep_form.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace wave::backend::processes {

class StreamPiece;
struct StreamKind;

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

  // Puts tiles of a sweep behind the others. Refused where it is served in another way, where something stays pending,
  // and where there are too many.
  [[nodiscard]] bool add(const std::shared_ptr<const SweepPiece>& piece, const std::vector<bool>& rising);
  ~StreamedSweeps();
  StreamedSweeps(const StreamedSweeps&) = delete;
  bool empty() const { return pieces_.empty(); }
  // From the times as they are to those behind the tiles, of which none are left. Refused where messages of a neighbour
  // overtake each other, where resources are shared in several ways, and where it takes too long to find out what comes
  // first; then the times are of no use.
  [[nodiscard]] bool run();

 private:
  [[nodiscard]] bool run_pieces();
  void forget();

  const Setting setting_;
  std::vector<std::shared_ptr<StreamPiece>> pieces_;
  std::map<std::pair<const SweepPiece*, std::vector<bool>>, std::shared_ptr<StreamPiece>> known_;
  std::size_t operations_ = 0;  // of those that are known
  std::vector<StreamKind> kinds_;
};

}  // namespace wave::backend::processes
