// What evaluating a value may do besides giving a value: fail, or find it absent. Conservative: "may" where unsure.
#pragma once

#include "ir/system.h"

#include <vector>

namespace wave::ir {

// Of a node in an event whose operands are present: may it be absent? A neighbour or a read off the space, and the
// extremum of nothing.
bool may_be_absent(const Node& node);
// Of a value in an event, with all that it looks at. The weights after one that may be absent are not hoisted.
bool may_be_absent(const System& system, ValueId value);

class Effects {
 public:
  explicit Effects(const System& system);

  bool may_fail(ValueId value) const { return may_fail_[value.index]; }
  // Looks at the cell it is in: at the group's quantum, or it may be absent there.
  bool is_of_cell(ValueId value) const { return is_of_cell_[value.index]; }
  // Frames that recursion can bring close to the limit of activations: a call in them may fail for depth alone.
  bool is_deep(FrameId frame) const { return is_deep_[frame.index]; }

 private:
  bool own_failure(const Value& value) const;
  void find_deep_frames();
  void find_of_cell();
  void find_failing();

  const System& system_;
  std::vector<bool> may_fail_, is_of_cell_, is_deep_;
};

}  // namespace wave::ir
