// Columns are walked step by step. Lane l of a vector (kept in reverse: the last tile comes first, so that it is stored
// without a shuffle) is l tiles ahead and lags l * skew behind. Values of earlier steps of the strip are in registers,
// those of earlier strips and planes in buffers; the tile before is the neighbouring lane, and for the first
// lane what the block of tiles before has left in memory. Near the borders of the grid a guarded variant of the same
// step has masks of the lanes whose neighbours are there; what is off the grid is computed and never used.
#include "backend/jit/sweep/emit_strip.h"

#include "backend/jit/sweep/emit_places.h"

#include <limits>
#include <map>
#include <numeric>

namespace wave::jit::sweep {

namespace {

using llvm::Value;

class StripEmitter : Places {
 public:
  StripEmitter(llvm::Module& module, const std::string& name, const Plan& plan, const Shape& shape)
      : Places(module, name, plan, shape), weights_(plan.events.weights) {}

  void emit() {
    build_.SetInsertPoint(block("entry"));
    prepare();
    auto* const guarded = block("guarded");
    auto* const between = block("between");
    auto* const inner = block("inner");
    auto* const fast = block("fast");
    auto* const done = block("done");

    // The guarded loop runs up to `limit`: first the columns before the fast ones, then those after them.
    column_variable_ = variable(word(Arguments::begin));
    auto* const limit = variable(word(Arguments::fast_begin));
    entered_ = build_.CreateBr(guarded);
    build_.SetInsertPoint(guarded);
    Value* const next = step(true);
    build_.CreateCondBr(build_.CreateICmpSLT(next, build_.CreateLoad(i64_, limit)), guarded, between);
    build_.SetInsertPoint(between);
    build_.CreateCondBr(build_.CreateICmpSGE(next, word(Arguments::end)), done, inner);

    build_.SetInsertPoint(inner);
    build_.CreateStore(word(Arguments::end), limit);
    build_.CreateBr(fast);
    build_.SetInsertPoint(fast);
    build_.CreateCondBr(build_.CreateICmpSLT(step(false), word(Arguments::fast_end)), fast, guarded);

    build_.SetInsertPoint(done);
    build_.CreateRetVoid();
  }

 private:
  // What is kept from step to step.
  struct Kept {
    EventIndex event;
    int row, back;
    auto operator<=>(const Kept&) const = default;
  };

  void prepare() {
    load_arguments();
    std::map<std::pair<EventIndex, int>, int> longest;
    for (const Need& need : plan_.needs) {
      if (need.distance[0] > 0) continue;
      for (int row = 0; row + need.distance[1] < shape_.rows; ++row) {
        int& back = longest[{need.dependence.from, row}];
        back = std::max(back, need.distance[2]);
      }
    }
    for (const auto& [key, back] : longest) {
      for (int step = 1; step <= back; ++step) {
        kept_[{key.first, key.second, step}] = variable(llvm::Constant::getNullValue(vector_));
      }
    }
  }

  // LLVM keeps it in a register.
  llvm::AllocaInst* variable(Value* first) {
    auto* const place = build_.CreateAlloca(first->getType());
    build_.CreateStore(first, place);
    return place;
  }

  // Returns the next column.
  Value* step(bool guarded) {
    column_ = build_.CreateLoad(i64_, column_variable_, "column");
    guarded_ = guarded;
    now_.assign(plan_.events.events.size(), std::vector<Value*>(static_cast<std::size_t>(shape_.rows), nullptr));
    loads_.clear();
    weight_values_.clear();
    held_.clear();
    for (const auto& [kept, place] : kept_) held_[kept] = build_.CreateLoad(vector_, place);
    for (int row = 0; row < shape_.rows; ++row) emit_row(row);
    for (const auto& [kept, place] : kept_) {
      const auto& [event, row, back] = kept;
      build_.CreateStore(back == 1 ? now(event, row) : held_.at({event, row, back - 1}), place);
    }
    Value* const next = build_.CreateAdd(column_, constant(1));
    build_.CreateStore(next, column_variable_);
    return next;
  }

  Value*& now(EventIndex event, int row) { return now_[event][static_cast<std::size_t>(row)]; }

  // What a row reads from memory comes before anything that it stores.
  void emit_row(int row) {
    std::vector<Value*> first(plan_.events.events.size(), nullptr);
    for (const EventIndex event : plan_.schedule.order) {
      if (plan_.events.events[event].kind != SweepEvent::Kind::largest) first[event] = first_lane(event, row);
    }
    for (const EventIndex event : plan_.schedule.order) {
      now(event, row) = plan_.events.events[event].kind == SweepEvent::Kind::largest
                            ? largest(event, row)
                            : shifted(event, row, first[event]);
    }
    for (EventIndex event = 0; event < plan_.events.events.size(); ++event) keep(event, row);
    for (std::size_t index = 0; index < plan_.events.carried.size(); ++index) store(index, row);
  }

  // Every process of the step is an inner one.
  bool is_inner() const { return shape_.inner && !guarded_; }

  // --- events ---

  Value* first_lane(EventIndex event, int row) {
    Value* at = place(lag(event, row), 2);
    if (guarded_) at = clamp(at, 2);
    return build_.CreateLoad(real_, build_.CreateGEP(real_, read_row(event, row), build_.CreateMul(at, stride(2))));
  }

  // The tile before: one lane on.
  Value* shifted(EventIndex index, int row, Value* first) {
    const SweepEvent& event = plan_.events.events[index];
    const EventIndex of = event.kind == SweepEvent::Kind::array ? index : event.of;
    Value* const before = read(of, row, plan_.schedule.distance({of, index, {}, 1}));
    std::vector<int> mask(static_cast<std::size_t>(shape_.lanes));
    std::iota(mask.begin(), mask.end(), 1);
    return build_.CreateShuffleVector(before, splat(first), mask);
  }

  Value* largest(EventIndex index, int row) {
    if (plan_.events.events[index].choice) return choose(index, row);
    Value* const result = largest_of(index, row, false);
    Value* sum = result;
    for (const Addend& addend : plan_.events.events[index].addends) sum = add(sum, addend, index, row);
    return sum;
  }

  // The later of two times, and a record of which it is.
  Value* choose(EventIndex index, int row) {
    Value* const target = largest_of(index, row, false);
    Value* const other = largest_of(index, row, true);
    Value* const is_other = build_.CreateFCmpOGT(other, target);
    record(index, row, 0, is_other);
    record(index, row, 1, build_.CreateFCmpOEQ(other, target));
    return build_.CreateSelect(is_other, other, target);
  }

  // The choices of a step are next to each other; the steps of a row, too.
  void record(EventIndex index, int row, int number, Value* mask) {
    Value* bits = build_.CreateBitCast(mask, build_.getIntNTy(static_cast<unsigned>(shape_.lanes)));
    if (shape_.lanes < 8) bits = build_.CreateZExt(bits, build_.getInt8Ty());
    Value* const line = build_.CreateAdd(word(Arguments::row), constant(row));
    Value* const column = build_.CreateMul(column_, constant(record_bytes(plan_.events.choices(), shape_.lanes)));
    const std::int64_t before =
        record_bytes(plan_.events.choices(index), shape_.lanes) + number * record_bytes(1, shape_.lanes) / 2;
    Value* const step = build_.CreateAdd(build_.CreateMul(line, word(Arguments::record_row)), column);
    Value* const at = build_.CreateAdd(step, constant(before));
    build_.CreateAlignedStore(bits, build_.CreateGEP(build_.getInt8Ty(), address(Arguments::record), at),
                              llvm::Align(1));
  }

  // Of the edges on one side of a choice; others have one side.
  Value* largest_of(EventIndex index, int row, bool is_other) {
    const SweepEvent& event = plan_.events.events[index];
    Value* result = nullptr;
    for (const Edge& edge : event.edges) {
      if (edge.is_other != is_other) continue;
      const WeightId weight = is_inner() ? weights_.inside(edge.weight) : edge.weight;
      if (weight == Weights::never) continue;
      const Offset distance = plan_.schedule.distance({edge.source, index, edge.offset});
      Value* value = read(edge.source, row, distance);
      if (weight != Weights::zero) value = build_.CreateFAdd(value, weight_value(weight, lag(index, row)));
      result = result ? build_.CreateSelect(build_.CreateFCmpOGT(result, value), result, value) : value;
    }
    return result ? result : llvm::ConstantFP::getInfinity(vector_, true);
  }

  Value* add(Value* sum, const Addend& addend, EventIndex index, int row) {
    Value* value;
    if (addend.array) {
      value = read(*addend.array, row, plan_.schedule.distance({*addend.array, index, {}}));
    } else {
      Value* const at =
          build_.CreateConstGEP1_64(real_, address(Arguments::tile_weights),
                                    std::uint64_t{addend.weight} * static_cast<std::uint64_t>(shape_.lanes));
      value = build_.CreateAlignedLoad(vector_, at, llvm::Align(8));
    }
    if (!is_inner() && addend.gate != Weights::zero) {
      Value* const gate = weight_value(addend.gate, lag(index, row));
      Value* const nothing = llvm::Constant::getNullValue(vector_);
      value = build_.CreateSelect(build_.CreateFCmpOEQ(gate, nothing), value, nothing);
    }
    return build_.CreateFAdd(sum, value);
  }

  // --- weights ---

  // Of a process that lags so.
  Value* weight_value(WeightId weight, Offset lag) {
    if (!weights_.is_gated(weight)) return splat(same_weight(weight));
    for (std::size_t axis = 0; axis < 3; ++axis) lag[axis] = is_guarded(axis) ? lag[axis] : 0;
    const auto known = weight_values_.find({weight, lag});
    if (known != weight_values_.end()) return known->second;
    const Weights::Node node = weights_[weight];
    const auto operand = [&](WeightId of) { return weight_value(of, lag); };
    Value* value;
    if (node.kind == Weights::Kind::gated) {
      value = operand(node.a);
      if (Value* const present = presence(node.offset, lag))
        value = build_.CreateSelect(present, value, operand(node.b));
    } else {
      value = combined(node, operand);
    }
    return weight_values_[{weight, lag}] = value;
  }

  // The same everywhere, so that it is computed once, on entry.
  Value* same_weight(WeightId weight) {
    if (const auto known = same_weights_.find(weight); known != same_weights_.end()) return known->second;
    const llvm::IRBuilderBase::InsertPointGuard guard(build_);
    build_.SetInsertPoint(entered_);
    Value* const value = combined(weights_[weight], [&](WeightId of) { return same_weight(of); });
    return same_weights_[weight] = value;
  }

  template <class Operand>
  Value* combined(const Weights::Node& node, const Operand& operand) {
    const auto number = [&](double value) { return llvm::ConstantFP::get(real_, value); };
    constexpr double never = -std::numeric_limits<double>::infinity();
    switch (node.kind) {
      case Weights::Kind::zero: return number(0);
      case Weights::Kind::never: return number(never);
      case Weights::Kind::given:
        return build_.CreateLoad(real_, build_.CreateConstGEP1_64(real_, address(Arguments::given), node.a));
      case Weights::Kind::minus: return build_.CreateFNeg(operand(node.a));
      default: break;
    }
    Value* const a = operand(node.a);
    Value* const b = operand(node.b);
    if (node.kind == Weights::Kind::sum) return build_.CreateFAdd(a, b);
    Value* const is_above = build_.CreateFCmpOGT(a, b);
    if (node.kind == Weights::Kind::largest) return build_.CreateSelect(is_above, a, b);
    return build_.CreateSelect(is_above, a, llvm::ConstantFP::get(a->getType(), never));
  }

  // --- values of other steps ---

  Value* read(EventIndex event, int row, const Offset& distance) {
    const int from = row - distance[1];
    if (distance[0] > 0) {
      const std::uint32_t plane = arguments_.planes[event] + static_cast<std::uint32_t>(distance[0]);
      return buffered(plane, build_.CreateAdd(word(Arguments::row), constant(from)), from, distance[2]);
    }
    if (from < 0) return buffered(arguments_.edge_in[event], constant(-from - 1), from, distance[2]);
    return distance[2] == 0 ? now(event, from) : held_.at({event, from, distance[2]});
  }

  Value* buffer_address(std::uint32_t argument, Value* line, int back) {
    Value* const at =
        build_.CreateAdd(build_.CreateMul(line, word(Arguments::line)), build_.CreateSub(column_, constant(back)));
    return build_.CreateGEP(vector_, address(argument), at);
  }

  Value* buffered(std::uint32_t argument, Value* line, int key, int back) {
    Value*& known = loads_[{argument, key, back}];
    if (!known) known = build_.CreateAlignedLoad(vector_, buffer_address(argument, line, back), vector_alignment());
    return known;
  }

  llvm::Align vector_alignment() const {
    return llvm::Align(std::min<std::uint64_t>(64, 8 * static_cast<std::uint64_t>(shape_.lanes)));
  }

  // For later strips and planes.
  void keep(EventIndex event, int row) {
    const int slot = shape_.rows - 1 - row;
    if (slot < plan_.rows_back[event]) {
      build_.CreateAlignedStore(now(event, row), buffer_address(arguments_.edge_out[event], constant(slot), 0),
                                vector_alignment());
    }
    if (plan_.planes_back[event] > 0) {
      Value* const line = build_.CreateAdd(word(Arguments::row), constant(row));
      build_.CreateAlignedStore(now(event, row), buffer_address(arguments_.planes[event], line, 0), vector_alignment());
    }
  }

  // The value of the last tile, for the next block of tiles.
  void store(std::size_t index, int row) {
    const EventIndex event = plan_.events.carried[index].last;
    const StoreRow to = store_row(index, row);
    Value* const lane = build_.CreateSub(constant(shape_.lanes - 1), last_lane());
    Value* const value = build_.CreateExtractElement(now(event, row), lane);
    Value* const column = last_place(lag(event, row), 2);
    Value* at = build_.CreateGEP(real_, to.base, build_.CreateMul(column, stride(2)));
    Value* on_grid = shape_.inner ? nullptr : to.is_on_grid;
    if (guarded_) on_grid = on_grid ? build_.CreateAnd(on_grid, is_on(column, 2)) : is_on(column, 2);
    if (on_grid) at = build_.CreateSelect(on_grid, at, address(Arguments::nowhere));
    build_.CreateStore(value, at);
  }

  Weights weights_;
  llvm::AllocaInst* column_variable_ = nullptr;
  std::map<Kept, llvm::AllocaInst*> kept_;
  llvm::Instruction* entered_ = nullptr;     // the last on entry
  std::map<WeightId, Value*> same_weights_;  // computed on entry

  // Of the step that is being emitted.
  std::map<Kept, Value*> held_;           // as it was kept
  std::vector<std::vector<Value*>> now_;  // per event and row
  std::map<std::tuple<std::uint32_t, int, int>, Value*> loads_;
  std::map<std::pair<WeightId, Offset>, Value*> weight_values_;  // by the lag of their process
};

}  // namespace

void emit_strip(llvm::Module& module, const std::string& name, const Plan& plan, const Shape& shape) {
  StripEmitter(module, name, plan, shape).emit();
}

}  // namespace wave::jit::sweep
