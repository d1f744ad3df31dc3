// The points of a study, counted. See study_model.h.
#include "analysis/study/study_model.h"

#include <limits>

namespace wave::analysis {
namespace {

// What a variable that changes every `stride` points is at begin <= i < end.
ColumnValues column_of(const ColumnValues& listed, std::uint64_t stride, std::uint64_t begin, std::uint64_t end) {
  return std::visit(
      [&](const auto& values) -> ColumnValues {
        std::remove_cvref_t<decltype(values)> column;
        column.reserve(end - begin);
        std::uint64_t at = begin / stride % values.size();
        std::uint64_t left = stride - begin % stride;  // points until it changes
        for (std::uint64_t i = begin; i < end; ++i) {
          column.push_back(values[at]);
          if (--left > 0) continue;
          left = stride;
          if (++at == values.size()) at = 0;
        }
        return column;
      },
      listed);
}

}  // namespace

Product::Product(const std::vector<Variable>& variables) : variables_(variables) {
  bool is_empty = false;
  for (const auto& variable : variables) is_empty |= length(variable.listed.value()) == 0;
  if (is_empty) size_ = 0;
  for (const auto& variable : variables) {
    if (!is_empty && __builtin_mul_overflow(size_, length(*variable.listed), &size_)) {
      size_ = std::numeric_limits<std::uint64_t>::max();
      return;
    }
  }
}

std::vector<ColumnValues> Product::points(std::uint64_t begin, std::uint64_t end) const {
  std::vector<ColumnValues> columns(variables_.size());
  std::uint64_t stride = 1;
  for (std::size_t i = variables_.size(); i-- > 0;) {
    const ColumnValues& listed = *variables_[i].listed;
    columns[i] = column_of(listed, stride, begin, end);
    if (__builtin_mul_overflow(stride, length(listed), &stride)) stride = std::numeric_limits<std::uint64_t>::max();
  }
  return columns;
}

}  // namespace wave::analysis
