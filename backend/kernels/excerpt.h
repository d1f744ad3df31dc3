// A small system, cut out of a large one, that holds what a kernel evaluates: the cells of recurrences, a reduction,
// rows, or a call. What the kernel is given from outside stands in it as inputs: definitions of its root frame without
// bodies. So recurrences that differ in their parameters and extents have equal excerpts, and share their code.
#pragma once

#include "ir/dependences.h"
#include "ir/effects.h"
#include "ir/system.h"

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace wave::backend::kernels {

struct Excerpt {
  ir::System system;                               // without tables
  const std::vector<ir::Table>* tables = nullptr;  // of the original
  std::string refusal;                             // not empty: why there is none

  // By definition of `system`: the value of the original that an input has; not valid: no input, or an argument.
  std::vector<ir::ValueId> inputs;
  std::vector<ir::DefinitionId> given;      // inputs that neither fail nor take long: evaluated before the kernel runs
  std::vector<ir::DefinitionId> arguments;  // of the call, in their order; the caller sets them
  std::vector<ir::EventId> events;          // of the original, by event
  std::vector<ir::SiteId> sites;            // of the original, by site
  std::vector<ir::ProcessId> processes;     // the same
  std::vector<ir::DefinitionId> definitions;  // of the original, by definition that is no input
  ir::DefinitionId result;                    // whose body is the reduction or the call; rows are the only root

  bool asks_often = false;  // a function or process of the evaluator, wherever it is needed

  bool possible() const { return refusal.empty(); }
  std::optional<ir::EventId> find(ir::EventId original) const;
};

// Evaluating it takes no loops, calls, cells or processes, also through definitions.
bool is_quick(const ir::System& system, ir::ValueId value);

// What cutting looks at in the whole system.
struct Whole {
  const ir::System& system;
  const ir::FreeBinders& binders;
  const ir::Effects& effects;
};

// The events of one frame, with all that evaluates them. `hoisted` are weights that are evaluated before the cells.
Excerpt cut_events(const Whole& whole, const std::vector<ir::EventId>& events,
                   const std::unordered_set<ir::ValueId>& hoisted);
// A reduction outside of events, in an activation of the frame `home`. What its loops do not bind is an input.
Excerpt cut_reduction(const Whole& whole, ir::ValueId reduction, ir::FrameId home);
// A block of rows with levels.
Excerpt cut_rows(const Whole& whole, const ir::RowBlock& rows);
// Values that look at indices, in an activation of the frame `home`: the columns of rows whose levels bind the indices,
// over nobody knows which of them.
Excerpt cut_columns(const Whole& whole, ir::FrameId home, const std::vector<ir::BinderId>& indices,
                    const std::vector<ir::ValueId>& columns);
// A call of a function whose frame stands in the root frame; its arguments are set from outside.
Excerpt cut_call(const Whole& whole, ir::DefinitionId definition);

}  // namespace wave::backend::kernels
