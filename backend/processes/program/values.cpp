// The memory of each operand is mapped directly: what it looks at gives the one entry where its value may be.
#include "backend/processes/program/values.h"

#include "backend/processes/thresholds.h"

namespace wave::backend::processes::program {

// What looks at axes alone has an entry for each of their indices, where they are not many.
void Values::set_up(const Operand& operand, Memory& memory) {
  double places = 1;
  for (const Operand::Source& source : operand.sources) {
    places *= source.is_axis ? static_cast<double>(extents_[source.number]) : most_places_of_operand + 1;
  }
  const bool has_all =
      places <= most_places_of_operand && static_cast<double>(entries_) + places <= most_entries_of_operands;
  memory.entries = has_all ? static_cast<std::size_t>(places) : few_entries_of_operand;
  entries_ += memory.entries;
  memory.values.resize(memory.entries);
  memory.keys.resize(memory.entries * operand.sources.size());
  memory.is_known.resize(memory.entries, false);
}

ir::Scalar Values::look_up(OperandId id, Memory& memory) {
  const Operand& operand = program_.operands[id];
  if (operand.sources.empty()) {
    memory.constant = scalars_.value(operand.value);
    memory.is_constant = true;
    return memory.constant;
  }
  const std::size_t width = operand.sources.size();
  if (memory.values.empty()) set_up(operand, memory);
  std::uint64_t hash = 0;
  for (const Operand::Source& source : operand.sources) {
    const std::uint64_t extent = source.is_axis ? static_cast<std::uint64_t>(extents_[source.number]) : 31;
    hash = hash * extent + static_cast<std::uint64_t>(present(source));
  }
  const std::size_t entry = hash % memory.entries;
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

}  // namespace wave::backend::processes::program
