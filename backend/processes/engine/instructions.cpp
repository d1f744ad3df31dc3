// See instructions.h.
#include "backend/processes/engine/instructions.h"

#include "backend/processes/program/checks.h"
#include "backend/processes/program/peers.h"
#include "backend/processes/thresholds.h"

#include <bit>
#include <limits>
#include <utility>
#include <variant>

namespace wave::backend::processes::engine {

using program::Counter;

Instructions::Instructions(const ProgramInput& input, const program::Bytecode& program)
    : input_(input),
      program_(program),
      extents_(input.places.extents),
      values_(input.scalars, program, input.places.extents),
      point_(input.places.extents.size()) {}

// A time on the quantum. Throws Failed.
double Instructions::weight(program::OperandId operand, const ir::Statement& statement, Shared& shared, Standing& me) {
  const double time = values_(operand).real;
  const double rounded = on_quantum(time, input_.quantum, statement.site, statement.location);
  if (time != rounded) shared.calls.note_rounding(&shared, &me, time, rounded);
  return rounded;
}

// One instruction, and where the process goes on. `at` is that of the instruction, then of the next one.
struct Instructions::Execute {
  Instructions& self;
  Shared& shared;
  Standing& me;
  Counter at;

  std::int64_t* slot(program::Slot number) const { return self.slots(me) + number; }
  std::int64_t integer(program::OperandId id) const { return self.values_(id).integer; }
  Outcome jump(Counter to) {
    at = to;
    return Outcome::goes_on;
  }
  Outcome pass() { return jump(at + 1); }
  Outcome passed(Outcome outcome) { return outcome == Outcome::goes_on ? pass() : outcome; }

  // So that the runtime finds the statement.
  void stand_here() { me.place = EntryPoint::begin(at); }

  Outcome operator()(const program::Compute& n) {
    stand_here();
    const double time = self.weight(n.time, *n.statement, shared, me);
    if (shared.calls.compute) return passed(shared.calls.compute(&shared, &me, time));
    me.clock += time;
    ++shared.operations;
    return pass();
  }

  Outcome operator()(const program::Communicate& n) {
    std::vector<std::int64_t>& key = self.key_;
    key.assign(1, 0);
    for (const program::OperandId coordinate : n.coordinates) key.push_back(integer(coordinate));
    const std::int64_t peer = shared.calls.find_peer(&shared, &me, at, key.data());
    if (peer == -1) return pass();
    if (peer < 0) return Outcome::failed;
    const double size = n.size != program::no_operand ? self.values_(n.size).real : 0;
    const auto within = static_cast<std::int32_t>(integer(n.within));
    if (n.tag != program::no_operand) key.front() = integer(n.tag);
    stand_here();
    return passed(shared.calls.communicate(&shared, &me, at, static_cast<Number>(peer), size, within, key.data()));
  }

  Outcome operator()(const program::AwaitPending&) {
    stand_here();
    return passed(shared.calls.await_pending(&shared, &me, at));
  }

  Outcome operator()(const program::BeginTask& n) {
    stand_here();
    const double priority = self.values_(n.priority).real;
    return passed(shared.calls.begin_task(&shared, &me, at, priority, self.slots(me)));
  }
  Outcome operator()(const program::TakeTask& n) {
    stand_here();
    const Outcome outcome = shared.calls.take_task(&shared, &me, at, self.slots(me));
    return outcome == Outcome::goes_on ? jump(static_cast<Counter>(*slot(n.slot))) : outcome;
  }

  Outcome operator()(const program::Synchronise& n) {
    stand_here();
    const Outcome outcome = shared.calls.synchronise(&shared, &me, at);
    if (outcome != Outcome::pays) return passed(outcome);
    const double cost = self.values_(n.cost).real;
    on_quantum(cost, self.input_.quantum, n.statement->site, n.statement->location);  // so that a failure has its place
    return passed(shared.calls.pay(&shared, &me, at, cost));
  }

  Outcome operator()(const program::Jump& n) { return jump(n.to); }
  Outcome operator()(const program::Test& n) { return self.values_(n.condition).boolean ? pass() : jump(n.otherwise); }

  Outcome operator()(const program::EnterPhase& n) {
    *slot(n.slot) = std::bit_cast<std::int64_t>(me.clock);
    if (shared.calls.enter_phase) shared.calls.enter_phase(&shared, &me, n.phase.index);
    return pass();
  }
  Outcome operator()(const program::LeavePhase& n) {
    shared.calls.leave_phase(&shared, &me, n.phase.index, std::bit_cast<double>(*slot(n.slot)));
    return pass();
  }

  Outcome operator()(const program::EnterLoop& n) {
    const ir::LoopRange range{integer(n.first), integer(n.last), integer(n.step), n.geometric};
    require_progress(range, n.site);
    slot(n.slot)[0] = range.first;
    slot(n.slot)[1] = range.last;
    slot(n.slot)[2] = range.step;
    return range.begin().has_value() ? pass() : jump(n.exit);
  }
  Outcome operator()(const program::NextIteration& n) {
    std::int64_t* const of = slot(n.slot);
    const auto next = ir::LoopRange{of[0], of[1], of[2], n.geometric}.after(of[0]);
    if (!next) return pass();
    of[0] = *next;
    return jump(n.again);
  }

  Outcome operator()(const program::EnterSweep& n) {
    std::int64_t* const of = slot(n.slot);
    of[1] = integer(n.tiles);
    of[0] = 1;
    return of[1] >= 1 ? pass() : jump(n.exit);
  }
  Outcome operator()(const program::NextTile& n) {
    std::int64_t* const of = slot(n.slot);
    if (of[0] >= of[1]) return pass();
    ++of[0];
    return jump(n.again);
  }

  Outcome operator()(const program::EnterFronts& n) {
    std::int64_t* const of = slot(n.slot);
    of[1] = integer(n.tiles);
    of[2] = 0;   // the diagonal
    of[3] = -1;  // the front served last
    return pass();
  }
  // The blocks of all fronts by diagonal, then in the order of the list. Diagonals without a block of this process are
  // jumped over.
  Outcome operator()(const program::NextBlock& n) {
    std::int64_t* const of = slot(n.slot);
    const std::int64_t tiles = of[1], diagonal = of[2], served = of[3];
    const auto& fronts = n.sweep->fronts;
    self.point_.assign(self.coordinates(me), self.coordinates(me) + self.point_.size());
    Counter to = n.exit;
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    for (std::size_t front = 0; front < fronts.size(); ++front) {
      const std::int64_t distance = hops(fronts[front], self.input_.places, self.point_);
      const bool is_after = static_cast<std::int64_t>(front) > served;
      const std::int64_t earliest = std::max(is_after ? diagonal : diagonal + 1, distance + 1);
      if (earliest - distance > tiles || earliest >= best) continue;
      best = earliest;
      of[0] = earliest - distance;
      of[2] = earliest;
      of[3] = static_cast<std::int64_t>(front);
      to = n.bodies[front];
    }
    return jump(to);
  }

  Outcome operator()(const program::EndOfProgram&) {
    me.is_finished = true;
    return Outcome::again;
  }
};

std::int32_t Instructions::run(void* context, void*, Shared* shared, Standing* standing) {
  Instructions& self = *static_cast<Instructions*>(context);
  Standing& me = *standing;
  try {
    self.values_.stand(self.coordinates(me), self.slots(me));
    Execute execute{self, *shared, me, me.place / 2};
    Outcome outcome = Outcome::goes_on;
    if (me.place == EntryPoint::in_steps(execute.at))
      outcome = execute.passed(shared->calls.go_on_with_message(shared, &me, execute.at));
    while (outcome == Outcome::goes_on) {
      if (++self.ticks_ % instructions_between_clock_reads == 0) self.input_.look_at_clock();
      outcome = std::visit(execute, self.program_.code[execute.at]);
    }
    me.place = outcome == Outcome::waits ? EntryPoint::in_steps(execute.at) : EntryPoint::begin(execute.at);
    return outcome == Outcome::waits || outcome == Outcome::again ? 0 : 1;
  } catch (...) {
    self.thrown_ = std::current_exception();
    return 1;
  }
}

}  // namespace wave::backend::processes::engine
