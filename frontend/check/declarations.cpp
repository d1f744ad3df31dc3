// Checks which declarations may be where, and finds the types of what is declared.
#include "frontend/check/declarations.h"

#include "frontend/check/expressions.h"
#include "frontend/check/names.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace wave::frontend::check {
namespace {

// In longer chains of definitions, each before the one that it uses, some definition needs a written type.
constexpr std::size_t deepest_inference = 300;

bool may_stand(const Item& item, const Item* owner) {
  if (!owner) {
    return is_any_of<item::Import, item::Let, item::Function, item::Record, item::Interface, item::Machine, item::Model,
                     item::Procedure, item::Study, item::Test>(item);
  }
  if (is_interface(*owner)) return is_any_of<item::Function, item::Collective>(item);
  if (is_machine(*owner)) {
    return is_any_of<item::Param, item::Let, item::Function, item::Protocol, item::Levels, item::Resource,
                     item::Collective, item::Require>(item);
  }
  return is_any_of<item::Param, item::Let, item::Function, item::Require, item::Grid, item::Recurrence, item::Process,
                   item::Procedure, item::Output>(item);
}

bool is_value(const Item& item) {
  return is_any_of<item::Param, item::Let, item::Function, item::Collective, item::Grid, item::Recurrence,
                   item::Process, item::Output, item::Unknown>(item);
}

}  // namespace

void Declarations::check_members(std::vector<std::unique_ptr<Item>>& items, const Item* owner) {
  if (owner) {
    std::unordered_map<std::string, Location> seen;
    for (const auto& item : items) {
      if (item->name.text.empty() || is_any_of<item::Study, item::Test>(*item)) continue;
      const auto [known, fresh] = seen.emplace(item->name.text, item->name.location);
      if (fresh) continue;
      reports_
          .add(DiagnosticKind::duplicate_name, item->name.location, "`" + item->name.text + "` is declared twice",
               "declared again here")
          .labels.push_back({known->second, "first declared here"});
    }
  }
  for (const auto& item : items) {
    if (!may_stand(*item, owner)) continue;  // the parser has reported it
    ContextSwitch here(context_, *item);
    check_item(*item);
  }
}

void Declarations::check_item(Item& item) {
  if (states_[&item].checked) return;
  states_[&item].checked = true;
  struct Visitor {
    Declarations& c;
    Item& item;
    void operator()(item::Import&) {}
    void operator()(item::Param& n) { c.check_param(item, n); }
    void operator()(item::Let& n) { c.check_let(item, n); }
    void operator()(item::Function& n) { c.functions_.check_function(item, n); }
    void operator()(item::Record& n) { c.check_record(item, n); }
    void operator()(item::Require& n) { c.check_require(n); }
    void operator()(item::Protocol& n) { c.machines_.check_protocol(item, n); }
    void operator()(item::Levels&) {}  // checked with its machine
    void operator()(item::Resource& n) { c.machines_.check_resource(n); }
    void operator()(item::Collective& n) { c.machines_.check_collective(item, n); }
    void operator()(item::Interface& n) {
      c.check_members(n.members, &item);
      c.machines_.check_computed(item);
    }
    void operator()(item::Machine& n) { c.machines_.check_machine(item, n); }
    void operator()(item::Grid& n) { c.check_grid(item, n); }
    void operator()(item::Recurrence& n) { c.check_recurrence(item, n); }
    void operator()(item::Process& n) { c.processes_.check_process(n); }
    void operator()(item::Procedure& n) { c.processes_.check_procedure(n); }
    void operator()(item::Output& n) { c.check_output(item, n); }
    void operator()(item::Model& n) { c.check_members(n.members, &item); }
    void operator()(item::Study& n) { c.studies_.check_study(n); }
    void operator()(item::Test& n) { c.check_test(n); }
    void operator()(item::Unknown&) {}
  };
  std::visit(Visitor{*this, item}, item.node);
}

TypeRef Declarations::type_of(const Item& item, Location use) {
  if (!is_value(item)) {
    report_not_a_value(item, use);
    return unknown_type();
  }
  if (item.module && !item.module->broken.empty() && reports_.is_broken(item.name.location) && !reports_.is_broken(use))
    return unknown_type();
  State& state = states_[&item];
  if (state.progress == State::Progress::found) return state.type;
  if (state.progress == State::Progress::finding) return report_recursion(item, use);
  if (finding_.size() >= deepest_inference || expressions_.is_too_deep()) {
    reports_.add(DiagnosticKind::type_needed, item.name.location, "`" + item.name.text + "` needs a type",
                 "its type follows from a long chain of definitions that stand before what they use");
    return unknown_type();
  }
  state.progress = State::Progress::finding;
  finding_.push_back(&item);
  TypeRef type;
  {
    ContextSwitch there(context_, item);
    type = find_type(mutable_item(item));
  }
  finding_.pop_back();
  State& found = states_[&item];  // the table may have grown
  found.progress = State::Progress::found;
  return found.type = type ? type : unknown_type();
}

TypeRef Declarations::report_recursion(const Item& item, Location use) {
  const auto first = std::find(finding_.begin(), finding_.end(), &item);
  if (std::all_of(first, finding_.end(), [](const Item* i) { return is_any_of<item::Function>(*i); })) {
    reports_
        .add(DiagnosticKind::type_needed, item.name.location,
             "the recursive function `" + item.name.text + "` needs a result type",
             "write its type after the parameters")
        .labels.push_back({use, "its type is needed here"});
  } else {
    dependences_.report_cycle({first, finding_.end()});
  }
  return unknown_type();
}

TypeRef Declarations::find_type(Item& item) {
  if (auto* param = std::get_if<item::Param>(&item.node)) {
    const TypeRef written = types_.resolve(param->type, "a parameter", item.name.location);
    return param->checked_type = types_.with_reads(item, written);
  }
  if (auto* let = std::get_if<item::Let>(&item.node)) {
    return let->checked_type = let->type ? types_.resolve(*let->type) : without_zero(expressions_.check(*let->value));
  }
  if (auto* output = std::get_if<item::Output>(&item.node)) return find_output_type(*output);
  if (auto* function = std::get_if<item::Function>(&item.node)) return functions_.function_type(item, *function);
  if (auto* grid = std::get_if<item::Grid>(&item.node)) return make_type(types::Grid{grid->axes.size()});
  if (std::holds_alternative<item::Process>(item.node)) return make_type(types::Process{});
  if (auto* recurrence = std::get_if<item::Recurrence>(&item.node)) {
    recurrence->value_type = types_.resolve(recurrence->type, "a recurrence", item.name.location);
    return make_type(types::Recurrence{recurrence->axes.size(), recurrence->value_type});
  }
  if (std::holds_alternative<item::Collective>(item.node)) {
    return check::type_of(functions_.signature_of(item));
  }
  return unknown_type();
}

void Declarations::report_not_a_value(const Item& item, Location use) {
  Diagnostic& d = reports_.add(DiagnosticKind::not_a_value, use,
                               "`" + item.name.text + "` is " + with_article(kind_of(item)) + ", not a value",
                               "a value is expected here");
  d.labels.push_back({item.name.location, "declared here"});
  if (is_machine(item) || is_model(item)) {
    d.help.push_back("`" + item.name.text + "()` is the one with its parameters at their defaults");
  }
}

TypeRef Declarations::find_output_type(item::Output& output) {
  LocalScope scope(context_);
  collections_.open_binders(output.indices);
  TypeRef type = without_zero(expressions_.check(*output.value));
  if (output.unit) expressions_.check_output_unit(*output.unit, *output.value);
  for (std::size_t i = 0; i < output.indices.size(); ++i) type = list_of(type);
  return type;
}

void Declarations::check_early(const Item& item) {
  ContextSwitch there(context_, item);
  check_item(mutable_item(item));
}

// --- the bodies of parameters, lets, records, grids, recurrences and tests ---
namespace {

// Whether it is a value or a record of values, which a row of a table can show.
bool is_row(const TypeRef& type, std::unordered_set<const Item*>& seen) {
  if (const auto* record = as<types::Record>(type)) {
    if (!seen.insert(record->declaration).second) return true;
    const auto& fields = std::get<item::Record>(record->declaration->node).checked_types;
    return std::all_of(fields.begin(), fields.end(), [&](const TypeRef& field) { return is_row(field, seen); });
  }
  return is_unknown(type) || is_numeric(type) || as<types::Bool>(type) || as<types::String>(type) ||
         as<types::Choice>(type);
}

}  // namespace

void Declarations::check_let(Item& item, item::Let& let) {
  const TypeRef type = type_of(item, item.name.location);
  if (let.type)
    expressions_.expect(*let.value, type, declared_as(item.name.text, let.type->location, type));
  else
    functions_.require_known(item.name, *let.value);
}

void Declarations::check_param(Item& item, item::Param& param) {
  const TypeRef type = type_of(item, item.name.location);
  const Location location = param.type ? param.type->location : item.name.location;
  const Why why = declared_as(item.name.text, location, type);
  if (param.default_value) expressions_.expect(*param.default_value, type, why);
  if (!param.has_range) return;
  if (!is_unknown(type) && !is_numeric(type)) {
    reports_.add(DiagnosticKind::type_mismatch, item.name.location,
                 "a range needs a parameter that is a number or a quantity", "this is " + quoted(type));
    return;
  }
  if (param.lower) expressions_.expect(*param.lower, type, why);
  if (param.upper) expressions_.expect(*param.upper, type, why);
}

void Declarations::check_record(Item& item, item::Record& record) {
  std::unordered_map<std::string, Location> seen;
  for (const auto& [name, type] : record.fields) {
    const auto [known, fresh] = seen.emplace(name.text, name.location);
    if (fresh) continue;
    reports_
        .add(DiagnosticKind::duplicate_name, name.location, "the field `" + name.text + "` is declared twice",
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
  std::unordered_map<std::string, Location> seen;
  for (item::GridAxis& axis : grid.axes) {
    const auto [known, fresh] = seen.emplace(axis.name.text, axis.name.location);
    if (!fresh) {
      reports_
          .add(DiagnosticKind::duplicate_name, axis.name.location,
               "the axis `" + axis.name.text + "` is declared twice", "declared again here")
          .labels.push_back({known->second, "first declared here"});
    }
    expressions_.expect(*axis.extent, int_type(), {axis.name.location, "the extent of an axis is an int"});
  }
  std::unordered_map<std::string, Location> levels{{"none", {}}};
  for (item::GridLevel& level : grid.levels) {
    const auto [known, fresh] = levels.emplace(level.name.text, level.name.location);
    if (!fresh) {
      Diagnostic& d =
          reports_.add(DiagnosticKind::duplicate_name, level.name.location,
                       known->second.known() ? "the level `" + level.name.text + "` is declared twice"
                                             : "`none` says that nothing is shared, so no level is called that",
                       "declared here");
      if (known->second.known()) d.labels.push_back({known->second, "first declared here"});
    }
    check_grid_level(item, grid, level);
  }
}

// Blocks of the grid, or a value for each place: of its indices and its rank.
void Declarations::check_grid_level(const Item& item, const item::Grid& grid, item::GridLevel& level) {
  if (!level.value) {
    for (ExprPtr& extent : level.blocks) expressions_.expect(*extent, int_type());
    if (level.blocks.size() == grid.axes.size()) return;
    reports_
        .add(DiagnosticKind::wrong_index, cover(level.blocks.front()->location, level.blocks.back()->location),
             "the blocks of `" + level.name.text + "` have " + counted(level.blocks.size(), "extent", "extents") +
                 ", but the grid has " + counted(grid.axes.size(), "axis", "axes"),
             "one extent for each axis is expected")
        .labels.push_back({item.name.location, "declared here"});
    return;
  }
  LocalScope scope(context_);
  context_.locals.push_back({"rank", int_type(), {}});
  for (const item::GridAxis& axis : grid.axes)
    context_.locals.push_back({axis.name.text, int_type(), axis.name.location});
  expressions_.expect(*level.value, int_type(), {level.name.location, "places that share a level have an equal int"});
}

void Declarations::check_recurrence(Item& item, item::Recurrence& recurrence) {
  type_of(item, item.name.location);
  RecurrenceContext own{&item, {}};
  LocalScope scope(context_);
  std::vector<LocalName> axes;
  for (item::Recurrence::Axis& axis : recurrence.axes) {
    own.axes.push_back(axis.name.text);
    axes.push_back({axis.name.text, int_type(), axis.name.location, false});
    if (axis.range)
      check_axis_range(*axis.range);
    else if (!recurrence.over) {
      reports_.add(DiagnosticKind::wrong_index, axis.name.location, "the axis `" + axis.name.text + "` has no range",
                   "write `" + axis.name.text + " in 1..n`, or `over` and a grid");
    }
  }
  if (recurrence.over) check_over(item, recurrence);
  for (LocalName& axis : axes) names_.declare_local(std::move(axis));
  context_.recurrence = &own;
  functions_.check_locals(recurrence.lets);
  const Location declared = recurrence.type ? recurrence.type->location : item.name.location;
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
  reports_.add(DiagnosticKind::wrong_index, range.location, "the range of an axis is written `first..last`",
               "every whole number between two bounds is expected here");
}

void Declarations::check_over(const Item& item, const item::Recurrence& recurrence) {
  const Identifier& name = *recurrence.over;
  const Item* grid = names_.find_grid(name);
  if (!grid) return;
  const std::size_t axes = std::get<item::Grid>(grid->node).axes.size();
  if (axes == recurrence.axes.size()) return;
  reports_
      .add(DiagnosticKind::wrong_index, item.name.location,
           "`" + item.name.text + "` has " + counted(recurrence.axes.size(), "index", "indices") + ", but `" +
               name.text + "` has " + counted(axes, "axis", "axes"),
           "one index for each axis is expected")
      .labels.push_back({grid->name.location, "declared here"});
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
    reports_.add(DiagnosticKind::type_mismatch, expectation.tolerance->location,
                 "`within` belongs to an expectation `a == b`", "how far two values may differ");
    expressions_.check(*expectation.tolerance);
    return;
  }
  TypeRef compared = types_.unify(binary->left->type, binary->right->type);
  while (compared && element_of(compared)) compared = element_of(compared);
  if (is_unknown(compared)) {
    expressions_.check(*expectation.tolerance);
  } else if (!is_numeric(compared)) {
    reports_.add(DiagnosticKind::type_mismatch, expectation.tolerance->location,
                 "`within` needs values that are numbers or quantities", "the values compared are " + quoted(compared));
    expressions_.check(*expectation.tolerance);
  } else {
    expressions_.expect(*expectation.tolerance, real_type(dimension_of(compared)),
                        {binary->left->location, "the values compared are " + quoted(compared)});
  }
}

void Declarations::check_output(Item& item, item::Output& output) {
  type_of(item, item.name.location);
  const TypeRef type = output.value->type;
  if (const auto* record = as<types::Record>(type)) types_.fields_of(*record->declaration);
  const TypeRef element = output.indices.empty() && type ? element_of(type) : nullptr;
  if (const auto* record = as<types::Record>(element)) types_.fields_of(*record->declaration);
  std::unordered_set<const Item*> seen;
  if (!type || is_row(element ? element : type, seen)) return;
  Diagnostic& d = reports_.add(
      DiagnosticKind::type_mismatch, output.value->location,
      std::string(output.indices.empty() ? "an output shows" : "a series shows") + " values, not " + quoted(type),
      "this is " + quoted(type));
  types_.explain(d, *output.value);
  d.help.push_back(output.indices.empty() ? "an output is a value, a record of values, or a list of either"
                                          : "a point of a series is a value or a record of values");
}

}  // namespace wave::frontend::check
