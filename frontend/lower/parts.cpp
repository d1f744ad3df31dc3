// What nodes depend on, found once for each node from its operands up; and the sites where values may fail.
#include "frontend/lower/parts.h"

#include "frontend/check/members.h"
#include "ir/builder.h"
#include "ir/operations.h"

#include <fmt/format.h>

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

namespace {

// For a function without parameter types, the tree only knows the types of the last call.
void find_generic(const Item& item, std::vector<Location>& into) {
  if (const auto* members = check::members_of(item)) {
    for (const auto& member : *members) find_generic(*member, into);
  }
  const auto* function = std::get_if<item::Function>(&item.node);
  if (function && check::is_generic(*function)) into.push_back(item.location);
}

}  // namespace

Sites::Sites(const Parts& parts, std::vector<std::string>& words, SiteNotes& notes)
    : program_(parts.program), b_(parts.b), diagnostics_(parts.diagnostics), words_(words), notes_(notes) {
  find_generic_functions();
}

void Sites::find_generic_functions() {
  for (const auto& module : program_.modules) {
    for (const auto& item : module->items) find_generic(*item, generic_functions_);
  }
}

bool Sites::in_generic_function(Location location) const {
  return std::any_of(generic_functions_.begin(), generic_functions_.end(), [&](Location function) {
    return function.file == location.file && function.begin <= location.begin && location.end <= function.end;
  });
}

void Sites::note_operands(Location location, std::vector<TypeRef> types) {
  const auto [known, is_new] = operands_at_.try_emplace(key(location));
  if (is_new && !in_generic_function(location)) known->second = std::move(types);
}

void Sites::abandon(DiagnosticKind kind, Location location, const std::string& message, const std::string& label,
                    const std::string& help) {
  Diagnostic& diagnostic = diagnostics_.add(kind, location, message, label);
  if (!help.empty()) diagnostic.help.push_back(help);
  throw Abandoned{kind};
}

void Sites::abandon_for_size() {
  abandon(DiagnosticKind::structure_too_large, present_, "the model unfolds into too many expressions",
          fmt::format("more than {} when it comes here", Bounds::nodes));
}

ir::SiteId Sites::site(ir::FailureKind kind, Location location, const std::string& text,
                       std::vector<Location> related) {
  auto& site = sites_[{static_cast<int>(kind), location.file, location.begin, location.end, text}];
  if (site.valid()) return site;
  site = b_.site(kind, location, text, std::move(related));
  const auto operands = operands_at_.find(key(location));
  if (operands != operands_at_.end()) note_types(site, operands->second);
  return site;
}

ir::SiteId Sites::site(const ir::Operation& operation, Location location, const std::string& text) {
  return operation.failure ? site(*operation.failure, location, text) : ir::SiteId{};
}

ir::SiteId Sites::requirement(Location location, const std::string& text, const std::string& help) {
  const ir::SiteId result = site(ir::FailureKind::require_failed, location, text);
  note(result).help = help;
  return result;
}

std::int64_t Sites::word(const std::string& text) {
  const auto [known, is_new] = word_numbers_.try_emplace(text, static_cast<std::int64_t>(words_.size()));
  if (is_new) words_.push_back(text);
  return known->second;
}

const expr::Call* Sites::call_at(Location location) const {
  const auto call = calls_at_.find(key(location));
  return call == calls_at_.end() ? nullptr : call->second;
}

}  // namespace wave::frontend::lowering
