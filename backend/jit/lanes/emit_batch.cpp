// A loop over vectors of rows: columns are loaded, everything that is asked for is one expression, columns are stored.
#include "backend/jit/lanes/emit_batch.h"

#include "backend/jit/lanes/lane_emitter.h"
#include "backend/jit/target.h"

#include <cmath>

namespace wave::jit::lanes {

namespace {

const llvm::Align word(8);

class BatchEmitter {
 public:
  BatchEmitter(ModuleEmitter& module, const BatchShape& shape, llvm::Function* function)
      : module_(module),
        shape_(shape),
        function_(function),
        build_(llvm::BasicBlock::Create(module.context, "entry", function)),
        lane_(module, function, build_, shape.lanes) {}

  void emit();

 private:
  llvm::Value* argument(std::size_t number);
  Lanes load(std::size_t input);
  void store(const std::vector<llvm::Value*>& to, std::size_t& column, ir::ScalarType type, const Lanes& lanes);
  // Everything that is asked of a row; the rows in which all of it is good.
  void emit_row();

  ModuleEmitter& module_;
  const BatchShape& shape_;
  llvm::Function* const function_;
  llvm::IRBuilder<> build_;
  LaneEmitter lane_;
  std::vector<llvm::Value*> inputs_, outputs_;  // addresses of first rows
  llvm::Value* bad_ = nullptr;
  llvm::Value* row_ = nullptr;
};

std::size_t count_columns(const ir::System& system, const BatchShape& shape) {
  std::size_t count = 0;
  for (const Asked& output : shape.outputs) {
    const auto* const root = std::get_if<ir::RootId>(&output);
    count += root ? system[*root].blocks.front().columns.size() : 1;
  }
  return count;
}

llvm::Value* BatchEmitter::argument(std::size_t number) {
  return build_.CreateLoad(module_.pointer, build_.CreateConstGEP1_64(module_.i64, function_->getArg(2), number));
}

void BatchEmitter::emit() {
  const std::size_t columns = count_columns(module_.system, shape_);
  for (std::size_t i = 0; i < shape_.inputs.size(); ++i) inputs_.push_back(argument(BatchArguments::input(i)));
  for (std::size_t i = 0; i < columns; ++i) outputs_.push_back(argument(BatchArguments::output(shape_, i)));
  bad_ = argument(BatchArguments::bad(shape_, columns));
  llvm::BasicBlock* const entry = build_.GetInsertBlock();
  llvm::BasicBlock* const rows = llvm::BasicBlock::Create(module_.context, "rows", function_);
  llvm::BasicBlock* const end = llvm::BasicBlock::Create(module_.context, "end", function_);
  llvm::Value* const from = function_->getArg(3);
  llvm::Value* const to = function_->getArg(4);
  build_.CreateCondBr(build_.CreateICmpSLT(from, to), rows, end);
  build_.SetInsertPoint(rows);
  llvm::PHINode* const row = build_.CreatePHI(module_.i64, 2, "row");
  row->addIncoming(from, entry);
  row_ = row;
  emit_row();
  lane_.refuel();
  llvm::Value* const next = build_.CreateAdd(row, build_.getInt64(shape_.lanes));
  row->addIncoming(next, build_.GetInsertBlock());
  build_.CreateCondBr(build_.CreateICmpSLT(next, to), rows, end);
  build_.SetInsertPoint(end);
  build_.CreateRet(build_.getInt32(0));
  use_widest_vectors(*function_);
}

Lanes BatchEmitter::load(std::size_t input) {
  const ir::ScalarType type = module_.system[shape_.inputs[input]].type;
  llvm::Value* const address = build_.CreateGEP(module_.i64, inputs_[input], row_);
  const ir::ScalarType stored = type == ir::ScalarType::real ? type : ir::ScalarType::integer;
  llvm::Value* const value = build_.CreateAlignedLoad(lane_.type(stored), address, word);
  if (type != ir::ScalarType::boolean) return {value};
  return {build_.CreateICmpNE(value, lane_.splat(std::int64_t{0}))};
}

void BatchEmitter::store(const std::vector<llvm::Value*>& to, std::size_t& column, ir::ScalarType type,
                         const Lanes& lanes) {
  llvm::Value* value = lanes.value;
  if (type == ir::ScalarType::boolean) value = build_.CreateZExt(value, lane_.type(ir::ScalarType::integer));
  if (type == ir::ScalarType::real) {  // NaNs are canonical
    value = build_.CreateSelect(build_.CreateFCmpUNO(value, value), lane_.splat(std::nan("")), value);
  }
  build_.CreateAlignedStore(value, build_.CreateGEP(module_.i64, to[column++], row_), word);
}

void BatchEmitter::emit_row() {
  lane_.leaves_out = true;
  std::vector<Lanes> inputs;
  for (std::size_t i = 0; i < shape_.inputs.size(); ++i) inputs.push_back(load(i));
  lane_.leaf = [&](ir::ValueId, const ir::Node& node) -> std::optional<Lanes> {
    const auto* const reference = std::get_if<ir::Reference>(&node);
    if (!reference) return std::nullopt;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (shape_.inputs[i] == reference->definition) return inputs[i];
    }
    return std::nullopt;
  };
  struct Result {
    ir::ScalarType type;
    Lanes lanes;
  };
  std::vector<Result> columns;
  llvm::Value* good = nullptr;
  const auto add = [&](ir::ScalarType type, const Lanes& lanes) {
    columns.push_back({type, lanes});
    good = lane_.both(good, lanes.good);
  };
  for (const Asked& output : shape_.outputs) {
    if (const auto* const definition = std::get_if<ir::DefinitionId>(&output)) {
      add(module_.system[*definition].type, lane_.definition(*definition));
      continue;
    }
    const ir::Root& root = module_.system[std::get<ir::RootId>(output)];
    if (root.precondition.valid()) good = lane_.both(good, lane_.emit(root.precondition).good);
    for (const ir::ValueId value : root.blocks.front().columns) add(module_.system[value].type, lane_.emit(value));
  }
  std::size_t number = 0;
  for (const Result& column : columns) store(outputs_, number, column.type, column.lanes);
  llvm::Value* const bad =
      build_.CreateZExt(lane_.whole(lane_.inverted(good)), llvm::FixedVectorType::get(module_.i8, shape_.lanes));
  build_.CreateAlignedStore(bad, build_.CreateGEP(module_.i8, bad_, row_), llvm::Align(1));
}

}  // namespace

void emit_batch(ModuleEmitter& module, const BatchShape& shape, llvm::Function* function) {
  BatchEmitter(module, shape, function).emit();
}

}  // namespace wave::jit::lanes
