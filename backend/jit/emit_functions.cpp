// The functions around scalars: rows, definitions, activations, reads of events.
#include "backend/jit/function_emitter.h"
#include "backend/limits.h"

namespace wave::jit {

void emit_rows(ModuleEmitter& module, llvm::Function* function) {
  FunctionEmitter in(module, function, ir::System::root_frame);
  const ir::RowBlock& rows = in.system.roots.front().blocks.front();
  llvm::AllocaInst* const row = in.local(llvm::ArrayType::get(module.i64, rows.columns.size()), "row");
  in.emit_levels(rows.levels, [&](llvm::BasicBlock*) {
    for (std::uint32_t column = 0; column < rows.columns.size(); ++column) {
      llvm::Value* const value = in.emit(rows.columns[column]);
      in.store_word(in.type_of(rows.columns[column]), value, in.at(row, 8 * column));
    }
    in.check_call(in.build.CreateCall(module.host(HostFunction::row), {in.context, row}));
  });
  in.return_done();
}

void emit_definition(ModuleEmitter& module, ir::DefinitionId id, llvm::Function* function) {
  FunctionEmitter in(module, function, module.system[id].frame);
  const ir::Definition& definition = in.system[id];
  llvm::Value* const state = in.at(in.record, in.layout.state_offset[id.index]);
  const auto state_is = [&](DefinitionState value) { return llvm::ConstantInt::get(module.i8, value); };
  in.fail_if(in.build.CreateICmpEQ(in.build.CreateLoad(module.i8, state), state_is(in_progress)), ir::SiteId{},
             ir::FailureKind::cyclic_definition, {{ir::ScalarType::integer, in.constant(id.index)}});
  in.build.CreateStore(state_is(in_progress), state);
  // A failure inside leaves the definition unevaluated, and notes that it came through here.
  llvm::BasicBlock* const outer = std::exchange(in.failed, in.block("unwind"));
  llvm::IRBuilder<> unwind(in.failed);
  unwind.CreateStore(state_is(not_evaluated), state);
  unwind.CreateCall(module.host(HostFunction::unwind), {in.context, in.constant32(id.index)});
  unwind.CreateBr(outer);
  llvm::Value* const value = in.emit(definition.body);
  in.store_word(definition.type, value, in.at(in.record, in.layout.value_offset[id.index]));
  in.build.CreateStore(state_is(evaluated), state);
  in.return_done();
}

// The record lives on the machine's stack; so activations are counted.
void emit_call(ModuleEmitter& module, ir::DefinitionId id, llvm::Function* function) {
  FunctionEmitter in(module, function, module.system[id].frame);
  const ir::Definition& definition = in.system[id];
  const FrameLayout& frame = in.layout.frames[definition.frame.index];
  llvm::Value* const out = function->getArg(2);
  llvm::Value* const depth_address = in.at(in.context, ContextLayout::depth);
  llvm::Value* const depth = in.build.CreateLoad(module.i64, depth_address);
  in.where(in.build.CreateICmpSGE(depth, in.constant(static_cast<std::int64_t>(backend::max_activations))), [&] {
    const auto kind = static_cast<std::uint32_t>(ir::FailureKind::recursion_too_deep);
    in.build.CreateCall(module.host(HostFunction::fail),
                        {in.context, function->getArg(3), in.constant32(kind), in.constant32(0), in.constant(0),
                         in.constant(0), in.constant(0)});
    in.build.CreateBr(in.failed);
  });
  in.tick(in.constant(8));
  in.build.CreateStore(in.build.CreateAdd(depth, in.constant(1)), depth_address);

  llvm::AllocaInst* const record = in.local(llvm::ArrayType::get(module.i64, frame.size / 8), "record");
  in.build.CreateStore(function->getArg(1), record);
  if (frame.cleared_bytes > 0) {
    in.build.CreateMemSet(in.at(record, 8), llvm::ConstantInt::get(module.i8, 0), frame.cleared_bytes, llvm::Align(8));
  }
  std::uint32_t argument = 4;
  for (std::uint32_t p = 0; p < in.system.parameters.size(); ++p) {
    const ir::FrameParameter& parameter = in.system.parameters[p];
    if (parameter.frame != definition.frame) continue;
    in.store_word(parameter.type, function->getArg(argument++), in.at(record, in.layout.parameter_offset[p]));
  }
  llvm::Value* const status = in.build.CreateCall(module.definition(id), {in.context, record});
  in.build.CreateStore(depth, depth_address);
  in.check_call(status);
  in.build.CreateStore(in.build.CreateLoad(module.i64, in.at(record, in.layout.value_offset[id.index])), out);
  in.return_done();
}

void emit_value(ModuleEmitter& module, ir::ValueId value, llvm::Function* function) {
  FunctionEmitter in(module, function, ir::System::root_frame);
  llvm::Value* const result = in.emit(value);
  in.store_word(in.type_of(value), result, function->getArg(2));
  in.return_done();
}

// Unlike a definition it is no scope of its own: a failure goes on to carry the indices of the loops further out.
void emit_shared(ModuleEmitter& module, ir::ValueId value, ir::FrameId frame, llvm::Function* function) {
  FunctionEmitter in(module, function, frame);
  const SharedSlot slot = in.layout.frames[frame.index].shared.at(value);
  in.store_word(in.type_of(value), in.emit_in_place(value), in.at(in.record, slot.value));
  in.build.CreateStore(llvm::ConstantInt::get(module.i8, evaluated), in.at(in.record, slot.state));
  in.return_done();
}

namespace {

// A whole number in the code.
struct Emitted {
  llvm::IRBuilder<>& build;
  llvm::Value* value;

  Emitted with(llvm::Value* other) const { return {build, other}; }
  Emitted operator+(Emitted other) const { return with(build.CreateAdd(value, other.value)); }
  Emitted operator-(Emitted other) const { return with(build.CreateSub(value, other.value)); }
  Emitted operator*(Emitted other) const { return with(build.CreateMul(value, other.value)); }
  Emitted operator<<(Emitted bits) const { return with(build.CreateShl(value, bits.value)); }
  Emitted operator>>(Emitted bits) const { return with(build.CreateLShr(value, bits.value)); }
  Emitted operator>>(unsigned bits) const { return with(build.CreateLShr(value, bits)); }
  Emitted operator&(unsigned bits) const { return with(build.CreateAnd(value, bits)); }
};

// Where cells lie in strips along the axis of rows: the words from row 0 to the one that is read. 0 where they do not.
llvm::Value* emit_words_to_row(FunctionEmitter& in, GroupIndex group, llvm::Value* header, llvm::Function* function) {
  const lanes::StripPlan& plan = in.layout.strips[group];
  auto& build = in.build;
  const auto word = [&](std::uint32_t number) {
    return Emitted{build, build.CreateLoad(in.module.i64, in.at(header, 8 * number))};
  };
  llvm::BasicBlock* const before = build.GetInsertBlock();
  llvm::BasicBlock* const in_strips = in.block("in_strips");
  llvm::BasicBlock* const found = in.block("found");
  const Emitted code = word(GroupHeader::in_strips);
  build.CreateCondBr(build.CreateICmpEQ(code.value, in.constant(0)), found, in_strips);
  build.SetInsertPoint(in_strips);
  const Emitted index{build, function->getArg(3 + plan.row_axis)};
  const Emitted row = plan.rising[plan.row_axis] ? index - word(GroupHeader::first(plan.row_axis))
                                                 : word(GroupHeader::last(plan.row_axis)) - index;
  const Emitted words =
      GroupHeader::words_to_row(row, code, word(GroupHeader::strip_words), word(GroupHeader::skew_words));
  in.continue_in(found);
  llvm::PHINode* const result = build.CreatePHI(in.module.i64, 2);
  result->addIncoming(in.constant(0), before);
  result->addIncoming(words.value, in_strips);
  return result;
}

}  // namespace

// One cell of an event that is evaluated first where it is not. Code 2: off the space.
void emit_read(ModuleEmitter& module, ir::EventId id, llvm::Function* function) {
  FunctionEmitter in(module, function, ir::System::root_frame);
  const ir::Event& event = in.system[id];
  const auto rank = static_cast<std::uint32_t>(in.system[event.space].axes.size());
  const GroupIndex group = in.layout.group_of[id.index];
  llvm::Value* const slot = in.at(in.record, Layout::group_offset(group));
  const auto word = [&](llvm::Value* header, std::uint32_t number) {
    return in.build.CreateLoad(module.i64, in.at(header, 8 * number));
  };
  // The extents come first, then the check that the point is on the space, then the group.
  in.call_where(in.build.CreateIsNull(in.build.CreateLoad(module.pointer, slot)),
                module.host(HostFunction::enter_space), {in.context, in.constant32(group)});
  llvm::Value* const header = in.build.CreateLoad(module.pointer, slot);

  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    llvm::Value* const index = function->getArg(3 + axis);
    llvm::Value* const first = word(header, GroupHeader::first(axis));
    llvm::Value* const last = word(header, GroupHeader::last(axis));
    llvm::Value* const is_off =
        in.build.CreateOr(in.build.CreateICmpSLT(index, first), in.build.CreateICmpSGT(index, last));
    in.where(is_off, [&] {  // with the axis where it is off the space
      in.build.CreateStore(in.constant(axis), function->getArg(2));
      in.build.CreateRet(in.constant32(2));
    });
  }
  in.call_where(in.build.CreateICmpNE(word(header, GroupHeader::done), in.constant(1)),
                module.host(HostFunction::enter_group), {in.context, in.constant32(group)});
  llvm::Value* const base =
      in.build.CreateLoad(module.pointer, in.at(header, 8 * GroupHeader::base(rank, in.layout.position[id.index])));
  llvm::BasicBlock* const full = in.block("full");
  llvm::BasicBlock* const kept = in.block("kept");
  in.build.CreateCondBr(in.build.CreateIsNull(base), kept, full);
  in.build.SetInsertPoint(full);
  llvm::Value* words = in.constant(0);
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    llvm::Value* const stride = word(header, GroupHeader::stride(axis));
    words = in.build.CreateAdd(words, in.build.CreateMul(function->getArg(3 + axis), stride));
  }
  if (in.layout.strips[group].possible())
    words = in.build.CreateAdd(words, emit_words_to_row(in, group, header, function));
  in.build.CreateStore(in.build.CreateLoad(module.i64, in.build.CreateGEP(module.i64, base, words)),
                       function->getArg(2));
  in.return_done();
  in.build.SetInsertPoint(kept);
  std::vector<llvm::Value*> indices;
  for (std::uint32_t axis = 0; axis < rank; ++axis) indices.push_back(function->getArg(3 + axis));
  in.build.CreateRet(in.build.CreateCall(
      module.host(HostFunction::read_kept),
      {in.context, header, in.constant32(in.layout.position[id.index]), in.in_memory(indices), function->getArg(2)}));
}

}  // namespace wave::jit
