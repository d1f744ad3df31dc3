// The definitions that stand for the events of one group, and the expressions for them at a point.
#pragma once

#include "backend/closed_form/symbolic/symbolic.h"
#include "backend/closed_form/symbolic/uniform.h"
#include "ir/builder.h"

#include <unordered_map>

namespace wave::backend::closed_form {

class ReplacementBuilder {
 public:
  // Appends the definitions.
  ReplacementBuilder(ir::Builder& builder, const UniformGroup& uniform);

  Replacement replacement(ir::EventId event) const;
  bool extents_may_fail(const ir::Effects& effects) const;
  // Is the point on the grid, and does the expression hold?
  ir::ValueId condition(const std::vector<ir::ValueId>& indices);
  // The event's value at a point of the grid.
  ir::ValueId at(ir::EventId event, const std::vector<ir::ValueId>& indices);

 private:
  struct Axis {
    ir::ValueId first, last;
    ir::ValueId steps;  // real: the extent less one
  };

  ir::ValueId define(const std::string& what, ir::ValueId body);
  ir::ValueId all(const std::vector<ir::ValueId>& conditions);
  ir::ValueId own(ir::ValueId value, const std::string& what);
  ir::ValueId steps(std::uint32_t axis) const { return axes_[axis].steps; }
  ir::ValueId is_met(const std::vector<std::uint32_t>& axes);
  ir::ValueId is_met(const ir::Constraint& constraint);
  void define_axes();
  void define_weights();
  void check_weights(const std::vector<ir::ValueId>& weights, ir::ValueId is_needed,
                     std::vector<ir::ValueId>& conditions);
  void define_bound();
  void define_costs();
  ir::ValueId levels();
  ir::ValueId magnitude(const std::vector<ir::ValueId>& weights);
  ir::ValueId rounded(const std::vector<ir::ValueId>& weights);
  ir::ValueId start(bool rounded_to_quantum);
  ir::ValueId after(const ir::Constraint& constraint);
  ir::ValueId dearest(const UniformStep& step);
  ir::ValueId path_to(const std::vector<ir::ValueId>& indices);
  bool has_straight(const UniformStep& diagonal) const;

  ir::Builder& b_;
  const UniformGroup& uniform_;
  const ir::Event event_;  // the main one
  Replacement replacement_;
  std::vector<Axis> axes_;
  std::unordered_map<ir::ValueId, ir::ValueId> weights_;  // as references to definitions
  ir::ValueId quantum_, start_;
  std::vector<ir::ValueId> straight_, diagonal_;        // costs of the steps, on the quantum
  std::unordered_map<ir::EventId, ir::ValueId> delay_;  // of followers: what they are later than the main event
};

}  // namespace wave::backend::closed_form
