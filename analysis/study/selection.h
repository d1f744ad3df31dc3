// Which points of a product belong to a study. They are numbered from 0 in the order of the product.
#pragma once

#include <cstdint>
#include <vector>

namespace wave::analysis {

class Selection {
 public:
  // All points.
  Selection() = default;
  static Selection none() {
    Selection empty;
    empty.is_all_ = false;
    return empty;
  }

  // Places in the product, rising from call to call.
  void add(std::uint64_t place);

  bool is_all() const { return is_all_; }
  // Of one that was chosen.
  std::uint64_t size() const { return size_; }
  // Where a point is in the product.
  std::uint64_t place(std::uint64_t point) const;
  // So many points from this one on lie beside each other in the product.
  std::uint64_t run_length(std::uint64_t point) const;

  // Places that lie beside each other, and the number of the first point of them.
  struct Run {
    std::uint64_t point = 0, place = 0;
    friend bool operator==(const Run&, const Run&) = default;
  };
  const std::vector<Run>& runs() const { return runs_; }

  friend bool operator==(const Selection&, const Selection&) = default;

 private:
  std::size_t run_of(std::uint64_t point) const;

  bool is_all_ = true;
  std::vector<Run> runs_;
  std::uint64_t size_ = 0;
};

// What both have.
Selection in_both(const Selection& a, const Selection& b);

}  // namespace wave::analysis
