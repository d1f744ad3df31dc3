// The points of a study, counted. See study_model.h.
#include "analysis/study/study_model.h"

#include <algorithm>
#include <limits>

namespace wave::analysis {
namespace {

// What a variable that changes every `stride` places is at begin <= i < end.
void append(ColumnValues& to, const ColumnValues& listed, std::uint64_t stride, std::uint64_t begin,
            std::uint64_t end) {
  std::visit(
      [&](const auto& values) {
        auto& column = std::get<std::remove_cvref_t<decltype(values)>>(to);
        std::uint64_t at = begin / stride % values.size();
        std::uint64_t left = stride - begin % stride;  // points until it changes
        for (std::uint64_t i = begin; i < end; ++i) {
          column.push_back(values[at]);
          if (--left > 0) continue;
          left = stride;
          if (++at == values.size()) at = 0;
        }
      },
      listed);
}

}  // namespace

const Selection Product::everything{};

Product::Product(const std::vector<Variable>& variables, const Selection& selection)
    : variables_(variables), selection_(selection) {
  bool is_empty = false;
  for (const auto& variable : variables) is_empty |= length(variable.listed.value()) == 0;
  if (is_empty) size_ = 0;
  for (const auto& variable : variables) {
    if (is_empty) break;
    if (selection_.of_rows()) {
      size_ = length(*variable.listed);
    } else if (__builtin_mul_overflow(size_, length(*variable.listed), &size_)) {
      size_ = std::numeric_limits<std::uint64_t>::max();
      break;
    }
  }
  if (!selection_.is_all()) size_ = selection_.size();
}

std::vector<ColumnValues> Product::points(std::uint64_t begin, std::uint64_t end) const {
  std::vector<ColumnValues> columns;
  for (const auto& variable : variables_) {
    columns.push_back(std::visit(
        [&](const auto& values) -> ColumnValues {
          std::remove_cvref_t<decltype(values)> column;
          column.reserve(end - begin);
          return column;
        },
        *variable.listed));
  }
  for (std::uint64_t point = begin; point < end;) {
    const std::uint64_t count = std::min(end - point, selection_.run_length(point)), place = selection_.place(point);
    std::uint64_t stride = 1;
    for (std::size_t i = variables_.size(); i-- > 0;) {
      const ColumnValues& listed = *variables_[i].listed;
      append(columns[i], listed, stride, place, place + count);
      if (selection_.of_rows()) continue;  // every value stands for a row
      if (__builtin_mul_overflow(stride, length(listed), &stride)) stride = std::numeric_limits<std::uint64_t>::max();
    }
    point += count;
  }
  return columns;
}

}  // namespace wave::analysis
