// What a message costs: which protocol it takes, whose ends are run against each other (language.md, section 4).
#include "frontend/check/type_tools.h"
#include "frontend/lower/exchange.h"
#include "frontend/lower/lowering.h"
#include "frontend/lower/written_type.h"

#include <fmt/format.h>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ValueId;

std::vector<const Item*> Lowering::protocols_of(const Item& machine) const {
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

Scope Lowering::protocol_scope(Instance& machine, const Item& protocol, const Symbolic& size, ValueId local,
                               ir::FrameId frame, Place place) {
  const auto& parameters = std::get<item::Protocol>(protocol.node).parameters;
  Scope scope = scope_of(machine);
  scope.module = protocol.module;
  scope.frame = frame;
  scope = bind(scope, "local", make(value::Scalar{local}));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (i == 0) {
      scope = bind(scope, parameters[i].name.text, convert(size, written_number(parameters[i].type.get())));
    } else if (parameters[i].default_value) {
      scope = bind(scope, parameters[i].name.text, evaluate(*parameters[i].default_value, scope));
    } else {
      abandon(DiagnosticKind::not_expressible, place,
              fmt::format("protocol `{}` needs more than the size of a message", protocol.name.text));
    }
  }
  return scope;
}

Symbolic Lowering::run_ends(const Item& protocol, const Scope& scope, const std::string& end) {
  const ValueId now = b.real(0);
  const Moment long_ago;
  Exchange exchange(*this, std::get<item::Protocol>(protocol.node), scope, end == "recv" ? long_ago : now,
                    end == "send" ? long_ago : now, protocol.place);
  const Moment result = end == "send"   ? exchange.cost_of_sender()
                        : end == "recv" ? exchange.cost_of_receiver()
                                        : exchange.finish_of_receiver();
  return make(value::Scalar{result.value_or(now)});
}

Symbolic Lowering::call_derived(const value::Derived& derived, const std::vector<Named>& arguments, const Scope&,
                                Place place) {
  Symbolic size;
  Symbolic local = make(value::Scalar{b.boolean(false)});
  std::size_t position = 0;
  for (const Named& argument : arguments) {
    const bool is_local = argument.first == "local" || (argument.first.empty() && position == 1);
    if (argument.first.empty()) ++position;
    (is_local ? local : size) = argument.second;
  }
  if (!size) abandon(DiagnosticKind::not_expressible, place, "the size of the message is not given");
  Instance& machine = *derived.machine;
  const auto protocols = protocols_of(*machine.declaration);
  if (protocols.empty()) {
    abandon(DiagnosticKind::not_expressible, place,
            fmt::format("`{}` has no protocol, so `{}` has no cost", machine.declaration->name.text, derived.end));
  }
  const auto real = std::make_shared<Type>(Type{types::Real{}});
  size = convert(size, real);
  const auto body = [&](const std::vector<Symbolic>& inside, ir::FrameId frame) {
    const ValueId is_local = scalar_of(inside[1], place);
    std::vector<std::pair<ValueId, Symbolic>> cases;
    Symbolic result = failure(FailureKind::error_called, machine.declaration->name.place, "no protocol applies");
    for (const Item* protocol : protocols) {
      const Scope scope = protocol_scope(machine, *protocol, inside[0], is_local, frame, place);
      const auto& node = std::get<item::Protocol>(protocol->node);
      const Symbolic cost = run_ends(*protocol, scope, derived.end);
      if (!node.condition) {
        result = cost;
        break;
      }
      cases.emplace_back(scalar(*node.condition, scope), cost);
    }
    for (auto one = cases.rbegin(); one != cases.rend(); ++one) result = select(one->first, one->second, result);
    return result;
  };
  const auto inline_it = [&] { return body({size, local}, machine.frame); };
  const ir::SiteId negative = site(FailureKind::negative_quantity, place);
  notes_[negative.index].operands = {check::data_type(), check::data_type()};
  const Symbolic cost = distribute(size, [&](const Symbolic& given) {
    const ValueId checked = scalar_of(given, place);
    const Symbolic bytes = make(value::Scalar{b.check(b.less_equal(b.real(0), checked), checked, negative)});
    return call_framed(machine.title + derived.end, fmt::format("derived.{}.{}", derived.end, fmt::ptr(&machine)),
                       machine.frame, {"s", "local"}, {bytes, local}, real, body, inline_it, place);
  });
  return derived.guarded ? guard(cost, machine) : cost;
}

ValueId Lowering::protocol_name(Instance& machine, const Symbolic& size, ValueId local, Place place) {
  std::vector<std::pair<ValueId, ValueId>> cases;
  ValueId result = b.integer(word("none"));
  for (const Item* protocol : protocols_of(*machine.declaration)) {
    const Scope scope = protocol_scope(machine, *protocol, size, local, machine.frame, place);
    const auto& node = std::get<item::Protocol>(protocol->node);
    const ValueId name = b.integer(word(protocol->name.text));
    if (!node.condition) {
      result = name;
      break;
    }
    cases.emplace_back(scalar(*node.condition, scope), name);
  }
  for (auto one = cases.rbegin(); one != cases.rend(); ++one) result = b.select(one->first, one->second, result);
  return result;
}

}  // namespace wave::frontend::lowering
