// See inputs.h.
#include "analysis/inputs.h"

#include "backend/processes/program/weight_places.h"
#include "frontend/ast/walk.h"
#include "frontend/check/members.h"
#include "ir/operations.h"
#include "ir/visit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace wave::analysis {

namespace {

using frontend::Expr;
using frontend::Item;

// Collects what the evaluation of values may look at.
class Walk {
 public:
  explicit Walk(const ir::System& system) : system_(system) {}

  Reached reached;
  std::function<bool(ir::DefinitionId)> ends_at;
  bool with_checks = true;
  // The extents of grids, and what processes are made of.
  bool with_grids = false;
  // The arguments of the functions that values stand in.
  bool through_calls = false;

  void from(ir::ValueId start) {
    values_.push_back(start);
    go_on();
  }

 private:
  void go_on() {
    while (!values_.empty() || !events_.empty()) {
      if (!events_.empty()) {
        const ir::EventId event = events_.back();
        events_.pop_back();
        if (reached.events.insert(event).second) look_at(system_[event]);
        continue;
      }
      const ir::ValueId value = values_.back();
      values_.pop_back();
      if (value.valid() && seen_.insert(value).second) look_at(value);
    }
  }

  void look_at(ir::ValueId value) {
    const ir::Node& node = system_[value].node;
    const auto* check = std::get_if<ir::Check>(&node);
    if (check && !with_checks) return values_.push_back(check->value);
    ir::for_each_operand(node, [&](ir::ValueId operand) { values_.push_back(operand); });
    if (const auto* n = std::get_if<ir::Reference>(&node)) definition(n->definition);
    if (const auto* n = std::get_if<ir::Call>(&node)) definition(n->definition);
    if (const auto* n = std::get_if<ir::Read>(&node)) events_.push_back(n->event);
    if (const auto* n = std::get_if<ir::Neighbour>(&node)) events_.push_back(n->event);
    if (const auto* n = std::get_if<ir::Lookup>(&node)) reached.tables.insert(n->table);
    if (const auto* n = std::get_if<ir::Measure>(&node)) {
      reached.measures.insert(value);
      const bool is_count = ir::is_counted(n->metric);
      if (with_grids) process(n->process, is_count);
    }
    if (const auto* n = std::get_if<ir::Parameter>(&node); n && through_calls) arguments(n->parameter);
  }

  void arguments(ir::ParameterId parameter) {
    const ir::FrameId frame = system_[parameter].frame;
    std::size_t at = 0;
    for (std::uint32_t p = 0; p < parameter.index; ++p) at += system_.parameters[p].frame == frame ? 1 : 0;
    for (const ir::Value& value : system_.values) {
      const auto* const call = std::get_if<ir::Call>(&value.node);
      if (call && call->frame == frame) values_.push_back(call->arguments[at]);
    }
  }

  void definition(ir::DefinitionId id) {
    if (reached.definitions.insert(id).second && !(ends_at && ends_at(id))) values_.push_back(system_[id].body);
  }
  void look_at(const ir::Event& event) {
    ir::for_each_value(event, [&](ir::ValueId value) { values_.push_back(value); });
    if (with_grids) space(event.space);
    for (const ir::Constraint& constraint : event.constraints) {
      if (constraint.source.valid()) events_.push_back(constraint.source);
    }
  }
  void space(ir::SpaceId id) {
    for (const ir::Axis& axis : system_[id].axes) values_.insert(values_.end(), {axis.first, axis.last});
  }

  // What messages and computation take does not change how many messages there are.
  void process(ir::ProcessId id, bool counts_only) {
    if (!processes_.insert({id, counts_only}).second) return;
    const ir::Process& process = system_[id];
    const auto look_at = [&](ir::ValueId value) { values_.push_back(value); };
    space(process.space);
    if (!counts_only) {  // who waits for whom at a resource
      for (const ir::SharedLevel& level : process.levels) look_at(level.group);
    }
    ir::for_each_statement(process, [&](const ir::Statement& statement) {
      const bool takes_time =
          std::holds_alternative<ir::Compute>(statement.node) || std::holds_alternative<ir::Collective>(statement.node);
      if (counts_only && takes_time) return;
      for (const ir::HeldId held : statement.held) look_at(process.held[held.index].size);
      ir::for_each_value_of_statement(statement, look_at);
      const auto* message = std::get_if<ir::Message>(&statement.node);
      if (message && !counts_only) ir::for_each_value_of_ends(system_[message->ends], look_at);
    });
  }

  const ir::System& system_;
  std::vector<ir::ValueId> values_;
  std::vector<ir::EventId> events_;
  std::set<ir::ValueId> seen_;
  std::set<std::pair<ir::ProcessId, bool>> processes_;
};

int time_in(const frontend::TypeRef& type) {
  const auto* real = type ? std::get_if<frontend::types::Real>(&type->kind) : nullptr;
  return real ? real->dimension.time : 0;
}

const char* word_of_decision(const ir::Statement& statement) {
  if (std::holds_alternative<ir::Sweep>(statement.node)) return "how many tiles there are";
  if (std::holds_alternative<ir::Loop>(statement.node)) return "which iterations there are";
  if (std::holds_alternative<ir::Branch>(statement.node)) return "which branch is taken";
  return "whom this goes to or comes from";
}

// --- why a parameter is unused ---

void add_names(const Expr& e, std::set<std::string>& names) {
  const auto* read = std::get_if<frontend::expr::Name>(&e.node);
  if (read && std::holds_alternative<frontend::target::Member>(read->target)) names.insert(read->text);
  frontend::for_each_child(e, [&](const Expr& child) { add_names(child, names); });
}

// The members of machines and models, their bases' included, that read a parameter.
class Readers {
 public:
  const std::vector<std::string>& of(const Item& owner, const std::string& parameter) {
    const auto [known, is_new] = of_.try_emplace(&owner);
    if (is_new) {
      for (const Item* declaration : frontend::check::with_bases(owner)) note_members(*declaration, known->second);
    }
    return known->second[parameter];
  }

 private:
  using ByName = std::map<std::string, std::vector<std::string>>;

  static void note_members(const Item& declaration, ByName& into) {
    const auto* members = frontend::check::members_of(declaration);
    if (!members) return;
    for (const auto& member : *members) {
      std::set<std::string> names;
      frontend::for_each_expression(*member, [&](const Expr& e) { add_names(e, names); });
      for (const std::string& name : names)
        into[name].push_back(member->name.text.empty() ? "require" : member->name.text);
    }
  }

  std::map<const Item*, ByName> of_;
};

std::string why(const frontend::ParameterInfo& parameter, Readers& readers) {
  const std::string name = parameter.path.substr(parameter.path.rfind('.') + 1);
  const std::vector<std::string>& all = readers.of(*parameter.owner, name);
  if (all.empty()) return fmt::format("nothing in `{}` reads it", parameter.owner->name.text);
  std::string text = "`" + all.front() + "`";
  if (all.size() == 2) text += " and `" + all.back() + "`";
  if (all.size() > 2) text += fmt::format(" and {} others", all.size() - 1);
  return text + (all.size() == 1 ? " reads it, but for no output" : " read it, but for no output");
}

}  // namespace

Reached reach(const ir::System& system, ir::ValueId from, const std::function<bool(ir::DefinitionId)>& ends_at,
              bool with_grids) {
  Walk walk(system);
  walk.ends_at = ends_at;
  walk.with_grids = with_grids;
  walk.from(from);
  return std::move(walk.reached);
}

std::set<ir::DefinitionId> reach_through_calls(const ir::System& system, const std::vector<ir::ValueId>& values) {
  Walk walk(system);
  walk.with_grids = walk.through_calls = true;
  for (const ir::ValueId value : values) walk.from(value);
  return std::move(walk.reached.definitions);
}

std::vector<ir::ValueId> sizes_of_messages(const ir::System& system, ir::ProcessId process) {
  std::vector<ir::ValueId> sizes;
  ir::for_each_statement(system[process], [&](const ir::Statement& statement) {
    const auto* const message = std::get_if<ir::Message>(&statement.node);
    if (message && message->size.valid()) sizes.push_back(message->size);
  });
  return sizes;
}

std::vector<Decision> decisions_of(const ir::System& system, const std::set<ir::ValueId>& measures) {
  std::vector<Decision> decisions;
  const auto add = [&](Location location, const char* what, const std::vector<ir::ValueId>& values) {
    decisions.push_back({location, what, reach_through_calls(system, values)});
  };
  std::set<ir::ProcessId> seen;
  for (const ir::ValueId measure : measures) {
    const auto& asked = std::get<ir::Measure>(system[measure].node);
    const ir::Process& process = system[asked.process];
    if (ir::is_counted(asked.metric)) {
      std::vector<ir::ValueId> counted = sizes_of_messages(system, asked.process);
      for (const ir::Held& held : process.held) counted.push_back(held.size);
      add(process.location, "what is counted of this process", counted);
    }
    if (!seen.insert(asked.process).second) continue;
    std::vector<ir::ValueId> extents;
    for (const ir::Axis& axis : system[process.space].axes) extents.insert(extents.end(), {axis.first, axis.last});
    add(process.location, "the extents of its grid", extents);
    ir::for_each_statement(process, [&](const ir::Statement& statement) {
      std::vector<ir::ValueId> values;
      ir::for_each_value_of_statement(statement, [&](ir::ValueId value) { values.push_back(value); });
      const ir::ValueId weight = backend::processes::value_of_weight(statement);
      std::erase(values, weight);
      if (!values.empty()) add(statement.location, word_of_decision(statement), values);
    });
  }
  return decisions;
}

std::set<ir::ValueId> surely_asked(const ir::System& system, ir::ValueId from) {
  std::set<ir::ValueId> asked, seen;
  std::vector<ir::ValueId> open{from};
  while (!open.empty()) {
    const ir::ValueId value = open.back();
    open.pop_back();
    if (!value.valid() || !seen.insert(value).second) continue;
    const ir::Node& node = system[value].node;
    if (const auto* n = std::get_if<ir::Select>(&node)) {
      open.push_back(n->condition);
    } else if (const auto* n = std::get_if<ir::Binary>(&node);
               n && (n->op == ir::BinaryOp::logical_and || n->op == ir::BinaryOp::logical_or)) {
      open.push_back(n->left);
    } else if (!std::holds_alternative<ir::Reduce>(node)) {
      ir::for_each_operand(node, [&](ir::ValueId operand) { open.push_back(operand); });
    }
    if (const auto* n = std::get_if<ir::Reference>(&node)) open.push_back(system[n->definition].body);
    if (const auto* n = std::get_if<ir::Call>(&node)) open.push_back(system[n->definition].body);
    if (std::holds_alternative<ir::Measure>(node)) asked.insert(value);
  }
  return asked;
}

std::set<ir::DefinitionId> looked_at(const frontend::Lowered& lowered, bool with_checks) {
  const ir::System& system = lowered.system;
  Walk walk(system);
  walk.with_checks = with_checks;
  walk.with_grids = true;
  for (const frontend::OutputInfo& output : lowered.outputs) {
    if (!output.root.valid()) continue;
    ir::Root root = system[output.root];
    if (!with_checks) root.precondition = {};
    ir::for_each_value_of_root(root, [&](ir::ValueId value) { walk.from(value); });
  }
  return std::move(walk.reached.definitions);
}

std::vector<Input> inputs_of(const frontend::Lowered& lowered) {
  std::set<ir::DefinitionId> parameters;
  for (const auto& one : lowered.parameters) {
    if (one.definition.valid() && time_in(one.type) != 0) parameters.insert(one.definition);
  }
  const auto is_parameter = [&](ir::DefinitionId id) { return parameters.count(id) != 0; };
  std::vector<Input> inputs;
  for (const auto& one : lowered.parameters) {
    if (!one.definition.valid() || !is_parameter(one.definition)) continue;
    const Reached inside = reach(lowered.system, lowered.system[one.definition].body, is_parameter);
    const bool is_derived = std::any_of(inside.definitions.begin(), inside.definitions.end(), is_parameter);
    if (is_derived) continue;
    inputs.push_back({Input::Kind::parameter, one.path, {}, time_in(one.type), one.definition, {}, 0});
  }
  for (const auto& one : lowered.literals) {
    const auto kind = one.table.valid() ? Input::Kind::table : Input::Kind::literal;
    inputs.push_back({kind, one.text, one.location, one.time, one.definition, one.table, 0});
  }
  return inputs;
}

void add_cuts(std::vector<Input>& inputs, const std::vector<frontend::CutInfo>& cuts) {
  for (const auto& cut : cuts) {
    if (!cut.definition.valid() || cut.time == 0) continue;
    const auto same = [&](const Input& input) { return input.definition == cut.definition; };
    std::erase_if(inputs, same);
    inputs.push_back({Input::Kind::cut, cut.name, {}, cut.time, cut.definition, {}, 0});
  }
}

std::vector<UnusedParameter> unused_parameters(const frontend::Lowered& lowered) {
  const auto used = looked_at(lowered, false), checked = looked_at(lowered, true);
  Readers readers;
  std::set<std::string> unused_objects;
  const auto inside = [&](const std::string& path) -> const std::string* {
    for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1)) {
      const auto object = unused_objects.find(path.substr(0, dot));
      if (object != unused_objects.end()) return &*object;
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
      result.push_back({one.path, one.given, why(one, readers)});
    }
  }
  return result;
}

}  // namespace wave::analysis
