// The state of all processes between two statements of their program, when no message is on its way, no operation is
// pending, and there are no resources. The engine and a plan both take a piece of the program from one such state to
// the next.
#pragma once

#include "ir/process.h"

#include <vector>

namespace wave::backend::processes {

// All arrays are by process: row-major, the last axis fastest.
struct ProcessState {
  std::vector<double> clocks;
  // Of the phases that are asked for, by PhaseId: the time spent in it, and the clock when it was left last. Empty
  // arrays: nobody asks.
  struct PhaseClocks {
    std::vector<double> spent, left;
    bool wanted() const { return !spent.empty(); }
  };
  std::vector<PhaseClocks> phases;
};

}  // namespace wave::backend::processes
