// Mirrors which lanes are good (lane_emitter.h), for all rows at once.
#include "backend/jit/lanes/batch_plan.h"

#include "ir/operations.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::jit::lanes {

std::string BatchShape::symbol() const {
  std::string result = fmt::format("batch_{}", lanes);
  for (const ir::DefinitionId input : inputs) result += fmt::format("_p{}", input.index);
  for (const Asked& output : outputs) {
    const bool is_root = std::holds_alternative<ir::RootId>(output);
    result += fmt::format("_{}{}", is_root ? "r" : "d", std::visit([](auto id) { return id.index; }, output));
  }
  return result;
}

ir::System specialized(const ir::System& system, const std::vector<ir::DefinitionId>& inputs,
                       const std::vector<Asked>& asked) {
  ir::System result = system;
  for (std::uint32_t i = 0; i < result.definitions.size(); ++i) {
    result.definitions[i].bindable = std::find(inputs.begin(), inputs.end(), ir::DefinitionId{i}) != inputs.end();
  }
  for (std::uint32_t i = 0; i < result.roots.size(); ++i) {
    if (std::find(asked.begin(), asked.end(), Asked(ir::RootId{i})) != asked.end()) continue;
    result.roots[i].blocks.clear();
    result.roots[i].precondition = {};
  }
  return result;
}

LaneForecast::LaneForecast(const ir::System& system, const std::vector<ir::DefinitionId>& inputs)
    : system_(system), inputs_(inputs.begin(), inputs.end()) {}

std::optional<std::string> LaneForecast::obstacle(const Asked& asked) {
  if (const auto* const definition = std::get_if<ir::DefinitionId>(&asked)) return of(*definition);
  const ir::Root& root = system_[std::get<ir::RootId>(asked)];
  if (root.precondition.valid()) {
    if (Why why = of(root.precondition)) return why;
  }
  return first_of(root.blocks.front().columns);
}

LaneForecast::Why LaneForecast::leave_out(const std::string& what) {
  if (std::find(left_out_.begin(), left_out_.end(), what) == left_out_.end()) left_out_.push_back(what);
  return what;
}

LaneForecast::Why LaneForecast::of(ir::DefinitionId definition) {
  if (inputs_.contains(definition)) return std::nullopt;
  if (const auto known = definitions_.find(definition); known != definitions_.end()) return known->second;
  if (!in_progress_.insert(definition).second)
    return leave_out(fmt::format("`{}` needs itself", system_[definition].name));
  Why why = of(system_[definition].body);
  in_progress_.erase(definition);
  return definitions_[definition] = std::move(why);
}

LaneForecast::Why LaneForecast::first_of(const std::vector<ir::ValueId>& values) {
  Why first;
  for (const ir::ValueId value : values) {
    Why why = of(value);
    if (!first) first = std::move(why);
  }
  return first;
}

struct LaneForecast::Visit {
  LaneForecast& self;

  Why operator()(const ir::Constant&) const { return {}; }
  Why operator()(const ir::Parameter&) const { return {}; }
  Why operator()(const ir::Index&) const { return {}; }
  Why operator()(const ir::Reference& n) const { return self.of(n.definition); }
  Why operator()(const ir::Unary& n) const { return self.of(n.operand); }
  Why operator()(const ir::Binary& n) const {
    Why left = self.of(n.left), right = self.of(n.right);
    if (left || n.op == ir::BinaryOp::logical_and || n.op == ir::BinaryOp::logical_or) return left;
    return right;
  }
  Why operator()(const ir::Maximum& n) const { return self.first_of(n.operands); }
  Why operator()(const ir::Minimum& n) const { return self.first_of(n.operands); }
  Why operator()(const ir::Select& n) const {
    Why condition = self.of(n.condition), a = self.of(n.if_true), b = self.of(n.if_false);
    if (condition) return condition;
    return a && b ? a : Why{};
  }
  Why operator()(const ir::Check& n) const { return self.first_of({n.condition, n.value}); }
  Why operator()(const ir::Fail&) const { return {}; }
  Why operator()(const ir::Call& n) const {
    Why arguments = self.first_of(n.arguments);
    const bool is_inside_itself = self.in_progress_.contains(n.definition);
    Why body = is_inside_itself ? self.leave_out(fmt::format("`{}` is recursive", self.system_[n.definition].name))
                                : self.of(n.definition);
    return arguments ? arguments : body;
  }
  Why operator()(const ir::Reduce& n) const {
    std::vector<ir::ValueId> needed;
    for (const ir::Level& level : n.levels) {
      for (const ir::ValueId value : {level.first, level.last, level.step, level.filter}) {
        if (value.valid()) needed.push_back(value);
      }
    }
    for (const ir::ValueId value : {n.body, n.value}) {
      if (value.valid()) needed.push_back(value);
    }
    return self.first_of(needed);
  }
  Why operator()(const ir::Read& n) const {
    return self.leave_out(fmt::format("`{}` is a recurrence", self.system_[n.event].name));
  }
  Why operator()(const ir::Neighbour& n) const {
    return self.leave_out(fmt::format("`{}` is a recurrence", self.system_[n.event].name));
  }
  Why operator()(const ir::Lookup& n) const { return self.first_of(n.keys); }
  Why operator()(const ir::Measure& n) const {
    return self.leave_out(fmt::format("`{}` is a process", self.system_[n.process].name));
  }
};

LaneForecast::Why LaneForecast::of(ir::ValueId value) {
  if (const auto known = values_.find(value); known != values_.end()) return known->second;
  Why why = std::visit(Visit{*this}, system_[value].node);
  return values_[value] = std::move(why);
}

}  // namespace wave::jit::lanes
