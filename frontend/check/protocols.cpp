// Protocols: what their two ends do, that their signals meet, and which of them is used.
#include "frontend/check/declarations.h"
#include "frontend/check/expressions.h"
#include "frontend/check/names.h"

#include <algorithm>
#include <map>
#include <set>

namespace wave::frontend::check {
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
  for (const Parameter& parameter : protocol.parameters) {
    const std::string& name = parameter.name.text;
    if (name != "within" && name != "sender" && name != "receiver") continue;
    reports_
        .add(DiagnosticKind::duplicate_name, parameter.name.location, "`" + name + "` is known in a protocol already",
             "declared again here")
        .help.push_back(name == "within" ? "`within` is the innermost level that both ends share"
                                         : "`" + name + ".rank` is the number of the " + name);
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
      if (await->after) expressions_.expect(*await->after, time_type(), time);
    } else if (auto* sent = std::get_if<statement::Sent>(&statement->node)) {
      if (sent->after) expressions_.expect(*sent->after, time_type(), time);
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
  check_bytes(block);
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

// What is said of the bytes of a signal: when the last of them has come, or has left.
void Machines::check_bytes(const Block& block) {
  std::map<std::string, const statement::Emit*> emitted;
  for (const auto& statement : block) {
    if (const auto* emit = std::get_if<statement::Emit>(&statement->node)) emitted.emplace(emit->signal.text, emit);
    const auto* await = std::get_if<statement::Await>(&statement->node);
    if (await && await->after && await->uses.empty()) {
      reports_
          .add(DiagnosticKind::bad_signals, await->after->location,
               "`" + await->signal.text + "` asks for no resource, so its bytes come all at once",
               "after what began to serve?")
          .help.push_back("write this time at its `emit`, or let the signal come `via` a resource of this end");
    }
    if (const auto* sent = std::get_if<statement::Sent>(&statement->node)) check_sent(*sent, emitted);
  }
}

// `emitted`: before it, by this end.
void Machines::check_sent(const statement::Sent& sent, const std::map<std::string, const statement::Emit*>& emitted) {
  const std::string& name = sent.signal.text;
  if (names_.asks(name, "signal")) return;
  const auto emit = emitted.find(name);
  if (emit == emitted.end()) {
    std::vector<std::string> names;
    for (const auto& [signal, statement] : emitted) names.push_back(signal);
    Diagnostic& d = reports_.add(DiagnosticKind::bad_signals, sent.signal.location,
                                 "this end has not emitted `" + name + "` before", "nothing of it has left");
    suggest_nearest(d, name, names);
    d.help.push_back("`await sent " + name + "` stands behind `emit " + name + "`, at the same end");
    return;
  }
  names_.refer(sent.signal.location, emit->second->signal.location);
  if (sent.after || !emit->second->uses.empty()) return;
  Diagnostic& d = reports_.add(DiagnosticKind::bad_signals, sent.signal.location,
                               "nothing says how long the bytes of `" + name + "` take to leave", "until when?");
  d.labels.push_back({emit->second->signal.location, "asks for no resource"});
  d.help.push_back("`await sent " + name + " after t` says it, counted from the `emit`; `emit " + name +
                   " via tx for g` sends them through a resource");
}

void Machines::check_signals(const Item& item, const item::Protocol& protocol) {
  bool failed = false;
  const auto check_awaited = [&](const Block& waiting, const Block& other, const char* name) {
    const auto emitted = emitted_by(other);
    for (const auto& statement : waiting) {
      const Identifier* taken = taken_by(*statement);
      if (!taken || names_.asks(taken->text, "signal")) continue;
      if (const auto sent = emitted.find(taken->text); sent != emitted.end()) {
        names_.refer(taken->location, sent->second.front());
        continue;
      }
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

namespace {

// The protocol of a machine that is extended whose place this one takes, or null.
const item::Protocol* replaced_by(const Item& protocol) {
  const Item* base = protocol.owner ? base_of(protocol.owner) : nullptr;
  if (!base) return nullptr;
  for (const Item* other : protocols_of(*base)) {
    if (other->name.text == protocol.name.text) return std::get_if<item::Protocol>(&other->node);
  }
  return nullptr;
}

}  // namespace

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
    const item::Protocol* replaced = replaced_by(*protocols[i]);
    if (last) {
      reports_
          .add(DiagnosticKind::protocol_choice, protocols[i]->name.location,
               "the last protocol, `" + name + "`, has a `when`", "what is used where it does not hold?")
          .help.push_back(replaced && !replaced->condition
                              ? "leave out its `when`: the one whose place it takes has none"
                              : "leave out its `when`, or add a protocol without one after it");
    } else {
      Diagnostic& d =
          reports_.add(DiagnosticKind::protocol_choice, protocols[i]->name.location,
                       "`" + name + "` has no `when`, so no protocol after it is ever used", "this one always applies");
      d.labels.push_back({protocols[i + 1]->name.location, "tried after it"});
      if (!replaced || !replaced->condition) continue;
      d.labels.push_back({replaced->condition->location, "the one whose place it takes has this `when`"});
      d.help.push_back("an `override protocol` does not keep the `when`: write it again, or another one");
    }
  }
}

}  // namespace wave::frontend::check
