// What a message costs, by its protocol's two ends, and what it does at them in a process (language.md, section 4).
#include "frontend/check/members.h"
#include "frontend/lower/exchange.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/processes.h"
#include "ir/builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ValueId;

Scope Messages::protocol_scope(Instance& machine, const Item& protocol, const ValuePtr& size, ValueId local,
                               ir::FrameId frame, Location location) {
  const auto& parameters = std::get<item::Protocol>(protocol.node).parameters;
  Scope scope = instances_.scope_of(machine);
  scope.module = protocol.module;
  scope.frame = frame;
  scope = bind_local(scope, "local", number(local));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (i == 0) {
      scope =
          bind_local(scope, parameters[i].name.text, values_.convert(size, written_number(parameters[i].type.get())));
    } else if (parameters[i].default_value) {
      scope = bind_local(scope, parameters[i].name.text, expressions_.evaluate(*parameters[i].default_value, scope));
    } else {
      sites_.abandon(DiagnosticKind::not_expressible, location,
                     fmt::format("protocol `{}` needs more than the size of a message", protocol.name.text));
    }
  }
  return scope;
}

ValuePtr Messages::run_ends(const Item& protocol, const Scope& scope, const std::string& end) {
  const ValueId now = b_.real(0);
  const SymbolicTime long_ago;
  Exchange exchange(parts_, std::get<item::Protocol>(protocol.node), scope, end == "recv" ? long_ago : now,
                    end == "send" ? long_ago : now, protocol.location);
  const SymbolicTime result = end == "send"   ? exchange.cost_of_sender()
                              : end == "recv" ? exchange.cost_of_receiver()
                                              : exchange.finish_of_receiver();
  return number(result.value_or(now));
}

ValuePtr Messages::call_derived(const value::Derived& derived, const std::vector<Named>& arguments, const Scope&,
                                Location location) {
  ValuePtr size;
  ValuePtr local = number(b_.boolean(false));
  std::size_t position = 0;
  for (const Named& argument : arguments) {
    const bool is_local = argument.first == "local" || (argument.first.empty() && position == 1);
    if (argument.first.empty()) ++position;
    (is_local ? local : size) = argument.second;
  }
  if (!size) sites_.abandon(DiagnosticKind::not_expressible, location, "the size of the message is not given");
  Instance& machine = *derived.machine;
  const auto protocols = check::protocols_of(*machine.declaration);
  if (protocols.empty()) {
    sites_.abandon(
        DiagnosticKind::not_expressible, location,
        fmt::format("`{}` has no protocol, so `{}` has no cost", machine.declaration->name.text, derived.end));
  }
  const auto real = check::real_type();
  size = values_.convert(size, real);
  const auto body = [&](const std::vector<ValuePtr>& inside, ir::FrameId frame) {
    const ValueId is_local = values_.scalar_of(inside[1], location);
    std::vector<std::pair<ValueId, ValuePtr>> cases;
    ValuePtr result =
        values_.failure(FailureKind::error_called, machine.declaration->name.location, "no protocol applies");
    for (const Item* protocol : protocols) {
      const Scope scope = protocol_scope(machine, *protocol, inside[0], is_local, frame, location);
      const auto& node = std::get<item::Protocol>(protocol->node);
      const ValuePtr cost = run_ends(*protocol, scope, derived.end);
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
  const ir::SiteId negative = sites_.site(FailureKind::negative_quantity, location);
  sites_.note_types(negative, {check::data_type(), check::data_type()});
  const ValuePtr cost = values_.distribute(size, [&](const ValuePtr& given) {
    const ValueId checked = values_.scalar_of(given, location);
    const ValuePtr bytes = number(b_.check(b_.less_equal(b_.real(0), checked), checked, negative));
    return functions_.call_framed(machine.title + derived.end,
                                  fmt::format("derived.{}.{}", derived.end, fmt::ptr(&machine)), machine.frame,
                                  {"s", "local"}, {bytes, local}, real, body, inline_it, location);
  });
  return derived.guarded ? instances_.guard(cost, machine) : cost;
}

ValueId Messages::protocol_name(Instance& machine, const ValuePtr& size, ValueId local, Location location) {
  std::vector<std::pair<ValueId, ValueId>> cases;
  ValueId result = b_.integer(sites_.word("none"));
  for (const Item* protocol : check::protocols_of(*machine.declaration)) {
    const Scope scope = protocol_scope(machine, *protocol, size, local, machine.frame, location);
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

// --- The protocols of a machine in the system: one program for each end, in a frame that takes the size of a message
// and whether its ends share a node. ---

using ir::ScalarType;

namespace {

class ProtocolLowering {
 public:
  ProtocolLowering(const Parts& parts, ir::MessageEnds& ends, ir::Protocol& protocol)
      : parts_(parts), ends_(ends), protocol_(protocol) {}

  std::vector<ir::Step> end(const Block& block, Scope scope) {
    std::vector<ir::Step> steps;
    for (const auto& statement : block) {
      if (const auto* let = std::get_if<statement::Let>(&statement->node)) {
        scope = bind_later(scope, let->name, let->type.get(), *let->value, true);
      } else {
        steps.push_back(step(*statement, scope));
      }
    }
    return steps;
  }

 private:
  ir::Step step(const Statement& statement, const Scope& scope) {
    ir::Step step;
    step.location = statement.location;
    step.site =
        parts_.sites.site(FailureKind::weight_not_finite, statement.location, ends_.name + "." + protocol_.name);
    if (const auto* busy = std::get_if<statement::Busy>(&statement.node)) {
      step.kind = ir::Step::Kind::busy;
      step.time = time(*busy->time, scope, "busy");
    } else if (const auto* emit = std::get_if<statement::Emit>(&statement.node)) {
      step.kind = ir::Step::Kind::emit;
      signal(step, emit->signal, emit->resource, emit->occupied, scope);
      if (emit->after) step.time = time(*emit->after, scope, "emit");
    } else if (const auto* await = std::get_if<statement::Await>(&statement.node)) {
      step.kind = ir::Step::Kind::await;
      signal(step, await->signal, await->resource, await->occupied, scope);
    } else if (const auto* acquire = std::get_if<statement::Acquire>(&statement.node)) {
      step.kind = ir::Step::Kind::acquire;
      use(step, acquire->resource, acquire->occupied, scope, "acquire");
    } else if (const auto* arrival = std::get_if<statement::Arrival>(&statement.node)) {
      step.kind = ir::Step::Kind::arrival;
      signal(step, arrival->signal, arrival->resource, arrival->occupied, scope, "acquire");
      step.time = time(*arrival->time, scope, "busy");
    } else {
      parts_.sites.abandon(DiagnosticKind::misplaced_statement, statement.location,
                           "this statement has no place in a protocol");
    }
    return step;
  }

  void signal(ir::Step& step, const Identifier& name, const std::optional<Identifier>& resource,
              const ExprPtr& occupied, const Scope& scope, const char* what = "via") {
    step.signal = number_of(protocol_.signals, name.text);
    if (resource) use(step, *resource, occupied, scope, what);
  }

  void use(ir::Step& step, const Identifier& resource, const ExprPtr& occupied, const Scope& scope, const char* what) {
    step.resource = number_of(ends_.resources, resource.text);
    if (occupied) step.occupied = time(*occupied, scope, what);
  }

  ValueId time(const Expr& expr, const Scope& scope, const char* what) {
    return parts_.processes.not_negative(parts_.expressions.real(expr, scope), expr.location, check::time_type(),
                                         fmt::format("the time of `{}` in the protocol `{}`", what, protocol_.name));
  }

  static std::uint32_t number_of(std::vector<std::string>& names, const std::string& name) {
    const auto known = std::find(names.begin(), names.end(), name);
    if (known != names.end()) return static_cast<std::uint32_t>(known - names.begin());
    names.push_back(name);
    return static_cast<std::uint32_t>(names.size() - 1);
  }

  const Parts& parts_;
  ir::MessageEnds& ends_;
  ir::Protocol& protocol_;
};

}  // namespace

ir::EndsId Messages::message_ends(Instance& machine, Location location) {
  const auto known = ends_.find(&machine);
  if (known != ends_.end()) return known->second;
  const auto protocols = check::protocols_of(*machine.declaration);
  if (protocols.empty()) {
    sites_.abandon(DiagnosticKind::no_machine, location,
                   fmt::format("the machine `{}` has no protocol for messages", machine.declaration->name.text),
                   "this message");
  }
  ir::MessageEnds ends;
  const std::string title = machine.title.empty() ? machine.declaration->name.text + "." : machine.title;
  ends.name = title.substr(0, title.size() - 1);
  ends.frame = b_.frame(title + "message", machine.frame);
  ends.size = b_.parameter(ends.frame, "size", ScalarType::real);
  ends.local = b_.parameter(ends.frame, "local", ScalarType::boolean);
  ends.site = sites_.site(FailureKind::error_called, machine.declaration->name.location, "no protocol applies");
  const ValuePtr size = number(b_.parameter_value(ends.size));
  for (const Item* item : protocols) {
    const auto& node = std::get<item::Protocol>(item->node);
    const Scope scope = protocol_scope(machine, *item, size, b_.parameter_value(ends.local), ends.frame, location);
    ir::Protocol protocol;
    protocol.name = item->name.text;
    protocol.location = item->name.location;
    if (node.condition) protocol.condition = expressions_.scalar(*node.condition, scope);
    if (node.window) {
      const ValueId window = expressions_.scalar(*node.window, scope);
      const ir::SiteId negative =
          sites_.site(FailureKind::negative_count, node.window->location, "messages in a window");
      protocol.window = b_.check(b_.less_equal(b_.integer(1), window), window, negative);
    }
    ProtocolLowering lowering(parts_, ends, protocol);
    protocol.sender = lowering.end(node.sender, scope);
    protocol.receiver = lowering.end(node.receiver, scope);
    ends.protocols.push_back(std::move(protocol));
  }
  return ends_[&machine] = b_.ends(std::move(ends));
}

}  // namespace wave::frontend::lowering
