// The exception that carries a failure: thrown where it happens, and caught where the evaluation began.
#pragma once

#include "ir/failure.h"

#include <string>

namespace wave::backend {

struct Failed {
  ir::Failure failure;
  // Of a cycle of definitions: the one that needs itself, until the failure has come back to it. On its way the failure
  // gathers the names that it passes, and nobody may remember it.
  ir::DefinitionId cycle{};

  void pass(ir::DefinitionId definition, const std::string& name) {
    if (!cycle.valid()) return;
    failure.detail = name + " -> " + failure.detail;
    if (definition == cycle) cycle = {};
  }
};

}  // namespace wave::backend
