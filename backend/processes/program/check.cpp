// See check.h.
#include "backend/processes/program/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <variant>

namespace wave::backend::processes::program {

namespace {

struct Check {
  const Bytecode& program;

  std::string operand(OperandId id, bool may_lack = false) const {
    if (id == no_operand) return may_lack ? "" : "an operand is missing";
    return id < program.operands.size() ? "" : fmt::format("there is no operand {}", id);
  }
  std::string all(std::initializer_list<std::string> parts) const {
    const auto found = std::ranges::find_if(parts, [](const std::string& part) { return !part.empty(); });
    return found == parts.end() ? "" : *found;
  }
  std::string slots(Slot first, Slot count) const {
    return first + count <= program.slots ? "" : fmt::format("slots {} to {} are too many", first, first + count - 1);
  }
  std::string jump(Counter to) const {
    return to < program.code.size() ? "" : fmt::format("a jump to {} leaves the program", to);
  }

  std::string operator()(const Compute& n) const { return operand(n.time); }
  std::string operator()(const Communicate& n) const {
    if (n.coordinates.size() != n.message->peer.coordinates.size()) return "a peer has other coordinates";
    for (const OperandId coordinate : n.coordinates) {
      if (std::string breach = operand(coordinate); !breach.empty()) return breach;
    }
    const bool is_send = n.message->side == ir::Message::Side::send;
    return all({operand(n.size, !is_send), operand(n.within), operand(n.sender, true), operand(n.receiver, true),
                operand(n.tag, true)});
  }
  std::string operator()(const AwaitPending&) const { return {}; }
  std::string operator()(const BeginTask& n) const {
    return all({operand(n.priority), jump(n.body), slots(0, n.slots)});
  }
  std::string operator()(const TakeTask& n) const {
    for (const Counter body : n.bodies) {
      if (std::string breach = jump(body); !breach.empty()) return breach;
    }
    return all({slots(n.slot, 1), jump(n.exit)});
  }
  std::string operator()(const Synchronise& n) const { return operand(n.cost); }
  std::string operator()(const Jump& n) const { return jump(n.to); }
  std::string operator()(const Test& n) const { return all({operand(n.condition), jump(n.otherwise)}); }
  std::string operator()(const EnterPhase& n) const { return slots(n.slot, 1); }
  std::string operator()(const LeavePhase& n) const { return slots(n.slot, 1); }
  std::string operator()(const EnterLoop& n) const {
    return all({operand(n.first), operand(n.last), operand(n.step), slots(n.slot, 3), jump(n.exit)});
  }
  std::string operator()(const NextIteration& n) const { return all({slots(n.slot, 3), jump(n.again)}); }
  std::string operator()(const EnterSweep& n) const { return all({operand(n.tiles), slots(n.slot, 2), jump(n.exit)}); }
  std::string operator()(const NextTile& n) const { return all({slots(n.slot, 2), jump(n.again)}); }
  std::string operator()(const EnterFronts& n) const { return all({operand(n.tiles), slots(n.slot, 4)}); }
  std::string operator()(const NextBlock& n) const {
    if (n.bodies.size() != n.sweep->fronts.size()) return "a sweep has other fronts";
    for (const Counter body : n.bodies) {
      if (std::string breach = jump(body); !breach.empty()) return breach;
    }
    return all({slots(n.slot, 4), jump(n.exit)});
  }
  std::string operator()(const EndOfProgram&) const { return {}; }
};

}  // namespace

std::string find_breach(const Bytecode& program) {
  if (program.code.empty() || !std::holds_alternative<EndOfProgram>(program.code.back()))
    return "the program has no end";
  for (const Operand& operand : program.operands) {
    for (const Operand::Source& source : operand.sources) {
      if (!source.is_axis && source.number >= program.slots)
        return fmt::format("an operand reads slot {}, and there are {}", source.number, program.slots);
      if (std::ranges::find(program.binders, source.binder) == program.binders.end())
        return "an operand reads a binder that is not listed";
    }
  }
  for (std::size_t at = 0; at < program.code.size(); ++at) {
    if (const std::string breach = std::visit(Check{program}, program.code[at]); !breach.empty())
      return fmt::format("instruction {}: {}", at, breach);
  }
  return {};
}

}  // namespace wave::backend::processes::program
