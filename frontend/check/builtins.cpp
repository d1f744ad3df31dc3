// The functions of the language.
#include "frontend/check/calls.h"
#include "frontend/check/expressions.h"
#include "frontend/check/reports.h"
#include "frontend/check/types.h"

namespace wave::frontend::check {
namespace {

bool rounds(const std::string& name) { return name == "floor" || name == "ceil" || name == "round" || name == "int"; }
bool takes_plain_number(const std::string& name) {
  return name == "exp" || name == "ln" || name == "log2" || name == "log10";
}
bool takes_order(const std::string& name) { return name == "full_fills" || name == "sweeps"; }

std::size_t arity(const std::string& name) { return name == "same_node" ? 2 : 1; }

}  // namespace

TypeRef Calls::check_builtin(Expr& e, const std::string& name, std::vector<Argument>& arguments,
                             const TypeRef& expected) {
  if (name == "max" || name == "min") return check_extreme(e, arguments, name, expected);
  if (name == "breakdown") return check_breakdown(e, arguments);
  if (name == "sum" || name == "prod" || name == "any" || name == "all" || name == "argmin" || name == "argmax") {
    reports_
        .add(DiagnosticKind::wrong_arguments, e.place, "`" + name + "` goes over a list with a name for its elements",
             "no name is introduced here")
        .help.push_back("write `" + name + "(x in xs: x)`");
    check_arguments_blindly(arguments);
    return unknown_type();
  }
  if (name == "diagonal_fills") return check_diagonal_fills(e, arguments);
  bool named = false;
  for (const Argument& argument : arguments) named = named || argument.name;
  if (arguments.size() != arity(name) || named) {
    reports_.add(DiagnosticKind::wrong_arguments, e.place,
                 "`" + name + "` takes " + (arity(name) == 1 ? "one argument" : "two arguments") + " without names",
                 std::to_string(arguments.size()) + (arguments.size() == 1 ? " is" : " are") + " given");
    if (!takes_order(name)) check_arguments_blindly(arguments);
    return unknown_type();
  }
  Expr& first = *arguments.front().value;
  if (name == "error") {
    expressions_.expect(first, string_type());
    return expected ? expected : unknown_type();
  }
  if (takes_order(name)) return check_order(first);
  if (name == "same_node") {
    for (Argument& argument : arguments) check_place(*argument.value);
    return bool_type();
  }
  if (name == "count") {
    const TypeRef type = expressions_.check(first);
    if (!is_unknown(type) && !element_of(type)) {
      reports_.add(DiagnosticKind::type_mismatch, first.place, "`count` takes a list, not " + quoted(type),
                   "this is " + quoted(type));
    }
    return int_type();
  }
  const TypeRef type = expressions_.require_numeric(first, ("`" + name + "`").c_str());
  if (name == "abs") return without_zero(type);
  if (name == "sqrt") return check_square_root(e, first);
  if (!dimension_of(type).plain()) {
    Diagnostic& d = reports_.add(DiagnosticKind::dimension_mismatch, first.place,
                                 "`" + name + "` takes a plain number, not " + quoted(type), "this is " + quoted(type));
    types_.explain(d, first);
    d.help.push_back("divide by a unit first, as in `" + name +
                     (dimension_of(type).time ? "(t / 1 us)`" : "(s / 1 B)`"));
    return rounds(name) ? int_type() : real_type();
  }
  return takes_plain_number(name) ? real_type() : int_type();
}

TypeRef Calls::check_square_root(Expr&, Expr& argument) {
  const Dimension d = dimension_of(argument.type);
  if (d.time % 2 == 0 && d.data % 2 == 0 && d.work % 2 == 0) {
    return real_type({static_cast<std::int8_t>(d.time / 2), static_cast<std::int8_t>(d.data / 2),
                      static_cast<std::int8_t>(d.work / 2)});
  }
  Diagnostic& diagnostic =
      reports_.add(DiagnosticKind::bad_exponent, argument.place,
                   "the square root of " + quoted(argument.type) + " has no dimension", "its exponents are not even");
  types_.explain(diagnostic, argument);
  return unknown_type();
}

TypeRef Calls::check_extreme(Expr& e, std::vector<Argument>& arguments, const std::string& name,
                             const TypeRef& expected) {
  std::vector<Expr*> operands;
  for (Argument& argument : arguments) {
    if (argument.name) {
      reports_.add(DiagnosticKind::wrong_arguments, argument.name->place, "`" + name + "` takes values without names",
                   "a name");
    }
    const TypeRef type = expressions_.check(*argument.value, expected);
    if (element_of(type)) {
      reports_
          .add(DiagnosticKind::type_mismatch, argument.value->place,
               "`" + name + "` takes numbers and quantities, not a list", "this is " + quoted(type))
          .help.push_back("write `" + name + "(x in xs: x)` for the elements of a list");
      argument.value->type = unknown_type();
    } else if (!is_unknown(type) && !is_numeric(type)) {
      reports_.add(DiagnosticKind::type_mismatch, argument.value->place,
                   "`" + name + "` takes numbers and quantities, not " + quoted(type), "this is " + quoted(type));
      argument.value->type = unknown_type();
    }
    operands.push_back(argument.value.get());
  }
  if (operands.empty()) {
    reports_.add(DiagnosticKind::wrong_arguments, e.place, "`" + name + "` of nothing",
                 "at least one value is expected");
  }
  return expressions_.common(operands, ("the arguments of `" + name + "`:").c_str());
}

void Calls::check_place(Expr& e) {
  const TypeRef type = expressions_.check(e);
  if (is_unknown(type) || as<types::Place>(type)) return;
  reports_
      .add(DiagnosticKind::type_mismatch, e.place, "`same_node` compares two processes of a grid, not " + quoted(type),
           "this is " + quoted(type))
      .help.push_back("write `same_node(P[i-1, j], P[i, j])`");
}

// `breakdown(x)`, `breakdown(x, by = [W, sync])`: where the time of a value goes.
TypeRef Calls::check_breakdown(Expr& e, std::vector<Argument>& arguments) {
  const bool fits = !arguments.empty() && !arguments[0].name && arguments.size() <= 2 &&
                    (arguments.size() == 1 || (arguments[1].name && arguments[1].name->text == "by"));
  if (!fits) {
    reports_.add(DiagnosticKind::wrong_arguments, e.place,
                 "`breakdown` takes a value and, as `by = [...]`, the names to cut at",
                 "as in `breakdown(total, by = [W, sync])`");
    check_arguments_blindly(arguments);
    return unknown_type();
  }
  const TypeRef type = expressions_.require_numeric(*arguments[0].value, "`breakdown`");
  if (arguments.size() == 1) return list_of(type);
  auto* names = std::get_if<expr::List>(&arguments[1].value->node);
  if (!names) {
    reports_.add(DiagnosticKind::type_mismatch, arguments[1].value->place, "`by` takes a list of names",
                 "a list is expected here");
    return list_of(type);
  }
  for (const ExprPtr& one : names->elements) {
    expressions_.check(*one);
    const bool is_name =
        std::holds_alternative<expr::Name>(one->node) || std::holds_alternative<expr::Member>(one->node);
    if (is_name) continue;
    reports_.add(DiagnosticKind::type_mismatch, one->place, "`by` takes names of lets and parameters",
                 "a name is expected here");
  }
  arguments[1].value->type = list_of(unknown_type());
  return list_of(type);
}

}  // namespace wave::frontend::check
