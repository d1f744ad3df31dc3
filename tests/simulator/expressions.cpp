// Expressions, node by node.
#include "frontend/check/members.h"
#include "tests/simulator/evaluator.h"
#include "tests/simulator/simulator.h"

#include <cmath>

namespace wave::simulator {

using namespace frontend;

namespace {

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

constexpr int deepest = 2000;

}  // namespace

const Value& looked_at(const Value& value) {
  if (const auto* failed = std::get_if<Failed>(&value.is)) throw Failed{*failed};
  return value;
}

Value Evaluator::evaluate(const Expr& e, const Scope& scope) {
  if (++depth_ > deepest) throw Unsupported{"an expression that is too deep"};
  struct Leave {
    int& depth;
    ~Leave() { --depth; }
  } leave{depth_};
  Value value = looked_at(evaluate_node(e, scope));
  if (auto* asked = std::get_if<Measured>(&value.is); asked && (!asked->quantity.empty() || asked->in_phase)) {
    if (!e.type || !std::holds_alternative<types::Process>(e.type->kind))
      value = asked->place.empty() ? read(*asked) : read(*asked, asked->place, asked->location);
  }
  if (auto* word = std::get_if<Choice>(&value.is); word && e.narrower) {
    const auto& all = std::get<types::Choice>(e.type->kind).words;
    const std::string& text = std::get<types::Choice>(e.narrower->kind).words.at(word->ordinal);
    word->ordinal = static_cast<std::size_t>(std::ranges::find(all, text) - all.begin());
  }
  // An integer may stand where a real is expected.
  const bool is_real = !in_generic_ && e.type && std::holds_alternative<types::Real>(e.type->kind);
  if (is_real && std::holds_alternative<std::int64_t>(value.is)) return {as_real(value)};
  return value;
}

Value Evaluator::by_need(const Expr& e, const Scope& scope) {
  try {
    return evaluate(e, scope);
  } catch (const Failed& failed) {
    return {failed};
  }
}

std::int64_t Evaluator::integer(const Expr& e, const Scope& scope) {
  const Value value = evaluate(e, scope);
  if (const auto* i = std::get_if<std::int64_t>(&value.is)) return *i;
  throw Unsupported{"an integer is needed"};
}

double Evaluator::real(const Expr& e, const Scope& scope) { return as_real(evaluate(e, scope)); }

bool Evaluator::boolean(const Expr& e, const Scope& scope) {
  const Value value = evaluate(e, scope);
  if (const auto* b = std::get_if<bool>(&value.is)) return *b;
  throw Unsupported{"a truth value is needed"};
}

std::vector<Value> Evaluator::list(const Expr& e, const Scope& scope) {
  const Value value = evaluate(e, scope);
  if (const auto* elements = std::get_if<std::shared_ptr<List>>(&value.is)) return (*elements)->elements;
  throw Unsupported{"a list is needed"};
}

std::shared_ptr<Instance> Evaluator::machine(const Expr& e, const Scope& scope) {
  const Value value = evaluate(e, scope);
  if (const auto* instance = std::get_if<std::shared_ptr<Instance>>(&value.is)) return *instance;
  throw Unsupported{"a machine is needed"};
}

// Whether a level of the machine is `outer` or stands before it in the machine's list.
static bool lies_within(const Item& machine, const std::string& level, const std::string& outer) {
  for (const std::string& one : frontend::check::levels_of(machine)) {
    if (one == level) return true;
    if (one == outer) return false;
  }
  return false;
}

Value Evaluator::evaluate_node(const Expr& e, const Scope& scope) {
  const auto make_list = [](std::vector<Value> elements) {
    return Value{std::make_shared<List>(List{std::move(elements)})};
  };
  return std::visit(Overloaded{
                        [&](const expr::Integer& n) -> Value { return {n.value}; },
                        [&](const expr::Number& n) -> Value { return {n.value}; },
                        [&](const expr::Uncertain& n) -> Value { return evaluate(*n.mean, scope); },
                        [&](const expr::Boolean& n) -> Value { return {n.value}; },
                        [&](const expr::String& n) -> Value { return {n.value}; },
                        [&](const expr::Name& n) -> Value { return name(n, e.location, scope); },
                        [&](const expr::Unary& n) -> Value { return unary(n, e.location, scope); },
                        [&](const expr::Binary& n) -> Value { return binary(n, e.location, scope); },
                        [&](const expr::If& n) -> Value {
                          return evaluate(boolean(*n.condition, scope) ? *n.then_value : *n.else_value, scope);
                        },
                        [&](const expr::When& n) -> Value {
                          for (const auto& [condition, value] : n.arms) {
                            if (boolean(*condition, scope)) return evaluate(*value, scope);
                          }
                          if (!n.otherwise) throw Failed{"error_called", e.location};
                          return evaluate(*n.otherwise, scope);
                        },
                        [&](const expr::Call& n) -> Value { return call(n, e.location, scope); },
                        [&](const expr::Member& n) -> Value { return member(n, e.location, scope); },
                        [&](const expr::Index& n) -> Value { return index(n, e.location, scope); },
                        [&](const expr::List& n) -> Value {
                          std::vector<Value> elements;
                          for (const ExprPtr& one : n.elements) elements.push_back(by_need(*one, scope));
                          return make_list(std::move(elements));
                        },
                        [&](const expr::Range& n) -> Value { return range(n, e.location, scope); },
                        [&](const expr::Comprehension& n) -> Value {
                          std::vector<Value> elements;
                          for_each(n.binders, 0, scope,
                                   [&](const Scope& inner) { elements.push_back(by_need(*n.element, inner)); });
                          return make_list(std::move(elements));
                        },
                        [&](const expr::Reduce& n) -> Value { return reduce(n, e.location, scope); },
                        [&](const expr::SignTuple& n) -> Value { return {Corner{n.rising}}; },
                        [&](const expr::TableLiteral& n) -> Value {
                          if (!n.otherwise) throw Unsupported{"a table that interpolates"};
                          Table table{{}, real(*n.otherwise, scope)};
                          for (const auto& [key, value] : n.entries)
                            table.entries.emplace_back(real(*key, scope), real(*value, scope));
                          return {std::make_shared<Table>(std::move(table))};
                        },
                        [&](const expr::TableFile&) -> Value { throw Unsupported{"a table"}; },
                        [&](const expr::Within& n) -> Value {
                          const Value shared = evaluate(*n.shared, scope);
                          return {lies_within(*scope.self->declaration, std::get<Level>(shared.is).name, n.level.text)};
                        },
                        [&](const expr::Flops&) -> Value { throw Unsupported{"a flop count"}; },
                        [&](const expr::Conversion&) -> Value { throw Unsupported{"a conversion"}; },
                    },
                    e.node);
}

Value Evaluator::unary(const expr::Unary& node, Location location, const Scope& scope) {
  const Value value = evaluate(*node.operand, scope);
  switch (node.op) {
    case UnaryOperator::logical_not: return {!std::get<bool>(value.is)};
    case UnaryOperator::plus: return value;
    case UnaryOperator::negate: break;
  }
  if (std::holds_alternative<std::int64_t>(value.is))
    return calculate(BinaryOperator::subtract, {std::int64_t{0}}, value, location);
  return {-as_real(value)};
}

Value Evaluator::binary(const expr::Binary& node, Location location, const Scope& scope) {
  if (node.op == BinaryOperator::logical_and) return {boolean(*node.left, scope) && boolean(*node.right, scope)};
  if (node.op == BinaryOperator::logical_or) return {boolean(*node.left, scope) || boolean(*node.right, scope)};
  const Value left = evaluate(*node.left, scope);
  return calculate(node.op, left, evaluate(*node.right, scope), location);
}

Value Evaluator::member(const expr::Member& node, Location location, const Scope& scope) {
  if (const auto* global = std::get_if<target::Global>(&node.target)) return item(*global->item, nullptr, location);
  const auto* name = std::get_if<expr::Name>(&node.object->node);
  if (const auto* super = name ? std::get_if<target::Super>(&name->target) : nullptr)
    return inherited(scope.self, *super->base, node.name.text, location);
  const Value object = looked_at(evaluate_node(*node.object, scope));
  if (const auto* instance = std::get_if<std::shared_ptr<Instance>>(&object.is)) {
    if (*instance != scope.self) check_requirements(*instance);
    return member(*instance, node.name.text, location);
  }
  if (const auto* record = std::get_if<std::shared_ptr<Record>>(&object.is))
    return (*record)->fields.at(node.name.text);
  if (const auto* process = std::get_if<Measured>(&object.is)) {
    Measured asked = *process;
    const std::string& name = node.name.text;
    const bool is_time = !asked.quantity.empty() || asked.in_phase;
    (is_time && (name == "max" || name == "mean" || name == "min") ? asked.over : asked.quantity) = name;
    return {asked};
  }
  if (const auto* place = std::get_if<GridPoint>(&object.is); place && node.name.text == "rank" && !place->grid)
    return {place->indices[0]};
  throw Unsupported{"the member `" + node.name.text + "`"};
}

Value Evaluator::index(const expr::Index& node, Location location, const Scope& scope) {
  std::vector<std::int64_t> indices;
  const auto* name = std::get_if<expr::Name>(&node.object->node);
  const Item* declared = name && std::holds_alternative<target::Member>(name->target) && scope.self
                             ? find_member(*scope.self->declaration, name->text)
                             : nullptr;
  const bool is_point = declared && std::holds_alternative<item::Grid>(declared->node);
  const Value object = is_point ? Value{GridPoint{declared, {}}} : looked_at(evaluate_node(*node.object, scope));
  for (const Argument& one : node.indices) indices.push_back(integer(*one.value, scope));
  if (is_point) return {GridPoint{declared, indices}};
  if (const auto* list = std::get_if<std::shared_ptr<List>>(&object.is)) {
    const auto& elements = (*list)->elements;
    if (indices[0] < 1 || indices[0] > static_cast<std::int64_t>(elements.size()))
      throw Failed{"index_outside_list", location};
    return elements[static_cast<std::size_t>(indices[0] - 1)];
  }
  if (const auto* asked = std::get_if<Measured>(&object.is)) {
    Measured of_one = *asked;
    of_one.place = indices;
    of_one.location = location;
    return {of_one};
  }
  throw Unsupported{"an index into such a value"};
}

}  // namespace wave::simulator
