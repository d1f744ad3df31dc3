// Scalars of several evaluations at a time, one in each vector lane: cells of a recurrence, or rows of a batch.
//
// There is no control flow by lane. A node gives a value for every lane and, beside it, the lanes in which it has one:
// where an evaluation by need would fail (division by zero, an overflow, a failed check), the lane is not good,
// whatever its value. `Select`, `And`, `Or` and `Check` combine these masks as they would look at their operands. In a
// good lane the evaluation as ir/scalar.h defines it does not fail, and the value has the same bits. A lane that is not
// good is evaluated again by scalar code, which finds what failed and how; now and then nothing did: products close to
// 2^63, divisions of integers beyond 2^52, and very long loops are left to scalar code as well.
#pragma once

#include "backend/jit/module_emitter.h"
#include "ir/dependences.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace wave::jit::lanes {

// Where an integer is known to lie in every good lane.
struct IntegerRange {
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

// <lanes x double>, <lanes x i64> or <lanes x i1>, by the node's type; never poison in any lane. Masks: null: every
// lane.
struct Lanes {
  llvm::Value* value = nullptr;
  llvm::Value* good = nullptr;     // the evaluation does not fail
  llvm::Value* present = nullptr;  // inside an event: it is not absent; looked at only where it is good
  IntegerRange range{};            // of an integer
};

class LaneEmitter {
 public:
  // Emits where `build` stands; several blocks may come of it (loops), but control always goes on in one. The function
  // has an entry block that `build` has left, or stands at the end of, and the context (backend/jit/runtime.h) as its
  // first argument.
  LaneEmitter(ModuleEmitter& module, llvm::Function* function, llvm::IRBuilder<>& build, unsigned lanes);

  // The module refuses what cannot be in lanes, and code that becomes too large. Nodes met twice are emitted once, as
  // long as the code that was emitted first dominates; so is the body of a definition.
  Lanes emit(ir::ValueId value);
  Lanes definition(ir::DefinitionId definition);

  // Asked first, for every node: leaves that the user has (hoisted scalars, neighbours, parameters, indices). Nothing:
  // emitted by its node. Inside functions that are called, only for what belongs to the frames around them:
  // references, parameters, reads and measures. May call `emit`.
  std::function<std::optional<Lanes>(ir::ValueId value, const ir::Node& node)> leaf;
  // The present values of loop variables and axes, <lanes x i64>.
  std::unordered_map<ir::BinderId, llvm::Value*> binders;
  // The same, of one that lies in a range.
  void bind(ir::BinderId binder, llvm::Value* value, IntegerRange range) {
    binders[binder] = value, binder_ranges_[binder] = range;
  }
  // Inside the body or a weight of an event: what is absent off the space, and a reduction of nothing, fails elsewhere.
  bool in_event = false;
  // Of the event's group, as scalars, for `quantize`; quantum null: nothing is rounded; inverse null: divides by the
  // quantum.
  llvm::Value* quantum = nullptr;
  llvm::Value* inverse = nullptr;
  // True: a node that cannot be in lanes is not good in any lane, instead of a refusal. What that was:
  bool leaves_out = false;
  std::vector<std::string> left_out;
  Lanes not_in_lanes(ir::ScalarType type, const std::string& reason);
  // Forgets what has been emitted: a cell further on.
  void forget();
  // Loops share a budget of iterations; lanes that are still in one when it is used up are not good. It is filled
  // on entry to the function, and here.
  void refuel();
  std::int64_t iterations = 1 << 14;

  // --- pieces for users ---
  llvm::Value* splat(llvm::Value* scalar);
  llvm::Constant* splat(double value);
  llvm::Constant* splat(std::int64_t value);
  llvm::Constant* count(std::int64_t first, std::int64_t step);  // first, first + step, ...
  llvm::VectorType* type(ir::ScalarType type);
  // A weight on the quantum (ir::arithmetic::quantize): good where it is finite. Scalars or vectors.
  Lanes round(const Lanes& weight, llvm::Value* quantum, llvm::Value* inverse);
  // Of masks that may be null (all lanes) or zero (none).
  llvm::Value* both(llvm::Value* mask, llvm::Value* other);
  llvm::Value* either(llvm::Value* mask, llvm::Value* other);
  llvm::Value* inverted(llvm::Value* mask);
  llvm::Value* chosen(llvm::Value* condition, llvm::Value* if_true, llvm::Value* if_false);
  llvm::Value* none();
  llvm::Value* whole(llvm::Value* mask);  // as a vector, null or not
  static bool is_none(const llvm::Value* mask);
  llvm::Value* any(llvm::Value* mask);  // i1

  ModuleEmitter& module;
  llvm::Function* const function;
  llvm::IRBuilder<>& build;
  unsigned lanes;

 private:
  friend class LaneReduction;

  // A frame's values: those of the user, or of a function that is being inlined.
  struct Activation {
    ir::FrameId frame;  // not valid: the user's, any frame
    Activation* outer = nullptr;
    std::unordered_map<ir::ParameterId, Lanes> arguments;
    std::unordered_map<ir::ValueId, Lanes> known[2];  // outside events, inside events
    std::unordered_map<ir::DefinitionId, Lanes> definitions;
    std::unordered_set<ir::DefinitionId> in_progress;
  };
  // A definition or a call: its own activation, without the binders and the cell from outside.
  class Scope;
  // Code that control may not pass: what was emitted in it is forgotten when it ends.
  class Region;
  // While it lives, vectors have one lane (lane_uniform.cpp).
  class OneLane;

  // --- nodes (lane_emitter.cpp, lane_arithmetic.cpp, lane_calls.cpp, lane_loops.cpp) ---
  Lanes emit_new(ir::ValueId value);
  Lanes emit_node(ir::ValueId id, const ir::Constant& node);
  Lanes emit_node(ir::ValueId id, const ir::Parameter& node);
  Lanes emit_node(ir::ValueId id, const ir::Index& node);
  Lanes emit_node(ir::ValueId id, const ir::Reference& node);
  Lanes emit_node(ir::ValueId id, const ir::Unary& node);
  Lanes emit_node(ir::ValueId id, const ir::Binary& node);
  Lanes emit_node(ir::ValueId id, const ir::Maximum& node);
  Lanes emit_node(ir::ValueId id, const ir::Minimum& node);
  Lanes emit_node(ir::ValueId id, const ir::Select& node);
  Lanes emit_node(ir::ValueId id, const ir::Check& node);
  Lanes emit_node(ir::ValueId id, const ir::Fail& node);
  Lanes emit_node(ir::ValueId id, const ir::Call& node);
  Lanes emit_node(ir::ValueId id, const ir::Reduce& node);
  Lanes emit_node(ir::ValueId id, const ir::Read& node);
  Lanes emit_node(ir::ValueId id, const ir::Neighbour& node);
  Lanes emit_node(ir::ValueId id, const ir::Lookup& node);
  Lanes emit_node(ir::ValueId id, const ir::Measure& node);

  bool may_ask_leaf(const ir::Node& node) const;
  Lanes bad(ir::ScalarType type);
  ir::ScalarType type_of(ir::ValueId value) const { return module.system[value].type; }
  Activation& owner(ir::FrameId frame) const;

  // Arithmetic: operands' masks are combined by the caller; `good` is null where the operator cannot fail.
  Lanes short_circuit(const ir::Binary& node);
  Lanes integer(const ir::Binary& node, const Lanes& left, const Lanes& right);
  Lanes real(const ir::Binary& node, const Lanes& left, const Lanes& right);
  Lanes unary(const ir::Unary& node, const Lanes& operand);
  Lanes add(const Lanes& left, const Lanes& right);
  Lanes subtract(const Lanes& left, const Lanes& right);
  Lanes multiply(const Lanes& left, const Lanes& right);
  Lanes division(const Lanes& left, const Lanes& right, bool quotient_wanted);
  std::optional<Lanes> power_of_two_division(const Lanes& left, const Lanes& right, bool quotient_wanted);
  Lanes power_of_real(const Lanes& base, const Lanes& exponent, ir::BinaryOp op);
  std::optional<Lanes> power_of_integer(const Lanes& base, const Lanes& exponent);
  Lanes to_whole(llvm::Value* whole, llvm::Value* good);
  Lanes extreme(const std::vector<ir::ValueId>& operands, ir::ScalarType type, bool largest);
  llvm::Value* real_to_integer(llvm::Value* whole, llvm::Value* good);
  llvm::Value* absolute(llvm::Value* real);

  // Lane by lane, through functions of the host that take arrays.
  Lanes host_unary(ir::UnaryOp op, ir::ScalarType type, llvm::Value* operand);
  Lanes host_binary(ir::BinaryOp op, ir::ScalarType type, llvm::Value* left, llvm::Value* right);
  Lanes host(HostFunction function, std::vector<llvm::Value*> arguments, const std::vector<llvm::Value*>& operands,
             ir::ScalarType result);
  llvm::AllocaInst* local(llvm::Type* type, const char* name);  // in the entry block
  llvm::BasicBlock* block(const char* name);

  // What is the same in all lanes is evaluated once, and spread. The scalar that a vector or a mask has in every lane;
  // null: none is known.
  static llvm::Value* scalar_of(llvm::Value* vector);
  bool are_uniform(std::initializer_list<llvm::Value*> vectors) const;
  Lanes narrowed(const Lanes& lanes);
  Lanes widened(const Lanes& one, unsigned width);
  // The quotient or the remainder of whole numbers by one that all lanes have. Where that is not good, `a` is 0.
  llvm::Value* divided_by_one(llvm::Value* a, llvm::Value* divisor, bool quotient_wanted);
  // `apply` to operands without masks: once where they are the same in all lanes.
  Lanes once_or_by_lane(const Lanes& left, const Lanes& right,
                        const std::function<Lanes(const Lanes&, const Lanes&)>& apply);

  // Loops.
  void emit_ahead(ir::ValueId value, std::vector<ir::BinderId> bound, std::unordered_set<ir::ValueId>& seen);
  const ir::FreeBinders& free_binders();
  // Spends one iteration: i1, false when there is none left.
  llvm::Value* burn();

  std::unique_ptr<Activation> base_;
  Activation* here_;
  std::unordered_map<ir::BinderId, IntegerRange> binder_ranges_;
  std::vector<ir::FrameId> calls_;  // that are being inlined
  std::unique_ptr<ir::FreeBinders> free_binders_;
  llvm::AllocaInst* fuel_ = nullptr;
  std::size_t emitted_ = 0;
  // What has been remembered, in order, for regions.
  struct Remembered {
    Activation* activation;
    bool in_event;
    ir::ValueId value;
    ir::DefinitionId definition;  // valid: of a definition
  };
  std::vector<Remembered> remembered_;
  std::vector<std::unique_ptr<Activation>> ended_;  // that `remembered_` may name
};

}  // namespace wave::jit::lanes
