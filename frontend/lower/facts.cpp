// What nodes depend on, computed once per node from the operands up.
#include "frontend/lower/facts.h"

#include "frontend/lower/overloaded.h"
#include "ir/operations.h"

#include <algorithm>

namespace wave::frontend::lowering {

namespace {

void unite(std::vector<ir::BinderId>& into, const std::vector<ir::BinderId>& from) {
  if (from.empty()) return;
  std::vector<ir::BinderId> both;
  std::set_union(into.begin(), into.end(), from.begin(), from.end(), std::back_inserter(both));
  into = std::move(both);
}

}  // namespace

std::size_t FactTable::depth(ir::FrameId frame) const {
  std::size_t depth = 0;
  for (; system_[frame].parent.valid(); frame = system_[frame].parent) ++depth;
  return depth;
}

const Facts& FactTable::of(ir::ValueId value) {
  while (known_.size() <= value.index) {
    known_.push_back(compute(ir::ValueId{static_cast<std::uint32_t>(known_.size())}));
  }
  return known_[value.index];
}

void FactTable::absorb(Facts& into, ir::ValueId operand) const {
  if (!operand.valid()) return;
  const Facts& facts = known_[operand.index];
  unite(into.free, facts.free);
  into.event_local |= facts.event_local;
  into.parameters |= facts.parameters;
  into.deepest = deeper(into.deepest, facts.deepest);
}

void FactTable::absorb_levels(Facts& into, const ir::Reduce& reduce) const {
  Facts inner;
  absorb(inner, reduce.body);
  if (reduce.kind != ir::ReduceKind::nth) absorb(inner, reduce.value);
  for (auto level = reduce.levels.rbegin(); level != reduce.levels.rend(); ++level) {
    absorb(inner, level->filter);
    std::erase(inner.free, level->binder);
    for (const ir::ValueId bound : {level->first, level->last, level->step}) absorb(inner, bound);
  }
  if (reduce.kind == ir::ReduceKind::nth) absorb(inner, reduce.value);
  unite(into.free, inner.free);
  into.event_local |= inner.event_local;
  into.parameters |= inner.parameters;
  into.deepest = deeper(into.deepest, inner.deepest);
}

Facts FactTable::compute(ir::ValueId value) const {
  Facts facts;
  const auto all = [&](const std::vector<ir::ValueId>& operands) {
    for (const ir::ValueId operand : operands) absorb(facts, operand);
  };
  std::visit(Overloaded{
                 [](const ir::Constant&) {},
                 [&](const ir::Parameter& node) {
                   facts.parameters = true;
                   facts.deepest = system_[node.parameter].frame;
                 },
                 [&](const ir::Index& node) { facts.free = {node.binder}; },
                 [&](const ir::Reference& node) { facts.deepest = system_[node.definition].frame; },
                 [&](const ir::Unary& node) {
                   absorb(facts, node.operand);
                   facts.event_local |= node.op == ir::UnaryOp::quantize;
                 },
                 [&](const ir::Binary& node) { all({node.left, node.right}); },
                 [&](const ir::Maximum& node) { all(node.operands); },
                 [&](const ir::Minimum& node) { all(node.operands); },
                 [&](const ir::Select& node) { all({node.condition, node.if_true, node.if_false}); },
                 [&](const ir::Check& node) { all({node.condition, node.value}); },
                 [](const ir::Fail&) {},
                 [&](const ir::Call& node) {
                   all(node.arguments);
                   facts.deepest = deeper(facts.deepest, system_[node.frame].parent);
                 },
                 [&](const ir::Reduce& node) { absorb_levels(facts, node); },
                 [&](const ir::Read& node) {
                   all(node.indices);
                   facts.event_local |= !node.site.valid();
                   facts.deepest = deeper(facts.deepest, system_[node.event].frame);
                 },
                 [&](const ir::Neighbour& node) {
                   facts.event_local = true;
                   facts.deepest = system_[node.event].frame;
                 },
                 [&](const ir::Lookup& node) { all(node.keys); },
                 [&](const ir::Measure& node) {
                   all(node.indices);
                   facts.deepest = deeper(facts.deepest, system_[node.process].frame);
                 },
             },
             system_[value].node);
  return facts;
}

}  // namespace wave::frontend::lowering
