// Lists, ranges, comprehensions, reductions, tables and indices in brackets.
#include "frontend/ast/operators.h"
#include "frontend/check/declarations.h"
#include "frontend/check/expressions.h"
#include "frontend/check/names.h"
#include "frontend/check/program.h"

#include <algorithm>

namespace wave::frontend::check {
namespace {

bool is_integer(const Expr& e) {
  if (const auto* unary = std::get_if<expr::Unary>(&e.node)) return is_integer(*unary->operand);
  return std::holds_alternative<expr::Integer>(e.node);
}

// `i`, `i + 1`, `i - 2`, `1 + i`.
bool is_constant_offset(const Expr& e, const std::string& axis) {
  if (is_name(e, axis)) return true;
  const auto* binary = std::get_if<expr::Binary>(&e.node);
  if (!binary) return false;
  if (binary->op == BinaryOperator::add && is_integer(*binary->left) && is_name(*binary->right, axis)) return true;
  return (binary->op == BinaryOperator::add || binary->op == BinaryOperator::subtract) && is_integer(*binary->right) &&
         is_constant_offset(*binary->left, axis);
}

}  // namespace

TypeRef Collections::check_list(expr::List& list, const TypeRef& expected) {
  const TypeRef hint = element_of(expected);
  std::vector<Expr*> elements;
  bool corners = !list.elements.empty();
  for (ExprPtr& element : list.elements) {
    expressions_.check(*element, hint);
    elements.push_back(element.get());
    corners = corners && as<types::Corner>(element->type);
  }
  if (corners) return order_type();
  if (list.elements.empty()) return hint ? expected : list_of(unknown_type());
  const auto fits = [&](const Expr* element) { return hint && types_.fits(element->type, hint); };
  if (hint && !is_unknown(hint) && std::all_of(elements.begin(), elements.end(), fits)) {
    for (Expr* element : elements) expressions_.adopt(*element, hint);
    return list_of(hint);
  }
  const TypeRef type = expressions_.common(elements, "the elements of a list:");
  return list_of(is_zero(type) ? int_type() : type);
}

TypeRef Collections::check_range(Expr& e, expr::Range& range) {
  if (!range.first || !range.last) {
    if (range.first) expressions_.check(*range.first);
    if (range.last) expressions_.check(*range.last);
    reports_.add(DiagnosticKind::not_a_value, e.location, "a range without an end is no list",
                 "only the bounds of a parameter may be open");
    return unknown_type();
  }
  const TypeRef first = expressions_.require_numeric(*range.first, "a range");
  const TypeRef last = expressions_.require_numeric(*range.last, "a range");
  TypeRef step;
  if (range.step)
    step = range.geometric ? expressions_.expect(*range.step, int_type())
                           : expressions_.require_numeric(*range.step, "a step");
  if (is_unknown(first) || is_unknown(last)) return list_of(is_unknown(first) ? last : first);
  TypeRef type = types_.unify(first, last);
  if (!type) {
    types_.report_disagreement(*range.first, *range.last, "the ends of a range:");
    return list_of(unknown_type());
  }
  if (range.step && !range.geometric && !is_unknown(step)) {
    const TypeRef wider = types_.unify(type, step);
    if (!wider) {
      types_.report_disagreement(*range.last, *range.step, "the end of a range and its step:");
      return list_of(type);
    }
    type = wider;
  }
  type = without_zero(type);
  expressions_.adopt(*range.first, type);
  expressions_.adopt(*range.last, type);
  if (as<types::Int>(type) || range.step) return list_of(type);
  reports_
      .add(DiagnosticKind::type_mismatch, e.location, "a range of " + quoted(type) + " values needs a step",
           "which values are between?")
      .help.push_back("write `by` and a step, or `by *2`");
  return list_of(type);
}

TypeRef Collections::element_in(const Expr& list, const TypeRef& type, const std::string& who) {
  if (const TypeRef element = element_of(type)) return element;
  if (is_unknown(type)) return unknown_type();
  Diagnostic& d = reports_.add(DiagnosticKind::type_mismatch, list.location,
                               "`" + who + "` needs a list to go over, not " + quoted(type), "this is " + quoted(type));
  types_.explain(d, list);
  const bool is_word =
      std::holds_alternative<expr::Name>(list.node) || std::holds_alternative<expr::Integer>(list.node);
  if (as<types::Int>(type)) {
    d.help.push_back("write `1..n` for the whole numbers up to n");
    if (is_word) d.fixes.push_back({{list.location.file, list.location.begin, list.location.begin}, "1.."});
  }
  const auto* const table = as<types::Table>(type);
  if (table && element_of(table->value)) {
    const auto* const name = std::get_if<expr::Name>(&list.node);
    d.help.push_back(name ? "it has a list for each key: `" + name->text + "(r)` is that of the key r"
                          : "it has a list for each key: after `let h = table ...`, `h(r)` is that of the key r");
  }
  return unknown_type();
}

void Collections::open_binders(std::vector<Binder>& binders) {
  for (Binder& binder : binders) {
    TypeRef list;
    const bool follows_index = references_.follows_index([&] { list = expressions_.check(*binder.list); });
    const TypeRef element = element_in(*binder.list, list, binder.name.text);
    context_.locals.push_back({binder.name.text, element, binder.name.location, follows_index});
    if (binder.filter) expressions_.expect(*binder.filter, bool_type());
  }
}

TypeRef Collections::check_comprehension(expr::Comprehension& node, const TypeRef& expected) {
  LocalScope scope(context_);
  open_binders(node.binders);
  const TypeRef hint = element_of(expected);
  const TypeRef element = expressions_.check(*node.element, hint);
  if (hint && !is_unknown(hint) && types_.fits(element, hint)) {
    expressions_.adopt(*node.element, hint);
    return list_of(hint);
  }
  return list_of(without_zero(element));
}

TypeRef Collections::check_reduce(Expr& e, expr::Reduce& node, const TypeRef& expected) {
  LocalScope scope(context_);
  const std::string name = std::string("`") + name_of(node.op) + "`";
  open_binders(node.binders);
  switch (node.op) {
    case ReduceOperator::count:
      if (node.body) expressions_.expect(*node.body, bool_type());
      return int_type();
    case ReduceOperator::any:
    case ReduceOperator::all: expressions_.expect(*node.body, bool_type()); return bool_type();
    case ReduceOperator::sum:
    case ReduceOperator::max:
    case ReduceOperator::min: {
      const TypeRef type = expressions_.require_numeric(*node.body, name.c_str());
      if (is_zero(type) && as<types::Real>(expected)) {
        expressions_.adopt(*node.body, expected);
        return expected;
      }
      return without_zero(type);
    }
    case ReduceOperator::prod: {
      const TypeRef type = expressions_.require_numeric(*node.body, name.c_str());
      if (dimension_of(type).plain()) return without_zero(type);
      Diagnostic& d = reports_.add(DiagnosticKind::dimension_mismatch, node.body->location,
                                   "`prod` takes plain numbers, not " + quoted(type), "this is " + quoted(type));
      types_.explain(d, *node.body);
      return unknown_type();
    }
    case ReduceOperator::argmin:
    case ReduceOperator::argmax: break;
  }
  expressions_.require_numeric(*node.body, name.c_str());
  if (node.binders.size() == 1) return context_.locals.back().type;
  reports_.add(DiagnosticKind::wrong_arguments, e.location, name + " gives the value of its binder, so it has one",
               "here are several");
  return unknown_type();
}

TypeRef Collections::check_index(Expr& e, expr::Index& node) {
  const bool named =
      std::any_of(node.indices.begin(), node.indices.end(), [](const Argument& a) { return a.name.has_value(); });
  if (named && context_.in_study) return studies_.check_study_index(node);
  const TypeRef object = expressions_.check_indexed(*node.object);
  if (named) {
    reports_.add(DiagnosticKind::wrong_index, e.location, "an index has no name",
                 "names stand in brackets in studies only");
    for (Argument& index : node.indices) expressions_.check(*index.value);
    return unknown_type();
  }
  if (is_unknown(object)) {
    for (Argument& index : node.indices) expressions_.check(*index.value);
    return unknown_type();
  }
  if (const item::Output* series = series_of(*node.object)) return check_series_index(e, node, *series);
  if (const TypeRef element = element_of(object)) return check_indices(e.location, node.indices, 1, element, "a list");
  if (const auto* recurrence = as<types::Recurrence>(object)) {
    const TypeRef result =
        check_indices(e.location, node.indices, recurrence->axes, recurrence->value, "this recurrence");
    check_own_offsets(node);
    return result;
  }
  if (const auto* grid = as<types::Grid>(object)) {
    return check_indices(e.location, node.indices, grid->axes, make_type(types::Place{grid->axes}), "this grid");
  }
  if (reads_process(*node.object)) {
    const std::size_t axes = references_.process_axes(*node.object);
    return check_indices(e.location, node.indices, axes ? axes : node.indices.size(), object, "this process");
  }
  Diagnostic& d =
      reports_.add(DiagnosticKind::wrong_index, e.location, "a value of type " + quoted(object) + " has no elements",
                   "only lists, recurrences and grids are indexed");
  types_.explain(d, *node.object);
  if (as<types::Table>(object) || as<types::Function>(object))
    d.help.push_back("write `(...)`: it is called like a function");
  for (Argument& index : node.indices) expressions_.check(*index.value);
  return unknown_type();
}

const item::Output* Collections::series_of(const Expr& e) {
  if (!as<types::List>(e.type)) return nullptr;
  const Item* item = references_.callee_item(e);
  const auto* output = item ? std::get_if<item::Output>(&item->node) : nullptr;
  return output && !output->indices.empty() ? output : nullptr;
}

TypeRef Collections::check_series_index(Expr& e, expr::Index& node, const item::Output& series) {
  for (std::size_t i = 0; i < node.indices.size(); ++i) {
    const TypeRef list = i < series.indices.size() ? series.indices[i].list->type : nullptr;
    const TypeRef index = list ? element_of(list) : nullptr;
    if (index)
      expressions_.expect(*node.indices[i].value, index,
                          {series.indices[i].list->location, "its index is one of these"});
    else
      expressions_.check(*node.indices[i].value);
  }
  if (node.indices.size() != series.indices.size()) {
    reports_.add(DiagnosticKind::wrong_index, e.location,
                 "this series takes " + counted(series.indices.size(), "index", "indices") + ", not " +
                     std::to_string(node.indices.size()),
                 counted(node.indices.size(), "is", "are") + " given");
  }
  return series.value->type;
}

TypeRef Collections::check_indices(Location location, std::vector<Argument>& indices, std::size_t axes,
                                   const TypeRef& result, const std::string& what) {
  for (Argument& index : indices) expressions_.expect(*index.value, int_type(), {index.value->location, ""});
  if (indices.size() == axes) return result;
  reports_.add(DiagnosticKind::wrong_index, location,
               what + " takes " + counted(axes, "index", "indices") + ", not " + std::to_string(indices.size()),
               counted(indices.size(), "is", "are") + " given");
  return result;
}

// A recurrence refers to itself at constant offsets. That gives it an order of evaluation.
void Collections::check_own_offsets(expr::Index& node) {
  const auto* name = std::get_if<expr::Name>(&node.object->node);
  if (!name || !context_.recurrence || names_.look_up(name->text).item != context_.recurrence->item) return;
  const std::vector<std::string>& axes = context_.recurrence->axes;
  for (std::size_t k = 0; k < node.indices.size() && k < axes.size(); ++k) {
    const Expr& index = *node.indices[k].value;
    if (is_constant_offset(index, axes[k])) continue;
    reports_
        .add(DiagnosticKind::bad_offset, index.location,
             "a recurrence refers to itself at constant offsets, as in `" + axes[k] + " - 1`",
             "not `" + axes[k] + "` plus or minus a number")
        .labels.push_back({context_.recurrence->item->name.location, "inside the definition of `" + name->text + "`"});
  }
}

TypeRef Collections::check_table(Expr& e, expr::TableLiteral& table, const TypeRef& expected) {
  if (table.entries.empty()) {
    reports_.add(DiagnosticKind::type_mismatch, e.location, "a table without entries", "nothing to read from")
        .help.push_back("write `table { 1 KiB: 101 us, 64 KiB: 1969 us } linear`");
    return expected ? expected : unknown_type();
  }
  std::vector<Expr*> keys;
  std::vector<Expr*> values;
  for (auto& [key, value] : table.entries) {
    expressions_.require_numeric(*key, "a key of a table");
    expressions_.require_numeric(*value, "a table");
    keys.push_back(key.get());
    values.push_back(value.get());
  }
  if (table.otherwise) {
    expressions_.require_numeric(*table.otherwise, "a table");
    values.push_back(table.otherwise.get());
  }
  TypeRef key = expressions_.common(keys, "the keys of a table:");
  TypeRef value = expressions_.common(values, "the values of a table:");
  const auto* wanted = as<types::Table>(expected);
  if (is_zero(value) && wanted) {
    for (Expr* one : values) expressions_.adopt(*one, wanted->value);
    value = wanted->value;
  }
  // A table can be read at any real number between its entries.
  if (as<types::Int>(key)) key = real_type();
  if (as<types::Int>(value)) value = real_type();
  return make_type(types::Table{{key}, value});
}

}  // namespace wave::frontend::check
