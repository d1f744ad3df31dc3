// The body of one LLVM function: scalars by need, as ir/scalar.h defines them. A failure is a branch to
// `failed`, the absence of a neighbour a branch to `absent`, so what is evaluated next depends on where control
// is, and a node met twice is emitted again only where its first evaluation does not dominate.
#pragma once

#include "backend/jit/module_emitter.h"

#include <functional>
#include <unordered_map>
#include <vector>

namespace wave::jit {

struct Cell;
class SharedCode;

class FunctionEmitter {
 public:
  // Begins at the function's entry; `failed` is a block that returns 1.
  FunctionEmitter(ModuleEmitter& module, llvm::Function* function, ir::FrameId frame);

  llvm::Value* emit(ir::ValueId value);
  llvm::Value* emit_in_place(ir::ValueId value);  // by its node, slot or not

  ModuleEmitter& module;
  const ir::System& system;
  const Layout& layout;
  llvm::Function* const function;
  const ir::FrameId frame;
  llvm::IRBuilder<> build;
  llvm::Value* const context;
  llvm::Value* const record;
  llvm::BasicBlock* failed;
  llvm::BasicBlock* absent = nullptr;  // not null: inside the body of an event
  Cell* cell = nullptr;                // the cell that is being evaluated
  SharedCode* shared_code = nullptr;   // of its values; null: none
  llvm::Value* shared_memory = nullptr;
  std::unordered_map<ir::BinderId, llvm::Value*> binders;

  // Values emitted while a Region lives are forgotten when it ends: control may have come another way.
  class Region {
   public:
    explicit Region(FunctionEmitter& emitter) : emitter_(emitter) { emitter_.known_.emplace_back(); }
    ~Region() { emitter_.known_.pop_back(); }
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;

   private:
    FunctionEmitter& emitter_;
  };
  void know(ir::ValueId value, llvm::Value* emitted) { known_.back()[value] = emitted; }
  // What has been emitted where control comes from.
  std::unordered_map<ir::ValueId, llvm::Value*> known() const;

  // --- control (function_emitter.cpp) ---
  llvm::BasicBlock* block(const char* name);
  void go_to(llvm::BasicBlock* target);        // branch, unless the block has ended
  void continue_in(llvm::BasicBlock* target);  // go_to, and emit there
  // What is done only where the condition holds; control comes back unless it has ended there.
  void where(llvm::Value* condition, const std::function<void()>& then);
  // The same for a call that may fail.
  void call_where(llvm::Value* condition, llvm::FunctionCallee function, llvm::ArrayRef<llvm::Value*> arguments);
  // At most three values.
  using Values = std::initializer_list<std::pair<ir::ScalarType, llvm::Value*>>;
  void fail_if(llvm::Value* condition, ir::SiteId site, ir::FailureKind kind, Values values = {});
  void fail(ir::SiteId site, ir::FailureKind kind, Values values = {});
  // Fails where a call returned 1: the failure is in the context.
  void check_call(llvm::Value* status);
  // `failed` for code inside a loop: notes the loop's index on the way out. Returns the former `failed`.
  llvm::BasicBlock* note_index_on_failure(ir::BinderId binder, llvm::Value* index);
  // Counts steps; every so often the deadline is looked at.
  void tick(llvm::Value* steps);
  llvm::AllocaInst* local(llvm::Type* type, const char* name);  // in the entry block
  void return_done();

  // --- memory ---
  llvm::Value* constant(std::int64_t value) { return llvm::ConstantInt::get(module.i64, value, true); }
  llvm::Value* constant32(std::uint32_t value) { return llvm::ConstantInt::get(module.i32, value); }
  llvm::Value* at(llvm::Value* base, std::uint32_t bytes);  // base + bytes
  llvm::Value* load_word(ir::ScalarType type, llvm::Value* address);
  void store_word(ir::ScalarType type, llvm::Value* value, llvm::Value* address);
  llvm::Value* to_bits(ir::ScalarType type, llvm::Value* value);
  llvm::AllocaInst* in_memory(llvm::ArrayRef<llvm::Value*> words);  // one after the other; there may be none
  llvm::Value* record_of(ir::FrameId target);                       // the record of an enclosing frame

  ir::ScalarType type_of(ir::ValueId value) const { return system[value].type; }
  // Of integers; fails where the result is none.
  llvm::Value* checked(llvm::Intrinsic::ID intrinsic, llvm::Value* left, llvm::Value* right, ir::SiteId site);

  // --- loops (emit_loops.cpp, emit_reduction.cpp) ---
  // Every index of [from, to], rising or falling; `begin` comes before the first, if there is one.
  void emit_range(llvm::Value* from, llvm::Value* to, bool rising, const std::function<void(llvm::Value* index)>& body,
                  const std::function<void()>& begin = {});
  // What may do iterations of an innermost loop that is long. `begin` is emitted before the loop; `ask` where so many
  // are left: it gives how many have been done then, and how many come before it is asked again.
  struct Elsewhere {
    std::function<void()> begin;
    std::function<std::pair<llvm::Value*, llvm::Value*>(llvm::Value* index, llvm::Value* step, llvm::Value* left)> ask;
  };
  // The loop nest of `levels`: `body` is emitted in the innermost; its iteration ends at `next`.
  void emit_levels(const std::vector<ir::Level>& levels, const std::function<void(llvm::BasicBlock* next)>& body,
                   const Elsewhere* elsewhere = nullptr);

 private:
  friend class Region;

  llvm::Value* emit_node(ir::ValueId id, const ir::Constant& node);
  llvm::Value* emit_node(ir::ValueId id, const ir::Parameter& node);
  llvm::Value* emit_node(ir::ValueId id, const ir::Index& node);
  llvm::Value* emit_node(ir::ValueId id, const ir::Reference& node);
  llvm::Value* emit_node(ir::ValueId id, const ir::Unary& node);
  llvm::Value* emit_node(ir::ValueId id, const ir::Binary& node);
  llvm::Value* emit_node(ir::ValueId id, const ir::Maximum& node);
  llvm::Value* emit_node(ir::ValueId id, const ir::Minimum& node);
  llvm::Value* emit_node(ir::ValueId id, const ir::Select& node);
  llvm::Value* emit_node(ir::ValueId id, const ir::Check& node);
  llvm::Value* emit_node(ir::ValueId id, const ir::Fail& node);
  llvm::Value* emit_node(ir::ValueId id, const ir::Call& node);
  llvm::Value* emit_node(ir::ValueId id, const ir::Reduce& node);
  llvm::Value* emit_node(ir::ValueId id, const ir::Read& node);
  llvm::Value* emit_node(ir::ValueId id, const ir::Neighbour& node);
  llvm::Value* emit_node(ir::ValueId id, const ir::Lookup& node);
  llvm::Value* emit_node(ir::ValueId id, const ir::Measure& node);

  // emit_arithmetic.cpp
  llvm::Value* emit_integer(const ir::Binary& node, llvm::Value* left, llvm::Value* right);
  llvm::Value* emit_real(const ir::Binary& node, llvm::Value* left, llvm::Value* right);
  llvm::Value* emit_short_circuit(const ir::Binary& node);
  llvm::Value* floor_division(const ir::Binary& node, llvm::Value* left, llvm::Value* right);
  llvm::Value* to_whole(llvm::Value* whole, llvm::Value* operand, ir::SiteId site);
  llvm::Value* host_unary(const ir::Unary& node, llvm::Value* operand);
  llvm::Value* host_binary(const ir::Binary& node, llvm::Value* left, llvm::Value* right);
  // Fails where `kind`, from a host function, is not -1.
  void fail_with_kind(llvm::Value* kind, ir::SiteId site, Values values);
  void call_fail(ir::SiteId site, llvm::Value* kind, Values values);
  void fail_check(const ir::Check& node);
  llvm::Value* call_outside(const ir::Call& node);
  // What has a slot: whether its state says that it is to be evaluated first.
  llvm::Value* is_not_evaluated(llvm::Value* state);
  void emit_off_space(const ir::Read& node, llvm::Value* axis_slot, const std::vector<llvm::Value*>& indices);
  llvm::Value* emit_extreme(const std::vector<ir::ValueId>& operands, bool largest);

  // emit_loops.cpp
  void emit_level(const std::vector<ir::Level>& levels, std::size_t depth,
                  const std::function<void(llvm::BasicBlock* next)>& body, const Elsewhere* elsewhere);

  std::vector<std::unordered_map<ir::ValueId, llvm::Value*>> known_;
};

}  // namespace wave::jit
