// The frame of a strip's code: the values of earlier steps in registers, the loop over the steps, what is stored.
#include "backend/jit/lanes/emit_strip.h"

#include "backend/jit/lanes/strip_quanta.h"
#include "backend/jit/target.h"

#include <bit>
#include <limits>

namespace wave::jit::lanes {

using ir::ScalarType;

StripEmitter::StripEmitter(ModuleEmitter& module, const StripSource& source, llvm::Function* function, bool masked)
    : module_(module),
      source_(source),
      plan_(source.plan),
      tables_(source.tables),
      system_(module.system),
      group_(module.layout.groups[source.group]),
      space_(module.system[group_.space]),
      function_(function),
      masked_(masked),
      quanta_(source.shape.quanta),
      absent_(quanta_ ? std::bit_cast<double>(quanta::absent) : -std::numeric_limits<double>::infinity()),
      lanes_(source.shape.lanes),
      vectors_(source.shape.vectors),
      rank_(static_cast<std::uint32_t>(space_.axes.size())),
      events_(static_cast<std::uint32_t>(group_.events.size())),
      build_(llvm::BasicBlock::Create(module.context, "entry", function)),
      lane_(module, function, build_, lanes_),
      arguments_(function->getArg(2)) {
  for (std::uint32_t i = 0; i < plan_.neighbours.size(); ++i) {
    if (!plan_.neighbours[i].near()) far_number_.emplace(i, static_cast<std::uint32_t>(far_number_.size()));
  }
}

// --- memory ---

llvm::Value* StripEmitter::word(llvm::Type* type, std::uint32_t number) {
  return build_.CreateLoad(type, build_.CreateConstInBoundsGEP1_64(module_.i64, arguments_, number));
}

llvm::Value* StripEmitter::words_on(llvm::Value* pointer, llvm::Value* words) {
  return build_.CreateGEP(module_.i64, pointer, words);
}

llvm::Value* StripEmitter::load(llvm::Type* type, llvm::Value* address) {
  return build_.CreateAlignedLoad(type, address, llvm::Align(std::uint64_t{8} * lanes_));
}

llvm::VectorType* StripEmitter::state_type(std::uint32_t event) const {
  const bool real = system_[group_.events[event]].type == ScalarType::real;
  return llvm::FixedVectorType::get(real ? module_.real : module_.i64, lanes_);
}

llvm::Type* StripEmitter::table_type(const StripTable& table) const {
  const bool real = table.type == ScalarType::real && !(quanta_ && table.rounded);
  return real ? module_.real : static_cast<llvm::Type*>(module_.i64);
}

llvm::Value* StripEmitter::scalar_at(llvm::Value* pointer, llvm::Value* words, llvm::Type* type) {
  return build_.CreateLoad(type, words_on(pointer, words));
}

// --- on entry and at the end ---

void StripEmitter::load_state() {
  llvm::Value* const state = word(module_.pointer, StripArguments::state);
  std::int64_t words = 0;
  for (std::uint32_t event = 0; event < events_; ++event) {
    state_.emplace_back();
    for (std::int32_t back = 0; back < plan_.events[event].steps; ++back) {
      state_.back().emplace_back();
      for (std::uint32_t vector = 0; vector < vectors_; ++vector, words += lanes_) {
        llvm::AllocaInst* const slot = build_.CreateAlloca(state_type(event));
        build_.CreateStore(load(state_type(event), words_on(state, constant(words))), slot);
        state_.back().back().push_back(slot);
      }
    }
  }
}

void StripEmitter::store_state() {
  llvm::Value* const state = word(module_.pointer, StripArguments::state);
  std::int64_t words = 0;
  for (std::uint32_t event = 0; event < events_; ++event) {
    for (const auto& vectors : state_[event]) {
      for (llvm::AllocaInst* const slot : vectors) {
        build_.CreateAlignedStore(build_.CreateLoad(state_type(event), slot), words_on(state, constant(words)),
                                  llvm::Align(std::uint64_t{8} * lanes_));
        words += lanes_;
      }
    }
  }
}

void StripEmitter::load_arguments() {
  quantum_ = word(module_.real, StripArguments::quantum);
  inverse_ = word(module_.real, StripArguments::inverse);
  rows_ = word(module_.i64, StripArguments::rows);
  columns_ = word(module_.i64, StripArguments::columns);
  first_row_ = word(module_.i64, StripArguments::first_row);
  strip_words_ = word(module_.i64, StripArguments::strip_words);
  row_words_ = word(module_.i64, StripArguments::row_words);
  for (std::uint32_t axis = 0; axis < rank_; ++axis) origin_.push_back(word(module_.i64, StripArguments::origin(axis)));
  for (std::uint32_t event = 0; event < events_; ++event) {
    out_.push_back(word(module_.pointer, StripArguments::out(rank_, event)));
    pitch_.push_back(word(module_.i64, StripArguments::pitch(rank_, event)));
    above_.push_back(word(module_.pointer, StripArguments::above(rank_, event)));
    below_.push_back(word(module_.pointer, StripArguments::below(rank_, event)));
  }
  const auto fars = static_cast<std::uint32_t>(far_number_.size());
  for (std::uint32_t far = 0; far < fars; ++far) {
    far_.push_back(word(module_.pointer, StripArguments::far(rank_, events_, far)));
    llvm::Value* const present = word(module_.i64, StripArguments::far(rank_, events_, far) + 1);
    far_present_.push_back(lane_.splat(build_.CreateICmpNE(present, constant(0))));
  }
  for (std::uint32_t number = 0; number < tables_.tables.size(); ++number) {
    const StripTable& table = tables_.tables[number];
    const bool is_value = table.span == Span::once || table.span == Span::plane;
    llvm::Type* const type = is_value ? table_type(table) : module_.pointer;
    llvm::Value* const loaded = word(type, StripArguments::table(rank_, events_, fars, number));
    table_.push_back(is_value ? lane_.splat(loaded) : loaded);
  }
}

void StripEmitter::prepare() {
  lane_.quantum = quantum_;
  lane_.inverse = inverse_;
  lane_.in_event = true;
  lane_.leaf = [this](ir::ValueId value, const ir::Node& node) { return leaf(value, node); };
  bad_ = build_.CreateAlloca(lane_.type(ScalarType::boolean));
  build_.CreateStore(lane_.none(), bad_);
  rounded_bits_ = build_.CreateAlloca(lane_.type(ScalarType::integer));
  build_.CreateStore(lane_.splat(std::int64_t{0}), rounded_bits_);
  magic_ = build_.CreateFMul(quantum_, llvm::ConstantFP::get(module_.real, 0x1.8p52));
  if (!tables_.periodic()) return;
  period_ = word(module_.i64, StripArguments::period);
  phase_ = build_.CreateAlloca(module_.i64);
  build_.CreateStore(build_.CreateURem(function_->getArg(3), period_), phase_);
}

void StripEmitter::emit() {
  load_arguments();
  prepare();
  load_state();
  llvm::BasicBlock* const begin = build_.GetInsertBlock();
  llvm::BasicBlock* const head = llvm::BasicBlock::Create(module_.context, "step", function_);
  build_.CreateBr(head);
  build_.SetInsertPoint(head);
  llvm::PHINode* const step = build_.CreatePHI(module_.i64, 2, "t");
  step->addIncoming(function_->getArg(3), begin);
  step_ = step;
  if (phase_) phase_words_ = build_.CreateMul(build_.CreateLoad(module_.i64, phase_), constant(source_.shape.rows()));
  emit_step();
  if (phase_) {
    llvm::Value* const next = build_.CreateAdd(build_.CreateLoad(module_.i64, phase_), constant(1));
    build_.CreateStore(build_.CreateSelect(build_.CreateICmpEQ(next, period_), constant(0), next), phase_);
  }
  step->addIncoming(build_.CreateAdd(step, constant(1)), build_.GetInsertBlock());
  llvm::BasicBlock* const end = llvm::BasicBlock::Create(module_.context, "end", function_);
  build_.CreateCondBr(build_.CreateICmpEQ(step, function_->getArg(4)), end, head);
  build_.SetInsertPoint(end);
  store_state();
  build_.CreateRet(build_.CreateZExt(lane_.any(bad_lanes()), module_.i32));
}

// Weights that were too large for their rounding, or not finite, have left the binade of `magic_`.
llvm::Value* StripEmitter::has_left_binade(llvm::Value* changed_bits) {
  constexpr std::int64_t all_but_fraction = ~((std::int64_t{1} << 52) - 1);
  return build_.CreateICmpNE(build_.CreateAnd(changed_bits, lane_.splat(all_but_fraction)),
                             lane_.splat(std::int64_t{0}));
}

llvm::Value* StripEmitter::bad_lanes() {
  llvm::Value* const changed = build_.CreateLoad(lane_.type(ScalarType::integer), rounded_bits_);
  return build_.CreateOr(build_.CreateLoad(lane_.type(ScalarType::boolean), bad_), has_left_binade(changed));
}

// --- a step: the last vector first, in whose place the new value goes ---

void StripEmitter::emit_step() {
  current_.assign(events_, std::vector<llvm::Value*>(vectors_, nullptr));
  earlier_.assign(events_, {});
  for (std::uint32_t event = 0; event < events_; ++event) {
    for (const auto& vectors : state_[event]) {
      for (llvm::AllocaInst* const slot : vectors)
        earlier_[event].push_back(build_.CreateLoad(state_type(event), slot));
    }
  }
  for (vector_ = vectors_; vector_-- > 0;) {
    lane_.forget();
    lane_.binders.clear();
    valid_ = row_ = column_ = nullptr;
    if (masked_) {
      llvm::Value* const row_inside = build_.CreateICmpSLT(coordinate(plan_.row_axis), lane_.splat(rows_));
      llvm::Value* const column = coordinate(plan_.column_axis);
      llvm::Value* const column_inside = build_.CreateICmpULT(column, lane_.splat(columns_));
      valid_ = build_.CreateAnd(row_inside, column_inside);
    }
    for (std::uint32_t event = 0; event < events_; ++event) {
      emit_event(event);
      if (masked_ || source_.shape.stores) store_out(event, vector_);
    }
  }
  for (std::uint32_t event = 0; event < events_; ++event) {
    store_below(event);
    const auto steps = static_cast<std::uint32_t>(plan_.events[event].steps);
    for (std::uint32_t back = 0; back < steps; ++back) {
      for (std::uint32_t vector = 0; vector < vectors_; ++vector) {
        llvm::Value* const value =
            back == 0 ? current_[event][vector] : earlier_[event][(back - 1) * vectors_ + vector];
        build_.CreateStore(value, state_[event][back][vector]);
      }
    }
  }
}

void StripEmitter::store_out(std::uint32_t event, std::uint32_t vector) {
  llvm::Value* const words =
      build_.CreateAdd(build_.CreateMul(step_, pitch_[event]), constant(std::int64_t{vector} * lanes_));
  auto* const store = build_.CreateAlignedStore(current_[event][vector], words_on(out_[event], words),
                                                llvm::Align(std::uint64_t{8} * lanes_));
  if (!source_.shape.streams) return;
  store->setMetadata(
      llvm::LLVMContext::MD_nontemporal,
      llvm::MDNode::get(module_.context, llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(module_.i32, 1))));
}

// The last rows are the strip's below to look at. Where quanta are counted nothing is lifted from strip to strip
// before the first column (quanta::longest_path).
void StripEmitter::store_below(std::uint32_t event) {
  for (std::int32_t distance = 1; distance <= plan_.events[event].rows_above; ++distance) {
    llvm::Value* value = build_.CreateExtractElement(current_[event][vectors_ - static_cast<std::uint32_t>(distance)],
                                                     std::uint64_t{lanes_ - 1});
    llvm::Value* const column = build_.CreateSub(step_, constant(plan_.skew * (source_.shape.rows() - distance)));
    if (quanta_ && !tables_.only_tables()) {
      llvm::Constant* const nothing = llvm::ConstantFP::get(module_.real, absent_);
      value = build_.CreateSelect(build_.CreateICmpSLT(column, constant(0)), nothing, value);
    }
    llvm::Value* const words = build_.CreateAdd(column, build_.CreateMul(row_words_, constant(distance - 1)));
    build_.CreateStore(value, words_on(below_[event], words));
  }
}

void emit_strip(ModuleEmitter& module, const StripSource& source, llvm::Function* function, bool masked) {
  function->addParamAttr(2, llvm::Attribute::NoAlias);
  use_widest_vectors(*function);
  StripEmitter(module, source, function, masked).emit();
}

}  // namespace wave::jit::lanes
