// Neighbours that are run together until none of them can go on, so that they stay in a cache, and which block of them
// is next. On several threads a channel is looked at by one of them at a time: blocks that share channels are not run
// at once.
#pragma once

#include "backend/processes/engine/channels.h"
#include "backend/processes/engine/layout.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace wave::backend::processes::engine {

class Blocks {
 public:
  struct Block {
    Number first = none, last = none;  // processes that can go on
    Number queued = 0;                 // how many
    bool is_queued = false;
    std::vector<Number> rows;  // where its processes lie: the first of each row of them
    // On several threads.
    std::vector<Number> neighbours;  // other blocks with which it shares channels
    Number busy = 0;                 // of these, those that are being run
  };

  // With an edge of about the same length along every axis, and about so many processes.
  Blocks(const std::vector<std::int64_t>& extents, const std::vector<bool>& wrap, double processes);
  // Where its processes stand: the first one of all, and bytes from one to the next.
  void set_places(std::byte* first, std::size_t stride) {
    first_ = first;
    stride_ = stride;
  }
  // The process becomes one of its block.
  void place(Standing& process, const std::int64_t* coordinates);
  // Which blocks share channels of these kinds, all of them by offsets along the axes.
  void connect(const std::vector<ChannelKey>& kinds);

  std::size_t count() const { return blocks_.size(); }
  std::int64_t row() const { return row_; }  // processes in a row of a block, at most
  Block& operator[](Number block) { return blocks_[block]; }
  // A process can go on. Its block is the caller's, or nobody else is about.
  void add(Standing& process) {
    if (process.is_queued) return;
    process.is_queued = true;
    Block& block = blocks_[process.block];
    (block.first == none ? block.first : standing(block.last).next) = process.rank;
    block.last = process.rank;
    ++block.queued;
    if (block.is_queued) return;
    block.is_queued = true;
    queue_.push_back(process.block);
  }
  Standing& take_first(Block& block) {
    Standing& process = standing(block.first);
    block.first = std::exchange(process.next, none);
    --block.queued;
    process.is_queued = false;
    return process;
  }

  // --- by each of several threads ---
  // Forgets that it was stopped.
  void start() { is_stopped_ = false; }
  // The next block to run, which is the caller's until it gives it back; none: there will be no more. `may_leave`: also
  // none where so little is done of a block at a time that one thread is quicker.
  Number take(bool may_leave);
  // Behind so many turns of its processes. `woken`: processes of its neighbours that can go on.
  void give_back(Number block, std::uint32_t turns, std::span<Standing* const> woken);
  // Nobody takes another one.
  void stop();

 private:
  Standing& standing(Number rank) { return *reinterpret_cast<Standing*>(first_ + rank * stride_); }

  const std::vector<std::int64_t> extents_;
  const std::vector<bool> wrap_;
  std::vector<std::int64_t> edge_, blocks_along_;  // by axis
  std::int64_t row_ = 1;
  std::vector<Block> blocks_;
  std::byte* first_ = nullptr;
  std::size_t stride_ = 0;
  std::mutex mutex_;
  std::condition_variable is_changed_;
  std::deque<Number> queue_;
  std::size_t running_ = 0;
  std::uint64_t taken_ = 0, turns_ = 0;
  bool is_stopped_ = false;
};

}  // namespace wave::backend::processes::engine
