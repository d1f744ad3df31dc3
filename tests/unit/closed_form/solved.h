// Evaluates a recurrence cell by cell and by closed_form::solve, and compares every cell.
#pragma once

#include "backend/closed_form/recurrence.h"
#include "tests/parity/systems.h"

#include <string>

namespace wave::test {

struct Solved {
  std::string name;        // of the proof; empty if no proof covers the recurrence
  std::string difference;  // empty if all cells have the same bits, or if no proof covers the recurrence
  bool failed = false;     // the evaluation cell by cell failed
  std::size_t cells = 0;
  double quantum = 0;
};

// Solves the only event of the model, and adds a root to the model. For `shortest` see closed_form::Problem.
Solved solve(parity::Model& model, ir::EventId event, std::int64_t shortest = 1024);

// What is found about a recurrence of any size without evaluating a cell; null if no proof covers it.
std::unique_ptr<backend::closed_form::Solution> find_solution(parity::Model& model, ir::EventId event,
                                                              std::int64_t shortest = 1024, double* quantum = nullptr);

// What the interpreter reports about the event with shortcuts, and all cells with and without shortcuts.
Solved solve_in_interpreter(parity::Model& model, ir::EventId event);

}  // namespace wave::test
