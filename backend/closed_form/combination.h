// Sums and differences of cell functions at places near each other: between which numbers they lie, and where along an
// axis they can change.
#pragma once

#include "backend/closed_form/cell_function.h"

namespace wave::backend::closed_form {

class Combination {
 public:
  // On these cells.
  explicit Combination(Box domain) : domain_(std::move(domain)) {}

  // Adds (or subtracts) the function's value `back` places before along every axis. It must be defined there, and
  // outlive this.
  void add(const CellFunction& function, int sign, const Places& back);

  // Of all its values, exactly. Nothing where there are too many kinds of cells: a proof is refused then.
  [[nodiscard]] std::optional<ValueRange> range() const;
  // Along the axis: places of which the combination is the same, at all places along the others, have one number.
  // Nothing where there are more than `most`.
  [[nodiscard]] std::optional<IndexFunction> kinds(std::size_t axis, std::size_t most) const;

 private:
  struct Term {
    const CellFunction* function;
    int sign;
    Places back;
  };
  std::optional<IndexFunction> parts(std::size_t axis) const;
  std::optional<Joint> classes(std::size_t axis, std::size_t most) const;
  std::int64_t of_tables(const std::vector<Joint>& joints, const std::vector<std::size_t>& kind) const;

  Box domain_;
  std::vector<Term> terms_;
};

}  // namespace wave::backend::closed_form
