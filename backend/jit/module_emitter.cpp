// Declares functions by their names and emits each once.
#include "backend/jit/module_emitter.h"

#include "backend/jit/lanes/emit_batch.h"
#include "backend/jit/lanes/emit_reduction.h"
#include "backend/jit/lanes/emit_strip.h"
#include "backend/jit/programs/emit_program.h"
#include "backend/jit/programs/program.h"
#include "backend/jit/thresholds.h"

#include <fmt/format.h>

namespace wave::jit {

ModuleEmitter::ModuleEmitter(llvm::LLVMContext& context, const Layout& layout, const CompiledFunctions& compiled)
    : layout(layout),
      system(layout.system),
      context(context),
      module(std::make_unique<llvm::Module>("wave", context)),
      i1(llvm::Type::getInt1Ty(context)),
      i8(llvm::Type::getInt8Ty(context)),
      i32(llvm::Type::getInt32Ty(context)),
      i64(llvm::Type::getInt64Ty(context)),
      real(llvm::Type::getDoubleTy(context)),
      pointer(llvm::PointerType::getUnqual(context)),
      compiled_(compiled) {}

bool ModuleEmitter::spend() {
  if (++spent_ > largest_module) refuse("the system is too large to compile");
  return refusal_.empty();
}

llvm::Type* ModuleEmitter::type(ir::ScalarType type) {
  switch (type) {
    case ir::ScalarType::real: return real;
    case ir::ScalarType::integer: return i64;
    case ir::ScalarType::boolean: return i1;
  }
  return real;
}

llvm::Function* ModuleEmitter::declare(const std::string& name, llvm::ArrayRef<llvm::Type*> more) {
  if (llvm::Function* known = module->getFunction(name)) return known;
  std::vector<llvm::Type*> parameters{pointer, pointer};
  parameters.insert(parameters.end(), more.begin(), more.end());
  auto* function = llvm::Function::Create(llvm::FunctionType::get(i32, parameters, false),
                                          llvm::Function::ExternalLinkage, name, module.get());
  function->setDoesNotThrow();
  return function;
}

llvm::Function* ModuleEmitter::declare(const std::string& name, llvm::ArrayRef<llvm::Type*> more,
                                       std::function<void(llvm::Function*)> body) {
  llvm::Function* function = declare(name, more);
  if (!compiled_.contains(name) && defined_.insert(name).second) {
    queue_.push_back([function, body = std::move(body)] { body(function); });
  }
  return function;
}

void ModuleEmitter::emit_all() {
  while (!queue_.empty() && refusal_.empty()) {
    const auto next = std::move(queue_.back());
    queue_.pop_back();
    next();
  }
}

llvm::Function* ModuleEmitter::rows() {
  return declare("rows", {}, [this](auto* f) { emit_rows(*this, f); });
}

llvm::Function* ModuleEmitter::definition(ir::DefinitionId definition) {
  return declare(fmt::format("definition_{}", definition.index), {},
                 [=, this](auto* f) { emit_definition(*this, definition, f); });
}

llvm::Function* ModuleEmitter::call(ir::DefinitionId definition) {
  std::vector<llvm::Type*> parameters{pointer, i32};
  for (const ir::FrameParameter& parameter : system.parameters) {
    if (parameter.frame == system[definition].frame) parameters.push_back(type(parameter.type));
  }
  return declare(fmt::format("call_{}", definition.index), parameters,
                 [=, this](auto* f) { emit_call(*this, definition, f); });
}

llvm::Function* ModuleEmitter::value(ir::ValueId value) {
  return declare(fmt::format("value_{}", value.index), {pointer}, [=, this](auto* f) { emit_value(*this, value, f); });
}

llvm::Function* ModuleEmitter::shared(ir::ValueId value, ir::FrameId frame) {
  return declare(fmt::format("shared_{}_{}", value.index, frame.index), {},
                 [=, this](auto* f) { emit_shared(*this, value, frame, f); });
}

llvm::Function* ModuleEmitter::read(ir::EventId event) {
  const std::size_t rank = system[system[event].space].axes.size();
  std::vector<llvm::Type*> parameters{pointer};
  parameters.insert(parameters.end(), rank, i64);
  return declare(fmt::format("read_{}", event.index), parameters, [=, this](auto* f) { emit_read(*this, event, f); });
}

llvm::Function* ModuleEmitter::kernel(GroupIndex group) {
  return declare(fmt::format("kernel_{}", group), {pointer, i64, i64},
                 [=, this](auto* f) { emit_kernel(*this, group, f); });
}

llvm::Function* ModuleEmitter::batch(const lanes::BatchShape& shape) {
  return declare(shape.symbol(), {pointer, i64, i64}, [=, this](auto* f) { lanes::emit_batch(*this, shape, f); });
}

llvm::Function* ModuleEmitter::program(const backend::processes::engine::ProcessProgram& program) {
  return declare(programs::symbol_of(program), {pointer, pointer},
                 [&](auto* f) { programs::emit_program(*this, program, f); });
}

// Asked for when a loop turns out to be long.
void ModuleEmitter::reduction(ir::ValueId reduction, ir::FrameId frame, std::uint32_t lanes) {
  llvm::Function* const function = declare(lanes::reduction_symbol(reduction, frame, lanes), {pointer});
  defined_.insert(function->getName().str());
  lanes::emit_reduction(*this, reduction, frame, lanes, function);
}

const ir::FreeBinders& ModuleEmitter::free_binders() {
  if (!free_binders_) free_binders_ = std::make_unique<ir::FreeBinders>(system);
  return *free_binders_;
}

// Asked for when a group turns out to be large.
void ModuleEmitter::strips(GroupIndex group, lanes::StripShape shape) {
  const lanes::StripPlan& plan = layout.strips[group];
  const lanes::StripTables tables(system, layout.groups[group], plan, shape.cellwise);
  const lanes::StripSource source{group, plan, tables, shape};
  const auto define = [&](const char* function, llvm::ArrayRef<llvm::Type*> more) {
    return declare(*defined_.insert(lanes::strip_symbol(group, shape) + function).first, more);
  };
  lanes::emit_strip(*this, source, define(lanes::masked_strip, {pointer, i64, i64}), true);
  lanes::emit_strip(*this, source, define(lanes::steady_strip, {pointer, i64, i64}), false);
  lanes::emit_tables(*this, source, define(lanes::tables_of_strip, {pointer}));
}

llvm::FunctionCallee ModuleEmitter::host(HostFunction function) {
  llvm::Type* const none = llvm::Type::getVoidTy(context);
  const auto get = [&](const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters) {
    return module->getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
  };
  switch (function) {
    case HostFunction::fail: return get("wave_jit_fail", none, {pointer, i32, i32, i32, i64, i64, i64});
    case HostFunction::fail_weight: return get("wave_jit_fail_weight", none, {pointer, i32, i32, real});
    case HostFunction::off_space: return get("wave_jit_off_space", none, {pointer, i32, i32, i64, pointer});
    case HostFunction::index: return get("wave_jit_index", none, {pointer, i32, i64});
    case HostFunction::tick: return get("wave_jit_tick", i32, {pointer});
    case HostFunction::unwind: return get("wave_jit_unwind", none, {pointer, i32});
    case HostFunction::enter_space: return get("wave_jit_enter_space", i32, {pointer, i32});
    case HostFunction::enter_group: return get("wave_jit_enter_group", i32, {pointer, i32});
    case HostFunction::read_kept: return get("wave_jit_read_kept", i32, {pointer, pointer, i32, pointer, pointer});
    case HostFunction::row: return get("wave_jit_row", i32, {pointer, pointer});
    case HostFunction::lookup: return get("wave_jit_lookup", i32, {pointer, i32, real, real, pointer});
    case HostFunction::measure:
      return get("wave_jit_measure", i32, {pointer, i32, i32, i32, i32, i32, i32, i32, pointer, pointer});
    case HostFunction::call_outside: return get("wave_jit_call_outside", i32, {pointer, i32, i32, pointer, pointer});
    case HostFunction::reduce: return get("wave_jit_reduce", i32, {pointer, pointer, i32, i32, pointer});
    case HostFunction::input: return get("wave_jit_input", i32, {pointer, i32});
    case HostFunction::unary: return get("wave_jit_unary", i32, {i32, i32, i64, pointer});
    case HostFunction::binary: return get("wave_jit_binary", i32, {i32, i32, i64, i64, pointer});
    case HostFunction::lanes_unary:
      return get("wave_jit_lanes_unary", none, {i32, i32, i32, pointer, pointer, pointer});
    case HostFunction::lanes_binary:
      return get("wave_jit_lanes_binary", none, {i32, i32, i32, pointer, pointer, pointer, pointer});
    case HostFunction::lanes_lookup:
      return get("wave_jit_lanes_lookup", none, {pointer, i32, i32, pointer, pointer, pointer, pointer});
  }
  return {};
}

}  // namespace wave::jit
