// Fills tables: a loop each over the indices of its axis, in scalar code.
#include "backend/jit/cell.h"
#include "backend/jit/lanes/emit_strip.h"
#include "backend/jit/shared_code.h"

namespace wave::jit::lanes {

namespace {

class TableEmitter {
 public:
  TableEmitter(ModuleEmitter& module, const StripSource& source, llvm::Function* function)
      : source_(source),
        group_(module.layout.groups[source.group]),
        space_(module.system[group_.space]),
        in_(module, function, group_.frame),
        arguments_(function->getArg(2)) {
    cell_.group = source.group;
    cell_.quantum = word(module.real, TableArguments::quantum);
    cell_.inverse = word(module.real, TableArguments::inverse);
    in_.cell = &cell_;
  }

  void emit() {
    for (std::uint32_t number = 0; number < source_.tables.tables.size(); ++number) emit_table(number);
    in_.return_done();
  }

 private:
  llvm::Value* word(llvm::Type* type, std::uint32_t number) {
    return in_.build.CreateLoad(type, in_.at(arguments_, 8 * number));
  }

  void emit_table(std::uint32_t number) {
    const StripTable& table = source_.tables.tables[number];
    const FunctionEmitter::Region region(in_);
    for (std::uint32_t axis = 0; axis < space_.axes.size(); ++axis) {
      in_.binders[space_.axes[axis].binder] = word(in_.module.i64, TableArguments::firsts + axis);
    }
    llvm::Value* const address = word(in_.module.pointer, TableArguments::table(number));
    llvm::AllocaInst* const place = in_.local(in_.module.i64, "place");
    in_.build.CreateStore(in_.constant(0), place);
    emit_loop(number, 0, [&] {
      emit_loop(number, 1, [&] {
        llvm::Value* const at = in_.build.CreateLoad(in_.module.i64, place);
        SharedCode shared(in_);
        in_.store_word(table.type, emit_value(table), in_.build.CreateGEP(in_.module.i64, address, at));
        shared.finish();
        in_.build.CreateStore(in_.build.CreateAdd(at, in_.constant(1)), place);
      });
    });
  }

  // Over the axis of this depth; where the table has none, once.
  void emit_loop(std::uint32_t number, std::uint32_t depth, const std::function<void()>& body) {
    const std::vector<std::uint32_t> axes = axes_of(source_.tables.tables[number].span, source_.plan);
    const std::uint32_t bounds = TableArguments::table(number) + 1 + 2 * depth;
    in_.emit_range(word(in_.module.i64, bounds), word(in_.module.i64, bounds + 1), true, [&](llvm::Value* index) {
      {
        const FunctionEmitter::Region region(in_);
        if (depth < axes.size()) in_.binders[space_.axes[axes[depth]].binder] = index;
        body();
      }
      in_.tick(in_.constant(16));
    });
  }

  llvm::Value* emit_value(const StripTable& table) {
    if (!table.rounded) return in_.emit(table.values.front());
    llvm::Value* sum = llvm::ConstantFP::get(in_.module.real, 0);
    for (const ir::ValueId weight : table.values) {
      llvm::Value* const value = in_.emit(weight);
      llvm::BasicBlock* const good = in_.block("good");
      in_.build.CreateCondBr(is_not_finite(in_, value), in_.failed, good);
      in_.build.SetInsertPoint(good);
      sum = in_.build.CreateFAdd(sum, round_to_quantum(in_, value));
    }
    return sum;
  }

  const StripSource& source_;
  const ir::EventGroup& group_;
  const ir::Space& space_;
  FunctionEmitter in_;
  Cell cell_;
  llvm::Value* arguments_;
};

}  // namespace

void emit_tables(ModuleEmitter& module, const StripSource& source, llvm::Function* function) {
  TableEmitter(module, source, function).emit();
}

}  // namespace wave::jit::lanes
