// Counts the operations of the statements of a `flops` block, and how often each statement runs.
#pragma once

#include "frontend/lower/flop_rules.h"
#include "frontend/lower/lower.h"
#include "frontend/lower/parts.h"
#include "ir/builder.h"

namespace wave::frontend::lowering {

class FlopCounter {
 public:
  FlopCounter(const Parts& parts, Place place) : parts_(parts), place_(place) {}

  ir::ValueId count(const Block& statements, const Scope& scope);
  // How often a statement that is somewhere in the block counts in one run of it: never in the branch of a condition
  // that is not the costlier one. For a loop: its rounds.
  ir::ValueId runs(const Block& statements, const Statement& wanted, const Scope& scope);

 private:
  ir::ValueId number(std::int64_t count);
  ir::ValueId count(const Statement& statement, const Scope& scope);
  // The sum over the rounds of a loop.
  ir::ValueId in_rounds(const statement::For& loop, const Scope& scope,
                        const std::function<ir::ValueId(const Scope&)>& of_body);

  const Parts& parts_;
  Place place_;
};

}  // namespace wave::frontend::lowering
