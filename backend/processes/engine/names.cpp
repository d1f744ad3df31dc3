// See names.h.
#include "backend/processes/engine/names.h"

#include <fmt/format.h>

namespace wave::backend::processes::engine {

std::string name_of(const ProgramInput& input, std::int64_t rank) {
  std::string text;
  for (const std::int64_t index : input.places.point(rank))
    text += fmt::format("{}{}", text.empty() ? "" : ", ", index);
  return fmt::format("{}[{}]", input.scalars.system()[input.process.space].name, text);
}

ir::Failure failure_at(const ProgramInput& input, ir::FailureKind kind, std::int64_t rank,
                       const ir::Statement& statement) {
  ir::Failure failure;
  failure.kind = kind;
  failure.location = statement.location;
  const auto& axes = input.scalars.system()[input.process.space].axes;
  const auto point = input.places.point(rank);
  for (std::size_t axis = 0; axis < axes.size(); ++axis) failure.indices.emplace_back(axes[axis].name, point[axis]);
  return failure;
}

}  // namespace wave::backend::processes::engine
