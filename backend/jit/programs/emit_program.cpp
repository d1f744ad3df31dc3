// A program's instructions as blocks of one function. Scalars are code in place; what happens to messages, collectives
// and phases is left to the runtime.
#include "backend/jit/programs/emit_program.h"

#include "backend/jit/function_emitter.h"
#include "backend/jit/programs/emit_message.h"
#include "backend/jit/thresholds.h"
#include "backend/processes/engine/layout.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <utility>
#include <vector>

namespace wave::jit::programs {

namespace {

namespace program = backend::processes::program;
using backend::processes::engine::Calls;
using backend::processes::engine::EntryPoint;
using backend::processes::engine::Outcome;
using backend::processes::engine::Shared;
using backend::processes::engine::SiteForCode;
using backend::processes::engine::Standing;
using program::Counter;
using program::OperandId;

class ProgramEmitter {
 public:
  ProgramEmitter(ModuleEmitter& module, const ProcessProgram& program, llvm::Function* function)
      : module_(module),
        program_(program),
        bytecode_(program.bytecode),
        code_(bytecode_.code),
        axes_(program.system[program.process.space].axes),
        rows_(module.system.roots.front().blocks.front()),
        in_(module, function, ir::System::root_frame),
        build_(in_.build),
        shared_(function->getArg(2)),
        standing_(function->getArg(3)),
        clock_(in_.local(module.real, "clock")),
        resources_(program.resources) {
    for (const program::Instruction& instruction : code_) {
      const auto* const n = std::get_if<program::Communicate>(&instruction);
      has_background_ = has_background_ || (n && n->message->background);
      messages_ += n ? 1 : 0;
    }
  }

  void emit() {
    for (Counter at = 0; at < code_.size(); ++at) begins_.push_back(in_.block("at"));
    in_steps_.resize(code_.size());
    // Where a process that is run again goes on; the blocks are known at the end.
    llvm::BasicBlock* const entry = build_.GetInsertBlock();
    for (Counter at = 0; at < code_.size(); ++at) {
      build_.SetInsertPoint(begins_[at]);
      const FunctionEmitter::Region region(in_);
      at_ = at;
      std::visit([&](const auto& n) { this->emit(n); }, code_[at]);
    }
    build_.SetInsertPoint(entry);
    load_clock();
    llvm::Value* const place = build_.CreateLoad(module_.i32, of_standing(offsetof(Standing, place)));
    llvm::SwitchInst* const go_on = build_.CreateSwitch(place, in_.failed);
    for (Counter at = 0; at < code_.size(); ++at) {
      go_on->addCase(number(EntryPoint::begin(at)), begins_[at]);
      if (in_steps_[at]) go_on->addCase(number(EntryPoint::in_steps(at)), in_steps_[at]);
    }
  }

 private:
  // --- places ---
  llvm::ConstantInt* number(std::uint32_t value) { return llvm::ConstantInt::get(module_.i32, value); }
  llvm::Value* of_standing(std::size_t offset) { return in_.at(standing_, static_cast<std::uint32_t>(offset)); }
  llvm::Value* coordinate(std::size_t axis) { return of_standing(sizeof(Standing) + 8 * axis); }
  llvm::Value* slot(program::Slot slot) { return coordinate(axes_.size() + slot); }
  llvm::Value* load_slot(program::Slot number) { return build_.CreateLoad(module_.i64, slot(number)); }
  void store_slot(llvm::Value* value, program::Slot number) { build_.CreateStore(value, slot(number)); }
  void go_to(Counter at) { in_.go_to(begins_[at]); }
  void pass() { go_to(at_ + 1); }
  void save_clock() { build_.CreateStore(clock(), of_standing(offsetof(Standing, clock))); }
  void load_clock() { set_clock(build_.CreateLoad(module_.real, of_standing(offsetof(Standing, clock)))); }
  llvm::Value* clock() { return build_.CreateLoad(module_.real, clock_); }
  void set_clock(llvm::Value* time) { build_.CreateStore(time, clock_); }
  void stand_at(std::uint32_t place) {
    save_clock();
    build_.CreateStore(number(place), of_standing(offsetof(Standing, place)));
    in_.return_done();
  }

  // --- calls of the runtime; `which`: its place in `Calls` ---
  llvm::Value* call(std::size_t which, llvm::Type* result, std::vector<llvm::Value*> arguments) {
    llvm::Value* const function = build_.CreateLoad(
        module_.pointer, in_.at(shared_, static_cast<std::uint32_t>(offsetof(Shared, calls) + which)));
    arguments.insert(arguments.begin(), {shared_, standing_});
    std::vector<llvm::Type*> types;
    for (llvm::Value* const argument : arguments) types.push_back(argument->getType());
    return build_.CreateCall(llvm::FunctionType::get(result, types, false), function, arguments);
  }
  // Of one that may move the clock.
  llvm::Value* call_with_clock(std::size_t which, const std::vector<llvm::Value*>& arguments) {
    save_clock();
    llvm::Value* const outcome = call(which, module_.i32, arguments);
    load_clock();
    return outcome;
  }
  // What an outcome leads to; of others than these and `goes_on` it fails.
  void follow(llvm::Value* outcome, std::initializer_list<std::pair<Outcome, llvm::BasicBlock*>> ways,
              llvm::BasicBlock* goes_on) {
    llvm::SwitchInst* const way = build_.CreateSwitch(outcome, in_.failed);
    way->addCase(number(static_cast<std::uint32_t>(Outcome::goes_on)), goes_on);
    for (const auto& [kind, block] : ways) way->addCase(number(static_cast<std::uint32_t>(kind)), block);
  }
  // A block that leaves the process at a place.
  llvm::BasicBlock* leave_at(std::uint32_t place) {
    llvm::BasicBlock* const before = build_.GetInsertBlock();
    llvm::BasicBlock* const leave = in_.block("leave");
    build_.SetInsertPoint(leave);
    stand_at(place);
    build_.SetInsertPoint(before);
    return leave;
  }

  // --- operands ---
  llvm::Value* value(OperandId id) {
    in_.binders.clear();
    for (const program::Operand::Source& source : bytecode_.operands[id].sources) {
      const auto& binders = bytecode_.binders;
      const auto which = static_cast<std::size_t>(std::ranges::find(binders, source.binder) - binders.begin());
      llvm::Value* const address = source.is_axis ? coordinate(source.number) : slot(source.number);
      in_.binders[rows_.levels[which].binder] = build_.CreateLoad(module_.i64, address);
    }
    return in_.emit(rows_.columns[id]);
  }

  llvm::Value* site() {
    llvm::Value* const sites = build_.CreateLoad(module_.pointer, in_.at(shared_, offsetof(Shared, sites)));
    return in_.at(sites, static_cast<std::uint32_t>(at_ * sizeof(SiteForCode)));
  }

  // --- instructions ---
  void emit(const program::Compute& n);
  void emit(const program::Communicate& n);
  void emit_usual(const program::Communicate& n, llvm::Value* receiver, bool is_resumed, llvm::BasicBlock* unusual,
                  llvm::BasicBlock* waits);
  llvm::Value* find_by_offset(const std::vector<llvm::Value*>& offsets, llvm::BasicBlock* off_grid);
  void emit(const program::AwaitPending&) {
    llvm::Value* const outcome = call_with_clock(offsetof(Calls, await_pending), {number(at_)});
    follow(outcome, {{Outcome::again, leave_at(EntryPoint::begin(at_))}}, begins_[at_ + 1]);
  }
  void emit(const program::BeginTask& n) {
    llvm::Value* const priority = value(n.priority);
    follow(call_with_clock(offsetof(Calls, begin_task), {number(at_), priority, slot(0)}), {}, begins_[at_ + 1]);
  }
  void emit(const program::TakeTask& n) {
    llvm::BasicBlock* const taken = in_.block("taken");
    llvm::Value* const outcome = call_with_clock(offsetof(Calls, take_task), {number(at_), slot(0)});
    follow(outcome, {{Outcome::again, leave_at(EntryPoint::begin(at_))}}, taken);
    build_.SetInsertPoint(taken);
    llvm::SwitchInst* const goes_on = build_.CreateSwitch(load_slot(n.slot), begins_[n.exit]);
    for (const Counter body : n.bodies) goes_on->addCase(build_.getInt64(body), begins_[body]);
  }
  void emit(const program::Synchronise& n) {
    llvm::BasicBlock* const pays = in_.block("pays");
    llvm::Value* const outcome = call_with_clock(offsetof(Calls, synchronise), {number(at_)});
    follow(outcome, {{Outcome::again, leave_at(EntryPoint::begin(at_))}, {Outcome::pays, pays}}, begins_[at_ + 1]);
    build_.SetInsertPoint(pays);
    llvm::Value* const cost = value(n.cost);
    follow(call_with_clock(offsetof(Calls, pay), {number(at_), cost}), {}, begins_[at_ + 1]);
  }
  void emit(const program::Jump& n) { go_to(n.to); }
  void emit(const program::Test& n) {
    llvm::Value* const holds = value(n.condition);
    build_.CreateCondBr(holds, begins_[at_ + 1], begins_[n.otherwise]);
  }
  void emit(const program::EnterPhase& n) {
    build_.CreateStore(clock(), slot(n.slot));
    pass();
  }
  void emit(const program::LeavePhase& n) {
    save_clock();
    llvm::Value* const entered = build_.CreateLoad(module_.real, slot(n.slot));
    call(offsetof(Calls, leave_phase), llvm::Type::getVoidTy(module_.context), {number(n.phase.index), entered});
    pass();
  }
  void emit(const program::EnterLoop& n) {
    const OperandId operands[] = {n.first, n.last, n.step};
    for (std::uint32_t i = 0; i < 3; ++i) store_slot(value(operands[i]), n.slot + i);
    llvm::Value* const found =
        call(offsetof(Calls, enter_loop), module_.i32, {slot(n.slot), number(n.geometric ? 1 : 0)});
    llvm::SwitchInst* const way = build_.CreateSwitch(found, in_.failed);
    way->addCase(number(0), begins_[n.exit]);
    way->addCase(number(1), begins_[at_ + 1]);
  }
  void emit(const program::NextIteration& n) {
    in_.tick(in_.constant(1));
    if (n.geometric) {
      llvm::Value* const found = call(offsetof(Calls, next_iteration), module_.i32, {slot(n.slot), number(1)});
      build_.CreateCondBr(build_.CreateICmpNE(found, number(0)), begins_[n.again], begins_[at_ + 1]);
      return;
    }
    llvm::Value* const last = load_slot(n.slot + 1);
    llvm::Value* const step = load_slot(n.slot + 2);
    llvm::Value* const sum = build_.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_with_overflow, load_slot(n.slot), step);
    llvm::Value* const next = build_.CreateExtractValue(sum, 0);
    llvm::Value* const is_in_range =
        build_.CreateSelect(build_.CreateICmpSGT(step, in_.constant(0)), build_.CreateICmpSLE(next, last),
                            build_.CreateICmpSGE(next, last));
    llvm::Value* const goes_on = build_.CreateAnd(is_in_range, build_.CreateNot(build_.CreateExtractValue(sum, 1)));
    repeat_where(goes_on, next, n.slot, n.again);
  }
  void repeat_where(llvm::Value* condition, llvm::Value* next, program::Slot slot, Counter again) {
    llvm::BasicBlock* const repeat = in_.block("again");
    build_.CreateCondBr(condition, repeat, begins_[at_ + 1]);
    build_.SetInsertPoint(repeat);
    store_slot(next, slot);
    go_to(again);
  }
  void emit(const program::EnterSweep& n) {
    llvm::Value* const tiles = value(n.tiles);
    store_slot(tiles, n.slot + 1);
    store_slot(in_.constant(1), n.slot);
    build_.CreateCondBr(build_.CreateICmpSGE(tiles, in_.constant(1)), begins_[at_ + 1], begins_[n.exit]);
  }
  void emit(const program::NextTile& n) {
    in_.tick(in_.constant(1));
    llvm::Value* const tile = load_slot(n.slot);
    repeat_where(build_.CreateICmpSLT(tile, load_slot(n.slot + 1)), build_.CreateAdd(tile, in_.constant(1)), n.slot,
                 n.again);
  }
  void emit(const program::EnterFronts& n) {
    store_slot(value(n.tiles), n.slot + 1);
    store_slot(in_.constant(0), n.slot + 2);   // the diagonal
    store_slot(in_.constant(-1), n.slot + 3);  // the front served last
    pass();
  }
  void emit(const program::NextBlock& n);
  void emit(const program::EndOfProgram&) {
    save_clock();
    build_.CreateStore(llvm::ConstantInt::get(module_.i8, 1), of_standing(offsetof(Standing, is_finished)));
    in_.return_done();
  }

  ModuleEmitter& module_;
  const ProcessProgram& program_;
  const program::Bytecode& bytecode_;
  const std::vector<program::Instruction>& code_;
  const std::vector<ir::Axis>& axes_;
  const ir::RowBlock& rows_;
  FunctionEmitter in_;
  llvm::IRBuilder<>& build_;
  llvm::Value* const shared_;
  llvm::Value* const standing_;
  llvm::AllocaInst* const clock_;
  const backend::processes::ResourceUse resources_;
  bool has_background_ = false;
  std::size_t messages_ = 0;                          // statements
  std::vector<llvm::BasicBlock*> begins_, in_steps_;  // by instruction
  Counter at_ = 0;
};

// The peer's rank. What leads off the grid of an axis goes to `off_grid`, or around.
llvm::Value* ProgramEmitter::find_by_offset(const std::vector<llvm::Value*>& offsets, llvm::BasicBlock* off_grid) {
  llvm::Value* rank = in_.constant(0);
  llvm::Value* const extents = build_.CreateLoad(module_.pointer, in_.at(shared_, offsetof(Shared, extents)));
  for (std::uint32_t axis = 0; axis < offsets.size(); ++axis) {
    llvm::Value* const extent = build_.CreateLoad(module_.i64, in_.at(extents, 8 * axis));
    llvm::Value* const from = build_.CreateLoad(module_.i64, coordinate(axis));
    const auto* const known = llvm::dyn_cast<llvm::ConstantInt>(offsets[axis]);
    if (known && known->isZero()) {
      rank = build_.CreateAdd(build_.CreateMul(rank, extent), build_.CreateSub(from, in_.constant(1)));
      continue;
    }
    llvm::Value* const sum = build_.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_with_overflow,
                                                          build_.CreateSub(from, in_.constant(1)), offsets[axis]);
    in_.check_call(build_.CreateZExt(build_.CreateExtractValue(sum, 1), module_.i32));
    llvm::Value* const straight = build_.CreateExtractValue(sum, 0);
    llvm::Value* to = straight;
    llvm::Value* const is_on_grid = build_.CreateICmpULT(straight, extent);
    llvm::BasicBlock* const found = in_.block("found");
    if (axes_[axis].wrap) {
      llvm::BasicBlock* const before = build_.GetInsertBlock();
      llvm::BasicBlock* const around = in_.block("around");
      build_.CreateCondBr(is_on_grid, found, around);
      build_.SetInsertPoint(around);
      llvm::Value* const rest = build_.CreateSRem(straight, extent);
      llvm::Value* const wrapped =
          build_.CreateSelect(build_.CreateICmpSLT(rest, in_.constant(0)), build_.CreateAdd(rest, extent), rest);
      build_.CreateBr(found);
      build_.SetInsertPoint(found);
      llvm::PHINode* const either = build_.CreatePHI(module_.i64, 2);
      either->addIncoming(straight, before);
      either->addIncoming(wrapped, around);
      to = either;
    } else {
      build_.CreateCondBr(is_on_grid, found, off_grid);
      build_.SetInsertPoint(found);
    }
    rank = build_.CreateAdd(build_.CreateMul(rank, extent), to);
  }
  return rank;
}

// On the quantum, as ir::arithmetic::quantize.
void ProgramEmitter::emit(const program::Compute& n) {
  llvm::Value* const zero = llvm::ConstantFP::get(module_.real, 0);
  llvm::Value* const time = value(n.time);
  llvm::Value* const is_not_finite = build_.CreateFCmpUNE(build_.CreateFSub(time, time), zero);
  in_.check_call(build_.CreateZExt(is_not_finite, module_.i32));
  llvm::Value* const quantum = build_.CreateLoad(module_.real, in_.at(shared_, offsetof(Shared, quantum)));
  llvm::Value* const quanta = build_.CreateUnaryIntrinsic(llvm::Intrinsic::nearbyint, build_.CreateFDiv(time, quantum));
  llvm::Value* const rounded = build_.CreateFAdd(build_.CreateFMul(quanta, quantum), zero);
  in_.where(build_.CreateFCmpUNE(time, rounded),
            [&] { call(offsetof(Calls, note_rounding), llvm::Type::getVoidTy(module_.context), {time, rounded}); });
  if (resources_.on_arrival) {
    follow(call_with_clock(offsetof(Calls, compute), {rounded}), {{Outcome::again, leave_at(EntryPoint::begin(at_))}},
           begins_[at_ + 1]);
    return;
  }
  set_clock(build_.CreateFAdd(clock(), rounded));
  if (resources_.differs()) {
    llvm::Value* const steps = of_standing(offsetof(Standing, steps));
    llvm::Value* const more = build_.CreateAdd(build_.CreateLoad(module_.i32, steps), number(1));
    build_.CreateStore(build_.CreateSelect(build_.CreateFCmpOGT(rounded, zero), number(0), more), steps);
  }
  llvm::Value* const operations = in_.at(shared_, offsetof(Shared, operations));
  build_.CreateStore(build_.CreateAdd(build_.CreateLoad(module_.i64, operations), in_.constant(1)), operations);
  pass();
}

void ProgramEmitter::emit(const program::Communicate& n) {
  std::vector<llvm::Value*> key{in_.constant(0)};
  for (const OperandId coordinate : n.coordinates) key.push_back(value(coordinate));
  const ir::Peer& written = n.message->peer;
  const bool is_offset = written.kind == ir::Peer::Kind::offset && !written.by_rank;
  llvm::Value* peer = nullptr;
  if (is_offset) {
    peer = find_by_offset({key.begin() + 1, key.end()}, begins_[at_ + 1]);
  } else {
    peer = call(offsetof(Calls, find_peer), module_.i64, {number(at_), in_.in_memory(key)});
    llvm::BasicBlock* const found = in_.block("found");
    llvm::SwitchInst* const way = build_.CreateSwitch(peer, found);
    way->addCase(llvm::ConstantInt::get(module_.i64, -1, true), begins_[at_ + 1]);
    way->addCase(llvm::ConstantInt::get(module_.i64, -2, true), in_.failed);
    build_.SetInsertPoint(found);
  }
  const bool has_size = n.size != program::no_operand;
  llvm::Value* const size = has_size ? value(n.size) : llvm::ConstantFP::get(module_.real, 0);
  llvm::Value* const within = build_.CreateTrunc(value(n.within), module_.i32);
  if (n.tag != program::no_operand) key.front() = value(n.tag);
  llvm::BasicBlock* const unusual = in_.block("unusual");
  llvm::BasicBlock* const waits = leave_at(EntryPoint::in_steps(at_));
  const auto is_fixed = [&](OperandId id) {
    return id == program::no_operand || bytecode_.operands[id].sources.empty();
  };
  // Where resources serve by time, all is left to the runtime.
  if (!resources_.differs() && is_offset && is_fixed(n.tag) && std::ranges::all_of(n.coordinates, is_fixed)) {
    if (has_size && !(is_fixed(n.size) && is_fixed(n.within))) {
      llvm::Value* const same_size =
          build_.CreateFCmpOEQ(size, build_.CreateLoad(module_.real, in_.at(site(), offsetof(SiteForCode, size))));
      llvm::Value* const same_place =
          build_.CreateICmpEQ(within, build_.CreateLoad(module_.i32, in_.at(site(), offsetof(SiteForCode, within))));
      llvm::BasicBlock* const usual = in_.block("usual");
      build_.CreateCondBr(build_.CreateAnd(same_size, same_place), usual, unusual);
      build_.SetInsertPoint(usual);
    }
    const bool sends = n.message->side == ir::Message::Side::send;
    llvm::Value* const rank = build_.CreateLoad(module_.i32, of_standing(offsetof(Standing, rank)));
    emit_usual(n, sends ? peer : build_.CreateZExt(rank, module_.i64), false, unusual, waits);
  } else {
    build_.CreateBr(unusual);
  }
  build_.SetInsertPoint(unusual);
  llvm::Value* const outcome =
      call_with_clock(offsetof(Calls, communicate),
                      {number(at_), build_.CreateTrunc(peer, module_.i32), size, within, in_.in_memory(key)});
  follow(outcome, {{Outcome::waits, waits}, {Outcome::again, leave_at(EntryPoint::begin(at_))}}, begins_[at_ + 1]);
  in_steps_[at_] = in_.block("in_steps");
  build_.SetInsertPoint(in_steps_[at_]);
  if (!resources_.differs()) {
    llvm::BasicBlock* const still_unusual = in_.block("unusual");
    emit_usual(n, in_.constant(0), true, still_unusual, waits);
    build_.SetInsertPoint(still_unusual);
  }
  follow(call_with_clock(offsetof(Calls, go_on_with_message), {number(at_)}), {{Outcome::waits, waits}},
         begins_[at_ + 1]);
}

// Its steps in code.
void ProgramEmitter::emit_usual(const program::Communicate& n, llvm::Value* receiver, bool is_resumed,
                                llvm::BasicBlock* unusual, llvm::BasicBlock* waits) {
  llvm::Function* const message = message_function(
      module_, {program_.system, n.message->ends, n.message->side, n.message->background, n.size != program::no_operand,
                has_background_, messages_ <= most_inlined_messages, program_.records});
  llvm::Value* const result =
      build_.CreateCall(message, {shared_, standing_, site(), receiver, clock(), build_.getInt1(is_resumed)});
  set_clock(build_.CreateExtractValue(result, 0));
  llvm::BasicBlock* const leaves = in_.block("leaves");
  llvm::SwitchInst* const way = build_.CreateSwitch(build_.CreateExtractValue(result, 1), unusual);
  way->addCase(number(static_cast<std::uint32_t>(Outcome::goes_on)), begins_[at_ + 1]);
  way->addCase(number(static_cast<std::uint32_t>(Outcome::waits)), waits);
  way->addCase(number(MessageOutcome::leaves), leaves);
  way->addCase(number(static_cast<std::uint32_t>(Outcome::failed)), in_.failed);
  build_.SetInsertPoint(leaves);
  follow(call_with_clock(offsetof(Calls, leave_in_background), {number(at_)}), {}, begins_[at_ + 1]);
}

// As engine/instructions.cpp has it: the blocks of all fronts by diagonal, then in the order of the list.
void ProgramEmitter::emit(const program::NextBlock& n) {
  in_.tick(in_.constant(1));
  llvm::Value* const tiles = load_slot(n.slot + 1);
  llvm::Value* const diagonal = load_slot(n.slot + 2);
  llvm::Value* const served = load_slot(n.slot + 3);
  llvm::Value* const extents = build_.CreateLoad(module_.pointer, in_.at(shared_, offsetof(Shared, extents)));
  llvm::Value* chosen = in_.constant(-1);
  llvm::Value* best = in_.constant(std::numeric_limits<std::int64_t>::max());
  llvm::Value* tile = in_.constant(0);
  for (std::uint32_t front = 0; front < n.sweep->fronts.size(); ++front) {
    llvm::Value* hops = in_.constant(0);
    for (std::uint32_t axis = 0; axis < axes_.size(); ++axis) {
      llvm::Value* const here = build_.CreateLoad(module_.i64, coordinate(axis));
      llvm::Value* const extent = build_.CreateLoad(module_.i64, in_.at(extents, 8 * axis));
      llvm::Value* const distance = n.sweep->fronts[front].rising[axis] ? build_.CreateSub(here, in_.constant(1))
                                                                        : build_.CreateSub(extent, here);
      hops = build_.CreateAdd(hops, distance);
    }
    llvm::Value* const next = build_.CreateSelect(build_.CreateICmpSGT(in_.constant(front), served), diagonal,
                                                  build_.CreateAdd(diagonal, in_.constant(1)));
    llvm::Value* const first = build_.CreateAdd(hops, in_.constant(1));
    llvm::Value* const earliest = build_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, next, first);
    llvm::Value* const its_tile = build_.CreateSub(earliest, hops);
    llvm::Value* const is_better =
        build_.CreateAnd(build_.CreateICmpSLE(its_tile, tiles), build_.CreateICmpSLT(earliest, best));
    chosen = build_.CreateSelect(is_better, in_.constant(front), chosen);
    best = build_.CreateSelect(is_better, earliest, best);
    tile = build_.CreateSelect(is_better, its_tile, tile);
  }
  llvm::BasicBlock* const found = in_.block("found");
  build_.CreateCondBr(build_.CreateICmpSLT(chosen, in_.constant(0)), begins_[n.exit], found);
  build_.SetInsertPoint(found);
  store_slot(tile, n.slot);
  store_slot(best, n.slot + 2);
  store_slot(chosen, n.slot + 3);
  llvm::SwitchInst* const way = build_.CreateSwitch(chosen, begins_[n.exit]);
  for (std::uint32_t i = 0; i < n.bodies.size(); ++i)
    way->addCase(llvm::ConstantInt::get(module_.i64, i), begins_[n.bodies[i]]);
}

}  // namespace

void emit_program(ModuleEmitter& module, const ProcessProgram& program, llvm::Function* function) {
  ProgramEmitter(module, program, function).emit();
}

}  // namespace wave::jit::programs
