// Lists: how they are gone through, counted, indexed and reduced. A list that is written out stays written out where
// nothing loops around it; everything else becomes loops of the system.
#pragma once

#include "frontend/lower/facts.h"
#include "frontend/lower/parts.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace wave::frontend::lowering {

class Lists {
 public:
  explicit Lists(const Parts& parts)
      : parts_(parts),
        b_(parts.b),
        facts_(parts.facts),
        sites_(parts.sites),
        values_(parts.values),
        expressions_(parts.expressions),
        instances_(parts.instances),
        lifting_(parts.lifting),
        recurrences_(parts.recurrences),
        studies_(parts.studies) {}

  std::vector<Iteration> enumerate(const Symbolic& list, bool nested, Place place);
  std::vector<Iteration> iterate(std::span<const Binder> binders, const Scope& scope, bool nested);
  ir::ValueId count(const Symbolic& list, Place place);
  Symbolic index(const Symbolic& list, ir::ValueId position, Place place);
  Symbolic evaluate_index(const Expr& expr, const expr::Index& node, const Scope& scope);
  std::vector<Symbolic> elements(const Symbolic& list, Place place);  // known here, or a diagnostic
  Symbolic read_series(const value::Series& series, const std::vector<Symbolic>& indices, Place place);
  Symbolic reduce(const expr::Reduce& node, const Scope& scope, Place place);
  Symbolic reduce_list(ReduceOperator op, const Symbolic& list, Place place);
  // `call`: of `diagonal_fills`, which names axes.
  Symbolic fills(const std::string& what, const Symbolic& order, const expr::Call* call, const Scope& scope,
                 Place place);

 private:
  std::vector<Iteration> enumerate_range(const value::Range& range, Place place);
  ir::ValueId position_within(ir::ValueId position, ir::ValueId last, ir::SiteId outside);
  std::optional<Symbolic> index_numbers(const std::vector<Symbolic>& elements, ir::ValueId position,
                                        ir::SiteId outside);
  std::vector<Iteration> enumerate_positions(const Symbolic& list, Place place);
  Symbolic fold_cases(ReduceOperator op, const std::vector<Iteration>& cases, const expr::Reduce& node, Place place);
  std::vector<const value::Corner*> corners_of(const std::string& what, const std::vector<Symbolic>& elements,
                                               Place place);
  std::vector<bool> axes_of_fills(const expr::Call& call, std::size_t axes, const Scope& scope, Place place);

  const Parts& parts_;
  ir::Builder& b_;
  FactTable& facts_;
  Sites& sites_;
  Values& values_;
  Expressions& expressions_;
  Instances& instances_;
  Lifting& lifting_;
  Recurrences& recurrences_;
  Studies& studies_;
  std::map<std::string, ir::TableId> table_of_list_;
};

}  // namespace wave::frontend::lowering
