// Expressions with as few parentheses as the precedences allow. A subexpression that several places share, or that
// lies very deep, is written once, as `%12 = ...` below the line that uses it.
#include "ir/printer.h"

#include "ir/dependences.h"
#include "ir/text.h"
#include "ir/visit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace wave::ir {

namespace {

const char* name_of(ScalarType type) {
  switch (type) {
    case ScalarType::real: return "real";
    case ScalarType::integer: return "int";
    case ScalarType::boolean: return "bool";
  }
  return "?";
}

class SystemPrinter {
 public:
  explicit SystemPrinter(const System& system) : system_(system), text_(system) {}

  std::string print() {
    for (std::uint32_t i = 0; i < system_.frames.size(); ++i) print_frame(FrameId{i});
    for (const Root& root : system_.roots) print_root(root);
    return std::move(out_);
  }

 private:
  void line(int indent, const std::string& text) {
    out_ += fmt::format("{:{}}{}\n", "", 2 * indent, text);
    for (const std::string& shared : text_.take_shared()) out_ += fmt::format("{:{}}{}\n", "", 2 * indent + 4, shared);
  }

  void print_frame(FrameId id) {
    std::string parameters;
    for (const FrameParameter& parameter : system_.parameters) {
      if (parameter.frame != id) continue;
      parameters += fmt::format("{}{}: {}", parameters.empty() ? "" : ", ", parameter.name, name_of(parameter.type));
    }
    const FrameId parent = system_[id].parent;
    line(0, fmt::format("frame {}({}){}", system_[id].name, parameters,
                        parent.valid() ? " in " + system_[parent].name : ""));
    for (const Definition& definition : system_.definitions) {
      if (definition.frame != id) continue;
      line(1, fmt::format("{} {}: {} = {}", definition.bindable ? "param" : "let", definition.name,
                          name_of(definition.type), definition.body.valid() ? text_.of(definition.body) : "?"));
    }
    for (const Space& space : system_.spaces) {
      if (space.frame == id) line(1, fmt::format("space {}[{}]", space.name, axes(space)));
    }
    for (std::uint32_t i = 0; i < system_.events.size(); ++i) {
      if (system_.events[i].frame == id) print_event(EventId{i});
    }
    const PrintLine put = [&](int indent, const std::string& text) { line(indent, text); };
    for (const MessageEnds& ends : system_.ends) {
      if (ends.frame == id) print_ends(system_, ends, text_, 1, put);
    }
    for (const Process& process : system_.processes) {
      if (process.frame == id) print_process(system_, process, text_, 1, put);
    }
  }

  std::string axes(const Space& space) {
    std::string text;
    for (const Axis& axis : space.axes) {
      text += fmt::format("{}{} in {}..{}{}", text.empty() ? "" : ", ", axis.name, text_.of(axis.first),
                          text_.of(axis.last), axis.wrap ? " wrap" : "");
    }
    return text;
  }

  void print_event(EventId id) {
    const Event& event = system_[id];
    const Space& space = system_[event.space];
    std::string binders;
    for (const Axis& axis : space.axes) binders += (binders.empty() ? "" : ", ") + axis.name;
    const std::string target = fmt::format("{}[{}]", event_name(system_, id), binders);
    line(1,
         fmt::format("event {} over {}: {}{}", target, space.name, name_of(event.type), event.exact ? ", exact" : ""));
    for (const Constraint& constraint : event.constraints) {
      line(2, fmt::format("{} >= {}{}", target, sum(constraint),
                          constraint.guard.valid() ? "  if " + text_.of(constraint.guard) : ""));
    }
    if (event.general()) line(2, fmt::format("{} = {}", target, text_.of(event.body)));
    Constraint otherwise;
    otherwise.weights = event.otherwise;
    if (!event.otherwise.empty()) line(2, "else " + sum(otherwise));
  }

  std::string sum(const Constraint& constraint) {
    std::vector<std::string> summands;
    if (constraint.source.valid()) summands.push_back(text_.neighbour({constraint.source, constraint.offset}));
    for (const ValueId weight : constraint.weights) summands.push_back(text_.of_summand(weight));
    return fmt::format("{}", fmt::join(summands, " + "));
  }

  void print_root(const Root& root) {
    line(0, "root " + root.name);
    if (root.precondition.valid()) line(1, "requires " + text_.of(root.precondition));
    for (const RowBlock& block : root.blocks) {
      std::vector<std::string> columns;
      for (const ValueId column : block.columns) columns.push_back(text_.of(column));
      const std::string loop = block.levels.empty() ? "" : fmt::format("for {}: ", text_.levels(block.levels));
      line(1, fmt::format("{}{}", loop, fmt::join(columns, "; ")));
    }
  }

  const System& system_;
  ExpressionText text_;
  std::string out_;
};

}  // namespace

std::string print(const System& system) { return SystemPrinter(system).print(); }

std::string print(const System& system, ValueId value) {
  ExpressionText text(system);
  std::string result = text.of(value);
  for (const std::string& shared : text.take_shared()) result += "\n    " + shared;
  return result;
}

// --- schedules: for `--verbose` in a phrase, for `--dump schedule` in full ---

namespace {

// Classifies what the weights of an event's constraints look at. The simpler it is, the more an engine can do with
// them.
enum class CostClass {
  uniform,   // no weight looks at an index
  per_axis,  // each weight (and guard) looks at one index at most
  general,   // some weight looks at several indices, or at another event
  body,      // not an event of constraints
};

CostClass cost_class(const System& system, EventId id) {
  const Event& event = system[id];
  if (event.general()) return CostClass::body;
  const FreeBinders binders(system);
  std::size_t most = 0;
  for_each_value(event, [&](ValueId value) { most = std::max(most, binders.of(value).size()); });
  return most == 0 ? CostClass::uniform : most == 1 ? CostClass::per_axis : CostClass::general;
}

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
