// A whole number for every cell of a box, kept as what it is made of: functions of one index each, and a function of
// classes of indices.
#pragma once

#include "backend/closed_form/index_function.h"
#include "backend/closed_form/looks_at.h"
#include "backend/closed_form/recurrence.h"

#include <optional>

namespace wave::backend::closed_form {

// Where the cells of a group are counted from: 0 where every path begins.
struct CellAxis {
  ir::BinderId binder;
  std::int64_t origin = 0;     // the index of place 0
  std::int64_t direction = 1;  // the index of place u is origin + direction * u
  std::int64_t extent = 1;
  bool moves = false;  // some step goes along it
};

using Places = std::vector<std::int64_t>;

// First and last place along every axis.
struct Box {
  Places first, last;
  double count() const;
};

// A summand of a weight, added or subtracted.
struct Summand {
  ir::ValueId value;
  bool negated = false;
};

// What is absent in a table.
inline constexpr std::int64_t absent = std::numeric_limits<std::int64_t>::min();

// A number for each combination of classes, one class per axis.
struct ClassTable {
  std::vector<IndexFunction> classes;  // per axis: place -> class
  std::vector<std::int64_t> counts;    // of classes
  std::vector<std::int64_t> values;    // the last axis is contiguous

  std::int64_t of_classes(const std::vector<std::int64_t>& numbers) const;
  std::int64_t at(const Places& places) const;
};

struct CellFunction {
  Box domain;
  std::vector<IndexFunction> parts;  // per axis; the number is the sum of them and of the table
  std::optional<ClassTable> table;

  std::int64_t at(const Places& places) const;
};

// Makes functions of weights. Every weight is evaluated, for all that can be different about its indices, and none may
// fail. Nothing is given where one does, where it is not exact, or where too much would have to be kept: a proof is
// refused then.
class CellFunctions {
 public:
  CellFunctions(const Problem& problem, const std::vector<CellAxis>& axes);

  [[nodiscard]] std::optional<CellFunction> sum(const std::vector<Summand>& summands, const Box& domain);
  CellFunction zero(const Box& domain) const;

  // A bound that may be absent: a guard and a sum.
  struct Guarded {
    ir::ValueId guard;
    std::vector<Summand> summands;
  };
  // The greatest of those that are present; `absent` where none is.
  [[nodiscard]] std::optional<ClassTable> greatest(const std::vector<Guarded>& bounds, const Box& domain);
  // Fails nowhere, then.
  [[nodiscard]] std::optional<bool> holds_everywhere(ir::ValueId condition, const Box& domain);

 private:
  using Compute = std::function<std::optional<std::vector<std::int64_t>>(Scalars& scalars, std::size_t lanes)>;
  std::optional<std::vector<std::size_t>> axes_of(ir::ValueId value);
  std::int64_t index(std::size_t axis, std::int64_t place) const {
    return axes_[axis].origin + axes_[axis].direction * place;
  }
  std::optional<std::int64_t> quanta(double weight, bool negated) const;
  std::optional<std::int64_t> constant(const Summand& summand);
  std::optional<IndexFunction> one_index(const Summand& summand, std::size_t axis, const Box& domain);
  std::optional<std::vector<Piece>> outline(ir::ValueId value, std::size_t axis, const Box& domain, bool is_weight);
  using Number = std::function<std::optional<std::int64_t>(const LaneValues&, std::size_t lane)>;
  std::optional<IndexFunction> filled(std::vector<Piece> pieces, std::size_t axis, const Number& number,
                                      ir::ValueId value);
  bool collect_atoms(ir::ValueId value, std::vector<std::vector<ir::ValueId>>& atoms);
  using Outlines = std::vector<std::vector<std::vector<Piece>>>;  // of the atoms, by axis
  std::optional<Outlines> outlines(const std::vector<std::vector<ir::ValueId>>& atoms, const Box& domain,
                                   double most_cells);
  std::optional<ClassTable> table(const std::vector<ir::ValueId>& values, const Box& domain, const Compute& compute);

  const ir::System& system_;
  const Surroundings& around_;
  const std::vector<CellAxis>& axes_;
  double quantum_;
  std::int64_t shortest_;     // ranges shorter than this are not looked into
  std::int64_t most_values_;  // of a function of one index
  std::int64_t kept_ = 0;     // of all functions
  LooksAt looks_at_;
};

}  // namespace wave::backend::closed_form
