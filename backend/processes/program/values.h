// Scalars as the instructions of processes ask for them: each is asked of the engine once for what it looks at, as far
// as a small memory for each goes.
#pragma once

#include "backend/processes/program/bytecode.h"
#include "backend/processes/program/scalars.h"

#include <vector>

namespace wave::backend::processes::program {

class Values {
 public:
  Values(Scalars& scalars, const Bytecode& program, const std::vector<std::int64_t>& extents)
      : scalars_(scalars), program_(program), extents_(extents), memories_(program.operands.size()) {}

  // Where the process that asks stands: its coordinates from 1, its slots.
  void stand(const std::int64_t* coordinates, const std::int64_t* slots) {
    coordinates_ = coordinates;
    slots_ = slots;
  }
  // Throws Failed.
  ir::Scalar operator()(OperandId id) {
    Memory& memory = memories_[id];
    if (memory.is_constant) return memory.constant;
    return look_up(id, memory);
  }

 private:
  struct Memory {
    bool is_constant = false;
    std::size_t entries = 0;
    ir::Scalar constant;
    std::vector<ir::Scalar> values;  // by entry
    std::vector<std::int64_t> keys;  // by entry: what the sources were
    std::vector<bool> is_known;      // by entry
  };
  ir::Scalar look_up(OperandId id, Memory& memory);
  void set_up(const Operand& operand, Memory& memory);
  std::int64_t present(const Operand::Source& source) const {
    return source.is_axis ? coordinates_[source.number] : slots_[source.number];
  }

  Scalars& scalars_;
  const Bytecode& program_;
  const std::vector<std::int64_t>& extents_;
  std::size_t entries_ = 0;  // of all memories
  std::vector<Memory> memories_;
  const std::int64_t* coordinates_ = nullptr;
  const std::int64_t* slots_ = nullptr;
};

}  // namespace wave::backend::processes::program
