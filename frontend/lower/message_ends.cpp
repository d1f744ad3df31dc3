// The protocols of a machine as the system has them: one program for each end, in a frame that takes the size of a
// message and whether its ends share a node.
#include "frontend/check/type_tools.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/messages.h"
#include "frontend/lower/processes.h"
#include "frontend/lower/sites.h"
#include "frontend/lower/values.h"
#include "ir/builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ScalarType;
using ir::ValueId;

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
    step.place = statement.place;
    step.site = parts_.sites.site(FailureKind::weight_not_finite, statement.place, ends_.name + "." + protocol_.name);
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
      parts_.sites.abandon(DiagnosticKind::misplaced_statement, statement.place,
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
    return parts_.processes.not_negative(parts_.expressions.real(expr, scope), expr.place, check::time_type(),
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

ir::EndsId Messages::message_ends(Instance& machine, Place place) {
  const auto known = ends_.find(&machine);
  if (known != ends_.end()) return known->second;
  const auto protocols = protocols_of(*machine.declaration);
  if (protocols.empty()) {
    sites_.abandon(DiagnosticKind::no_machine, place,
                   fmt::format("the machine `{}` has no protocol for messages", machine.declaration->name.text),
                   "this message");
  }
  ir::MessageEnds ends;
  const std::string title = machine.title.empty() ? machine.declaration->name.text + "." : machine.title;
  ends.name = title.substr(0, title.size() - 1);
  ends.frame = b_.frame(title + "message", machine.frame);
  ends.size = b_.parameter(ends.frame, "size", ScalarType::real);
  ends.local = b_.parameter(ends.frame, "local", ScalarType::boolean);
  ends.site = sites_.site(FailureKind::error_called, machine.declaration->name.place, "no protocol applies");
  const Symbolic size = make(value::Scalar{b_.parameter_value(ends.size)});
  for (const Item* item : protocols) {
    const auto& node = std::get<item::Protocol>(item->node);
    const Scope scope = protocol_scope(machine, *item, size, b_.parameter_value(ends.local), ends.frame, place);
    ir::Protocol protocol;
    protocol.name = item->name.text;
    protocol.place = item->name.place;
    if (node.condition) protocol.condition = expressions_.scalar(*node.condition, scope);
    if (node.window) {
      const ValueId window = expressions_.scalar(*node.window, scope);
      const ir::SiteId negative = sites_.site(FailureKind::negative_count, node.window->place, "messages in a window");
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
