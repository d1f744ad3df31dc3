// See unused.h.
#include "analysis/unused.h"

#include "frontend/ast/walk.h"
#include "frontend/check/members.h"
#include "ir/visit.h"

#include <fmt/format.h>

#include <map>
#include <variant>

namespace wave::analysis {

namespace {

using frontend::Expr;
using frontend::Item;

class Walker {
 public:
  Walker(const ir::System& system, bool with_checks) : system_(system), with_checks_(with_checks) {}
  std::set<ir::DefinitionId> definitions;

  void walk(ir::ValueId start) {
    pending_.push_back(start);
    while (!pending_.empty()) {
      const ir::ValueId value = pending_.back();
      pending_.pop_back();
      if (value.valid() && seen_.insert(value).second) look_at(system_[value].node);
    }
  }

 private:
  void look_at(const ir::Node& node) {
    const auto* check = std::get_if<ir::Check>(&node);
    if (check && !with_checks_) return pending_.push_back(check->value);
    ir::for_each_operand(node, [&](ir::ValueId operand) { pending_.push_back(operand); });
    if (const auto* n = std::get_if<ir::Reference>(&node)) definition(n->definition);
    if (const auto* n = std::get_if<ir::Call>(&node)) definition(n->definition);
    if (const auto* n = std::get_if<ir::Read>(&node)) event(n->event);
    if (const auto* n = std::get_if<ir::Neighbour>(&node)) event(n->event);
    if (const auto* n = std::get_if<ir::Measure>(&node)) {
      process(n->process, n->quantity == ir::Quantity::messages || n->quantity == ir::Quantity::bytes);
    }
  }

  void definition(ir::DefinitionId id) {
    if (definitions.insert(id).second) pending_.push_back(system_[id].body);
  }
  void space(ir::SpaceId id) {
    for (const ir::Axis& axis : system_[id].axes) pending_.insert(pending_.end(), {axis.first, axis.last});
  }
  void event(ir::EventId id) {
    if (!events_.insert(id).second) return;
    ir::for_each_value(system_[id], [&](ir::ValueId value) { pending_.push_back(value); });
    space(system_[id].space);
    for (const ir::Constraint& constraint : system_[id].constraints) {
      if (constraint.source.valid()) event(constraint.source);
    }
  }

  // What messages and computation take does not change how many messages there are.
  void process(ir::ProcessId id, bool counts_only) {
    if (!processes_.insert({id, counts_only}).second) return;
    const ir::Process& process = system_[id];
    const auto look_at = [&](ir::ValueId value) { pending_.push_back(value); };
    space(process.space);
    ir::for_each_statement(process, [&](const ir::Statement& statement) {
      const bool takes_time =
          std::holds_alternative<ir::Compute>(statement.node) || std::holds_alternative<ir::Collective>(statement.node);
      if (counts_only && takes_time) return;
      ir::for_each_value_of_statement(statement, look_at);
      const auto* message = std::get_if<ir::Message>(&statement.node);
      if (message && !counts_only) ir::for_each_value_of_ends(system_[message->ends], look_at);
    });
  }

  const ir::System& system_;
  bool with_checks_;
  std::vector<ir::ValueId> pending_;
  std::set<ir::ValueId> seen_;
  std::set<ir::EventId> events_;
  std::set<std::pair<ir::ProcessId, bool>> processes_;
};

bool names(const Expr& e, const std::string& name) {
  const auto* read = std::get_if<frontend::expr::Name>(&e.node);
  bool found = read && read->text == name && std::holds_alternative<frontend::target::Member>(read->target);
  if (!found) frontend::for_each_child(e, [&](const Expr& child) { found = found || names(child, name); });
  return found;
}

// The members of a machine or model, its bases' included, that read one of its parameters.
std::vector<std::string> readers(const Item& owner, const std::string& parameter) {
  std::vector<std::string> result;
  for (const Item* declaration : frontend::check::with_bases(owner)) {
    const auto* members = frontend::check::members_of(*declaration);
    if (!members) continue;
    for (const auto& member : *members) {
      bool reads = false;
      frontend::for_each_expression(*member, [&](const Expr& e) { reads = reads || names(e, parameter); });
      if (reads) result.push_back(member->name.text.empty() ? "require" : member->name.text);
    }
  }
  return result;
}

std::string why(const frontend::ParameterInfo& parameter) {
  const std::string name = parameter.path.substr(parameter.path.rfind('.') + 1);
  const std::vector<std::string> all = readers(*parameter.owner, name);
  if (all.empty()) return fmt::format("nothing in `{}` reads it", parameter.owner->name.text);
  std::string text = "`" + all.front() + "`";
  if (all.size() == 2) text += " and `" + all.back() + "`";
  if (all.size() > 2) text += fmt::format(" and {} others", all.size() - 1);
  return text + (all.size() == 1 ? " reads it, but for no output" : " read it, but for no output");
}

}  // namespace

std::set<ir::DefinitionId> looked_at(const frontend::Lowered& lowered, bool with_checks) {
  const ir::System& system = lowered.system;
  Walker walker(system, with_checks);
  for (const frontend::OutputInfo& output : lowered.outputs) {
    if (!output.root.valid()) continue;
    ir::Root root = system[output.root];
    if (!with_checks) root.precondition = {};
    ir::for_each_value_of_root(root, [&](ir::ValueId value) { walker.walk(value); });
  }
  return walker.definitions;
}

std::vector<UnusedParameter> unused_parameters(const frontend::Lowered& lowered) {
  const auto used = looked_at(lowered, false), checked = looked_at(lowered, true);
  std::set<std::string> unused_objects;
  const auto inside = [&](const std::string& path) -> const std::string* {
    for (const std::string& object : unused_objects) {
      if (path.starts_with(object + ".")) return &object;
    }
    return nullptr;
  };
  std::vector<UnusedParameter> result;
  for (const frontend::ParameterInfo& one : lowered.parameters) {
    if (one.definition.valid() ? used.count(one.definition) != 0 : one.is_asked) continue;
    const std::string* object = inside(one.path);
    if (!one.definition.valid()) unused_objects.insert(one.path);
    if (object && !one.given) continue;
    if (object) {
      result.push_back({one.path, true, fmt::format("no output looks at `{}`", *object)});
    } else if (checked.count(one.definition) != 0) {
      result.push_back({one.path, one.given, "only `require` or a range looks at it"});
    } else {
      result.push_back({one.path, one.given, why(one)});
    }
  }
  return result;
}

}  // namespace wave::analysis
