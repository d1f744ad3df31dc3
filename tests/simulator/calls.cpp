// Calls of functions, records, machines and models, the costs of messages and collectives, and built-in functions.
#include "base/random.h"
#include "frontend/check/members.h"
#include "tests/simulator/evaluator.h"
#include "tests/simulator/protocols.h"
#include "tests/simulator/simulator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace wave::simulator {

using namespace frontend;

namespace {

std::int64_t whole(double x, Location location) {
  if (!(x >= -0x1p63 && x < 0x1p63)) throw Failed{"not_representable", location};
  return static_cast<std::int64_t>(x);
}

Value rounded(const Value& value, double (*how)(double), Location location) {
  if (std::holds_alternative<std::int64_t>(value.is)) return value;
  return {whole(how(as_real(value)), location)};
}

double in_domain(bool inside, double x, Location location) {
  if (!inside) throw Failed{"outside_domain", location};
  return x;
}

}  // namespace

LocalsPtr Evaluator::bind(const std::vector<Parameter>& parameters, const std::vector<Argument>& arguments,
                          const Scope& caller, const std::shared_ptr<Instance>& self,
                          const std::map<std::string, Value>& filled) {
  std::map<std::string, Value> given = filled;
  std::size_t position = 0;
  for (const Argument& argument : arguments) {
    const std::string name = argument.name ? argument.name->text : parameters.at(position++).name.text;
    given[name] = evaluate(*argument.value, caller);
  }
  LocalsPtr locals;
  for (const Parameter& parameter : parameters) {
    const auto found = given.find(parameter.name.text);
    if (found == given.end() && !parameter.default_value) throw Unsupported{"a missing argument"};
    locals = with(locals, parameter.name.text,
                  found != given.end() ? found->second : evaluate(*parameter.default_value, {self, locals}));
  }
  return locals;
}

Value Evaluator::call(const expr::Call& node, Location location, const Scope& scope) {
  if (const auto* name = std::get_if<expr::Name>(&node.callee->node)) {
    if (std::holds_alternative<target::Builtin>(name->target))
      return builtin(name->text, node.arguments, location, scope);
    if (const auto* global = std::get_if<target::Global>(&name->target)) {
      return call_item(*global->item, node.arguments, location, scope);
    }
  } else if (const auto* member = std::get_if<expr::Member>(&node.callee->node)) {
    if (const auto* global = std::get_if<target::Global>(&member->target)) {
      return call_item(*global->item, node.arguments, location, scope);
    }
    if (member->name.text == "phase" || member->name.text == "peak") {
      const Value object = evaluate_node(*member->object, scope);
      if (const auto* process = std::get_if<Measured>(&object.is)) {
        const std::string name = std::get<std::string>(evaluate(*node.arguments.at(0).value, scope).is);
        const bool is_peak = member->name.text == "peak";
        return {Measured{process->result, is_peak ? "peak" : "", name, !is_peak}};
      }
    }
  }
  return call_value(evaluate_node(*node.callee, scope), node.arguments, location, scope);
}

Evaluator::~Evaluator() {
  for (const auto& instance : instances_) {
    instance->given.clear();
    instance->known.clear();
  }
}

std::shared_ptr<Instance> Evaluator::new_instance() {
  instances_.push_back(std::make_shared<Instance>());
  return instances_.back();
}

Value Evaluator::call_item(const Item& item, const std::vector<Argument>& arguments, Location location,
                           const Scope& scope) {
  if (std::holds_alternative<item::Record>(item.node)) {
    auto record = std::make_shared<Record>();
    record->declaration = &item;
    for (const Argument& argument : arguments) record->fields[argument.name->text] = by_need(*argument.value, scope);
    return {record};
  }
  if (std::holds_alternative<item::Machine>(item.node) || std::holds_alternative<item::Model>(item.node)) {
    auto instance = new_instance();
    instance->declaration = &item;
    for (const Argument& argument : arguments) instance->given[argument.name->text] = evaluate(*argument.value, scope);
    return {instance};
  }
  if (std::holds_alternative<item::Function>(item.node))
    return call_function({&item, nullptr}, arguments, location, scope);
  return call_value(this->item(item, nullptr, location), arguments, location, scope);
}

Value Evaluator::call_value(const Value& callee, const std::vector<Argument>& arguments, Location location,
                            const Scope& scope) {
  if (const auto* function = std::get_if<Function>(&callee.is))
    return call_function(*function, arguments, location, scope);
  if (const auto* cost = std::get_if<DerivedCost>(&callee.is)) {
    double size = 0;
    std::string within = "none";
    std::size_t position = 0;
    for (const Argument& argument : arguments) {
      const bool is_size = argument.name ? argument.name->text == "s" : position++ == 0;
      if (is_size)
        size = real(*argument.value, scope);
      else
        within = std::get<Level>(evaluate(*argument.value, scope).is).name;
    }
    return {cost_of_message(*this, *cost, size, within, location)};
  }
  if (const auto* instance = std::get_if<std::shared_ptr<Instance>>(&callee.is)) {
    auto again = new_instance();
    again->declaration = (*instance)->declaration;
    again->given = (*instance)->given;
    for (const Argument& argument : arguments) again->given[argument.name->text] = evaluate(*argument.value, scope);
    return {again};
  }
  if (const auto* table = std::get_if<std::shared_ptr<Table>>(&callee.is)) {
    const double key = real(*arguments.at(0).value, scope);
    const auto& entries = (*table)->entries;
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& one) { return one.first == key; });
    return {found == entries.end() ? (*table)->otherwise : found->second};
  }
  throw Unsupported{"a call of such a value"};
}

Value Evaluator::call_function(const Function& function, const std::vector<Argument>& arguments, Location location,
                               const Scope& scope) {
  if (const auto* node = std::get_if<item::Function>(&function.item->node)) {
    Scope inner{function.self, bind(node->parameters, arguments, scope, function.self)};
    for (const LocalLet& let : node->lets)
      inner.locals = with(inner.locals, let.name.text, evaluate(*let.value, inner));
    const bool before = std::exchange(in_generic_, frontend::check::is_generic(*node));
    Value result;
    try {
      result = evaluate(*node->body, inner);
    } catch (...) {
      in_generic_ = before;
      throw;
    }
    in_generic_ = before;
    return result;
  }
  const auto& node = std::get<item::Collective>(function.item->node);
  if (node.has_algorithm) return {cost_of_algorithm(*this, *function.item, function.self, arguments, scope, location)};
  return {real(*node.cost, {function.self, bind(node.parameters, arguments, scope, function.self)})};
}

Value Evaluator::builtin(const std::string& name, const std::vector<Argument>& arguments, Location location,
                         const Scope& scope) {
  if (name == "error") throw Failed{"error_called", location};
  if (name == "full_fills" || name == "diagonal_fills" || name == "breakdown") throw Unsupported{"`" + name + "`"};
  if (name == "within") {
    const Value level = evaluate(*arguments.at(0).value, scope);
    const Value a = evaluate(*arguments.at(1).value, scope), b = evaluate(*arguments.at(2).value, scope);
    const auto& first = std::get<GridPoint>(a.is);
    return {share(*this, std::get<Level>(level.is).name, *first.grid, scope.self, first.indices,
                  std::get<GridPoint>(b.is).indices)};
  }
  if (name == "extent") return {std::get<Axis>(evaluate(*arguments.at(0).value, scope).is).extent};
  if (name == "count" || name == "sweeps")
    return {static_cast<std::int64_t>(list(*arguments.at(0).value, scope).size())};
  std::vector<Value> values;
  for (const Argument& argument : arguments) values.push_back(evaluate(*argument.value, scope));
  if (name == "max" || name == "min") return extreme(name == "max", values, location);
  const Value& x = values.at(0);
  if (name == "floor") return rounded(x, std::floor, location);
  if (name == "ceil") return rounded(x, std::ceil, location);
  if (name == "round") return rounded(x, std::round, location);
  if (name == "int") {
    if (as_real(x) != std::floor(as_real(x))) throw Failed{"not_whole", location};
    return rounded(x, std::floor, location);
  }
  if (name == "abs") {
    if (std::holds_alternative<double>(x.is)) return {std::abs(as_real(x))};
    return less(x, {std::int64_t{0}}) ? calculate(BinaryOperator::subtract, {std::int64_t{0}}, x, location) : x;
  }
  const double r = as_real(x);
  if (name == "sqrt") return {std::sqrt(in_domain(r >= 0, r, location))};
  if (name == "cbrt") return {std::cbrt(r)};
  if (name == "exp") return {std::exp(r)};
  if (name == "ln") return {std::log(in_domain(r > 0, r, location))};
  if (name == "log2") return {std::log2(in_domain(r > 0, r, location))};
  if (name == "random") return {random_of(r)};
  if (name == "normal_quantile") return {normal_quantile(in_domain(r > 0 && r < 1, r, location))};
  if (name == "log10") return {std::log10(in_domain(r > 0, r, location))};
  throw Unsupported{"`" + name + "`"};
}

}  // namespace wave::simulator
