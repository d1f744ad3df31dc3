// A sweep, run natively operation by operation, that can record which of two times was the later wherever an operation
// takes the larger: what it takes to follow a critical path back through it.
#pragma once

#include "backend/processes/plan_fields.h"
#include "backend/processes/sweep_form.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace wave::backend::processes {

class TracedSweep {
 public:
  // `piece` has to outlive it. Null where the body is too large to be recorded.
  static std::unique_ptr<TracedSweep> make(const SweepPiece& piece, const std::vector<bool>& rising,
                                           const PlanGrid& grid);

  // What it holds, but for the record.
  std::size_t bytes() const { return bytes_; }
  static std::size_t record_bytes(std::size_t processes) { return processes * sizeof(std::uint64_t); }  // of a tile

  // Tiles [begin, end), from 0. `state`: by carried register, by process, before and after. False: a deadlock.
  [[nodiscard]] bool run(std::int64_t begin, std::int64_t end, const std::vector<double*>& state, bool recording,
                         const std::function<void()>& look_at_clock);

  // After a recorded run: the path to a register of a process after it, back to its beginning. `on_weight` gets the
  // weights on it that are not 0, until it returns false; then the result is false, too.
  struct Point {
    std::size_t process = 0;
    std::uint32_t at_register = 0;
    bool tied = false;
  };
  using OnWeight = std::function<bool(double weight, const OperationCause& cause, std::size_t process)>;
  [[nodiscard]] bool walk_back(Point& point, const OnWeight& on_weight);
  void drop_record() { std::vector<std::uint64_t>().swap(record_); }

 private:
  struct Step {
    SweepBody::Operation::Kind kind{};
    std::uint32_t target = 0, source = 0, signal = 0;
    std::uint32_t peer = 0;   // a bit of there_; 0: happens always
    std::int64_t offset = 0;  // in ranks
    std::uint32_t bit = 0;    // in the record
    bool is_awaited = false;  // emit
    double weight = 0;        // the uniform part
    std::vector<const double*> by_process;
  };
  TracedSweep(const SweepPiece& piece, const PlanGrid& grid) : piece_(piece), grid_(grid), processes_(grid.count()) {}
  [[nodiscard]] bool find_steps();
  [[nodiscard]] bool find_peers(const std::vector<bool>& rising);
  void prepare();
  void set_tile(std::int64_t tile);
  [[nodiscard]] bool run_tile(bool recording, const std::function<void()>& look_at_clock);
  template <bool recording>
  bool advance(std::size_t process);  // true: it is through
  template <bool recording>
  void take_larger(const Step& step, double& target, double other, std::size_t process);
  double weight(const Step& step, std::size_t process) const {
    double sum = step.weight;
    for (const double* const values : step.by_process) sum += values[process];
    return sum;
  }
  bool happens(const Step& step, std::size_t process) const {
    return step.peer == 0 || (there_[process] & step.peer) != 0;
  }

  const SweepPiece& piece_;
  const PlanGrid& grid_;
  std::size_t processes_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> emit_of_;  // by signal: its operation
  std::vector<std::uint16_t> there_;    // by process: which peers are on the grid
  std::vector<std::size_t> order_;      // by axis-turned row: where rows of processes begin
  bool last_rises_ = true;
  std::vector<double> registers_, signals_;  // by process
  std::vector<std::uint16_t> next_;          // by process
  std::vector<std::size_t> ready_;
  std::vector<std::uint64_t> record_;  // by tile and process: two bits a join or await: the source was followed, a tie
  std::uint64_t* of_tile_ = nullptr;
  std::int64_t begin_ = 0, end_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace wave::backend::processes
