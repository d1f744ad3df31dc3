// Machines, collectives and protocols: whether interfaces are met, and whether the two ends of a protocol meet.
#include "frontend/check/declarations.h"
#include "frontend/check/expressions.h"
#include "frontend/check/names.h"

#include <algorithm>
#include <map>
#include <set>

namespace wave::frontend::check {
namespace {

bool is_override(const Item& item) {
  if (const auto* n = std::get_if<item::Function>(&item.node)) return n->is_override;
  if (const auto* n = std::get_if<item::Protocol>(&item.node)) return n->is_override;
  if (const auto* n = std::get_if<item::Collective>(&item.node)) return n->is_override;
  if (const auto* n = std::get_if<item::Param>(&item.node)) return n->is_override;
  if (const auto* n = std::get_if<item::Let>(&item.node)) return n->is_override;
  if (const auto* n = std::get_if<item::Resource>(&item.node)) return n->is_override;
  return false;
}

}  // namespace

void Machines::check_machine(Item& item, item::Machine& machine) {
  declarations_.check_members(machine.members, &item);
  check_levels(machine);
  check_overrides(item, machine);
  check_protocol_choice(item);
  check_interface_met(item);
}

// A machine that extends another may know more levels, but those of the other stay in their order.
void Machines::check_levels(const item::Machine& machine) {
  const item::Levels* own = nullptr;
  for (const auto& member : machine.members) {
    const auto* levels = std::get_if<item::Levels>(&member->node);
    if (!levels) continue;
    if (own)
      reports_.add(DiagnosticKind::repeated_clause, member->location, "`levels` stands here twice", "given before");
    else
      own = levels;
  }
  if (!own) return;
  std::set<std::string> seen{"none"};
  for (const Identifier& name : own->names) {
    if (seen.insert(name.text).second) continue;
    reports_.add(DiagnosticKind::duplicate_name, name.location,
                 name.text == "none" ? "`none` says that nothing is shared, so no level is called that"
                                     : "the level `" + name.text + "` is declared twice",
                 "declared here");
  }
  if (!machine.base_item) return;
  std::size_t at = 0;
  for (const std::string& inherited : levels_of(*machine.base_item)) {
    while (at < own->names.size() && own->names[at].text != inherited) ++at;
    if (at < own->names.size()) continue;
    reports_
        .add(DiagnosticKind::incompatible_override, own->names.front().location,
             "the level `" + inherited + "` of `" + machine.base_item->name.text + "` is missing, or in another order",
             "these take the place of the inherited levels")
        .help.push_back("list all inherited levels as they stand there, the innermost first, and yours between them");
    return;
  }
}

// `resource nic of node servers 2`
void Machines::check_resource(item::Resource& resource) {
  if (resource.level) {
    const std::vector<std::string> levels = levels_of(*context_.owner);
    const bool known = std::find(levels.begin(), levels.end(), resource.level->text) != levels.end();
    if (!known && !may_have_more(*context_.owner)) {
      names_.report_unknown_level(*resource.level, levels,
                                  "`" + context_.owner->name.text + "` knows no level `" + resource.level->text + "`");
    }
  }
  if (resource.count) expressions_.expect(*resource.count, int_type());
  if (resource.servers) expressions_.expect(*resource.servers, int_type());
}

// What a step asks for: a resource that is declared, with its number where there are several.
void Machines::check_use(statement::Use& use) {
  expressions_.expect(*use.occupied, time_type(), {{}, ""});
  if (use.index) expressions_.expect(*use.index, int_type());
  const Item* found = names_.member(*context_.owner, use.resource.text);
  const auto* resource = found ? std::get_if<item::Resource>(&found->node) : nullptr;
  if (!resource) {
    if (found ? is_unknown(*found) : may_have_more(*context_.owner)) return;
    std::vector<std::string> names;
    for (std::string& name : member_names(*context_.owner)) {
      const Item* other = names_.member(*context_.owner, name);
      if (other && is_any_of<item::Resource>(*other)) names.push_back(std::move(name));
    }
    Diagnostic& d = reports_.add(DiagnosticKind::unknown_name, use.resource.location,
                                 "unknown resource `" + use.resource.text + "`", "not declared here");
    suggest_nearest(d, use.resource.text, names);
    d.help.push_back("a machine declares its resources, as in `resource " + use.resource.text + " of process`");
    return;
  }
  dependences_.depends_on(found);
  if (static_cast<bool>(resource->count) == static_cast<bool>(use.index)) return;
  reports_
      .add(DiagnosticKind::wrong_index, use.resource.location,
           resource->count ? "which `" + use.resource.text + "` is asked for is not said"
                           : "there is one `" + use.resource.text + "`, so it has no number",
           resource->count ? "write `" + use.resource.text + "[...]`, counted from 0" : "a number is given")
      .labels.push_back({found->name.location, "declared here"});
}

void Machines::check_overrides(const Item& item, const item::Machine& machine) {
  const Item* interface = interface_of(item);
  for (const auto& one : machine.members) {
    const std::string& name = one->name.text;
    if (name.empty() || is_unknown(*one)) continue;
    const Item* replaced = machine.base_item ? names_.member(*machine.base_item, name) : nullptr;
    const bool inherited = replaced && replaced->owner != interface;
    const bool derived = is_derived_cost(name) && !protocols_of(item).empty();
    const bool declared = interface && std::any_of(members_of(*interface)->begin(), members_of(*interface)->end(),
                                                   [&](const auto& other) { return other->name.text == name; });
    if (is_override(*one) && !inherited && !derived && !declared) {
      if (may_have_more(item)) continue;
      reports_
          .add(DiagnosticKind::overrides_nothing, one->name.location, "there is no `" + name + "` to override",
               machine.base.empty() ? "this machine extends no other" : "the machine that this one extends has none")
          .help.push_back("leave out `override` to add a member");
    } else if (!is_override(*one) && inherited) {
      reports_
          .add(DiagnosticKind::missing_override, one->name.location, "`" + name + "` replaces an inherited member",
               "declared again here")
          .labels.push_back({replaced->name.location, "inherited from `" + replaced->owner->name.text + "`"});
    } else if (!is_override(*one) && derived && !inherited) {
      reports_
          .add(DiagnosticKind::missing_override, one->name.location,
               "`" + name + "` already follows from the protocols of this machine", "declared again here")
          .help.push_back("write `override fn " + name + "` to replace the derived cost");
    } else if (inherited) {
      check_override_type(*one, *replaced);
    }
  }
}

void Machines::check_override_type(const Item& item, const Item& replaced) {
  if (is_unknown(replaced)) return;
  std::string difference;
  if (item.node.index() != replaced.node.index()) {
    difference = "it is " + with_article(kind_of(item)) + ", the inherited one " + with_article(kind_of(replaced));
  } else if (std::holds_alternative<item::Function>(item.node) || std::holds_alternative<item::Collective>(item.node)) {
    difference = types_.differing(item, replaced);
  } else if (!is_any_of<item::Protocol, item::Resource>(item)) {
    const TypeRef type = declarations_.type_of(item, item.name.location);
    const TypeRef inherited = declarations_.type_of(replaced, replaced.name.location);
    if (!is_unknown(type) && !is_unknown(inherited) && key_of(type) != key_of(inherited)) {
      difference = "it is " + quoted(type) + ", the inherited one " + quoted(inherited);
    }
  }
  if (difference.empty()) return;
  Diagnostic& d = reports_.add(DiagnosticKind::incompatible_override, item.name.location,
                               "the override of `" + item.name.text + "` does not fit: " + difference, "replaced here");
  d.labels.push_back({replaced.name.location, "the inherited one"});
  d.help.push_back("what works with the inherited member must work with this one");
}

void Machines::check_interface_met(const Item& item) {
  const Item* interface = interface_of(item);
  if (!interface) return;
  std::string missing;
  bool costs_missing = false;
  for (const auto& wanted : *members_of(*interface)) {
    const Item* offered = names_.member(item, wanted->name.text);
    if (offered && offered->owner == interface) {
      const auto* function = std::get_if<item::Function>(&wanted->node);
      const auto* collective = std::get_if<item::Collective>(&wanted->node);
      const bool has_default =
          (function && function->body) || (collective && (collective->cost || collective->has_algorithm));
      const bool derived = is_derived_cost(wanted->name.text) && !protocols_of(item).empty();
      if (has_default || derived || is_unknown(*wanted)) continue;
      missing += (missing.empty() ? "`" : ", `") + wanted->name.text + "`";
      costs_missing = costs_missing || is_derived_cost(wanted->name.text);
      continue;
    }
    if (!offered || offered->owner != &item) continue;  // it is reported for the machine that declares it
    const std::string difference = types_.differing(*offered, *wanted);
    if (difference.empty()) continue;
    reports_
        .add(DiagnosticKind::interface_not_met, offered->name.location,
             "`" + item.name.text + "` does not offer what `" + interface->name.text + "` asks: " + difference,
             "declared here")
        .labels.push_back({wanted->name.location, "asked for here"});
  }
  if (missing.empty() || may_have_more(item)) return;
  Diagnostic& d = reports_.add(DiagnosticKind::interface_not_met, item.name.location,
                               "`" + item.name.text + "` does not offer all that `" + interface->name.text + "` asks",
                               "missing: " + missing);
  d.labels.push_back({interface->name.location, "the interface is declared here"});
  if (costs_missing) d.help.push_back("`send`, `recv` and `total` follow from a `protocol`");
}

void Machines::check_collective(Item& item, item::Collective& collective) {
  LocalScope scope(context_);
  functions_.open_parameters(collective.parameters, "a parameter of a collective");
  if (collective.result) {
    const TypeRef result = types_.resolve(*collective.result);
    if (!is_unknown(result) && !types_.agrees(result, time_type())) {
      reports_.add(DiagnosticKind::dimension_mismatch, collective.result->location,
                   "a collective takes time, not " + quoted(result), "this is " + quoted(result));
    }
  }
  if (collective.cost) {
    expressions_.expect(
        *collective.cost, time_type(),
        {collective.result ? collective.result->location : item.name.location, "a collective gives `time`"});
  }
  if (collective.has_algorithm) processes_.check_algorithm(collective);
  const bool in_interface = item.owner && is_interface(*item.owner);
  if (collective.cost || collective.has_algorithm || in_interface) return;
  reports_
      .add(DiagnosticKind::missing_body, item.name.location,
           "`" + item.name.text + "` has neither a cost nor an algorithm",
           "only an interface lists collectives without one")
      .help.push_back("write `: time = ` and its cost, or `on R[r: p] { ... }` and its messages");
}

// --- protocols: what their two ends do, that their signals meet, and which of them is used ---
namespace {

// The statements of an end, in order.
using Steps = std::vector<const Statement*>;

Steps steps_of(const Block& block) {
  Steps steps;
  for (const auto& statement : block) steps.push_back(statement.get());
  return steps;
}

std::map<std::string, std::vector<Location>> emitted_by(const Block& block) {
  std::map<std::string, std::vector<Location>> signals;
  for (const auto& statement : block) {
    if (const auto* emit = std::get_if<statement::Emit>(&statement->node))
      signals[emit->signal.text].push_back(emit->signal.location);
  }
  return signals;
}

// A signal that an end takes from the other end.
const Identifier* taken_by(const Statement& statement) {
  if (const auto* await = std::get_if<statement::Await>(&statement.node)) return &await->signal;
  if (const auto* arrival = std::get_if<statement::Arrival>(&statement.node)) return &arrival->signal;
  return nullptr;
}

// Runs an end as far as the signals that have arrived allow.
void advance(const Steps& steps, std::size_t& at, const std::set<std::string>& arrived, std::set<std::string>& sent) {
  for (; at < steps.size(); ++at) {
    if (const auto* await = std::get_if<statement::Await>(&steps[at]->node);
        await && !arrived.count(await->signal.text))
      return;
    if (const auto* emit = std::get_if<statement::Emit>(&steps[at]->node)) sent.insert(emit->signal.text);
  }
}

}  // namespace

void Machines::check_protocol(Item& item, item::Protocol& protocol) {
  LocalScope scope(context_);
  const std::vector<TypeRef> parameters = functions_.open_parameters(protocol.parameters, "a parameter of a protocol");
  if (parameters.size() != 1 || !types_.agrees(parameters.front(), data_type())) {
    reports_.add(DiagnosticKind::wrong_arguments, item.name.location,
                 "a protocol takes the size of its message and nothing else",
                 "as in `protocol " + item.name.text + "(s: data)`");
  }
  context_.locals.push_back({"within", level_type(), {}});
  for (const char* end : {"sender", "receiver"}) context_.locals.push_back({end, make_type(types::Place{0}), {}});
  if (protocol.window) expressions_.expect(*protocol.window, int_type());
  if (protocol.condition) expressions_.expect(*protocol.condition, bool_type());
  check_end(protocol.sender);
  check_end(protocol.receiver);
  check_signals(item, protocol);
}

void Machines::check_end(Block& block) {
  const Why time{{}, ""};
  for (auto& statement : block) {
    if (auto* busy = std::get_if<statement::Busy>(&statement->node)) {
      expressions_.expect(*busy->time, time_type(), time);
    } else if (auto* emit = std::get_if<statement::Emit>(&statement->node)) {
      for (statement::Use& use : emit->uses) check_use(use);
      if (emit->after) expressions_.expect(*emit->after, time_type(), time);
    } else if (auto* await = std::get_if<statement::Await>(&statement->node)) {
      for (statement::Use& use : await->uses) check_use(use);
    } else if (auto* acquire = std::get_if<statement::Acquire>(&statement->node)) {
      check_use(acquire->use);
    } else if (auto* arrival = std::get_if<statement::Arrival>(&statement->node)) {
      if (arrival->use) check_use(*arrival->use);
      expressions_.expect(*arrival->time, time_type(), time);
    } else if (const auto* let = std::get_if<statement::Let>(&statement->node)) {
      context_.locals.push_back({let->name.text, unknown_type(), {}});
    }
    // The parser has reported anything else.
  }
  check_acquires(block);
  check_arrivals(block);
}

// A resource is acquired for the `busy` that follows. Signals may leave in between.
void Machines::check_acquires(const Block& block) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    const auto* acquire = std::get_if<statement::Acquire>(&block[i]->node);
    if (!acquire) continue;
    std::size_t next = i + 1;
    while (next < block.size() && std::holds_alternative<statement::Emit>(block[next]->node)) ++next;
    if (next < block.size() && std::holds_alternative<statement::Busy>(block[next]->node)) continue;
    Diagnostic& d = reports_.add(DiagnosticKind::idle_acquire, block[i]->location,
                                 "no `busy` follows the `acquire` of `" + acquire->use.resource.text + "`",
                                 "nothing needs the processor");
    if (next < block.size()) d.labels.push_back({block[next]->location, "a `busy` should stand before this"});
    d.help.push_back("let `busy t` follow, with nothing but `emit` between; what leaves by itself is emitted `via " +
                     acquire->use.resource.text + " for g`");
  }
}

// A signal is taken on arrival once, and then an `await` only waits for that.
void Machines::check_arrivals(const Block& block) {
  std::map<std::string, Location> taken;
  for (const auto& statement : block) {
    const auto* arrival = std::get_if<statement::Arrival>(&statement->node);
    if (!arrival) continue;
    const auto [first, is_new] = taken.emplace(arrival->signal.text, arrival->signal.location);
    if (is_new) continue;
    reports_
        .add(DiagnosticKind::bad_signals, arrival->signal.location,
             "`" + arrival->signal.text + "` is taken on arrival twice", "taken again here")
        .labels.push_back({first->second, "first taken here"});
  }
  for (const auto& statement : block) {
    const auto* await = std::get_if<statement::Await>(&statement->node);
    const auto on_arrival = await && !await->uses.empty() ? taken.find(await->signal.text) : taken.end();
    if (on_arrival == taken.end()) continue;
    Diagnostic& d = reports_.add(DiagnosticKind::bad_signals, await->uses.front().resource.location,
                                 "`" + await->signal.text + "` is taken on arrival, so its `await` names no resource",
                                 "asked for a second time");
    d.labels.push_back({on_arrival->second, "taken here"});
    d.help.push_back("say it there: `on arrival of " + await->signal.text + " { acquire " +
                     await->uses.front().resource.text + " for g; busy t }`");
  }
}

void Machines::check_signals(const Item& item, const item::Protocol& protocol) {
  bool failed = false;
  const auto check_awaited = [&](const Block& waiting, const Block& other, const char* name) {
    const auto emitted = emitted_by(other);
    for (const auto& statement : waiting) {
      const Identifier* taken = taken_by(*statement);
      if (!taken || emitted.count(taken->text)) continue;
      failed = true;
      std::vector<std::string> names;
      for (const auto& [signal, locations] : emitted) names.push_back(signal);
      Diagnostic& d = reports_.add(
          DiagnosticKind::bad_signals, taken->location,
          "the " + std::string(name) + " never emits `" + taken->text + "`",
          std::holds_alternative<statement::Await>(statement->node) ? "awaited here for ever" : "never arrives");
      suggest_nearest(d, taken->text, names);
    }
    for (const auto& [signal, locations] : emitted) {
      if (locations.size() < 2) continue;
      failed = true;
      reports_.add(DiagnosticKind::bad_signals, locations[1], "`" + signal + "` is emitted twice", "emitted again here")
          .labels.push_back({locations[0], "first emitted here"});
    }
  };
  check_awaited(protocol.receiver, protocol.sender, "sender");
  check_awaited(protocol.sender, protocol.receiver, "receiver");
  const auto awaits = [](const auto& statement) { return std::holds_alternative<statement::Await>(statement->node); };
  if (std::none_of(protocol.receiver.begin(), protocol.receiver.end(), awaits)) {
    reports_
        .add(DiagnosticKind::bad_signals, item.name.location, "the receiver of `" + item.name.text + "` awaits nothing",
             "it would be done before the message is sent")
        .help.push_back("let the sender `emit` a signal, and the receiver `await` it");
    return;
  }
  if (!failed) check_progress(item, protocol);
}

// Runs the two ends against each other. If both wait, they wait for each other.
void Machines::check_progress(const Item& item, const item::Protocol& protocol) {
  const Steps sender = steps_of(protocol.sender);
  const Steps receiver = steps_of(protocol.receiver);
  std::set<std::string> from_sender, from_receiver;
  std::size_t at_sender = 0, at_receiver = 0;
  for (bool moved = true; moved;) {
    const std::size_t before = at_sender + at_receiver;
    advance(sender, at_sender, from_receiver, from_sender);
    advance(receiver, at_receiver, from_sender, from_receiver);
    moved = at_sender + at_receiver != before;
  }
  if (at_sender == sender.size() && at_receiver == receiver.size()) return;
  Diagnostic& d =
      reports_.add(DiagnosticKind::bad_signals, item.name.location,
                   "the two ends of `" + item.name.text + "` wait for each other", "no message would ever pass");
  if (at_sender < sender.size()) d.labels.push_back({sender[at_sender]->location, "the sender waits here"});
  if (at_receiver < receiver.size()) d.labels.push_back({receiver[at_receiver]->location, "the receiver waits here"});
}

// The first protocol whose `when` holds is used, so all but the last need one.
void Machines::check_protocol_choice(const Item& machine) {
  const std::vector<const Item*> protocols = protocols_of(machine);
  for (std::size_t i = 0; i < protocols.size(); ++i) {
    const auto& protocol = std::get<item::Protocol>(protocols[i]->node);
    const bool last = i + 1 == protocols.size();
    if (last == !protocol.condition) continue;
    const bool own = protocols[i]->owner == &machine;
    const bool neighbour = !last && protocols[i + 1]->owner == &machine;
    if (!own && !neighbour) continue;  // it is reported for the machine that declares it
    const std::string& name = protocols[i]->name.text;
    if (last) {
      reports_
          .add(DiagnosticKind::protocol_choice, protocols[i]->name.location,
               "the last protocol, `" + name + "`, has a `when`", "what is used where it does not hold?")
          .help.push_back("leave out its `when`, or add a protocol without one after it");
    } else {
      reports_
          .add(DiagnosticKind::protocol_choice, protocols[i]->name.location,
               "`" + name + "` has no `when`, so no protocol after it is ever used", "this one always applies")
          .labels.push_back({protocols[i + 1]->name.location, "tried after it"});
    }
  }
}

}  // namespace wave::frontend::check
