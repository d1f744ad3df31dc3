// Scalars of the cells of a group that are evaluated before the lanes begin, by scalar code, so that rounding and
// failures are those of a cell: once, once for every index of an axis, or for one period of both. Sums of weights that
// look at the same axis are added up beforehand, since no sum of weights on the quantum rounds.
#pragma once

#include "backend/jit/lanes/strip_plan.h"
#include "ir/dependences.h"

#include <unordered_map>
#include <unordered_set>

namespace wave::jit::lanes {

enum class Span : std::uint8_t {
  once,
  plane,
  row,
  column,
  periodic,  // looks at the indices of rows and columns by their remainders alone
  cell,
};

// The axes along which a table of this span goes, from the outer one.
std::vector<std::uint32_t> axes_of(Span span, const StripOrder& order);

struct StripTable {
  Span span = Span::once;
  ir::ScalarType type = ir::ScalarType::real;
  bool rounded = false;  // the sum of `values`, each rounded to the quantum; otherwise one value as it is
  std::vector<ir::ValueId> values;
  // Of a constraint: its weights are 0 on extents where no cell has the source, as no bound counts them there.
  std::vector<std::int32_t> offset;
};

// The weights of a constraint, or of what holds where all is absent.
struct StripSum {
  std::vector<std::uint32_t> tables;
  std::vector<ir::ValueId> cells;  // the rest, cell by cell
  bool may_be_absent = false;      // where the neighbour is there
};

class StripTables {
 public:
  // `cellwise`: nothing is periodic.
  StripTables(const ir::System& system, const ir::EventGroup& group, const StripPlan& plan, bool cellwise);

  std::vector<StripTable> tables;
  // Per event of the group, per constraint; and one per event.
  std::vector<std::vector<StripSum>> constraints;
  std::vector<StripSum> otherwise;
  // Tables of integers whose common multiples are periods.
  std::vector<std::uint32_t> row_moduli, column_moduli;
  // The table of a subexpression; not found: evaluated in each cell.
  std::optional<std::uint32_t> of(ir::ValueId value) const;
  // Constraints and weights that look at tables alone: they never fail.
  bool only_tables() const { return only_tables_; }
  bool periodic() const { return !row_moduli.empty() || !column_moduli.empty(); }
  std::size_t nodes() const { return nodes_; }  // that are evaluated in each cell, about

 private:
  struct Moduli {
    std::vector<ir::ValueId> row, column;
  };

  Span span_of(ir::ValueId value);
  Span find_span(ir::ValueId value);
  Span span_of_axes(ir::ValueId value) const;
  bool is_always_equal(const ir::Node& node);
  bool is_periodic(ir::ValueId value, Moduli& moduli);
  std::optional<std::uint32_t> shifted_axis(ir::ValueId value) const;
  bool may_be_absent(ir::ValueId value);
  bool may_be_tabulated(ir::ValueId value) { return span_of(value) != Span::cell && !may_be_absent(value); }
  void note_conditions(ir::ValueId value);
  std::uint32_t add_single(ir::ValueId value);
  StripSum split(const std::vector<ir::ValueId>& weights, const std::vector<std::int32_t>& offset);
  void collect(ir::ValueId value);

  const ir::System& system_;
  const ir::Space& space_;
  const StripPlan& plan_;
  const bool cellwise_;
  ir::FreeBinders binders_;
  std::unordered_map<ir::ValueId, Span> spans_;
  std::unordered_map<ir::ValueId, bool> may_be_absent_;
  std::unordered_map<ir::ValueId, std::uint32_t> table_of_;
  std::unordered_set<ir::ValueId> collected_, noted_;
  bool only_tables_ = true;
  std::size_t nodes_ = 0;
};

}  // namespace wave::jit::lanes
