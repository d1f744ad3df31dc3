// Processes, procedures and the algorithms of collectives: what every processor does.
#pragma once

#include "frontend/check/context.h"

#include <string>
#include <utility>
#include <vector>

namespace wave::frontend::check {

class Processes {
 public:
  explicit Processes(const Parts& parts)
      : context_(parts.context),
        reports_(parts.reports),
        dependences_(parts.dependences),
        names_(parts.names),
        types_(parts.types),
        expressions_(parts.expressions),
        references_(parts.references),
        calls_(parts.calls),
        functions_(parts.functions),
        declarations_(parts.declarations) {}

  void check_process(item::Process& process);
  void check_procedure(item::Procedure& procedure);
  void check_algorithm(item::Collective& collective);

 private:
  using Axes = std::vector<std::pair<Identifier, ExprPtr>>;

  TypeRef check_net(ProcessContext& process, Expr& net);
  void open_grid(ProcessContext& process, const Identifier& grid);
  void open_own_grid(ProcessContext& process, const Identifier& grid, Axes& axes);
  void check_program(ProcessContext& process, Block& program);
  void check_handles(ProcessContext& process);
  void check_block(Block& block);
  void check_block_under(const Expr& condition, bool varies, Block& block);
  void check_statement(Statement& statement);
  void check_repeat(statement::Repeat& repeat);
  void check_for(statement::For& loop);
  void check_conditional(statement::If& node);
  void forbid_index_condition(Place place, const char* what);

  // --- messages.cpp ---
  void check_message(Statement& statement, statement::Message& message);
  void check_peer(Neighbourhood& peer);
  void check_peer_indices(const Neighbourhood& peer);
  void check_offset(Neighbourhood& peer);
  void check_sweep(Statement& statement, statement::Sweep& sweep);
  void require_axis(const Identifier& axis);
  void require_swept_axis(const Identifier& axis);
  void check_call(Statement& statement, statement::Call& call);
  void check_procedure_call(Statement& statement, statement::Call& call, const Item& item,
                            const item::Procedure& procedure);
  // A collective of the machine that the process uses, or of the machine that an algorithm belongs to.
  struct Callee {
    const Item* item = nullptr;
    bool may_be_any = false;  // what would declare it was not understood
  };
  Callee find_collective(const std::string& name);
  const Item* called_member(Expr& callee);
  void report_unknown_call(const expr::Name& name, Place place);

  Context& context_;
  Reports& reports_;
  Dependences& dependences_;
  Names& names_;
  Types& types_;
  Expressions& expressions_;
  References& references_;
  Calls& calls_;
  Functions& functions_;
  Declarations& declarations_;
};

}  // namespace wave::frontend::check
