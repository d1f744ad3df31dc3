// Walks, counts and indexes lists.
#include "frontend/format/quantities.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/recurrences.h"
#include "ir/builder.h"
#include "ir/operations.h"

#include <fmt/format.h>

namespace wave::frontend::lowering {

using ir::BinaryOp;
using ir::FailureKind;
using ir::ScalarType;
using ir::UnaryOp;
using ir::ValueId;

namespace {

// A constant list of at least this many numbers is read through a table instead of a chain of conditions.
constexpr std::size_t table_from = 12;

void add_filter(const Parts& parts, Iteration& iteration, ValueId filter) {
  if (iteration.levels.empty()) {
    iteration.guard = iteration.guard ? parts.b.logical_and(*iteration.guard, filter) : filter;
    return;
  }
  ValueId& last = iteration.levels.back().filter;
  last = last.valid() ? parts.b.logical_and(last, filter) : filter;
}

}  // namespace

std::vector<Iteration> Lists::enumerate_positions(const ValuePtr& list, Location location) {
  ir::Level level;
  level.binder = b_.binder("k");
  level.first = b_.integer(1);
  level.last = count(list, location);
  level.step = b_.integer(1);
  level.site = sites_.site(FailureKind::no_progress, location);
  return {{std::nullopt, {level}, index(list, b_.index(level.binder), location), {}}};
}

// What an integer of a range stands for.
ValuePtr Lists::at_position(const value::Range& range, ValueId position, Location location) {
  if (range.rows) return literals_.row(*range.rows, position, location);
  return number(range.widen ? b_.to_real(position) : position);
}

// A range of reals counts positions. Where the last one overshoots, a filter drops it.
std::vector<Iteration> Lists::enumerate_range(const value::Range& range, Location location) {
  ir::Level level;
  level.binder = b_.binder("k");
  level.step = b_.integer(1);
  level.site = sites_.site(FailureKind::no_progress, range.location);
  const ValueId position = b_.index(level.binder);
  if (b_.type(range.first) == ScalarType::integer) {
    level.first = range.first, level.last = range.last, level.step = range.step, level.geometric = range.geometric;
    return {{std::nullopt, {level}, at_position(range, position, location), {}}};
  }
  const ir::SiteId domain = sites_.site(FailureKind::outside_domain, location);
  const ir::SiteId division = sites_.site(FailureKind::division_by_zero, location);
  const ir::SiteId large = sites_.site(FailureKind::not_representable, location);
  const ValueId span = range.geometric ? b_.unary(UnaryOp::log2, b_.divide(range.last, range.first, division), domain)
                                       : b_.subtract(range.last, range.first);
  const ValueId one = range.geometric ? b_.unary(UnaryOp::log2, range.step, domain) : range.step;
  const ValueId moves = range.geometric ? b_.less(b_.real(0), one) : b_.logical_not(b_.equal(one, b_.real(0)));
  const ValueId steps = b_.divide(span, b_.check(moves, one, level.site), division);
  level.first = b_.integer(0);
  level.last = b_.add(b_.unary(UnaryOp::floor, steps, large), b_.integer(1), large);
  const ValueId k = b_.to_real(position);
  const ValueId element = range.geometric
                              ? b_.multiply(range.first, b_.binary(BinaryOp::power_real, range.step, k, domain))
                              : b_.add(range.first, b_.multiply(k, range.step));
  const ValueId within =
      b_.select(b_.less_equal(b_.real(0), one), b_.less_equal(element, range.last), b_.less_equal(range.last, element));
  level.filter = within;
  return {{std::nullopt, {level}, number(element), {}}};
}

std::vector<Iteration> Lists::enumerate(const ValuePtr& list, bool nested, Location location) {
  if (const auto* written = as<value::List>(list)) {
    if (nested) return written->elements.empty() ? std::vector<Iteration>{} : enumerate_positions(list, location);
    std::vector<Iteration> all;
    for (const ValuePtr& element : written->elements) all.push_back({std::nullopt, {}, element, {}});
    return all;
  }
  if (const auto* range = as<value::Range>(list)) return enumerate_range(*range, location);
  if (const auto* comprehension = as<value::Comprehension>(list)) {
    auto all = iterate(comprehension->node->binders, comprehension->scope, nested);
    for (Iteration& one : all)
      one.element =
          values_.convert(expressions_.evaluate(*comprehension->node->element, one.scope), comprehension->element);
    return all;
  }
  if (const auto* choice = as<value::Select>(list); choice && !nested) {
    auto all = enumerate(choice->if_true, false, location);
    for (Iteration& one : all)
      one.guard = one.guard ? b_.logical_and(choice->condition, *one.guard) : choice->condition;
    const ValueId other = b_.logical_not(choice->condition);
    for (Iteration& one : enumerate(choice->if_false, false, location)) {
      one.guard = one.guard ? b_.logical_and(other, *one.guard) : other;
      all.push_back(std::move(one));
      refuse_too_many(all.size(), location);
    }
    return all;
  }
  return enumerate_positions(list, location);
}

void Lists::refuse_too_many(std::size_t elements, Location location) {
  if (elements <= Bounds::elements) return;
  sites_.abandon(DiagnosticKind::structure_too_large, location, "this list is too long to be written out",
                 fmt::format("more than {} elements", Bounds::elements));
}

std::vector<Iteration> Lists::iterate(std::span<const Binder> binders, const Scope& scope, bool nested) {
  if (binders.empty()) return {{std::nullopt, {}, nullptr, scope}};
  const Binder& binder = binders.front();
  std::vector<Iteration> all;
  for (Iteration& outer : enumerate(expressions_.evaluate(*binder.list, scope), nested, binder.list->location)) {
    for (ir::Level& level : outer.levels) {
      if (outer.levels.size() == 1) b_.system().binders[level.binder.index].name = binder.name.text;
    }
    const Scope inside = bind_local(scope, binder.name.text, outer.element);
    if (binder.filter) {
      const ValueId filter = expressions_.boolean(*binder.filter, inside);
      const auto known = b_.as_constant(filter);
      if (known && !known->boolean) continue;
      if (!known) add_filter(parts_, outer, filter);
    }
    for (Iteration& inner : iterate(binders.subspan(1), inside, nested || !outer.levels.empty())) {
      Iteration both{outer.guard, outer.levels, nullptr, inner.scope};
      if (inner.guard) add_filter(parts_, both, *inner.guard);
      both.levels.insert(both.levels.end(), inner.levels.begin(), inner.levels.end());
      all.push_back(std::move(both));
      refuse_too_many(all.size(), binder.list->location);
    }
  }
  return all;
}

ValueId Lists::count(const ValuePtr& list, Location location) {
  if (const auto* written = as<value::List>(list))
    return b_.integer(static_cast<std::int64_t>(written->elements.size()));
  if (const auto* range = as<value::Range>(list)) {
    if (b_.type(range->first) == ScalarType::integer && !range->geometric) {
      const ir::SiteId stuck = sites_.site(FailureKind::no_progress, range->location);
      const ir::SiteId overflow = sites_.site(FailureKind::integer_overflow, location);
      const ValueId step = b_.check(b_.logical_not(b_.equal(range->step, b_.integer(0))), range->step, stuck);
      const ValueId steps =
          b_.binary(BinaryOp::floor_divide, b_.subtract(range->last, range->first, overflow), step, overflow);
      return b_.maximum({b_.integer(0), b_.add(steps, b_.integer(1), overflow)});
    }
  }
  if (const auto* comprehension = as<value::Comprehension>(list)) {
    const auto& binders = comprehension->node->binders;
    if (binders.size() == 1 && !binders[0].filter)
      return count(expressions_.evaluate(*binders[0].list, comprehension->scope), location);
  }
  if (as<value::Select>(list)) {
    const ValuePtr chosen =
        values_.for_each_choice(list, [&](const ValuePtr& one) { return number(count(one, location)); });
    return values_.scalar_of(chosen, ScalarType::integer, location);
  }
  if (const auto* lifted = as<value::Lifted>(list)) {
    return values_.scalar_of(lifting_.lift(*lifted, {LiftedStep::Kind::count, "", {}}, {}, location),
                             ScalarType::integer, location);
  }
  if (as<value::Failure>(list)) return b_.fail(as<value::Failure>(list)->site, ScalarType::integer);
  const bool is_list = as<value::Range>(list) || as<value::Comprehension>(list);
  if (!is_list) sites_.abandon(DiagnosticKind::not_expressible, location, "a list is needed here");
  ValueId total = b_.integer(0);
  const ir::SiteId overflow = sites_.site(FailureKind::integer_overflow, location);
  for (const Iteration& one : enumerate(list, false, location)) {
    const ValueId some =
        one.levels.empty() ? b_.integer(1) : b_.reduce(ir::ReduceKind::count, one.levels, {}, {}, overflow);
    total = b_.add(total, one.guard ? b_.select(*one.guard, some, b_.integer(0)) : some, overflow);
  }
  return total;
}

// Checks that a position is one of 1..last. There are two checks, so that the failure can say which element was asked
// for.
ir::ValueId Lists::position_within(ValueId position, ValueId last, ir::SiteId outside) {
  const ValueId not_above = b_.check(b_.less_equal(position, last), position, outside);
  return b_.check(b_.binary(ir::BinaryOp::greater_equal, position, b_.integer(1)), not_above, outside);
}

// Reads an element of a long list of constants through a table of the system. Nothing if they are not all of one type.
std::optional<ValuePtr> Lists::index_numbers(const std::vector<ValuePtr>& elements, ValueId position,
                                             ir::SiteId outside) {
  if (elements.size() < table_from) return std::nullopt;
  ir::Table values{"list", {{}}, {}, ir::Interpolation::step, false};
  bool integers = false;
  for (const ValuePtr& element : elements) {
    const auto* scalar = as<value::Scalar>(element);
    const auto constant = scalar ? b_.as_constant(scalar->id) : std::nullopt;
    if (!constant || constant->type == ScalarType::boolean) return std::nullopt;
    const bool integer = constant->type == ScalarType::integer;
    if (values.values.empty()) integers = integer;
    const std::int64_t largest = std::int64_t{1} << 53;  // beyond this a double is not exact
    if (integer != integers || (integer && std::abs(constant->integer) > largest)) return std::nullopt;
    values.keys[0].push_back(static_cast<double>(values.keys[0].size() + 1));
    values.values.push_back(integer ? static_cast<double>(constant->integer) : constant->real);
  }
  ir::TableId& table = table_of_list_.try_emplace(values_.key(make(value::List{elements}))).first->second;
  if (!table.valid()) table = b_.table(std::move(values));
  const ValueId found = b_.lookup(table, {b_.to_real(position)}, outside);
  return number(integers ? b_.unary(UnaryOp::to_integer, found, outside) : found);
}

ValuePtr Lists::index(const ValuePtr& list, ValueId position, Location location) {
  if (const auto* written = as<value::List>(list)) {
    const auto& elements = written->elements;
    const ir::SiteId outside =
        sites_.site(FailureKind::index_outside_list, location, "the list has " + counted(elements.size(), "element"));
    if (const auto known = b_.as_constant(position)) {
      const bool inside = known->integer >= 1 && known->integer <= static_cast<std::int64_t>(elements.size());
      return inside ? elements[static_cast<std::size_t>(known->integer - 1)] : make(value::Failure{outside});
    }
    position = position_within(position, b_.integer(static_cast<std::int64_t>(elements.size())), outside);
    if (auto number = index_numbers(elements, position, outside)) return *number;
    ValuePtr chosen = make(value::Failure{outside});
    for (std::size_t i = elements.size(); i-- > 0;) {
      chosen = values_.select(b_.equal(position, b_.integer(static_cast<std::int64_t>(i + 1))), elements[i], chosen);
    }
    return chosen;
  }
  if (as<value::Select>(list)) {
    return values_.for_each_choice(list, [&](const ValuePtr& one) { return index(one, position, location); });
  }
  if (const auto* lifted = as<value::Lifted>(list)) {
    return lifting_.lift(*lifted, {LiftedStep::Kind::index, "", {{"", number(position)}}}, {}, location);
  }
  if (as<value::Failure>(list)) return list;
  const ir::SiteId outside = sites_.site(FailureKind::index_outside_list, location);
  if (const auto* range = as<value::Range>(list)) {
    if (b_.type(range->first) == ScalarType::integer && !range->geometric) {
      position = position_within(position, count(list, location), outside);
      const ir::SiteId overflow = sites_.site(FailureKind::integer_overflow, location);
      ValueId element = position;  // which is right for 1..n
      const ValueId one = b_.integer(1);
      if (range->first != one || range->step != one) {
        const ValueId steps = b_.subtract(position, one, overflow);
        element = b_.add(range->first, b_.multiply(steps, range->step, overflow), overflow);
      }
      return at_position(*range, element, location);
    }
  }
  if (const auto* comprehension = as<value::Comprehension>(list)) {
    const auto& binders = comprehension->node->binders;
    if (binders.size() == 1 && !binders[0].filter) {
      const ValuePtr source = expressions_.evaluate(*binders[0].list, comprehension->scope);
      const Scope inside = bind_local(comprehension->scope, binders[0].name.text, index(source, position, location));
      return values_.convert(expressions_.evaluate(*comprehension->node->element, inside), comprehension->element);
    }
  }
  const bool is_list = as<value::Range>(list) || as<value::Comprehension>(list);
  if (!is_list) sites_.abandon(DiagnosticKind::not_expressible, location, "a list is needed here");
  const auto all = enumerate(list, true, location);
  if (all.empty()) return make(value::Failure{outside});
  const Iteration& one = all.front();
  return values_.map_leaves(one.element, [&](ValueId leaf) {
    if (!facts_.of(leaf).depends_on_loop()) return leaf;
    return b_.reduce(ir::ReduceKind::nth, one.levels, leaf, position, outside);
  });
}

ValuePtr Lists::evaluate_index(const Expr& expr, const expr::Index& node, const Scope& scope) {
  const auto is_named = [](const Argument& index) { return index.name.has_value(); };
  if (studies_.is_lowered() && std::any_of(node.indices.begin(), node.indices.end(), is_named))
    return studies_.elsewhere(expr, node, scope);
  std::vector<ValuePtr> indices;
  const ValuePtr object = expressions_.evaluate(*node.object, scope);
  for (const Argument& index : node.indices) indices.push_back(expressions_.evaluate(*index.value, scope));
  return values_.distribute(object, [&](const ValuePtr& one) -> ValuePtr {
    if (const auto* event = as<value::Event>(one)) return recurrences_.read(*event, indices, scope, expr.location);
    if (const auto* grid = as<value::Grid>(one)) {
      value::Point point{grid->declaration, grid->self, {}};
      for (const ValuePtr& index : indices)
        point.indices.push_back(values_.scalar_of(index, ScalarType::integer, expr.location));
      return make(std::move(point));
    }
    if (const auto* lifted = as<value::Lifted>(one)) {
      LiftedStep step{LiftedStep::Kind::index, "", {}};
      for (const ValuePtr& index : indices) step.arguments.emplace_back("", index);
      return lifting_.lift(*lifted, std::move(step), scope, expr.location);
    }
    if (const auto* series = as<value::Series>(one)) return read_series(*series, indices, expr.location);
    ValuePtr element = one;
    for (const ValuePtr& position : indices)
      element = index(element, values_.scalar_of(position, ScalarType::integer, expr.location), expr.location);
    return element;
  });
}

ValuePtr Lists::read_series(const value::Series& series, const std::vector<ValuePtr>& indices, Location location) {
  const auto& output = std::get<item::Output>(series.output->node);
  const ir::SiteId outside = sites_.site(FailureKind::index_outside_list, location,
                                         fmt::format("the series `{}` has no such index", series.output->name.text));
  Scope scope = instances_.scope_of(*series.self);
  ValueId inside = b_.boolean(true);
  for (std::size_t i = 0; i < output.indices.size() && i < indices.size(); ++i) {
    const Binder& binder = output.indices[i];
    const TypeRef type = check::element_of(binder.list->type);
    const ValueId index = values_.scalar_of(indices[i], scalar_type(type).value_or(ScalarType::integer), location);
    ValueId known = b_.boolean(false);
    for (const Iteration& one : enumerate(expressions_.evaluate(*binder.list, scope), false, binder.list->location)) {
      const auto both = values_.unify({one.element, number(index)}, b_.type(index), location);
      ValueId same = b_.equal(both[0], both[1]);
      if (!one.levels.empty()) same = b_.reduce(ir::ReduceKind::any, one.levels, same, {}, outside);
      known = b_.logical_or(known, one.guard ? b_.logical_and(*one.guard, same) : same);
    }
    inside = b_.logical_and(inside, known);
    scope = bind_local(scope, binder.name.text, number(index));
    if (binder.filter) inside = b_.logical_and(inside, expressions_.boolean(*binder.filter, scope));
  }
  const ValuePtr element = expressions_.evaluate(*output.value, scope);
  return values_.map_leaves(element, [&](ValueId leaf) { return b_.check(inside, leaf, outside); });
}

std::vector<ValuePtr> Lists::elements(const ValuePtr& list, Location location) {
  if (const auto* written = as<value::List>(list)) return written->elements;
  if (as<value::Corner>(list)) return {list};
  std::vector<ValuePtr> all;
  if (const auto* range = as<value::Range>(list)) {
    const auto length = b_.as_constant(count(list, location));
    if (length && length->integer <= static_cast<std::int64_t>(Bounds::elements) && !range->geometric) {
      for (std::int64_t k = 1; k <= length->integer; ++k) all.push_back(index(list, b_.integer(k), location));
      return all;
    }
  }
  if (const auto* comprehension = as<value::Comprehension>(list)) {
    std::vector<Scope> scopes{comprehension->scope};
    for (const Binder& binder : comprehension->node->binders) {
      std::vector<Scope> inner;
      for (const Scope& scope : scopes) {
        for (const ValuePtr& element : elements(expressions_.evaluate(*binder.list, scope), location)) {
          const Scope bound = bind_local(scope, binder.name.text, element);
          const auto keep =
              binder.filter ? b_.as_constant(expressions_.boolean(*binder.filter, bound)) : ir::Scalar::of(true);
          if (!keep)
            sites_.abandon(DiagnosticKind::not_expressible, location,
                           "which elements this list has is known only at run time");
          if (keep->boolean) inner.push_back(bound);
        }
      }
      scopes = std::move(inner);
    }
    for (const Scope& scope : scopes) {
      all.push_back(
          values_.convert(expressions_.evaluate(*comprehension->node->element, scope), comprehension->element));
    }
    return all;
  }
  sites_.abandon(DiagnosticKind::not_expressible, location, "how long this list is is known only at run time",
                 "its elements are needed before the model runs");
}

}  // namespace wave::frontend::lowering
