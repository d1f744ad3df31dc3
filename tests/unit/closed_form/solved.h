// A recurrence evaluated cell by cell and by closed_form::solve, held against each other in every cell.
#pragma once

#include "backend/closed_form/recurrence.h"
#include "tests/parity/systems.h"

#include <string>

namespace wave::test {

struct Solved {
  std::string name;        // of the proof; empty: not covered
  std::string difference;  // empty: the same bits in every cell (or not covered)
  bool failed = false;     // the evaluation cell by cell failed
  std::size_t cells = 0;
  double quantum = 0;
};

// Of the one event of the model. `shortest`: see closed_form::Problem. Adds a root to the model.
Solved solve(parity::Model& model, ir::EventId event, std::int64_t shortest = 1024, double most_cells = 0);

// Without evaluating a cell: what is found of a recurrence of any size; null: not covered.
std::unique_ptr<backend::closed_form::Solution> find_solution(parity::Model& model, ir::EventId event,
                                                              std::int64_t shortest = 1024, double most_cells = 0,
                                                              double* quantum = nullptr);

// What the interpreter reports of the event, with shortcuts; and all its cells with and without.
Solved solve_in_interpreter(parity::Model& model, ir::EventId event);

}  // namespace wave::test
