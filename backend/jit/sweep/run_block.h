// A block of tiles, strip by strip. One thread runs one at a time, and follows the block before. Strips are not cut
// into steps as those of recurrences are (backend/jit/lanes/strip_blocks.cpp): how long a process takes is known
// beforehand.
#pragma once

#include "backend/jit/strips/blocks.h"
#include "backend/jit/sweep/extents.h"
#include "backend/jit/sweep/plan.h"
#include "backend/processes/bulk/sweep_body.h"
#include "base/large_array.h"

namespace wave::jit::sweep {

// Null: not needed (which_strips).
struct Strips {
  int lanes = 0;
  int rows = 0, border_rows = 0;
  StripFunction full = nullptr, ragged = nullptr;  // of inner rows, where every lane holds a tile or some do not
  StripFunction border = nullptr;                  // of rows near the borders
};

// What the threads of a run share.
struct Run {
  const Plan& plan;
  const Strips& strips;
  const CallExtents& grid;
  const StepExtents& steps;
  const backend::processes::SweepCall& call;
  // Per Plan::events.carried its values by process. Blocks share them: an `earlier` lags no more than the last value of
  // its register, so what the last tile of a block stores has been read before.
  std::vector<double*> states;
  strips::Blocks blocks;  // of tiles
};

class BlockRun {
 public:
  BlockRun(Run& run, bool asks_to_go_on);
  // Tiles block * lanes, ... False: stopped.
  bool run(std::int64_t block);

 private:
  std::int64_t& word(std::uint32_t index) { return words_[index]; }
  double* allocate(std::int64_t doubles);
  void prepare_buffers();
  void point_to_states();
  void load_tile_weights(std::int64_t tile);
  bool run_plane(std::int64_t plane);
  bool is_inner(std::size_t axis, std::int64_t first, std::int64_t last) const;
  void choose_columns(std::int64_t plane, std::int64_t place, std::int64_t rows);
  void swap_edges();
  void turn_planes();
  bool may_go_on(int rows);
  // Rises with every strip; more than any row of one plane is a row of the next.
  std::int64_t progress(std::int64_t plane, std::int64_t row) const { return plane * plane_span_ + row; }

  Run& run_;
  const bool asks_;
  const Arguments layout_;
  const std::int64_t lanes_, plane_span_;
  std::int64_t block_ = 0, last_lane_ = 0;
  std::array<Lag, 3> lag_{}, place_lag_{};  // in steps and in places
  double evaluated_ = 0;                    // blocks since it was asked whether to go on
  double nowhere_ = 0;
  std::vector<std::int64_t> words_;
  std::vector<double> given_, tile_weights_;
  std::vector<LargeArray<double>> buffers_;
};

}  // namespace wave::jit::sweep
