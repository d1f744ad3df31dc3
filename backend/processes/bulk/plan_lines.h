// Finds where an integer rises by the same from each process to the next, without evaluating it for all of them: ranks
// like r + 2 ^ k do, and what is chosen by a condition does where the condition is the same.
#pragma once

#include "backend/processes/program/scalars.h"
#include "ir/dependences.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace wave::backend::processes {

class LineScalars {
 public:
  // Its last index runs along the lines.
  LineScalars(Scalars& scalars, const ir::FreeBinders& binders, const std::vector<ir::BinderId>& indices)
      : scalars_(scalars), binders_(binders), indices_(indices) {}

  // The value where the last index is its first, and by how much it rises with it. Truth is 0 and 1, and rises by 0.
  struct Line {
    std::int64_t first = 0, step = 0;
  };
  // Loop variables have changed, or other values are asked for.
  void begin() { uniform_.clear(); }
  // Over `count` values of the last index, from that of `first` on; the other indices are those of `first`. Nothing: it
  // is no line, fails, or cannot be told. Throws Failed.
  std::optional<Line> line(ir::ValueId value, const std::vector<std::int64_t>& first, std::int64_t count);

 private:
  using Value = std::optional<Line>;
  struct Visit;
  Value find(ir::ValueId value);
  std::int64_t last(const Line& line) const { return line.first + line.step * (count_ - 1); }
  Value checked(__int128 first, __int128 step) const;

  Scalars& scalars_;
  const ir::FreeBinders& binders_;
  const std::vector<ir::BinderId>& indices_;
  std::unordered_map<ir::ValueId, Value> known_, uniform_;
  const std::vector<std::int64_t>* first_ = nullptr;
  std::int64_t count_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace wave::backend::processes
