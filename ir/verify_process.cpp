// One visitor for ids and shapes, one for types, and a walk that knows which binders are bound.
#include "ir/verify.h"
#include "ir/walk.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::ir {

namespace {

class Complaints {
 public:
  void expect(bool condition, const std::string& where, const char* what) {
    if (!condition) lines.push_back(where + ": " + what);
  }
  std::vector<std::string> lines;
};

class ShapeVerifier {
 public:
  ShapeVerifier(const System& system, Complaints& complaints) : system_(system), complaints_(complaints) {}

  void run(const Process& process) {
    process_ = &process;
    where_ = "process " + process.name;
    is(process.frame.index < system_.frames.size(), "no such frame");
    is(process.space.index < system_.spaces.size(), "no such space");
    if (process.space.index >= system_.spaces.size()) return;
    axes_ = system_[process.space].axes.size();
    is(system_[process.space].frame == process.frame, "its space is of another frame");
    is(process.body.index < process.blocks.size(), "has no body");
    for_each_value_of_process(process, [&](ValueId id) { is(id.index < system_.values.size(), "an id of no value"); });
    for (const Block& block : process.blocks) {
      for (const Statement& statement : block) {
        for_each_block(statement, [&](BlockId id) { is(id.index < process.blocks.size(), "an id of no block"); });
        is(!statement.site.valid() || statement.site.index < system_.sites.size(), "an id of no site");
        for (const HeldId held : statement.held) is(held.index < process.held.size(), "an id of no memory");
        is(!statement.call.valid() || statement.call.index < process.calls.size(), "an id of no call");
        std::visit(*this, statement.node);
      }
    }
    for (const Held& held : process.held) {
      is(held.memory.index < process.memories.size() && held.size.valid(), "memory without a name or size");
      is(held.site.index < system_.sites.size(), "memory without a site");
    }
    for (const CollectiveCall& call : process.calls) is(!call.is_first.empty(), "a call of which nobody is the first");
    if (complaints_.lines.empty() && has_cycle()) is(false, "a block contains itself");
  }

  void run(const MessageEnds& ends) {
    where_ = "ends " + ends.name;
    is(ends.frame.index < system_.frames.size(), "no such frame");
    for (const ParameterId id : {ends.size, ends.within, ends.sender, ends.receiver})
      is(id.index < system_.parameters.size(), "an id of no parameter");
    is(ends.site.index < system_.sites.size(), "has no site");
    is(!ends.protocols.empty(), "has no protocol");
    for (const Resource& resource : ends.resources)
      is(!resource.level || *resource.level < ends.levels.size(), "a resource of no level");
    for_each_value_of_ends(ends, [&](ValueId id) { is(id.index < system_.values.size(), "an id of no value"); });
    for (const Protocol& protocol : ends.protocols) {
      for (const Step& step : protocol.sender) check(ends, protocol, step);
      for (const Step& step : protocol.receiver) check(ends, protocol, step);
      check_signals(protocol);
      check_acquires(protocol.sender), check_acquires(protocol.receiver);
    }
  }

  void operator()(const Compute& n) { is(n.time.valid(), "a computation without a time"); }
  void operator()(const Message& n) {
    is(n.ends.index < system_.ends.size(), "an id of no ends");
    is(n.size.valid() || n.side == Message::Side::receive, "a send without a size");
    is(n.within.valid(), "a message that does not say which level it stays in");
    is(!system_[n.ends].reads_ranks || (n.sender.valid() && n.receiver.valid()), "a message without its ranks");
    is(!n.handle.valid() || (n.background && n.handle.index < process_->handles.size()),
       "a name of an operation that has none");
    is(n.peer.coordinates.size() == (n.peer.by_rank ? 1 : axes_), "a peer of another rank than the grid");
    for (const ValueId value : n.peer.coordinates) is(value.valid(), "a coordinate is missing");
    is(n.peer.kind == Peer::Kind::offset || n.peer.site.index < system_.sites.size(),
       "an absolute place without a site");
  }
  void operator()(const Wait& n) {
    is(!n.is_any || !n.handles.empty(), "a wait for the first of nothing");
    for (const HandleId handle : n.handles) is(handle.index < process_->handles.size(), "a wait for no name");
  }
  void operator()(const Ready& n) { is(n.tasks.valid(), "a list of tasks without its block"); }
  void operator()(const Task& n) {
    is(n.receives.valid() && n.body.valid(), "a task without its blocks");
    is(n.priority.valid(), "a task without a priority");
  }
  void operator()(const Sweep& n) {
    is(n.tiles.valid() && n.tile.index < system_.binders.size(), "a sweep without tiles");
    is(!n.fronts.empty(), "a sweep from nowhere");
    for (const Front& front : n.fronts) {
      is(front.rising.size() == axes_, "a corner of another rank than the grid");
      is(front.body.valid(), "a sweep without a body");
    }
  }
  void operator()(const Loop& n) {
    is(n.body.valid() && !n.levels.empty(), "a loop without a body or levels");
    for (const Level& level : n.levels) {
      is(level.binder.index < system_.binders.size() && level.site.index < system_.sites.size(),
         "a loop without a binder or site");
      for (const ValueId id : {level.first, level.last, level.step}) is(id.valid(), "a loop without its bounds");
    }
  }
  void operator()(const Branch& n) { is(n.condition.valid(), "a branch without a condition"); }
  void operator()(const Phase& n) {
    is(n.phase.index < process_->phases.size() && n.body.valid(), "a phase without a name or body");
  }
  void operator()(const Collective& n) {
    is(n.cost.valid(), "a collective without a cost");
    is(!n.along || *n.along < axes_, "a collective along no axis");
  }

 private:
  void is(bool condition, const char* what) { complaints_.expect(condition, where_, what); }

  void check(const MessageEnds& ends, const Protocol& protocol, const Step& step) {
    is(step.site.index < system_.sites.size(), "a step without a site");
    const bool has_signal = step.kind != Step::Kind::busy && step.kind != Step::Kind::acquire;
    is(!has_signal || step.signal < protocol.signals.size(), "a signal of no name");
    is(step.uses.empty() || step.kind != Step::Kind::busy, "a busy that uses a resource");
    for (const Use& use : step.uses) {
      is(use.resource < ends.resources.size(), "a resource of no name");
      if (use.resource >= ends.resources.size()) continue;
      is(use.number.valid() == ends.resources[use.resource].count.valid(), "a resource by another number");
    }
    const bool has_time = step.kind == Step::Kind::await ? !step.uses.empty() : step.kind != Step::Kind::acquire;
    is(has_time || !step.time.valid(), "an acquire, or an await without a resource, with a time of its own");
    is(step.uses.empty() || step.kind != Step::Kind::sent, "a signal is sent through a resource a second time");
    is(step.time.valid() || step.kind != Step::Kind::sent, "nothing says when a signal has been sent");
    is(step.kind != Step::Kind::acquire || step.uses.size() == 1, "acquires nothing, or more than one");
    is(step.kind != Step::Kind::arrival || step.uses.size() <= 1, "takes more than one resource on arrival");
  }

  // Nothing but `emit`s may stand between.
  void check_acquires(const std::vector<Step>& steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].kind != Step::Kind::acquire) continue;
      std::size_t next = i + 1;
      while (next < steps.size() && steps[next].kind == Step::Kind::emit) ++next;
      is(next < steps.size() && steps[next].kind == Step::Kind::busy, "an acquire that no busy follows");
    }
  }

  // What an end does with a signal, how often.
  struct Handled {
    int emits = 0, awaits = 0, awaits_with_uses = 0, arrivals = 0;
  };
  // By signal. Signals of no name are left out.
  std::vector<Handled> handled_by(const std::vector<Step>& steps, std::size_t signals) {
    std::vector<Handled> handled(signals);
    for (const Step& step : steps) {
      if (step.signal >= signals) continue;
      Handled& signal = handled[step.signal];
      signal.emits += step.kind == Step::Kind::emit;
      signal.awaits += step.kind == Step::Kind::await;
      signal.awaits_with_uses += step.kind == Step::Kind::await && !step.uses.empty();
      signal.arrivals += step.kind == Step::Kind::arrival;
      // Only what this end has emitted before can have been sent.
      is(step.kind != Step::Kind::sent || signal.emits > 0, "a signal has been sent that was not emitted before");
    }
    return handled;
  }

  // Every awaited signal is emitted exactly once, by the other end; the receiver awaits something. A signal that is
  // taken in on arrival is taken once, and its awaits have no resource.
  void check_signals(const Protocol& protocol) {
    const std::size_t signals = protocol.signals.size();
    const auto at_sender = handled_by(protocol.sender, signals), at_receiver = handled_by(protocol.receiver, signals);
    const auto has_come = [&](const Handled& own, const Handled& other) {
      is(other.emits == 1 || own.awaits + own.arrivals == 0, "an awaited signal never comes");
      is(own.arrivals <= 1, "a signal is taken on arrival twice");
      is(own.arrivals == 0 || own.awaits_with_uses == 0, "taken on arrival and awaited by a resource");
    };
    for (std::size_t signal = 0; signal < signals; ++signal) {
      is(at_sender[signal].emits + at_receiver[signal].emits <= 1, "a signal is emitted twice");
      has_come(at_sender[signal], at_receiver[signal]);
      has_come(at_receiver[signal], at_sender[signal]);
    }
    const auto awaits = [](const Step& step) { return step.kind == Step::Kind::await; };
    is(std::any_of(protocol.receiver.begin(), protocol.receiver.end(), awaits), "a receiver that awaits nothing");
  }

  bool has_cycle() const {
    std::vector<std::uint8_t> marks(process_->blocks.size(), 0);  // 1: open, 2: done
    const std::function<bool(BlockId)> visit = [&](BlockId id) {
      if (marks[id.index] != 0) return marks[id.index] == 1;
      marks[id.index] = 1;
      bool found = false;
      for (const Statement& statement : process_->blocks[id.index]) {
        for_each_block(statement, [&](BlockId inner) { found = found || visit(inner); });
      }
      marks[id.index] = 2;
      return found;
    };
    return visit(process_->body);
  }

  const System& system_;
  Complaints& complaints_;
  const Process* process_ = nullptr;
  std::size_t axes_ = 0;
  std::string where_;
};

class TypeOfProcess {
 public:
  TypeOfProcess(const System& system, Complaints& complaints) : system_(system), complaints_(complaints) {}

  void run(const Process& process) {
    where_ = "process " + process.name;
    for (const SharedLevel& one : process.levels) has(one.group, ScalarType::integer, "a level that is not an integer");
    for (const Block& block : process.blocks) {
      for (const Statement& statement : block) {
        const bool weighs =
            std::holds_alternative<Compute>(statement.node) || std::holds_alternative<Collective>(statement.node);
        complaints_.expect(!weighs || statement.site.valid(), where_, "a time without a site");
        std::visit(*this, statement.node);
      }
    }
    for (const Held& held : process.held) has(held.size, ScalarType::real, "a size that is not real");
    for (const CollectiveCall& call : process.calls) {
      has(call.size, ScalarType::real, "a size that is not real");
      has(call.participants, ScalarType::integer, "a number of participants that is not an integer");
      for (const ValueId condition : call.is_first)
        has(condition, ScalarType::boolean, "a condition that is not boolean");
    }
  }

  void run(const MessageEnds& ends) {
    where_ = "ends " + ends.name;
    complaints_.expect(system_[ends.size].type == ScalarType::real, where_, "a size of another type");
    ParameterId last = ends.size;
    for (const ParameterId id : {ends.within, ends.sender, ends.receiver}) {
      complaints_.expect(system_[id].type == ScalarType::integer, where_, "a parameter of another type");
      complaints_.expect(last < id && system_[id].frame == ends.frame && system_[last].frame == ends.frame, where_,
                         "parameters of another frame or order");
      last = id;
    }
    for (const Resource& resource : ends.resources) {
      has(resource.count, ScalarType::integer, "a number of resources that is not an integer");
      has(resource.servers, ScalarType::integer, "a number of servers that is not an integer");
    }
    for (const Protocol& protocol : ends.protocols) {
      has(protocol.condition, ScalarType::boolean, "a condition that is not boolean");
      has(protocol.window, ScalarType::integer, "a window that is not an integer");
      for (const auto* steps : {&protocol.sender, &protocol.receiver}) {
        for (const Step& step : *steps) {
          has(step.time, ScalarType::real, "a time that is not real");
          for (const Use& use : step.uses) {
            has(use.occupied, ScalarType::real, "a time that is not real");
            has(use.number, ScalarType::integer, "a number that is not an integer");
          }
        }
      }
    }
  }

  void operator()(const Compute& n) { has(n.time, ScalarType::real, "a time that is not real"); }
  void operator()(const Message& n) {
    has(n.size, ScalarType::real, "a size that is not real");
    for (const ValueId id : {n.within, n.sender, n.receiver})
      has(id, ScalarType::integer, "a place that is not an integer");
    has(n.tag, ScalarType::integer, "a tag that is not an integer");
    for (const ValueId value : n.peer.coordinates)
      has(value, ScalarType::integer, "a coordinate that is not an integer");
  }
  void operator()(const Wait&) {}
  void operator()(const Ready&) {}
  void operator()(const Task& n) { has(n.priority, ScalarType::real, "a priority that is not real"); }
  void operator()(const Sweep& n) { has(n.tiles, ScalarType::integer, "a number of tiles that is not an integer"); }
  void operator()(const Loop& n) {
    for (const Level& level : n.levels) {
      for (const ValueId id : {level.first, level.last, level.step})
        has(id, ScalarType::integer, "a bound that is not an integer");
      has(level.filter, ScalarType::boolean, "a filter that is not boolean");
    }
  }
  void operator()(const Branch& n) { has(n.condition, ScalarType::boolean, "a condition that is not boolean"); }
  void operator()(const Phase&) {}
  void operator()(const Collective& n) { has(n.cost, ScalarType::real, "a cost that is not real"); }

 private:
  void has(ValueId value, ScalarType type, const char* what) {
    complaints_.expect(!value.valid() || system_[value].type == type, where_, what);
  }

  const System& system_;
  Complaints& complaints_;
  std::string where_;
};

// Shows values with the binders that are bound where they stand.
class ValuesOfProcess {
 public:
  using Result = NoResult;
  using Program = ProcessWalk<ValuesOfProcess>;
  ValuesOfProcess(const System& system, const Process& process, const WalkValue& show)
      : process_(process), show_(show), walked_(process.blocks.size()) {
    for (const Axis& axis : system[process.space].axes) binders_.push_back(axis.binder);
    for (const SharedLevel& one : process.levels) value(one.group);
  }

  void whole() {
    Program program(process_, *this);
    block(process_.body, program);
  }

  bool goes_on() const { return true; }
  template <class Kind>
  NoResult meet(const Statement& statement, const Kind&) {
    for_each_value_of_statement(statement, [&](ValueId id) { value(id); });
    return {};
  }
  NoResult phase(const Phase& n, Program& program) { return block(n.body, program); }
  NoResult branch(const Branch& n, Program& program) {
    value(n.condition);
    block(n.then_block, program);
    return block(n.else_block, program);
  }
  NoResult sweep(const Sweep& n, Program& program) {
    value(n.tiles);
    binders_.push_back(n.tile);
    for (const Front& front : n.fronts) block(front.body, program);
    binders_.pop_back();
    return {};
  }
  NoResult level(const Loop& n, std::size_t number, Program& program) {
    const Level& level = n.levels[number];
    for (const ValueId id : {level.first, level.last, level.step}) value(id);
    binders_.push_back(level.binder);
    value(level.filter);
    if (number + 1 < n.levels.size())
      program.inside_of(n, number);
    else
      block(n.body, program);
    binders_.pop_back();
    return {};
  }

 private:
  void value(ValueId id) {
    if (id.valid()) show_(id, binders_);
  }
  NoResult block(BlockId id, Program& program) {
    if (!id.valid()) return {};
    std::optional<std::vector<BinderId>>& known = walked_[id.index];
    if (known && *known == binders_) return {};  // used before, under the same binders
    known = binders_;
    for (const Statement& statement : process_.blocks[id.index]) {
      for (const HeldId held : statement.held) value(process_.held[held.index].size);
      if (!statement.call.valid()) continue;
      for_each_value_of_call(process_.calls[statement.call.index], [&](ValueId of_call) { value(of_call); });
    }
    return program.block(id);
  }

  const Process& process_;
  const WalkValue& show_;
  std::vector<BinderId> binders_;
  std::vector<std::optional<std::vector<BinderId>>> walked_;
};

}  // namespace

std::vector<std::string> verify_process_ids(const System& system) {
  Complaints complaints;
  ShapeVerifier shapes(system, complaints);
  for (const MessageEnds& ends : system.ends) shapes.run(ends);
  for (const Process& process : system.processes) shapes.run(process);
  return std::move(complaints.lines);
}

std::vector<std::string> verify_process_types(const System& system) {
  Complaints complaints;
  TypeOfProcess types(system, complaints);
  for (const MessageEnds& ends : system.ends) types.run(ends);
  for (const Process& process : system.processes) types.run(process);
  return std::move(complaints.lines);
}

void walk_process(const System& system, const Process& process, const WalkValue& walk) {
  ValuesOfProcess(system, process, walk).whole();
}

}  // namespace wave::ir
