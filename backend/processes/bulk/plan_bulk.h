// Evaluates one scalar for many processes at a time: node by node over columns of values instead of process by process.
// As everywhere, operands are evaluated only for the processes that need them. Kinds of nodes that are rare in values
// which depend on indices are left to the engine, process by process.
#pragma once

#include "backend/processes/program/scalars.h"
#include "ir/dependences.h"

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace wave::backend::processes {

class BulkScalars {
 public:
  BulkScalars(Scalars& scalars, const ir::FreeBinders& binders, std::vector<ir::BinderId> indices)
      : scalars_(scalars), binders_(binders), indices_(std::move(indices)), places_(indices_.size()) {}

  // The processes: by axis, their indices. At most `processes_in_bulk`.
  std::vector<std::vector<std::int64_t>>& places() { return places_; }
  // The values for the first `count` places; truth is 0 and 1, integers become reals. False where one fails. Throws
  // Failed.
  [[nodiscard]] bool evaluate(ir::ValueId value, std::size_t count, double* out);
  // The same for an integer.
  [[nodiscard]] bool evaluate(ir::ValueId value, std::size_t count, std::int64_t* out);

 private:
  // A value as the type of its node says; truth is the integer 0 or 1.
  union Cell {
    double real;
    std::int64_t integer;
  };
  using Column = std::vector<Cell>;
  // Places that need a value; without a list: the first ones.
  struct Rows {
    std::size_t count = 0;
    const std::uint32_t* listed = nullptr;
  };
  struct PlaceValues {
    Column values;
    std::vector<std::uint8_t> known;  // by place, or
    bool all = false;
    std::size_t filled = 0;  // so many are the same, of a value that looks at no index
    std::uint64_t of = 0;    // which evaluation they are of
  };
  struct Visit;

  const Column* evaluate(ir::ValueId value, std::size_t count);
  // Null where one of the rows fails. Nothing is evaluated after that.
  const Column* column(ir::ValueId value, const Rows& rows);
  [[nodiscard]] bool compute(ir::ValueId value, const Rows& rows, Column& to);
  bool is_uniform(ir::ValueId value) const;
  ir::ScalarType type(ir::ValueId value) const { return scalars_.system()[value].type; }
  void ask(ir::ValueId value, const Rows& rows, Column& to);

  Scalars& scalars_;
  const ir::FreeBinders& binders_;
  std::vector<ir::BinderId> indices_;
  std::vector<std::vector<std::int64_t>> places_;
  std::unordered_map<ir::ValueId, std::unique_ptr<PlaceValues>>
      columns_;  // those of earlier evaluations lend their room
  std::uint64_t evaluations_ = 0;
  std::size_t count_ = 0, depth_ = 0;
};

}  // namespace wave::backend::processes
