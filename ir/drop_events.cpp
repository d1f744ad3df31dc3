// Dropping events renumbers events and spaces, which nobody outside the system refers to.
#include "ir/dependences.h"
#include "ir/passes.h"
#include "ir/visit.h"

#include <set>

namespace wave::ir {

namespace {

// Everything that definitions and roots lead to.
class Reached {
 public:
  explicit Reached(const System& system) : system_(system), seen_(system.values.size(), false) {
    for (const Definition& definition : system.definitions) walk(definition.body);
    for (const Process& process : system.processes) {
      for_each_value_of_process(process, [&](ValueId value) { walk(value); });
      for (const Axis& axis : system[process.space].axes) walk(axis.first), walk(axis.last);
    }
    for (const MessageEnds& ends : system.ends) for_each_value_of_ends(ends, [&](ValueId value) { walk(value); });
    for (const Root& root : system.roots) for_each_value_of_root(root, [&](ValueId value) { walk(value); });
  }
  std::set<EventId> events;

 private:
  void walk(ValueId start) {
    std::vector<ValueId> pending{start};
    while (!pending.empty()) {
      const ValueId value = pending.back();
      pending.pop_back();
      if (!value.valid() || seen_[value.index]) continue;
      seen_[value.index] = true;
      const Node& node = system_[value].node;
      for_each_operand(node, [&](ValueId operand) { pending.push_back(operand); });
      const auto* read = std::get_if<Read>(&node);
      const auto* neighbour = std::get_if<Neighbour>(&node);
      if (read) reach(read->event, pending);
      if (neighbour) reach(neighbour->event, pending);
    }
  }

  void reach(EventId start, std::vector<ValueId>& pending) {
    std::vector<EventId> more{start};
    while (!more.empty()) {
      const EventId id = more.back();
      more.pop_back();
      if (!events.insert(id).second) continue;
      const Event& event = system_[id];
      for_each_value(event, [&](ValueId value) { pending.push_back(value); });
      for (const Axis& axis : system_[event.space].axes) pending.insert(pending.end(), {axis.first, axis.last});
      for (const Constraint& constraint : event.constraints) {
        if (constraint.source.valid()) more.push_back(constraint.source);
      }
    }
  }

  const System& system_;
  std::vector<bool> seen_;
};

template <class Tag, class Thing>
std::vector<Id<Tag>> keep(std::vector<Thing>& list, const std::set<Id<Tag>>& kept) {
  std::vector<Id<Tag>> numbers(list.size());
  std::vector<Thing> result;
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    if (!kept.count(Id<Tag>{i})) continue;
    numbers[i] = Id<Tag>{static_cast<std::uint32_t>(result.size())};
    result.push_back(std::move(list[i]));
  }
  list = std::move(result);
  return numbers;
}

}  // namespace

System drop_unread_events(const System& system) {
  const std::set<EventId> events = Reached(system).events;
  std::set<SpaceId> spaces;
  for (const EventId event : events) spaces.insert(system[event].space);
  for (const Process& process : system.processes) spaces.insert(process.space);
  System result = system;
  const auto event_numbers = keep(result.events, events);
  const auto space_numbers = keep(result.spaces, spaces);
  for (Event& event : result.events) {
    event.space = space_numbers[event.space.index];
    for (Constraint& constraint : event.constraints) {
      if (constraint.source.valid()) constraint.source = event_numbers[constraint.source.index];
    }
  }
  for (Process& process : result.processes) process.space = space_numbers[process.space.index];
  // A value that refers to a dropped event is one that nothing refers to.
  for (Value& value : result.values) {
    auto* read = std::get_if<Read>(&value.node);
    auto* neighbour = std::get_if<Neighbour>(&value.node);
    EventId* event = read ? &read->event : neighbour ? &neighbour->event : nullptr;
    if (event) *event = event_numbers[event->index];
    if (event && !event->valid())
      value.node = Constant{value.type == ScalarType::real      ? Scalar::of(0.0)
                            : value.type == ScalarType::integer ? Scalar::of(std::int64_t{0})
                                                                : Scalar::of(false)};
  }
  return result;
}

}  // namespace wave::ir
