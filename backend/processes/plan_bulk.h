// Evaluates one scalar for many processes at a time: node by node over columns of values instead of process by process.
// As everywhere, operands are evaluated only for the processes that need them. Kinds of nodes that are rare in values
// which depend on indices are left to the engine, process by process.
#pragma once

#include "backend/processes/scalars.h"
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

 private:
  using Rows = std::vector<std::uint32_t>;  // places that need a value
  struct PlaceValues {
    std::vector<ir::Scalar> values;
    std::vector<bool> known;  // or
    bool all = false;
  };
  struct Visit;

  // Null where one of the rows fails. Nothing is evaluated after that.
  const std::vector<ir::Scalar>* column(ir::ValueId value, const Rows& rows);
  [[nodiscard]] bool compute(ir::ValueId value, const Rows& rows, std::vector<ir::Scalar>& to);
  bool is_uniform(ir::ValueId value) const;
  void ask(ir::ValueId value, const Rows& rows, std::vector<ir::Scalar>& to);

  Scalars& scalars_;
  const ir::FreeBinders& binders_;
  std::vector<ir::BinderId> indices_;
  std::vector<std::vector<std::int64_t>> places_;
  std::unordered_map<ir::ValueId, std::unique_ptr<PlaceValues>> columns_;
  std::size_t count_ = 0, depth_ = 0;
};

}  // namespace wave::backend::processes
