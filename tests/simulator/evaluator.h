// Expressions, evaluated by walking the typed tree as the language describes it.
#pragma once

#include "tests/simulator/values.h"

#include <functional>
#include <optional>

namespace wave::simulator {

// Names that are known at a place, the innermost first.
struct Locals {
  std::string name;
  Value value;
  std::shared_ptr<const Locals> outer;
};
using LocalsPtr = std::shared_ptr<const Locals>;
LocalsPtr with(LocalsPtr outer, std::string name, Value value);
Axis axis_of(const LocalsPtr& locals, const std::string& name);

// Where an expression stands.
struct Scope {
  std::shared_ptr<Instance> self;  // the machine or model around it; none in a module
  LocalsPtr locals;
};

class Evaluator {
 public:
  Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  ~Evaluator();
  // Machines and models refer to each other in circles, so they live as long as the evaluator.
  std::shared_ptr<Instance> new_instance();

  Value evaluate(const frontend::Expr& e, const Scope& scope);
  // The same, but what fails is a value that fails where it is looked at.
  Value by_need(const frontend::Expr& e, const Scope& scope);
  std::int64_t integer(const frontend::Expr& e, const Scope& scope);
  double real(const frontend::Expr& e, const Scope& scope);
  bool boolean(const frontend::Expr& e, const Scope& scope);
  std::vector<Value> list(const frontend::Expr& e, const Scope& scope);

  std::shared_ptr<Instance> machine(const frontend::Expr& e, const Scope& scope);
  Value member(const std::shared_ptr<Instance>& instance, const std::string& name, Location location);
  // The locals of a call: arguments by position and by name, then defaults. `filled` adds further arguments.
  LocalsPtr bind(const std::vector<frontend::Parameter>& parameters, const std::vector<frontend::Argument>& arguments,
                 const Scope& caller, const std::shared_ptr<Instance>& self,
                 const std::map<std::string, Value>& filled = {});
  void check_requirements(const std::shared_ptr<Instance>& instance);

  std::map<std::string, double> quanta;  // by process: its times are rounded to multiples of this
  double quantum = 0;                    // of the process that is being simulated; 0: its times are not rounded

 private:
  Value evaluate_node(const frontend::Expr& e, const Scope& scope);
  Value name(const frontend::expr::Name& node, Location location, const Scope& scope);
  // A member as a machine that is extended declares it.
  Value inherited(const std::shared_ptr<Instance>& instance, const frontend::Item& base, const std::string& name,
                  Location location);
  Value item(const frontend::Item& item, const std::shared_ptr<Instance>& self, Location location);
  Value unary(const frontend::expr::Unary& node, Location location, const Scope& scope);
  Value binary(const frontend::expr::Binary& node, Location location, const Scope& scope);
  Value member(const frontend::expr::Member& node, Location location, const Scope& scope);
  Value index(const frontend::expr::Index& node, Location location, const Scope& scope);
  Value call(const frontend::expr::Call& node, Location location, const Scope& scope);
  Value call_value(const Value& callee, const std::vector<frontend::Argument>& arguments, Location location,
                   const Scope& scope);
  Value call_item(const frontend::Item& item, const std::vector<frontend::Argument>& arguments, Location location,
                  const Scope& scope);
  Value call_function(const Function& function, const std::vector<frontend::Argument>& arguments, Location location,
                      const Scope& scope);
  Value builtin(const std::string& name, const std::vector<frontend::Argument>& arguments, Location location,
                const Scope& scope);
  Value extreme(bool largest, const std::vector<Value>& values, Location location);
  Value range(const frontend::expr::Range& node, Location location, const Scope& scope);
  Value reduce(const frontend::expr::Reduce& node, Location location, const Scope& scope);
  void for_each(const std::vector<frontend::Binder>& binders, std::size_t at, const Scope& scope,
                const std::function<void(const Scope&)>& body);

  std::vector<std::shared_ptr<Instance>> instances_;
  bool in_generic_ = false;  // of such a function the tree knows the types of the last call alone
  int depth_ = 0;
};

// A value that is needed now: fails if it fails.
const Value& looked_at(const Value& value);

// Arithmetic of two numbers.
Value calculate(frontend::BinaryOperator op, const Value& a, const Value& b, Location location);
double as_real(const Value& value);
bool is_number(const Value& value);
bool equal(const Value& a, const Value& b);
bool less(const Value& a, const Value& b);

// Looks a member up through `extends` and interfaces, and prefers one that has a body.
const frontend::Item* find_member(const frontend::Item& declaration, const std::string& name);
std::vector<const frontend::Item*> protocols_of(const frontend::Item& machine);

}  // namespace wave::simulator
