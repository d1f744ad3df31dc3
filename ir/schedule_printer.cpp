// Schedules as text: for `--verbose` in a phrase, for `--dump schedule` in full.
#include "ir/costs.h"
#include "ir/dependences.h"
#include "ir/expression_text.h"
#include "ir/printer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace wave::ir {

namespace {

std::string rows_text(const Space& space, const Schedule& schedule) {
  std::vector<std::string> loops;
  for (std::size_t level = 0; level < schedule.order.size(); ++level) {
    const std::uint32_t axis = schedule.order[level];
    std::string text = space.axes[axis].name;
    if (schedule.order.size() > 1 && level == 0) text += " outer";
    if (schedule.order.size() > 1 && level + 1 == schedule.order.size()) text += " inner";
    loops.push_back(text + (schedule.rising[axis] ? "" : " falling"));
  }
  return fmt::format("rows {}", fmt::join(loops, ", "));
}

std::string hyperplane_text(const Space& space, const Schedule& schedule) {
  std::string text = "hyperplane";
  bool is_first = true;
  for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
    const std::int32_t t = schedule.theta[axis];
    if (t == 0) continue;
    const std::string factor = std::abs(t) == 1 ? "" : fmt::format("{} ", std::abs(t));
    const char* sign = is_first ? (t < 0 ? " -" : " ") : (t < 0 ? " - " : " + ");
    text += fmt::format("{}{}{}", sign, factor, space.axes[axis].name);
    is_first = false;
  }
  return text;
}

const char* name_of(CostClass kind) {
  switch (kind) {
    case CostClass::uniform: return "uniform";
    case CostClass::per_axis: return "per axis";
    case CostClass::general: return "general";
    case CostClass::body: return "body";
  }
  return "?";
}

std::string pattern_text(const System& system, EventId event, const ReadPattern& pattern, ExpressionText& text) {
  std::vector<std::string> indices;
  for (const auto& axis : pattern.axes) indices.push_back(axis ? text.of(*axis) : "all");
  return fmt::format("{}[{}]", event_name(system, event), fmt::join(indices, ", "));
}

}  // namespace

std::string schedule_text(const System& system, const EventGroup& group, const Schedule& schedule) {
  switch (schedule.kind) {
    case ScheduleKind::rows: return rows_text(system[group.space], schedule);
    case ScheduleKind::hyperplane: return hyperplane_text(system[group.space], schedule);
    case ScheduleKind::on_demand: return "on demand";
  }
  return "?";
}

std::string print_schedule(const System& system) {
  std::string out;
  ExpressionText text(system);
  const FreeBinders binders(system);
  const auto patterns = read_patterns(system);
  for (const EventGroup& group : event_groups(system)) {
    std::vector<std::string> names;
    for (const EventId event : group.events) names.push_back(event_name(system, event));
    const Schedule plan = schedule(system, group);
    out += fmt::format("group {} over {}\n", fmt::join(names, ", "), system[group.space].name);
    out += fmt::format("  order:   {}\n  because: {}\n", schedule_text(system, group, plan), plan.reason);
    if (plan.kind == ScheduleKind::rows && plan.history >= 0) {
      out += fmt::format("  keeps:   {} earlier slice{} of {}\n", plan.history, plan.history == 1 ? "" : "s",
                         system[group.space].axes[plan.order.front()].name);
    }
    for (const EventId event : group.events) {
      out += fmt::format("  costs:   {} {}\n", event_name(system, event), name_of(cost_class(system, event)));
      for (const ReadPattern& pattern : patterns[event.index]) {
        out += fmt::format("  read:    {}\n", pattern_text(system, event, pattern, text));
      }
    }
    for (const Hoisted& hoisted : hoisted(system, group, binders))
      out += fmt::format("  hoisted: {}\n", text.of(hoisted.value));
    text.take_shared();
  }
  return out;
}

}  // namespace wave::ir
