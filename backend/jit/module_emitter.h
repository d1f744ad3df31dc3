// One LLVM module: the functions that something asked for, and all that they reach. What an earlier module holds is
// only declared.
//
// Every function returns an i32 (0: done; 1: failed, the run has the failure) and takes the context and a record first
// (backend/jit/layout.h), that of the root frame if nothing else is said:
//   rows(context, record)                                gives all rows, one by one
//   value_V(context, record, out)                        a scalar
//   kernel_G(context, record, arguments, from, to)       slices `from`..`to` of the outermost loop of a group
//   read_E(context, record, out, indices...)             a cell; 2: off the space
//   definition_D(context, record)                        fills the slot in the record of its frame
//   shared_V_F(context, record)                          the same of a shared value of frame F
//   call_D(context, parent, out, site, arguments...)     a fresh activation of D's frame
//   program_P(context, record, shared, standing)          programs/emit_program.h
// and those in vector lanes:
//   strip_G_...(context, record, arguments, from, to), ..._tables(context, record, arguments)   lanes/emit_strip.h
//   reduction_V_F_L(context, record, arguments) lanes/emit_reduction.h batch_...(context, record, arguments, from, to)
//   lanes/emit_batch.h
#pragma once

#include "backend/jit/layout.h"
#include "backend/jit/wanted.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

namespace wave::jit {

// What compiled code calls; the functions themselves are in backend/jit/host_functions.cpp.
enum class HostFunction {
  fail,
  fail_weight,
  off_space,
  index,
  tick,
  unwind,
  enter_space,
  enter_group,
  read_kept,
  row,
  lookup,
  measure,
  call_outside,
  input,
  unary,
  binary,
  lanes_unary,
  lanes_binary,
  lanes_lookup,
  reduce
};

class ModuleEmitter {
 public:
  ModuleEmitter(llvm::LLVMContext& context, const Layout& layout, const CompiledFunctions& compiled);

  // Declares the function and, unless an earlier module has it, queues its body.
  llvm::Function* rows();
  llvm::Function* definition(ir::DefinitionId definition);
  llvm::Function* call(ir::DefinitionId definition);
  llvm::Function* value(ir::ValueId value);
  llvm::Function* shared(ir::ValueId value, ir::FrameId frame);
  llvm::Function* read(ir::EventId event);
  llvm::Function* kernel(GroupIndex group);
  void strips(GroupIndex group, lanes::StripShape shape);
  llvm::Function* batch(const lanes::BatchShape& shape);
  llvm::Function* program(const backend::processes::engine::ProcessProgram& program);
  void reduction(ir::ValueId reduction, ir::FrameId frame, std::uint32_t lanes);

  // Emits what is queued, and what that queues.
  void emit_all();

  llvm::FunctionCallee host(HostFunction function);
  llvm::Type* type(ir::ScalarType type);

  const ir::FreeBinders& free_binders();

  // Why there will be no code: it would be too large to compile in reasonable time, or something cannot be in lanes.
  // Not empty: what has been emitted is of no use, and whoever emits more need only come to an end.
  const std::string& refusal() const { return refusal_; }
  void refuse(const std::string& why) {
    if (refusal_.empty()) refusal_ = why;
  }
  // Counts an emitted node against the limit. False: there will be no code.
  bool spend();

  const Layout& layout;
  const ir::System& system;
  llvm::LLVMContext& context;
  std::unique_ptr<llvm::Module> module;
  llvm::IntegerType* const i1;
  llvm::IntegerType* const i8;
  llvm::IntegerType* const i32;
  llvm::IntegerType* const i64;
  llvm::Type* const real;
  llvm::PointerType* const pointer;
  const std::unordered_set<std::string>& defined() const { return defined_; }

  // A function with the common first parameters (context, record), its name known to this module.
  llvm::Function* declare(const std::string& name, llvm::ArrayRef<llvm::Type*> more);

 private:
  llvm::Function* declare(const std::string& name, llvm::ArrayRef<llvm::Type*> more,
                          std::function<void(llvm::Function*)> body);

  const CompiledFunctions& compiled_;
  std::unordered_set<std::string> defined_;
  std::vector<std::function<void()>> queue_;
  std::size_t spent_ = 0;
  std::string refusal_;
  std::unique_ptr<ir::FreeBinders> free_binders_;
};

// The bodies, one file each.
void emit_rows(ModuleEmitter& module, llvm::Function* function);
void emit_definition(ModuleEmitter& module, ir::DefinitionId definition, llvm::Function* function);
void emit_call(ModuleEmitter& module, ir::DefinitionId definition, llvm::Function* function);
void emit_value(ModuleEmitter& module, ir::ValueId value, llvm::Function* function);
void emit_shared(ModuleEmitter& module, ir::ValueId value, ir::FrameId frame, llvm::Function* function);
void emit_read(ModuleEmitter& module, ir::EventId event, llvm::Function* function);
void emit_kernel(ModuleEmitter& module, GroupIndex group, llvm::Function* function);

// Operators of scalars and of vectors of them (emit_arithmetic.cpp). ir::arithmetic::quantum_of, on the exponent's
// bits:
llvm::Value* emit_quantum_of(llvm::IRBuilder<>& build, llvm::Value* bound);
// The nearest multiple, +0 for -0; a quantum of 0 changes nothing else. By its inverse where that is exact, null: by
// division.
llvm::Value* emit_round_to(llvm::IRBuilder<>& build, llvm::Value* x, llvm::Value* quantum, llvm::Value* inverse);
// max(a, b) = a > b ? a : b, min(a, b) = a < b ? a : b.
llvm::Value* emit_larger(llvm::IRBuilder<>& build, ir::ScalarType type, llvm::Value* a, llvm::Value* b, bool largest);
llvm::Value* emit_comparison(llvm::IRBuilder<>& build, ir::BinaryOp op, ir::ScalarType type, llvm::Value* left,
                             llvm::Value* right);

}  // namespace wave::jit
