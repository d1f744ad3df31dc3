// The processor that code is made for, by LLVM's own description of it: how wide its vectors are, how many there are.
// Everything that puts doubles side by side asks here.
#pragma once

#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/IR/Function.h>
#include <llvm/Target/TargetMachine.h>

#include <string>
#include <variant>

namespace wave::jit {

// Around calls of LLVM. LLVM is compiled without exceptions: one that passes through it leaves what is half made, which
// its destructors then free. So where memory is out inside, the program ends (std::terminate, with std::bad_alloc as
// the present exception) rather than to go on with that.
class InsideLlvm {
 public:
  InsideLlvm();
  ~InsideLlvm();
  InsideLlvm(const InsideLlvm&) = delete;
  InsideLlvm& operator=(const InsideLlvm&) = delete;
};

struct CodeTarget {
  llvm::orc::JITTargetMachineBuilder builder;
  std::string lacking;  // what the host lacks to run such code, "avx512f, avx512vl"; empty: it can
};

// `cpu` by LLVM's name; empty or "native": the host. Otherwise the error, with the names that are meant.
std::variant<CodeTarget, std::string> find_target(const std::string& cpu);

// Doubles in the widest vector of the machine: 8 with AVX-512 (also where LLVM would rather use half of it), 4 with
// AVX, 2 with SSE2 and NEON. Never less than 2.
unsigned doubles_in_a_vector(const llvm::TargetMachine& machine);
// Registers for vectors: 32, 16.
unsigned vector_registers(const llvm::TargetMachine& machine);

// For every function with vectors in it: lets LLVM use the widest.
void use_widest_vectors(llvm::Function& function);

}  // namespace wave::jit
