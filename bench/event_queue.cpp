// See event_queue.h.
#include "bench/event_queue.h"

#include <array>
#include <cstdint>
#include <limits>
#include <queue>

namespace wave::bench {

namespace {

constexpr std::uint32_t resume = 8;  // else an arrival: twice the corner's number, and 1 where it came along i

struct Event {
  double time;
  std::uint32_t process, what;
  bool operator<(const Event& other) const { return time > other.time; }  // the earliest event comes first
};

// A process and where it is in its program.
enum class Step : std::uint8_t { await_j, await_i, sent_j, sent_i };

struct Corner {
  bool rises_i, rises_j;
};
constexpr Corner corners_in_order[] = {{true, true}, {false, true}, {false, false}, {true, false}};

struct Process {
  std::array<std::uint32_t, 4> done{};     // tiles, by corner
  std::array<std::uint32_t, 8> arrived{};  // messages, by `Event::what`
  std::uint32_t corner = 0;                // of the block at hand
  Step step = Step::await_j;
  bool waiting = false;
};

class Simulator {
 public:
  Simulator(long n, long m, long tiles, const Costs& costs, std::uint32_t corners)
      : n_(static_cast<std::uint32_t>(n)),
        m_(static_cast<std::uint32_t>(m)),
        tiles_(static_cast<std::uint32_t>(tiles)),
        corners_(corners),
        costs_(costs),
        processes_(static_cast<std::size_t>(n * m)) {
    std::vector<Event> memory;
    memory.reserve(processes_.size() * 4);
    queue_ = std::priority_queue<Event>({}, std::move(memory));
  }

  Simulated run() {
    for (std::uint32_t process = 0; process < n_ * m_; ++process) queue_.push({0, process, resume});
    Simulated result;
    while (!queue_.empty()) {
      const Event event = queue_.top();
      queue_.pop();
      ++result.events;
      result.finish = event.time;
      Process& process = processes_[event.process];
      if (event.what != resume) ++process.arrived[event.what];
      if (event.what == resume || process.waiting) advance(event.process, process, event.time);
    }
    return result;
  }

 private:
  // The next block: the least distance from its corner plus tile, and the first of several corners. False: none is
  // left.
  bool choose(Process& process, std::uint32_t i, std::uint32_t j) const {
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t corner = 0; corner < corners_; ++corner) {
      if (process.done[corner] == tiles_) continue;
      const auto [rises_i, rises_j] = corners_in_order[corner];
      const std::uint32_t at = (rises_i ? i : n_ - 1 - i) + (rises_j ? j : m_ - 1 - j) + process.done[corner];
      if (at < least) least = at, process.corner = corner;
    }
    return least != std::numeric_limits<std::uint32_t>::max();
  }

  void advance(std::uint32_t index, Process& process, double time) {
    const std::uint32_t i = index / m_, j = index % m_;
    process.waiting = false;
    for (;;) {
      if (process.step == Step::await_j && !choose(process, i, j)) return;
      const auto [rises_i, rises_j] = corners_in_order[process.corner];
      const bool is_first_i = i == (rises_i ? 0 : n_ - 1), is_first_j = j == (rises_j ? 0 : m_ - 1);
      const bool is_last_i = i == (rises_i ? n_ - 1 : 0), is_last_j = j == (rises_j ? m_ - 1 : 0);
      const std::uint32_t tile = process.done[process.corner], along_j = 2 * process.corner, along_i = along_j + 1;
      switch (process.step) {
        case Step::await_j:
          if (!is_first_j && process.arrived[along_j] <= tile) return void(process.waiting = true);
          process.step = Step::await_i;
          if (!is_first_j) return queue_.push({time + costs_.overhead, index, resume});
          break;
        case Step::await_i: {
          if (!is_first_i && process.arrived[along_i] <= tile) return void(process.waiting = true);
          process.step = Step::sent_j;
          const double received = is_first_i ? time : time + costs_.overhead;
          const double worked = received + (costs_.work_of ? costs_.work_of[index] : costs_.work);
          return queue_.push({is_last_j ? worked : worked + costs_.overhead, index, resume});
        }
        case Step::sent_j:
          if (!is_last_j) queue_.push({time + costs_.wire, rises_j ? index + 1 : index - 1, along_j});
          process.step = Step::sent_i;
          if (!is_last_i) return queue_.push({time + costs_.overhead, index, resume});
          break;
        case Step::sent_i:
          if (!is_last_i) queue_.push({time + costs_.wire, rises_i ? index + m_ : index - m_, along_i});
          process.step = Step::await_j;
          ++process.done[process.corner];
          break;
      }
    }
  }

  std::uint32_t n_, m_, tiles_, corners_;
  const Costs& costs_;
  std::vector<Process> processes_;
  std::priority_queue<Event> queue_;
};

}  // namespace

Simulated simulate_eager(long n, long m, long tiles, const Costs& costs) {
  return Simulator(n, m, tiles, costs, 1).run();
}

Simulated simulate_all_corners(long n, long m, long tiles, const Costs& costs) {
  return Simulator(n, m, tiles, costs, 4).run();
}

}  // namespace wave::bench
