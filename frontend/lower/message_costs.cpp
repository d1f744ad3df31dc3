// See message_costs.h.
#include "frontend/lower/message_costs.h"

#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/levels.h"
#include "frontend/lower/processes.h"
#include "ir/builder.h"

#include <algorithm>

namespace wave::frontend::lowering {

using ir::ValueId;

namespace {

// `otherwise`: of what has no parameters to look at.
bool takes(const ValuePtr& function, const char* name, bool otherwise) {
  if (as<value::Derived>(function)) return true;
  const auto* node = as<value::Function>(function);
  const auto* declared = node ? std::get_if<item::Function>(&node->declaration->node) : nullptr;
  if (!declared) return otherwise;
  return std::any_of(declared->parameters.begin(), declared->parameters.end(),
                     [&](const Parameter& parameter) { return parameter.name.text == name; });
}

}  // namespace

MessageCosts::MessageCosts(const Parts& parts, Instance& machine, const CostOf& of)
    : parts_(parts), machine_(machine), of_(of), within_(parts.levels.word(of.within)) {}

std::vector<ColumnInfo> MessageCosts::columns() {
  const TypeRef data = check::data_type();
  const TypeRef time = check::time_type();
  return {{"size", data, {}},
          {"send", time, {}},
          {"receive", time, {}},
          {"total", time, {}},
          {"protocol", check::string_type(), {}}};
}

std::vector<ValueId> MessageCosts::row(const ValuePtr& size, Location location) {
  std::vector<ValueId> cells{parts_.values.scalar_of(size, ir::ScalarType::real, location)};
  for (const char* end : {"send", "recv", "total"}) cells.push_back(cost(end, size, location));
  cells.push_back(parts_.messages.protocol_name(machine_, size, within_, location));
  return cells;
}

ValueId MessageCosts::cost(const std::string& end, const ValuePtr& size, Location location) {
  const ValuePtr function = parts_.instances.member(machine_, end, location, false);
  std::vector<Named> arguments{{"", size}};
  if (takes(function, "within", of_.within != "none")) arguments.emplace_back("within", number(within_));
  if (of_.sharing != 1 && end != "recv" && takes(function, "sharing", true))
    arguments.emplace_back("sharing", number(parts_.b.integer(of_.sharing)));
  return parts_.values.scalar_of(parts_.calls.apply(function, arguments, parts_.instances.scope_of(machine_), location),
                                 ir::ScalarType::real, location);
}

}  // namespace wave::frontend::lowering
