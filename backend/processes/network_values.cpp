// The memory of each operand is mapped directly: what it looks at gives the one entry where its value may be.
#include "backend/processes/network_values.h"

namespace wave::backend::processes::network {

namespace {

constexpr std::size_t entries = 256;

}  // namespace

ir::Scalar Values::look_up(OperandId id, Memory& memory) {
  const Operand& operand = program_.operands[id];
  if (operand.sources.empty()) {
    memory.constant = scalars_.value(operand.value);
    memory.is_constant = true;
    return memory.constant;
  }
  const std::size_t width = operand.sources.size();
  if (memory.values.empty()) {
    memory.values.resize(entries);
    memory.keys.resize(entries * width);
    memory.is_known.resize(entries, false);
  }
  std::uint64_t hash = 0;
  for (const Operand::Source& source : operand.sources) {
    hash = hash * 31 + static_cast<std::uint64_t>(present(source));
  }
  const std::size_t entry = hash % entries;
  std::int64_t* const key = memory.keys.data() + entry * width;
  bool is_same = memory.is_known[entry];
  for (std::size_t i = 0; is_same && i < width; ++i) is_same = key[i] == present(operand.sources[i]);
  if (is_same) return memory.values[entry];

  memory.is_known[entry] = false;
  for (std::size_t i = 0; i < width; ++i) {
    key[i] = present(operand.sources[i]);
    scalars_.bind(operand.sources[i].binder, key[i]);
  }
  memory.values[entry] = scalars_.value(operand.value);
  memory.is_known[entry] = true;
  return memory.values[entry];
}

}  // namespace wave::backend::processes::network
