// Sizes are those of the code: a value counts wherever it is used, unless it has a slot.
#include "backend/jit/shared_values.h"

#include "backend/jit/thresholds.h"
#include "ir/effects.h"
#include "ir/visit.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

namespace wave::jit {

namespace {

using UseOfFrame = std::function<void(ir::ValueId, ir::FrameId)>;

// What stands at the top: bodies, rows, extents, cells.
void for_each_start(const ir::System& system, const UseOfFrame& use) {
  for (const ir::Definition& definition : system.definitions) {
    if (definition.body.valid()) use(definition.body, definition.frame);
  }
  for (const ir::Root& root : system.roots) {
    ir::for_each_value_of_root(root, [&](ir::ValueId value) { use(value, ir::System::root_frame); });
  }
  for (const ir::Space& space : system.spaces) {
    for (const ir::Axis& axis : space.axes) use(axis.first, space.frame), use(axis.last, space.frame);
  }
  for (const ir::Event& event : system.events) {
    ir::for_each_value(event, [&](ir::ValueId value) { use(value, event.frame); });
  }
}

// Every value after its operands.
std::vector<ir::ValueId> operands_first(const ir::System& system) {
  std::vector<ir::ValueId> order;
  std::vector<bool> done(system.values.size(), false);
  std::vector<ir::ValueId> pending;
  for (std::uint32_t i = 0; i < system.values.size(); ++i) {
    pending.push_back(ir::ValueId{i});
    while (!pending.empty()) {
      const ir::ValueId value = pending.back();
      const std::size_t before = pending.size();
      if (!done[value.index]) {
        ir::for_each_operand(system[value].node, [&](ir::ValueId operand) {
          if (!done[operand.index]) pending.push_back(operand);
        });
      }
      if (pending.size() > before) continue;
      pending.pop_back();
      if (!done[value.index]) order.push_back(value);
      done[value.index] = true;
    }
  }
  return order;
}

std::vector<std::uint32_t> count_uses(const ir::System& system) {
  std::vector<std::uint32_t> uses(system.values.size(), 0);
  for (const ir::Value& value : system.values) {
    ir::for_each_operand(value.node, [&](ir::ValueId operand) { ++uses[operand.index]; });
  }
  for_each_start(system, [&](ir::ValueId value, ir::FrameId) { ++uses[value.index]; });
  return uses;
}

class Sizes {
 public:
  Sizes(const ir::System& system, std::vector<ir::ValueId> order) : system_(system), order_(std::move(order)) {}

  // The code of everything, with those for which `has_slot` holds written out once.
  double find(const std::function<bool(ir::ValueId, double size)>& has_slot) {
    std::vector<double> size(system_.values.size(), 0);
    double all = 0;
    for (const ir::ValueId value : order_) {
      double own = 1;
      ir::for_each_operand(system_[value].node, [&](ir::ValueId operand) { own += size[operand.index]; });
      const bool is_outside = has_slot(value, own);
      size[value.index] = is_outside ? 1 : own;
      if (is_outside) all += own;
    }
    for_each_start(system_, [&](ir::ValueId value, ir::FrameId) { all += size[value.index]; });
    return all;
  }

 private:
  const ir::System& system_;
  std::vector<ir::ValueId> order_;
};

}  // namespace

SharedValues::SharedValues(const ir::System& system) : system_(system) {
  Sizes sizes(system, operands_first(system));
  const double all = sizes.find([](ir::ValueId, double) { return false; });
  if (all <= small_code + tolerable_growth * static_cast<double>(system.values.size())) return;
  binders_.emplace(system);
  const ir::Effects effects(system);
  const std::vector<std::uint32_t> uses = count_uses(system);
  is_shared_.assign(system.values.size(), false);
  is_shared_in_cell_.assign(system.values.size(), false);
  sizes.find([&](ir::ValueId value, double size) {
    const bool is_fixed = binders_->of(value).empty() && !effects.is_of_cell(value);
    if (size <= (is_fixed ? largest_in_place : largest_in_cell) || uses[value.index] < 2) return false;
    (is_fixed ? is_shared_ : is_shared_in_cell_)[value.index] = true;
    has_values_of_cells_ = has_values_of_cells_ || !is_fixed;
    return true;
  });
}

const std::vector<ir::BinderId>* SharedValues::binders_in_cell(ir::ValueId value) const {
  return has_values_of_cells_ && is_shared_in_cell_[value.index] ? &binders_->of(value) : nullptr;
}

std::vector<ir::ValueId> SharedValues::met_in(ir::FrameId frame) const {
  if (is_shared_.empty()) return {};
  std::vector<ir::ValueId> pending, found;
  for_each_start(system_, [&](ir::ValueId value, ir::FrameId of) {
    if (of == frame) pending.push_back(value);
  });
  std::unordered_set<ir::ValueId> seen;
  while (!pending.empty()) {
    const ir::ValueId value = pending.back();
    pending.pop_back();
    if (!seen.insert(value).second) continue;
    if (is_shared_[value.index]) found.push_back(value);
    ir::for_each_operand(system_[value].node, [&](ir::ValueId operand) { pending.push_back(operand); });
  }
  std::sort(found.begin(), found.end(), [](ir::ValueId a, ir::ValueId b) { return a.index < b.index; });
  return found;
}

}  // namespace wave::jit
