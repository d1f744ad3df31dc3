// By the free binders of the weights.
#include "ir/costs.h"

#include "ir/dependences.h"
#include "ir/visit.h"

#include <algorithm>

namespace wave::ir {

CostClass cost_class(const System& system, EventId id) {
  const Event& event = system[id];
  if (event.general()) return CostClass::body;
  const FreeBinders binders(system);
  std::size_t most = 0;
  for_each_value(event, [&](ValueId value) { most = std::max(most, binders.of(value).size()); });
  return most == 0 ? CostClass::uniform : most == 1 ? CostClass::per_axis : CostClass::general;
}

}  // namespace wave::ir
