// The bodies of parameters, lets, records, grids, recurrences and tests.
#include "frontend/check/checker.h"
#include "frontend/check/units.h"

#include <algorithm>

namespace wave::frontend::check {

Why declared_as(const Item& item, Place place, const TypeRef& type) {
  return {place, "`" + item.name.text + "` is declared as " + quoted(type) + " here"};
}

void Checker::check_let(Item& item, item::Let& let) {
  const TypeRef type = type_of(item, item.name.place);
  if (let.type)
    expect(*let.value, type, declared_as(item, let.type->place, type));
  else
    require_known(item.name, *let.value);
}

void Checker::check_param(Item& item, item::Param& param) {
  const TypeRef type = type_of(item, item.name.place);
  const Place place = param.type ? param.type->place : item.name.place;
  const Why why = declared_as(item, place, type);
  if (param.default_value) expect(*param.default_value, type, why);
  if (!param.has_range) return;
  if (!is_unknown(type) && !is_numeric(type)) {
    report(DiagnosticKind::type_mismatch, item.name.place, "a range needs a parameter that is a number or a quantity",
           "this is " + quoted(type));
    return;
  }
  if (param.lower) expect(*param.lower, type, why);
  if (param.upper) expect(*param.upper, type, why);
}

const std::vector<TypeRef>& Checker::fields_of(const Item& record) {
  auto& node = std::get<item::Record>(mutable_item(record).node);
  if (node.checked_types.size() == node.fields.size()) return node.checked_types;
  ContextSwitch there(*this, record);
  std::vector<TypeRef> found;
  for (const auto& [name, type] : node.fields) found.push_back(resolve(type, "a field", name.place));
  return node.checked_types = std::move(found);
}

void Checker::check_record(Item& item, item::Record& record) {
  std::unordered_map<std::string, Place> seen;
  for (const auto& [name, type] : record.fields) {
    const auto [known, fresh] = seen.emplace(name.text, name.place);
    if (fresh) continue;
    report(DiagnosticKind::duplicate_name, name.place, "the field `" + name.text + "` is declared twice",
           "declared again here")
        .labels.push_back({known->second, "first declared here"});
  }
  for (const TypeRef& type : fields_of(item)) {
    if (const auto* field = as<types::Record>(type)) {
      dependences_[&item].push_back(field->declaration);
    }
  }
}

void Checker::check_require(item::Require& require) {
  expect(*require.condition, bool_type());
  if (require.message) expect(*require.message, string_type());
}

void Checker::check_grid(Item& item, item::Grid& grid) {
  std::unordered_map<std::string, Place> seen;
  for (item::GridAxis& axis : grid.axes) {
    const auto [known, fresh] = seen.emplace(axis.name.text, axis.name.place);
    if (!fresh) {
      report(DiagnosticKind::duplicate_name, axis.name.place, "the axis `" + axis.name.text + "` is declared twice",
             "declared again here")
          .labels.push_back({known->second, "first declared here"});
    }
    expect(*axis.extent, int_type(), {axis.name.place, "the extent of an axis is an int"});
  }
  if (!grid.nodes.empty() && grid.nodes.size() != grid.axes.size()) {
    report(DiagnosticKind::wrong_index, cover(grid.nodes.front()->place, grid.nodes.back()->place),
           "`nodes` gives " + counted(grid.nodes.size(), "extent", "extents") + ", but the grid has " +
               counted(grid.axes.size(), "axis", "axes"),
           "one extent for each axis is expected")
        .labels.push_back({item.name.place, "declared here"});
  }
  for (ExprPtr& extent : grid.nodes) expect(*extent, int_type());
}

void Checker::check_locals(std::vector<LocalLet>& lets) {
  constexpr std::size_t most_locals = 10'000;
  for (std::size_t i = 0; i < lets.size(); ++i) {
    LocalLet& let = lets[i];
    if (i == most_locals) {
      report(DiagnosticKind::too_deep, let.name.place, "too many local definitions",
             "more than " + std::to_string(most_locals));
    }
    if (i >= most_locals) {
      context_.locals.push_back({let.name.text, unknown_type(), {}, false});
      continue;
    }
    TypeRef type;
    const bool outer = index_read_;
    index_read_ = false;
    if (let.type) {
      type = resolve(*let.type);
      expect(*let.value, type, {let.type->place, "`" + let.name.text + "` is declared as " + quoted(type) + " here"});
    } else {
      type = without_zero(check(*let.value));
      require_known(let.name, *let.value);
    }
    declare_local({let.name.text, type, let.name.place, index_read_});
    index_read_ = outer || index_read_;
  }
}

// What cannot be told from the value alone has to be written.
void Checker::require_known(const Identifier& name, const Expr& value) {
  const auto* list = std::get_if<expr::List>(&value.node);
  const auto* function = as<types::Function>(value.type);
  const auto is_any = [](const auto& parameter) { return as<types::Any>(parameter.second) != nullptr; };
  const bool untyped = function && std::any_of(function->parameters.begin(), function->parameters.end(), is_any);
  if (!untyped && !(list && list->elements.empty())) return;
  report(DiagnosticKind::type_needed, name.place, "`" + name.text + "` needs a type",
         untyped ? "a function without parameter types has none of its own"
                 : "a list without elements has none of its own")
      .help.push_back(untyped ? "write `let " + name.text +
                                    ": fn(x: real): real = ...`, or give the function parameter types"
                              : "write `let " + name.text + ": [time] = []`");
}

void Checker::declare_local(Local local) {
  if (const Local* other = find_local(local.name)) report_declared_twice(local, *other);
  context_.locals.push_back(std::move(local));
}

const Local* Checker::find_local(const std::string& name) const {
  for (const Local& local : context_.locals) {
    if (local.name == name && local.place.known()) return &local;
  }
  return nullptr;
}

void Checker::report_declared_twice(const Local& again, const Local& first) {
  report(DiagnosticKind::duplicate_name, again.place, "`" + again.name + "` is declared twice", "declared again here")
      .labels.push_back({first.place, first.of_sweep ? "the sweep gives it to its body" : "first declared here"});
}

void Checker::check_recurrence(Item& item, item::Recurrence& recurrence) {
  type_of(item, item.name.place);
  RecurrenceContext own{&item, {}};
  LocalScope scope(context_.locals);
  std::vector<Local> axes;
  for (item::Recurrence::Axis& axis : recurrence.axes) {
    own.axes.push_back(axis.name.text);
    axes.push_back({axis.name.text, int_type(), axis.name.place, false});
    if (axis.range)
      check_axis_range(*axis.range);
    else if (!recurrence.over) {
      report(DiagnosticKind::wrong_index, axis.name.place, "the axis `" + axis.name.text + "` has no range",
             "write `" + axis.name.text + " in 1..n`, or `over` and a grid");
    }
  }
  if (recurrence.over) check_over(item, recurrence);
  for (Local& axis : axes) declare_local(std::move(axis));
  context_.recurrence = &own;
  check_locals(recurrence.lets);
  const Place declared = recurrence.type ? recurrence.type->place : item.name.place;
  const Why why = declared_as(item, declared, recurrence.value_type);
  expect(*recurrence.body, recurrence.value_type, why);
  if (recurrence.otherwise) expect(*recurrence.otherwise, recurrence.value_type, why);
  const TypeRef& type = recurrence.value_type;
  if (!is_unknown(type) && !is_numeric(type) && !as<types::Bool>(type)) {
    report(DiagnosticKind::type_mismatch, declared,
           "a recurrence has numbers, quantities or truth values, not " + quoted(type), "this is " + quoted(type));
  }
}

void Checker::check_axis_range(Expr& range) {
  const TypeRef type = expect(range, list_of(int_type()));
  const auto* node = std::get_if<expr::Range>(&range.node);
  if (is_unknown(type) || (node && !node->step && node->last)) return;
  report(DiagnosticKind::wrong_index, range.place, "the range of an axis is written `first..last`",
         "every whole number between two bounds is expected here");
}

void Checker::check_over(const Item& item, const item::Recurrence& recurrence) {
  const Identifier& name = *recurrence.over;
  const Item* grid = context_.owner ? member(*context_.owner, name.text) : nullptr;
  const auto* node = grid ? std::get_if<item::Grid>(&grid->node) : nullptr;
  if (!node) {
    report_no_grid(name, grid);
    return;
  }
  depends_on(grid);
  if (node->axes.size() == recurrence.axes.size()) return;
  report(DiagnosticKind::wrong_index, item.name.place,
         "`" + item.name.text + "` has " + counted(recurrence.axes.size(), "index", "indices") + ", but `" + name.text +
             "` has " + counted(node->axes.size(), "axis", "axes"),
         "one index for each axis is expected")
      .labels.push_back({grid->name.place, "declared here"});
}

void Checker::report_no_grid(const Identifier& name, const Item* found) {
  if (found ? is_unknown(*found) : lacks_names()) return;
  if (found) {
    report(DiagnosticKind::type_mismatch, name.place,
           "`" + name.text + "` is " + with_article(kind_of(*found)) + ", not a grid", "a grid is expected here")
        .labels.push_back({found->name.place, "declared here"});
    return;
  }
  Diagnostic& d =
      report(DiagnosticKind::unknown_name, name.place, "unknown grid `" + name.text + "`", "not declared here");
  std::vector<std::string> grids;
  if (context_.owner) {
    for (const auto& other : *members_of(*context_.owner)) {
      if (std::holds_alternative<item::Grid>(other->node)) grids.push_back(other->name.text);
    }
  }
  if (const std::string near = nearest(name.text, grids); !near.empty())
    d.help.push_back("did you mean `" + near + "`?");
}

void Checker::check_test(Item&, item::Test& test) {
  LocalScope scope(context_.locals);
  check_locals(test.lets);
  for (item::Expect& one : test.expects) check_expect(one);
}

void Checker::check_expect(item::Expect& expectation) {
  LocalScope scope(context_.locals);
  open_binders(expectation.binders);
  auto* binary = std::get_if<expr::Binary>(&expectation.condition->node);
  const bool equality = binary && (binary->op == BinaryOperator::equal || binary->op == BinaryOperator::not_equal);
  if (equality)
    expectation.condition->type = check_comparison(*binary, true);
  else
    expect(*expectation.condition, bool_type());
  if (!expectation.tolerance) return;
  if (!binary || binary->op != BinaryOperator::equal) {
    report(DiagnosticKind::type_mismatch, expectation.tolerance->place, "`within` belongs to an expectation `a == b`",
           "how far two values may differ");
    check(*expectation.tolerance);
    return;
  }
  TypeRef compared = unify(binary->left->type, binary->right->type);
  while (compared && element_of(compared)) compared = element_of(compared);
  if (is_unknown(compared)) {
    check(*expectation.tolerance);
  } else if (!is_numeric(compared)) {
    report(DiagnosticKind::type_mismatch, expectation.tolerance->place,
           "`within` needs values that are numbers or quantities", "the values compared are " + quoted(compared));
    check(*expectation.tolerance);
  } else {
    expect(*expectation.tolerance, real_type(dimension_of(compared)),
           {binary->left->place, "the values compared are " + quoted(compared)});
  }
}

void Checker::check_output_unit(const Unit& unit, const Expr& value) {
  const std::optional<Dimension> dimension = dimension_of_unit(unit);
  TypeRef type = value.type;
  while (type && element_of(type)) type = element_of(type);
  if (!dimension || is_unknown(type)) return;
  if (is_numeric(type) && dimension_of(type) == *dimension) return;
  Diagnostic& d =
      report(is_numeric(type) ? DiagnosticKind::dimension_mismatch : DiagnosticKind::type_mismatch, unit.place,
             "`" + unit.text + "` measures " + quoted(real_type(*dimension)) + ", but the value is " + quoted(type),
             "a unit of " + quoted(real_type(*dimension)));
  d.labels.push_back({value.place, "this is " + quoted(type)});
  explain(d, value);
}

}  // namespace wave::frontend::check
