// Values that are written with their spread: `23 us ± 1 us`.
#include "frontend/lower/lowering.h"

namespace wave::frontend::lowering {

// The draw belongs to the place in the text, not to where the value is used: a parameter of a machine that two parts of
// a model share is one measurement.
Symbolic Lowering::uncertain(const expr::Uncertain& node, const Scope& scope, Place place) {
  if (!uncertain_) return evaluate(*node.mean, scope);
  const auto [known, is_new] = uncertain_at_.try_emplace({place.file, place.begin}, uncertain_->size());
  const std::string text(program.sources.text(place));
  if (is_new) uncertain_->push_back({text, place, {}});
  if (!has_draws_) return evaluate(*node.mean, scope);
  ir::DefinitionId& draw = (*uncertain_)[known->second].draw;
  if (!draw.valid()) draw = b.define(ir::System::root_frame, "draw of " + text, b.real(0), place, true);
  const ir::ValueId mean = b.to_real(scalar(*node.mean, scope));
  const ir::ValueId deviation =
      not_negative(scalar(*node.deviation, scope), node.deviation->place, node.deviation->type, "the deviation of `±`");
  return make(value::Scalar{b.add(mean, b.multiply(deviation, b.reference(draw)))});
}

}  // namespace wave::frontend::lowering
