// A stretch of a process's program as a flat list of instructions. The position of a process is then one number and a
// few loop counters ("slots"), which matters because millions of processes have one at the same time.
#pragma once

#include "ir/dependences.h"
#include "ir/system.h"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace wave::backend::processes::program {

// A scalar that instructions ask for, and where the binders that it looks at are found.
struct Operand {
  struct Source {
    ir::BinderId binder;
    bool is_axis = false;  // else a slot
    std::uint32_t number = 0;
  };
  ir::ValueId value;
  std::vector<Source> sources;  // none: the same for every process, at all times
};
using OperandId = std::uint32_t;
inline constexpr OperandId no_operand = 0xffffffff;
using Counter = std::uint32_t;  // into Bytecode::code
using Slot = std::uint32_t;

struct Compute {
  const ir::Statement* statement;
  OperandId time;
};
struct Communicate {
  const ir::Statement* statement;
  const ir::Message* message;
  std::vector<OperandId> coordinates;
  OperandId size, within, sender, receiver, tag;
  bool is_awaited = false;  // some wait of the process may wait for it
};
struct AwaitPending {
  const ir::Statement* statement;
  const ir::Wait* wait;
};
// Begins a task of a list: what comes up to the jump behind it is what it receives. Its body begins at `body`, and goes
// by the slots below `slots` as they are now.
struct BeginTask {
  const ir::Statement* statement;
  OperandId priority;
  Counter body;
  Slot slots;
};
// Goes on with a task of the list that has been begun, or behind it. slot: the instruction where it goes on.
struct TakeTask {
  const ir::Statement* statement;
  std::vector<Counter> bodies;
  Slot slot;
  Counter exit;
};
struct Synchronise {
  const ir::Statement* statement;
  const ir::Collective* collective;
  OperandId cost;
};
struct Jump {
  Counter to;
};
struct Test {
  OperandId condition;
  Counter otherwise;
};
struct EnterPhase {
  ir::PhaseId phase;
  Slot slot;
};  // slot: the clock then
struct LeavePhase {
  ir::PhaseId phase;
  Slot slot;
};

// slot: the loop variable, its last value, its step.
struct EnterLoop {
  OperandId first, last, step;
  bool geometric;
  ir::SiteId site;
  Slot slot;
  Counter exit;
};
struct NextIteration {
  bool geometric;
  Slot slot;
  Counter again;
};
// slot: the tile, how many.
struct EnterSweep {
  OperandId tiles;
  Slot slot;
  Counter exit;
};
struct NextTile {
  Slot slot;
  Counter again;
};
// slot: the tile, how many, the diagonal (hops + tile), the front.
struct EnterFronts {
  OperandId tiles;
  Slot slot;
};  // NextBlock follows
struct NextBlock {
  const ir::Sweep* sweep;
  std::vector<Counter> bodies;
  Slot slot;
  Counter exit;
};
struct EndOfProgram {};

using Instruction =
    std::variant<Compute, Communicate, AwaitPending, BeginTask, TakeTask, Synchronise, Jump, Test, EnterPhase,
                 LeavePhase, EnterLoop, NextIteration, EnterSweep, NextTile, EnterFronts, NextBlock, EndOfProgram>;

struct Bytecode {
  // Binders that are neither axes nor bound in `statements` keep the values that they have in the scalars' scope.
  Bytecode(const ir::System& system, const ir::Process& process, const ir::FreeBinders& binders,
           std::span<const ir::Statement> statements);

  std::vector<Instruction> code;
  std::vector<Operand> operands;
  std::vector<ir::BinderId> binders;  // that operands look at, each once
  Slot slots = 0;                     // per process

 private:
  struct Emit;
  OperandId operand(ir::ValueId value);
  void emit(std::span<const ir::Statement> statements);
  void emit(const ir::Statement& statement);
  void emit_levels(std::span<const ir::Level> levels, ir::BlockId body);
  void emit_fronts(const ir::Sweep& sweep);
  void emit_block(ir::BlockId block);
  void find_awaited();
  Slot take_slots(Slot count);
  Counter here() const { return static_cast<Counter>(code.size()); }

  const ir::Process* process_;
  const ir::FreeBinders* binders_;
  std::map<ir::BinderId, Operand::Source> scope_;
  std::set<ir::BinderId> seen_;  // those in `binders`
  std::map<std::pair<ir::ValueId, std::vector<std::uint32_t>>, OperandId> known_;
  std::vector<bool> awaited_;     // by handle
  std::vector<Counter> tasks_;    // of the list around: where they begin
  std::vector<Counter> returns_;  // the ends of their bodies
  bool awaits_all_ = false;
  Slot depth_ = 0;  // slots in use
};

}  // namespace wave::backend::processes::program
