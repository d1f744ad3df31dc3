// See path_values.h.
#include "analysis/path_values.h"

#include "ir/operations.h"

#include <algorithm>
#include <string>

namespace wave::analysis {

using backend::processes::Cause;
using backend::processes::PathTerm;

namespace {

// Of those with one formula it is the same.
auto formula_of(const PathTerm& term) {
  return std::tuple(term.statement, term.sized_by, term.kind, term.machine.index, term.protocol, term.step,
                    term.at_sender, term.use);
}

const ir::Step& step_of(const ir::System& system, const PathTerm& term) {
  const ir::Protocol& protocol = system[term.machine].protocols[term.protocol];
  return (term.at_sender ? protocol.sender : protocol.receiver)[term.step];
}

// The value that it looks at; not valid: none.
ir::ValueId looked_at_by(const PathTerm& term) {
  if (!std::holds_alternative<ir::Message>(term.statement->node))
    return backend::processes::value_of_weight(*term.statement);
  return term.sized_by ? backend::processes::value_of_weight(*term.sized_by) : ir::ValueId{};
}

std::int64_t bound(const PathTerm& term, ir::BinderId binder) {
  return std::ranges::find(term.at, binder, [](const auto& one) { return one.first; })->second;
}

}  // namespace

ir::ValueId PathValues::weight_of(const PathTerm& term) const {
  if (!term.machine.valid()) {
    const bool is_message = std::holds_alternative<ir::Message>(term.statement->node);
    return is_message ? ir::ValueId{} : backend::processes::value_of_weight(*term.statement);
  }
  const ir::Step& step = step_of(b_.system(), term);
  return term.kind == Cause::Kind::gap ? step.uses[term.use].occupied : step.time;
}

PathValues::Sum PathValues::sum_of(const std::vector<PathTerm>& terms) {
  Sum sum{b_.real(0), {}, {}};
  std::map<decltype(formula_of(terms.front())), Terms> alike;
  for (const PathTerm& term : terms) {
    if (!term.weight || !weight_of(term).valid())
      sum.others.push_back(&term);
    else
      alike[formula_of(term)].push_back(&term);
  }
  for (const auto& [formula, members] : alike) {
    const PathTerm& first = *members.front();
    if (first.machine.valid() && !looked_at_by(first).valid()) sum.of_fixed_sizes.push_back(&first);
    sum.value = b_.add(sum.value, sum_of_alike(members));
  }
  return sum;
}

// Over the rows of a table, in each of which the binders have the values of one term.
ir::ValueId PathValues::sum_of_alike(const Terms& terms) {
  const PathTerm& first = *terms.front();
  const ir::SiteId site = b_.site(ir::FailureKind::no_progress, first.location);
  const ir::ValueId one = b_.integer(1), looks_at = looked_at_by(first);
  std::vector<ir::Level> levels;
  ir::ValueId row = one;
  if (terms.size() > 1) {
    const ir::BinderId rows = b_.binder("weight");
    row = b_.index(rows);
    levels.push_back({rows, one, b_.integer(static_cast<std::int64_t>(terms.size())), one, false, {}, site});
  }
  if (looks_at.valid()) {
    for (const ir::BinderId binder : binders_.of(looks_at)) {
      const ir::ValueId value =
          integer_column(terms, row, [&](const PathTerm& term) { return static_cast<double>(bound(term, binder)); });
      levels.push_back({binder, value, value, one, false, {}, site});
    }
  }
  const ir::ValueId times = column(terms, row, [](const PathTerm& term) { return term.sum / *term.weight; });
  const ir::ValueId product = b_.multiply(weight(terms, row, looks_at), times);
  if (levels.empty()) return product;
  return b_.reduce(ir::ReduceKind::sum, std::move(levels), product, {},
                   b_.site(ir::FailureKind::integer_overflow, first.location));
}

ir::ValueId PathValues::weight(const Terms& terms, ir::ValueId row, ir::ValueId looks_at) {
  const PathTerm& first = *terms.front();
  const ir::ValueId value = weight_of(first);
  if (!first.machine.valid()) return value;
  const Location location = step_of(b_.system(), first).location;
  const ir::FrameId frame = b_.system()[first.machine].frame;
  const auto of_route = [&](std::int64_t backend::processes::Route::* part) {
    return integer_column(terms, row, [&](const PathTerm& term) { return static_cast<double>(term.route.*part); });
  };
  using backend::processes::Route;
  std::vector<ir::ValueId> arguments{
      looks_at.valid() ? looks_at : column(terms, row, [](const PathTerm& term) { return term.size; }),
      of_route(&Route::within), of_route(&Route::sender), of_route(&Route::receiver)};
  const ir::SiteId site = b_.site(ir::FailureKind::recursion_too_deep, location);
  return b_.call(frame, b_.define(frame, "step", value, location), std::move(arguments), site);
}

template <class Column>
ir::ValueId PathValues::column(const Terms& terms, ir::ValueId row, const Column& value) {
  ir::Table table{"weights", {{}}, {}, ir::Interpolation::step, false};
  for (const PathTerm* const term : terms) {
    table.keys.front().push_back(static_cast<double>(table.values.size() + 1));
    table.values.push_back(value(*term));
  }
  const double first = table.values.front();
  if (std::ranges::all_of(table.values, [&](double other) { return other == first; })) return b_.real(first);
  return b_.lookup(b_.table(std::move(table)), {b_.to_real(row)}, b_.site(ir::FailureKind::outside_table, {}));
}

ir::ValueId PathValues::integer_column(const Terms& terms, ir::ValueId row,
                                       const std::function<double(const PathTerm&)>& value) {
  const ir::ValueId real = column(terms, row, value);
  if (const auto constant = b_.as_constant(real)) return b_.integer(static_cast<std::int64_t>(constant->real));
  return b_.unary(ir::UnaryOp::to_integer, real, b_.site(ir::FailureKind::integer_overflow, {}));
}

}  // namespace wave::analysis
