// Machines against their interface and the machine that they extend; collectives; protocols, whose ends must meet.
#pragma once

#include "frontend/check/context.h"

namespace wave::frontend::check {

class Machines {
 public:
  explicit Machines(const Parts& parts)
      : context_(parts.context),
        reports_(parts.reports),
        names_(parts.names),
        types_(parts.types),
        expressions_(parts.expressions),
        functions_(parts.functions),
        declarations_(parts.declarations),
        processes_(parts.processes) {}

  void check_machine(Item& item, item::Machine& machine);
  void check_collective(Item& item, item::Collective& collective);
  void check_protocol(Item& item, item::Protocol& protocol);

 private:
  void check_overrides(const Item& item, const item::Machine& machine);
  void check_override_type(const Item& item, const Item& replaced);
  void check_interface_met(const Item& item);

  // --- protocols.cpp ---
  void check_protocol_choice(const Item& machine);
  void check_end(Block& block);
  void check_acquires(const Block& block);
  void check_arrivals(const Block& block);
  void check_signals(const Item& item, const item::Protocol& protocol);
  void check_progress(const Item& item, const item::Protocol& protocol);

  Context& context_;
  Reports& reports_;
  Names& names_;
  Types& types_;
  Expressions& expressions_;
  Functions& functions_;
  Declarations& declarations_;
  Processes& processes_;
};

}  // namespace wave::frontend::check
