// Writes expressions, with one overload for each kind of node.
#include "ir/operations.h"
#include "ir/text.h"
#include "ir/visit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wave::ir {

namespace {

enum Precedence { lowest, either, both, comparison, sum, product, unary, power, atom };

constexpr std::size_t deepest_text = 60;  // how deep operands may nest before a name breaks the line

// How tightly a binary operator binds.
Precedence precedence_of(BinaryOp op) {
  switch (op) {
#define WAVE_BINARY(name, text, binds, ...) \
  case BinaryOp::name: return binds;
#include "ir/operations.def"
  }
  return lowest;
}

std::string constant_text(Scalar x) {
  switch (x.type) {
    case ScalarType::integer: return fmt::format("{}", x.integer);
    case ScalarType::boolean: return x.boolean ? "true" : "false";
    case ScalarType::real: break;
  }
  std::string text = fmt::format("{}", x.real);
  if (text.find_first_of(".einf") == std::string::npos) text += ".0";
  return text;
}

const char* name_of(Metric metric) {
  switch (metric) {
    case Metric::time: return "time";
    case Metric::finish: return "finish";
    case Metric::compute: return "compute";
    case Metric::overhead: return "overhead";
    case Metric::wait: return "wait";
    case Metric::messages: return "messages";
    case Metric::bytes: return "bytes";
    case Metric::peak: return "peak";
  }
  return "?";
}

const char* suffix_of(Over over) {
  switch (over) {
    case Over::one: return "";
    case Over::greatest: return ".max";
    case Over::mean: return ".mean";
    case Over::least: return ".min";
  }
  return "?";
}

const char* name_of(FailureKind kind) {
  switch (kind) {
#define WAVE_FAILURE(name) \
  case FailureKind::name: return #name;
#include "ir/failures.def"
#undef WAVE_FAILURE
  }
  return "?";
}

}  // namespace

struct ExpressionText::Visit {
  ExpressionText& self;
  int outer;  // the precedence that needs no parentheses

  std::string operator()(const Constant& n) const {
    const std::string text = constant_text(n.value);
    return text.front() == '-' ? wrap(text, unary) : text;
  }
  std::string operator()(const Parameter& n) const { return self.system_[n.parameter].name; }
  std::string operator()(const Index& n) const { return self.system_[n.binder].name; }
  std::string operator()(const Reference& n) const { return self.system_[n.definition].name; }
  std::string operator()(const Unary& n) const {
    const std::string text = operation(n.op).text;
    if (n.op == UnaryOp::negate) return wrap(text + self.write(n.operand, unary), unary);
    if (n.op == UnaryOp::logical_not) return wrap(text + " " + self.write(n.operand, unary), both);
    return fmt::format("{}({})", text, self.write(n.operand, lowest));
  }
  std::string operator()(const Binary& n) const {
    const Precedence precedence = precedence_of(n.op);
    const bool chains = precedence != comparison && precedence != power;
    const std::string left = self.write(n.left, chains ? precedence : precedence + 1);
    return wrap(fmt::format("{} {} {}", left, operation(n.op).text, self.write(n.right, precedence + 1)), precedence);
  }
  std::string operator()(const Maximum& n) const { return "max(" + list(n.operands) + ")"; }
  std::string operator()(const Minimum& n) const { return "min(" + list(n.operands) + ")"; }
  std::string operator()(const Select& n) const {
    std::string text = "if " + self.write(n.condition, lowest);
    text += " then " + self.write(n.if_true, lowest);
    return wrap(text + " else " + self.write(n.if_false, lowest), lowest);
  }
  std::string operator()(const Check& n) const {
    std::string text = fmt::format("check({}, ", self.write(n.condition, lowest));
    return text + fmt::format("{} else {})", self.write(n.value, lowest), failure(n.site));
  }
  std::string operator()(const Fail& n) const { return "fail(" + failure(n.site) + ")"; }
  std::string operator()(const Call& n) const {
    return fmt::format("{}({}).{}", self.system_[n.frame].name, list(n.arguments), self.system_[n.definition].name);
  }
  std::string operator()(const Reduce& n) const {
    std::string head = n.kind == ReduceKind::nth ? self.write(n.value, lowest) + "; " : "";
    head += self.levels(n.levels);
    if (n.kind == ReduceKind::count || !n.body.valid()) return fmt::format("{}({})", name_of(n.kind), head);
    std::string text = fmt::format("{}({}: {}", name_of(n.kind), head, self.write(n.body, lowest));
    const bool has_place = n.kind == ReduceKind::arg_min || n.kind == ReduceKind::arg_max;
    return text + (has_place ? " at " + self.write(n.value, lowest) : "") + ")";
  }
  std::string operator()(const Read& n) const {
    return fmt::format("{}[{}]", event_name(self.system_, n.event), list(n.indices)) + (n.site.valid() ? "" : "?");
  }
  std::string operator()(const Neighbour& n) const { return self.neighbour(n); }
  std::string operator()(const Measure& n) const {
    const Process& process = self.system_[n.process];
    std::string text = process.name;
    if (n.phase.valid()) text += fmt::format(".phase(\"{}\")", process.phases[n.phase.index]);
    text += fmt::format(".{}{}", name_of(n.metric), suffix_of(n.over));
    if (n.memory.valid()) text += fmt::format("(\"{}\")", process.memories[n.memory.index]);
    return n.indices.empty() ? text : fmt::format("{}[{}]", text, list(n.indices));
  }
  std::string operator()(const Lookup& n) const {
    return fmt::format("{}({})", self.system_[n.table].name, list(n.keys));
  }

 private:
  std::string wrap(std::string text, int precedence) const { return precedence < outer ? "(" + text + ")" : text; }

  std::string list(const std::vector<ValueId>& values) const {
    std::vector<std::string> texts;
    for (const ValueId value : values) texts.push_back(self.write(value, lowest));
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  std::string failure(SiteId id) const {
    const Site& site = self.system_[id];
    return site.text.empty() ? name_of(site.kind) : fmt::format("{} \"{}\"", name_of(site.kind), site.text);
  }
};

std::string event_name(const System& system, EventId event) {
  const Event& own = system[event];
  std::string result = own.name;
  for (std::uint32_t i = 0; i < event.index; ++i) {
    if (system.events[i].frame == own.frame && system.events[i].name == own.name) result += "'";
  }
  return result;
}

ExpressionText::ExpressionText(const System& system) : system_(system), uses_(system.values.size(), 0) {
  for (const Value& value : system.values) {
    for_each_operand(value.node, [&](ValueId operand) {
      if (uses_[operand.index] < 2) ++uses_[operand.index];
    });
  }
}

// Whether a node is shared and is more than a leaf or an operation on leaves.
bool ExpressionText::is_named(ValueId value) const {
  if (uses_[value.index] < 2) return false;
  bool is_small = true;
  for_each_operand(system_[value].node, [&](ValueId operand) {
    bool is_leaf = true;
    for_each_operand(system_[operand].node, [&](ValueId) { is_leaf = false; });
    is_small = is_small && is_leaf;
  });
  return !is_small;
}

std::string ExpressionText::write(ValueId value, int precedence) {
  if (value != top_ && (is_named(value) || depth_ >= deepest_text)) {
    if (announced_.insert(value).second) pending_.push_back(value);
    return fmt::format("%{}", value.index);
  }
  ++depth_;
  std::string text = std::visit(Visit{*this, precedence}, system_[value].node);
  --depth_;
  return text;
}

std::string ExpressionText::of(ValueId value) {
  if (!value.valid()) return "?";
  top_ = value;
  return write(value, lowest);
}

std::string ExpressionText::of_summand(ValueId value) {
  top_ = value;
  return write(value, product);
}

std::string ExpressionText::neighbour(const Neighbour& node) const {
  const Space& space = system_[system_[node.event].space];
  std::vector<std::string> indices;
  for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
    const std::int32_t d = axis < node.offset.size() ? node.offset[axis] : 0;
    indices.push_back(d == 0 ? space.axes[axis].name : fmt::format("{}{:+}", space.axes[axis].name, d));
  }
  return fmt::format("{}[{}]", event_name(system_, node.event), fmt::join(indices, ", "));
}

std::string ExpressionText::levels(const std::vector<Level>& levels) {
  std::vector<std::string> texts;
  for (const Level& level : levels) {
    std::string text =
        fmt::format("{} in {}..{}", system_[level.binder].name, write(level.first, sum), write(level.last, sum));
    const auto* step = std::get_if<Constant>(&system_[level.step].node);
    if (level.geometric || !step || step->value.integer != 1) {
      text += fmt::format(" by {}{}", level.geometric ? "*" : "", write(level.step, sum));
    }
    if (level.filter.valid()) text += " if " + write(level.filter, lowest);
    texts.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::vector<std::string> ExpressionText::take_shared() {
  std::vector<std::string> lines;
  while (!pending_.empty()) {
    const ValueId value = pending_.front();
    pending_.erase(pending_.begin());
    const std::string text = of(value);
    lines.push_back(fmt::format("%{} = {}", value.index, text));
  }
  announced_.clear();
  return lines;
}

}  // namespace wave::ir
