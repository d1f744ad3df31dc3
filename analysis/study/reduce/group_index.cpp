// See group_index.h.
#include "analysis/study/reduce/group_index.h"

#include <algorithm>
#include <map>

namespace wave::analysis {
namespace {

// Numbers values by their first places.
void number_values(const ColumnValues& listed, std::vector<std::uint32_t>& ordinals, std::vector<std::size_t>& firsts) {
  std::visit(
      [&](const auto& values) {
        std::map<std::remove_cvref_t<decltype(values[0])>, std::uint32_t> known;
        for (std::size_t i = 0; i < values.size(); ++i) {
          const auto [found, is_new] = known.try_emplace(values[i], static_cast<std::uint32_t>(firsts.size()));
          if (is_new) firsts.push_back(i);
          ordinals.push_back(found->second);
        }
      },
      listed);
}

}  // namespace

GroupIndex::GroupIndex(const StudyDescription& study, const std::vector<std::size_t>& columns)
    : selection_(study.selection) {
  std::uint64_t stride = 1;
  std::vector<std::uint64_t> strides(study.varied());
  for (std::size_t i = study.varied(); i-- > 0;) {
    strides[i] = stride;
    if (__builtin_mul_overflow(stride, length(*study.columns[i].listed), &stride)) stride = ~std::uint64_t{0};
  }
  std::uint64_t rows = 0;
  for (const std::size_t column : columns) {
    const ColumnValues& listed = *study.columns[column].listed;
    Key& key = keys_.emplace_back(Key{strides[column], length(listed), {}, {}});
    number_values(listed, key.ordinals, key.firsts);
    stride_ = std::min(stride_, key.stride);
    rows = length(listed);
    if (__builtin_mul_overflow(size_, key.firsts.size(), &size_)) size_ = ~std::uint64_t{0};
  }
  if (selection_.of_rows() && !keys_.empty()) number_rows(rows);
}

// Of rows, only the combinations that there are have a group.
void GroupIndex::number_rows(std::uint64_t rows) {
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  for (std::uint64_t row = 0; row < rows; ++row) {
    std::vector<std::uint32_t> values;
    for (const Key& key : keys_) values.push_back(key.ordinals[row]);
    const auto [found, is_new] = known.try_emplace(std::move(values), static_cast<std::uint32_t>(row_of_group_.size()));
    if (is_new) row_of_group_.push_back(row);
    group_of_row_.push_back(found->second);
  }
  size_ = row_of_group_.size();
}

std::uint64_t GroupIndex::number(std::uint64_t place) const {
  if (selection_.of_rows()) return keys_.empty() ? 0 : group_of_row_[place];
  std::uint64_t group = 0;
  for (const Key& key : keys_) group = group * key.firsts.size() + key.ordinals[place / key.stride % key.length];
  return group;
}

std::uint64_t GroupIndex::group(std::uint64_t point) const { return number(selection_.place(point)); }

std::uint64_t GroupIndex::run_length(std::uint64_t point) const {
  if (keys_.empty()) return ~std::uint64_t{0};
  if (selection_.of_rows()) return 1;
  return std::min(selection_.run_length(point), stride_ - selection_.place(point) % stride_);
}

std::vector<std::size_t> GroupIndex::places(std::uint64_t group) const {
  std::vector<std::size_t> places(keys_.size());
  if (selection_.of_rows()) {
    if (!keys_.empty()) std::fill(places.begin(), places.end(), row_of_group_[group]);
    return places;
  }
  for (std::size_t i = keys_.size(); i-- > 0;) {
    places[i] = keys_[i].firsts[group % keys_[i].firsts.size()];
    group /= keys_[i].firsts.size();
  }
  return places;
}

}  // namespace wave::analysis
