// What a message costs: which protocol it takes, whose ends are run against each other (language.md, section 4).
#include "frontend/check/type_tools.h"
#include "frontend/lower/exchange.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/functions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/messages.h"
#include "frontend/lower/sites.h"
#include "frontend/lower/values.h"
#include "ir/builder.h"

#include <fmt/format.h>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ValueId;

std::vector<const Item*> Messages::protocols_of(const Item& machine) const {
  const auto& node = std::get<item::Machine>(machine.node);
  std::vector<const Item*> own;
  for (const auto& member : node.members) {
    if (std::holds_alternative<item::Protocol>(member->node)) own.push_back(member.get());
  }
  std::vector<const Item*> inherited;
  if (node.base_item) inherited = protocols_of(*node.base_item);
  // One that replaces another stands in its place; one that is added is tried before the inherited ones.
  std::vector<const Item*> all;
  for (const Item* protocol : own) {
    bool replaces = false;
    for (const Item*& old : inherited) {
      if (old->name.text != protocol->name.text) continue;
      old = protocol;
      replaces = true;
    }
    if (!replaces) all.push_back(protocol);
  }
  all.insert(all.end(), inherited.begin(), inherited.end());
  return all;
}

Scope Messages::protocol_scope(Instance& machine, const Item& protocol, const Symbolic& size, ValueId local,
                               ir::FrameId frame, Place place) {
  const auto& parameters = std::get<item::Protocol>(protocol.node).parameters;
  Scope scope = instances_.scope_of(machine);
  scope.module = protocol.module;
  scope.frame = frame;
  scope = bind_local(scope, "local", make(value::Scalar{local}));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (i == 0) {
      scope =
          bind_local(scope, parameters[i].name.text, values_.convert(size, written_number(parameters[i].type.get())));
    } else if (parameters[i].default_value) {
      scope = bind_local(scope, parameters[i].name.text, expressions_.evaluate(*parameters[i].default_value, scope));
    } else {
      sites_.abandon(DiagnosticKind::not_expressible, place,
                     fmt::format("protocol `{}` needs more than the size of a message", protocol.name.text));
    }
  }
  return scope;
}

Symbolic Messages::run_ends(const Item& protocol, const Scope& scope, const std::string& end) {
  const ValueId now = b_.real(0);
  const Moment long_ago;
  Exchange exchange(parts_, std::get<item::Protocol>(protocol.node), scope, end == "recv" ? long_ago : now,
                    end == "send" ? long_ago : now, protocol.place);
  const Moment result = end == "send"   ? exchange.cost_of_sender()
                        : end == "recv" ? exchange.cost_of_receiver()
                                        : exchange.finish_of_receiver();
  return make(value::Scalar{result.value_or(now)});
}

Symbolic Messages::call_derived(const value::Derived& derived, const std::vector<Named>& arguments, const Scope&,
                                Place place) {
  Symbolic size;
  Symbolic local = make(value::Scalar{b_.boolean(false)});
  std::size_t position = 0;
  for (const Named& argument : arguments) {
    const bool is_local = argument.first == "local" || (argument.first.empty() && position == 1);
    if (argument.first.empty()) ++position;
    (is_local ? local : size) = argument.second;
  }
  if (!size) sites_.abandon(DiagnosticKind::not_expressible, place, "the size of the message is not given");
  Instance& machine = *derived.machine;
  const auto protocols = protocols_of(*machine.declaration);
  if (protocols.empty()) {
    sites_.abandon(
        DiagnosticKind::not_expressible, place,
        fmt::format("`{}` has no protocol, so `{}` has no cost", machine.declaration->name.text, derived.end));
  }
  const auto real = std::make_shared<Type>(Type{types::Real{}});
  size = values_.convert(size, real);
  const auto body = [&](const std::vector<Symbolic>& inside, ir::FrameId frame) {
    const ValueId is_local = values_.scalar_of(inside[1], place);
    std::vector<std::pair<ValueId, Symbolic>> cases;
    Symbolic result =
        values_.failure(FailureKind::error_called, machine.declaration->name.place, "no protocol applies");
    for (const Item* protocol : protocols) {
      const Scope scope = protocol_scope(machine, *protocol, inside[0], is_local, frame, place);
      const auto& node = std::get<item::Protocol>(protocol->node);
      const Symbolic cost = run_ends(*protocol, scope, derived.end);
      if (!node.condition) {
        result = cost;
        break;
      }
      cases.emplace_back(expressions_.scalar(*node.condition, scope), cost);
    }
    for (auto one = cases.rbegin(); one != cases.rend(); ++one)
      result = values_.select(one->first, one->second, result);
    return result;
  };
  const auto inline_it = [&] { return body({size, local}, machine.frame); };
  const ir::SiteId negative = sites_.site(FailureKind::negative_quantity, place);
  sites_.note_types(negative, {check::data_type(), check::data_type()});
  const Symbolic cost = values_.distribute(size, [&](const Symbolic& given) {
    const ValueId checked = values_.scalar_of(given, place);
    const Symbolic bytes = make(value::Scalar{b_.check(b_.less_equal(b_.real(0), checked), checked, negative)});
    return functions_.call_framed(machine.title + derived.end,
                                  fmt::format("derived.{}.{}", derived.end, fmt::ptr(&machine)), machine.frame,
                                  {"s", "local"}, {bytes, local}, real, body, inline_it, place);
  });
  return derived.guarded ? instances_.guard(cost, machine) : cost;
}

ValueId Messages::protocol_name(Instance& machine, const Symbolic& size, ValueId local, Place place) {
  std::vector<std::pair<ValueId, ValueId>> cases;
  ValueId result = b_.integer(sites_.word("none"));
  for (const Item* protocol : protocols_of(*machine.declaration)) {
    const Scope scope = protocol_scope(machine, *protocol, size, local, machine.frame, place);
    const auto& node = std::get<item::Protocol>(protocol->node);
    const ValueId name = b_.integer(sites_.word(protocol->name.text));
    if (!node.condition) {
      result = name;
      break;
    }
    cases.emplace_back(expressions_.scalar(*node.condition, scope), name);
  }
  for (auto one = cases.rbegin(); one != cases.rend(); ++one) result = b_.select(one->first, one->second, result);
  return result;
}

}  // namespace wave::frontend::lowering
