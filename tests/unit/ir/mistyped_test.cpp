// A system with every kind of node, statement and step, in which each value in turn gets another type: the verifier
// notices every one. The kinds come from the variants and from ir/operations.def, so a new one fails here until it
// stands in the system.
#include "ir/builder.h"
#include "ir/operations.h"
#include "ir/verify.h"
#include "ir/visit.h"

#include <catch2/catch.hpp>

#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

using namespace wave::ir;

namespace {

constexpr ScalarType all_types[] = {ScalarType::real, ScalarType::integer, ScalarType::boolean};

Scalar some(ScalarType type) {
  switch (type) {
    case ScalarType::real: return Scalar::of(2.5);
    case ScalarType::integer: return Scalar::of(std::int64_t{2});
    case ScalarType::boolean: return Scalar::of(true);
  }
  return {};
}

class EveryKind {
 public:
  System build() {
    for (const ScalarType type : all_types)
      known_.push_back(b_.reference(b_.define({0}, "known", b_.constant(some(type)), {}, true)));
    add_operators();
    add_choices();
    add_loops();
    add_calls();
    add_events();
    add_process();
    add_measures();
    // Two blocks, so that the columns of one are held against those of the other.
    const Level level = loop();
    b_.root({"all", {{{level}, columns_}, {{}, columns_}}, of(ScalarType::boolean)});
    return std::move(system_);
  }

 private:
  ValueId of(ScalarType type) const { return known_[static_cast<std::size_t>(type)]; }
  ValueId real() const { return of(ScalarType::real); }
  ValueId integer() const { return of(ScalarType::integer); }
  ValueId boolean() const { return of(ScalarType::boolean); }
  SiteId site() { return b_.site(FailureKind::error_called, {}); }
  void show(ValueId value) { columns_.push_back(value); }
  Level loop() { return {b_.binder("k"), integer(), integer(), integer(), false, boolean(), site()}; }

  void add_operators() {
#define WAVE_UNARY(name, ...) unary(UnaryOp::name);
#include "ir/operations.def"
#define WAVE_BINARY(name, ...) binary(BinaryOp::name);
#include "ir/operations.def"
    for (const ScalarType type : {ScalarType::real, ScalarType::integer}) {
      show(b_.maximum({of(type), b_.constant(some(type))}));
      show(b_.minimum({of(type), b_.constant(some(type))}));
    }
  }
  void unary(UnaryOp op) {
    if (op == UnaryOp::quantize) return;  // in events only
    for (const ScalarType type : all_types)
      if (operation(op).takes(type)) show(b_.node(Unary{op, of(type), site()}, operation(op).result_of(type)));
  }
  void binary(BinaryOp op) {
    for (const ScalarType type : all_types) {
      if (operation(op).takes(type))
        show(b_.node(Binary{op, of(type), of(type), site()}, operation(op).result_of(type)));
    }
  }

  void add_choices() {
    for (const ScalarType type : all_types) {
      show(b_.select(boolean(), of(type), b_.fail(site(), type)));
      show(b_.check(boolean(), of(type), site()));
    }
    Table table{"table", {{1, 2}, {1, 2}}, {1, 2, 3, 4}, Interpolation::step, false};
    show(b_.lookup(b_.table(table), {real(), b_.real(3)}, site()));
  }

  void add_loops() {
#define WAVE_REDUCTION(name, text) reduce(ReduceKind::name);
#include "ir/operations.def"
  }
  void reduce(ReduceKind kind) {
    const bool is_truth = kind == ReduceKind::any || kind == ReduceKind::all;
    const bool is_argument = kind == ReduceKind::arg_min || kind == ReduceKind::arg_max;
    for (const ScalarType type : all_types) {
      const Level outer = loop();
      const Level inner{b_.binder("l"), b_.index(outer.binder), integer(), integer(), true, boolean(), site()};
      ValueId body = of(type), value;
      if (kind == ReduceKind::count) body = {};
      if (kind == ReduceKind::nth) value = integer();
      if (is_argument) body = integer(), value = of(type);
      const bool fits = is_truth ? type == ScalarType::boolean
                                 : kind == ReduceKind::nth || is_argument || type != ScalarType::boolean;
      if (fits) show(b_.reduce(kind, {outer, inner}, body, value, site()));
    }
  }

  void add_calls() {
    const FrameId frame = b_.frame("f", {0});
    std::vector<ParameterId> parameters;
    for (const ScalarType type : all_types) parameters.push_back(b_.parameter(frame, "p", type));
    for (const ParameterId parameter : parameters)
      show(b_.call(frame, b_.define(frame, "result", b_.parameter_value(parameter)), known_, site()));
  }

  SpaceId add_space() {
    Space space{"P", {0}, {}};
    for (const char* name : {"i", "j"})
      space.axes.push_back({name, b_.binder(name), b_.integer(1), integer(), false, {}, site()});
    return b_.space(space);
  }
  EventId add_event(ScalarType type, SpaceId space) {
    Event event;
    event.type = type, event.frame = {0}, event.space = space, event.site = site();
    return b_.event(event);
  }
  void add_events() {
    const SpaceId space = add_space();
    const EventId exact = add_event(ScalarType::real, space);
    system_[exact].exact = true;
    system_[exact].constraints = {{exact, {-1, 0}, {real(), b_.real(1)}, boolean(), {}}};
    system_[exact].otherwise = {real(), b_.real(0)};
    show(b_.read(exact, {integer(), b_.integer(1)}, site()));
    for (const ScalarType type : all_types) {
      const EventId event = add_event(type, space);
      const ValueId body = b_.select(boolean(), b_.neighbour(event, {0, -1}), of(type));
      system_[event].body = body;
      system_[event].otherwise = {of(type)};
      show(b_.read(event, {integer(), integer()}, site()));
    }
    const EventId rounded = add_event(ScalarType::real, space);
    const ValueId body = b_.quantize(real(), site());
    system_[rounded].body = body;
  }

  EndsId add_ends() {
    MessageEnds ends;
    ends.name = "net";
    ends.frame = b_.frame("net", {0});
    ends.size = b_.parameter(ends.frame, "size", ScalarType::real);
    for (ParameterId* id : {&ends.within, &ends.sender, &ends.receiver})
      *id = b_.parameter(ends.frame, "place", ScalarType::integer);
    ends.site = site();
    ends.reads_ranks = true;
    ends.levels = {{1, "node"}};
    ends.resources = {{"tx", {}, {}, {}, {}}, {"rx", 0, integer(), integer(), {}}};
    const auto step = [&](Step::Kind kind, std::uint32_t signal, std::vector<Use> uses, ValueId time) {
      return Step{kind, signal, std::move(uses), time, {}, site()};
    };
    Protocol protocol;
    protocol.signals = {"payload", "answer"};
    protocol.condition = boolean();
    protocol.window = integer();
    protocol.sender = {step(Step::Kind::acquire, 0, {{0, real(), {}}}, {}), step(Step::Kind::busy, 0, {}, real()),
                       step(Step::Kind::emit, 0, {{1, real(), integer()}}, b_.real(1)),
                       step(Step::Kind::sent, 0, {}, b_.real(3)),
                       step(Step::Kind::await, 1, {{1, b_.real(2), b_.integer(0)}}, b_.real(4))};
    protocol.receiver = {step(Step::Kind::arrival, 0, {{1, real(), integer()}}, real()),
                         step(Step::Kind::await, 0, {}, {}), step(Step::Kind::emit, 1, {}, {})};
    ends.protocols = {protocol};
    return b_.ends(ends);
  }
  void add_process() {
    Process process;
    process.name = "p";
    process.frame = {0};
    process.space = add_space();
    process.levels = {{{1, "node"}, integer(), {}}};
    process.phases = {"all"};
    process.handles = {"h"};
    Message message;
    message.background = true, message.handle = {0};
    message.ends = add_ends();
    message.size = real();
    message.within = message.sender = message.receiver = message.tag = integer();
    message.peer = {Peer::Kind::place, false, {integer(), b_.integer(1)}, site()};
    Message answer = message;
    answer.side = Message::Side::receive;
    const auto statement = [&](auto node) { return Statement{node, {}, site()}; };
    process.blocks = {{statement(Compute{real()}), statement(message), statement(answer),
                       statement(Wait{{HandleId{0}}}), statement(Collective{"sum", real(), {}, {}})},
                      {statement(Sweep{integer(), b_.binder("tile"), {{{true, false}, BlockId{0}}}})},
                      {statement(Loop{{loop()}, BlockId{0}}), statement(Branch{boolean(), BlockId{0}, BlockId{1}}),
                       statement(Phase{PhaseId{0}, BlockId{1}}), statement(Ready{BlockId{3}})},
                      {statement(Task{BlockId{0}, real(), BlockId{0}})}};
    process.body = BlockId{2};
    process_ = b_.process(process);
  }
  void add_measures() {
    for (const Metric metric : {Metric::finish, Metric::messages})
      show(b_.measure({process_, metric, PhaseId{0}, {integer(), b_.integer(1)}, site()}));
  }

  System system_;
  Builder b_{system_};
  std::vector<ValueId> known_, columns_;
  ProcessId process_;
};

// Calls `f` with every place in a system that holds a value, and with what it is part of.
void for_each_place(System& system, const std::function<void(ValueId&, const Node*)>& f) {
  const auto plain = [&](ValueId& id) { f(id, nullptr); };
  for (Value& value : system.values) for_each_operand(value.node, [&](ValueId& id) { f(id, &value.node); });
  for (Definition& definition : system.definitions) plain(definition.body);
  for (Space& space : system.spaces)
    for (Axis& axis : space.axes) plain(axis.first), plain(axis.last);
  for (Event& event : system.events) for_each_value(event, plain);
  for (Process& process : system.processes) for_each_value_of_process(process, plain);
  for (MessageEnds& ends : system.ends) for_each_value_of_ends(ends, plain);
  for (Root& root : system.roots) for_each_value_of_root(root, plain);
}

// The least of reals is found as that of integers is.
bool may_be_any_number(const Node* node, const ValueId& id) {
  const auto* reduce = node ? std::get_if<Reduce>(node) : nullptr;
  return reduce && reduce->value.valid() && reduce->kind != ReduceKind::nth && &id == &reduce->body;
}

}  // namespace

TEST_CASE("the system of all kinds has every kind") {
  const System system = EveryKind().build();
  for (const std::string& complaint : verify(system)) FAIL_CHECK(complaint);
  std::set<std::size_t> nodes, statements, steps;
  std::set<UnaryOp> unary;
  std::set<BinaryOp> binary;
  std::set<ReduceKind> reductions;
  for (const Value& value : system.values) {
    nodes.insert(value.node.index());
    if (const auto* n = std::get_if<Unary>(&value.node)) unary.insert(n->op);
    if (const auto* n = std::get_if<Binary>(&value.node)) binary.insert(n->op);
    if (const auto* n = std::get_if<Reduce>(&value.node)) reductions.insert(n->kind);
  }
  CHECK(nodes.size() == std::variant_size_v<Node>);
#define WAVE_UNARY(name, ...) CHECK(unary.count(UnaryOp::name) == 1);
#include "ir/operations.def"
#define WAVE_BINARY(name, ...) CHECK(binary.count(BinaryOp::name) == 1);
#include "ir/operations.def"
#define WAVE_REDUCTION(name, text) CHECK(reductions.count(ReduceKind::name) == 1);
#include "ir/operations.def"
  for_each_statement(system.processes[0], [&](const Statement& one) { statements.insert(one.node.index()); });
  CHECK(statements.size() == std::variant_size_v<decltype(Statement::node)>);
  for (const auto* end : {&system.ends[0].protocols[0].sender, &system.ends[0].protocols[0].receiver})
    for (const Step& step : *end) steps.insert(static_cast<std::size_t>(step.kind));
  CHECK(steps.size() == static_cast<std::size_t>(Step::Kind::arrival) + 1);
}

TEST_CASE("a value of another type is noticed wherever it stands") {
  const System system = EveryKind().build();
  System counted = system;
  std::size_t places = 0;
  for_each_place(counted, [&](ValueId&, const Node*) { ++places; });
  REQUIRE(places > 300);
  std::size_t allowed = 0;
  for (std::size_t place = 0; place < places; ++place) {
    for (const ScalarType type : all_types) {
      System changed = system;
      const ValueId other{static_cast<std::uint32_t>(changed.values.size())};
      std::size_t number = 0;
      bool is_other = false;
      std::string where = "no node";
      for_each_place(changed, [&](ValueId& id, const Node* node) {
        if (number++ != place) return;
        is_other = changed[id].type != type;
        if (type != ScalarType::boolean && may_be_any_number(node, id)) is_other = false, ++allowed;
        if (node) where = "node of kind " + std::to_string(node->index());
        id = other;
      });
      changed.values.push_back({Constant{some(type)}, type});
      INFO("place " << place << ", " << where << ", type " << static_cast<int>(type));
      if (is_other) CHECK(!verify(changed).empty());
    }
  }
  CHECK(allowed == 12);  // arg_min and arg_max of three types, each as a real and as an integer
}

TEST_CASE("a node that has another type than what it does is noticed") {
  const System system = EveryKind().build();
  for (std::size_t i = 0; i < system.values.size(); ++i) {
    for (const ScalarType type : all_types) {
      if (type == system.values[i].type) continue;
      System changed = system;
      changed.values[i].type = type;
      INFO("node " << i << " of kind " << system.values[i].node.index() << ", type " << static_cast<int>(type));
      CHECK(!verify(changed).empty());
    }
  }
}

TEST_CASE("a system that breaks the rules is an error that names some of them") {
  System system = EveryKind().build();
  CHECK_NOTHROW(require_valid(system));
  for (Value& value : system.values) value.type = ScalarType::boolean;
  try {
    require_valid(system);
    FAIL("accepted");
  } catch (const std::logic_error& error) {
    const std::string text = error.what();
    CHECK(text.find("the constraint system breaks its own rules: %") == 0);
    CHECK(text.find(" more") != std::string::npos);
    CHECK(text.size() < 400);
  }
}
