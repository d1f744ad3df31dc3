// One cell of a group: the events' maxima over constraints, or their bodies, with absence as control flow.
#include "backend/jit/cell.h"
#include "backend/jit/shared_code.h"

#include <algorithm>

namespace wave::jit {

using ir::ScalarType;

// --- maxima over what is present ---

PresentExtreme::PresentExtreme(FunctionEmitter& in, ScalarType type, bool largest)
    : in_(in),
      type_(type),
      largest_(largest),
      value_(in.local(in.module.type(type), "extreme")),
      present_(in.local(in.module.i1, "present")) {
  in_.build.CreateStore(in_.build.getInt1(false), present_);
}

void PresentExtreme::add(const std::function<llvm::Value*()>& operand) {
  llvm::BasicBlock* const next = in_.block("next_operand");
  llvm::BasicBlock* const outer = std::exchange(in_.absent, next);
  {
    const FunctionEmitter::Region region(in_);
    llvm::Value* const value = operand();
    llvm::BasicBlock* const first = in_.block("first");
    llvm::BasicBlock* const further = in_.block("further");
    in_.build.CreateCondBr(in_.build.CreateLoad(in_.module.i1, present_), further, first);
    in_.build.SetInsertPoint(first);
    in_.build.CreateStore(value, value_);
    in_.build.CreateStore(in_.build.getInt1(true), present_);
    in_.build.CreateBr(next);
    in_.build.SetInsertPoint(further);
    llvm::Value* const so_far = in_.build.CreateLoad(in_.module.type(type_), value_);
    in_.build.CreateStore(emit_larger(in_.build, type_, so_far, value, largest_), value_);
    in_.build.CreateBr(next);
  }
  in_.absent = outer;
  in_.build.SetInsertPoint(next);
}

llvm::Value* PresentExtreme::result_or(llvm::BasicBlock* none) {
  llvm::BasicBlock* const some = in_.block("present");
  in_.build.CreateCondBr(in_.build.CreateLoad(in_.module.i1, present_), some, none);
  in_.build.SetInsertPoint(some);
  return in_.build.CreateLoad(in_.module.type(type_), value_);
}

// --- weights ---

llvm::Value* round_to_quantum(FunctionEmitter& in, llvm::Value* weight) {
  const Cell& cell = *in.cell;
  return emit_round_to(in.build, weight, cell.quantum, cell.interior ? cell.inverse : nullptr);
}

llvm::Value* is_not_finite(FunctionEmitter& in, llvm::Value* weight) {
  // x - x is NaN for NaN and the infinities only.
  return in.build.CreateFCmpUNE(in.build.CreateFSub(weight, weight), llvm::ConstantFP::get(in.module.real, 0));
}

namespace {

// --- neighbours ---

// Whether a neighbour is the value kept in a register.
bool is_previous(const Cell& cell, std::uint32_t position, const std::vector<std::int32_t>& offset) {
  return cell.interior && offset == cell.step && position < cell.previous.size() && cell.previous[position];
}

// The index `offset` away along an axis; control goes to `absent` where it is off the space.
llvm::Value* shifted(FunctionEmitter& in, std::size_t axis, bool wrap, std::int32_t offset) {
  const Cell& cell = *in.cell;
  llvm::Value* const index = cell.index[axis];
  if (offset == 0) return index;
  llvm::Value* const moved = in.build.CreateAdd(index, in.constant(offset));
  if (cell.interior) return moved;
  llvm::Value* const extent = in.build.CreateAdd(in.build.CreateSub(cell.last[axis], cell.first[axis]), in.constant(1));
  llvm::Value* const from_first = in.build.CreateSub(moved, cell.first[axis]);
  if (wrap) {
    llvm::Value* const remainder = in.build.CreateSRem(from_first, extent);
    llvm::Value* const wrapped = in.build.CreateSelect(in.build.CreateICmpSLT(remainder, in.constant(0)),
                                                       in.build.CreateAdd(remainder, extent), remainder);
    return in.build.CreateAdd(cell.first[axis], wrapped);
  }
  llvm::BasicBlock* const inside = in.block("inside");
  in.build.CreateCondBr(in.build.CreateICmpULT(from_first, extent), inside, in.absent);
  in.build.SetInsertPoint(inside);
  return moved;
}

llvm::Value* address(FunctionEmitter& in, std::uint32_t position, const std::vector<llvm::Value*>& index) {
  const Cell& cell = *in.cell;
  llvm::Value* words = nullptr;
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    llvm::Value* const part = in.build.CreateMul(index[axis], cell.stride[axis]);
    words = words ? in.build.CreateAdd(words, part) : part;
  }
  return in.build.CreateGEP(in.module.i64, cell.base[position], words);
}

llvm::Value* emit_neighbour(FunctionEmitter& in, ir::EventId event_id, const std::vector<std::int32_t>& offset) {
  const Cell& cell = *in.cell;
  const ir::Event& event = in.system[event_id];
  const ir::Space& space = in.system[event.space];
  const std::uint32_t position = in.layout.position[event_id.index];
  const bool own = in.layout.group_of[event_id.index] == cell.group;
  if (own && is_previous(cell, position, offset)) {
    return in.build.CreateLoad(in.module.type(event.type), cell.previous[position]);
  }
  if (own && cell.current[position] &&
      std::all_of(offset.begin(), offset.end(), [](std::int32_t o) { return o == 0; })) {
    return cell.current[position];
  }
  std::vector<llvm::Value*> index;
  for (std::size_t axis = 0; axis < offset.size(); ++axis) {
    index.push_back(shifted(in, axis, space.axes[axis].wrap, offset[axis]));
  }
  if (own) return in.load_word(event.type, address(in, position, index));
  llvm::AllocaInst* const result = in.local(in.module.i64, "result");
  std::vector<llvm::Value*> arguments{in.context, in.record, result};
  arguments.insert(arguments.end(), index.begin(), index.end());
  in.check_call(in.build.CreateCall(in.module.read(event_id), arguments));
  return in.load_word(event.type, result);
}

// --- constraints ---

// A summand as an exact event takes it.
llvm::Value* emit_rounded(FunctionEmitter& in, ir::EventId event, std::uint32_t constraint, llvm::Value* weight,
                          bool finite) {
  if (!finite) {
    in.where(is_not_finite(in, weight), [&] {
      in.build.CreateCall(in.module.host(HostFunction::fail_weight),
                          {in.context, in.constant32(event.index), in.constant32(constraint), weight});
      in.build.CreateBr(in.failed);
    });
  }
  return round_to_quantum(in, weight);
}

llvm::Value* emit_weight(FunctionEmitter& in, ir::EventId event, std::uint32_t constraint, ir::ValueId weight) {
  return emit_rounded(in, event, constraint, in.emit(weight), in.cell->finite.contains(weight));
}

llvm::Value* emit_constraint(FunctionEmitter& in, ir::EventId event, std::uint32_t number) {
  const Cell& cell = *in.cell;
  const ir::Constraint& constraint = in.system[event].constraints[number];
  if (constraint.guard.valid()) {
    llvm::BasicBlock* const holds = in.block("holds");
    in.build.CreateCondBr(in.emit(constraint.guard), holds, in.absent);
    in.build.SetInsertPoint(holds);
  }
  llvm::Value* source = nullptr;
  if (constraint.source.valid()) {
    source = emit_neighbour(in, constraint.source, constraint.offset);
    const bool own = in.layout.group_of[constraint.source.index] == cell.group;
    if (!own) source = emit_rounded(in, event, number, source, false);
  }
  const auto hoisted = cell.hoisted_for.find(constraint.offset);
  if (!constraint.guard.valid() && constraint.source.valid() && hoisted != cell.hoisted_for.end()) {
    for (const auto& [value, emitted] : hoisted->second) in.know(value, emitted);
  }
  llvm::Value* sum = cell.interior ? nullptr : source;
  for (const ir::ValueId weight : constraint.weights) {
    llvm::Value* const rounded = emit_weight(in, event, number, weight);
    sum = sum ? in.build.CreateFAdd(sum, rounded) : rounded;
  }
  if (cell.interior && source) sum = sum ? in.build.CreateFAdd(source, sum) : source;
  return sum ? sum : llvm::ConstantFP::get(in.module.real, 0);
}

llvm::Value* emit_otherwise(FunctionEmitter& in, ir::EventId id) {
  const ir::Event& event = in.system[id];
  if (event.general()) return in.emit(event.otherwise.front());
  llvm::Value* sum = nullptr;
  for (const ir::ValueId weight : event.otherwise) {
    llvm::Value* const rounded = emit_weight(in, id, static_cast<std::uint32_t>(event.constraints.size()), weight);
    sum = sum ? in.build.CreateFAdd(sum, rounded) : rounded;
  }
  return sum;
}

}  // namespace

llvm::Value* FunctionEmitter::emit_node(ir::ValueId, const ir::Neighbour& node) {
  return emit_neighbour(*this, node.event, node.offset);
}

void emit_event(FunctionEmitter& in, ir::EventId event_id) {
  const ir::Event& event = in.system[event_id];
  const std::uint32_t position = in.layout.position[event_id.index];
  llvm::Type* const type = in.module.type(event.type);
  llvm::AllocaInst* const slot = in.local(type, "value");
  llvm::BasicBlock* const nothing = in.block("nothing");
  llvm::BasicBlock* const done = in.block("done");
  SharedCode shared(in);
  {
    const FunctionEmitter::Region region(in);
    in.absent = nothing;
    llvm::Value* value;
    if (event.general()) {
      value = in.emit(event.body);
    } else {
      PresentExtreme maximum(in, event.type, true);
      for (std::uint32_t number = 0; number < event.constraints.size(); ++number) {
        maximum.add([&] { return emit_constraint(in, event_id, number); });
      }
      value = maximum.result_or(nothing);
    }
    in.build.CreateStore(value, slot);
    in.build.CreateBr(done);
  }
  in.build.SetInsertPoint(nothing);
  {
    const FunctionEmitter::Region region(in);
    llvm::BasicBlock* const no_value = in.block("no_value");
    in.absent = no_value;
    if (event.otherwise.empty()) {
      in.build.CreateBr(no_value);
    } else {
      in.build.CreateStore(emit_otherwise(in, event_id), slot);
      in.build.CreateBr(done);
    }
    in.absent = nullptr;
    in.build.SetInsertPoint(no_value);
    in.fail(event.site, ir::FailureKind::all_absent);
  }
  shared.finish();
  in.build.SetInsertPoint(done);
  llvm::Value* const value = in.build.CreateLoad(type, slot);
  in.cell->current[position] = value;
  in.store_word(event.type, value, address(in, position, in.cell->index));
}

}  // namespace wave::jit
