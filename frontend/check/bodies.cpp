// The bodies of parameters, lets, records, grids, recurrences and tests.
#include "frontend/check/collections.h"
#include "frontend/check/declarations.h"
#include "frontend/check/dependences.h"
#include "frontend/check/expressions.h"
#include "frontend/check/functions.h"
#include "frontend/check/names.h"
#include "frontend/check/reports.h"
#include "frontend/check/types.h"

#include <algorithm>

namespace wave::frontend::check {
namespace {

// Values and records of them: what a row of a table can show.
bool is_row(const TypeRef& type) {
  if (const auto* record = as<types::Record>(type)) {
    const auto& fields = std::get<item::Record>(record->declaration->node).checked_types;
    return std::all_of(fields.begin(), fields.end(), is_row);
  }
  return is_unknown(type) || is_numeric(type) || as<types::Bool>(type) || as<types::String>(type) ||
         as<types::Choice>(type);
}

}  // namespace

void Declarations::check_let(Item& item, item::Let& let) {
  const TypeRef type = type_of(item, item.name.place);
  if (let.type)
    expressions_.expect(*let.value, type, declared_as(item.name.text, let.type->place, type));
  else
    functions_.require_known(item.name, *let.value);
}

void Declarations::check_param(Item& item, item::Param& param) {
  const TypeRef type = type_of(item, item.name.place);
  const Place place = param.type ? param.type->place : item.name.place;
  const Why why = declared_as(item.name.text, place, type);
  if (param.default_value) expressions_.expect(*param.default_value, type, why);
  if (!param.has_range) return;
  if (!is_unknown(type) && !is_numeric(type)) {
    reports_.add(DiagnosticKind::type_mismatch, item.name.place,
                 "a range needs a parameter that is a number or a quantity", "this is " + quoted(type));
    return;
  }
  if (param.lower) expressions_.expect(*param.lower, type, why);
  if (param.upper) expressions_.expect(*param.upper, type, why);
}

void Declarations::check_record(Item& item, item::Record& record) {
  std::unordered_map<std::string, Place> seen;
  for (const auto& [name, type] : record.fields) {
    const auto [known, fresh] = seen.emplace(name.text, name.place);
    if (fresh) continue;
    reports_
        .add(DiagnosticKind::duplicate_name, name.place, "the field `" + name.text + "` is declared twice",
             "declared again here")
        .labels.push_back({known->second, "first declared here"});
  }
  for (const TypeRef& type : types_.fields_of(item)) {
    if (const auto* field = as<types::Record>(type)) {
      dependences_.depends_on(field->declaration);
    }
  }
}

void Declarations::check_require(item::Require& require) {
  expressions_.expect(*require.condition, bool_type());
  if (require.message) expressions_.expect(*require.message, string_type());
}

void Declarations::check_grid(Item& item, item::Grid& grid) {
  std::unordered_map<std::string, Place> seen;
  for (item::GridAxis& axis : grid.axes) {
    const auto [known, fresh] = seen.emplace(axis.name.text, axis.name.place);
    if (!fresh) {
      reports_
          .add(DiagnosticKind::duplicate_name, axis.name.place, "the axis `" + axis.name.text + "` is declared twice",
               "declared again here")
          .labels.push_back({known->second, "first declared here"});
    }
    expressions_.expect(*axis.extent, int_type(), {axis.name.place, "the extent of an axis is an int"});
  }
  if (!grid.nodes.empty() && grid.nodes.size() != grid.axes.size()) {
    reports_
        .add(DiagnosticKind::wrong_index, cover(grid.nodes.front()->place, grid.nodes.back()->place),
             "`nodes` gives " + counted(grid.nodes.size(), "extent", "extents") + ", but the grid has " +
                 counted(grid.axes.size(), "axis", "axes"),
             "one extent for each axis is expected")
        .labels.push_back({item.name.place, "declared here"});
  }
  for (ExprPtr& extent : grid.nodes) expressions_.expect(*extent, int_type());
}

void Declarations::check_recurrence(Item& item, item::Recurrence& recurrence) {
  type_of(item, item.name.place);
  RecurrenceContext own{&item, {}};
  LocalScope scope(context_);
  std::vector<LocalName> axes;
  for (item::Recurrence::Axis& axis : recurrence.axes) {
    own.axes.push_back(axis.name.text);
    axes.push_back({axis.name.text, int_type(), axis.name.place, false});
    if (axis.range)
      check_axis_range(*axis.range);
    else if (!recurrence.over) {
      reports_.add(DiagnosticKind::wrong_index, axis.name.place, "the axis `" + axis.name.text + "` has no range",
                   "write `" + axis.name.text + " in 1..n`, or `over` and a grid");
    }
  }
  if (recurrence.over) check_over(item, recurrence);
  for (LocalName& axis : axes) names_.declare_local(std::move(axis));
  context_.recurrence = &own;
  functions_.check_locals(recurrence.lets);
  const Place declared = recurrence.type ? recurrence.type->place : item.name.place;
  const Why why = declared_as(item.name.text, declared, recurrence.value_type);
  expressions_.expect(*recurrence.body, recurrence.value_type, why);
  if (recurrence.otherwise) expressions_.expect(*recurrence.otherwise, recurrence.value_type, why);
  const TypeRef& type = recurrence.value_type;
  if (!is_unknown(type) && !is_numeric(type) && !as<types::Bool>(type)) {
    reports_.add(DiagnosticKind::type_mismatch, declared,
                 "a recurrence has numbers, quantities or truth values, not " + quoted(type),
                 "this is " + quoted(type));
  }
}

void Declarations::check_axis_range(Expr& range) {
  const TypeRef type = expressions_.expect(range, list_of(int_type()));
  const auto* node = std::get_if<expr::Range>(&range.node);
  if (is_unknown(type) || (node && !node->step && node->last)) return;
  reports_.add(DiagnosticKind::wrong_index, range.place, "the range of an axis is written `first..last`",
               "every whole number between two bounds is expected here");
}

void Declarations::check_over(const Item& item, const item::Recurrence& recurrence) {
  const Identifier& name = *recurrence.over;
  const Item* grid = names_.find_grid(name);
  if (!grid) return;
  const std::size_t axes = std::get<item::Grid>(grid->node).axes.size();
  if (axes == recurrence.axes.size()) return;
  reports_
      .add(DiagnosticKind::wrong_index, item.name.place,
           "`" + item.name.text + "` has " + counted(recurrence.axes.size(), "index", "indices") + ", but `" +
               name.text + "` has " + counted(axes, "axis", "axes"),
           "one index for each axis is expected")
      .labels.push_back({grid->name.place, "declared here"});
}

void Declarations::check_test(item::Test& test) {
  LocalScope scope(context_);
  functions_.check_locals(test.lets);
  for (item::Expect& one : test.expects) check_expect(one);
}

void Declarations::check_expect(item::Expect& expectation) {
  LocalScope scope(context_);
  collections_.open_binders(expectation.binders);
  auto* binary = std::get_if<expr::Binary>(&expectation.condition->node);
  const bool equality = binary && (binary->op == BinaryOperator::equal || binary->op == BinaryOperator::not_equal);
  if (equality)
    expectation.condition->type = expressions_.check_comparison(*binary, true);
  else
    expressions_.expect(*expectation.condition, bool_type());
  if (!expectation.tolerance) return;
  if (!binary || binary->op != BinaryOperator::equal) {
    reports_.add(DiagnosticKind::type_mismatch, expectation.tolerance->place,
                 "`within` belongs to an expectation `a == b`", "how far two values may differ");
    expressions_.check(*expectation.tolerance);
    return;
  }
  TypeRef compared = types_.unify(binary->left->type, binary->right->type);
  while (compared && element_of(compared)) compared = element_of(compared);
  if (is_unknown(compared)) {
    expressions_.check(*expectation.tolerance);
  } else if (!is_numeric(compared)) {
    reports_.add(DiagnosticKind::type_mismatch, expectation.tolerance->place,
                 "`within` needs values that are numbers or quantities", "the values compared are " + quoted(compared));
    expressions_.check(*expectation.tolerance);
  } else {
    expressions_.expect(*expectation.tolerance, real_type(dimension_of(compared)),
                        {binary->left->place, "the values compared are " + quoted(compared)});
  }
}

void Declarations::check_output(Item& item, item::Output& output) {
  type_of(item, item.name.place);
  const TypeRef type = output.value->type;
  if (const auto* record = as<types::Record>(type)) types_.fields_of(*record->declaration);
  const TypeRef element = output.indices.empty() && type ? element_of(type) : nullptr;
  if (const auto* record = as<types::Record>(element)) types_.fields_of(*record->declaration);
  if (!type || is_row(element ? element : type)) return;
  Diagnostic& d = reports_.add(
      DiagnosticKind::type_mismatch, output.value->place,
      std::string(output.indices.empty() ? "an output shows" : "a series shows") + " values, not " + quoted(type),
      "this is " + quoted(type));
  types_.explain(d, *output.value);
  d.help.push_back(output.indices.empty() ? "an output is a value, a record of values, or a list of either"
                                          : "a point of a series is a value or a record of values");
}

}  // namespace wave::frontend::check
