// Processes and the algorithms of collectives, and what can be asked of them.
#pragma once

#include "frontend/lower/lower.h"
#include "frontend/lower/parts.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::frontend::lowering {

class Processes {
 public:
  explicit Processes(const Parts& parts)
      : parts_(parts),
        b_(parts.b),
        sites_(parts.sites),
        values_(parts.values),
        expressions_(parts.expressions),
        functions_(parts.functions),
        instances_(parts.instances),
        lifting_(parts.lifting) {}

  LoweredProcess& process(Instance& instance, const Item& declaration);
  void lower_process(LoweredProcess& process);
  // A time or size that is given to a process; `what` it is, for the words of the failure.
  ir::ValueId not_negative(ir::ValueId value, Place place, const TypeRef& type, const std::string& what);
  // What an algorithm takes alone on p processes that start together.
  Symbolic call_algorithm(const value::Function& function, const std::vector<Named>& arguments, Place place);
  // `transport.time`, `transport.finish[i, j]`, `transport.phase("x").compute`; null: another expression.
  Symbolic evaluate_measure(const Expr& expr, const Scope& scope);
  Symbolic measure(const value::Process& process, const std::string& quantity, const std::optional<std::string>& phase,
                   ir::Over over, const std::vector<Symbolic>& indices, Place place);
  void list_processes(Instance& model, std::vector<ProcessInfo>& into);

 private:
  const Parts& parts_;
  ir::Builder& b_;
  Sites& sites_;
  Values& values_;
  Expressions& expressions_;
  Functions& functions_;
  Instances& instances_;
  Lifting& lifting_;
};

}  // namespace wave::frontend::lowering
