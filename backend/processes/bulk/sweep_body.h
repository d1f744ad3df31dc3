// The body of a sweep once its sizes have selected their protocols: a straight line of additions and maxima over the
// registers of a process, with signals between neighbours. As a constraint system: every operation is an event on the
// space grid x tile, `await` a constraint with an offset in the grid, and a register that an earlier tile wrote one
// with offset -1 in the tile.
//
// Indices are turned so that the sweep comes from the low end of every axis: upwind is -1, downwind +1.
#pragma once

#include "backend/processes/bulk/sweep_record.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wave::backend::processes {

struct SweepBody {
  struct Operation {
    enum class Kind : std::uint8_t {
      add,    // target = target + w
      copy,   // target = source + w
      join,   // target = max(target, source + w)
      emit,   // signal = source + w; it goes to the process at `peer`
      await,  // target = max(target, signal + w); the signal is that of the process at `peer`, for the same tile
    } kind{};
    std::uint32_t target = 0, source = 0;  // registers
    std::uint32_t signal = 0;
    std::vector<std::uint32_t> weights;  // w is their sum; may be empty. -infinity is a weight: never the largest.
    // The operation happens only where the process at this distance is on the grid. One per axis; empty: always. Of a
    // signal: where it goes to (emit), where it comes from (await: the opposite of its emit's).
    std::vector<std::int8_t> peer;
    friend bool operator==(const Operation&, const Operation&) = default;
  };
  std::size_t axes = 0;
  // Registers 0 ... carried-1 keep their value from tile to tile; 0 is the clock. Others are written before they are
  // read.
  std::uint32_t registers = 1, carried = 1;
  std::uint32_t signals = 0;  // each has one emit and at most one await
  std::uint32_t weights = 0;
  std::vector<Operation> operations;
  friend bool operator==(const SweepBody&, const SweepBody&) = default;
};

// A body on actual extents.
struct SweepCall {
  std::vector<std::int64_t> extents;  // per axis, at least 1
  std::vector<bool> rising;           // per axis: false: the sweep comes from the high end
  std::int64_t tiles = 0;
  // Of the sweep that this is a part of, by which it is judged how the parts are evaluated; 0: this is all of it.
  std::int64_t tiles_of_sweep = 0;
  // At most one of the two pointers is set; neither: `value` everywhere. By process: row-major, the last axis fastest,
  // in the grid's own indices (not turned). By tile: from tile 1.
  struct Weight {
    double value = 0;
    const double* by_process = nullptr;
    const double* by_tile = nullptr;
  };
  std::vector<Weight> weights;
  // Per carried register its values by process (as above), before and after; null: -infinity before, dropped after.
  std::vector<double*> state;
  // Set: which of two times was the later is recorded there, for every join and await from which a register leads on
  // that is wanted after.
  SweepRecord* record = nullptr;
  // Asked every few milliseconds or more rarely; false: give up.
  std::function<bool()> go_on;
};

// Carries out the operations one after the other, process by process, tile by tile, each as soon as its signal is
// there. Kernels are compared with this. Signals of a tile stay in it. False if a signal never comes (a deadlock); the
// state is then as before.
bool run_directly(const SweepBody& body, const SweepCall& call);

// Compiled sweeps.
class SweepKernels {
 public:
  virtual ~SweepKernels() = default;
  enum class Outcome : std::uint8_t {
    done,
    not_possible,  // no order of evaluation that it knows; the state is as before
    stopped,       // `go_on` said so; the state is of no use
  };
  virtual Outcome run(const SweepBody& body, const SweepCall& call) = 0;
  // What a call needs, whatever its number of tiles: how many tiles are best evaluated together, how many bytes it
  // takes beside the state and the record, and how many the record takes for every tile.
  struct Needs {
    std::int64_t together = 1;
    double bytes = 0;
    double record = 0;
  };
  virtual Needs needs(const SweepBody&, const SweepCall&) { return {}; }
  // How the last run was ordered, for `--verbose`: "tiles in 8 lanes, 8 rows in registers, 2 tile + i + j".
  virtual std::string schedule() const = 0;
};

// By the definition.
class DirectSweeps final : public SweepKernels {
 public:
  Outcome run(const SweepBody& body, const SweepCall& call) override;
  Needs needs(const SweepBody& body, const SweepCall& call) override;
  std::string schedule() const override { return "tile by tile"; }
};

}  // namespace wave::backend::processes
