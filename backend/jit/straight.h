// Scalars of the root frame that need no loop, no cell and no function: an evaluation needs each once, and walking over
// their nodes (backend/jit/walk.cpp) takes less than a hundredth of what compiling them would.
#pragma once

#include "ir/system.h"

#include <vector>

namespace wave::jit {

enum class Scalars { walked_over, compiled };

class StraightScalars {
 public:
  StraightScalars(const ir::System& system, Scalars scalars);

  bool contains(ir::ValueId value) const { return values_[value.index]; }
  bool contains(ir::DefinitionId definition) const { return definitions_[definition.index]; }
  // Rows without loops, of such values.
  bool contains(const ir::Root& root) const;

 private:
  std::vector<bool> values_, definitions_;
};

// Has everything compiled from now on; for tests.
void force_code(bool force);

}  // namespace wave::jit
