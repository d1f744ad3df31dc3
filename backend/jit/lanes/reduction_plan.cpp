// A walk over what an iteration evaluates, through the functions that it calls.
#include "backend/jit/lanes/reduction_plan.h"

#include "backend/jit/lanes/thresholds.h"
#include "backend/jit/structure.h"
#include "ir/effects.h"
#include "ir/operations.h"
#include "ir/visit.h"
#include "ir/walk.h"

#include <fmt/format.h>

#include <set>
#include <unordered_set>

namespace wave::jit::lanes {

namespace {

class Walk {
 public:
  Walk(const ir::System& system, ir::FrameId frame, const ir::Effects& effects, ReductionPlan& plan)
      : system_(system), frame_(frame), effects_(effects), plan_(plan) {}

  void visit(ir::ValueId start) {
    if (start.valid()) pending_.push_back(start);
    while (!pending_.empty() && plan_.possible()) {
      const ir::ValueId value = pending_.back();
      pending_.pop_back();
      if (!seen_.insert(value).second) continue;
      ++plan_.nodes;
      const ir::Node& node = system_[value].node;
      look_at(node);
      ir::for_each_operand(node, [&](ir::ValueId operand) { pending_.push_back(operand); });
    }
  }

 private:
  void look_at(const ir::Node& node) {
    if (const auto* const reference = std::get_if<ir::Reference>(&node))
      refer(reference->definition);
    else if (const auto* const call = std::get_if<ir::Call>(&node))
      enter(*call);
    else if (const auto* const read = std::get_if<ir::Read>(&node))
      plan_.obstacle = fmt::format("`{}` is a recurrence", system_[read->event].name);
    else if (const auto* const measure = std::get_if<ir::Measure>(&node))
      plan_.obstacle = fmt::format("`{}` is a process", system_[measure->process].name);
    else if (std::holds_alternative<ir::Neighbour>(node))
      plan_.obstacle = "it is of a cell";
    else if (const auto* const unary = std::get_if<ir::Unary>(&node); unary && unary->op == ir::UnaryOp::quantize)
      plan_.obstacle = "it is of a cell";
  }

  // Of a function that is called: written out. Of the frame and those around it: evaluated once.
  void refer(ir::DefinitionId id) {
    const ir::Definition& definition = system_[id];
    if (!ir::encloses(system_, definition.frame, frame_)) {
      if (written_out_.insert(id).second) pending_.push_back(definition.body);
      return;
    }
    if (!definition.body.valid() || is_argument(definition, system_) || !known_.insert(id).second) return;
    if (!definition.bindable && !effects_.may_fail(definition.body) && is_quick(definition.body))
      plan_.ahead.push_back(id);
  }

  void enter(const ir::Call& call) {
    if (effects_.is_deep(call.frame)) plan_.obstacle = fmt::format("`{}` is recursive", system_[call.definition].name);
    if (written_out_.insert(call.definition).second) pending_.push_back(system_[call.definition].body);
  }

  bool is_quick(ir::ValueId value) const {
    return !ir::any_needed(system_, value, most_nodes_ahead,
                           [](const ir::Node& node) { return std::holds_alternative<ir::Reduce>(node); });
  }

  const ir::System& system_;
  const ir::FrameId frame_;
  const ir::Effects& effects_;
  ReductionPlan& plan_;
  std::vector<ir::ValueId> pending_;
  std::unordered_set<ir::ValueId> seen_;
  std::unordered_set<ir::DefinitionId> written_out_, known_;
};

}  // namespace

std::vector<ir::BinderId> outer_binders(const ir::FreeBinders& free, const ir::Reduce& node) {
  std::set<std::uint32_t> found;
  for (const ir::ValueId value : {node.levels.back().filter, node.body, node.value}) {
    if (!value.valid()) continue;
    for (const ir::BinderId binder : free.of(value)) found.insert(binder.index);
  }
  found.erase(node.levels.back().binder.index);
  std::vector<ir::BinderId> binders;
  for (const std::uint32_t binder : found) binders.push_back(ir::BinderId{binder});
  return binders;
}

ReductionPlan::ReductionPlan(const ir::System& system, ir::ValueId reduction, ir::FrameId frame) {
  const auto& node = std::get<ir::Reduce>(system[reduction].node);
  level = &node.levels.back();
  binders = outer_binders(ir::FreeBinders(system), node);
  has_body = node.kind != ir::ReduceKind::count;
  has_value = node.kind == ir::ReduceKind::arg_min || node.kind == ir::ReduceKind::arg_max;
  const ir::Effects effects(system);
  if (node.kind == ir::ReduceKind::nth)
    obstacle = "one iteration of it is evaluated";
  else if (!has_body && !level->filter.valid())
    obstacle = "it only counts";
  else if (level->geometric)
    obstacle = "its steps are geometric";
  else if (effects.is_deep(frame))
    obstacle = "it is in a function that is recursive";
  Walk walk(system, frame, effects, *this);
  walk.visit(level->filter);
  if (has_body) walk.visit(node.body);
  if (has_value) walk.visit(node.value);
  const bool is_in_order = node.kind == ir::ReduceKind::sum || node.kind == ir::ReduceKind::product;
  if (possible() && is_in_order && system[reduction].type == ir::ScalarType::real && nodes < few_nodes) {
    obstacle = "its additions take as long as the rest of it";
  }
}

std::string reduction_symbol(ir::ValueId reduction, ir::FrameId frame, std::uint32_t lanes) {
  return fmt::format("reduction_{}_{}_{}", reduction.index, frame.index, lanes);
}

}  // namespace wave::jit::lanes
