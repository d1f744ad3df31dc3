// Points of a study by their numbers: ranges of them, sets of such ranges, and how a study is divided.
#pragma once

#include "base/point_range.h"

#include <cstdint>
#include <map>
#include <vector>

namespace wave::analysis {

class PointSet {
 public:
  PointSet() = default;
  explicit PointSet(PointRange range) { add(range); }

  // What is in the set already stays in it.
  void add(PointRange range);
  bool overlaps(PointRange range) const;
  PointSet without(const PointSet& others) const;
  // Takes at most so many points away, from the lowest on, in one piece. Empty: there are none.
  PointRange take(std::uint64_t most);

  bool empty() const { return ranges_.empty(); }
  std::uint64_t count() const { return count_; }
  // Rising, apart from each other.
  std::vector<PointRange> ranges() const;

 private:
  std::map<std::uint64_t, std::uint64_t> ranges_;  // begin to end
  std::uint64_t count_ = 0;
};

// Part `index` (from 1) of `count`.
struct Shard {
  std::uint32_t index = 1, count = 1;
  friend bool operator==(Shard, Shard) = default;
};

// Blocks of points are dealt in turn, so that where points become dearer every part has its share of them.
PointSet points_of(Shard shard, std::uint64_t points);

// Which points belong to a study: those of a product of lists, or the rows of a table, whose lists stand beside each
// other. They are numbered from 0 in the order of the product, or of the rows.

class Selection {
 public:
  // All points.
  Selection() = default;
  static Selection none() {
    Selection empty;
    empty.is_all_ = false;
    return empty;
  }
  static Selection all_rows() {
    Selection rows;
    rows.of_rows_ = true;
    return rows;
  }
  // None of those among which this one chooses.
  Selection emptied() const {
    Selection empty = none();
    empty.of_rows_ = of_rows_;
    return empty;
  }

  // Places in the product or among the rows that lie beside each other, rising from call to call.
  void add(std::uint64_t first, std::uint64_t count = 1);

  bool is_all() const { return is_all_; }
  // The points are rows of a table: the lists have one value for each.
  bool of_rows() const { return of_rows_; }
  // Of one that was chosen.
  std::uint64_t size() const { return size_; }
  // Where a point is in the product, or among the rows.
  std::uint64_t place(std::uint64_t point) const;
  // So many points from this one on lie beside each other there.
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

  bool is_all_ = true, of_rows_ = false;
  std::vector<Run> runs_;
  std::uint64_t size_ = 0;
};

// Points of a product, told apart by some of its lists.
class Combinations {
 public:
  // How many values each list has, the slowest first, and the lists that count.
  Combinations(const std::vector<std::uint64_t>& lengths, const std::vector<std::uint32_t>& keys);
  // The number of the combination at a place of the product, the first key slowest.
  std::uint64_t at(std::uint64_t place) const;

 private:
  struct Key {
    std::uint64_t stride = 1, count = 1;
  };
  std::vector<Key> keys_;
};

// What both have.
Selection in_both(const Selection& a, const Selection& b);

}  // namespace wave::analysis
