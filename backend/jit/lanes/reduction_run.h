// Runs long reductions: decides when code in lanes is worth compiling, how many iterations to take at a time, and on
// how many threads, and folds the results.
#pragma once

#include "backend/engine.h"
#include "backend/jit/lane_wishes.h"
#include "backend/jit/lanes/reduction_fold.h"
#include "backend/jit/lanes/reduction_plan.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wave::jit {

class Run;
struct Context;
struct CompiledSystem;

namespace lanes {

using ReductionFunction = std::int32_t (*)(Context*, Word* record, Word* arguments);

struct ReductionCode {
  std::unique_ptr<ReductionPlan> plan;
  ReductionFunction function = nullptr;  // null: there is none
  std::uint32_t lanes = 0;
};

// Of a compiled system, shared by its evaluations.
class ReductionCodes {
 public:
  // Compiled now where it is not yet. Takes the system's mutex.
  const ReductionCode& get(CompiledSystem& compiled, ir::ValueId reduction, ir::FrameId frame,
                           const backend::Limits& limits);
  // Null: not asked for yet.
  const ReductionCode* known(ir::ValueId reduction, ir::FrameId frame);
  void count(std::uint64_t iterations) { iterations_.fetch_add(iterations, std::memory_order_relaxed); }
  std::uint64_t iterations() const { return iterations_; }  // in lanes, so far

 private:
  std::mutex mutex_;
  std::atomic<std::uint64_t> iterations_{0};
  std::map<std::pair<std::uint32_t, std::uint32_t>, ReductionCode> codes_;
};

// Of one evaluation.
class Reductions {
 public:
  Reductions(Run& run, CompiledSystem& compiled) : run_(run), compiled_(compiled) {}
  ReductionAnswer ask(Word* record, ir::ValueId reduction, ir::FrameId frame, Word* words);
  void report(std::vector<backend::EventReport>& all) const;

 private:
  struct One {
    std::string name;  // "loop over t"
    ReductionTypes types;
    const ReductionCode* code = nullptr;  // null: not asked for yet
    std::chrono::steady_clock::time_point asked{};
    double wasted = 0;             // seconds that scalar code may have taken longer
    double seconds = 0;            // an iteration takes in lanes; 0: not known
    std::uint32_t useless = 0;     // attempts in a row that got nowhere
    std::uint64_t iterations = 0;  // that lanes have done
    std::vector<Word> body, value;
    std::vector<std::uint8_t> counts, value_good;
  };

  One& one(ir::ValueId reduction, ir::FrameId frame);
  bool is_due(One& one, Word* words);
  ReductionAnswer evaluate(One& one, Word* record, ir::FrameId frame, Word* words);
  bool prepare(const One& one, Word* record, ir::FrameId frame);
  bool may_use_threads(const One& one, std::size_t left) const;
  // So many iterations of those that are left are worth some milliseconds.
  std::size_t at_a_time(const One& one, std::size_t left, bool by_threads) const;
  Folded evaluate_some(One& one, Word* record, const Word* words, std::size_t from, std::size_t count, bool by_threads,
                       ReductionState& state);
  // Fills columns with iterations `from` ... `to` of those that are left. How many are good.
  std::size_t fill(One& one, Word* record, const Word* words, std::size_t from, std::size_t to, std::size_t column);
  std::size_t fill_by_threads(One& one, Word* record, const Word* words, std::size_t from, std::size_t count);
  void reserve(One& one, std::size_t iterations);

  Run& run_;
  CompiledSystem& compiled_;
  LaneWishes wishes_;
  int threads_ = 0;  // 0: not known yet
  std::unordered_map<std::uint64_t, One> all_;
};

}  // namespace lanes

}  // namespace wave::jit
