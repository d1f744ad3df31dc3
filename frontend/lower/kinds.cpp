// Machines by place: `using if i <= 4 then fast else slow`. A message takes the protocol of its sender's machine, and
// its receiver the steps that its own machine has under the same name.
#include "frontend/ast/walk.h"
#include "frontend/check/members.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/levels.h"
#include "frontend/lower/processes.h"
#include "ir/builder.h"
#include "ir/operations.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ValueId;

namespace {

constexpr std::size_t most_kinds = 16;  // a message has as many protocols as there are pairs

const std::string& name_of(const Instance& machine) { return machine.declaration->name.text; }

// The signals that a block of a protocol emits, in alphabetical order.
std::set<std::string> emitted(const Block& block) {
  std::set<std::string> signals;
  for (const auto& statement : block) {
    if (const auto* emit = std::get_if<statement::Emit>(&statement->node)) signals.insert(emit->signal.text);
    for_each_block(*statement, [&](const Block& inner) { signals.merge(emitted(inner)); });
  }
  return signals;
}

bool have_same_signals(const Item& one, const Item& other) {
  const auto& a = std::get<item::Protocol>(one.node);
  const auto& b = std::get<item::Protocol>(other.node);
  return emitted(a.sender) == emitted(b.sender) && emitted(a.receiver) == emitted(b.receiver);
}

// Null if there is none.
const Item* protocol_named(const Item& machine, const std::string& name) {
  const auto all = check::protocols_of(machine);
  const auto found = std::ranges::find_if(all, [&](const Item* one) { return one->name.text == name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace

ir::EndsId Messages::message_ends(const std::vector<Instance*>& kinds, Location location) {
  std::vector<Kind> all;
  for (Instance* const machine : kinds) all.emplace_back(machine, machine->declaration);
  return message_ends(all, location);
}

// The protocol in whose words the receiver takes such a message in; null if it has none.
const Item* Messages::received_as(const Item& protocol, const PairOfKinds& pair) const {
  if (pair.sender == pair.receiver) return &protocol;
  const Item* const found = protocol_named(*pair.receiver.second, protocol.name.text);
  return found && have_same_signals(protocol, *found) ? found : nullptr;
}

// Fails where such a message would be sent.
ValueId Messages::refused(const Item& protocol, const PairOfKinds& pair) {
  const std::string& name = protocol.name.text;
  const Item* const other = protocol_named(*pair.receiver.second, name);
  const std::string& receiver = name_of(*pair.receiver.first);
  const ir::SiteId site = sites_.requirement(
      protocol.name.location,
      fmt::format("a message from `{}` to `{}` takes the protocol `{}`, which `{}` {}", name_of(*pair.sender.first),
                  receiver, name, receiver, other ? "has with other signals" : "does not have"),
      "machines that exchange messages have protocols of the same names, whose ends emit the same signals");
  SiteNote::OwnPage page{DiagnosticKind::machines_differ, "the sender's", {}};
  if (other) page.labels.emplace_back(other->name.location, "the receiver's");
  sites_.note(site).page = std::move(page);
  return b_.check(b_.boolean(false), b_.boolean(true), site);
}

void Messages::require_same_levels(const Instance& one, const Instance& other, Location location) {
  if (check::levels_of(*one.declaration) == check::levels_of(*other.declaration)) return;
  sites_.abandon(DiagnosticKind::machines_differ, location,
                 fmt::format("`{}` and `{}` do not know the same levels", name_of(one), name_of(other)),
                 "machines whose processes exchange messages",
                 "what two processes share is the same for both: declare the same `levels` in both");
}

ValuePtr Messages::cost_between(const value::Derived& derived, const std::vector<ValuePtr>& asked, Location location) {
  const auto kind_of = [&](const ValuePtr& end) -> Kind {
    if (!end) return {derived.machine, derived.declaration};
    const auto* const object = as<value::Object>(end);
    if (!object) {
      sites_.abandon(DiagnosticKind::not_expressible, location, "a machine that is known before the run is needed here",
                     "an end of this message");
    }
    return {object->instance, object->instance->declaration};
  };
  const auto each = [&](const ValuePtr& end, const std::function<ValuePtr(const ValuePtr&)>& use) {
    return end ? values_.distribute(end, use) : use(nullptr);
  };
  const ValuePtr pairs = asked[2] ? asked[2] : number(b_.integer(1));
  return each(asked[3], [&](const ValuePtr& from) {
    return each(asked[4], [&](const ValuePtr& to) {
      const std::pair<Kind, Kind> kinds{kind_of(from), kind_of(to)};
      require_same_levels(*kinds.first.first, *kinds.second.first, location);
      return call_pairs(derived, kinds, asked[0], asked[1], pairs, location);
    });
  });
}

// The machines that a choice by place may come to. At some places it may fail, as a list without such an element does.
void ProcessLowering::find_kinds(const ValuePtr& machine, Kinds& kinds) const {
  const Location location = kinds.choice->location;
  if (as<value::Failure>(machine)) return;
  if (const auto* choice = as<value::Select>(machine)) {
    find_kinds(choice->if_true, kinds);
    find_kinds(choice->if_false, kinds);
    return;
  }
  const auto* object = as<value::Object>(machine);
  if (!object) {
    parts_.sites.abandon(DiagnosticKind::not_expressible, location,
                         "a machine that is known before the run is needed here",
                         as<value::Lifted>(machine) ? "a parameter of it depends on the place" : "",
                         "choose between machines: `if i == 1 then fast else slow`");
  }
  Instance* const found = object->instance;
  if (std::ranges::find(kinds.machines, found) != kinds.machines.end()) return;
  if (kinds.machines.size() == most_kinds) {
    parts_.sites.abandon(DiagnosticKind::structure_too_large, location, "too many machines to choose between",
                         fmt::format("more than {}", most_kinds));
  }
  kinds.machines.push_back(found);
  parts_.messages.require_same_levels(*kinds.machines.front(), *found, location);
}

// The number of the machine at a place of the grid.
ValueId ProcessLowering::kind_at(const Kinds& kinds, const value::Point& place, Location location) {
  Scope scope = kinds.scope;
  scope.frame = process_.frame;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis)
    scope = bind_local(scope, axes_[axis].name, number(parts_.levels.on_grid(place, axis, location)));
  const ValuePtr kind =
      parts_.values.for_each_choice(parts_.expressions.evaluate(*kinds.choice, scope), [&](const ValuePtr& one) {
        if (const auto* failure = as<value::Failure>(one))
          return number(b_.fail(failure->site, ir::ScalarType::integer));
        const auto* object = as<value::Object>(one);
        const auto found = std::ranges::find(kinds.machines, object ? object->instance : nullptr);
        // Machines that only another value of a parameter would choose do not come here.
        return number(b_.integer(found == kinds.machines.end() ? 0 : found - kinds.machines.begin()));
      });
  return parts_.values.scalar_of(kind, ir::ScalarType::integer, location);
}

void ProcessLowering::set_kinds(ir::Message& message, const Kinds& kinds, Location location) {
  const ir::SiteId overflow = parts_.sites.site(FailureKind::integer_overflow, location);
  ValueId sender = kind_at(kinds, own_place(), location);
  ValueId receiver =
      kind_at(kinds, {grid_->declaration, grid_->self, coordinates_of(message.peer, location)}, location);
  if (message.side == ir::Message::Side::receive) std::swap(sender, receiver);
  const ValueId count = b_.integer(static_cast<std::int64_t>(kinds.machines.size()));
  const ValueId pair = b_.add(b_.multiply(sender, count, overflow), receiver, overflow);
  message.within =
      b_.add(message.within, b_.multiply(pair, b_.integer(ir::MessageEnds::most_levels), overflow), overflow);
}

// An algorithm is run on each process's own machine, and a cost is the largest that one of the machines gives.
void ProcessLowering::collective_of_kinds(const Statement& s, const statement::Call& node, const std::string& name,
                                          const Body& body, ir::Block& into) {
  std::vector<value::Function> callees;
  for (Instance* const machine : body.kinds->machines) {
    const ValuePtr callee = parts_.instances.member(*machine, name, node.callee->location, false);
    const auto& first = callees.empty() ? *as<value::Function>(callee) : callees.front();
    const auto& one = *as<value::Function>(callee);
    const auto& wanted = std::get<item::Collective>(first.declaration->node);
    const auto& found = std::get<item::Collective>(one.declaration->node);
    const bool is_same =
        wanted.has_algorithm ? first.declaration == one.declaration : !found.has_algorithm && found.root == wanted.root;
    if (!is_same) {
      parts_.sites.abandon(DiagnosticKind::machines_differ, s.location,
                           fmt::format("`{}` of `{}` is not that of `{}`", name, name_of(*machine),
                                       name_of(*body.kinds->machines.front())),
                           "all processes take part in it",
                           "let both machines have the same algorithm, or costs of the same form");
    }
    callees.push_back(one);
  }
  if (!std::get<item::Collective>(callees.front().declaration->node).has_algorithm)
    return collective(s, node, callees, body, into);
  if (body.is_kind_known) {
    const auto own = std::ranges::find(body.kinds->machines, body.machine) - body.kinds->machines.begin();
    return collective(s, node, {callees[static_cast<std::size_t>(own)]}, body, into);
  }
  const ValueId own = kind_at(*body.kinds, own_place(), s.location);
  Body inside = body;
  inside.is_kind_known = true;
  const std::function<void(std::size_t, ir::Block&)> run = [&](std::size_t kind, ir::Block& block) {
    const auto run_own = [&](ir::Block& to) {
      inside.machine = body.kinds->machines[kind];
      collective(s, node, {callees[kind]}, inside, to);
    };
    if (kind + 1 == callees.size()) return run_own(block);
    const ValueId is_own = b_.equal(own, b_.integer(static_cast<std::int64_t>(kind)));
    branch(is_own, s.location, run_own, [&](ir::Block& to) { run(kind + 1, to); }, block);
  };
  run(0, into);
}

}  // namespace wave::frontend::lowering
