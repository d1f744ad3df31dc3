// See literals.h: numbers.
#include "frontend/lower/literals.h"

#include "frontend/check/program.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/processes.h"
#include "ir/builder.h"

namespace wave::frontend::lowering {

ir::ValueId Literals::literal(const expr::Number& node, Place place) {
  if (!literals_ || node.dimension.time == 0) return b_.real(node.value);
  ir::DefinitionId& definition = literal_at_[{place.file, place.begin}];
  if (!definition.valid()) {
    definition = b_.define(ir::System::root_frame, node.text, b_.real(node.value), place, true);
    literals_->push_back({node.text, place, node.dimension.time, definition, {}});
  }
  return b_.reference(definition);
}

void Literals::note_table_of_times(ir::TableId table, const TypeRef& values, Place place) {
  const auto* real = values ? std::get_if<types::Real>(&values->kind) : nullptr;
  if (!literals_ || !real || real->dimension.time == 0) return;
  literals_->push_back({"table", place, real->dimension.time, {}, table});
}

// The draw belongs to the place in the text, not to where the value is used: a parameter of a machine that two parts of
// a model share is one measurement.
Symbolic Literals::uncertain(const expr::Uncertain& node, const Scope& scope, Place place) {
  if (!uncertain_) return expressions_.evaluate(*node.mean, scope);
  const auto [known, is_new] = uncertain_at_.try_emplace({place.file, place.begin}, uncertain_->size());
  const std::string text(program_.sources.text(place));
  if (is_new) uncertain_->push_back({text, place, {}});
  if (!has_draws_) return expressions_.evaluate(*node.mean, scope);
  ir::DefinitionId& draw = (*uncertain_)[known->second].draw;
  if (!draw.valid()) draw = b_.define(ir::System::root_frame, "draw of " + text, b_.real(0), place, true);
  const ir::ValueId mean = b_.to_real(expressions_.scalar(*node.mean, scope));
  const ir::ValueId deviation = processes_.not_negative(
      expressions_.scalar(*node.deviation, scope), node.deviation->place, node.deviation->type, "the deviation of `±`");
  return make(value::Scalar{b_.add(mean, b_.multiply(deviation, b_.reference(draw)))});
}

}  // namespace wave::frontend::lowering
