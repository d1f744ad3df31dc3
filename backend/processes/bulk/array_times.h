// The times of a stretch, each written once, and the steps that make them.
#pragma once

#include "backend/processes/bulk/plan_operations.h"

#include <cstdint>
#include <vector>

namespace wave::backend::processes {

// A time of every process: that of an array, and `plus`, and by process what these runs say.
struct ArrayTime {
  static constexpr std::uint32_t nothing = 0xffffffff;
  std::uint32_t array = 0;
  double plus = 0;
  std::uint32_t runs = nothing;  // ArrayTimes::runs
};

// See ArrayStep; it makes the array that has its number behind the inputs.
struct TimeStep {
  static constexpr std::uint32_t everywhere = 0xffffffff;
  bool joins = false;
  ArrayTime own, other;
  double else_plus = 0;
  std::vector<std::uint32_t> weights;
  std::uint32_t peers = everywhere;
  bool of_peer = false;
  static constexpr std::uint32_t nothing = 0xffffffff;
  std::uint32_t operation = nothing;  // the join or await whose choices it makes
  // `other` is when something is requested, and it makes when that begins to be served: OperationList::services.
  std::uint32_t service = nothing;
  std::uint32_t round = 0;  // it looks at others' times of earlier rounds only
  bool is_service() const { return service != nothing; }
  bool looks_at_own() const { return joins || peers != everywhere; }
};

struct ArrayTimes {
  std::size_t inputs = 0;           // arrays that are there before, those of the carried registers first
  std::vector<TimeStep> steps;      // by round, services first; those that nobody needs are left out
  std::vector<std::uint32_t> made;  // by step: its array
  std::size_t arrays = 0;
  std::vector<std::uint32_t> after;  // by carried register: its array at the end
  std::vector<PeerMapPtr> peers;
  std::vector<PlusRunsPtr> runs;
};

// `keeps_choices`: every join and await is a step of its own.
ArrayTimes array_times(const OperationList& list, Fields& fields, const std::vector<bool>& wrap, bool keeps_choices);

}  // namespace wave::backend::processes
