// A pass of LLVM that puts mutants into code: beside every comparison and every operation of arithmetic it computes a
// wrong result as well, and takes that if the mutant is the selected one (mutants.h). So one build has them all.
//
// It looks at the files below the folders of `mutated_folders` alone, at their integers and reals, and at `std::min`
// and `std::max`. What the language itself makes of code, such as the steps of an iterator, stands in other files.
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace llvm;

constexpr std::array mutated_folders{"ir/arithmetic.", "ir/verify", "backend/closed_form/", "backend/processes/"};

// The path of a file from the root of the repository, if it is to have mutants.
std::optional<std::string> mutated_file(const Instruction& instruction) {
  const DILocation* const location = instruction.getDebugLoc();
  if (location == nullptr || location->getLine() == 0) return std::nullopt;
  StringRef path = location->getFilename();
  path.consume_front(WAVE_SOURCE_DIR "/");
  const bool is_mutated = std::any_of(mutated_folders.begin(), mutated_folders.end(),
                                      [&](const char* one) { return path.starts_with(one); });
  return is_mutated ? std::optional(path.str()) : std::nullopt;
}

struct Operation {
  unsigned before, after;
  const char *name, *other;
};
constexpr std::array operations{
    Operation{Instruction::Add, Instruction::Sub, "+", "-"},
    Operation{Instruction::Sub, Instruction::Add, "-", "+"},
    Operation{Instruction::Mul, Instruction::Add, "*", "+"},
    Operation{Instruction::SDiv, Instruction::Mul, "/", "*"},
    Operation{Instruction::UDiv, Instruction::Mul, "/", "*"},
    Operation{Instruction::SRem, Instruction::Mul, "%", "*"},
    Operation{Instruction::URem, Instruction::Mul, "%", "*"},
    Operation{Instruction::FAdd, Instruction::FSub, "+", "-"},
    Operation{Instruction::FSub, Instruction::FAdd, "-", "+"},
    Operation{Instruction::FMul, Instruction::FAdd, "*", "+"},
    Operation{Instruction::FDiv, Instruction::FMul, "/", "*"},
    Operation{Instruction::And, Instruction::Or, "&", "|"},
    Operation{Instruction::Or, Instruction::And, "|", "&"},
    Operation{Instruction::Shl, Instruction::LShr, "<<", ">>"},
};

// As they are written: reals compare in the ways that a NaN fails, all but `!=`.
const char* written(CmpInst::Predicate predicate) {
  switch (predicate) {
    case CmpInst::ICMP_EQ:
    case CmpInst::FCMP_OEQ:
    case CmpInst::FCMP_UEQ: return "==";
    case CmpInst::ICMP_NE:
    case CmpInst::FCMP_UNE:
    case CmpInst::FCMP_ONE: return "!=";
    case CmpInst::ICMP_SLT:
    case CmpInst::ICMP_ULT:
    case CmpInst::FCMP_OLT:
    case CmpInst::FCMP_ULT: return "<";
    case CmpInst::ICMP_SLE:
    case CmpInst::ICMP_ULE:
    case CmpInst::FCMP_OLE:
    case CmpInst::FCMP_ULE: return "<=";
    case CmpInst::ICMP_SGT:
    case CmpInst::ICMP_UGT:
    case CmpInst::FCMP_OGT:
    case CmpInst::FCMP_UGT: return ">";
    case CmpInst::ICMP_SGE:
    case CmpInst::ICMP_UGE:
    case CmpInst::FCMP_OGE:
    case CmpInst::FCMP_UGE: return ">=";
    default: return "?";
  }
}

// What takes the place of a result: made by `make` next to the instruction.
struct Mutant {
  std::string before, after;
  std::function<Value*(IRBuilder<>&)> make;
};

// Wrong results without the promises of the right one: neither its overflow nor its rounding is undefined.
std::vector<Mutant> mutants_of(Instruction& instruction) {
  std::vector<Mutant> all;
  if (auto* binary = dyn_cast<BinaryOperator>(&instruction)) {
    if (binary->getType()->isIntegerTy(1) || binary->getType()->isVectorTy()) return all;
    for (const Operation& one : operations) {
      if (binary->getOpcode() != one.before) continue;
      all.push_back({one.name, one.other, [binary, after = one.after](IRBuilder<>& builder) {
                       return builder.CreateBinOp(static_cast<Instruction::BinaryOps>(after), binary->getOperand(0),
                                                  binary->getOperand(1));
                     }});
    }
  } else if (auto* compare = dyn_cast<CmpInst>(&instruction)) {
    if (compare->getOperand(0)->getType()->isPointerTy() || compare->getType()->isVectorTy()) return all;
    const auto add = [&](CmpInst::Predicate predicate) {
      all.push_back({written(compare->getPredicate()), written(predicate), [compare, predicate](IRBuilder<>& builder) {
                       return builder.CreateCmp(predicate, compare->getOperand(0), compare->getOperand(1));
                     }});
    };
    add(compare->getInversePredicate());
    if (compare->isRelational() || (isa<FCmpInst>(compare) && !compare->isEquality()))
      add(compare->isStrictPredicate() ? compare->getNonStrictPredicate() : compare->getStrictPredicate());
  } else if (auto* call = dyn_cast<CallInst>(&instruction)) {
    const Function* const callee = call->getCalledFunction();
    if (callee == nullptr || call->arg_size() != 2) return all;
    const StringRef name = callee->getName();
    const bool is_max = name.starts_with("_ZSt3maxI"), is_min = name.starts_with("_ZSt3minI");
    // Of two references: a list of values is a pointer and a length.
    const auto is_result = [&](const Use& argument) { return argument->getType() == call->getType(); };
    if ((!is_max && !is_min) || !std::all_of(call->arg_begin(), call->arg_end(), is_result)) return all;
    for (const unsigned side : {0U, 1U}) {
      all.push_back({is_max ? "std::max(a, b)" : "std::min(a, b)", side == 0 ? "a" : "b",
                     [call, side](IRBuilder<>&) { return call->getArgOperand(side); }});
    }
  }
  return all;
}

class Mutate : public PassInfoMixin<Mutate> {
 public:
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    std::vector<Instruction*> sites;
    for (Function& function : module) {
      for (Instruction& one : instructions(function)) {
        if (mutated_file(one)) sites.push_back(&one);
      }
    }
    std::string list;
    std::vector<Constant*> ids;
    for (Instruction* const site : sites) add_mutants(module, *site, list, ids);
    if (ids.empty()) return PreservedAnalyses::all();
    register_reached(module, ids);
    write(module, list);
    return PreservedAnalyses::none();
  }

 private:
  // One place of a text is in several functions if it is a template or inline: these are one mutant.
  void add_mutants(Module& module, Instruction& site, std::string& list, std::vector<Constant*>& ids) {
    auto& context = module.getContext();
    auto* const number = Type::getInt64Ty(context);
    auto* const selected = module.getOrInsertGlobal("wave_selected_mutant", number);
    const DebugLoc where = site.getDebugLoc();
    for (const Mutant& mutant : mutants_of(site)) {
      const std::string name = *mutated_file(site) + ":" + std::to_string(where.getLine()) + ":" +
                               std::to_string(where.getCol()) + " " + mutant.before + " -> " + mutant.after;
      const std::uint64_t id = xxh3_64bits(name);
      auto* const constant = ConstantInt::get(number, id);
      IRBuilder<> builder(site.getNextNode());
      builder.SetCurrentDebugLocation(where);
      auto* const chosen = builder.CreateICmpEQ(builder.CreateLoad(number, selected), constant);
      auto* const wrong = mutant.make(builder);
      auto* const result = builder.CreateSelect(chosen, wrong, &site);
      site.replaceUsesWithIf(result, [&](Use& use) {
        return use.getUser() != result && use.getUser() != wrong && use.getUser() != chosen;
      });
      reached_.push_back(builder.CreateStore(ConstantInt::get(Type::getInt8Ty(context), 1), flag(module, ids.size())));
      ids.push_back(constant);
      list += std::to_string(id) + " " + name + "\n";
    }
  }

  // A byte that says whether a mutant was reached: the array is made once their number is known.
  Constant* flag(Module& module, std::size_t index) {
    auto* const byte = Type::getInt8Ty(module.getContext());
    if (flags_ == nullptr) {
      flags_ = new GlobalVariable(module, ArrayType::get(byte, 1), false, GlobalValue::InternalLinkage, nullptr,
                                  "wave_reached_for_now");
    }
    return ConstantExpr::getGetElementPtr(byte, flags_, ConstantInt::get(Type::getInt64Ty(module.getContext()), index));
  }

  void register_reached(Module& module, const std::vector<Constant*>& ids) {
    auto& context = module.getContext();
    auto* const number = Type::getInt64Ty(context);
    auto* const pointer = PointerType::getUnqual(context);
    auto* const bytes = ArrayType::get(Type::getInt8Ty(context), ids.size());
    auto* const flags = new GlobalVariable(module, bytes, false, GlobalValue::InternalLinkage,
                                           ConstantAggregateZero::get(bytes), "wave_reached");
    flags_->replaceAllUsesWith(flags);
    flags_->eraseFromParent();
    flags_ = nullptr;
    auto* const numbers = ArrayType::get(number, ids.size());
    auto* const table = new GlobalVariable(module, numbers, true, GlobalValue::InternalLinkage,
                                           ConstantArray::get(numbers, ids), "wave_mutants");
    const FunctionCallee enter =
        module.getOrInsertFunction("wave_enter_mutants", Type::getVoidTy(context), pointer, pointer, number);
    auto* const start = Function::Create(FunctionType::get(Type::getVoidTy(context), false),
                                         GlobalValue::InternalLinkage, "wave_enter_module", module);
    IRBuilder<> builder(BasicBlock::Create(context, "", start));
    builder.CreateCall(enter, {table, flags, ConstantInt::get(number, ids.size())});
    builder.CreateRetVoid();
    appendToGlobalCtors(module, start, 0);
  }

  // One list for each object, so that a file that is compiled again replaces its own.
  static void write(const Module& module, const std::string& list) {
    sys::fs::create_directories(WAVE_MUTANTS);
    const std::string file =
        std::string(WAVE_MUTANTS) + "/" + std::to_string(xxh3_64bits(module.getSourceFileName())) + ".txt";
    std::error_code error;
    raw_fd_ostream out(file, error);
    if (error) report_fatal_error("cannot write the list of mutants");
    out << list;
  }

  GlobalVariable* flags_ = nullptr;
  std::vector<Instruction*> reached_;
};

}  // namespace

extern "C" PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "wave-mutants", "1", [](PassBuilder& builder) {
            builder.registerPipelineStartEPCallback(
                [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(Mutate()); });
          }};
}
