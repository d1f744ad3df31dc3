// A whole number for every index of a range, in pieces that repeat: what weights are, in quanta, and classes of
// indices.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace wave::backend::closed_form {

using Wide = __int128;  // sums over many cells, before they are known to fit a double

// The value at `at` is values[r] + increment * t, where at - first = t * values.size() + r.
struct Piece {
  std::int64_t first = 0, last = 0;
  std::int64_t increment = 0;
  std::vector<std::int64_t> values;  // one period, or all of them

  std::int64_t period() const { return static_cast<std::int64_t>(values.size()); }
  std::int64_t length() const { return last - first + 1; }
  bool grows() const { return increment != 0 && length() > period(); }
  std::int64_t at(std::int64_t index) const {
    const std::int64_t steps = index - first;
    return values[static_cast<std::size_t>(steps % period())] + increment * (steps / period());
  }
};

// A range of indices in which all of several functions repeat together.
struct Stretch {
  std::int64_t first = 0, last = 0, period = 1;
};

struct ValueRange {
  std::int64_t low = 0, high = 0;
  void include(std::int64_t value) { low = value < low ? value : low, high = value > high ? value : high; }
  void include(ValueRange other) { include(other.low), include(other.high); }
};

class IndexFunction {
 public:
  IndexFunction() = default;  // defined nowhere
  explicit IndexFunction(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {}
  IndexFunction(std::int64_t first, std::int64_t last, std::int64_t constant) : pieces_{{first, last, 0, {constant}}} {}

  std::int64_t first() const { return pieces_.front().first; }
  std::int64_t last() const { return pieces_.back().last; }
  std::int64_t at(std::int64_t index) const { return pieces_[piece_of(index)].at(index); }
  const std::vector<Piece>& pieces() const { return pieces_; }

  // On a part of its range.
  IndexFunction within(std::int64_t first, std::int64_t last) const;
  // index -> the value at index - by.
  IndexFunction shifted(std::int64_t by) const;
  IndexFunction negated() const;

 private:
  std::size_t piece_of(std::int64_t index) const;

  std::vector<Piece> pieces_;
};

// What follows gives nothing where a proof would have to keep or to look at too much: it is refused then.

// Functions on the same range: where they repeat together.
[[nodiscard]] std::optional<std::vector<Stretch>> stretches(std::span<const IndexFunction* const> functions);

// On the same range.
[[nodiscard]] std::optional<IndexFunction> add(const IndexFunction& a, const IndexFunction& b);

// Numbers the different tuples of values: index -> the number of its tuple. Nothing where there are more than `most`.
struct Joint {
  IndexFunction number;
  std::vector<std::vector<std::int64_t>> tuples;
};
[[nodiscard]] std::optional<Joint> join(std::span<const IndexFunction* const> functions, std::size_t most);

// Sums of the values of a function, in the time of a search.
class Sums {
 public:
  explicit Sums(const IndexFunction& function);
  // Over the indices from first to last; 0 where there are none.
  Wide over(std::int64_t first, std::int64_t last) const { return first > last ? 0 : until(last) - until(first - 1); }

 private:
  Wide until(std::int64_t index) const;

  struct Part {
    std::int64_t first, last, increment;
    Wide before;               // the sum over all earlier parts
    std::vector<Wide> within;  // within[r]: the sum of the first r values of a period
  };
  std::vector<Part> parts_;
};

// Runs of equal values: the last index of each. Nothing where there are more than `most`.
[[nodiscard]] std::optional<std::vector<std::int64_t>> run_ends(const IndexFunction& function, std::size_t most);

}  // namespace wave::backend::closed_form
