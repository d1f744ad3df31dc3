// The compiled strips of a system, by group and shape, and the decision when to compile them. This header is free of
// LLVM.
#pragma once

#include "backend/jit/lane_wishes.h"
#include "backend/jit/lanes/strip_layout.h"
#include "backend/jit/lanes/strip_tables.h"
#include "backend/jit/layout.h"
#include "backend/jit/wanted.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace wave::jit {

class Compiler;
struct Context;

namespace lanes {

using StripFunction = std::int32_t (*)(Context*, std::uint64_t* record, const std::uint64_t* arguments,
                                       std::int64_t from, std::int64_t to);
using TablesFunction = std::int32_t (*)(Context*, std::uint64_t* record, const std::uint64_t* arguments);

struct StripCode {
  StripFunction masked = nullptr, steady = nullptr;
  TablesFunction fill_tables = nullptr;
  std::string reason;  // not empty: why there is none
};

// What a choice of shape depends on.
struct ShapeQuestion {
  std::int64_t rows = 0, columns = 0;
  std::int32_t skew = 0;
  std::int32_t rows_above = 0;     // at least so many vectors
  std::uint32_t kept_vectors = 1;  // per row vector: how many values stay in registers
  std::size_t nodes = 1;           // of a cell
  bool stored = false;             // whole planes: powers of two
  bool quanta = false;             // nothing but whole numbers of quanta is added
};

// Not of the same thread as others: the caller holds the compiled system's mutex.
class StripCodes {
 public:
  explicit StripCodes(const Layout& layout) : layout_(layout) {}

  const StripCode& get(Compiler& compiler, GroupIndex group, StripShape shape, GiveUp give_up);
  const StripTables& tables(GroupIndex group, bool cellwise);
  // Counts cells about to be evaluated. Is it time for lanes?
  bool are_due(GroupIndex group, double cells, double smallest_extent);
  // Nothing: not in lanes.
  std::optional<StripShape> choose(Compiler& compiler, const ShapeQuestion& question) const;

 private:
  const Layout& layout_;
  std::map<std::pair<GroupIndex, StripShape>, StripCode> codes_;
  std::map<std::pair<GroupIndex, bool>, std::unique_ptr<StripTables>> tables_;
  std::map<GroupIndex, double> cells_;
};

LaneWishes lane_wishes();
// Threads for large work in lanes, where `option` says how many there may be.
int lane_threads(int option);

}  // namespace lanes

void wish_lanes(const LaneWishes& wishes);

}  // namespace wave::jit
