// The loop nest of a group. Three functions: `kernel_G` holds the outer loops, `edge_G` a stretch of the innermost
// loop with every test for presence, `inner_G` one where all neighbours are in the space, with the value one step
// behind in a register. Grid extents, the quantum and hoisted scalars are arguments.
#include "backend/jit/cell.h"
#include "ir/dependences.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace wave::jit {

namespace {

using Offsets = std::vector<std::vector<std::int32_t>>;

// What the three functions of a kernel share.
struct Kernel {
  Kernel(ModuleEmitter& module, GroupIndex number)
      : module(module),
        number(number),
        group(module.layout.groups[number]),
        schedule(module.layout.schedules[number]),
        space(module.system[group.space]),
        rank(static_cast<std::uint32_t>(space.axes.size())),
        hoisted(module.layout.hoisted[number]) {}

  ModuleEmitter& module;
  GroupIndex number;
  const ir::EventGroup& group;
  const ir::Schedule& schedule;
  const ir::Space& space;
  std::uint32_t rank;
  const std::vector<ir::Hoisted>& hoisted;

  bool rows() const { return schedule.kind == ir::ScheduleKind::rows; }
  // The axis of the loop number `level` from outside.
  std::uint32_t axis_at(std::uint32_t level) const { return rows() ? schedule.order[level] : level; }
  std::uint32_t innermost() const { return axis_at(rank - 1); }
  bool rises(std::uint32_t axis) const { return !rows() || schedule.rising[axis]; }
};

// Offsets of all neighbours that the cells look at, in whatever group.
Offsets neighbour_offsets(const Kernel& kernel) {
  std::set<std::vector<std::int32_t>> found;
  for (const ir::EventId event : kernel.group.events) {
    for (const ir::Dependence& dependence : ir::dependences(kernel.module.system, event)) {
      found.insert(dependence.offset);
    }
  }
  return {found.begin(), found.end()};
}

llvm::Value* argument(FunctionEmitter& in, llvm::Value* arguments, llvm::Type* type, std::uint32_t word) {
  return in.build.CreateLoad(type, in.at(arguments, 8 * word));
}

// Loads what every cell needs, and makes the hoisted scalars known.
Cell load_cell(FunctionEmitter& in, const Kernel& kernel, llvm::Value* arguments, bool interior) {
  const ModuleEmitter& module = kernel.module;
  Cell cell;
  cell.group = kernel.number;
  cell.interior = interior;
  cell.index.resize(kernel.rank);
  for (std::uint32_t axis = 0; axis < kernel.rank; ++axis) {
    cell.first.push_back(argument(in, arguments, module.i64, KernelArguments::first(axis)));
    cell.last.push_back(argument(in, arguments, module.i64, KernelArguments::last(axis)));
    const bool contiguous = axis == kernel.innermost();
    cell.stride.push_back(contiguous ? in.constant(1)
                                     : argument(in, arguments, module.i64, KernelArguments::stride(axis)));
  }
  const auto events = static_cast<std::uint32_t>(kernel.group.events.size());
  for (std::uint32_t event = 0; event < events; ++event) {
    cell.base.push_back(argument(in, arguments, module.pointer, KernelArguments::base(kernel.rank, event)));
  }
  cell.current.resize(events);
  cell.previous.resize(events);
  cell.quantum = argument(in, arguments, module.real, KernelArguments::quantum);
  cell.inverse = argument(in, arguments, module.real, KernelArguments::inverse);
  for (std::uint32_t i = 0; i < kernel.hoisted.size(); ++i) {
    const ir::Hoisted& hoisted = kernel.hoisted[i];
    llvm::Value* const value =
        in.load_word(in.type_of(hoisted.value), in.at(arguments, 8 * KernelArguments::hoisted(kernel.rank, events, i)));
    if (hoisted.offset) {
      cell.hoisted_for[*hoisted.offset][hoisted.value] = value;
    } else {
      in.know(hoisted.value, value);
    }
    if (interior) cell.finite.insert(hoisted.value);
  }
  return cell;
}

void emit_cell(FunctionEmitter& in, const Kernel& kernel, Cell& cell) {
  std::fill(cell.current.begin(), cell.current.end(), nullptr);
  for (std::uint32_t axis = 0; axis < kernel.rank; ++axis)
    in.binders[kernel.space.axes[axis].binder] = cell.index[axis];
  for (const ir::EventId event : kernel.group.events) emit_event(in, event);
}

// --- a stretch of the innermost loop: edge_G and inner_G ---

// Parameters after (context, record): the arguments, the indices of the outer loops, first and last of the stretch.
llvm::Function* declare_stretch(const Kernel& kernel, const char* name) {
  std::vector<llvm::Type*> parameters{kernel.module.pointer};
  parameters.insert(parameters.end(), kernel.rank + 1, kernel.module.i64);
  llvm::Function* const function = kernel.module.declare(fmt::format("{}_{}", name, kernel.number), parameters);
  function->setLinkage(llvm::Function::InternalLinkage);
  function->addParamAttr(2, llvm::Attribute::NoAlias);
  return function;
}

// Events with a neighbour one step behind in the innermost loop.
std::vector<bool> read_one_step_behind(const Kernel& kernel, const std::vector<std::int32_t>& step) {
  std::vector<bool> result(kernel.group.events.size());
  for (const ir::EventId event : kernel.group.events) {
    for (const ir::Dependence& dependence : ir::dependences(kernel.module.system, event)) {
      const bool own = kernel.module.layout.group_of[dependence.source.index] == kernel.number;
      if (own && dependence.offset == step) result[kernel.module.layout.position[dependence.source.index]] = true;
    }
  }
  return result;
}

void begin_registers(FunctionEmitter& in, const Kernel& kernel, Cell& cell, llvm::Value* begin) {
  const bool rising = kernel.rises(kernel.innermost());
  cell.step.assign(kernel.rank, 0);
  cell.step[kernel.innermost()] = rising ? -1 : 1;
  const std::vector<bool> wanted = read_one_step_behind(kernel, cell.step);
  cell.index[kernel.innermost()] = begin;
  for (std::uint32_t event = 0; event < wanted.size(); ++event) {
    if (!wanted[event]) continue;
    const ir::ScalarType type = in.system[kernel.group.events[event]].type;
    llvm::Value* words = in.constant(rising ? -1 : 1);
    for (std::uint32_t axis = 0; axis < kernel.rank; ++axis) {
      words = in.build.CreateAdd(words, in.build.CreateMul(cell.index[axis], cell.stride[axis]));
    }
    cell.previous[event] = in.local(in.module.type(type), "previous");
    in.build.CreateStore(in.load_word(type, in.build.CreateGEP(in.module.i64, cell.base[event], words)),
                         cell.previous[event]);
  }
}

void emit_stretch(const Kernel& kernel, llvm::Function* function, bool interior) {
  ModuleEmitter& module = kernel.module;
  FunctionEmitter in(module, function, ir::System::root_frame);
  Cell cell = load_cell(in, kernel, function->getArg(2), interior);
  in.cell = &cell;
  for (std::uint32_t level = 0; level + 1 < kernel.rank; ++level) {
    cell.index[kernel.axis_at(level)] = function->getArg(3 + level);
  }
  llvm::Value* const from = function->getArg(2 + kernel.rank);
  llvm::Value* const to = function->getArg(3 + kernel.rank);
  const bool rising = kernel.rises(kernel.innermost());
  const auto begin = [&] {
    if (interior) begin_registers(in, kernel, cell, rising ? from : to);
  };
  const auto body = [&](llvm::Value* index) {
    cell.index[kernel.innermost()] = index;
    for (std::uint32_t axis = 0; axis < kernel.rank; ++axis) {
      in.note_index_on_failure(kernel.space.axes[axis].binder, cell.index[axis]);
    }
    {
      const FunctionEmitter::Region region(in);
      emit_cell(in, kernel, cell);
    }
    for (std::uint32_t event = 0; event < cell.previous.size(); ++event) {
      if (cell.previous[event]) in.build.CreateStore(cell.current[event], cell.previous[event]);
    }
  };
  in.emit_range(from, to, rising, body, begin);
  in.return_done();
}

// --- the outer loops: kernel_G ---

class RowLoops {
 public:
  RowLoops(const Kernel& kernel, FunctionEmitter& in, llvm::Value* arguments)
      : kernel_(kernel),
        in_(in),
        arguments_(arguments),
        cell_(load_cell(in, kernel, arguments, false)),
        fast_(in.build.CreateICmpEQ(argument(in, arguments, in.module.i64, KernelArguments::fast), in.constant(1))),
        edge_(declare_stretch(kernel, "edge")),
        inner_(declare_stretch(kernel, "inner")),
        low_(kernel.rank, 0),
        high_(kernel.rank, 0) {
    for (const auto& offset : neighbour_offsets(kernel)) {
      for (std::uint32_t axis = 0; axis < kernel.rank; ++axis) {
        low_[axis] = std::max(low_[axis], -offset[axis]);
        high_[axis] = std::max(high_[axis], offset[axis]);
      }
    }
  }

  void emit(std::uint32_t level, llvm::Value* from, llvm::Value* to, llvm::Value* interior) {
    if (level + 1 == kernel_.rank) return emit_row(from, to, interior ? in_.build.CreateAnd(interior, fast_) : fast_);
    const std::uint32_t axis = kernel_.axis_at(level);
    in_.emit_range(from, to, kernel_.rises(axis), [&](llvm::Value* index) {
      cell_.index[axis] = index;
      const std::uint32_t next = kernel_.axis_at(level + 1);
      // The neighbours along this axis are in the space.
      llvm::Value* const inside = in_.build.CreateAnd(
          in_.build.CreateICmpSGE(index, in_.build.CreateAdd(cell_.first[axis], in_.constant(low_[axis]))),
          in_.build.CreateICmpSLE(index, in_.build.CreateSub(cell_.last[axis], in_.constant(high_[axis]))));
      emit(level + 1, cell_.first[next], cell_.last[next], interior ? in_.build.CreateAnd(interior, inside) : inside);
    });
  }

  void emit_stretches() {
    emit_stretch(kernel_, edge_, false);
    emit_stretch(kernel_, inner_, true);
  }

 private:
  // The near edge, the interior, the far edge, in the loop's direction; all of it an edge where the row is one.
  void emit_row(llvm::Value* from, llvm::Value* to, llvm::Value* interior) {
    const std::uint32_t axis = kernel_.innermost();
    auto& build = in_.build;
    llvm::Value* const first = build.CreateAdd(cell_.first[axis], in_.constant(low_[axis]));
    llvm::Value* const last = build.CreateSub(cell_.last[axis], in_.constant(high_[axis]));
    llvm::Value* const low = emit_larger(build, ir::ScalarType::integer, from, first, true);
    llvm::Value* const high = emit_larger(build, ir::ScalarType::integer, to, last, false);
    llvm::BasicBlock* const split = in_.block("split");
    llvm::BasicBlock* const whole = in_.block("whole");
    llvm::BasicBlock* const done = in_.block("row_done");
    build.CreateCondBr(build.CreateAnd(interior, build.CreateICmpSLE(low, high)), split, whole);
    build.SetInsertPoint(whole);
    call(edge_, from, to);
    build.CreateBr(done);
    build.SetInsertPoint(split);
    const bool rising = kernel_.rises(axis);
    llvm::Value* const before_low = build.CreateSub(low, in_.constant(1));
    llvm::Value* const after_high = build.CreateAdd(high, in_.constant(1));
    rising ? call(edge_, from, before_low) : call(edge_, after_high, to);
    call(inner_, low, high);
    rising ? call(edge_, after_high, to) : call(edge_, from, before_low);
    in_.continue_in(done);
    in_.tick(build.CreateAdd(build.CreateSub(to, from), in_.constant(1)));
  }

  void call(llvm::Function* stretch, llvm::Value* from, llvm::Value* to) {
    std::vector<llvm::Value*> values{in_.context, in_.record, arguments_};
    for (std::uint32_t level = 0; level + 1 < kernel_.rank; ++level) {
      values.push_back(cell_.index[kernel_.axis_at(level)]);
    }
    values.push_back(from);
    values.push_back(to);
    in_.check_call(in_.build.CreateCall(stretch, values));
  }

  const Kernel& kernel_;
  FunctionEmitter& in_;
  llvm::Value* arguments_;
  Cell cell_;
  llvm::Value* fast_;
  llvm::Function* edge_;
  llvm::Function* inner_;
  std::vector<std::int32_t> low_, high_;  // per axis: how far neighbours reach back and ahead
};

// Cells of theta . p = t for t in [from, to]: loops over all axes but the last that theta moves along, whose index
// follows from t.
class PlaneLoops {
 public:
  PlaneLoops(const Kernel& kernel, FunctionEmitter& in, llvm::Value* arguments)
      : kernel_(kernel),
        in_(in),
        arguments_(arguments),
        cell_(load_cell(in, kernel, arguments, false)),
        edge_(declare_stretch(kernel, "edge")) {
    for (std::uint32_t axis = 0; axis < kernel.rank; ++axis) {
      if (kernel.schedule.theta[axis] != 0) solved_ = axis;
    }
  }

  void emit(llvm::Value* from, llvm::Value* to) {
    in_.emit_range(from, to, true, [&](llvm::Value* plane) {
      emit_axis(0, plane);
      in_.tick(in_.constant(16));
    });
    emit_stretch(kernel_, edge_, false);
  }

 private:
  // `rest`: t less the part of the axes before this one.
  void emit_axis(std::uint32_t axis, llvm::Value* rest) {
    if (axis == kernel_.rank) return emit_point();
    if (axis == solved_) return emit_solved(axis, rest);
    in_.emit_range(cell_.first[axis], cell_.last[axis], true, [&](llvm::Value* index) {
      cell_.index[axis] = index;
      const std::int32_t theta = kernel_.schedule.theta[axis];
      emit_axis(axis + 1, in_.build.CreateSub(rest, in_.build.CreateMul(index, in_.constant(theta))));
    });
  }

  // The axes behind this one do not move along theta.
  void emit_solved(std::uint32_t axis, llvm::Value* rest) {
    auto& build = in_.build;
    llvm::Value* const theta = in_.constant(kernel_.schedule.theta[axis]);
    llvm::Value* const index = build.CreateSDiv(rest, theta);
    llvm::Value* const whole = build.CreateICmpEQ(build.CreateMul(index, theta), rest);
    llvm::Value* const inside =
        build.CreateAnd(build.CreateICmpSGE(index, cell_.first[axis]), build.CreateICmpSLE(index, cell_.last[axis]));
    llvm::BasicBlock* const on_plane = in_.block("on_plane");
    llvm::BasicBlock* const next = in_.block("next");
    build.CreateCondBr(build.CreateAnd(whole, inside), on_plane, next);
    build.SetInsertPoint(on_plane);
    cell_.index[axis] = index;
    emit_axis(axis + 1, in_.constant(0));
    in_.continue_in(next);
  }

  void emit_point() {
    std::vector<llvm::Value*> values{in_.context, in_.record, arguments_};
    for (std::uint32_t axis = 0; axis < kernel_.rank; ++axis) values.push_back(cell_.index[axis]);
    values.push_back(cell_.index[kernel_.rank - 1]);
    in_.check_call(in_.build.CreateCall(edge_, values));
  }

  const Kernel& kernel_;
  FunctionEmitter& in_;
  llvm::Value* arguments_;
  Cell cell_;
  llvm::Function* edge_;
  std::uint32_t solved_ = 0;
};

}  // namespace

void emit_kernel(ModuleEmitter& module, GroupIndex number, llvm::Function* function) {
  const Kernel kernel(module, number);
  FunctionEmitter in(module, function, ir::System::root_frame);
  function->addParamAttr(2, llvm::Attribute::NoAlias);
  llvm::Value* const from = function->getArg(3);
  llvm::Value* const to = function->getArg(4);
  if (kernel.rows()) {
    RowLoops loops(kernel, in, function->getArg(2));
    loops.emit(0, from, to, nullptr);
    in.return_done();
    loops.emit_stretches();
  } else {
    PlaneLoops loops(kernel, in, function->getArg(2));
    loops.emit(from, to);
    in.return_done();
  }
}

}  // namespace wave::jit
