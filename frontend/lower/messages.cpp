// What a message costs, by its protocol's two ends, and what it does at them in a process (language.md, section 4).
#include "frontend/ast/walk.h"
#include "frontend/check/members.h"
#include "frontend/lower/exchange.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/levels.h"
#include "frontend/lower/processes.h"
#include "ir/builder.h"
#include "ir/operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ValueId;

static bool shares_resources(const Item& machine) {
  const auto resources = check::members_of_kind<item::Resource>(machine);
  return std::any_of(resources.begin(), resources.end(),
                     [](const Item* item) { return std::get<item::Resource>(item->node).level.has_value(); });
}

Scope Messages::protocol_scope(Instance& machine, const Item& protocol, const ValuePtr& size, const Places& places,
                               ir::FrameId frame, Location location) {
  const auto& parameters = std::get<item::Protocol>(protocol.node).parameters;
  Scope scope = instances_.scope_of(machine);
  scope.module = protocol.module;
  scope.frame = frame;
  scope = bind_local(scope, "within", number(places.within));
  scope = bind_local(scope, "sender", make(value::Point{nullptr, nullptr, {places.sender}}));
  scope = bind_local(scope, "receiver", make(value::Point{nullptr, nullptr, {places.receiver}}));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (i == 0) {
      scope =
          bind_local(scope, parameters[i].name.text, values_.convert(size, written_number(parameters[i].type.get())));
    } else if (parameters[i].default_value) {
      scope = bind_local(scope, parameters[i].name.text,
                         values_.convert(expressions_.evaluate(*parameters[i].default_value, scope),
                                         written_number(parameters[i].type.get())));
    } else {
      sites_.abandon(DiagnosticKind::not_expressible, location,
                     fmt::format("protocol `{}` needs more than the size of a message", protocol.name.text));
    }
  }
  return scope;
}

ValuePtr Messages::run_ends(const Instance& machine, const Item& protocol, const Scope& scope,
                            const std::set<std::string>& shared, const std::string& end) {
  const ValueId now = b_.real(0);
  const SymbolicTime long_ago;
  Exchange exchange(parts_, *machine.declaration, std::get<item::Protocol>(protocol.node), scope, shared,
                    end == "recv" ? long_ago : now, end == "send" ? long_ago : now, protocol.location);
  const SymbolicTime result = end == "send"   ? exchange.cost_of_sender()
                              : end == "recv" ? exchange.cost_of_receiver()
                                              : exchange.finish_of_receiver();
  return number(result.value_or(now));
}

ValuePtr Messages::call_derived(const value::Derived& derived, const std::vector<Named>& arguments, const Scope&,
                                Location location) {
  ValuePtr size, sharing, from, to;
  ValuePtr within = number(levels_.none());
  const std::pair<const char*, ValuePtr*> parameters[] = {
      {"s", &size}, {"within", &within}, {"sharing", &sharing}, {"from", &from}, {"to", &to}};
  std::size_t position = 0;
  for (const Named& argument : arguments) {
    const auto named = [&](const auto& parameter) { return argument.first == parameter.first; };
    const auto* const found =
        argument.first.empty() ? &parameters[position++] : std::ranges::find_if(parameters, named);
    *found->second = argument.second;
  }
  if (!size) sites_.abandon(DiagnosticKind::not_expressible, location, "the size of the message is not given");
  Instance& machine = *derived.machine;
  const auto protocols = check::protocols_of(*derived.declaration);
  if (protocols.empty()) {
    sites_.abandon(
        DiagnosticKind::not_expressible, location,
        fmt::format("`{}` has no protocol, so `{}` has no cost", derived.declaration->name.text, derived.end));
  }
  const auto real = check::real_type();
  size = values_.convert(size, real);
  // Two processes that share nothing but levels: the first, and the next one.
  const auto cost_where = [&](const ValuePtr& bytes, ValueId shared_level, const std::set<std::string>& shared,
                              ir::FrameId frame) {
    const Places places{shared_level, b_.integer(0), b_.integer(1)};
    std::vector<std::pair<ValueId, ValuePtr>> cases;
    ValuePtr result =
        values_.failure(FailureKind::error_called, machine.declaration->name.location, "no protocol applies");
    for (const Item* protocol : protocols) {
      const Scope scope = protocol_scope(machine, *protocol, bytes, places, frame, location);
      const auto& node = std::get<item::Protocol>(protocol->node);
      const ValuePtr cost = run_ends(machine, *protocol, scope, shared, derived.end);
      if (!node.condition) {
        result = cost;
        break;
      }
      cases.emplace_back(expressions_.boolean(*node.condition, scope), cost);
    }
    for (auto one = cases.rbegin(); one != cases.rend(); ++one)
      result = values_.select(one->first, one->second, result);
    return result;
  };
  // Which resources both ends share depends on the level, so where there are shared ones each level is a case.
  const auto body = [&](const std::vector<ValuePtr>& inside, ir::FrameId frame) {
    const ValueId shared_level = values_.scalar_of(inside[1], ir::ScalarType::integer, location);
    if (!shares_resources(*machine.declaration)) return cost_where(inside[0], shared_level, {}, frame);
    const std::vector<std::string> levels = check::levels_of(*machine.declaration);
    ValuePtr result = cost_where(inside[0], levels_.none(), {}, frame);
    std::set<std::string> shared;
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
      shared.insert(*level);
      const ValueId word = levels_.word(*level);
      result = values_.select(b_.equal(shared_level, word), cost_where(inside[0], word, shared, frame), result);
    }
    return result;
  };
  const auto inline_it = [&] { return body({size, within}, machine.frame); };
  const std::string identity = fmt::format("{}.{}.{}", derived.end, fmt::ptr(derived.declaration), fmt::ptr(&machine));
  const ir::SiteId negative = sites_.site(FailureKind::negative_quantity, location);
  sites_.note_types(negative, {check::data_type(), check::data_type()});
  const ValuePtr cost = values_.distribute(size, [&](const ValuePtr& given) {
    const ValueId checked = values_.scalar_of(given, ir::ScalarType::real, location);
    const ValuePtr bytes = number(b_.check(b_.less_equal(b_.real(0), checked), checked, negative));
    if (from || to) return cost_between(derived, {bytes, within, sharing, from, to}, location);
    if (sharing) {
      const Kind own{&machine, derived.declaration};
      return call_pairs(derived, {own, own}, bytes, within, sharing, location);
    }
    return functions_.call_framed(machine.title + derived.end, "derived." + identity, machine.frame, {"s", "within"},
                                  {bytes, within}, real, body, inline_it, location);
  });
  return derived.guarded ? instances_.guard(cost, machine) : cost;
}

ValueId Messages::protocol_name(Instance& machine, const ValuePtr& size, ValueId within, Location location) {
  std::vector<std::pair<ValueId, ValueId>> cases;
  ValueId result = b_.integer(sites_.word("none"));
  for (const Item* protocol : check::protocols_of(*machine.declaration)) {
    const Places places{within, b_.integer(0), b_.integer(1)};
    const Scope scope = protocol_scope(machine, *protocol, size, places, machine.frame, location);
    const auto& node = std::get<item::Protocol>(protocol->node);
    const ValueId name = b_.integer(sites_.word(protocol->name.text));
    if (!node.condition) {
      result = name;
      break;
    }
    cases.emplace_back(expressions_.boolean(*node.condition, scope), name);
  }
  for (auto one = cases.rbegin(); one != cases.rend(); ++one) result = b_.select(one->first, one->second, result);
  return result;
}

// --- The protocols of a machine in the system: one program for each end, in a frame that takes the size of a message,
// the level that its ends share, and their ranks. ---

using ir::ScalarType;

namespace {

class ProtocolLowering {
 public:
  ProtocolLowering(const Parts& parts, ir::MessageEnds& ends, ir::Protocol& protocol)
      : parts_(parts), ends_(ends), protocol_(protocol) {}

  // `resources`: the number of the first that its machine declares.
  std::vector<ir::Step> end(const Block& block, const Scope& scope, std::size_t resources) {
    first_resource_ = static_cast<std::ptrdiff_t>(resources);
    std::vector<ir::Step> steps;
    for (const auto& statement : block) steps.push_back(step(*statement, scope, steps));
    return steps;
  }

 private:
  // `steps`: of this end, before it.
  ir::Step step(const Statement& statement, const Scope& scope, const std::vector<ir::Step>& steps) {
    ir::Step step;
    step.location = statement.location;
    step.site =
        parts_.sites.site(FailureKind::weight_not_finite, statement.location, ends_.name + "." + protocol_.name);
    if (const auto* busy = std::get_if<statement::Busy>(&statement.node)) {
      step.kind = ir::Step::Kind::busy;
      step.time = time(*busy->time, scope, "busy");
    } else if (const auto* emit = std::get_if<statement::Emit>(&statement.node)) {
      step.kind = ir::Step::Kind::emit;
      step.signal = number_of(protocol_.signals, emit->signal.text);
      for (const statement::Use& one : emit->uses) use(step, one, scope, "via");
      if (emit->after) step.time = time(*emit->after, scope, "emit");
    } else if (const auto* await = std::get_if<statement::Await>(&statement.node)) {
      step.kind = ir::Step::Kind::await;
      step.signal = number_of(protocol_.signals, await->signal.text);
      for (const statement::Use& one : await->uses) use(step, one, scope, "via");
      if (await->after) step.time = time(*await->after, scope, "await");
    } else if (const auto* sent = std::get_if<statement::Sent>(&statement.node)) {
      step.kind = ir::Step::Kind::sent;
      step.signal = number_of(protocol_.signals, sent->signal.text);
      step.time = sent->after ? time(*sent->after, scope, "await sent") : occupied_by(step.signal, steps);
    } else if (const auto* acquire = std::get_if<statement::Acquire>(&statement.node)) {
      step.kind = ir::Step::Kind::acquire;
      use(step, acquire->use, scope, "acquire");
    } else if (const auto* arrival = std::get_if<statement::Arrival>(&statement.node)) {
      step.kind = ir::Step::Kind::arrival;
      step.signal = number_of(protocol_.signals, arrival->signal.text);
      if (arrival->use) use(step, *arrival->use, scope, "acquire");
      step.time = time(*arrival->time, scope, "busy");
    } else {
      parts_.sites.abandon(DiagnosticKind::misplaced_statement, statement.location,
                           "this statement has no place in a protocol");
    }
    return step;
  }

  // How long the last resource that a signal passes here is occupied by it.
  static ValueId occupied_by(std::uint32_t signal, const std::vector<ir::Step>& steps) {
    const auto is_its_emit = [&](const ir::Step& one) {
      return one.kind == ir::Step::Kind::emit && one.signal == signal;
    };
    return std::ranges::find_if(steps, is_its_emit)->uses.back().occupied;
  }

  void use(ir::Step& step, const statement::Use& use, const Scope& scope, const char* what) {
    const auto named = [&](const ir::Resource& one) { return one.name == use.resource.text; };
    const auto found = std::find_if(ends_.resources.begin() + first_resource_, ends_.resources.end(), named);
    ir::Use made{static_cast<std::uint32_t>(found - ends_.resources.begin()), time(*use.occupied, scope, what), {}};
    if (use.index) {
      ir::Builder& b = parts_.b;
      const ValueId number = parts_.expressions.integer(*use.index, scope);
      const ir::SiteId outside = parts_.sites.requirement(
          use.index->location,
          fmt::format("`{}` has no such number: the first is 0, the last is one less than there are",
                      use.resource.text),
          "`mod` by how many there are keeps a number among them");
      // One by one, since a comparison that fails shows its values.
      const ValueId is_below = b.binary(ir::BinaryOp::less, number, found->count);
      made.number = b.check(b.less_equal(b.integer(0), number), b.check(is_below, number, outside), outside);
    }
    step.uses.push_back(made);
  }

  ValueId time(const Expr& expr, const Scope& scope, const char* what) {
    return parts_.processes.not_negative(parts_.expressions.real(expr, scope), expr.location, check::time_type(),
                                         fmt::format("the time of `{}` in the protocol `{}`", what, protocol_.name));
  }

  std::uint32_t number_of(std::vector<std::string>& names, const std::string& name) {
    const auto [known, is_new] = numbers_.try_emplace(name, static_cast<std::uint32_t>(names.size()));
    if (is_new) names.push_back(name);
    return known->second;
  }

  const Parts& parts_;
  ir::MessageEnds& ends_;
  ir::Protocol& protocol_;
  std::ptrdiff_t first_resource_ = 0;
  std::map<std::string, std::uint32_t> numbers_;  // of signals
};

// Whether `sender.rank` or `receiver.rank` stands in it.
bool reads_ranks(const Expr& e) {
  const auto* member = std::get_if<expr::Member>(&e.node);
  if (member && (is_name(*member->object, "sender") || is_name(*member->object, "receiver"))) return true;
  bool found = false;
  for_each_child(e, [&](const Expr& child) { found = found || reads_ranks(child); });
  return found;
}

bool reads_ranks(const Item& protocol) {
  bool found = false;
  for_each_expression(protocol, [&](const Expr& e) { found = found || reads_ranks(e); });
  return found;
}

}  // namespace

// All that a machine declares, in the order of their names among its members.
void Messages::add_resources(Instance& machine, ir::MessageEnds& ends) {
  Scope scope = instances_.scope_of(machine);
  scope.frame = ends.frame;
  const auto at_least_one = [&](const ExprPtr& written, const char* what, const std::string& name) -> ValueId {
    if (!written) return {};
    const ValueId value = expressions_.integer(*written, scope);
    return b_.check(b_.less_equal(b_.integer(1), value), value,
                    sites_.requirement(written->location, fmt::format(fmt::runtime(what), name),
                                       "give at least 1; `require` it in the machine to say so in your own words"));
  };
  for (const Item* item : check::members_of_kind<item::Resource>(*machine.declaration)) {
    const auto& node = std::get<item::Resource>(item->node);
    ir::Resource resource;
    resource.name = item->name.text;
    resource.location = item->name.location;
    if (node.level) {
      const auto named = [&](const ir::LevelName& level) { return level.name == node.level->text; };
      const auto found = std::find_if(ends.levels.begin(), ends.levels.end(), named);
      resource.level = static_cast<std::uint32_t>(found - ends.levels.begin());
    }
    scope.module = item->module;
    resource.count = at_least_one(node.count, "there is no `{}`: its number is less than 1", resource.name);
    resource.servers = at_least_one(node.servers, "`{}` has less than one server", resource.name);
    ends.resources.push_back(std::move(resource));
  }
}

void Messages::add_protocols(const PairOfKinds& pair, ValueId within, ir::MessageEnds& ends, Location location) {
  const ValuePtr size = number(b_.parameter_value(ends.size));
  const Places places{within, b_.parameter_value(ends.sender), b_.parameter_value(ends.receiver)};
  for (const Item* item : check::protocols_of(*pair.sender.second)) {
    const auto& node = std::get<item::Protocol>(item->node);
    const Item* const found = received_as(*item, pair);
    // What is refused has the sender's steps at both ends, which are never taken.
    const Item& received = found ? *found : *item;
    const Kind& receiver = found ? pair.receiver : pair.sender;
    const Scope scope = protocol_scope(*pair.sender.first, *item, size, places, ends.frame, location);
    ends.reads_ranks = ends.reads_ranks || reads_ranks(*item) || reads_ranks(received);
    ir::Protocol protocol;
    protocol.name = item->name.text;
    protocol.location = item->name.location;
    std::vector<ValueId> conditions;
    if (pair.is_chosen.valid()) conditions.push_back(pair.is_chosen);
    if (node.condition) conditions.push_back(expressions_.boolean(*node.condition, scope));
    if (!found) conditions.push_back(refused(*item, pair));
    for (const ValueId one : conditions)
      protocol.condition = protocol.condition.valid() ? b_.logical_and(protocol.condition, one) : one;
    if (node.window) {
      const ValueId window = expressions_.integer(*node.window, scope);
      const ir::SiteId negative =
          sites_.site(FailureKind::negative_count, node.window->location, "messages in a window");
      protocol.window = b_.check(b_.less_equal(b_.integer(1), window), window, negative);
    }
    ProtocolLowering lowering(parts_, ends, protocol);
    protocol.sender = lowering.end(node.sender, scope, pair.resources_of_sender);
    protocol.receiver = lowering.end(std::get<item::Protocol>(received.node).receiver,
                                     protocol_scope(*receiver.first, received, size, places, ends.frame, location),
                                     found ? pair.resources_of_receiver : pair.resources_of_sender);
    ends.protocols.push_back(std::move(protocol));
  }
}

namespace {

// What a machine is called where several are spoken of.
std::string title_of(const Instance& machine) {
  if (machine.title.empty()) return machine.declaration->name.text;
  return machine.title.substr(0, machine.title.size() - 1);
}

// Those that several machines have under one name are called after their machines, `fast.tx`.
void qualify_names(std::vector<ir::Resource>& resources, const std::vector<std::string>& machines) {
  std::map<std::string, int> count;
  for (const ir::Resource& resource : resources) ++count[resource.name];
  for (std::size_t i = 0; i < resources.size(); ++i) {
    if (count[resources[i].name] > 1) resources[i].name = machines[i] + "." + resources[i].name;
  }
}

}  // namespace

ir::EndsId Messages::message_ends(const std::vector<Kind>& kinds, Location location) {
  const auto known = ends_.find(kinds);
  if (known != ends_.end()) return known->second;
  ir::MessageEnds ends;
  ir::FrameId around = ir::System::root_frame;
  for (const auto& [machine, declaration] : kinds) {
    if (check::protocols_of(*declaration).empty()) {
      sites_.abandon(DiagnosticKind::no_machine, location,
                     fmt::format("the machine `{}` has no protocol for messages", machine->declaration->name.text),
                     "this message");
    }
    ends.name += (ends.name.empty() ? "" : " or ") + title_of(*machine);
    around = parts_.facts.deeper(around, machine->frame);
  }
  ends.frame = b_.frame(ends.name + ".message", around);
  ends.size = b_.parameter(ends.frame, "size", ScalarType::real);
  ends.within = b_.parameter(ends.frame, "within", ScalarType::integer);
  ends.sender = b_.parameter(ends.frame, "sender", ScalarType::integer);
  ends.receiver = b_.parameter(ends.frame, "receiver", ScalarType::integer);
  const Item& first = *kinds.front().first->declaration;
  for (const std::string& level : check::levels_of(first)) ends.levels.push_back({levels_.number_of(level), level});
  std::vector<std::size_t> resources;
  std::vector<std::string> titles, owners;  // of each kind, of each resource
  for (const Kind& kind : kinds) {
    resources.push_back(ends.resources.size());
    add_resources(*kind.first, ends);
    const std::string title = title_of(*kind.first);
    const auto before = std::ranges::count(titles, title);
    titles.push_back(title);
    owners.resize(ends.resources.size(), before == 0 ? title : fmt::format("{} {}", title, before + 1));
  }
  ends.site = sites_.site(FailureKind::error_called, first.name.location, "no protocol applies");
  const ValueId within = b_.parameter_value(ends.within);
  if (kinds.size() == 1) {
    add_protocols({kinds[0], kinds[0], 0, 0, {}}, within, ends, location);
    return ends_[kinds] = b_.ends(std::move(ends));
  }
  const ValueId most = b_.integer(ir::MessageEnds::most_levels);
  const ValueId level = b_.binary(ir::BinaryOp::modulo, within, most, ends.site);
  const ValueId chosen = b_.binary(ir::BinaryOp::floor_divide, within, most, ends.site);
  for (std::size_t pair = 0; pair < kinds.size() * kinds.size(); ++pair) {
    const std::size_t from = pair / kinds.size(), to = pair % kinds.size();
    const ValueId is_chosen = b_.equal(chosen, b_.integer(static_cast<std::int64_t>(pair)));
    add_protocols({kinds[from], kinds[to], resources[from], resources[to], is_chosen}, level, ends, location);
  }
  qualify_names(ends.resources, owners);  // protocols have found theirs by their names
  return ends_[kinds] = b_.ends(std::move(ends));
}

}  // namespace wave::frontend::lowering
