// What the evaluator works out about a system once, for all evaluations.
#pragma once

#include "backend/engine_options.h"
#include "ir/dependences.h"
#include "ir/schedule.h"
#include "ir/system.h"

#include <cstdint>
#include <mutex>
#include <vector>

namespace wave::backend::closed_form {
struct Symbolic;
}

namespace wave::backend::interpreter {

struct GroupPlan {
  ir::EventGroup group;
  ir::Schedule schedule;
  std::vector<ir::Hoisted> hoisted;
  std::vector<ir::EventId> outside;  // sources and neighbours in other groups, in order of appearance
  bool may_shorten = false;          // shortcuts are wanted, and one may apply
  std::uint32_t component = 0;       // PreparedSystem::components
  double nodes = 0;                  // that a cell evaluates, at most
};

struct PreparedSystem {
  PreparedSystem(const ir::System& system, const EngineOptions& options);

  const ir::System& system;
  const EngineOptions options;
  const closed_form::Symbolic* symbolic = nullptr;  // where `system` is one whose recurrences have been replaced
  ir::FreeBinders binders;
  std::vector<GroupPlan> groups;
  std::vector<std::uint32_t> group_of;  // by event
  // Groups of one frame whose cells look at each other by offset: kernels evaluate them side by side.
  std::vector<std::vector<std::uint32_t>> components;
  std::vector<bool> may_compile;               // by component: every group in it has an order of loops
  std::vector<std::uint32_t> definition_slot;  // by definition: its number within its frame
  std::vector<std::uint32_t> definitions_in;   // by frame
  std::vector<std::uint32_t> parameter_slot;   // by parameter: its number within its frame
  // By frame: a function of the root frame with recurrences or processes of its own. A call of it takes long, so its
  // results are remembered by their arguments.
  std::vector<bool> is_long_function;
  // By value: its number among those that are remembered (they are used twice, or look at fewer binders than a user
  // of theirs), or `not_remembered`.
  std::vector<std::uint32_t> memory_number;
  std::uint32_t memories = 0;
  static constexpr std::uint32_t not_remembered = 0xffffffff;

  // By event: what of it is read from outside. Found when it is first asked for, by any thread.
  const std::vector<ir::ReadPattern>& reads(ir::EventId event) const;

 private:
  void find_components();
  mutable std::once_flag reads_once_;
  mutable std::vector<std::vector<ir::ReadPattern>> reads_;
};

}  // namespace wave::backend::interpreter
