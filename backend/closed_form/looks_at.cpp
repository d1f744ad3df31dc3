// Down to what is bound in the scalar itself.
#include "backend/closed_form/looks_at.h"

#include "backend/closed_form/thresholds.h"
#include "ir/visit.h"

#include <algorithm>

namespace wave::backend::closed_form {

using ir::ValueId;

const std::vector<ir::BinderId>* LooksAt::binders(ValueId value) {
  if (const auto known = known_.find(value); known != known_.end()) return known->second ? &*known->second : nullptr;
  const ir::Node& node = system_[value].node;
  bool is_covered = !std::holds_alternative<ir::Read>(node) && !std::holds_alternative<ir::Neighbour>(node) &&
                    !std::holds_alternative<ir::Measure>(node) && depth_ < deepest_look;
  ++depth_;
  std::vector<ir::BinderId> found;
  if (const auto* index = std::get_if<ir::Index>(&node)) found.push_back(index->binder);
  ir::for_each_operand(node, [&](ValueId operand) {
    const std::vector<ir::BinderId>* const more = is_covered ? binders(operand) : nullptr;
    is_covered = more != nullptr;
    if (more) found.insert(found.end(), more->begin(), more->end());
  });
  if (const auto* reduce = std::get_if<ir::Reduce>(&node)) {
    std::erase_if(found, [&](ir::BinderId binder) {
      return std::any_of(reduce->levels.begin(), reduce->levels.end(),
                         [&](const ir::Level& level) { return level.binder == binder; });
    });
  }
  --depth_;
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  auto& kept = known_[value];
  if (is_covered) kept = std::move(found);
  return kept ? &*kept : nullptr;
}

}  // namespace wave::backend::closed_form
