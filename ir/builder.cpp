// Sharing and folding.
#include "ir/builder.h"

#include "ir/arithmetic.h"
#include "ir/operations.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace wave::ir {

namespace {

template <class Tag, class Thing>
Id<Tag> append(std::vector<Thing>& list, Thing thing) {
  list.push_back(std::move(thing));
  return Id<Tag>{static_cast<std::uint32_t>(list.size() - 1)};
}

}  // namespace

Builder::Builder(System& system) : system_(system) {
  if (system_.frames.empty()) system_.frames.push_back({"root", {}});
  for (std::uint32_t i = 0; i < system_.values.size(); ++i) {
    known_.find_or_add(system_.values[i].node, system_.values[i].type, ValueId{i});
  }
}

// --- scopes ---

FrameId Builder::frame(std::string name, FrameId parent) {
  return append<FrameTag>(system_.frames, System::Frame{std::move(name), parent});
}

ParameterId Builder::parameter(FrameId frame, std::string name, ScalarType type) {
  return append<ParameterTag>(system_.parameters, FrameParameter{std::move(name), type, frame});
}

DefinitionId Builder::declare(FrameId frame, std::string name, ScalarType type, Location location, bool bindable) {
  return append<DefinitionTag>(system_.definitions, Definition{std::move(name), type, frame, {}, location, bindable});
}

DefinitionId Builder::define(FrameId frame, std::string name, ValueId body, Location location, bool bindable) {
  const DefinitionId id = declare(frame, std::move(name), type(body), location, bindable);
  set_body(id, body);
  return id;
}

BinderId Builder::binder(std::string name) { return append<BinderTag>(system_.binders, BinderInfo{std::move(name)}); }

SiteId Builder::site(FailureKind kind, Location location, std::string text, std::vector<Location> related) {
  return append<SiteTag>(system_.sites, Site{kind, location, std::move(text), std::move(related)});
}

TableId Builder::table(Table table) { return append<TableTag>(system_.tables, std::move(table)); }
SpaceId Builder::space(Space space) { return append<SpaceTag>(system_.spaces, std::move(space)); }
EventId Builder::event(Event event) { return append<EventTag>(system_.events, std::move(event)); }
ProcessId Builder::process(Process process) { return append<ProcessTag>(system_.processes, std::move(process)); }
EndsId Builder::ends(MessageEnds ends) { return append<EndsTag>(system_.ends, std::move(ends)); }
RootId Builder::root(Root root) { return append<RootTag>(system_.roots, std::move(root)); }

// --- sharing ---

ValueId Builder::share(Node node, ScalarType type) {
  const ValueId next{static_cast<std::uint32_t>(system_.values.size())};
  const ValueId known = known_.find_or_add(node, type, next);
  if (known == next) system_.values.push_back({std::move(node), type});
  return known;
}

ValueId Builder::node(Node node, ScalarType type) { return share(std::move(node), type); }

std::optional<Scalar> Builder::as_constant(ValueId value) const {
  const auto* constant = std::get_if<Constant>(&system_[value].node);
  return constant ? std::optional(constant->value) : std::nullopt;
}

// --- leaves ---

ValueId Builder::constant(Scalar value) {
  if (value.type == ScalarType::real) value.real = arithmetic::canonical(value.real);
  return share(Constant{value}, value.type);
}

ValueId Builder::parameter_value(ParameterId parameter) { return share(Parameter{parameter}, system_[parameter].type); }
ValueId Builder::index(BinderId binder) { return share(Index{binder}, ScalarType::integer); }
ValueId Builder::reference(DefinitionId definition) { return share(Reference{definition}, system_[definition].type); }

// --- operators ---

ValueId Builder::unary(UnaryOp op, ValueId operand, SiteId site) {
  const ScalarType from = type(operand);
  const auto known = as_constant(operand);
  if (known && op != UnaryOp::quantize) {
    const auto folded = arithmetic::unary(op, *known);
    if (!folded.failed) return constant(folded.value);
  }
  if (op == UnaryOp::logical_not) {
    const auto* inner = std::get_if<Unary>(&system_[operand].node);
    if (inner && inner->op == UnaryOp::logical_not) return inner->operand;
  }
  if (!operation(op).can_fail(from)) site = {};
  return share(Unary{op, operand, site}, operation(op).result_of(from));
}

ValueId Builder::binary(BinaryOp op, ValueId left, ValueId right, SiteId site) {
  const auto a = as_constant(left);
  const auto b = as_constant(right);
  if (op == BinaryOp::logical_and || op == BinaryOp::logical_or) {
    const bool decides = op == BinaryOp::logical_or;  // the left value that makes the right one unnecessary
    if (a) return a->boolean == decides ? left : right;
    if (b && b->boolean != decides) return left;
  } else if (a && b) {
    const auto folded = arithmetic::binary(op, *a, *b);
    if (!folded.failed) return constant(folded.value);
  }
  const ScalarType from = type(left);
  if (!operation(op).can_fail(from)) site = {};
  return share(Binary{op, left, right, site}, operation(op).result_of(from));
}

ValueId Builder::negate(ValueId x, SiteId site) { return unary(UnaryOp::negate, x, site); }
ValueId Builder::logical_not(ValueId x) { return unary(UnaryOp::logical_not, x); }
ValueId Builder::logical_and(ValueId a, ValueId b) { return binary(BinaryOp::logical_and, a, b); }
ValueId Builder::logical_or(ValueId a, ValueId b) { return binary(BinaryOp::logical_or, a, b); }
ValueId Builder::quantize(ValueId x, SiteId site) { return unary(UnaryOp::quantize, x, site); }
ValueId Builder::add(ValueId a, ValueId b, SiteId site) { return binary(BinaryOp::add, a, b, site); }
ValueId Builder::subtract(ValueId a, ValueId b, SiteId site) { return binary(BinaryOp::subtract, a, b, site); }
ValueId Builder::multiply(ValueId a, ValueId b, SiteId site) { return binary(BinaryOp::multiply, a, b, site); }
ValueId Builder::divide(ValueId a, ValueId b, SiteId site) { return binary(BinaryOp::divide, a, b, site); }
ValueId Builder::equal(ValueId a, ValueId b) { return binary(BinaryOp::equal, a, b); }
ValueId Builder::less(ValueId a, ValueId b) { return binary(BinaryOp::less, a, b); }
ValueId Builder::less_equal(ValueId a, ValueId b) { return binary(BinaryOp::less_equal, a, b); }

ValueId Builder::to_real(ValueId x) { return type(x) == ScalarType::real ? x : unary(UnaryOp::to_real, x); }

ValueId Builder::extremum(std::vector<ValueId> operands, bool greatest) {
  if (operands.size() == 1) return operands.front();
  const ScalarType result = type(operands.front());
  // Leading constants are folded into one, since the fold goes from the left.
  while (operands.size() > 1) {
    const auto a = as_constant(operands[0]);
    const auto b = as_constant(operands[1]);
    if (!a || !b) break;
    operands[1] = constant(greatest ? arithmetic::maximum(*a, *b) : arithmetic::minimum(*a, *b));
    operands.erase(operands.begin());
  }
  if (operands.size() == 1) return operands.front();
  return greatest ? share(Maximum{std::move(operands)}, result) : share(Minimum{std::move(operands)}, result);
}

ValueId Builder::maximum(std::vector<ValueId> operands) { return extremum(std::move(operands), true); }
ValueId Builder::minimum(std::vector<ValueId> operands) { return extremum(std::move(operands), false); }

ValueId Builder::select(ValueId condition, ValueId if_true, ValueId if_false) {
  if (const auto known = as_constant(condition)) return known->boolean ? if_true : if_false;
  return share(Select{condition, if_true, if_false}, type(if_true));
}

ValueId Builder::check(ValueId condition, ValueId value, SiteId site) {
  if (const auto known = as_constant(condition); known && known->boolean) return value;
  return share(Check{condition, value, site}, type(value));
}

ValueId Builder::fail(SiteId site, ScalarType type) { return share(Fail{site}, type); }

// --- calls, loops, events, tables ---

ValueId Builder::call(FrameId frame, DefinitionId definition, std::vector<ValueId> arguments, SiteId site) {
  return share(Call{frame, definition, std::move(arguments), site}, system_[definition].type);
}

ValueId Builder::reduce(ReduceKind kind, std::vector<Level> levels, ValueId body, ValueId value, SiteId site) {
  ScalarType result = ScalarType::real;
  switch (kind) {
    case ReduceKind::sum:
    case ReduceKind::product:
    case ReduceKind::maximum:
    case ReduceKind::minimum:
    case ReduceKind::nth: result = type(body); break;
    case ReduceKind::count: result = ScalarType::integer; break;
    case ReduceKind::any:
    case ReduceKind::all: result = ScalarType::boolean; break;
    case ReduceKind::arg_min:
    case ReduceKind::arg_max: result = type(value); break;
  }
  return share(Reduce{kind, std::move(levels), body, value, site}, result);
}

ValueId Builder::read(EventId event, std::vector<ValueId> indices, SiteId site) {
  return share(Read{event, std::move(indices), site}, system_[event].type);
}

ValueId Builder::neighbour(EventId event, std::vector<std::int32_t> offset) {
  return share(Neighbour{event, std::move(offset)}, system_[event].type);
}

ValueId Builder::measure(Measure measure) {
  const ScalarType type = measure.metric == Metric::messages ? ScalarType::integer : ScalarType::real;
  return share(std::move(measure), type);
}

ValueId Builder::lookup(TableId table, std::vector<ValueId> keys, SiteId site) {
  return share(Lookup{table, std::move(keys), site}, ScalarType::real);
}

// --- keys ---

namespace {

// Writes every field of a node: the kind first, and lists with their length.
class KeyWriter {
 public:
  explicit KeyWriter(NodeKey& key) : key_(key) {}

  void operator()(const Constant& n) {
    const Scalar x = n.value;
    put(x.type == ScalarType::real      ? std::bit_cast<std::uint64_t>(arithmetic::canonical(x.real))
        : x.type == ScalarType::integer ? static_cast<std::uint64_t>(x.integer)
                                        : std::uint64_t{x.boolean});
  }
  void operator()(const Parameter& n) { put(n.parameter); }
  void operator()(const Index& n) { put(n.binder); }
  void operator()(const Reference& n) { put(n.definition); }
  void operator()(const Unary& n) { put(static_cast<std::uint64_t>(n.op)), put(n.operand), put(n.site); }
  void operator()(const Binary& n) { put(static_cast<std::uint64_t>(n.op)), put(n.left), put(n.right), put(n.site); }
  void operator()(const Maximum& n) { put(n.operands); }
  void operator()(const Minimum& n) { put(n.operands); }
  void operator()(const Select& n) {
    put(n.condition), put(n.if_true), put(n.if_false), put(std::uint64_t{n.is_shortcut});
  }
  void operator()(const Check& n) { put(n.condition), put(n.value), put(n.site); }
  void operator()(const Fail& n) { put(n.site); }
  void operator()(const Call& n) { put(n.frame), put(n.definition), put(n.arguments), put(n.site); }
  void operator()(const Reduce& n) {
    put(static_cast<std::uint64_t>(n.kind)), put(n.body), put(n.value), put(n.site), put(n.levels.size());
    for (const Level& level : n.levels) {
      put(level.binder), put(level.first), put(level.last), put(level.step), put(level.filter), put(level.site);
      put(std::uint64_t{level.geometric});
    }
  }
  void operator()(const Read& n) { put(n.event), put(n.indices), put(n.site); }
  void operator()(const Neighbour& n) {
    put(n.event), put(n.offset.size());
    for (const std::int32_t d : n.offset) put(static_cast<std::uint64_t>(static_cast<std::int64_t>(d)));
  }
  void operator()(const Measure& n) {
    put(n.process), put(static_cast<std::uint64_t>(n.metric)), put(n.phase), put(n.indices), put(n.site);
    put(static_cast<std::uint64_t>(n.over)), put(n.memory);
  }
  void operator()(const Lookup& n) { put(n.table), put(n.keys), put(n.site); }

  void put(std::uint64_t word) { key_.push_back(word); }

 private:
  template <class Tag>
  void put(Id<Tag> id) {
    key_.push_back(id.index);
  }
  void put(const std::vector<ValueId>& ids) {
    put(ids.size());
    for (const ValueId id : ids) put(id);
  }

  NodeKey& key_;
};

void write_key(NodeKey& key, const Node& node, ScalarType type) {
  KeyWriter writer(key);
  writer.put(node.index() * 4 + static_cast<std::uint64_t>(type));
  std::visit(writer, node);
}

std::uint64_t hash_of(const NodeKey& key) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint64_t word : key) hash = (hash ^ word ^ (hash >> 29)) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 32);
}

}  // namespace

NodeKey node_key(const Node& node, ScalarType type) {
  NodeKey key;
  write_key(key, node, type);
  return key;
}

ValueId KnownNodes::find_or_add(const Node& node, ScalarType type, ValueId next) {
  key_.clear();
  write_key(key_, node, type);
  const std::uint64_t hash = hash_of(key_);
  if (2 * (entries_.size() + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const std::size_t entry = slots_[slot] - 1;
    if (entries_[entry].hash == hash && is_key_of(entry)) return entries_[entry].value;
  }
  entries_.push_back({words_.size(), hash, next});
  words_.insert(words_.end(), key_.begin(), key_.end());
  slots_[slot] = static_cast<std::uint32_t>(entries_.size());
  return next;
}

bool KnownNodes::is_key_of(std::size_t entry) const {
  const std::size_t begin = entries_[entry].begin;
  const std::size_t end = entry + 1 < entries_.size() ? entries_[entry + 1].begin : words_.size();
  return std::equal(key_.begin(), key_.end(), words_.begin() + static_cast<std::ptrdiff_t>(begin),
                    words_.begin() + static_cast<std::ptrdiff_t>(end));
}

void KnownNodes::grow() {
  slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t entry = 0; entry < entries_.size(); ++entry) {
    std::size_t slot = entries_[entry].hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(entry + 1);
  }
}

}  // namespace wave::ir
