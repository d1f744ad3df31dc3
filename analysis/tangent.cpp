// The tangent of every kind of node, and of functions. See tangent.h.
#include "analysis/tangent.h"

#include "ir/operations.h"
#include "ir/visit.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace wave::analysis {

using ir::BinaryOp;
using ir::ScalarType;
using ir::UnaryOp;
using ir::ValueId;

Tangents::Tangents(ir::System& system, std::map<ir::DefinitionId, ir::DefinitionId> inputs,
                   std::map<ir::TableId, ir::DefinitionId> tables, std::map<ValueId, ValueId> stand_ins)
    : system_(system),
      b_(system),
      inputs_(std::move(inputs)),
      tables_(std::move(tables)),
      stand_ins_(std::move(stand_ins)) {
  site_ = b_.site(ir::FailureKind::division_by_zero, {}, "a derivative");
  find_dependent();
}

ir::DefinitionId Tangents::make_seed(ir::Builder& builder, const std::string& name) {
  return builder.define(ir::System::root_frame, name, builder.real(0), {}, true);
}

ir::DefinitionId Tangents::define(ValueId value) {
  const ValueId result = tangent(value);
  if (!result.valid()) return {};
  return b_.define(ir::System::root_frame, "tangent", result);
}

// --- what depends on an input ---

bool Tangents::is_dependent(ValueId value) const {
  const ir::Node& node = system_[value].node;
  bool result = false;
  if (const auto* n = std::get_if<ir::Reference>(&node)) return definitions_[n->definition.index];
  if (const auto* n = std::get_if<ir::Parameter>(&node)) return parameters_[n->parameter.index];
  if (const auto* n = std::get_if<ir::Call>(&node)) return definitions_[n->definition.index];
  if (const auto* n = std::get_if<ir::Read>(&node)) return events_[n->event.index];
  if (const auto* n = std::get_if<ir::Neighbour>(&node)) return events_[n->event.index];
  if (const auto* n = std::get_if<ir::Lookup>(&node)) result = tables_.count(n->table) != 0;
  if (const auto* n = std::get_if<ir::Measure>(&node)) {
    const auto stand_in = stand_ins_.find(value);
    if (stand_in != stand_ins_.end()) return values_[stand_in->second.index];
    return !ir::is_counted(n->metric);
  }
  ir::for_each_operand(node, [&](ValueId operand) { result = result || values_[operand.index]; });
  return result;
}

// Repeats until nothing changes, since recurrences and functions may need themselves.
void Tangents::find_dependent() {
  values_.assign(system_.values.size(), false);
  definitions_.assign(system_.definitions.size(), false);
  parameters_.assign(system_.parameters.size(), false);
  events_.assign(system_.events.size(), false);
  bool changed = true;
  const auto set = [&](std::vector<bool>& flags, std::size_t at, bool value) {
    if (!value || flags[at]) return;
    flags[at] = true;
    changed = true;
  };
  while (changed) {
    changed = false;
    for (std::size_t i = 0; i < system_.values.size(); ++i) {
      const ir::Value& value = system_.values[i];
      if (value.type == ScalarType::real) set(values_, i, is_dependent(ValueId{static_cast<std::uint32_t>(i)}));
      const auto* call = std::get_if<ir::Call>(&value.node);
      if (!call) continue;
      std::size_t argument = 0;
      for (std::size_t p = 0; p < system_.parameters.size(); ++p) {
        if (system_.parameters[p].frame == call->frame) set(parameters_, p, values_[call->arguments[argument++].index]);
      }
    }
    for (std::size_t i = 0; i < system_.definitions.size(); ++i) {
      const bool is_input = inputs_.count(ir::DefinitionId{static_cast<std::uint32_t>(i)}) != 0;
      const ValueId body = system_.definitions[i].body;
      set(definitions_, i, is_input || (body.valid() && values_[body.index]));
    }
    for (std::size_t i = 0; i < system_.events.size(); ++i) {
      const ir::Event& event = system_.events[i];
      ir::for_each_value(event, [&](ValueId value) { set(events_, i, values_[value.index]); });
      for (const auto& one : event.constraints) set(events_, i, one.source.valid() && events_[one.source.index]);
    }
  }
}

// --- small algebra, in which a value that is not valid is zero ---

ValueId Tangents::add(ValueId a, ValueId b) {
  if (!a.valid() || !b.valid()) return a.valid() ? a : b;
  return b_.add(a, b);
}

ValueId Tangents::scale(ValueId tangent, ValueId by) { return tangent.valid() ? b_.multiply(tangent, by) : tangent; }

// a / b, but 0 where both are 0, and infinite where b alone is.
ValueId Tangents::ratio(ValueId a, ValueId b) {
  const ValueId endless = b_.multiply(a, b_.real(std::numeric_limits<double>::infinity()));
  const ValueId at_zero = b_.select(b_.equal(a, zero()), zero(), endless);
  return b_.select(b_.equal(b, zero()), at_zero, b_.divide(a, b, site_));
}

// --- nodes ---

struct Tangents::Rules {
  Tangents& self;
  ir::Builder& b;
  ValueId original, value;  // the node; the same where frames are copied

  ValueId operator()(const ir::Constant&) const { return {}; }
  ValueId operator()(const ir::Parameter& n) const { return b.parameter_value(self.of_parameter_.at(n.parameter)); }
  ValueId operator()(const ir::Index&) const { return {}; }
  ValueId operator()(const ir::Reference& n) const { return self.tangent_of(n.definition); }

  ValueId operator()(const ir::Unary& n) const {
    const ValueId t = self.tangent(n.operand);
    if (!t.valid()) return {};
    const ValueId x = self.copy(n.operand);
    switch (n.op) {
      case UnaryOp::negate: return b.negate(t);
      case UnaryOp::absolute: return b.select(b.less(x, self.zero()), b.negate(t), t);
      case UnaryOp::square_root: return self.ratio(t, b.multiply(b.real(2), value));
      case UnaryOp::exponential: return b.multiply(t, value);
      case UnaryOp::natural_log: return self.ratio(t, x);
      case UnaryOp::log2: return self.ratio(t, b.multiply(b.real(std::numbers::ln2), x));
      case UnaryOp::log10: return self.ratio(t, b.multiply(b.real(std::numbers::ln10), x));
      case UnaryOp::cube_root: return self.ratio(t, b.multiply(b.real(3), b.multiply(value, value)));
      case UnaryOp::normal_quantile: {  // 1 / the density
        const ValueId density = b.unary(UnaryOp::exponential, b.multiply(b.real(-0.5), b.multiply(value, value)));
        return self.ratio(t, b.multiply(b.real(1 / std::sqrt(2 * std::numbers::pi)), density));
      }
      case UnaryOp::quantize: return t;
      case UnaryOp::logical_not:
      case UnaryOp::floor:
      case UnaryOp::random_number:  // elsewhere it is another one
      case UnaryOp::ceil:
      case UnaryOp::round:
      case UnaryOp::to_real:
      case UnaryOp::to_integer:
      case UnaryOp::quantum_of: return {};
    }
    return {};
  }

  ValueId operator()(const ir::Binary& n) const {
    const ValueId left = self.tangent(n.left), right = self.tangent(n.right);
    if (!left.valid() && !right.valid()) return {};
    const ValueId x = self.copy(n.left), y = self.copy(n.right);
    switch (n.op) {
      case BinaryOp::add: return self.add(left, right);
      case BinaryOp::subtract:
        if (!right.valid()) return left;
        return left.valid() ? b.subtract(left, right) : b.negate(right);
      case BinaryOp::multiply: return self.add(self.scale(left, y), self.scale(right, x));
      case BinaryOp::divide:
        return self.ratio(right.valid() ? b.subtract(self.or_zero(left), b.multiply(value, right)) : left, y);
      case BinaryOp::modulo:
        if (!right.valid()) return left;
        return b.subtract(self.or_zero(left), b.multiply(b.binary(BinaryOp::floor_divide, x, y, self.site_), right));
      case BinaryOp::power_real: {
        const ValueId is_root =
            b.logical_and(b.equal(x, self.zero()), b.logical_and(b.less(self.zero(), y), b.less(y, b.real(1))));
        const ValueId below_or_above =
            b.select(is_root, b.real(std::numeric_limits<double>::infinity()), self.ratio(b.multiply(y, value), x));
        const ValueId slope = b.select(b.equal(y, b.real(1)), b.real(1), below_or_above);
        ValueId result = self.scale(left, slope);
        if (right.valid()) {
          const ValueId logarithm = b.unary(UnaryOp::natural_log, x, self.site_);
          const ValueId grows = b.multiply(b.multiply(value, logarithm), right);
          result = self.add(result, b.select(b.less(self.zero(), x), grows, self.zero()));
        }
        return result;
      }
      case BinaryOp::round_to: return left;
      case BinaryOp::floor_divide:
      case BinaryOp::power_integer:
      case BinaryOp::less:
      case BinaryOp::less_equal:
      case BinaryOp::greater:
      case BinaryOp::greater_equal:
      case BinaryOp::equal:
      case BinaryOp::not_equal:
      case BinaryOp::logical_and:
      case BinaryOp::logical_or: return {};
    }
    return {};
  }

  ValueId operator()(const ir::Maximum& n) const { return extremum(n.operands, true); }
  ValueId operator()(const ir::Minimum& n) const { return extremum(n.operands, false); }
  ValueId operator()(const ir::Select& n) const {
    return b.select(self.copy(n.condition), self.or_zero(self.tangent(n.if_true)),
                    self.or_zero(self.tangent(n.if_false)));
  }
  ValueId operator()(const ir::Check& n) const { return self.tangent(n.value); }
  ValueId operator()(const ir::Fail&) const { return {}; }
  ValueId operator()(const ir::Call& n) const { return self.call(n); }

  ValueId operator()(const ir::Reduce& n) const {
    ir::Reduce result{n.kind, {}, {}, {}, n.site};
    for (ir::Level level : n.levels) {
      for (ValueId* id : {&level.first, &level.last, &level.step, &level.filter}) {
        if (id->valid()) *id = self.copy(*id);
      }
      result.levels.push_back(level);
    }
    switch (n.kind) {
      case ir::ReduceKind::sum: result.body = self.or_zero(self.tangent(n.body)); break;
      case ir::ReduceKind::product:
        result.kind = ir::ReduceKind::sum;
        result.body = self.ratio(self.or_zero(self.tangent(n.body)), self.copy(n.body));
        return b.multiply(value, b.node(std::move(result), ScalarType::real));
      case ir::ReduceKind::maximum:
      case ir::ReduceKind::minimum: {
        if (self.in_event_ && self.present(n.body).valid()) throw NoTangent{"an extremum over neighbours in a loop"};
        const bool greatest = n.kind == ir::ReduceKind::maximum;
        result.kind = greatest ? ir::ReduceKind::arg_max : ir::ReduceKind::arg_min;
        result.body = self.copy(n.body);
        result.value = self.or_zero(self.tangent(n.body));
        break;
      }
      case ir::ReduceKind::arg_min:
      case ir::ReduceKind::arg_max:
        result.body = self.copy(n.body);
        result.value = self.or_zero(self.tangent(n.value));
        break;
      case ir::ReduceKind::nth:
        result.body = self.or_zero(self.tangent(n.body));
        result.value = self.copy(n.value);
        break;
      case ir::ReduceKind::count:
      case ir::ReduceKind::any:
      case ir::ReduceKind::all: return {};
    }
    return b.node(std::move(result), ScalarType::real);
  }

  ValueId operator()(const ir::Read& n) const {
    ir::Read read{self.event(n.event), {}, n.site};
    for (const ValueId index : n.indices) read.indices.push_back(self.copy(index));
    return b.node(std::move(read), ScalarType::real);
  }
  ValueId operator()(const ir::Neighbour& n) const { return b.neighbour(self.event(n.event), n.offset); }
  ValueId operator()(const ir::Lookup& n) const {
    for (const ValueId key : n.keys) {
      if (self.tangent(key).valid()) throw NoTangent{"a table is read at a key that depends on times"};
    }
    const auto seed = self.tables_.find(n.table);
    return seed == self.tables_.end() ? ValueId{} : b.multiply(b.reference(seed->second), value);
  }
  ValueId operator()(const ir::Measure&) const {
    const auto stand_in = self.stand_ins_.find(original);
    if (stand_in == self.stand_ins_.end()) throw NoTangent{"a time of a process whose parts are not known"};
    return self.tangent(stand_in->second);
  }

 private:
  ValueId extremum(const std::vector<ValueId>& operands, bool greatest) const {
    std::vector<Candidate> candidates;
    for (const ValueId operand : operands) {
      candidates.push_back({self.in_event_ ? self.present(operand) : ValueId{}, self.copy(operand),
                            self.or_zero(self.tangent(operand))});
    }
    return self.choose(candidates, greatest).tangent;
  }
};

ValueId Tangents::tangent(ValueId value) {
  if (!values_[value.index]) return {};
  auto& known = known_[in_event_];
  if (const auto found = known.find(value); found != known.end()) return found->second;
  const ir::Node node = system_[value].node;  // the list of values grows meanwhile
  const ValueId result = std::visit(Rules{*this, b_, value, copy(value)}, node);
  known[value] = result;
  return result;
}

ValueId Tangents::tangent_of(ir::DefinitionId definition) {
  if (const auto seed = inputs_.find(definition); seed != inputs_.end()) return b_.reference(seed->second);
  auto& result = of_definition_[definition];
  if (!result.valid()) {
    const ir::Definition original = system_[definition];
    const bool is_root = original.frame == ir::System::root_frame;
    const ir::FrameId frame = is_root ? original.frame : copy_frame(original.frame).frame;
    const ir::DefinitionId made = b_.declare(frame, original.name + "'", ScalarType::real, original.location);
    result = made;
    const bool in_event = std::exchange(in_event_, false);
    const ValueId body = or_zero(tangent(original.body));
    in_event_ = in_event;
    b_.set_body(made, body);
    return b_.reference(made);
  }
  return b_.reference(result);
}

// --- functions: copied with a tangent for each argument that may have one ---

ValueId Tangents::call(const ir::Call& call) {
  const FrameCopy& target = copy_frame(call.frame);
  std::vector<ValueId> arguments;
  for (const ValueId argument : call.arguments) arguments.push_back(copy(argument));
  for (std::size_t i = 0; i < target.originals.size(); ++i) {
    if (parameters_[target.originals[i].index]) arguments.push_back(or_zero(tangent(call.arguments[i])));
  }
  tangent_of(call.definition);
  return b_.call(target.frame, of_definition_.at(call.definition), std::move(arguments), call.site);
}

Tangents::FrameCopy& Tangents::copy_frame(ir::FrameId id) {
  if (const auto known = frames_.find(id); known != frames_.end()) return known->second;
  const ir::System::Frame original = system_[id];
  const bool in_root = original.parent == ir::System::root_frame;
  FrameCopy made{b_.frame(original.name + "'", in_root ? original.parent : copy_frame(original.parent).frame), {}};
  const std::size_t count = parameters_.size();
  for (std::size_t p = 0; p < count; ++p) {
    if (system_.parameters[p].frame == id) made.originals.push_back(ir::ParameterId{static_cast<std::uint32_t>(p)});
  }
  for (const ir::ParameterId p : made.originals) {
    const ir::FrameParameter parameter = system_[p];
    copy_of_parameter_[p] = b_.parameter(made.frame, parameter.name, parameter.type);
  }
  for (const ir::ParameterId p : made.originals) {
    if (parameters_[p.index]) of_parameter_[p] = b_.parameter(made.frame, system_[p].name + "'", ScalarType::real);
  }
  return frames_[id] = std::move(made);
}

// The same value, in the copy of its frame if the frame is copied.
ValueId Tangents::copy(ValueId value) {
  if (const auto known = copies_.find(value); known != copies_.end()) return known->second;
  ir::Node node = system_[value].node;
  const ScalarType type = system_[value].type;
  // The process of a function belongs to the original of its frame.
  if (const auto* n = std::get_if<ir::Measure>(&node); n && system_[n->process].frame != ir::System::root_frame) {
    const auto stand_in = stand_ins_.find(value);
    if (stand_in == stand_ins_.end()) throw NoTangent{"a result of `" + system_[n->process].name + "` in a formula"};
    return copies_[value] = copy(stand_in->second);
  }
  ir::for_each_operand(node, [&](ValueId& operand) { operand = copy(operand); });
  if (auto* n = std::get_if<ir::Parameter>(&node)) {
    copy_frame(system_[n->parameter].frame);
    n->parameter = copy_of_parameter_.at(n->parameter);
  } else if (auto* n = std::get_if<ir::Reference>(&node)) {
    n->definition = copy(n->definition);
  } else if (auto* n = std::get_if<ir::Call>(&node); n && system_[n->frame].parent != ir::System::root_frame) {
    const FrameCopy& target = copy_frame(n->frame);
    for (const ir::ParameterId p : target.originals) {
      if (parameters_[p.index]) n->arguments.push_back(zero());
    }
    n->frame = target.frame;
    n->definition = copy(n->definition);
  }
  const ValueId result = b_.node(std::move(node), type);
  copies_[value] = result;
  return result;
}

ir::DefinitionId Tangents::copy(ir::DefinitionId id) {
  if (system_[id].frame == ir::System::root_frame) return id;
  if (const auto known = copy_of_.find(id); known != copy_of_.end()) return known->second;
  const ir::Definition original = system_[id];
  const ir::DefinitionId made =
      b_.declare(copy_frame(original.frame).frame, original.name, original.type, original.location);
  copy_of_[id] = made;
  const ValueId body = copy(original.body);
  b_.set_body(made, body);
  return made;
}

}  // namespace wave::analysis
