// Tells which of several changes makes a difference. The part of a change is what it adds when it is made, averaged
// over all orders in which the changes may be made one by one (Shapley, "A value for n-person games", 1953). The parts
// add up to the difference.
#pragma once

#include "analysis/breakdown.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wave::analysis {

// Says for each change whether it has been made.
using Mix = std::vector<bool>;

struct Attribution {
  std::vector<double> parts;  // by change; their sum (from first to last) and the rest are exactly the difference
  double rest = 0;            // rounding
  std::size_t orders = 0;     // how many were averaged
  bool is_sampled = false;    // too many changes for all orders
  bool has_gaps = false;      // some orders lead through mixes without a value, and only the others were averaged
};

class Changes {
 public:
  // With more changes than `most_exact`, `sampled_orders` orders are drawn, each with its reverse. The same seed gives
  // the same orders.
  static constexpr std::size_t most_exact = 10;
  static constexpr std::size_t sampled_orders = 128;
  Changes(std::size_t count, std::uint64_t seed);

  // The mixes whose values are needed. The first is without any change, the last with all of them.
  const std::vector<Mix>& mixes() const { return mixes_; }

  // `values` are by mix, NaN where there is none. Nothing if no order leads from the first mix to the last.
  std::optional<Attribution> attribute(std::span<const double> values) const;

 private:
  void add_all();
  void add_orders(std::uint64_t seed);
  bool is_exact() const { return count_ <= most_exact; }
  std::optional<Attribution> over_all_orders(std::span<const double> values) const;
  std::optional<Attribution> over_sampled_orders(std::span<const double> values) const;

  std::size_t count_;
  std::vector<Mix> mixes_;
  struct Order {
    std::vector<std::size_t> changes;  // one after the other
    std::vector<std::size_t> mixes;    // before each of them and at the end, as numbers of mixes_
  };
  std::vector<Order> orders_;
};

// Tells where a difference comes from: compares, name by name, what the times of two sides are made of.

struct PartOfBoth {
  Input of;  // as the first side that has it knows it
  bool in_first = false, in_second = false;
  double first = 0, second = 0;  // ps
  double difference = 0;         // second - first
};

struct PartsOfBoth {
  std::vector<PartOfBoth> parts;  // those that differ most come first
  // Rounding, and what jumps. With the sum of the differences in their order, it is exactly the difference of the
  // totals.
  double rest = 0;
  double rest_first = 0, rest_second = 0;
};

// Matches parameters by name, and literals, tables and statements of processes by their text and location.
PartsOfBoth match(const Breakdown& first, const Breakdown& second);

// The time on the critical paths of both sides, by kind and by the names of the processes.
struct KindOfBoth {
  std::string process;
  PathKind kind;
  double first = 0, second = 0;
};
std::vector<KindOfBoth> match_paths(const Breakdown& first, const Breakdown& second);

}  // namespace wave::analysis
