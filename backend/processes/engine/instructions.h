// Runs the instructions of a program one by one, with the same calls of the runtime at the same places as machine code
// of it (backend/jit/programs/). Every program can be run so; code is only faster.
#pragma once

#include "backend/processes/engine/layout.h"
#include "backend/processes/program/bytecode.h"
#include "backend/processes/program/input.h"
#include "backend/processes/program/values.h"

#include <cstdint>
#include <exception>
#include <optional>
#include <vector>

namespace wave::backend::processes::engine {

class Instructions {
 public:
  // It remembers the values of scalars, so it is good for one run.
  Instructions(const ProgramInput& input, const program::Bytecode& program);
  Instructions(const Instructions&) = delete;

  // For as long as this is there; one thread at a time runs it.
  ProgramCode code() { return {&Instructions::run, this, nullptr}; }
  // Behind a run that has failed: throws what a scalar or a limit met, if anything did.
  void rethrow() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

 private:
  struct Execute;
  static std::int32_t run(void* context, void* record, Shared* shared, Standing* standing);

  std::int64_t* coordinates(Standing& me) const { return reinterpret_cast<std::int64_t*>(&me + 1); }
  std::int64_t* slots(Standing& me) const { return coordinates(me) + extents_.size(); }
  double weight(program::OperandId operand, const ir::Statement& statement, Shared& shared, Standing& me);

  const ProgramInput& input_;
  const program::Bytecode& program_;
  const std::vector<std::int64_t>& extents_;
  program::Values values_;
  std::vector<std::int64_t> key_, point_;
  std::uint64_t ticks_ = 0;
  std::exception_ptr thrown_;
};

}  // namespace wave::backend::processes::engine
