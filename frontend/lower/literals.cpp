// Gives literals names of their own, to tell where time goes.
#include "frontend/lower/lowering.h"

namespace wave::frontend::lowering {

ir::ValueId Lowering::literal(const expr::Number& node, Place place) {
  if (!literals_ || node.dimension.time == 0) return b.real(node.value);
  ir::DefinitionId& definition = literal_at_[{place.file, place.begin}];
  if (!definition.valid()) {
    definition = b.define(ir::System::root_frame, node.text, b.real(node.value), place, true);
    literals_->push_back({node.text, place, node.dimension.time, definition, {}});
  }
  return b.reference(definition);
}

void Lowering::note_table_of_times(ir::TableId table, const TypeRef& values, Place place) {
  const auto* real = values ? std::get_if<types::Real>(&values->kind) : nullptr;
  if (!literals_ || !real || real->dimension.time == 0) return;
  literals_->push_back({"table", place, real->dimension.time, {}, table});
}

}  // namespace wave::frontend::lowering
