// One vector of cells: neighbours from registers, from the strip above or from other planes, and the events' maxima or
// bodies, with absence and failure as masks.
#include "backend/jit/lanes/emit_strip.h"
#include "backend/jit/lanes/strip_quanta.h"

#include <bit>

namespace wave::jit::lanes {

using ir::ScalarType;

// --- where a cell is ---

// Turned, as <lanes x i64>.
llvm::Value* StripEmitter::coordinate(std::uint32_t axis) {
  if (axis == plan_.row_axis) {
    if (!row_) row_ = build_.CreateAdd(lane_.splat(first_row_), lane_.count(vector_, vectors_));
    return row_;
  }
  if (!column_) {
    const std::int64_t skew = plan_.skew;
    column_ = build_.CreateSub(lane_.splat(step_), lane_.count(skew * vector_, skew * vectors_));
  }
  return column_;
}

llvm::Value* StripEmitter::from_state(ScalarType type, llvm::Value* value) {
  return type == ScalarType::boolean ? build_.CreateICmpNE(value, lane_.splat(std::int64_t{0})) : value;
}

llvm::Value* StripEmitter::to_state(ScalarType type, llvm::Value* value) {
  return type == ScalarType::boolean ? build_.CreateZExt(value, lane_.type(ScalarType::integer)) : value;
}

// --- neighbours ---

// Every lane's value goes to the next, with this in the first lane; or to the one before, with this in the last.
llvm::Value* StripEmitter::moved(llvm::Value* vector, bool to_next, llvm::Value* scalar) {
  std::vector<int> from;
  std::vector<llvm::Constant*> mask;
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
    from.push_back(static_cast<int>((lane + (to_next ? lanes_ - 1 : 1)) % lanes_));
    mask.push_back(build_.getInt1(lane == (to_next ? 0 : lanes_ - 1)));
  }
  return build_.CreateSelect(llvm::ConstantVector::get(mask), lane_.splat(scalar),
                             build_.CreateShuffleVector(vector, from));
}

// As it was `delay` steps ago, `rows` further up.
llvm::Value* StripEmitter::near_value(const StripNeighbour& neighbour, std::uint32_t position) {
  if (neighbour.delay == 0) return current_[position][vector_];
  const auto earlier = [&](std::int64_t vector) {
    return earlier_[position][static_cast<std::size_t>((neighbour.delay - 1) * std::int64_t{vectors_} + vector)];
  };
  const std::int64_t vector = std::int64_t{vector_} + neighbour.rows;
  if (vector >= 0) return earlier(vector);
  llvm::Value* const column = build_.CreateSub(step_, constant(neighbour.delay + plan_.skew * vector));
  llvm::Value* const words = build_.CreateAdd(column, build_.CreateMul(row_words_, constant(-vector - 1)));
  return moved(earlier(vector + vectors_), true,
               scalar_at(above_[position], words, state_type(position)->getElementType()));
}

// From a plane that is stored as StripExtents says.
llvm::Value* StripEmitter::far_value(const StripNeighbour& neighbour, std::uint32_t number, llvm::Type* type) {
  const std::int64_t step_words = source_.shape.rows();
  const std::int64_t vector = std::int64_t{vector_} + neighbour.rows;
  const std::int64_t wrapped = vector < 0 ? vector + vectors_ : vector >= vectors_ ? vector - vectors_ : vector;
  llvm::Value* const step =
      build_.CreateAdd(step_, constant(neighbour.columns + std::int64_t{plan_.skew} * neighbour.rows));
  // Row x of a strip is at column t - skew * x: a neighbour in another strip, `vectors` rows on in its lane, is at
  // another step.
  llvm::Value* const place = build_.CreateAdd(build_.CreateMul(step, constant(step_words)), constant(wrapped * lanes_));
  auto* const vector_type = llvm::FixedVectorType::get(type, lanes_);
  llvm::Value* const whole = load(vector_type, words_on(far_[number], place));
  if (vector == wrapped) return whole;
  const bool up = vector < 0;
  const std::int64_t strip_rows = source_.shape.rows();
  llvm::Value* const other_step = build_.CreateAdd(step, constant((up ? 1 : -1) * plan_.skew * strip_rows));
  const std::int64_t other_place = wrapped * lanes_ + (up ? lanes_ - 1 : 0);
  llvm::Value* words = build_.CreateAdd(build_.CreateMul(other_step, constant(step_words)), constant(other_place));
  words = up ? build_.CreateSub(words, strip_words_) : build_.CreateAdd(words, strip_words_);
  return moved(whole, up, scalar_at(far_[number], words, type));
}

// In which lanes it is on the space; null: in all.
llvm::Value* StripEmitter::presence(const StripNeighbour& neighbour) {
  if (!masked_) return nullptr;
  llvm::Value* present = nullptr;
  const auto along = [&](std::uint32_t axis, std::int32_t offset, llvm::Value* extent) {
    if (offset == 0) return;
    llvm::Value* const at = build_.CreateAdd(coordinate(axis), lane_.splat(std::int64_t{offset}));
    llvm::Value* const inside = offset < 0 ? build_.CreateICmpSGE(at, lane_.splat(std::int64_t{0}))
                                           : build_.CreateICmpSLT(at, lane_.splat(extent));
    present = lane_.both(present, inside);
  };
  along(plan_.row_axis, neighbour.rows, rows_);
  along(plan_.column_axis, neighbour.columns, columns_);
  return present;
}

Lanes StripEmitter::emit_neighbour(ir::EventId source, const std::vector<std::int32_t>& offset) {
  const StripNeighbour* const neighbour = plan_.find(source, offset);
  const ScalarType type = system_[source].type;
  if (!neighbour) return lane_.not_in_lanes(type, "a neighbour is not in the plan");
  Lanes result;
  result.present = presence(*neighbour);
  if (neighbour->near()) {
    result.value = from_state(type, near_value(*neighbour, module_.layout.position[source.index]));
    return result;
  }
  const std::uint32_t number = far_number_.at(static_cast<std::uint32_t>(neighbour - plan_.neighbours.data()));
  llvm::Type* const stored = type == ScalarType::real ? module_.real : static_cast<llvm::Type*>(module_.i64);
  if (masked_) result.present = lane_.both(result.present, far_present_[number]);
  result.value = from_state(type, far_value(*neighbour, number, stored));
  return result;
}

// --- scalars ---

llvm::Value* StripEmitter::table_value(std::uint32_t number) {
  const StripTable& table = tables_.tables[number];
  llvm::VectorType* const type = llvm::FixedVectorType::get(table_type(table), lanes_);
  llvm::Value* value = nullptr;
  switch (table.span) {
    case Span::once:
    case Span::plane: value = table_[number]; break;
    case Span::row: value = load(type, words_on(table_[number], constant(std::int64_t{vector_} * lanes_))); break;
    case Span::column: {
      llvm::Value* const place = build_.CreateSub(step_, constant(std::int64_t{plan_.skew} * vector_));
      value = load(type, words_on(table_[number], build_.CreateMul(place, constant(lanes_))));
      break;
    }
    case Span::periodic: {
      llvm::Value* const place = build_.CreateAdd(phase_words_, constant(std::int64_t{vector_} * lanes_));
      value = load(type, words_on(table_[number], place));
      break;
    }
    case Span::cell: return lane_.not_in_lanes(table.type, "a table of cells").value;
  }
  return from_state(table.type, value);
}

std::optional<Lanes> StripEmitter::leaf(ir::ValueId value, const ir::Node& node) {
  if (const auto table = tables_.of(value)) return Lanes{table_value(*table)};
  if (const auto* const neighbour = std::get_if<ir::Neighbour>(&node))
    return emit_neighbour(neighbour->event, neighbour->offset);
  const auto* const index = std::get_if<ir::Index>(&node);
  if (!index) return std::nullopt;
  for (std::uint32_t axis = 0; axis < rank_; ++axis) {
    if (space_.axes[axis].binder != index->binder) continue;
    if (plan_.plane_axis == axis) return Lanes{lane_.splat(origin_[axis])};
    llvm::Value* const origin = lane_.splat(origin_[axis]);
    llvm::Value* const turned = coordinate(axis);
    return Lanes{plan_.rising[axis] ? build_.CreateAdd(origin, turned) : build_.CreateSub(origin, turned)};
  }
  return std::nullopt;
}

// --- events ---

void StripEmitter::note_bad(llvm::Value* good, llvm::Value* needed) {
  if (!good || LaneEmitter::is_none(needed)) return;
  llvm::VectorType* const type = lane_.type(ScalarType::boolean);
  llvm::Value* const bad = lane_.whole(lane_.both(needed, lane_.inverted(good)));
  build_.CreateStore(build_.CreateOr(build_.CreateLoad(type, bad_), bad), bad_);
}

// On the quantum. Adding 1.5 * 2^52 quanta rounds to whole quanta, to nearest even, as long as the sum stays between
// 2^52 and 2^53 quanta; its bits then count them.
llvm::Value* StripEmitter::rounded(Lanes weight, llvm::Value* needed) {
  if (needed) {
    weight = lane_.round(weight, quantum_, inverse_);
    note_bad(weight.good, needed);
    if (!quanta_) return weight.value;
  }
  llvm::Value* const magic = lane_.splat(magic_);
  llvm::VectorType* const integers = lane_.type(ScalarType::integer);
  llvm::Value* const sum = build_.CreateFAdd(weight.value, magic);
  llvm::Value* const bits = build_.CreateBitCast(sum, integers);
  llvm::Value* const magic_bits = build_.CreateBitCast(magic, integers);
  llvm::Value* const changed = build_.CreateXor(bits, magic_bits);
  if (needed) {
    note_bad(build_.CreateNot(has_left_binade(changed)), needed);
  } else {
    build_.CreateStore(build_.CreateOr(build_.CreateLoad(integers, rounded_bits_), changed), rounded_bits_);
  }
  return quanta_ ? build_.CreateSub(bits, magic_bits) : build_.CreateFSub(sum, magic);
}

llvm::Value* StripEmitter::sum_of(llvm::Value* weights, llvm::Value* weight) {
  if (!weights) return weight;
  return quanta_ ? build_.CreateAdd(weights, weight) : build_.CreateFAdd(weights, weight);
}

llvm::Value* StripEmitter::later(llvm::Value* a, llvm::Value* b) {
  if (!quanta_) return emit_larger(build_, ScalarType::real, a, b, true);
  // A comparison of bits that were added as integers would not become one instruction.
  const llvm::IRBuilderBase::FastMathFlagGuard guard(build_);
  llvm::FastMathFlags no_nans;
  no_nans.setNoNaNs();
  build_.setFastMathFlags(no_nans);
  return build_.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, a, b);
}

// The time so much later than `value`; null: than 0.
llvm::Value* StripEmitter::after(llvm::Value* value, llvm::Value* weights) {
  if (!quanta_) {
    if (!value || !weights) return value ? value : weights ? weights : lane_.splat(0.0);
    return build_.CreateFAdd(value, weights);
  }
  if (!value) value = lane_.splat(std::bit_cast<double>(quanta::origin));
  if (!weights) return value;
  llvm::Value* const bits = build_.CreateBitCast(value, weights->getType());
  return build_.CreateBitCast(build_.CreateAdd(bits, weights), lane_.type(ScalarType::real));
}

// `value` (null: nothing) plus the weights, where they are present. Failures count where `needed`.
Lanes StripEmitter::emit_sum(const StripSum& sum, llvm::Value* value, llvm::Value* needed) {
  Lanes result;
  llvm::Value* weights = nullptr;
  for (const std::uint32_t table : sum.tables) weights = sum_of(weights, table_value(table));
  for (const ir::ValueId id : sum.cells) {
    const Lanes weight = lane_.emit(id);
    note_bad(weight.good, lane_.both(needed, result.present));
    result.present = lane_.both(result.present, weight.present);
    weights = sum_of(weights, rounded(weight, lane_.both(needed, result.present)));
  }
  result.value = after(value, weights);
  return result;
}

// The largest of what is present.
Lanes StripEmitter::emit_constraints(std::uint32_t position) {
  const ir::Event& event = system_[group_.events[position]];
  Lanes result{nullptr, nullptr, lane_.none()};
  for (std::uint32_t number = 0; number < event.constraints.size(); ++number) {
    const ir::Constraint& constraint = event.constraints[number];
    llvm::Value* present = nullptr;
    if (constraint.guard.valid()) {
      const Lanes guard = lane_.emit(constraint.guard);
      note_bad(guard.good, valid_);
      present = lane_.both(guard.value, guard.present);
    }
    llvm::Value* value = nullptr;
    if (constraint.source.valid()) {
      Lanes source = emit_neighbour(constraint.source, constraint.offset);
      present = lane_.both(present, source.present);
      const bool own = module_.layout.group_of[constraint.source.index] == source_.group;
      if (!own) {
        source = lane_.round(source, quantum_, inverse_);
        note_bad(source.good, lane_.both(valid_, present));
      }
      value = source.value;
    }
    const Lanes sum = emit_sum(tables_.constraints[position][number], value, lane_.both(valid_, present));
    present = lane_.both(present, sum.present);
    value = present ? build_.CreateSelect(present, sum.value, absent()) : sum.value;
    result.value = result.value ? later(result.value, value) : value;
    result.present = lane_.either(result.present, present);
  }
  if (!result.value) result.value = absent();
  return result;
}

void StripEmitter::emit_event(std::uint32_t position) {
  const ir::Event& event = system_[group_.events[position]];
  Lanes value;
  if (event.general()) {
    value = lane_.emit(event.body);
    note_bad(value.good, valid_);
  } else {
    value = emit_constraints(position);
  }
  if (value.present) {
    llvm::Value* const missing = lane_.both(valid_, lane_.inverted(value.present));
    Lanes instead;
    if (event.otherwise.empty()) {
      note_bad(lane_.none(), missing);
    } else {
      if (event.general()) {
        instead = lane_.emit(event.otherwise.front());
        note_bad(instead.good, missing);
      } else {
        instead = emit_sum(tables_.otherwise[position], nullptr, missing);
      }
      note_bad(instead.present, missing);
      value.value = build_.CreateSelect(value.present, value.value, instead.value);
    }
  }
  if (plan_.tolerant && masked_) value.value = build_.CreateSelect(valid_, value.value, absent());
  current_[position][vector_] = to_state(event.type, value.value);
}

}  // namespace wave::jit::lanes
