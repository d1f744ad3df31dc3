// Blocks of strips on several threads: each follows the one before, all are done, and one that stops ends them all.
#include "backend/jit/strips/blocks.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <vector>

using wave::jit::strips::Blocks;

namespace {

constexpr std::int64_t steps = 200;

// Every block adds one to what the block before has left in the same place, a few steps behind it. Nothing but `wait`
// keeps threads from reading what is not written yet.
bool add_up(Blocks& blocks, std::vector<std::int64_t>& row, std::int64_t stop_at) {
  return blocks.run([&](int, std::int64_t block) {
    for (std::int64_t step = 0; step < steps; ++step) {
      if (block > 0 && !blocks.wait(block, block - 1, step + 3 < steps ? step + 3 : Blocks::all)) return false;
      if (block == stop_at && step == steps / 2) return false;
      std::int64_t& place = row[static_cast<std::size_t>(step)];
      if (place != block) return false;
      place = block + 1;
      blocks.reach(block, step + 1);
    }
    return true;
  });
}

}  // namespace

TEST_CASE("blocks of strips follow each other on any number of threads") {
  for (const int threads : {1, 2, 3, 7}) {
    for (const std::int64_t count : {0, 1, 5, 64}) {
      INFO(threads << " threads, " << count << " blocks");
      Blocks blocks(threads, count);
      std::vector<std::int64_t> row(steps, 0);
      CHECK(add_up(blocks, row, -1));
      CHECK(row == std::vector<std::int64_t>(steps, count));
      CHECK(blocks.threads() == threads);
    }
  }
}

TEST_CASE("a block that stops ends all that follow it") {
  for (const int threads : {1, 3}) {
    Blocks blocks(threads, 64);
    std::vector<std::int64_t> row(steps, 0);
    CHECK_FALSE(add_up(blocks, row, 20));
    CHECK(blocks.is_stopped());
    CHECK(row.front() > 20);
    CHECK(row.front() <= 20 + threads);
    // Those before it need not come to their ends either: two may be on their way, and wait for each other.
    CHECK(row.back() <= 20);
    CHECK(row.back() > 20 - threads);
  }
}
