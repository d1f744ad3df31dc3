// Tells what a process's program is made of and what its parts look at, and so which of them need to be walked only
// once.
#pragma once

#include "ir/dependences.h"

#include <optional>
#include <set>
#include <span>
#include <unordered_map>

namespace wave::backend::processes {

// Of a block and everything inside it.
struct Uses {
  std::set<ir::BinderId> binders;
  bool waits = false;  // for operations in the background
};

class ProgramUses {
 public:
  // Of what is looked at:
  //   counts     what decides how many messages of which size are sent, and to whom
  //   accounts   what messages and computation take
  //   all        that, and what collectives take
  //   classes    as `counts`, and what the ends of messages share, and calls of collectives
  //   held       what decides which memory is held
  enum class Of : std::uint8_t { counts, accounts, all, classes, held };
  ProgramUses(const ir::System& system, const ir::Process& process, const ir::FreeBinders& binders, Of of)
      : system_(system), process_(process), binders_(binders), of_(of) {}

  const Uses& of(ir::BlockId block);
  Uses of(std::span<const ir::Statement> statements);
  bool looks_at(ir::BlockId block, ir::BinderId binder) { return of(block).binders.contains(binder); }
  // Does what is inside this level look at its variable?
  bool looks_at(const ir::Loop& loop, std::size_t level);
  // Do the bounds and filters of the levels further in?
  bool levels_look_at(const ir::Loop& loop, std::size_t level) const;
  // How far from either end of an axis it may matter where on it a process is: of offsets that are constant numbers,
  // the largest. Nothing: it may matter everywhere.
  std::optional<std::int64_t> reach(std::uint32_t axis);

 private:
  template <class Function>
  void for_each_value(const ir::Statement& statement, Function&& f) const;

  const ir::System& system_;
  const ir::Process& process_;
  const ir::FreeBinders& binders_;
  Of of_;
  std::unordered_map<ir::BlockId, Uses> known_;
};

// Tells whether anything in a program asks for resources. Where clocks decide who is served first (docs/processes.md,
// Resources), the parts of the program cannot be evaluated by themselves.
struct ResourceUse {
  bool any = false;          // by some protocol of a machine whose messages it exchanges
  bool by_time = false;      // some message certainly does in an order that clocks decide (request_order.h)
  bool is_shared = false;    // one of them is shared, has several servers, or passes requests on
  bool reads_ranks = false;  // what a message does depends on the ranks of its ends
  bool on_arrival = false;   // something happens when a signal arrives, so the processor is a resource
  bool at_places = false;    // one of several that stand side by side is asked for, or several one after the other
  bool in_sweeps = false;    // there is a sweep
  bool chooses = false;      // there is a `waitany` or a list of tasks: clocks decide what the program goes on with
  // Every message may be another, or happen at a time of its own: no code in place does these.
  bool differs() const { return any || reads_ranks || chooses; }
  // Do clocks decide anything? Rounding may then change more than the times.
  bool looks_at_clocks() const { return any || chooses; }
};
ResourceUse resource_use(const ir::System& system, const ir::Process& process);

// Has some protocol of its messages a window, which looks back over the messages of the whole program?
bool has_windows(const ir::System& system, const ir::Process& process);

// Is no part of it to be evaluated by itself? Resources may serve all of it by time, and where ranks are looked at,
// nearly every message is another.
inline bool is_whole(const ir::System& system, const ir::Process& process) {
  const ResourceUse use = resource_use(system, process);
  return use.by_time || use.reads_ranks || use.chooses || has_windows(system, process);
}
// May requests that are served by time be served in batches (bulk/services.h)?
inline bool may_serve_in_batches(const ir::System& system, const ir::Process& process) {
  const ResourceUse use = resource_use(system, process);
  return use.any && !use.on_arrival && !use.at_places && !use.reads_ranks && !use.chooses &&
         !has_windows(system, process);
}

// Is it a sweep or a collective, is there one inside, or a phase that is asked for (null: none is)? Straight stretches
// are made of the others.
bool is_structure(const ir::Process& process, const ir::Statement& statement, const std::vector<bool>* wanted_phases);
bool is_structure(const ir::Process& process, ir::BlockId block, const std::vector<bool>* wanted_phases);
// How many statements there are before the first of that kind.
std::size_t straight_statements(const ir::Process& process, std::span<const ir::Statement> statements,
                                const std::vector<bool>* wanted_phases);

}  // namespace wave::backend::processes
