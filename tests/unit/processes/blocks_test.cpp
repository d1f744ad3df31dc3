// Which processes are run at the same time, on several threads.
#include "backend/processes/engine/blocks.h"

#include "backend/threads.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

using namespace wave::backend::processes::engine;

namespace {

// A grid of processes in blocks, and who sends to whom.
struct Grid {
  std::vector<std::int64_t> extents;
  std::vector<bool> wrap;
  std::vector<ChannelKey> kinds;
  std::vector<Standing> processes;

  explicit Grid(std::mt19937_64& random) {
    const std::size_t axes = 1 + random() % 3;
    std::size_t count = 1;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      extents.push_back(static_cast<std::int64_t>(1 + random() % (axes == 3 ? 6 : 12)));
      wrap.push_back(random() % 2 == 0);
      count *= static_cast<std::size_t>(extents.back());
    }
    for (std::size_t kind = random() % 4; kind-- > 0;) {
      kinds.push_back({0, 0, by_offset});
      for (std::size_t axis = 0; axis < axes; ++axis)
        kinds.back().push_back(random() % 20 == 0 ? INT64_MIN : static_cast<std::int64_t>(random() % 7) - 3);
    }
    processes.resize(count);
  }
  std::vector<std::int64_t> coordinates(std::size_t rank) const {
    std::vector<std::int64_t> point(extents.size());
    for (std::size_t axis = extents.size(); axis-- > 0;) {
      const auto extent = static_cast<std::size_t>(extents[axis]);
      point[axis] = static_cast<std::int64_t>(rank % extent) + 1;
      rank /= extent;
    }
    return point;
  }
  // -1: there is none.
  std::int64_t receiver(std::size_t sender, const ChannelKey& kind) const {
    const std::vector<std::int64_t> point = coordinates(sender);
    std::int64_t rank = 0;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
      std::int64_t at = kind[3 + axis];
      if (wrap[axis]) at %= extents[axis];
      if (at < -extents[axis] || at > extents[axis]) return -1;
      at += point[axis] - 1;
      if (wrap[axis]) at = (at + extents[axis]) % extents[axis];
      if (at < 0 || at >= extents[axis]) return -1;
      rank = rank * extents[axis] + at;
    }
    return rank;
  }
  void set_up(Blocks& blocks) {
    blocks.set_places(reinterpret_cast<std::byte*>(processes.data()), sizeof(Standing));
    for (std::size_t rank = 0; rank < processes.size(); ++rank) {
      processes[rank].rank = static_cast<Number>(rank);
      blocks.place(processes[rank], coordinates(rank).data());
    }
    blocks.connect(kinds);
  }
};

}  // namespace

TEST_CASE("blocks that share channels are neighbours, and no others") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    Grid grid(random);
    Blocks blocks(grid.extents, grid.wrap, static_cast<double>(1 + random() % 30));
    grid.set_up(blocks);
    std::vector<std::set<Number>> expected(blocks.count());
    for (std::size_t sender = 0; sender < grid.processes.size(); ++sender) {
      for (const ChannelKey& kind : grid.kinds) {
        const std::int64_t receiver = grid.receiver(sender, kind);
        if (receiver < 0) continue;
        const Number here = grid.processes[sender].block,
                     there = grid.processes[static_cast<std::size_t>(receiver)].block;
        if (here == there) continue;
        expected[here].insert(there);
        expected[there].insert(here);
      }
    }
    for (Number block = 0; block < blocks.count(); ++block) {
      const std::vector<Number>& found = blocks[block].neighbours;
      REQUIRE(found == std::vector<Number>(expected[block].begin(), expected[block].end()));
    }
  }
}

// Every process has a number of turns, which neighbours give each other.
TEST_CASE("threads take every block, and never neighbours at once") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    Grid grid(random);
    Blocks blocks(grid.extents, grid.wrap, static_cast<double>(1 + random() % 8));
    grid.set_up(blocks);
    for (Standing& process : grid.processes) blocks.add(process);
    constexpr int rounds = 20;
    std::vector<int> turns(grid.processes.size());
    std::vector<std::atomic<bool>> is_running(blocks.count());
    std::atomic<bool> was_disturbed = false;
    blocks.start();
    wave::backend::work_on_threads(3, [&](int, int) {
      for (Number number = blocks.take(false); number != none; number = blocks.take(false)) {
        is_running[number] = true;
        for (const Number neighbour : blocks[number].neighbours) was_disturbed = was_disturbed || is_running[neighbour];
        std::vector<Standing*> woken;
        std::uint32_t done = 0;
        while (blocks[number].first != none) {
          Standing& process = blocks.take_first(blocks[number]);
          ++done;
          if (++turns[process.rank] >= rounds) continue;
          blocks.add(process);  // of this block
          for (const ChannelKey& kind : grid.kinds) {
            const std::int64_t receiver = grid.receiver(process.rank, kind);
            if (receiver < 0) continue;
            Standing& other = grid.processes[static_cast<std::size_t>(receiver)];
            if (other.block == number)
              blocks.add(other);
            else
              woken.push_back(&other);
          }
        }
        is_running[number] = false;
        blocks.give_back(number, done, woken);
      }
    });
    REQUIRE(!was_disturbed);
    for (const int one : turns) REQUIRE(one >= rounds);
  }
}
