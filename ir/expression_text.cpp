// One overload per node kind.
#include "ir/expression_text.h"

#include "ir/visit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wave::ir {

namespace {

enum Precedence { lowest, either, both, comparison, sum, product, unary, power, atom };

constexpr std::size_t deepest_text = 60;  // operands inside each other before a name breaks the line

struct Operator {
  const char* text;
  Precedence precedence;
};

Operator operator_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::add: return {" + ", sum};
    case BinaryOp::subtract: return {" - ", sum};
    case BinaryOp::multiply: return {" * ", product};
    case BinaryOp::divide: return {" / ", product};
    case BinaryOp::floor_divide: return {" div ", product};
    case BinaryOp::modulo: return {" mod ", product};
    case BinaryOp::power_integer:
    case BinaryOp::power_real: return {" ^ ", power};
    case BinaryOp::less: return {" < ", comparison};
    case BinaryOp::less_equal: return {" <= ", comparison};
    case BinaryOp::greater: return {" > ", comparison};
    case BinaryOp::greater_equal: return {" >= ", comparison};
    case BinaryOp::equal: return {" == ", comparison};
    case BinaryOp::not_equal: return {" != ", comparison};
    case BinaryOp::logical_and: return {" and ", both};
    case BinaryOp::logical_or: return {" or ", either};
    case BinaryOp::round_to: return {" to ", comparison};
  }
  return {" ? ", lowest};
}

const char* name_of(UnaryOp op) {
  switch (op) {
    case UnaryOp::negate: return "-";
    case UnaryOp::logical_not: return "not ";
    case UnaryOp::absolute: return "abs";
    case UnaryOp::floor: return "floor";
    case UnaryOp::ceil: return "ceil";
    case UnaryOp::round: return "round";
    case UnaryOp::square_root: return "sqrt";
    case UnaryOp::exponential: return "exp";
    case UnaryOp::natural_log: return "ln";
    case UnaryOp::log2: return "log2";
    case UnaryOp::log10: return "log10";
    case UnaryOp::to_real: return "real";
    case UnaryOp::to_integer: return "int";
    case UnaryOp::quantize: return "quantize";
    case UnaryOp::quantum_of: return "quantum";
  }
  return "?";
}

const char* name_of(ReduceKind kind) {
  switch (kind) {
    case ReduceKind::sum: return "sum";
    case ReduceKind::product: return "prod";
    case ReduceKind::maximum: return "max";
    case ReduceKind::minimum: return "min";
    case ReduceKind::count: return "count";
    case ReduceKind::any: return "any";
    case ReduceKind::all: return "all";
    case ReduceKind::arg_min: return "argmin";
    case ReduceKind::arg_max: return "argmax";
    case ReduceKind::nth: return "nth";
  }
  return "?";
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

const char* name_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::time: return "time";
    case Quantity::finish: return "finish";
    case Quantity::compute: return "compute";
    case Quantity::overhead: return "overhead";
    case Quantity::wait: return "wait";
    case Quantity::messages: return "messages";
    case Quantity::bytes: return "bytes";
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
    if (n.op == UnaryOp::negate || n.op == UnaryOp::logical_not) {
      return wrap(name_of(n.op) + self.write(n.operand, unary), n.op == UnaryOp::negate ? unary : both);
    }
    return fmt::format("{}({})", name_of(n.op), self.write(n.operand, lowest));
  }
  std::string operator()(const Binary& n) const {
    const Operator op = operator_of(n.op);
    const bool chains = op.precedence != comparison && op.precedence != power;
    const std::string left = self.write(n.left, chains ? op.precedence : op.precedence + 1);
    return wrap(left + op.text + self.write(n.right, op.precedence + 1), op.precedence);
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
    text += fmt::format(".{}{}", name_of(n.quantity), suffix_of(n.over));
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

// Shared, and more than a leaf or an operation on leaves.
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
