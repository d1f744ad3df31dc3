// Has programs of processes compiled.
#pragma once

#include "backend/processes/engine/layout.h"
#include "backend/processes/program/bytecode.h"
#include "backend/processes/program/uses.h"

#include <functional>
#include <optional>
#include <span>

namespace wave::backend::processes::engine {

// Some statements of a process, or all.
struct ProcessProgram {
  const ir::System& system;
  const ir::Process& process;
  const program::Bytecode& bytecode;
  ResourceUse resources;  // of the process
  bool records = false;   // which of two times is the later (recording.h)
};

class Programs {
 public:
  virtual ~Programs() = default;
  // What runs it: the code for each of several threads, which may run at the same time.
  using Use = std::function<bool(std::span<const ProgramCode>)>;
  // Has `use` run the code of a program that begins with the statement `first`, and gives what it gives. Nothing: there
  // is no code, or it is not worth it. `seconds`: what instructions would take.
  virtual std::optional<bool> run(const ProcessProgram& program, const ir::Statement* first, double seconds,
                                  int threads, const Use& use) = 0;
};

}  // namespace wave::backend::processes::engine
