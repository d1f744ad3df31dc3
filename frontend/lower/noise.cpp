// What a machine makes of the time of a `compute`: noise that lengthens it, or a processor of another speed. The
// function `computed(work, draw)` of the machine says it, where there is one.
#include "base/random.h"
#include "frontend/ast/walk.h"
#include "frontend/check/members.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/processes.h"
#include "ir/builder.h"
#include "ir/operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>

namespace wave::frontend::lowering {

using ir::ScalarType;
using ir::ValueId;

namespace {

constexpr const char* name_of_function = "computed";

bool mentions(const Expr& e, const std::string& text) {
  bool found = is_name(e, text);
  for_each_child(e, [&](const Expr& part) { found = found || mentions(part, text); });
  return found;
}

// The function of a machine; null: there is none, or it gives the time as it is.
const item::Function* function_of(const Instance& machine) {
  const Item* const found = find_member(*machine.declaration, name_of_function);
  const auto* const function = found ? std::get_if<item::Function>(&found->node) : nullptr;
  return function && function->body && !is_name(*function->body, function->parameters.front().name.text) ? function
                                                                                                         : nullptr;
}

bool takes_draw(const Instance& machine) {
  const item::Function* const function = function_of(machine);
  if (!function) return false;
  const std::string& draw = function->parameters.back().name.text;
  return mentions(*function->body, draw) ||
         std::ranges::any_of(function->lets, [&](const LocalLet& let) { return mentions(*let.value, draw); });
}

}  // namespace

bool ProcessLowering::has_noise(const Body& body) const {
  if (!body.kinds || body.is_kind_known) return takes_draw(*body.machine);
  return std::ranges::any_of(body.kinds->machines, [](const Instance* one) { return takes_draw(*one); });
}

ValueId ProcessLowering::computed(ValueId work, Location location, const Body& body) {
  // A machine without noise does not read its draw, which may be any number then.
  const ValueId drawn = has_noise(body) ? draw(body, location) : b_.real(0.5);
  const auto on = [&](Instance& machine) {
    if (!function_of(machine)) return work;
    const ValuePtr member = parts_.instances.member(machine, name_of_function, location, false);
    const auto& function = *as<value::Function>(member);
    const Scope scope{nullptr, function.self, function.declaration->module, process_.frame, nullptr};
    const ValuePtr time =
        parts_.functions.call_function(function, {{"", number(work)}, {"", number(drawn)}}, scope, location);
    return parts_.processes.not_negative(
        parts_.values.scalar_of(time, ScalarType::real, location), location, check::time_type(),
        fmt::format("what `{}.computed` makes of the time of `compute`", machine.declaration->name.text));
  };
  if (!body.kinds || body.is_kind_known) return on(*body.machine);
  const auto& machines = body.kinds->machines;
  if (std::ranges::none_of(machines, [](const Instance* one) { return function_of(*one) != nullptr; })) return work;
  const ValueId own = kind_at(*body.kinds, own_place(), location);
  ValueId time = on(*machines.back());
  for (std::size_t kind = machines.size() - 1; kind-- > 0;)
    time = b_.select(b_.equal(own, b_.integer(static_cast<std::int64_t>(kind))), on(*machines[kind]), time);
  return time;
}

// docs/processes.md, "Noise": the place of the statement, then the process, then the rounds of the loops around.
ValueId ProcessLowering::draw(const Body& body, Location location) {
  const auto random = [&](ValueId x) { return b_.unary(ir::UnaryOp::random_number, x); };
  const auto next = [&](ValueId before, ValueId by) { return random(b_.add(before, random(b_.to_real(by)))); };
  ValueId drawn = next(b_.real(body.place), rank(location));
  for (const ValueId round : body.rounds) drawn = next(drawn, round);
  return drawn;
}

double place_inside(double place, std::size_t number) {
  return random_of(place + random_of(static_cast<double>(number)));
}

void ProcessLowering::enter_round(const Iteration& iteration, std::size_t number, std::vector<ValueId>& rounds) {
  rounds.push_back(b_.integer(static_cast<std::int64_t>(number)));
  for (const ir::Level& level : iteration.levels) rounds.push_back(b_.index(level.binder));
}

}  // namespace wave::frontend::lowering
