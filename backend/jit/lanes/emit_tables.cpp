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

  // The axes along which a table goes: at most two.
  std::vector<std::uint32_t> axes(Span span) const {
    switch (span) {
      case Span::row: return {source_.plan.row_axis};
      case Span::column: return {source_.plan.column_axis};
      case Span::plane: return {*source_.plan.plane_axis};
      case Span::periodic: return {source_.plan.row_axis, source_.plan.column_axis};
      case Span::once:
      case Span::cell: break;
    }
    return {};
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
    // Always two loops: around a table of one axis, the other runs once.
    emit_loop(number, 1, table, [&] {
      emit_loop(number, 3, table, [&] {
        llvm::Value* const at = in_.build.CreateLoad(in_.module.i64, place);
        SharedCode shared(in_);
        in_.store_word(table.type, emit_value(table), in_.build.CreateGEP(in_.module.i64, address, at));
        shared.finish();
        in_.build.CreateStore(in_.build.CreateAdd(at, in_.constant(1)), place);
      });
    });
  }

  // From the index in word `bounds` of the table's arguments to that in the next.
  void emit_loop(std::uint32_t number, std::uint32_t bounds, const StripTable& table,
                 const std::function<void()>& body) {
    auto& build = in_.build;
    llvm::Value* const first = word(in_.module.i64, TableArguments::table(number) + bounds);
    llvm::Value* const last = word(in_.module.i64, TableArguments::table(number) + bounds + 1);
    llvm::BasicBlock* const enter = in_.block("enter");
    llvm::BasicBlock* const head = in_.block("entry_of_table");
    llvm::BasicBlock* const end = in_.block("table_end");
    build.CreateCondBr(build.CreateICmpSLE(first, last), enter, end);
    build.SetInsertPoint(enter);
    in_.continue_in(head);
    llvm::PHINode* const index = build.CreatePHI(in_.module.i64, 2, "index");
    index->addIncoming(first, enter);
    {
      const FunctionEmitter::Region region(in_);
      const std::vector<std::uint32_t> along = axes(table.span);
      if (along.size() > bounds / 2) in_.binders[space_.axes[along[bounds / 2]].binder] = index;
      body();
    }
    in_.tick(in_.constant(16));
    index->addIncoming(build.CreateAdd(index, in_.constant(1)), build.GetInsertBlock());
    build.CreateCondBr(build.CreateICmpEQ(index, last), end, head);
    build.SetInsertPoint(end);
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
