// Finds the largest subexpressions that look at one index at most, or at two by their remainders.
#include "backend/jit/lanes/strip_tables.h"

#include "ir/effects.h"
#include "ir/operations.h"
#include "ir/visit.h"

#include <algorithm>
#include <cstdlib>

namespace wave::jit::lanes {

using ir::BinaryOp;

std::vector<std::uint32_t> axes_of(Span span, const StripOrder& order) {
  switch (span) {
    case Span::row: return {order.row_axis};
    case Span::column: return {order.column_axis};
    case Span::plane: return {*order.plane_axis};
    case Span::periodic: return {order.row_axis, order.column_axis};
    case Span::once:
    case Span::cell: break;
  }
  return {};
}

StripTables::StripTables(const ir::System& system, const ir::EventGroup& group, const StripPlan& plan, bool cellwise)
    : system_(system), space_(system[group.space]), plan_(plan), cellwise_(cellwise), binders_(system) {
  for (const ir::EventId id : group.events) {
    const ir::Event& event = system[id];
    constraints.emplace_back();
    for (const ir::Constraint& constraint : event.constraints) {
      if (constraint.guard.valid()) collect(constraint.guard);
      constraints.back().push_back(
          split(constraint.weights, constraint.source.valid() ? constraint.offset : std::vector<std::int32_t>{}));
      nodes_ += 1 + constraints.back().back().tables.size();
    }
    if (event.general()) {
      only_tables_ = false;
      collect(event.body);
      otherwise.emplace_back();
      for (const ir::ValueId value : event.otherwise) collect(value);
    } else {
      otherwise.push_back(split(event.otherwise, {}));
    }
  }
}

std::optional<std::uint32_t> StripTables::of(ir::ValueId value) const {
  const auto found = table_of_.find(value);
  return found == table_of_.end() ? std::nullopt : std::optional(found->second);
}

// --- what a value looks at ---

namespace {

Span joined(Span a, Span b) {
  if (a == Span::once || a == b) return b;
  return b == Span::once ? a : Span::cell;
}

}  // namespace

Span StripTables::span_of_axes(ir::ValueId value) const {
  Span span = Span::once;
  for (const ir::BinderId binder : binders_.of(value)) {
    Span of_binder = Span::cell;
    for (std::uint32_t axis = 0; axis < space_.axes.size(); ++axis) {
      if (space_.axes[axis].binder != binder) continue;
      of_binder = axis == plan_.row_axis ? Span::row : axis == plan_.column_axis ? Span::column : Span::plane;
    }
    span = joined(span, of_binder);
  }
  return span;
}

Span StripTables::span_of(ir::ValueId value) {
  if (binders_.of(value).empty()) return Span::once;
  const auto known = spans_.find(value);
  if (known != spans_.end()) return known->second;
  const Span span = find_span(value);
  spans_[value] = span;
  return span;
}

Span StripTables::find_span(ir::ValueId value) {
  const ir::Node& node = system_[value].node;
  const bool binds = std::holds_alternative<ir::Reduce>(node);
  if (std::holds_alternative<ir::Neighbour>(node)) return Span::cell;
  if (binds || std::holds_alternative<ir::Index>(node)) return span_of_axes(value);
  if (is_always_equal(node)) return Span::once;
  Span span = Span::once;
  ir::for_each_operand(node, [&](ir::ValueId operand) {
    const Span of_operand = span_of(operand);
    span = joined(span, of_operand == Span::periodic ? Span::cell : of_operand);
  });
  Moduli moduli;
  if (span == Span::cell && !cellwise_ && is_periodic(value, moduli)) return Span::periodic;
  return span;
}

// An integer combined with itself: the result is known, unless the integer fails.
bool StripTables::is_always_equal(const ir::Node& node) {
  const auto* const binary = std::get_if<ir::Binary>(&node);
  if (!binary || binary->left != binary->right || system_[binary->left].type == ir::ScalarType::real) return false;
  const bool compares = binary->op == BinaryOp::equal || binary->op == BinaryOp::not_equal ||
                        binary->op == BinaryOp::less || binary->op == BinaryOp::less_equal ||
                        binary->op == BinaryOp::greater || binary->op == BinaryOp::greater_equal;
  return compares && may_be_tabulated(binary->left);
}

// i, i + 1, i - 1 - 1: with numbers so small that nothing overflows near the first indices alone.
std::optional<std::uint32_t> StripTables::shifted_axis(ir::ValueId value) const {
  const ir::Node& node = system_[value].node;
  if (const auto* const index = std::get_if<ir::Index>(&node)) {
    for (std::uint32_t axis = 0; axis < space_.axes.size(); ++axis) {
      if (space_.axes[axis].binder == index->binder) return axis;
    }
    return std::nullopt;
  }
  const auto* const binary = std::get_if<ir::Binary>(&node);
  if (!binary || (binary->op != BinaryOp::add && binary->op != BinaryOp::subtract)) return std::nullopt;
  const auto* const constant = std::get_if<ir::Constant>(&system_[binary->right].node);
  if (!constant || constant->value.type != ir::ScalarType::integer || std::abs(constant->value.integer / 2) > (1 << 29))
    return std::nullopt;
  return shifted_axis(binary->left);
}

bool StripTables::is_periodic(ir::ValueId value, Moduli& moduli) {
  if (span_of_axes(value) == Span::once) return true;
  const ir::Node& node = system_[value].node;
  if (const auto* const binary = std::get_if<ir::Binary>(&node)) {
    if (binary->op == BinaryOp::modulo && system_[binary->right].type == ir::ScalarType::integer &&
        span_of_axes(binary->right) == Span::once) {
      const auto axis = shifted_axis(binary->left);
      if (!axis || (axis != plan_.row_axis && axis != plan_.column_axis)) return false;
      (axis == plan_.row_axis ? moduli.row : moduli.column).push_back(binary->right);
      return true;
    }
  }
  const bool is_operation = std::holds_alternative<ir::Unary>(node) || std::holds_alternative<ir::Binary>(node) ||
                            std::holds_alternative<ir::Maximum>(node) || std::holds_alternative<ir::Minimum>(node) ||
                            std::holds_alternative<ir::Select>(node) || std::holds_alternative<ir::Check>(node);
  if (!is_operation) return false;
  bool all = true;
  ir::for_each_operand(node, [&](ir::ValueId operand) { all = all && is_periodic(operand, moduli); });
  return all;
}

// What is absent in an event is no failure: a matter for the cell. A neighbour at no distance is always there.
bool StripTables::may_be_absent(ir::ValueId value) {
  const auto known = may_be_absent_.find(value);
  if (known != may_be_absent_.end()) return known->second;
  const ir::Node& node = system_[value].node;
  bool result = ir::may_be_absent(node);
  if (const auto* const neighbour = std::get_if<ir::Neighbour>(&node)) {
    result = std::any_of(neighbour->offset.begin(), neighbour->offset.end(), [](std::int32_t d) { return d != 0; });
  }
  ir::for_each_operand(node, [&](ir::ValueId operand) { result = result || may_be_absent(operand); });
  return may_be_absent_[value] = result;
}

// --- tables ---

// What must not fail for a value to look at fewer indices than stand in it, and the moduli of periods.
void StripTables::note_conditions(ir::ValueId value) {
  if (!noted_.insert(value).second || binders_.of(value).empty()) return;
  const ir::Node& node = system_[value].node;
  if (is_always_equal(node)) {
    add_single(std::get<ir::Binary>(node).left);
    return;
  }
  Moduli moduli;
  if (span_of(value) == Span::periodic && is_periodic(value, moduli)) {
    for (const ir::ValueId modulus : moduli.row) row_moduli.push_back(add_single(modulus));
    for (const ir::ValueId modulus : moduli.column) column_moduli.push_back(add_single(modulus));
  }
  ir::for_each_operand(node, [&](ir::ValueId operand) { note_conditions(operand); });
}

std::uint32_t StripTables::add_single(ir::ValueId value) {
  const auto known = table_of_.find(value);
  if (known != table_of_.end()) return known->second;
  const auto number = static_cast<std::uint32_t>(tables.size());
  table_of_[value] = number;
  tables.push_back({span_of(value), system_[value].type, false, {value}, {}});
  note_conditions(value);
  return number;
}

StripSum StripTables::split(const std::vector<ir::ValueId>& weights, const std::vector<std::int32_t>& offset) {
  StripSum sum;
  for (const ir::ValueId weight : weights) {
    if (!may_be_tabulated(weight)) {
      only_tables_ = false;
      sum.cells.push_back(weight);
      sum.may_be_absent = sum.may_be_absent || may_be_absent(weight);
      collect(weight);
      continue;
    }
    note_conditions(weight);
    const Span span = span_of(weight);
    const auto same = std::find_if(sum.tables.begin(), sum.tables.end(),
                                   [&](std::uint32_t table) { return tables[table].span == span; });
    if (same != sum.tables.end()) {
      tables[*same].values.push_back(weight);
    } else {
      sum.tables.push_back(static_cast<std::uint32_t>(tables.size()));
      tables.push_back({span, ir::ScalarType::real, true, {weight}, offset});
    }
  }
  // Weights that are the same everywhere are added to one that is not.
  const auto once = std::find_if(sum.tables.begin(), sum.tables.end(),
                                 [&](std::uint32_t table) { return tables[table].span == Span::once; });
  if (once == sum.tables.end() || sum.tables.size() == 1) return sum;
  const std::uint32_t moved = *once;
  sum.tables.erase(once);
  std::vector<ir::ValueId>& into = tables[sum.tables.front()].values;
  into.insert(into.end(), tables[moved].values.begin(), tables[moved].values.end());
  tables[moved].values.clear();
  return sum;
}

void StripTables::collect(ir::ValueId value) {
  if (!collected_.insert(value).second) return;
  const ir::Node& node = system_[value].node;
  const bool is_simple = std::holds_alternative<ir::Constant>(node) || std::holds_alternative<ir::Index>(node);
  if (is_simple) return;
  if (may_be_tabulated(value)) {
    add_single(value);
    return;
  }
  ++nodes_;
  if (!std::holds_alternative<ir::Neighbour>(node)) only_tables_ = false;
  ir::for_each_operand(node, [&](ir::ValueId operand) { collect(operand); });
}

}  // namespace wave::jit::lanes
