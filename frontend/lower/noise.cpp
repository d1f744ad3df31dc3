// What a machine makes of the time of a `compute`: noise that lengthens it, or a processor of another speed. The
// function `computed(work, draw)` of the machine says it, where there is one.
#include "base/random.h"
#include "frontend/check/members.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/processes.h"
#include "ir/builder.h"

#include <algorithm>

namespace wave::frontend::lowering {

using ir::ScalarType;
using ir::ValueId;

namespace {

constexpr const char* name_of_function = "computed";

// The default of an interface gives the time as it is.
bool changes_times(const Instance& machine) {
  const Item* const found = find_member(*machine.declaration, name_of_function);
  return found && found->owner && check::is_machine(*found->owner) &&
         std::holds_alternative<item::Function>(found->node);
}

}  // namespace

bool ProcessLowering::has_noise(const Body& body) const {
  if (!body.kinds || body.is_kind_known) return changes_times(*body.machine);
  return std::ranges::any_of(body.kinds->machines, [](const Instance* one) { return changes_times(*one); });
}

ValueId ProcessLowering::computed(ValueId work, Location location, const Body& body) {
  if (!has_noise(body)) return work;
  const ValueId drawn = draw(body, location);
  const auto on = [&](Instance& machine) {
    if (!changes_times(machine)) return work;
    const ValuePtr member = parts_.instances.member(machine, name_of_function, location, false);
    const auto& function = *as<value::Function>(member);
    const Scope scope{nullptr, function.self, function.declaration->module, process_.frame, nullptr};
    const ValuePtr time =
        parts_.functions.call_function(function, {{"", number(work)}, {"", number(drawn)}}, scope, location);
    return parts_.processes.not_negative(parts_.values.scalar_of(time, ScalarType::real, location), location,
                                         check::time_type(), "what `computed` makes of it");
  };
  if (!body.kinds || body.is_kind_known) return on(*body.machine);
  const auto& machines = body.kinds->machines;
  const ValueId own = kind_at(*body.kinds, own_place(), location);
  ValueId time = on(*machines.back());
  for (std::size_t kind = machines.size() - 1; kind-- > 0;)
    time = b_.select(b_.equal(own, b_.integer(static_cast<std::int64_t>(kind))), on(*machines[kind]), time);
  return time;
}

// docs/processes.md, "Noise": the place of the statement, then the process, then the rounds of the loops around.
ValueId ProcessLowering::draw(const Body& body, Location location) {
  const auto next = [&](ValueId before, ValueId by) {
    if (b_.type(by) == ScalarType::integer) by = b_.to_real(by);
    return b_.unary(ir::UnaryOp::random_number, b_.add(before, by));
  };
  ValueId drawn = next(b_.real(body.place), rank(location));
  for (const ValueId round : body.rounds) drawn = next(drawn, round);
  return drawn;
}

double place_of_statement(double block, std::size_t number) { return random_of(block + static_cast<double>(number)); }
double place_of_else(double statement) { return random_of(statement - 1); }

void ProcessLowering::enter_round(const Iteration& iteration, std::size_t number, Body& body) {
  const auto* const element = as<value::Scalar>(iteration.element);
  if (element && b_.type(element->id) != ScalarType::boolean) return body.rounds.push_back(element->id);
  body.rounds.push_back(b_.integer(static_cast<std::int64_t>(number)));
  for (const ir::Level& level : iteration.levels) body.rounds.push_back(b_.index(level.binder));
}

}  // namespace wave::frontend::lowering
