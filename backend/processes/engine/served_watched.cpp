// What a watcher is notified of: when the clocks of programs move, and what resources do.
#include "backend/processes/engine/served.h"

#include <algorithm>
#include <variant>

namespace wave::backend::processes::engine {

// At which the program is; at a wait, that of the call that it waits for.
const ir::Statement& Served::statement(Standing& me) {
  const program::Instruction& instruction = program_.code[me.place / 2];
  if (const auto* const n = std::get_if<program::Compute>(&instruction)) return *n->statement;
  if (const auto* const n = std::get_if<program::Communicate>(&instruction)) return *n->statement;
  if (const auto* const n = std::get_if<program::Synchronise>(&instruction)) return *n->statement;
  if (const auto* const list = std::get_if<program::TakeTask>(&instruction)) {
    Chooser& chooser = choosers_[me.rank];
    if (chooser.task == none || chooser.waits[chooser.task].count == 0) return *list->statement;
    return *sites_[operations_[operations_of(chooser, chooser.task)[chooser.charged]].site].call->statement;
  }
  const auto& wait = std::get<program::AwaitPending>(instruction);
  const Pending* const next = next_pending(me, *wait.wait, operations_);
  return next ? *sites_[operations_[next->first].site].call->statement : *wait.statement;
}

// For which the program uses its processor.
Cause::Kind Served::kind_of_work(const Standing& me) const {
  const program::Instruction& instruction = program_.code[me.place / 2];
  if (std::holds_alternative<program::Compute>(instruction)) return Cause::Kind::compute;
  const bool is_collective = std::holds_alternative<program::Synchronise>(instruction);
  return is_collective ? Cause::Kind::collective : Cause::Kind::overhead;
}

Cause::Kind Served::transfer_of(const Ends& ends, std::uint32_t signal) const {
  const ir::Protocol& protocol = input_.scalars.system()[ends.protocol->machine].protocols[ends.protocol->number];
  return protocol.signals[signal] == "payload" ? Cause::Kind::wire : Cause::Kind::handshake;
}

void Served::watch_call(Standing& me, const ir::Statement& statement, std::int64_t tag) {
  const Message* const message = own(me).message;
  tags_[message] = tag;
  watcher_->begin_call(me.rank, message, statement, me.clock);
}

void Served::watch_service(const Message& message, const Ends::Step& step, std::uint32_t use, const Server& by,
                           const ServedMoment& begins) {
  const Ends& ends = *message.ends;
  const ServedUse& of = use == 0 ? step.use : ends.protocol->passes[step.next + use - 1];
  processes::Service service;
  service.by = {{ends.protocol->machine, of.declared}, by.group, of.number};
  service.server = by.number;
  service.sender = message.process[0];
  service.receiver = message.process[1];
  service.size = ends.size;
  service.tag = tags_[&message];
  service.begin = begins.time;
  service.end = begins.time + ends.occupied(of);
  watcher_->serve(service);
}

// Of a program it is its clock that waits: first for the resource, then for its processor.
void Served::watch_waits(Standing& me, const ServedRequest& request, const Needs& needs) {
  using Kind = ServedRequest::Kind;
  const bool is_acquired = request.kind == Kind::acquire && request.operation == none;
  if (request.kind != Kind::processor && !is_acquired) return;
  const Cause::Kind kind = is_acquired ? Cause::Kind::gap : kind_of_work(me);
  double clock = me.clock;
  for (const double free :
       {needs.use ? server(me, *needs.use).free.time : 0, needs.processor ? own(me).processor.time : 0}) {
    watch(me, kind, true, clock, free);
    clock = std::max(clock, free);
  }
}

}  // namespace wave::backend::processes::engine
