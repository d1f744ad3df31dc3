// Random well-typed systems, made from a seed that the tests print. ir::verify accepts every one of them.
#pragma once

#include "backend/engine.h"
#include "ir/system.h"

#include <cstdint>
#include <vector>

namespace wave::test {

struct Options {
  bool events = true;
  bool frames = true;   // functions, recursion, events of functions
  bool cycles = true;   // sometimes offsets without an order, and computed indices into the event's own group
  int definitions = 8;  // in the root frame
  int depth = 4;        // of expressions
  double wild = 0.15;   // how often an expression may overflow, divide by zero, be NaN ...
};

ir::System random_system(std::uint64_t seed, const Options& options = {});

// Values for some of the system's bindable definitions. Integers stay small, since they are extents.
std::vector<backend::Binding> random_bindings(const ir::System& system, std::uint64_t seed);

}  // namespace wave::test
