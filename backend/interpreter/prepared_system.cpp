// Numbers things and decides which shared values are worth remembering.
#include "backend/interpreter/prepared_system.h"

#include "backend/closed_form/recurrence.h"
#include "backend/interpreter/thresholds.h"
#include "ir/visit.h"

#include <algorithm>
#include <unordered_set>

namespace wave::backend::interpreter {

namespace {

bool is_cheap(const ir::Node& node) {
  return std::holds_alternative<ir::Constant>(node) || std::holds_alternative<ir::Parameter>(node) ||
         std::holds_alternative<ir::Index>(node) || std::holds_alternative<ir::Reference>(node) ||
         std::holds_alternative<ir::Neighbour>(node) || std::holds_alternative<ir::Fail>(node);
}

// A value that two places use is evaluated once under the same binders; so is one inside a loop that does not look
// at the loop's binder.
std::vector<bool> find_remembered(const ir::System& system, const ir::FreeBinders& binders) {
  std::vector<std::uint8_t> uses(system.values.size(), 0);
  std::vector<bool> result(system.values.size(), false);
  const auto use = [&](ir::ValueId value) {
    if (++uses[value.index] > 1) uses[value.index] = 2;
  };
  for (std::size_t i = 0; i < system.values.size(); ++i) {
    const auto* reduce = std::get_if<ir::Reduce>(&system.values[i].node);
    ir::for_each_operand(system.values[i].node, [&](ir::ValueId operand) {
      use(operand);
      if (reduce || binders.of(operand).size() < binders.of(ir::ValueId{static_cast<std::uint32_t>(i)}).size()) {
        result[operand.index] = true;
      }
    });
  }
  for (const ir::Event& event : system.events) {
    ir::for_each_value(event, [&](ir::ValueId value) { result[value.index] = true; });
  }
  for (const ir::Root& root : system.roots) {
    ir::for_each_value_of_root(root, [&](ir::ValueId value) { result[value.index] = true; });
  }
  for (const ir::Process& process : system.processes) {
    ir::for_each_value_of_process(process, [&](ir::ValueId value) { result[value.index] = true; });
  }
  for (std::size_t i = 0; i < system.values.size(); ++i) {
    result[i] = (result[i] || uses[i] > 1) && !is_cheap(system.values[i].node);
  }
  return result;
}

// With the functions that are called, each once; what loops repeat is not known.
double nodes_of_a_cell(const ir::System& system, const ir::EventGroup& group) {
  std::vector<ir::ValueId> pending;
  double nodes = 0;
  for (const ir::EventId event : group.events) {
    nodes += 2 + static_cast<double>(system[event].constraints.size());
    ir::for_each_value(system[event], [&](ir::ValueId value) { pending.push_back(value); });
  }
  std::unordered_set<ir::ValueId> seen;
  while (!pending.empty() && seen.size() < most_nodes_counted) {
    const ir::ValueId value = pending.back();
    pending.pop_back();
    if (!seen.insert(value).second) continue;
    ++nodes;
    const ir::Node& node = system[value].node;
    if (const auto* const call = std::get_if<ir::Call>(&node)) pending.push_back(system[call->definition].body);
    ir::for_each_operand(node, [&](ir::ValueId operand) { pending.push_back(operand); });
  }
  return nodes;
}

GroupPlan plan(const ir::System& system, ir::EventGroup group, const ir::FreeBinders& binders) {
  GroupPlan result;
  result.schedule = ir::schedule(system, group);
  result.hoisted = ir::hoisted(system, group, binders);
  for (const ir::EventId event : group.events) {
    for (const ir::Dependence& dependence : ir::dependences(system, event)) {
      const ir::EventId source = dependence.source;
      const bool is_own = std::find(group.events.begin(), group.events.end(), source) != group.events.end();
      const bool is_known = std::find(result.outside.begin(), result.outside.end(), source) != result.outside.end();
      if (!is_own && !is_known) result.outside.push_back(source);
    }
  }
  result.nodes = nodes_of_a_cell(system, group);
  result.group = std::move(group);
  return result;
}

}  // namespace

PreparedSystem::PreparedSystem(const ir::System& system, const EngineOptions& options)
    : system(system),
      options(options),
      binders(system),
      group_of(system.events.size(), 0),
      definitions_in(system.frames.size(), 0),
      is_long_function(system.frames.size(), false) {
  for (const bool is_remembered : find_remembered(system, binders)) {
    memory_number.push_back(is_remembered ? memories++ : not_remembered);
  }
  for (const ir::Definition& definition : system.definitions) {
    definition_slot.push_back(definitions_in[definition.frame.index]++);
  }
  std::vector<std::uint32_t> parameters_in(system.frames.size(), 0);
  for (const ir::FrameParameter& parameter : system.parameters) {
    parameter_slot.push_back(parameters_in[parameter.frame.index]++);
  }
  const auto note_long = [&](ir::FrameId frame) {
    const bool is_function = frame != ir::System::root_frame && system[frame].parent == ir::System::root_frame;
    if (is_function) is_long_function[frame.index] = true;
  };
  for (const ir::Event& event : system.events) note_long(event.frame);
  for (const ir::Process& process : system.processes) note_long(process.frame);
  const std::vector<bool> followed = ir::followed_events(system);
  for (ir::EventGroup& group : ir::event_groups(system)) {
    for (const ir::EventId event : group.events) group_of[event.index] = static_cast<std::uint32_t>(groups.size());
    groups.push_back(plan(system, std::move(group), binders));
    groups.back().may_shorten = options.shortcuts && closed_form::may_apply(system, groups.back().group, followed);
  }
  find_components();
}

// A group comes after those that it looks at.
void PreparedSystem::find_components() {
  constexpr std::uint32_t none = 0xffffffff;
  std::vector<std::uint32_t> towards(groups.size());
  const auto component = [&](std::uint32_t number) {
    while (towards[number] != number) number = towards[number] = towards[towards[number]];
    return number;
  };
  for (std::uint32_t number = 0; number < groups.size(); ++number) {
    towards[number] = number;
    for (const ir::EventId source : groups[number].outside) {
      const bool is_here = system[source].frame == groups[number].group.frame;
      if (is_here) towards[component(group_of[source.index])] = number;
    }
  }
  std::vector<std::uint32_t> place(groups.size(), none);
  for (std::uint32_t number = 0; number < groups.size(); ++number) {
    std::uint32_t& at = place[component(number)];
    if (at == none) {
      at = static_cast<std::uint32_t>(components.size());
      components.emplace_back();
      may_compile.push_back(true);
    }
    GroupPlan& plan = groups[number];
    plan.component = at;
    components[at].push_back(number);
    if (plan.schedule.kind == ir::ScheduleKind::on_demand || plan.group.reads_itself) may_compile[at] = false;
  }
}

const std::vector<ir::ReadPattern>& PreparedSystem::reads(ir::EventId event) const {
  std::call_once(reads_once_, [&] { reads_ = ir::read_patterns(system); });
  return reads_[event.index];
}

}  // namespace wave::backend::interpreter
