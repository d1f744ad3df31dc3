// Copies values by need, from what is asked for down to what becomes an input.
#include "backend/kernels/excerpt.h"

#include "backend/kernels/thresholds.h"
#include "ir/visit.h"
#include "ir/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace wave::backend::kernels {

namespace {

class Cutter {
 public:
  // `home`: the frame in whose activation the kernel runs.
  Cutter(const Whole& whole, ir::FrameId home)
      : from_(whole.system), binders_(whole.binders), effects_(whole.effects), home_(home) {
    to_.frames.push_back(from_.frames[ir::System::root_frame.index]);
    excerpt_.tables = &from_.tables;
  }

  template <class Fill>
  Excerpt run(Fill&& fill) && {
    fill();
    excerpt_.definitions.resize(to_.definitions.size());
    excerpt_.system = std::move(to_);
    return std::move(excerpt_);
  }

  void events(const std::vector<ir::EventId>& events, const std::unordered_set<ir::ValueId>& hoisted);
  void reduction(ir::ValueId reduction);
  void rows(const ir::RowBlock& rows);
  void columns(const std::vector<ir::BinderId>& indices, const std::vector<ir::ValueId>& columns);
  void call(ir::DefinitionId definition);

 private:
  // Where a value stands: in the root frame of the excerpt, or in a function.
  using Copies = std::unordered_map<ir::ValueId, ir::ValueId>;
  struct Place {
    Copies& copies;
    bool in_function = false;
  };

  // From the first refusal on nothing is copied any more: ids are not valid, and must not be looked at.
  void refuse(std::string why) { excerpt_.refusal = std::move(why); }
  bool is_refused() const { return !excerpt_.possible(); }

  ir::ValueId value(ir::ValueId id, Place place);
  ir::ValueId copy(ir::ValueId id, Place place);
  void keep_comparison(ir::ValueId condition, Place place);
  bool is_input(ir::ValueId id) const;
  ir::ValueId input(ir::ValueId id);
  ir::DefinitionId new_input(ir::ScalarType type, bool given);
  ir::ValueId weight(ir::ValueId id);
  ir::ValueId append(ir::Node node, ir::ScalarType type);
  ir::ValueId zero(ir::ScalarType type);
  // A number from which nothing may be concluded.
  ir::ValueId unknown() {
    return append(ir::Reference{new_input(ir::ScalarType::integer, false)}, ir::ScalarType::integer);
  }

  ir::BinderId binder(ir::BinderId id);
  ir::SiteId site(ir::SiteId id);
  ir::SpaceId space(ir::SpaceId id);
  ir::EventId declare(ir::EventId id);
  ir::EventId event(ir::EventId id);
  ir::ProcessId process(ir::ProcessId id);
  ir::FrameId frame(ir::FrameId id);
  bool has_events_or_processes(ir::FrameId id) const;
  ir::DefinitionId definition(ir::DefinitionId id);
  void own(ir::EventId id);
  void set_result(ir::ValueId body);

  const ir::System& from_;
  const ir::FreeBinders& binders_;
  const ir::Effects& effects_;
  const ir::FrameId home_;
  ir::System to_;
  Excerpt excerpt_;
  Copies outside_functions_;
  std::unordered_map<ir::FrameId, Copies> in_functions_;
  std::unordered_set<ir::BinderId> bound_;  // of the original: what the kernel binds itself
  std::unordered_set<ir::ValueId> hoisted_;
  std::unordered_map<ir::ValueId, ir::ValueId> inputs_;
  std::unordered_map<ir::BinderId, ir::BinderId> to_binder_;
  std::unordered_map<ir::SiteId, ir::SiteId> to_site_;
  std::unordered_map<ir::SpaceId, ir::SpaceId> to_space_;
  std::unordered_map<ir::EventId, ir::EventId> to_event_;
  std::unordered_map<ir::ProcessId, ir::ProcessId> to_process_;
  std::unordered_map<ir::FrameId, ir::FrameId> to_frame_;
  std::unordered_map<ir::ParameterId, ir::ParameterId> to_parameter_;
  std::unordered_map<ir::DefinitionId, ir::DefinitionId> to_definition_;
};

template <class Id, class Table>
Id id_of_last(const Table& table) {
  return Id{static_cast<std::uint32_t>(table.size() - 1)};
}

// --- inputs ---

ir::ValueId Cutter::append(ir::Node node, ir::ScalarType type) {
  to_.values.push_back({std::move(node), type});
  return id_of_last<ir::ValueId>(to_.values);
}

ir::ValueId Cutter::zero(ir::ScalarType type) {
  switch (type) {
    case ir::ScalarType::real: return append(ir::Constant{ir::Scalar::of(0.0)}, type);
    case ir::ScalarType::integer: return append(ir::Constant{ir::Scalar::of(std::int64_t{0})}, type);
    case ir::ScalarType::boolean: break;
  }
  return append(ir::Constant{ir::Scalar::of(false)}, type);
}

// One whose value is a constant in the excerpt is an argument of the code, and needs no question (see
// backend/jit/structure.h). Of the others the code asks whether they are there.
ir::DefinitionId Cutter::new_input(ir::ScalarType type, bool given) {
  const ir::ValueId body = given ? zero(type) : append(ir::Fail{}, type);
  to_.definitions.push_back({"input", type, ir::System::root_frame, body, {}, true});
  const auto id = id_of_last<ir::DefinitionId>(to_.definitions);
  excerpt_.inputs.resize(to_.definitions.size());
  if (given) excerpt_.given.push_back(id);
  return id;
}

// Nothing in it changes while the kernel runs, and it is there wherever it is asked for.
bool Cutter::is_input(ir::ValueId id) const {
  const ir::Node& node = from_[id].node;
  if (std::holds_alternative<ir::Constant>(node) || std::holds_alternative<ir::Fail>(node)) return false;
  if (effects_.is_of_cell(id)) return false;
  const auto& looked_at = binders_.of(id);
  return std::none_of(looked_at.begin(), looked_at.end(), [&](ir::BinderId binder) { return bound_.contains(binder); });
}

ir::ValueId Cutter::input(ir::ValueId id) {
  if (const auto known = inputs_.find(id); known != inputs_.end()) return known->second;
  const ir::ScalarType type = from_[id].type;
  const ir::DefinitionId definition = new_input(type, !effects_.may_fail(id) && is_quick(from_, id));
  excerpt_.inputs[definition.index] = id;
  return inputs_[id] = append(ir::Reference{definition}, type);
}

// A constant may be another number in the next instance.
ir::ValueId Cutter::weight(ir::ValueId id) {
  if (is_refused()) return {};
  if (hoisted_.contains(id) || std::holds_alternative<ir::Constant>(from_[id].node)) return input(id);
  return value(id, {outside_functions_});
}

// --- values ---

ir::ValueId Cutter::value(ir::ValueId id, Place place) {
  if (!id.valid() || is_refused()) return {};
  if (const auto known = place.copies.find(id); known != place.copies.end()) return known->second;
  const ir::ValueId result = !place.in_function && is_input(id) ? input(id) : copy(id, place);
  return place.copies[id] = result;
}

ir::ValueId Cutter::copy(ir::ValueId id, Place place) {
  ir::Value made = from_[id];
  if (auto* const parameter = std::get_if<ir::Parameter>(&made.node)) {
    if (!to_frame_.contains(from_[parameter->parameter].frame)) return input(id);
    parameter->parameter = to_parameter_.at(parameter->parameter);
  } else if (auto* const reference = std::get_if<ir::Reference>(&made.node)) {
    if (!to_frame_.contains(from_[reference->definition].frame)) return input(id);
    reference->definition = definition(reference->definition);
  } else if (auto* const call = std::get_if<ir::Call>(&made.node)) {
    call->frame = frame(call->frame);
    if (!is_refused()) call->definition = definition(call->definition);
  }
  if (is_refused()) return {};
  if (const auto* const reduce = std::get_if<ir::Reduce>(&made.node)) {
    for (const ir::Level& level : reduce->levels) bound_.insert(level.binder);
  }
  if (const auto* const check = std::get_if<ir::Check>(&made.node)) keep_comparison(check->condition, place);
  ir::for_each_operand(made.node, [&](ir::ValueId& operand) { operand = value(operand, place); });
  if (is_refused()) return {};
  std::visit(
      [&](auto& node) {
        using Kind = std::remove_cvref_t<decltype(node)>;
        if constexpr (requires { node.site; }) node.site = site(node.site);
        if constexpr (requires { node.binder; }) node.binder = binder(node.binder);
        if constexpr (requires { node.event; }) node.event = event(node.event);
        if constexpr (std::is_same_v<Kind, ir::Measure>) node.process = process(node.process);
        if constexpr (std::is_same_v<Kind, ir::Reduce>) {
          for (ir::Level& level : node.levels) level.binder = binder(level.binder), level.site = site(level.site);
        }
      },
      made.node);
  if (is_refused()) return {};
  return append(std::move(made.node), made.type);
}

// A check that fails tells both sides.
void Cutter::keep_comparison(ir::ValueId condition, Place place) {
  if (!std::holds_alternative<ir::Binary>(from_[condition].node)) return;
  const auto known = place.copies.find(condition);
  if (known == place.copies.end() || std::holds_alternative<ir::Reference>(to_[known->second].node))
    place.copies[condition] = copy(condition, place);
}

ir::BinderId Cutter::binder(ir::BinderId id) {
  const auto [place, is_new] = to_binder_.try_emplace(id);
  if (is_new) {
    to_.binders.push_back(from_[id]);
    place->second = id_of_last<ir::BinderId>(to_.binders);
  }
  return place->second;
}

ir::SiteId Cutter::site(ir::SiteId id) {
  if (!id.valid()) return id;
  const auto [place, is_new] = to_site_.try_emplace(id);
  if (is_new) {
    to_.sites.push_back(from_[id]);
    excerpt_.sites.push_back(id);
    place->second = id_of_last<ir::SiteId>(to_.sites);
  }
  return place->second;
}

// --- events ---

ir::SpaceId Cutter::space(ir::SpaceId id) {
  if (const auto known = to_space_.find(id); known != to_space_.end()) return known->second;
  ir::Space made = from_[id];
  made.frame = ir::System::root_frame;
  for (ir::Axis& axis : made.axes) {
    axis.binder = binder(axis.binder), axis.site = site(axis.site);
    axis.first = axis.last = unknown();  // the extents are asked of the evaluator
  }
  to_.spaces.push_back(std::move(made));
  return to_space_[id] = id_of_last<ir::SpaceId>(to_.spaces);
}

ir::EventId Cutter::declare(ir::EventId id) {
  const ir::Event& original = from_[id];
  ir::Event made;
  made.name = original.name, made.type = original.type, made.location = original.location;
  made.exact = original.exact;
  made.frame = ir::System::root_frame;
  made.space = space(original.space);
  made.site = site(original.site);
  to_.events.push_back(std::move(made));
  excerpt_.events.push_back(id);
  return to_event_[id] = id_of_last<ir::EventId>(to_.events);
}

// Cells of others are evaluated elsewhere: what stands in their place is never evaluated.
ir::EventId Cutter::event(ir::EventId id) {
  if (const auto known = to_event_.find(id); known != to_event_.end()) return known->second;
  const ir::EventId made = declare(id);
  to_[made].body = zero(from_[id].type);
  to_[made].exact = false;
  return made;
}

void Cutter::own(ir::EventId id) {
  const ir::Event& original = from_[id];
  const ir::EventId place = to_event_.at(id);
  const Place here{outside_functions_};
  std::vector<ir::Constraint> constraints = original.constraints;
  for (ir::Constraint& constraint : constraints) {
    constraint.guard = value(constraint.guard, here);
    if (constraint.source.valid()) {
      constraint.source = event(constraint.source);
    }
    for (ir::ValueId& one : constraint.weights) one = weight(one);
  }
  const ir::ValueId body = value(original.body, here);
  std::vector<ir::ValueId> otherwise = original.otherwise;
  for (ir::ValueId& one : otherwise) one = original.general() ? value(one, here) : weight(one);
  if (is_refused()) return;
  to_[place].constraints = std::move(constraints);
  to_[place].body = body;
  to_[place].otherwise = std::move(otherwise);
}

// --- functions ---

ir::ProcessId Cutter::process(ir::ProcessId id) {
  const auto [place, is_new] = to_process_.try_emplace(id);
  if (is_new) {
    if (to_frame_.contains(from_[id].frame)) {
      refuse("a function in it has a process of its own");
      return {};
    }
    ir::Process made;
    made.name = from_[id].name;
    made.frame = ir::System::root_frame;
    to_.processes.push_back(std::move(made));
    excerpt_.processes.push_back(id);
    excerpt_.asks_often = true;
    place->second = id_of_last<ir::ProcessId>(to_.processes);
  }
  return place->second;
}

ir::FrameId Cutter::frame(ir::FrameId id) {
  if (const auto known = to_frame_.find(id); known != to_frame_.end()) return known->second;
  // Which activation of it is meant could not be told.
  if (ir::encloses(from_, id, home_)) {
    refuse(fmt::format("`{}` calls itself", from_[id].name));
    return {};
  }
  const auto parent = to_frame_.find(from_[id].parent);
  to_.frames.push_back({from_[id].name, parent == to_frame_.end() ? ir::System::root_frame : parent->second});
  const auto made = id_of_last<ir::FrameId>(to_.frames);
  to_frame_[id] = made;
  for (std::uint32_t i = 0; i < from_.parameters.size(); ++i) {
    if (from_.parameters[i].frame != id) continue;
    to_.parameters.push_back({from_.parameters[i].name, from_.parameters[i].type, made});
    to_parameter_[ir::ParameterId{i}] = id_of_last<ir::ParameterId>(to_.parameters);
  }
  return made;
}

bool Cutter::has_events_or_processes(ir::FrameId id) const {
  const auto is_inside = [&](const auto& one) { return ir::encloses(from_, id, one.frame); };
  return std::any_of(from_.spaces.begin(), from_.spaces.end(), is_inside) ||
         std::any_of(from_.processes.begin(), from_.processes.end(), is_inside);
}

ir::DefinitionId Cutter::definition(ir::DefinitionId id) {
  if (const auto known = to_definition_.find(id); known != to_definition_.end()) return known->second;
  const ir::Definition& original = from_[id];
  ir::Definition made = original;
  made.frame = to_frame_.at(original.frame);
  made.body = {};
  to_.definitions.push_back(std::move(made));
  const auto place = id_of_last<ir::DefinitionId>(to_.definitions);
  to_definition_[id] = place;
  excerpt_.inputs.resize(to_.definitions.size());
  excerpt_.definitions.resize(to_.definitions.size());
  excerpt_.definitions[place.index] = id;
  ir::ValueId body;
  if (has_events_or_processes(original.frame)) {
    if (to_frame_.contains(from_[original.frame].parent)) {
      refuse("a function in it has recurrences of its own");
      return {};
    }
    body = append(ir::Fail{}, original.type);
    excerpt_.asks_often = true;
  } else {
    body = value(original.body, {in_functions_[original.frame], true});
  }
  to_[place].body = body;
  return place;
}

// --- what is cut out ---

void Cutter::events(const std::vector<ir::EventId>& events, const std::unordered_set<ir::ValueId>& hoisted) {
  hoisted_ = hoisted;
  for (const ir::EventId id : events) {
    for (const ir::Axis& axis : from_[from_[id].space].axes) bound_.insert(axis.binder);
  }
  for (const ir::EventId id : events) declare(id);
  for (const ir::EventId id : events) {
    if (!is_refused()) own(id);
  }
}

void Cutter::reduction(ir::ValueId reduction) { set_result(copy(reduction, {outside_functions_})); }

void Cutter::set_result(ir::ValueId body) {
  if (is_refused()) return;
  to_.definitions.push_back({"result", to_[body].type, ir::System::root_frame, body, {}});
  excerpt_.result = id_of_last<ir::DefinitionId>(to_.definitions);
  excerpt_.inputs.resize(to_.definitions.size());
}

void Cutter::rows(const ir::RowBlock& rows) {
  const Place here{outside_functions_};
  ir::RowBlock made = rows;
  for (const ir::Level& level : made.levels) bound_.insert(level.binder);
  for (ir::Level& level : made.levels) {
    ir::for_each_value_of_level(level, [&](ir::ValueId& id) { id = value(id, here); });
    level.binder = binder(level.binder), level.site = site(level.site);
  }
  for (ir::ValueId& column : made.columns) column = value(column, here);
  if (is_refused()) return;
  to_.roots.push_back({"rows", {std::move(made)}, {}});
}

void Cutter::columns(const std::vector<ir::BinderId>& indices, const std::vector<ir::ValueId>& columns) {
  const Place here{outside_functions_};
  ir::RowBlock made;
  for (const ir::BinderId index : indices) bound_.insert(index);
  for (const ir::BinderId index : indices) {
    ir::Level level;
    level.binder = binder(index);
    level.first = level.last = unknown();
    level.step = append(ir::Constant{ir::Scalar::of(std::int64_t{1})}, ir::ScalarType::integer);
    made.levels.push_back(level);
  }
  for (const ir::ValueId column : columns) made.columns.push_back(value(column, here));
  if (is_refused()) return;
  to_.roots.push_back({"columns", {std::move(made)}, {}});
}

void Cutter::call(ir::DefinitionId id) {
  const ir::FrameId callee = from_[id].frame;
  if (from_[callee].parent != ir::System::root_frame) return refuse("it is a function of a function");
  if (has_events_or_processes(callee)) return refuse("it has recurrences or processes of its own");
  ir::Call made;
  made.frame = frame(callee);
  if (is_refused()) return;
  for (const ir::FrameParameter& parameter : from_.parameters) {
    if (parameter.frame != callee) continue;
    const ir::DefinitionId argument = new_input(parameter.type, true);
    excerpt_.arguments.push_back(argument);
    made.arguments.push_back(append(ir::Reference{argument}, parameter.type));
  }
  made.definition = definition(id);
  if (is_refused()) return;
  set_result(append(std::move(made), from_[id].type));
}

}  // namespace

bool is_quick(const ir::System& system, ir::ValueId value) {
  return !ir::any_needed(system, value, most_nodes_of_quick, [](const ir::Node& node) {
    return std::holds_alternative<ir::Reduce>(node) || std::holds_alternative<ir::Call>(node) ||
           std::holds_alternative<ir::Read>(node) || std::holds_alternative<ir::Measure>(node);
  });
}

std::optional<ir::EventId> Excerpt::find(ir::EventId original) const {
  const auto found = std::find(events.begin(), events.end(), original);
  if (found == events.end()) return std::nullopt;
  return ir::EventId{static_cast<std::uint32_t>(found - events.begin())};
}

Excerpt cut_events(const Whole& whole, const std::vector<ir::EventId>& events,
                   const std::unordered_set<ir::ValueId>& hoisted) {
  Cutter cutter(whole, whole.system[events.front()].frame);
  return std::move(cutter).run([&] { cutter.events(events, hoisted); });
}

Excerpt cut_reduction(const Whole& whole, ir::ValueId reduction, ir::FrameId home) {
  Cutter cutter(whole, home);
  return std::move(cutter).run([&] { cutter.reduction(reduction); });
}

Excerpt cut_rows(const Whole& whole, const ir::RowBlock& rows) {
  Cutter cutter(whole, ir::System::root_frame);
  return std::move(cutter).run([&] { cutter.rows(rows); });
}

Excerpt cut_columns(const Whole& whole, ir::FrameId home, const std::vector<ir::BinderId>& indices,
                    const std::vector<ir::ValueId>& columns) {
  Cutter cutter(whole, home);
  return std::move(cutter).run([&] { cutter.columns(indices, columns); });
}

Excerpt cut_call(const Whole& whole, ir::DefinitionId definition) {
  Cutter cutter(whole, ir::System::root_frame);
  return std::move(cutter).run([&] { cutter.call(definition); });
}

}  // namespace wave::backend::kernels
