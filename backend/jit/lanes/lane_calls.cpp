// Definitions and functions, written out where they are needed first, and what the host does lane by lane.
#include "backend/jit/lanes/lane_emitter.h"
#include "backend/jit/lanes/lane_scope.h"
#include "backend/jit/lanes/thresholds.h"
#include "ir/arithmetic.h"
#include "ir/operations.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::jit::lanes {

using ir::ScalarType;

// --- definitions ---

Lanes LaneEmitter::emit_node(ir::ValueId, const ir::Reference& node) {
  const ir::Definition& definition = module.system[node.definition];
  if (definition.bindable)
    return not_in_lanes(definition.type, fmt::format("`{}` is given from outside", definition.name));
  Activation& owner = this->owner(definition.frame);
  if (const auto known = owner.definitions.find(node.definition); known != owner.definitions.end())
    return known->second;
  if (!owner.in_progress.insert(node.definition).second) {
    return not_in_lanes(definition.type, fmt::format("`{}` needs itself", definition.name));
  }
  const Lanes lanes = [&] {
    const Scope scope(*this, owner);
    return emit(definition.body);
  }();
  owner.in_progress.erase(node.definition);
  owner.definitions[node.definition] = lanes;
  remembered_.push_back({&owner, false, {}, node.definition});
  return lanes;
}

Lanes LaneEmitter::definition(ir::DefinitionId definition) {
  const ir::Reference node{definition};
  if (leaf) {
    if (const std::optional<Lanes> given = leaf({}, node)) return *given;
  }
  return emit_node({}, node);
}

// --- functions ---

Lanes LaneEmitter::emit_node(ir::ValueId id, const ir::Parameter& node) {
  const Activation& owner = this->owner(module.system[node.parameter].frame);
  const auto argument = owner.arguments.find(node.parameter);
  if (argument != owner.arguments.end()) return argument->second;
  return not_in_lanes(type_of(id), fmt::format("`{}` is an argument from outside", module.system[node.parameter].name));
}

// The arguments are evaluated, needed or not, until one is absent. None is inside.
Lanes LaneEmitter::emit_node(ir::ValueId id, const ir::Call& node) {
  const ir::System& system = module.system;
  const std::string& name = system[node.definition].name;
  if (std::find(calls_.begin(), calls_.end(), node.frame) != calls_.end()) {
    return not_in_lanes(type_of(id), fmt::format("`{}` is recursive", name));
  }
  if (calls_.size() >= most_calls_inside_each_other) {
    return not_in_lanes(type_of(id), fmt::format("`{}` is called too deep inside others", name));
  }
  auto callee = std::make_unique<Activation>();
  callee->frame = node.frame;
  callee->outer = &owner(system[node.frame].parent);
  llvm::Value* good = nullptr;
  llvm::Value* present = nullptr;
  auto argument = node.arguments.begin();
  for (std::uint32_t p = 0; p < system.parameters.size(); ++p) {
    if (system.parameters[p].frame != node.frame) continue;
    Lanes lanes = emit(*argument++);
    good = both(good, either(inverted(present), lanes.good));
    present = both(present, lanes.present);
    lanes.present = nullptr;  // where it is absent, the call is
    callee->arguments[ir::ParameterId{p}] = lanes;
  }
  if (is_none(good)) return bad(type_of(id));
  calls_.push_back(node.frame);
  Lanes result = [&] {
    const Scope scope(*this, *callee);
    return emit_node(id, ir::Reference{node.definition});
  }();
  calls_.pop_back();
  ended_.push_back(std::move(callee));
  result.good = both(good, either(inverted(present), result.good));
  result.present = present;
  return result;
}

// --- the host, lane by lane ---

llvm::BasicBlock* LaneEmitter::block(const char* name) {
  return llvm::BasicBlock::Create(module.context, name, function);
}

llvm::AllocaInst* LaneEmitter::local(llvm::Type* of, const char* name) {
  llvm::BasicBlock& entry = function->getEntryBlock();
  llvm::IRBuilder<> first(&entry, entry.begin());
  return first.CreateAlloca(of, nullptr, name);
}

// Calls a function that takes, after `arguments`, the number of lanes, arrays of operands, one of results and one of
// bytes that say where it fails.
Lanes LaneEmitter::host(HostFunction called, std::vector<llvm::Value*> arguments,
                        const std::vector<llvm::Value*>& operands, ScalarType result) {
  arguments.push_back(build.getInt32(lanes));
  for (llvm::Value* const operand : operands) {
    llvm::Value* const words =
        operand->getType()->isIntOrIntVectorTy(1) ? build.CreateZExt(operand, type(ScalarType::integer)) : operand;
    llvm::AllocaInst* const array = local(words->getType(), "operands");
    build.CreateStore(words, array);
    arguments.push_back(array);
  }
  llvm::AllocaInst* const results = local(type(ScalarType::integer), "results");
  llvm::VectorType* const bytes = llvm::FixedVectorType::get(module.i8, lanes);
  llvm::AllocaInst* const bad_lanes = local(bytes, "bad");
  arguments.push_back(results);
  arguments.push_back(bad_lanes);
  build.CreateCall(module.host(called), arguments);
  llvm::Value* const good = build.CreateICmpEQ(build.CreateLoad(bytes, bad_lanes), llvm::Constant::getNullValue(bytes));
  if (result == ScalarType::boolean) {
    return {build.CreateICmpNE(build.CreateLoad(type(ScalarType::integer), results), splat(std::int64_t{0})), good};
  }
  return {build.CreateLoad(type(result), results), good};
}

Lanes LaneEmitter::host_unary(ir::UnaryOp op, ScalarType of, llvm::Value* operand) {
  return host(HostFunction::lanes_unary,
              {build.getInt32(static_cast<std::uint32_t>(op)), build.getInt32(static_cast<std::uint32_t>(of))},
              {operand}, ir::operation(op).result_of(of));
}

Lanes LaneEmitter::host_binary(ir::BinaryOp op, ScalarType of, llvm::Value* left, llvm::Value* right) {
  return host(HostFunction::lanes_binary,
              {build.getInt32(static_cast<std::uint32_t>(op)), build.getInt32(static_cast<std::uint32_t>(of))},
              {left, right}, ir::operation(op).result_of(of));
}

Lanes LaneEmitter::emit_node(ir::ValueId, const ir::Lookup& node) {
  const Lanes first = emit(node.keys[0]);
  const Lanes second = node.keys.size() > 1 ? emit(node.keys[1]) : Lanes{splat(0.0)};
  Lanes result = host(HostFunction::lanes_lookup, {function->getArg(0), build.getInt32(node.table.index)},
                      {first.value, second.value}, ScalarType::real);
  llvm::Value* const second_good = both(second.good, either(inverted(second.present), result.good));
  result.good = both(first.good, either(inverted(first.present), second_good));
  result.present = both(first.present, second.present);
  return result;
}

}  // namespace wave::jit::lanes
