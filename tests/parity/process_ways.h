// Ways to evaluate a process. All of them give the bits of the interpreter.
#pragma once

#include "backend/engine.h"

#include <memory>
#include <string>
#include <vector>

namespace wave::parity {

struct Way {
  std::string name;
  std::unique_ptr<backend::Engine> engine;
};

// The JIT is the first, and the JIT with whole programs the second.
inline constexpr std::size_t as_planned = 0, as_a_whole = 1;

std::vector<Way> ways_to_evaluate(const ir::System& system);

// How the processes of an evaluation were evaluated.
struct Schedules {
  bool swept = false;     // with a compiled sweep
  bool pieces = false;    // with pieces as compiled programs
  bool compiled = false;  // as one compiled program
  bool network = false;   // with anything left to the network
};
Schedules schedules_of(const backend::Evaluation& evaluation);

}  // namespace wave::parity
