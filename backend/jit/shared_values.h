// A value that two branches need first is written out in both. If such values are built of such values, each link of
// the chain would double the code. So they are shared. A value that is the same everywhere gets a slot in its frame's
// record, like a definition without a name. A value of a cell gets a function of its own (shared_code.h).
#pragma once

#include "ir/dependences.h"
#include "ir/system.h"

#include <optional>
#include <vector>

namespace wave::jit {

class SharedValues {
 public:
  // Finds none in a system whose code does not blow up.
  explicit SharedValues(const ir::System& system);

  // Large, used in several places, and the same wherever in an activation it is evaluated.
  bool contains(ir::ValueId value) const { return !is_shared_.empty() && is_shared_[value.index]; }
  // Those that code of a frame may meet.
  std::vector<ir::ValueId> met_in(ir::FrameId frame) const;
  // Large, used in several places, but of a cell or of a loop's round: what it looks at; null: no such value.
  const std::vector<ir::BinderId>* binders_in_cell(ir::ValueId value) const;
  bool has_values_of_cells() const { return has_values_of_cells_; }

 private:
  const ir::System& system_;
  std::vector<bool> is_shared_, is_shared_in_cell_;  // empty: none
  bool has_values_of_cells_ = false;
  std::optional<ir::FreeBinders> binders_;
};

}  // namespace wave::jit
