// The functions of the language, among them those of orders: `sweeps`, `full_fills` and `diagonal_fills`.
#include "frontend/ast/operators.h"
#include "frontend/check/expressions.h"
#include "frontend/check/names.h"

#include <algorithm>
#include <set>

namespace wave::frontend::check {

TypeRef Calls::check_builtin(Expr& e, const LanguageFunction& function, std::vector<Argument>& arguments,
                             const TypeRef& expected) {
  if (const auto* op = std::get_if<ReduceOperator>(&function))
    return check_function_of_list(e, *op, arguments, expected);
  const auto* other = std::get_if<OtherFunction>(&function);
  if (other && *other == OtherFunction::breakdown) return check_breakdown(e, arguments);
  if (other && *other == OtherFunction::diagonal_fills) return check_diagonal_fills(e, arguments);
  if (!check_argument_count(e, function, arguments)) return unknown_type();
  Expr& first = *arguments.front().value;
  if (!other) return check_function_of_number(std::get<ir::UnaryOp>(function), first);
  switch (*other) {
    case OtherFunction::error: expressions_.expect(first, string_type()); return expected ? expected : unknown_type();
    case OtherFunction::sweeps:
    case OtherFunction::full_fills: return check_order(first);
    case OtherFunction::within: return check_within(arguments);
    case OtherFunction::extent: expressions_.expect(first, axis_type()); return int_type();
    case OtherFunction::diagonal_fills:
    case OtherFunction::breakdown: break;
  }
  return unknown_type();
}

// Requires one argument without a name, or three for `within`.
bool Calls::check_argument_count(Expr& e, const LanguageFunction& function, std::vector<Argument>& arguments) {
  const bool takes_three = function == LanguageFunction(OtherFunction::within);
  // What stands there has no meaning by itself: an order, a level.
  const bool takes_words = takes_three || function == LanguageFunction(OtherFunction::full_fills) ||
                           function == LanguageFunction(OtherFunction::sweeps);
  bool named = false;
  for (const Argument& argument : arguments) named = named || argument.name;
  if (arguments.size() == (takes_three ? 3 : 1) && !named) return true;
  Diagnostic& report =
      reports_.add(DiagnosticKind::wrong_arguments, e.location,
                   std::string("`") + name_of(function) + "` takes " +
                       (takes_three ? "a level and two places" : "one argument") + " without names",
                   std::to_string(arguments.size()) + (arguments.size() == 1 ? " is" : " are") + " given");
  if (takes_three) report.help.push_back("write `within(node, P[i-1, j], P[i, j])`");
  if (!takes_words) check_arguments_blindly(arguments);
  return false;
}

// Functions of a list as a whole. Most reductions need a name for its elements.
TypeRef Calls::check_function_of_list(Expr& e, ReduceOperator op, std::vector<Argument>& arguments,
                                      const TypeRef& expected) {
  const std::string name = name_of(op);
  if (op == ReduceOperator::max || op == ReduceOperator::min) return check_extreme(e, arguments, name, expected);
  if (op != ReduceOperator::count) {
    reports_
        .add(DiagnosticKind::wrong_arguments, e.location,
             "`" + name + "` goes over a list with a name for its elements", "no name is introduced here")
        .help.push_back("write `" + name + "(x in xs: x)`");
    check_arguments_blindly(arguments);
    return unknown_type();
  }
  if (!check_argument_count(e, op, arguments)) return unknown_type();
  Expr& list = *arguments.front().value;
  const TypeRef type = expressions_.check(list);
  if (!is_unknown(type) && !element_of(type)) {
    reports_.add(DiagnosticKind::type_mismatch, list.location, "`count` takes a list, not " + quoted(type),
                 "this is " + quoted(type));
  }
  return int_type();
}

TypeRef Calls::check_function_of_number(ir::UnaryOp op, Expr& argument) {
  const std::string name = std::string("`") + ir::operation(op).text;
  const TypeRef type = expressions_.require_numeric(argument, (name + "`").c_str());
  const TypeRef result = ir::operation(op).result == ir::ScalarType::integer ? int_type() : real_type();
  switch (row_of(op).dimension) {
    case FunctionRow::Dimension::same: return without_zero(type);
    case FunctionRow::Dimension::square_root: return check_root(argument, 2);
    case FunctionRow::Dimension::cube_root: return check_root(argument, 3);
    case FunctionRow::Dimension::plain: break;
  }
  if (dimension_of(type).plain()) return result;
  Diagnostic& d = reports_.add(DiagnosticKind::dimension_mismatch, argument.location,
                               name + "` takes a plain number, not " + quoted(type), "this is " + quoted(type));
  types_.explain(d, argument);
  d.help.push_back("divide by a unit first, as in " + name + (dimension_of(type).time ? "(t / 1 us)`" : "(s / 1 B)`"));
  return result;
}

// The square root or the cube root.
TypeRef Calls::check_root(Expr& argument, int degree) {
  const Dimension d = dimension_of(argument.type);
  if (d.time % degree == 0 && d.data % degree == 0 && d.work % degree == 0) {
    return real_type({static_cast<std::int8_t>(d.time / degree), static_cast<std::int8_t>(d.data / degree),
                      static_cast<std::int8_t>(d.work / degree)});
  }
  Diagnostic& diagnostic =
      reports_.add(DiagnosticKind::bad_exponent, argument.location,
                   std::string("the ") + (degree == 2 ? "square" : "cube") + " root of " + quoted(argument.type) +
                       " has no dimension",
                   degree == 2 ? "its exponents are not even" : "its exponents are not multiples of three");
  types_.explain(diagnostic, argument);
  return unknown_type();
}

TypeRef Calls::check_extreme(Expr& e, std::vector<Argument>& arguments, const std::string& name,
                             const TypeRef& expected) {
  std::vector<Expr*> operands;
  for (Argument& argument : arguments) {
    if (argument.name) {
      reports_.add(DiagnosticKind::wrong_arguments, argument.name->location,
                   "`" + name + "` takes values without names", "a name");
    }
    const TypeRef type = expressions_.check(*argument.value, expected);
    if (element_of(type)) {
      reports_
          .add(DiagnosticKind::type_mismatch, argument.value->location,
               "`" + name + "` takes numbers and quantities, not a list", "this is " + quoted(type))
          .help.push_back("write `" + name + "(x in xs: x)` for the elements of a list");
      argument.value->type = unknown_type();
    } else if (!is_unknown(type) && !is_numeric(type)) {
      reports_.add(DiagnosticKind::type_mismatch, argument.value->location,
                   "`" + name + "` takes numbers and quantities, not " + quoted(type), "this is " + quoted(type));
      argument.value->type = unknown_type();
    }
    operands.push_back(argument.value.get());
  }
  if (operands.empty()) {
    reports_.add(DiagnosticKind::wrong_arguments, e.location, "`" + name + "` of nothing",
                 "at least one value is expected");
  }
  return expressions_.common(operands, ("the arguments of `" + name + "`:").c_str());
}

// `within(node, P[i-1, j], P[i, j])`
TypeRef Calls::check_within(std::vector<Argument>& arguments) {
  Expr& level = *arguments.front().value;
  const TypeRef type = expressions_.expect(level, level_type());
  const auto* name = std::get_if<expr::Name>(&level.node);
  if (!is_unknown(type) && !(name && std::holds_alternative<target::LevelWord>(name->target))) {
    reports_.add(DiagnosticKind::type_mismatch, level.location, "`within` takes the name of a level",
                 "not written as a name");
  }
  check_place(*arguments[1].value);
  check_place(*arguments[2].value);
  return bool_type();
}

void Calls::check_place(Expr& e) {
  const TypeRef type = expressions_.check(e);
  if (is_unknown(type) || as<types::Place>(type)) return;
  reports_
      .add(DiagnosticKind::type_mismatch, e.location, "`within` compares two processes of a grid, not " + quoted(type),
           "this is " + quoted(type))
      .help.push_back("write `within(node, P[i-1, j], P[i, j])`");
}

// `breakdown(x)`, `breakdown(x, by = [W, sync])`: where the time of a value goes.
TypeRef Calls::check_breakdown(Expr& e, std::vector<Argument>& arguments) {
  const bool fits = !arguments.empty() && !arguments[0].name && arguments.size() <= 2 &&
                    (arguments.size() == 1 || (arguments[1].name && arguments[1].name->text == "by"));
  if (!fits) {
    reports_.add(DiagnosticKind::wrong_arguments, e.location,
                 "`breakdown` takes a value and, as `by = [...]`, the names to cut at",
                 "as in `breakdown(total, by = [W, sync])`");
    check_arguments_blindly(arguments);
    return unknown_type();
  }
  const TypeRef type = expressions_.require_numeric(*arguments[0].value, "`breakdown`");
  if (arguments.size() == 1) return list_of(type);
  auto* names = std::get_if<expr::List>(&arguments[1].value->node);
  if (!names) {
    reports_.add(DiagnosticKind::type_mismatch, arguments[1].value->location, "`by` takes a list of names",
                 "a list is expected here");
    return list_of(type);
  }
  for (const ExprPtr& one : names->elements) {
    expressions_.check(*one);
    const bool is_name =
        std::holds_alternative<expr::Name>(one->node) || std::holds_alternative<expr::Member>(one->node);
    if (is_name) continue;
    reports_.add(DiagnosticKind::type_mismatch, one->location, "`by` takes names of lets and parameters",
                 "a name is expected here");
  }
  arguments[1].value->type = list_of(unknown_type());
  return list_of(type);
}

// --- what follows from the order in which sweeps start, on grids of any number of axes; that is the number in the
// corners, which is known here if they are written out ---
namespace {

using Axes = std::vector<std::string>;

// How many axes the first corner has that is written out; 0 if none is.
std::size_t axes_of_corners(const Expr& e) {
  if (const auto* tuple = std::get_if<expr::SignTuple>(&e.node)) return tuple->rising.size();
  if (const auto* name = std::get_if<expr::Name>(&e.node))
    return std::holds_alternative<target::CornerName>(name->target) ? 2 : 0;
  const auto* list = std::get_if<expr::List>(&e.node);
  if (!list) return 0;
  for (const ExprPtr& corner : list->elements) {
    if (const std::size_t axes = axes_of_corners(*corner)) return axes;
  }
  return 0;
}

// The first grid with this number of axes (0 for any number) that has all of these among them.
const Axes* find_grid(const std::vector<Axes>& grids, std::size_t number, const Axes& named) {
  for (const Axes& axes : grids) {
    const auto has = [&](const std::string& name) { return std::find(axes.begin(), axes.end(), name) != axes.end(); };
    if ((number == 0 || axes.size() == number) && std::all_of(named.begin(), named.end(), has)) return &axes;
  }
  return nullptr;
}

}  // namespace

TypeRef Calls::check_order(Expr& order) {
  expressions_.expect(order, order_type());
  const std::size_t written = axes_of_corners(order);
  const auto grids = axes_of_grids(context_.owner);
  const bool fits = grids.empty() || find_grid(grids, written, {});
  if (written > 0) check_corner(order, fits ? written : grids.front().size());
  return int_type();
}

// Keeps the ordinal of each axis with its name, as that of a choice, and the axes of its grid as the type.
TypeRef Calls::check_diagonal_fills(Expr& e, std::vector<Argument>& arguments) {
  const bool named =
      std::any_of(arguments.begin(), arguments.end(), [](const Argument& one) { return one.name.has_value(); });
  if (arguments.size() < 2 || named) {
    reports_.add(DiagnosticKind::wrong_arguments, e.location, "`diagonal_fills` takes an order and axes, without names",
                 "as in `diagonal_fills(corners, i)`");
    return unknown_type();
  }
  Expr& order = *arguments.front().value;
  expressions_.expect(order, order_type());
  Axes wanted;
  for (std::size_t k = 1; k < arguments.size(); ++k) {
    const auto* name = std::get_if<expr::Name>(&arguments[k].value->node);
    if (name) wanted.push_back(name->text);
  }
  const auto grids = axes_of_grids(context_.owner);
  const std::size_t written = axes_of_corners(order);
  const Axes* grid = find_grid(grids, written, wanted);
  if (!grid) grid = find_grid(grids, 0, wanted);
  if (!grid && !grids.empty()) grid = &grids.front();
  const Axes by_place{"i", "j", "k"};  // outside of models
  check_corner(order, grid ? grid->size() : written);
  for (std::size_t k = 1; k < arguments.size(); ++k) check_axis_of_fills(*arguments[k].value, grid ? *grid : by_place);
  const std::set<std::string> different(wanted.begin(), wanted.end());
  if (different.size() < wanted.size()) {
    reports_.add(DiagnosticKind::wrong_arguments, e.location, "`diagonal_fills` takes each axis once",
                 "an axis is named twice");
  }
  return int_type();
}

void Calls::check_axis_of_fills(Expr& axis, const Axes& axes) {
  axis.type = make_type(types::Choice{axes});
  auto* name = std::get_if<expr::Name>(&axis.node);
  for (std::size_t k = 0; name && k < axes.size(); ++k) {
    if (axes[k] != name->text) continue;
    name->target = target::ChoiceWord{k};
    return;
  }
  std::string shown;
  for (const std::string& one : axes) shown += (shown.empty() ? "`" : ", `") + one + "`";
  reports_.add(DiagnosticKind::unknown_name, axis.location, "`diagonal_fills` takes axes of the grid", "not an axis")
      .help.push_back("its axes are " + shown);
}

void Calls::check_corner(const Expr& e, std::size_t axes) {
  if (const auto* list = std::get_if<expr::List>(&e.node)) {
    for (const ExprPtr& corner : list->elements) check_corner(*corner, axes);
    return;
  }
  const auto* name = std::get_if<expr::Name>(&e.node);
  const auto* tuple = std::get_if<expr::SignTuple>(&e.node);
  const bool named = name && std::holds_alternative<target::CornerName>(name->target);
  const std::size_t signs = named ? 2 : tuple ? tuple->rising.size() : axes;
  if (signs == axes) return;
  reports_.add(DiagnosticKind::wrong_corner, e.location,
               "a corner of " + counted(signs, "axis", "axes") + " on a grid of " + counted(axes, "axis", "axes"),
               "one sign for each axis is expected, as in `(+,-)`");
}

}  // namespace wave::frontend::check
