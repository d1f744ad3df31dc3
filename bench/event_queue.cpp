// See event_queue.h.
#include "bench/event_queue.h"

#include <algorithm>
#include <cstdint>
#include <queue>

namespace wave::bench {

namespace {

enum class What : std::uint32_t { resume, from_west, from_north };

struct Event {
  double time;
  std::uint32_t process;
  What what;
  bool operator<(const Event& other) const { return time > other.time; }  // the earliest event comes first
};

// A process and where it is in its program.
enum class Step : std::uint8_t { await_west, await_north, sent_east, sent_south };

struct Process {
  std::uint32_t tile = 0;
  std::uint32_t from_west = 0, from_north = 0;  // messages that have arrived from there
  Step step = Step::await_west;
  bool waiting = false;
};

class Simulator {
 public:
  Simulator(long n, long m, long tiles, const Costs& costs)
      : n_(static_cast<std::uint32_t>(n)),
        m_(static_cast<std::uint32_t>(m)),
        tiles_(static_cast<std::uint32_t>(tiles)),
        costs_(costs),
        processes_(static_cast<std::size_t>(n * m)) {
    std::vector<Event> memory;
    memory.reserve(processes_.size() * 4);
    queue_ = std::priority_queue<Event>({}, std::move(memory));
  }

  Simulated run() {
    for (std::uint32_t process = 0; process < n_ * m_; ++process) queue_.push({0, process, What::resume});
    Simulated result;
    while (!queue_.empty()) {
      const Event event = queue_.top();
      queue_.pop();
      ++result.events;
      result.finish = event.time;
      Process& process = processes_[event.process];
      if (event.what == What::from_west) ++process.from_west;
      if (event.what == What::from_north) ++process.from_north;
      if (event.what == What::resume || process.waiting) advance(event.process, process, event.time);
    }
    return result;
  }

 private:
  void advance(std::uint32_t index, Process& process, double time) {
    const std::uint32_t i = index / m_, j = index % m_;
    process.waiting = false;
    while (process.tile < tiles_) {
      switch (process.step) {
        case Step::await_west:
          if (j > 0 && process.from_west <= process.tile) return void(process.waiting = true);
          process.step = Step::await_north;
          if (j > 0) return queue_.push({time + costs_.overhead, index, What::resume});
          break;
        case Step::await_north: {
          if (i > 0 && process.from_north <= process.tile) return void(process.waiting = true);
          process.step = Step::sent_east;
          const double received = i > 0 ? time + costs_.overhead : time;
          const double worked = received + (costs_.work_of ? costs_.work_of[index] : costs_.work);
          return queue_.push({j + 1 < m_ ? worked + costs_.overhead : worked, index, What::resume});
        }
        case Step::sent_east:
          if (j + 1 < m_) queue_.push({time + costs_.wire, index + 1, What::from_west});
          process.step = Step::sent_south;
          if (i + 1 < n_) return queue_.push({time + costs_.overhead, index, What::resume});
          break;
        case Step::sent_south:
          if (i + 1 < n_) queue_.push({time + costs_.wire, index + m_, What::from_north});
          process.step = Step::await_west;
          ++process.tile;
          break;
      }
    }
  }

  std::uint32_t n_, m_, tiles_;
  const Costs& costs_;
  std::vector<Process> processes_;
  std::priority_queue<Event> queue_;
};

}  // namespace

Simulated simulate_eager(long n, long m, long tiles, const Costs& costs) { return Simulator(n, m, tiles, costs).run(); }

}  // namespace wave::bench
