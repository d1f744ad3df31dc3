// The quantum of a process: how fine its times are counted so that no sum rounds.
//
// A first guess is made from the work of a few processes; the evaluation shows whether it holds. Clocks only rise, so
// if the last finish is below 2^52 quanta then no time that matters was above, and nothing rounded. The quantum is the
// first of the guess, its double, the double of that, ... that holds.
#pragma once

#include "backend/processes/program/load.h"

namespace wave::backend::processes {

struct Guess {
  double bound = 0;           // ps; no process should take longer
  double quantum = 0;         // the least power of two q with bound < 2^52 q, at least 2^-1022; 2^-52 for a bound of 0
  double summands = 0;        // rounded weights of all processes, about
  double least_summands = 0;  // the same if all had as few as the process looked at that has fewest
};

// Looks at the processes in the corners of the grid and in its middle. Throws Failed.
Guess guess_quantum(Scalars& scalars, const ir::Process& process, const Places& places, const ir::FreeBinders& binders,
                    const std::function<void()>& look_at_clock);

// The quantum to try next where the last process finishes at `finish`: the least that may do. The same quantum: it
// holds. With resources, the finish need not rise with the quantum, so one that is too fine says nothing of the others.
double next_quantum(double quantum, double finish, bool has_resources);

}  // namespace wave::backend::processes
