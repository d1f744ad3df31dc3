// What the interpreter works out about a system once, before any evaluation.
#pragma once

#include "backend/engine_options.h"
#include "ir/dependences.h"
#include "ir/schedule.h"
#include "ir/system.h"

#include <vector>

namespace wave::backend::processes {
class SweepKernels;
class Run;
}  // namespace wave::backend::processes
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
};

struct PreparedSystem {
  PreparedSystem(const ir::System& system, const EngineOptions& options, processes::SweepKernels* kernels);

  const ir::System& system;
  const EngineOptions options;
  processes::SweepKernels* kernels;                 // or null
  const closed_form::Symbolic* symbolic = nullptr;  // where `system` is one whose recurrences have been replaced
  ir::FreeBinders binders;
  std::vector<GroupPlan> groups;
  std::vector<std::uint32_t> group_of;         // by event
  std::vector<std::uint32_t> definition_slot;  // by definition: its number within its frame
  std::vector<std::uint32_t> definitions_in;   // by frame
  std::vector<std::uint32_t> parameter_slot;   // by parameter: its number within its frame
  // By value: its number among those that are remembered (they are used twice, or look at fewer binders than a user
  // of theirs), or `not_remembered`.
  std::vector<std::uint32_t> memory_number;
  std::uint32_t memories = 0;
  static constexpr std::uint32_t not_remembered = 0xffffffff;
};

}  // namespace wave::backend::interpreter
