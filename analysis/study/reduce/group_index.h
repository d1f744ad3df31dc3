// Points by the values of some of what varies. Groups are numbered in the order in which the values are listed; values
// that are listed twice are one.
#pragma once

#include "analysis/study/description.h"

#include <cstdint>
#include <vector>

namespace wave::analysis {

class GroupIndex {
 public:
  // `columns` vary. The study outlives the object.
  GroupIndex(const StudyDescription& study, const std::vector<std::size_t>& columns);

  // 2^64 - 1: more than can be counted.
  std::uint64_t size() const { return size_; }
  std::uint64_t group(std::uint64_t point) const;
  // So many points from this one on, at least one, are in the same group.
  std::uint64_t run_length(std::uint64_t point) const;
  // Where the values of a group stand in the list of each column.
  std::vector<std::size_t> places(std::uint64_t group) const;

 private:
  struct Key {
    std::uint64_t stride = 1, length = 1;  // of the column in the product
    std::vector<std::uint32_t> ordinals;   // by place in the list
    std::vector<std::size_t> firsts;       // where each ordinal stands first
  };
  std::uint64_t number(std::uint64_t place) const;
  void number_rows(std::uint64_t rows);

  const Selection& selection_;
  std::vector<Key> keys_;
  std::uint64_t size_ = 1, stride_ = ~std::uint64_t{0};  // the least of the keys
  std::vector<std::uint32_t> group_of_row_;              // of rows of a table
  std::vector<std::uint64_t> row_of_group_;
};

}  // namespace wave::analysis
