// Control flow, memory, and the nodes that are neither arithmetic nor loops.
#include "backend/jit/function_emitter.h"

#include "backend/jit/shared_code.h"
#include "backend/jit/structure.h"
#include "ir/operations.h"

#include <algorithm>

namespace wave::jit {

FunctionEmitter::FunctionEmitter(ModuleEmitter& module, llvm::Function* function, ir::FrameId frame)
    : module(module),
      system(module.system),
      layout(module.layout),
      function(function),
      frame(frame),
      build(llvm::BasicBlock::Create(module.context, "entry", function)),
      context(function->getArg(0)),
      record(function->getArg(1)),
      known_(1) {
  failed = block("failed");
  llvm::IRBuilder<>(failed).CreateRet(constant32(1));
}

llvm::Value* FunctionEmitter::emit(ir::ValueId id) {
  for (auto scope = known_.rbegin(); scope != known_.rend(); ++scope) {
    if (const auto found = scope->find(id); found != scope->end()) return found->second;
  }
  llvm::Value* value;
  if (layout.shared.contains(id)) {
    const SharedSlot slot = layout.frames[frame.index].shared.at(id);
    call_where(is_not_evaluated(at(record, slot.state)), module.shared(id, frame), {context, record});
    value = load_word(type_of(id), at(record, slot.value));
  } else if (shared_code && shared_code->contains(id)) {
    value = shared_code->emit(*this, id);
  } else {
    value = emit_in_place(id);
  }
  know(id, value);
  return value;
}

std::unordered_map<ir::ValueId, llvm::Value*> FunctionEmitter::known() const {
  std::unordered_map<ir::ValueId, llvm::Value*> all;
  for (auto scope = known_.rbegin(); scope != known_.rend(); ++scope) all.insert(scope->begin(), scope->end());
  return all;
}

llvm::Value* FunctionEmitter::emit_in_place(ir::ValueId id) {
  if (!module.spend()) return llvm::PoisonValue::get(module.type(type_of(id)));
  return std::visit([&](const auto& node) { return emit_node(id, node); }, system[id].node);
}

// --- control ---

llvm::BasicBlock* FunctionEmitter::block(const char* name) {
  return llvm::BasicBlock::Create(module.context, name, function);
}

void FunctionEmitter::go_to(llvm::BasicBlock* target) {
  if (!build.GetInsertBlock()->getTerminator()) build.CreateBr(target);
}

void FunctionEmitter::continue_in(llvm::BasicBlock* target) {
  go_to(target);
  build.SetInsertPoint(target);
}

void FunctionEmitter::where(llvm::Value* condition, const std::function<void()>& then) {
  llvm::BasicBlock* const here = block("here");
  llvm::BasicBlock* const go_on = block("go_on");
  build.CreateCondBr(condition, here, go_on);
  build.SetInsertPoint(here);
  then();
  continue_in(go_on);
}

void FunctionEmitter::call_where(llvm::Value* condition, llvm::FunctionCallee callee,
                                 llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::BasicBlock* const call = block("called");
  llvm::BasicBlock* const go_on = block("go_on");
  build.CreateCondBr(condition, call, go_on);
  build.SetInsertPoint(call);
  build.CreateCondBr(build.CreateICmpNE(build.CreateCall(callee, arguments), constant32(0)), failed, go_on);
  build.SetInsertPoint(go_on);
}

// The values' types are two bits each above their number.
void FunctionEmitter::call_fail(ir::SiteId site, llvm::Value* kind, Values values) {
  auto types = static_cast<std::uint32_t>(values.size());
  llvm::Value* bits[3] = {constant(0), constant(0), constant(0)};
  std::uint32_t number = 0;
  for (const auto& [type, value] : values) {
    types |= static_cast<std::uint32_t>(type) << (8 + 2 * number);
    bits[number++] = to_bits(type, value);
  }
  build.CreateCall(module.host(HostFunction::fail),
                   {context, constant32(site.index), kind, constant32(types), bits[0], bits[1], bits[2]});
  build.CreateBr(failed);
}

void FunctionEmitter::fail(ir::SiteId site, ir::FailureKind kind, Values values) {
  call_fail(site, constant32(static_cast<std::uint32_t>(kind)), values);
}

void FunctionEmitter::fail_if(llvm::Value* condition, ir::SiteId site, ir::FailureKind kind, Values values) {
  where(condition, [&] { fail(site, kind, values); });
}

void FunctionEmitter::fail_with_kind(llvm::Value* kind, ir::SiteId site, Values values) {
  where(build.CreateICmpSGE(kind, constant32(0)), [&] { call_fail(site, kind, values); });
}

void FunctionEmitter::check_call(llvm::Value* status) {
  llvm::BasicBlock* const good = block("good");
  build.CreateCondBr(build.CreateICmpNE(status, constant32(0)), failed, good);
  build.SetInsertPoint(good);
}

llvm::BasicBlock* FunctionEmitter::note_index_on_failure(ir::BinderId binder, llvm::Value* index) {
  llvm::BasicBlock* const outer = failed;
  failed = block("failed");
  llvm::IRBuilder<> note(failed);
  note.CreateCall(module.host(HostFunction::index), {context, constant32(binder.index), index});
  note.CreateBr(outer);
  return outer;
}

void FunctionEmitter::tick(llvm::Value* steps) {
  llvm::Value* const fuel_address = at(context, ContextLayout::fuel);
  llvm::Value* const left = build.CreateSub(build.CreateLoad(module.i64, fuel_address), steps);
  build.CreateStore(left, fuel_address);
  call_where(build.CreateICmpSLT(left, constant(0)), module.host(HostFunction::tick), {context});
}

llvm::AllocaInst* FunctionEmitter::local(llvm::Type* type, const char* name) {
  llvm::BasicBlock& entry = function->getEntryBlock();
  llvm::IRBuilder<> first(&entry, entry.begin());
  return first.CreateAlloca(type, nullptr, name);
}

void FunctionEmitter::return_done() { build.CreateRet(constant32(0)); }

// --- memory ---

llvm::Value* FunctionEmitter::at(llvm::Value* base, std::uint32_t bytes) {
  return bytes == 0 ? base : build.CreateConstGEP1_32(module.i8, base, bytes);
}

llvm::Value* FunctionEmitter::load_word(ir::ScalarType type, llvm::Value* address) {
  if (type == ir::ScalarType::boolean) {
    return build.CreateICmpNE(build.CreateLoad(module.i64, address), constant(0));
  }
  return build.CreateLoad(module.type(type), address);
}

void FunctionEmitter::store_word(ir::ScalarType type, llvm::Value* value, llvm::Value* address) {
  build.CreateStore(type == ir::ScalarType::boolean ? build.CreateZExt(value, module.i64) : value, address);
}

llvm::Value* FunctionEmitter::to_bits(ir::ScalarType type, llvm::Value* value) {
  switch (type) {
    case ir::ScalarType::real: return build.CreateBitCast(value, module.i64);
    case ir::ScalarType::integer: return value;
    case ir::ScalarType::boolean: return build.CreateZExt(value, module.i64);
  }
  return value;
}

llvm::AllocaInst* FunctionEmitter::in_memory(llvm::ArrayRef<llvm::Value*> words) {
  llvm::AllocaInst* const all =
      local(llvm::ArrayType::get(module.i64, std::max<std::size_t>(1, words.size())), "words");
  for (std::uint32_t i = 0; i < words.size(); ++i) build.CreateStore(words[i], at(all, 8 * i));
  return all;
}

llvm::Value* FunctionEmitter::record_of(ir::FrameId target) {
  llvm::Value* found = record;
  for (ir::FrameId at = frame; at != target; at = system[at].parent) {
    found = build.CreateLoad(module.pointer, found);
  }
  return found;
}

// --- nodes ---

llvm::Value* FunctionEmitter::emit_node(ir::ValueId, const ir::Constant& node) {
  switch (node.value.type) {
    case ir::ScalarType::real: return llvm::ConstantFP::get(module.real, node.value.real);
    case ir::ScalarType::integer: return constant(node.value.integer);
    case ir::ScalarType::boolean: return build.getInt1(node.value.boolean);
  }
  return nullptr;
}

llvm::Value* FunctionEmitter::emit_node(ir::ValueId, const ir::Parameter& node) {
  const ir::FrameParameter& parameter = system[node.parameter];
  return load_word(parameter.type, at(record_of(parameter.frame), layout.parameter_offset[node.parameter.index]));
}

llvm::Value* FunctionEmitter::emit_node(ir::ValueId, const ir::Index& node) { return binders.at(node.binder); }

llvm::Value* FunctionEmitter::is_not_evaluated(llvm::Value* state) {
  return build.CreateICmpNE(build.CreateLoad(module.i8, state), llvm::ConstantInt::get(module.i8, evaluated));
}

llvm::Value* FunctionEmitter::emit_node(ir::ValueId, const ir::Reference& node) {
  const ir::Definition& definition = system[node.definition];
  llvm::Value* const owner = record_of(definition.frame);
  llvm::Value* const state = at(owner, layout.state_offset[node.definition.index]);
  if (is_argument(definition, system)) {
    // It is there.
  } else if (is_outside(definition, system)) {
    call_where(is_not_evaluated(state), module.host(HostFunction::input), {context, constant32(node.definition.index)});
  } else {
    call_where(is_not_evaluated(state), module.definition(node.definition), {context, owner});
  }
  return load_word(definition.type, at(owner, layout.value_offset[node.definition.index]));
}

llvm::Value* FunctionEmitter::emit_node(ir::ValueId, const ir::Select& node) {
  llvm::Value* const condition = emit(node.condition);
  llvm::BasicBlock* const branches[2] = {block("then"), block("else")};
  llvm::BasicBlock* const join = block("join");
  build.CreateCondBr(condition, branches[0], branches[1]);
  llvm::PHINode* result = nullptr;
  for (int i = 0; i < 2; ++i) {
    build.SetInsertPoint(branches[i]);
    const Region region(*this);
    llvm::Value* const value = emit(i == 0 ? node.if_true : node.if_false);
    if (!result) {
      llvm::IRBuilder<> in_join(join);
      result = in_join.CreatePHI(value->getType(), 2);
    }
    result->addIncoming(value, build.GetInsertBlock());
    build.CreateBr(join);
  }
  build.SetInsertPoint(join);
  return result;
}

llvm::Value* FunctionEmitter::emit_node(ir::ValueId, const ir::Check& node) {
  llvm::BasicBlock* const bad = block("bad");
  llvm::BasicBlock* const good = block("good");
  build.CreateCondBr(emit(node.condition), good, bad);
  build.SetInsertPoint(bad);
  fail_check(node);
  build.SetInsertPoint(good);
  return emit(node.value);
}

// With the two sides, where the condition compares; both have been evaluated.
void FunctionEmitter::fail_check(const ir::Check& node) {
  const ir::FailureKind kind = system[node.site].kind;
  const auto* const compares = std::get_if<ir::Binary>(&system[node.condition].node);
  if (!compares || compares->op == ir::BinaryOp::logical_and || compares->op == ir::BinaryOp::logical_or) {
    return fail(node.site, kind);
  }
  const Region region(*this);
  const ir::ScalarType type = type_of(compares->left);
  llvm::Value* const left = emit(compares->left);
  fail(node.site, kind, {{type, left}, {type, emit(compares->right)}});
}

llvm::Value* FunctionEmitter::emit_node(ir::ValueId id, const ir::Fail& node) {
  fail(node.site, system[node.site].kind);
  build.SetInsertPoint(block("unreachable"));
  return llvm::PoisonValue::get(module.type(type_of(id)));
}

// Its recurrences and processes are evaluated by the host.
llvm::Value* FunctionEmitter::call_outside(const ir::Call& node) {
  std::vector<llvm::Value*> arguments;
  for (const ir::ValueId argument : node.arguments) arguments.push_back(to_bits(type_of(argument), emit(argument)));
  llvm::AllocaInst* const all = in_memory(arguments);
  llvm::AllocaInst* const result = local(module.i64, "result");
  check_call(build.CreateCall(module.host(HostFunction::call_outside),
                              {context, constant32(node.definition.index), constant32(node.site.index), all, result}));
  return load_word(system[node.definition].type, result);
}

llvm::Value* FunctionEmitter::emit_node(ir::ValueId, const ir::Call& node) {
  if (is_outside(system[node.definition], system)) return call_outside(node);
  std::vector<llvm::Value*> arguments{context, nullptr, nullptr, constant32(node.site.index)};
  for (const ir::ValueId argument : node.arguments) arguments.push_back(emit(argument));
  llvm::AllocaInst* const result = local(module.i64, "result");
  arguments[1] = record_of(system[node.frame].parent);
  arguments[2] = result;
  check_call(build.CreateCall(module.call(node.definition), arguments));
  return load_word(system[node.definition].type, result);
}

llvm::Value* FunctionEmitter::emit_node(ir::ValueId, const ir::Read& node) {
  std::vector<llvm::Value*> arguments{context, nullptr, nullptr};
  for (const ir::ValueId index : node.indices) arguments.push_back(emit(index));
  llvm::AllocaInst* const result = local(module.i64, "result");
  arguments[1] = record_of(ir::System::root_frame);
  arguments[2] = result;
  llvm::Value* const status = build.CreateCall(module.read(node.event), arguments);
  llvm::BasicBlock* const ready = block("ready");
  llvm::BasicBlock* const off = block("off");
  llvm::SwitchInst* const choice = build.CreateSwitch(status, failed, 2);
  choice->addCase(build.getInt32(0), ready);
  choice->addCase(build.getInt32(2), off);
  build.SetInsertPoint(off);
  if (absent && !node.site.valid()) {
    build.CreateBr(absent);
  } else {
    emit_off_space(node, result, {arguments.begin() + 3, arguments.end()});
  }
  build.SetInsertPoint(ready);
  return load_word(system[node.event].type, result);
}

// The index along the axis where it is off the space (the read has left its number in `axis_slot`), and, on more than
// one axis, the bounds there.
void FunctionEmitter::emit_off_space(const ir::Read& node, llvm::Value* axis_slot,
                                     const std::vector<llvm::Value*>& indices) {
  llvm::AllocaInst* const all = in_memory(indices);
  build.CreateCall(module.host(HostFunction::off_space),
                   {context, constant32(node.event.index), constant32(node.site.index),
                    build.CreateLoad(module.i64, axis_slot), all});
  build.CreateBr(failed);
}

// Processes are evaluated by the host.
llvm::Value* FunctionEmitter::emit_node(ir::ValueId id, const ir::Measure& node) {
  std::vector<llvm::Value*> indices;
  for (const ir::ValueId index : node.indices) indices.push_back(emit(index));
  llvm::AllocaInst* const all = in_memory(indices);
  llvm::AllocaInst* const result = local(module.i64, "result");
  check_call(build.CreateCall(
      module.host(HostFunction::measure),
      {context, constant32(node.process.index), constant32(static_cast<std::uint32_t>(node.metric)),
       constant32(node.phase.index), constant32(static_cast<std::uint32_t>(node.over)), constant32(node.memory.index),
       constant32(node.site.index), constant32(static_cast<std::uint32_t>(indices.size())), all, result}));
  return load_word(type_of(id), result);
}

llvm::Value* FunctionEmitter::emit_node(ir::ValueId, const ir::Lookup& node) {
  llvm::Value* const first = emit(node.keys[0]);
  llvm::Value* const second = node.keys.size() > 1 ? emit(node.keys[1]) : llvm::ConstantFP::get(module.real, 0);
  llvm::AllocaInst* const result = local(module.real, "result");
  llvm::Value* const kind = build.CreateCall(module.host(HostFunction::lookup),
                                             {context, constant32(node.table.index), first, second, result});
  if (node.keys.size() > 1) {
    fail_with_kind(kind, node.site, {{ir::ScalarType::real, first}, {ir::ScalarType::real, second}});
  } else {
    fail_with_kind(kind, node.site, {{ir::ScalarType::real, first}});
  }
  return build.CreateLoad(module.real, result);
}

}  // namespace wave::jit
