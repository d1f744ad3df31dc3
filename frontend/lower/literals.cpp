// What was measured: numbers, values with their spread, and tables, written out or from the columns of a file.
#include "frontend/check/program.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/processes.h"
#include "frontend/parse/units.h"
#include "frontend/source/csv.h"
#include "ir/builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::frontend::lowering {

ir::ValueId Literals::literal(const expr::Number& node, Location location) {
  if (!literals_ || node.dimension.time == 0) return b_.real(node.value);
  ir::DefinitionId& definition = literal_at_[{location.file, location.begin}];
  if (!definition.valid()) {
    definition = b_.define(ir::System::root_frame, node.text, b_.real(node.value), location, true);
    literals_->push_back({node.text, location, node.dimension.time, definition, {}});
  }
  return b_.reference(definition);
}

void Literals::note_table_of_times(ir::TableId table, const TypeRef& values, Location location) {
  const auto* real = as<types::Real>(values);
  if (!literals_ || !real || real->dimension.time == 0) return;
  literals_->push_back({"table", location, real->dimension.time, {}, table});
}

// The draw belongs to the location in the text and not to where the value is used: a parameter of a machine that two
// parts of a model share was measured once.
ValuePtr Literals::uncertain(const expr::Uncertain& node, const Scope& scope, Location location) {
  if (!uncertain_) return number(expressions_.real(*node.mean, scope));
  const auto [known, is_new] = uncertain_at_.try_emplace({location.file, location.begin}, uncertain_->size());
  const std::string text(program_.sources.text(location));
  if (is_new) uncertain_->push_back({text, location, {}});
  if (!has_draws_) return number(expressions_.real(*node.mean, scope));
  ir::DefinitionId& draw = (*uncertain_)[known->second].draw;
  if (!draw.valid()) draw = b_.define(ir::System::root_frame, "draw of " + text, b_.real(0), location, true);
  const ir::ValueId mean = expressions_.real(*node.mean, scope);
  const ir::ValueId deviation =
      processes_.not_negative(expressions_.real(*node.deviation, scope), node.deviation->location, node.deviation->type,
                              "the deviation of `±`");
  return number(b_.add(mean, b_.multiply(deviation, b_.reference(draw))));
}

using ir::ValueId;

ir::Interpolation Literals::interpolation_of(const std::string& word) {
  if (word == "step") return ir::Interpolation::step;
  if (word == "log") return ir::Interpolation::logarithmic;
  return ir::Interpolation::linear;
}

void Literals::check_positive(const ir::Table& table, Location location) {
  if (table.interpolation != ir::Interpolation::logarithmic) return;
  const auto positive = [](double x) { return x > 0; };
  bool all = std::all_of(table.values.begin(), table.values.end(), positive);
  for (const auto& axis : table.keys) all &= std::all_of(axis.begin(), axis.end(), positive);
  if (all) return;
  sites_.abandon(DiagnosticKind::bad_table, location, "a `log` table needs keys and values above zero",
                 "one of them is zero or less", "use `linear` or `step`");
}

ValuePtr Literals::table(const expr::TableLiteral& node, const Scope& scope, Location location) {
  ir::Table table{"table", {{}}, {}, interpolation_of(node.interpolation), node.extend};
  {
    const ConstantLiterals constant(*this);
    read_entries(node, scope, table);
  }
  if (node.otherwise) set_otherwise(*node.otherwise, scope, table);
  check_positive(table, location);
  const ir::TableId id = b_.table(std::move(table));
  if (!node.entries.empty()) note_table_of_times(id, node.entries[0].second->type, location);
  return make(value::Table{id, 1});
}

// It has a value at its own keys, and this one at all others.
void Literals::set_otherwise(const Expr& otherwise, const Scope& scope, ir::Table& table) {
  const ConstantLiterals constant(*this);
  const auto value = b_.as_constant(expressions_.real(otherwise, scope));
  if (!value) {
    sites_.abandon(DiagnosticKind::bad_table, otherwise.location, "the values of a table are constants",
                   "this depends on a parameter, or fails", "use a function with `if` or `when` instead");
  }
  table.interpolation = ir::Interpolation::exact;
  table.otherwise = value->real;
}

void Literals::read_entries(const expr::TableLiteral& node, const Scope& scope, ir::Table& table) {
  for (const auto& [key_expr, value_expr] : node.entries) {
    const auto key = b_.as_constant(expressions_.real(*key_expr, scope));
    const auto value = b_.as_constant(expressions_.real(*value_expr, scope));
    if (!key || !value) {
      const Expr& unknown = key ? *value_expr : *key_expr;
      sites_.abandon(DiagnosticKind::bad_table, unknown.location, "the entries of a table are constants",
                     "this depends on a parameter, or fails", "use a function with `if` or `when` instead");
    }
    if (!table.keys[0].empty() && !(key->real > table.keys[0].back())) {
      sites_.abandon(DiagnosticKind::bad_table, key_expr->location, "the keys of a table rise",
                     "this one is not greater than the one before");
    }
    table.keys[0].push_back(key->real);
    table.values.push_back(value->real);
  }
}

}  // namespace wave::frontend::lowering
