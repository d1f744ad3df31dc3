// What else can happen when a value is evaluated: it may fail, or be absent. If this cannot be decided, the answer is
// that it may.
#pragma once

#include "ir/system.h"

#include <vector>

namespace wave::ir {

// Whether a node of an event can be absent although its operands are present: a neighbour or a read can lie off the
// space, and there may be nothing to take the extremum of.
bool may_be_absent(const Node& node);
// The same for a value and everything that it depends on. Weights that follow one that may be absent are not hoisted.
bool may_be_absent(const System& system, ValueId value);

class Effects {
 public:
  explicit Effects(const System& system);

  bool may_fail(ValueId value) const { return may_fail_[value.index]; }
  // Whether the value depends on the cell that it is evaluated in: it uses the quantum of the group, or may be absent.
  bool is_of_cell(ValueId value) const { return is_of_cell_[value.index]; }
  // Whether recursion can bring the frame close to the limit of activations, so that a call in it may fail for its
  // depth alone.
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
