// A straight stretch made ready to run on whole arrays of clocks.
//
// Times are written once: an operation makes a new array, or, where it only adds the same to all, nothing but a number
// beside an old one. What is left are *steps*, each of which takes a maximum at most. The steps of a *round* look at
// other processes' times of earlier rounds only. Rounds that look at no process outside of a *block* are done together,
// block by block, so that their times stay in a cache.
#pragma once

#include "backend/processes/bulk/plan_operations.h"

#include <cstdint>
#include <vector>

namespace wave::backend::processes {

// Where the times of an array stand while a block is evaluated: in an array over all processes, or only for this block.
struct ArrayPlace {
  bool of_block = false;
  std::uint32_t number = 0;
  friend bool operator==(const ArrayPlace&, const ArrayPlace&) = default;
};

struct ArrayStep {
  static constexpr std::uint32_t everywhere = 0xffffffff;
  // Where it happens, to = max(own + own_plus, other + other_plus + weights), or without the maximum, `other` alone;
  // elsewhere own + else_plus. `own` is looked at where it is needed.
  bool joins = false;
  ArrayPlace to, own, other;
  double own_plus = 0, other_plus = 0, else_plus = 0;
  static constexpr std::uint32_t nothing = 0xffffffff;
  std::uint32_t own_runs = nothing, other_runs = nothing;  // ArrayProgram::runs: what is added to them besides
  std::vector<std::uint32_t> weights;  // ArrayProgram::weights; those that are the same everywhere are in `other_plus`
  std::uint32_t peers = everywhere;    // ArrayProgram::peers: happens where there is one
  bool of_peer = false;                // `other` is the peer's
  std::uint32_t operation = nothing;   // the join or await whose choices it makes
};

// Steps that are done together for the processes of a block, after batches of requests have been served.
struct ArrayGroup {
  std::vector<ServiceBatch> batches;
  std::vector<ArrayStep> steps;
  // The units of its processes (PeerMap::unit), block after block, and where each block begins. Without units blocks
  // are any processes that follow each other.
  std::vector<std::int32_t> units;
  std::vector<std::size_t> first_unit;
  std::size_t arrays_of_block = 0;
  std::int32_t processes_of_block = 0;  // at most
};

struct ArrayProgram {
  std::vector<ArrayGroup> groups;
  std::vector<FieldPtr> weights;
  std::vector<PeerMapPtr> peers;
  std::vector<PlusRunsPtr> runs;
  std::vector<PlannedService> services;
  // Arrays over all processes. By carried register where its values are before and after.
  std::size_t arrays = 0;
  std::vector<Carried> carried;
  std::vector<std::uint32_t> before, after;
  std::vector<std::uint32_t> fresh;  // arrays that nobody has written: they begin with `never`
  double steps_of_process = 0;
};

// The list must be ordered. `keeps_choices`: so that it can be recorded.
ArrayProgram array_program(const OperationList& list, Fields& fields, ServiceOrders& orders,
                           const std::vector<bool>& wrap, bool keeps_choices = false);

}  // namespace wave::backend::processes
