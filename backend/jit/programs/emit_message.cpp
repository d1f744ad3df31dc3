// One function for each side of a machine's messages, with the steps of all its protocols in a row.
#include "backend/jit/programs/emit_message.h"

#include "backend/processes/engine/layout.h"
#include "backend/processes/engine/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace wave::jit::programs {

namespace {

using backend::processes::engine::bit_of;
using backend::processes::engine::Calls;
using backend::processes::engine::EndsForCode;
using backend::processes::engine::Message;
using backend::processes::engine::number_of;
using backend::processes::engine::other;
using backend::processes::engine::Outcome;
using backend::processes::engine::Ring;
using backend::processes::engine::Shared;
using backend::processes::engine::SiteForCode;
using backend::processes::engine::Standing;
using Kind = ir::Step::Kind;

class MessageEmitter {
 public:
  MessageEmitter(ModuleEmitter& module, const MessageCode& code, llvm::Function* function)
      : module_(module),
        code_(code),
        protocols_(code.system[code.ends].protocols),
        function_(function),
        build_(llvm::BasicBlock::Create(module.context, "entry", function)),
        channel_(build_.CreateAlloca(module.pointer, nullptr, "channel")),
        ordinal_(build_.CreateAlloca(module.i32, nullptr, "ordinal")),
        capacity_(build_.CreateAlloca(module.i64, nullptr, "capacity")),
        message_(build_.CreateAlloca(module.pointer, nullptr, "message")),
        passes_(build_.CreateAlloca(module.pointer, nullptr, "passes")),
        times_(build_.CreateAlloca(module.pointer, nullptr, "times")),
        protocol_(build_.CreateAlloca(module.i32, nullptr, "protocol")),
        clock_(build_.CreateAlloca(module.real, nullptr, "clock")) {}

  void emit() {
    llvm::BasicBlock* const called = block("called");
    llvm::BasicBlock* const resumed = block("resumed");
    unusual_ = block("unusual");
    build_.CreateStore(function_->getArg(4), clock_);
    build_.CreateCondBr(function_->getArg(5), resumed, called);
    build_.SetInsertPoint(called);
    call();
    llvm::SwitchInst* const begin = build_.CreateSwitch(load(protocol_, module_.i32), unusual_);
    build_.SetInsertPoint(resumed);
    resume();
    llvm::SwitchInst* const go_on = build_.CreateSwitch(load(protocol_, module_.i32), unusual_);
    for (std::uint32_t protocol = 0; protocol < protocols_.size(); ++protocol) {
      if (protocols_[protocol].window.valid()) continue;  // the runtime counts them
      llvm::BasicBlock* const first = block("protocol");
      llvm::BasicBlock* const again = block("again");
      begin->addCase(number(protocol), first);
      go_on->addCase(number(protocol), again);
      build_.SetInsertPoint(again);
      llvm::Value* const step = load(of_standing(offsetof(Standing, step)), module_.i32);
      at_step_ = build_.CreateSwitch(step, unusual_);
      build_.SetInsertPoint(first);
      // Nothing has happened up to here.
      build_.CreateStore(build_.CreateAdd(load(ordinal_, module_.i32), number(1)), called_);
      steps(protocols_[protocol]);
    }
    build_.SetInsertPoint(unusual_);
    leave(MessageOutcome::unusual);
  }

 private:
  const std::vector<ir::Step>& steps_of(const ir::Protocol& protocol, ir::Message::Side side) const {
    return side == ir::Message::Side::send ? protocol.sender : protocol.receiver;
  }

  // --- small pieces ---
  llvm::BasicBlock* block(const char* name) { return llvm::BasicBlock::Create(module_.context, name, function_); }
  llvm::ConstantInt* number(std::uint32_t value) { return llvm::ConstantInt::get(module_.i32, value); }
  llvm::Value* load(llvm::Value* address, llvm::Type* type) { return build_.CreateLoad(type, address); }
  llvm::Value* at(llvm::Value* base, std::size_t bytes) { return build_.CreateConstGEP1_64(module_.i8, base, bytes); }
  llvm::Value* of_standing(std::size_t bytes) { return at(function_->getArg(1), bytes); }
  llvm::Value* of_channel(std::size_t bytes) { return at(load(channel_, module_.pointer), bytes); }
  void go_where(llvm::Value* condition, llvm::BasicBlock* target) {
    llvm::BasicBlock* const next = block("next");
    build_.CreateCondBr(condition, target, next);
    build_.SetInsertPoint(next);
  }
  void leave(std::uint32_t outcome) {
    llvm::Value* result = llvm::PoisonValue::get(function_->getReturnType());
    result = build_.CreateInsertValue(result, load(clock_, module_.real), 0);
    build_.CreateRet(build_.CreateInsertValue(result, number(outcome), 1));
  }
  llvm::Value* call_runtime(std::size_t which, std::vector<llvm::Value*> arguments, llvm::Type* result = nullptr) {
    llvm::Value* const shared = function_->getArg(0);
    arguments.insert(arguments.begin(), shared);
    std::vector<llvm::Type*> types;
    for (llvm::Value* const argument : arguments) types.push_back(argument->getType());
    llvm::Value* const target = load(at(shared, offsetof(Shared, calls) + which), module_.pointer);
    if (!result) result = llvm::Type::getVoidTy(module_.context);
    return build_.CreateCall(llvm::FunctionType::get(result, types, false), target, arguments);
  }

  // --- where the message is ---
  llvm::Value* index(llvm::Value* ordinal) {
    llvm::Value* const mask = build_.CreateSub(load(capacity_, module_.i64), llvm::ConstantInt::get(module_.i64, 1));
    return build_.CreateAnd(build_.CreateZExt(ordinal, module_.i64), mask);
  }
  llvm::Value* ring() { return load(of_channel(offsetof(Ring, messages)), module_.pointer); }
  // Once channel and ordinal are known: what is read again after a store would be loaded again.
  void find_places() {
    static_assert(sizeof(Message) == 4);
    build_.CreateStore(build_.CreateZExt(load(of_channel(offsetof(Ring, capacity)), module_.i32), module_.i64),
                       capacity_);
    llvm::Value* const at = index(load(ordinal_, module_.i32));
    build_.CreateStore(build_.CreateGEP(module_.i32, ring(), at), message_);
    llvm::Value* const times = build_.CreateGEP(module_.i32, ring(), load(capacity_, module_.i64));
    build_.CreateStore(build_.CreateGEP(module_.real, times, at), passes_);
  }
  llvm::Value* message() { return load(message_, module_.pointer); }
  llvm::Value* passes(std::uint32_t await) {
    llvm::Value* const before =
        build_.CreateMul(load(capacity_, module_.i64), llvm::ConstantInt::get(module_.i64, await));
    return build_.CreateGEP(module_.real, load(passes_, module_.pointer), before);
  }
  std::size_t called_at(ir::Message::Side side) const { return offsetof(Ring, called) + 4 * number_of(side); }

  void find_ends(llvm::Value* ends) {
    llvm::Value* const all = load(at(function_->getArg(0), offsetof(Shared, ends)), module_.pointer);
    llvm::Value* const offset = build_.CreateMul(build_.CreateZExt(build_.CreateSub(ends, number(1)), module_.i64),
                                                 llvm::ConstantInt::get(module_.i64, sizeof(EndsForCode)));
    llvm::Value* const found = build_.CreateGEP(module_.i8, all, offset);
    build_.CreateStore(load(at(found, offsetof(EndsForCode, protocol)), module_.i32), protocol_);
    build_.CreateStore(
        load(at(found, offsetof(EndsForCode, times) + sizeof(double*) * number_of(code_.side)), module_.pointer),
        times_);
  }

  void call() {
    llvm::Value* const site = function_->getArg(2);
    llvm::Value* const all = load(at(site, offsetof(SiteForCode, first)), module_.pointer);
    go_where(build_.CreateIsNull(all), unusual_);
    llvm::Value* const offset =
        build_.CreateMul(function_->getArg(3), load(at(site, offsetof(SiteForCode, stride)), module_.i64));
    build_.CreateStore(build_.CreateGEP(module_.i8, all, offset), channel_);
    called_ = of_channel(called_at(code_.side));
    llvm::Value* const ordinal = load(called_, module_.i32);
    build_.CreateStore(ordinal, ordinal_);
    llvm::Value* const under_way = build_.CreateSub(ordinal, load(of_channel(offsetof(Ring, oldest)), module_.i32));
    go_where(build_.CreateICmpUGE(under_way, load(of_channel(offsetof(Ring, capacity)), module_.i32)), unusual_);
    find_places();
    llvm::Value* const known = build_.CreateZExt(load(message(), llvm::Type::getInt16Ty(module_.context)), module_.i32);
    llvm::Value* ends = known;
    if (code_.has_size) {
      ends = load(at(site, offsetof(SiteForCode, ends)), module_.i32);
      // Sizes that differ, or a receiver that takes what is sent and has been called.
      llvm::Value* const is_new = build_.CreateICmpEQ(known, number(0));
      llvm::Value* const ahead = build_.CreateSub(load(of_channel(called_at(other(code_.side))), module_.i32), ordinal);
      llvm::Value* const is_second = build_.CreateICmpSGT(ahead, number(0));
      go_where(build_.CreateSelect(is_new, is_second, build_.CreateICmpNE(known, ends)), unusual_);
    }
    go_where(build_.CreateICmpEQ(ends, number(0)), unusual_);
    if (!code_.has_size) return find_ends(ends);
    build_.CreateStore(load(at(site, offsetof(SiteForCode, protocol)), module_.i32), protocol_);
    build_.CreateStore(load(at(site, offsetof(SiteForCode, times)), module_.pointer), times_);
    // It does no harm where the runtime takes over.
    build_.CreateStore(build_.CreateTrunc(ends, llvm::Type::getInt16Ty(module_.context)), message());
  }

  void resume() {
    build_.CreateStore(load(of_standing(offsetof(Standing, channel)), module_.pointer), channel_);
    build_.CreateStore(load(of_standing(offsetof(Standing, ordinal)), module_.i32), ordinal_);
    find_places();
    llvm::Value* const ends = build_.CreateZExt(load(message(), llvm::Type::getInt16Ty(module_.context)), module_.i32);
    go_where(build_.CreateICmpEQ(ends, number(0)), unusual_);
    find_ends(ends);
  }

  // --- steps ---
  void steps(const ir::Protocol& protocol) {
    const std::vector<ir::Step>& own = steps_of(protocol, code_.side);
    const std::vector<ir::Step>& theirs = steps_of(protocol, other(code_.side));
    const auto is_await = [](const ir::Step& step) { return ir::is_awaiting(step.kind); };
    // Awaits are numbered, the sender's first.
    const auto of_sender = static_cast<std::uint32_t>(std::ranges::count_if(protocol.sender, is_await));
    const auto all = of_sender + static_cast<std::uint32_t>(std::ranges::count_if(protocol.receiver, is_await));
    const bool sends = code_.side == ir::Message::Side::send;
    std::uint32_t await = sends ? 0 : of_sender;
    for (std::uint32_t step = 0; step < own.size(); ++step) {
      if (is_await(own[step])) {
        if (!wait(step, await++)) return;
        continue;
      }
      llvm::Value* const time = load(at(load(times_, module_.pointer), 8 * step), module_.real);
      llvm::Value* const then = build_.CreateFAdd(load(clock_, module_.real), time);
      if (own[step].kind == Kind::busy) {
        build_.CreateStore(then, clock_);
        continue;
      }
      leave_for_sent(own, step, sends ? 0 : of_sender);
      std::uint32_t there = sends ? of_sender : 0;
      bool is_awaited = false;
      for (const ir::Step& one : theirs) {
        if (!is_await(one)) continue;
        const bool is_meant = one.kind == Kind::await && one.signal == own[step].signal;
        if (is_meant) build_.CreateStore(then, passes(there)), is_awaited = true;
        ++there;
      }
      if (is_awaited) tell();
    }
    finish(all);
  }

  // For the steps of this end that wait until the bytes of what it emits have left.
  void leave_for_sent(const std::vector<ir::Step>& own, std::uint32_t emit, std::uint32_t first_await) {
    std::uint32_t await = first_await;
    for (std::uint32_t step = 0; step < own.size(); ++step) {
      if (!ir::is_awaiting(own[step].kind)) continue;
      if (own[step].kind == Kind::sent && own[step].signal == own[emit].signal) {
        llvm::Value* const time = load(at(load(times_, module_.pointer), 8 * step), module_.real);
        build_.CreateStore(build_.CreateFAdd(load(clock_, module_.real), time), passes(await));
      }
      ++await;
    }
  }

  // False: nothing comes behind it, since the rest is for the background.
  bool wait(std::uint32_t step, std::uint32_t await) {
    llvm::BasicBlock* const here = block("await");
    build_.CreateBr(here);
    at_step_->addCase(number(step), here);
    build_.SetInsertPoint(here);
    llvm::BasicBlock* const stands = block("stands");
    llvm::BasicBlock* const passed = block("passed");
    llvm::Value* when = nullptr;
    if (code_.background) {
      build_.CreateBr(stands);
    } else {
      when = load(passes(await), module_.real);
      build_.CreateCondBr(build_.CreateFCmpUNO(when, when), stands, passed);
    }
    build_.SetInsertPoint(stands);
    build_.CreateStore(load(channel_, module_.pointer), of_standing(offsetof(Standing, channel)));
    build_.CreateStore(load(ordinal_, module_.i32), of_standing(offsetof(Standing, ordinal)));
    build_.CreateStore(number(step), of_standing(offsetof(Standing, step)));
    if (code_.background) {
      leave(MessageOutcome::leaves);
      passed->eraseFromParent();
      return false;
    }
    build_.CreateStore(llvm::ConstantInt::get(module_.i8, 1),
                       of_channel(offsetof(Ring, waits) + number_of(code_.side)));
    build_.CreateStore(load(of_standing(offsetof(Standing, rank)), module_.i32),
                       of_channel(offsetof(Ring, process) + 4 * number_of(code_.side)));
    leave(static_cast<std::uint32_t>(Outcome::waits));
    build_.SetInsertPoint(passed);
    llvm::Value* const now = load(clock_, module_.real);
    if (code_.records) record(now, when);
    build_.CreateStore(build_.CreateSelect(build_.CreateFCmpOGT(when, now), when, now), clock_);
    return true;
  }

  // As Recording::add.
  void record(llvm::Value* now, llvm::Value* when) {
    using backend::processes::engine::LaterTime;
    llvm::Value* const is_other = build_.CreateFCmpOGT(when, now);
    llvm::Value* const zero = llvm::ConstantFP::get(module_.real, 0);
    llvm::Value* const is_tied = build_.CreateAnd(build_.CreateFCmpOEQ(when, now), build_.CreateFCmpUNE(now, zero));
    llvm::Value* const choice = build_.CreateOr(build_.CreateZExt(is_other, module_.i64),
                                                build_.CreateShl(build_.CreateZExt(is_tied, module_.i64), 1));
    llvm::Value* const word = of_standing(offsetof(Standing, choices));
    llvm::Value* const bits_at = of_standing(offsetof(Standing, choice_bits));
    llvm::Value* const bits = load(bits_at, module_.i32);
    llvm::Value* const shifted = build_.CreateShl(choice, build_.CreateZExt(bits, module_.i64));
    build_.CreateStore(build_.CreateOr(load(word, module_.i64), shifted), word);
    llvm::Value* const after = build_.CreateAdd(bits, number(LaterTime::bits));
    build_.CreateStore(after, bits_at);
    llvm::BasicBlock* const full = block("full");
    llvm::BasicBlock* const kept = block("kept");
    build_.CreateCondBr(build_.CreateICmpEQ(after, number(64)), full, kept);
    build_.SetInsertPoint(full);
    llvm::BasicBlock* const failed = block("failed");
    llvm::Value* const outcome = call_runtime(offsetof(Calls, keep_choices), {function_->getArg(1)}, module_.i32);
    build_.CreateCondBr(build_.CreateIsNull(outcome), kept, failed);
    build_.SetInsertPoint(failed);
    leave(static_cast<std::uint32_t>(Outcome::failed));
    build_.SetInsertPoint(kept);
  }

  // The other end, where it waits, or goes on in the background.
  void tell() {
    llvm::Value* const in_background =
        build_.CreateAnd(load(at(message(), offsetof(Message, in_background)), module_.i8),
                         llvm::ConstantInt::get(module_.i8, bit_of(other(code_.side))));
    llvm::Value* const waits = load(of_channel(offsetof(Ring, waits) + number_of(other(code_.side))), module_.i8);
    llvm::BasicBlock* const told = block("told");
    llvm::BasicBlock* const next = block("next");
    llvm::Value* const nobody =
        build_.CreateICmpEQ(build_.CreateOr(in_background, waits), llvm::ConstantInt::get(module_.i8, 0));
    build_.CreateCondBr(nobody, next, told);
    build_.SetInsertPoint(told);
    call_runtime(offsetof(Calls, tell), {load(channel_, module_.pointer), load(ordinal_, module_.i32),
                                         number(static_cast<std::uint32_t>(other(code_.side)))});
    build_.CreateBr(next);
    build_.SetInsertPoint(next);
  }

  void finish(std::uint32_t awaits) {
    const auto byte = [&](std::uint32_t value) { return llvm::ConstantInt::get(module_.i8, value); };
    llvm::Value* const done =
        build_.CreateOr(load(at(message(), offsetof(Message, done)), module_.i8), byte(bit_of(code_.side)));
    llvm::BasicBlock* const both = block("both");
    llvm::BasicBlock* const one = block("one");
    llvm::Value* const is_oldest =
        build_.CreateICmpEQ(load(ordinal_, module_.i32), load(of_channel(offsetof(Ring, oldest)), module_.i32));
    build_.CreateCondBr(build_.CreateAnd(build_.CreateICmpEQ(done, byte(3)), is_oldest), both, one);
    build_.SetInsertPoint(one);
    build_.CreateStore(done, at(message(), offsetof(Message, done)));
    leave(static_cast<std::uint32_t>(Outcome::goes_on));
    build_.SetInsertPoint(both);
    llvm::Value* const unknown = llvm::ConstantFP::get(module_.real, std::numeric_limits<double>::quiet_NaN());
    for (std::uint32_t await = 0; await < awaits; ++await) build_.CreateStore(unknown, passes(await));
    build_.CreateStore(number(0), message());
    llvm::Value* const next = build_.CreateAdd(load(ordinal_, module_.i32), number(1));
    build_.CreateStore(next, of_channel(offsetof(Ring, oldest)));
    llvm::Value* has_more = build_.CreateICmpNE(load(of_channel(offsetof(Ring, is_full)), module_.i8), byte(0));
    if (code_.may_overtake) {
      llvm::Value* const next_message = build_.CreateGEP(module_.i32, ring(), index(next));
      llvm::Value* const done_before = load(at(next_message, offsetof(Message, done)), module_.i8);
      has_more = build_.CreateOr(has_more, build_.CreateICmpEQ(done_before, byte(3)));
    }
    llvm::BasicBlock* const room = block("room");
    llvm::BasicBlock* const end = block("end");
    build_.CreateCondBr(has_more, room, end);
    build_.SetInsertPoint(room);
    call_runtime(offsetof(Calls, make_room), {load(channel_, module_.pointer)});
    build_.CreateBr(end);
    build_.SetInsertPoint(end);
    leave(static_cast<std::uint32_t>(Outcome::goes_on));
  }

  ModuleEmitter& module_;
  const MessageCode& code_;
  const std::vector<ir::Protocol>& protocols_;
  llvm::Function* const function_;
  llvm::IRBuilder<> build_;
  llvm::Value* const channel_;
  llvm::Value* const ordinal_;
  llvm::Value* const capacity_;
  llvm::Value* const message_;  // its address, and that of the time at which its first await may pass
  llvm::Value* const passes_;
  llvm::Value* const times_;
  llvm::Value* const protocol_;
  llvm::Value* const clock_;
  llvm::Value* called_ = nullptr;  // the address of how many that side has called
  llvm::BasicBlock* unusual_ = nullptr;
  llvm::SwitchInst* at_step_ = nullptr;  // where a resumed message goes on
};

}  // namespace

llvm::Function* message_function(ModuleEmitter& module, const MessageCode& code) {
  const std::string name = fmt::format("message_{}_{}_{}_{}{}", code.ends.index, static_cast<int>(code.side),
                                       code.background, code.has_size, code.records ? "_recording" : "");
  if (llvm::Function* const known = module.module->getFunction(name)) return known;
  llvm::Type* const result = llvm::StructType::get(module.context, {module.real, module.i32});
  auto* const function = llvm::Function::Create(
      llvm::FunctionType::get(
          result, {module.pointer, module.pointer, module.pointer, module.i64, module.real, module.i1}, false),
      llvm::Function::InternalLinkage, name, module.module.get());
  function->setDoesNotThrow();
  if (code.is_inlined) function->addFnAttr(llvm::Attribute::AlwaysInline);
  MessageEmitter(module, code, function).emit();
  return function;
}

}  // namespace wave::jit::programs
