// Masks, what has been emitted, and the nodes that choose between others.
#include "backend/jit/lanes/lane_emitter.h"

#include "backend/jit/lanes/lane_scope.h"
#include "backend/jit/lanes/thresholds.h"
#include "ir/visit.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::jit::lanes {

using ir::ScalarType;

LaneEmitter::LaneEmitter(ModuleEmitter& module, llvm::Function* function, llvm::IRBuilder<>& build, unsigned lanes)
    : module(module),
      function(function),
      build(build),
      lanes(lanes),
      base_(std::make_unique<Activation>()),
      here_(base_.get()) {}

// --- vectors ---

llvm::VectorType* LaneEmitter::type(ScalarType type) { return llvm::FixedVectorType::get(module.type(type), lanes); }

llvm::Value* LaneEmitter::splat(llvm::Value* scalar) { return build.CreateVectorSplat(lanes, scalar); }

llvm::Constant* LaneEmitter::splat(double value) {
  return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(lanes),
                                        llvm::ConstantFP::get(module.context, llvm::APFloat(value)));
}

llvm::Constant* LaneEmitter::splat(std::int64_t value) {
  return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(lanes),
                                        llvm::ConstantInt::getSigned(module.i64, value));
}

llvm::Constant* LaneEmitter::count(std::int64_t first, std::int64_t step) {
  std::vector<llvm::Constant*> numbers;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    numbers.push_back(llvm::ConstantInt::getSigned(module.i64, first + step * lane));
  }
  return llvm::ConstantVector::get(numbers);
}

// --- masks ---

llvm::Value* LaneEmitter::none() { return llvm::ConstantAggregateZero::get(type(ScalarType::boolean)); }

llvm::Value* LaneEmitter::whole(llvm::Value* mask) {
  return mask ? mask : llvm::Constant::getAllOnesValue(type(ScalarType::boolean));
}

bool LaneEmitter::is_none(const llvm::Value* mask) {
  const auto* const constant = llvm::dyn_cast_or_null<llvm::Constant>(mask);
  return constant && constant->isNullValue();
}

namespace {

bool is_all(const llvm::Value* mask) {
  const auto* const constant = llvm::dyn_cast_or_null<llvm::Constant>(mask);
  return !mask || (constant && constant->isAllOnesValue());
}

}  // namespace

llvm::Value* LaneEmitter::both(llvm::Value* mask, llvm::Value* other) {
  if (is_all(mask) || is_none(other) || mask == other) return is_all(other) ? nullptr : other;
  if (is_all(other) || is_none(mask)) return mask;
  if (are_uniform({mask, other})) return splat(build.CreateAnd(scalar_of(mask), scalar_of(other)));
  return build.CreateAnd(mask, other);
}

llvm::Value* LaneEmitter::either(llvm::Value* mask, llvm::Value* other) {
  if (is_all(mask) || is_all(other)) return nullptr;
  if (is_none(mask) || mask == other) return other;
  if (is_none(other)) return mask;
  if (are_uniform({mask, other})) return splat(build.CreateOr(scalar_of(mask), scalar_of(other)));
  return build.CreateOr(mask, other);
}

llvm::Value* LaneEmitter::inverted(llvm::Value* mask) {
  if (is_all(mask)) return none();
  if (is_none(mask)) return nullptr;
  if (are_uniform({mask})) return splat(build.CreateNot(scalar_of(mask)));
  return build.CreateNot(mask);
}

llvm::Value* LaneEmitter::chosen(llvm::Value* condition, llvm::Value* if_true, llvm::Value* if_false) {
  if (is_all(condition)) return if_true;
  if (is_none(condition)) return if_false;
  if (is_all(if_true)) return either(condition, if_false);
  if (is_none(if_true)) return both(inverted(condition), if_false);
  if (is_all(if_false)) return either(inverted(condition), if_true);
  if (is_none(if_false)) return both(condition, if_true);
  return build.CreateSelect(condition, if_true, if_false);
}

llvm::Value* LaneEmitter::any(llvm::Value* mask) {
  llvm::Value* const bits = build.CreateBitCast(whole(mask), build.getIntNTy(lanes));
  return build.CreateICmpNE(bits, build.getIntN(lanes, 0));
}

// --- what has been emitted ---

Lanes LaneEmitter::emit(ir::ValueId value) {
  Activation* const here = here_;
  auto& known = here->known[in_event];
  if (const auto found = known.find(value); found != known.end()) return found->second;
  const Lanes lanes = emit_new(value);
  known[value] = lanes;
  remembered_.push_back({here, in_event, value, {}});
  return lanes;
}

Lanes LaneEmitter::emit_new(ir::ValueId value) {
  if (++emitted_ > most_emitted) module.refuse("the code in vector lanes would be too large");
  if (!module.spend()) return bad(type_of(value));
  const ir::Node& node = module.system[value].node;
  if (leaf && may_ask_leaf(node)) {
    if (const std::optional<Lanes> given = leaf(value, node)) return *given;
  }
  return std::visit([&](const auto& n) { return emit_node(value, n); }, node);
}

// The same value in a function that is being inlined may be another: it has parameters of its own.
bool LaneEmitter::may_ask_leaf(const ir::Node& node) const {
  if (here_ == base_.get()) return true;
  const ir::System& system = module.system;
  ir::FrameId frame;
  if (const auto* const reference = std::get_if<ir::Reference>(&node)) frame = system[reference->definition].frame;
  if (const auto* const parameter = std::get_if<ir::Parameter>(&node)) frame = system[parameter->parameter].frame;
  if (const auto* const read = std::get_if<ir::Read>(&node)) frame = system[read->event].frame;
  if (const auto* const measure = std::get_if<ir::Measure>(&node)) frame = system[measure->process].frame;
  return frame.valid() && &owner(frame) == base_.get();
}

LaneEmitter::Activation& LaneEmitter::owner(ir::FrameId frame) const {
  Activation* found = here_;
  while (found->outer && found->frame != frame) found = found->outer;
  return *found;
}

void LaneEmitter::forget() {
  base_ = std::make_unique<Activation>();
  here_ = base_.get();
  remembered_.clear();
  ended_.clear();
}

LaneEmitter::Region::~Region() {
  auto& remembered = in_.remembered_;
  for (; remembered.size() > begin_; remembered.pop_back()) {
    const Remembered& last = remembered.back();
    if (last.definition.valid()) {
      last.activation->definitions.erase(last.definition);
    } else {
      last.activation->known[last.in_event].erase(last.value);
    }
  }
}

// --- what cannot be in lanes ---

Lanes LaneEmitter::bad(ScalarType of) { return {llvm::Constant::getNullValue(type(of)), none(), nullptr, {}}; }

Lanes LaneEmitter::not_in_lanes(ir::ScalarType type, const std::string& reason) {
  if (!leaves_out) module.refuse(reason);
  if (std::find(left_out.begin(), left_out.end(), reason) == left_out.end()) left_out.push_back(reason);
  return bad(type);
}

Lanes LaneEmitter::emit_node(ir::ValueId id, const ir::Read& node) {
  return not_in_lanes(type_of(id), fmt::format("`{}` is a recurrence", module.system[node.event].name));
}

Lanes LaneEmitter::emit_node(ir::ValueId id, const ir::Neighbour& node) {
  return not_in_lanes(type_of(id), fmt::format("`{}` is a recurrence", module.system[node.event].name));
}

Lanes LaneEmitter::emit_node(ir::ValueId id, const ir::Measure& node) {
  return not_in_lanes(type_of(id), fmt::format("`{}` is a process", module.system[node.process].name));
}

// --- nodes that choose ---

Lanes LaneEmitter::emit_node(ir::ValueId, const ir::Constant& node) {
  switch (node.value.type) {
    case ScalarType::real: return {splat(node.value.real)};
    case ScalarType::integer: {
      const std::int64_t value = node.value.integer;
      return {splat(value), nullptr, nullptr, {value, value}};
    }
    case ScalarType::boolean: return {node.value.boolean ? whole(nullptr) : none()};
  }
  return {};
}

Lanes LaneEmitter::emit_node(ir::ValueId, const ir::Index& node) {
  const auto range = binder_ranges_.find(node.binder);
  return {binders.at(node.binder), nullptr, nullptr, range == binder_ranges_.end() ? IntegerRange{} : range->second};
}

namespace {

IntegerRange both_ranges(IntegerRange a, IntegerRange b) {
  return {std::min(a.least, b.least), std::max(a.most, b.most)};
}

}  // namespace

Lanes LaneEmitter::emit_node(ir::ValueId, const ir::Select& node) {
  const Lanes condition = emit(node.condition);
  if (is_none(condition.good)) return bad(type_of(node.if_true));
  if (is_all(condition.value) || is_none(condition.value)) {
    Lanes taken = emit(is_all(condition.value) ? node.if_true : node.if_false);
    taken.good = both(condition.good, either(inverted(condition.present), taken.good));
    taken.present = both(condition.present, taken.present);
    return taken;
  }
  const Lanes a = emit(node.if_true);
  const Lanes b = emit(node.if_false);
  const auto value = [&]() -> llvm::Value* {
    if (is_none(a.good)) return b.value;
    if (is_none(b.good)) return a.value;
    if (are_uniform({condition.value, a.value, b.value})) {
      return splat(build.CreateSelect(scalar_of(condition.value), scalar_of(a.value), scalar_of(b.value)));
    }
    return build.CreateSelect(condition.value, a.value, b.value);
  };
  Lanes result{value()};
  result.good = both(condition.good, either(inverted(condition.present), chosen(condition.value, a.good, b.good)));
  result.present = both(condition.present, chosen(condition.value, a.present, b.present));
  result.range = is_none(a.good) ? b.range : is_none(b.good) ? a.range : both_ranges(a.range, b.range);
  return result;
}

Lanes LaneEmitter::emit_node(ir::ValueId, const ir::Check& node) {
  const Lanes condition = emit(node.condition);
  Lanes result = emit(node.value);
  llvm::Value* const passes = both(condition.value, result.good);
  result.good = both(condition.good, either(inverted(condition.present), passes));
  result.present = both(condition.present, result.present);
  return result;
}

Lanes LaneEmitter::emit_node(ir::ValueId id, const ir::Fail&) { return bad(type_of(id)); }

// --- maxima and minima ---

Lanes LaneEmitter::emit_node(ir::ValueId id, const ir::Maximum& node) {
  return extreme(node.operands, type_of(id), true);
}
Lanes LaneEmitter::emit_node(ir::ValueId id, const ir::Minimum& node) {
  return extreme(node.operands, type_of(id), false);
}

// Fold from the left over what is present.
Lanes LaneEmitter::extreme(const std::vector<ir::ValueId>& operands, ScalarType of, bool largest) {
  Lanes result = emit(operands.front());
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const Lanes next = emit(operands[i]);
    const auto apply = [&](const Lanes& x, const Lanes& y) -> Lanes {
      return {emit_larger(build, of, x.value, y.value, largest)};
    };
    llvm::Value* value = once_or_by_lane(result, next, apply).value;
    if (!is_all(next.present)) value = build.CreateSelect(next.present, value, result.value);
    if (!is_all(result.present)) value = build.CreateSelect(result.present, value, next.value);
    const IntegerRange a = result.range, b = next.range;
    const bool all_present = is_all(result.present) && is_all(next.present);
    result.range = !all_present ? both_ranges(a, b)
                   : largest    ? IntegerRange{std::max(a.least, b.least), std::max(a.most, b.most)}
                                : IntegerRange{std::min(a.least, b.least), std::min(a.most, b.most)};
    result.value = value;
    result.good = both(result.good, next.good);
    result.present = either(result.present, next.present);
  }
  return result;
}

}  // namespace wave::jit::lanes
