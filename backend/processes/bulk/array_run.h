// Runs straight stretches on arrays of clocks, in blocks of processes, over threads.
#pragma once

#include "backend/processes/bulk/array_program.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace wave::backend::processes {

// Arrays over all processes that are not in use; their memory counts until this is destroyed.
class SpareArrays {
 public:
  SpareArrays(std::size_t size, std::function<void(std::int64_t bytes)> claim)
      : size_(size), claim_(std::move(claim)) {}
  ~SpareArrays();
  SpareArrays(const SpareArrays&) = delete;
  std::vector<double> take();  // throws Failed
  void give_back(std::vector<double> values) { free_.push_back(std::move(values)); }

 private:
  std::size_t size_;
  std::function<void(std::int64_t)> claim_;
  std::vector<std::vector<double>> free_;
};

// Which of two times was the later, by operation of the stretch (joins and awaits that somebody needs; empty for
// others) and by process: the source or signal, or both were as late. Wherever the operation does not happen it says
// nothing.
struct ArrayRecord {
  enum Choice : std::uint8_t { target = 0, source = 1, tie = 2 };
  std::vector<std::vector<std::uint8_t>> choices;
};

struct ArrayHost {
  const PlanGrid& grid;
  SpareArrays& spare;
  std::function<void(std::int64_t bytes)> claim_memory;  // throws Failed
  std::function<void()> look_at_clock;                   // throws Failed
  int threads = 1;
  // What a carried register holds, by process.
  std::function<std::vector<double>&(const Carried&)> values;
  // Set: choices are recorded there; the program must keep them.
  ArrayRecord* record = nullptr;
  Servers* servers = nullptr;  // set where anything is served by time
};

// How many of these threads are worth it.
int threads_for(const ArrayProgram& program, std::size_t processes, int wanted);

// Throws Failed; returns false where a request does not come after all of an earlier batch of its server. The values
// are then of no use.
[[nodiscard]] bool run_over_arrays(const ArrayProgram& program, const ArrayHost& host);

}  // namespace wave::backend::processes
