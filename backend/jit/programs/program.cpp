// The structure of a program as a text.
#include "backend/jit/programs/program.h"

#include "base/digest.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace wave::jit::programs {

namespace {

namespace program = backend::processes::program;

struct Describe {
  std::string& text;

  template <class... Numbers>
  void put(char kind, Numbers... numbers) const {
    text += kind;
    ((text += fmt::format("{},", static_cast<std::int64_t>(numbers))), ...);
  }
  void operator()(const program::Compute& n) const { put('c', n.time); }
  void operator()(const program::Communicate& n) const {
    put('m', n.message->side, n.message->background, n.message->ends.index, n.message->peer.kind,
        n.message->peer.by_rank, n.size, n.within, n.tag);
    for (const program::OperandId coordinate : n.coordinates) put('@', coordinate);
  }
  void operator()(const program::AwaitPending&) const { put('w'); }
  void operator()(const program::BeginTask& n) const { put('T', n.priority, n.body, n.slots); }
  void operator()(const program::TakeTask& n) const {
    put('k', n.slot, n.exit);
    for (const program::Counter body : n.bodies) put('@', body);
  }
  void operator()(const program::Synchronise& n) const { put('s', n.cost); }
  void operator()(const program::Jump& n) const { put('j', n.to); }
  void operator()(const program::Test& n) const { put('t', n.condition, n.otherwise); }
  void operator()(const program::EnterPhase& n) const { put('p', n.phase.index, n.slot); }
  void operator()(const program::LeavePhase& n) const { put('q', n.phase.index, n.slot); }
  void operator()(const program::EnterLoop& n) const { put('l', n.first, n.last, n.step, n.geometric, n.slot, n.exit); }
  void operator()(const program::NextIteration& n) const { put('n', n.geometric, n.slot, n.again); }
  void operator()(const program::EnterSweep& n) const { put('e', n.tiles, n.slot, n.exit); }
  void operator()(const program::NextTile& n) const { put('i', n.slot, n.again); }
  void operator()(const program::EnterFronts& n) const { put('f', n.tiles, n.slot); }
  void operator()(const program::NextBlock& n) const {
    put('b', n.slot, n.exit);
    for (const ir::Front& front : n.sweep->fronts) {
      for (const bool rises : front.rising) put(rises ? '+' : '-');
    }
    for (const program::Counter body : n.bodies) put('@', body);
  }
  void operator()(const program::EndOfProgram&) const { put('x'); }
  void operator()(const ir::Protocol& protocol) const {
    put('P', protocol.window.valid());
    for (const auto* const steps : {&protocol.sender, &protocol.receiver}) {
      put('|');
      for (const ir::Step& step : *steps) put('.', step.kind, step.signal);
    }
  }
};

}  // namespace

std::string symbol_of(const ProcessProgram& program) {
  const program::Bytecode& bytecode = program.bytecode;
  std::string text = program.resources.on_arrival ? "p" : program.resources.differs() ? "r" : "";
  if (program.records) text += "records";
  const Describe describe{text};
  for (const ir::Axis& axis : program.system[program.process.space].axes) text += axis.wrap ? 'w' : '-';
  for (const program::Operand& operand : bytecode.operands) {
    text += 'o';
    for (const program::Operand::Source& source : operand.sources) {
      const auto binder = std::ranges::find(bytecode.binders, source.binder) - bytecode.binders.begin();
      text += fmt::format("{}{}:{},", source.is_axis ? 'a' : 's', source.number, binder);
    }
  }
  std::set<ir::EndsId> machines;
  for (const program::Instruction& instruction : bytecode.code) {
    std::visit(describe, instruction);
    if (const auto* const n = std::get_if<program::Communicate>(&instruction)) machines.insert(n->message->ends);
  }
  for (const ir::EndsId machine : machines) {
    describe.put('M', machine.index);
    for (const ir::Protocol& protocol : program.system[machine].protocols) describe(protocol);
  }
  return "program_" + hexadecimal(digest(text));
}

}  // namespace wave::jit::programs
