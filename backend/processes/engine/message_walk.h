// Goes through the programs of processes without clocks: nobody waits for anything, and every message is called. Which
// messages there are, of which size and between whom, depends on no clock (docs/processes.md).
#pragma once

#include "backend/processes/engine/program_host.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace wave::backend::processes::engine {

// An end of a message.
struct CalledEnd {
  Number site = 0;  // instruction
  Side side{};
  Number sender = 0, receiver = 0;
  std::uint32_t call = 0;  // which of its process's messages
  double size = 0;         // means nothing where the message has none
  std::int64_t within = 0;
  const std::int64_t* key = nullptr;  // the tag, and the coordinates as written
  std::uint32_t list = 0;             // how many lists of tasks its process has left
  std::uint32_t task = none;          // in whose body; which of its list
};

// Tasks are run in the order of their list.
class MessageWalk : public ProgramHost {
 public:
  // `take`: true, the process lets others go on first.
  MessageWalk(const ProgramInput& input, const program::Bytecode& program, std::function<bool(const CalledEnd&)> take);

  // All ends of a process in the order of its program. False: a program fails. Throw Failed for limits, and what `take`
  // throws that is no failure.
  bool run_one_by_one(const ProgramCode& code);  // nobody lets others go first
  bool run_together(const ProgramCode& code);
  using ProgramHost::site;

 private:
  friend class ProgramHost;
  static Calls calls_of_code();
  bool run(const ProgramCode& code, Standing& me) { return code(*this, me) == 0; }
  Outcome communicate(Standing& me, std::uint32_t number, Number peer, double size, std::int64_t within,
                      const std::int64_t* key);
  Outcome go_on_with_message(Standing&, std::uint32_t) { return Outcome::goes_on; }
  Outcome await_pending(Standing&, const ir::Wait&) { return Outcome::goes_on; }
  Outcome take_task(Standing& me, const program::TakeTask& list, std::int64_t* slots);
  Outcome synchronise(Standing&, const ir::Collective&) { return Outcome::goes_on; }
  Outcome pay(Standing&, const ir::Collective&, double) { return Outcome::failed; }

  const std::function<bool(const CalledEnd&)> take_;
  std::vector<SiteForCode> sites_;
  std::uint32_t turns_ = 0;
  struct Running {
    std::uint32_t lists = 0, task = none;  // as CalledEnd has them
  };
  std::vector<Running> running_;  // by process; empty: there are no lists
};

}  // namespace wave::backend::processes::engine
