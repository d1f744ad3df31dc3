// One evaluation of a group in strips: tables, rows between strips, whole planes where something reads them, and what
// is kept of the rest.
#pragma once

#include "backend/jit/group.h"
#include "backend/jit/lanes/strip_code.h"
#include "backend/jit/strips/blocks.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wave::jit::lanes {

enum class StripOutcome {
  done,
  failed,     // a limit was exceeded
  abandoned,  // something is better left to scalar code: `reason`
};

class StripEvaluation {
 public:
  StripEvaluation(Run& run, GroupIndex number, Group& group, double quantum,
                  std::function<Status(double done, double all)> in_time);
  ~StripEvaluation();

  // Where it is abandoned the group is as it was before.
  StripOutcome evaluate();
  const std::string& reason() const { return reason_; }
  std::string text() const;  // "8 lanes, 16 vectors, skew 1"

 private:
  struct Worker;
  struct Interval {
    std::int64_t from, to;
  };

  bool choose_shape(bool cellwise);
  bool find_sources();
  bool claim(double words);      // false: that would be more than the limit
  Words allocate(double words);  // claimed; null: there is none
  bool reserve();
  StripOutcome attempt(bool cellwise, bool strict);
  bool fill_tables();
  bool fill(bool periodic, std::vector<std::vector<Word>>& raw);
  bool find_periods(const std::vector<std::vector<Word>>& raw);
  void count_quanta(std::vector<Word>& weights) const;
  bool spread_periodic(std::uint32_t number, const std::vector<Word>& raw);
  bool spread(std::uint32_t number, const std::vector<Word>& raw);
  void find_edges(bool strict);
  StripOutcome run_blocks();

  bool prepare(Worker& worker);
  bool run_block(Worker& worker, std::int64_t block);
  bool run_plane(Worker& worker, std::int64_t plane);
  void begin_plane(Worker& worker, std::int64_t plane);
  bool look_at_clock(Worker& worker, std::int64_t steps);
  std::int64_t progress(std::int64_t plane, std::int64_t steps) const;
  bool run_steps(Worker& worker, std::int64_t from, std::int64_t to, bool steady, bool wanted);
  Interval steady_steps(std::int64_t plane, std::int64_t strip) const;
  bool wait_for(const Worker& worker, std::int64_t last_step) const;
  Word* stored(const Worker& worker, std::uint32_t event, std::int64_t plane) const;
  bool reserve_rows(std::int32_t most_steps, std::int32_t most_rows);
  bool may_be_in_place(std::size_t event) const;
  std::int64_t path_outside() const;
  Word absent() const;               // where there is no cell
  std::int64_t state_words() const;  // of a plane: the steps before
  void choose_threads();

  // strip_kept.cpp
  std::vector<Interval> wanted_steps(std::int64_t plane, std::int64_t strip) const;
  void keep(Worker& worker, std::int64_t from, std::int64_t to);
  void keep_box(const Worker& worker, std::uint32_t event, KeptBox& box, std::int64_t from, std::int64_t to) const;
  void publish();
  std::int64_t turned(std::uint32_t axis, std::int64_t index) const;
  std::int64_t unturned(std::uint32_t axis, std::int64_t coordinate) const;
  std::int64_t extent(std::uint32_t axis) const { return group_.last[axis] - group_.first[axis] + 1; }

  Run& run_;
  GroupIndex number_;
  Group& group_;
  const double quantum_;
  const std::function<Status(double, double)> in_time_;
  const ir::System& system_;
  const Layout& layout_;
  const StripPlan& plan_;
  const ir::EventGroup& events_;
  const std::uint32_t rank_;
  const StripTables* tables_ = nullptr;
  StripCode code_;
  StripShape shape_;
  StripExtents extents_;
  std::string reason_;

  struct Source {  // a neighbour that is not near
    const StripNeighbour* neighbour;
    Word* base = nullptr;     // of another group: plane 0, strip 0, step 0
    std::uint32_t event = 0;  // of this one
  };
  std::vector<Source> sources_;
  struct Storage {           // of an event's values on planes
    std::int64_t slots = 0;  // 0: none; all planes, or as many as are looked back at and the present one
    bool all = false;
    bool of_strip = false;  // every thread has its own, of the strip that it is at
    Words words;
    Word* base = nullptr;
  };
  std::vector<Storage> storage_;
  // A strip goes through many planes before the next: what is looked back at stays in a cache. Otherwise plane by
  // plane.
  bool strip_by_strip_ = true;
  std::int64_t pad_words_ = 0;
  std::int64_t row_period_ = 1, column_period_ = 1;
  bool periods_too_long_ = false;
  std::vector<std::vector<Word>> table_values_;  // once and per plane: raw
  struct Table {
    Words words;
    Word* base = nullptr;
  };
  std::vector<Table> table_;
  // Rows between strips, per event: the last rows of block u are in buffer u % row_buffers_, plane by plane, and what
  // is above the first strip, where nothing is. One more than there are threads: what block u overwrites was looked at
  // by a block of its own thread.
  std::int64_t row_buffers_ = 1;
  std::int64_t row_words_ = 0, row_pad_ = 0, plane_rows_words_ = 0, block_rows_words_ = 0;
  std::vector<Word*> rows_;
  Words row_memory_;
  Word* absent_rows_ = nullptr;
  std::int64_t planes_ = 1;
  std::int64_t block_count_ = 0;  // of what a thread evaluates without another: a strip of all planes, or of one
  std::optional<strips::Blocks> blocks_;
  int threads_ = 1;
  std::size_t bytes_ = 0;
  std::int64_t scratch_steps_ = 0, chunk_steps_ = 0;
  // How far from the edges of the space every neighbour is there.
  std::int32_t least_row_ = 0, most_row_ = 0, least_column_ = 0, most_column_ = 0, least_plane_ = 0, most_plane_ = 0;
  struct Uncovered {  // tolerant: cells of an event that may have nothing above or before them
    std::int64_t rows, columns;
  };
  std::vector<Uncovered> uncovered_;
  bool tolerant_ = false;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::atomic<bool> bad_{false};
  Status limit_ = done;
};

}  // namespace wave::jit::lanes
