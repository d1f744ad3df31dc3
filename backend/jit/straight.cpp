// From what needs nothing up to its users; what is in a cycle is never reached.
#include "backend/jit/straight.h"

#include "ir/operations.h"
#include "ir/visit.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <type_traits>

namespace wave::jit {

namespace {

std::atomic<bool> everything_is_compiled = false;

bool may_be_straight(const ir::Node& node) {
  return std::visit(
      [](const auto& n) {
        using Kind = std::remove_cvref_t<decltype(n)>;
        if constexpr (std::is_same_v<Kind, ir::Unary>) {
          return n.op != ir::UnaryOp::quantize;  // of cells
        } else {
          return !(std::is_same_v<Kind, ir::Parameter> || std::is_same_v<Kind, ir::Index> ||
                   std::is_same_v<Kind, ir::Call> || std::is_same_v<Kind, ir::Reduce> ||
                   std::is_same_v<Kind, ir::Read> || std::is_same_v<Kind, ir::Neighbour>);
        }
      },
      node);
}

}  // namespace

void force_code(bool force) { everything_is_compiled = force; }

StraightScalars::StraightScalars(const ir::System& system, Scalars scalars)
    : values_(system.values.size(), false), definitions_(system.definitions.size(), false) {
  if (everything_is_compiled || scalars == Scalars::compiled) return;
  // Per value, how much of what it needs has not been found straight yet, and who needs it.
  std::vector<std::uint32_t> missing(system.values.size(), 0);
  std::vector<std::vector<std::uint32_t>> users(system.values.size());
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < system.values.size(); ++i) {
    const ir::Node& node = system.values[i].node;
    if (!may_be_straight(node)) ++missing[i];
    const auto need = [&](ir::ValueId value) { ++missing[i], users[value.index].push_back(i); };
    ir::for_each_operand(node, need);
    if (const auto* const reference = std::get_if<ir::Reference>(&node)) {
      const ir::Definition& definition = system[reference->definition];
      if (definition.frame == ir::System::root_frame && definition.body.valid())
        need(definition.body);
      else
        ++missing[i];
    }
    if (missing[i] == 0) ready.push_back(i);
  }
  while (!ready.empty()) {
    const std::uint32_t value = ready.back();
    ready.pop_back();
    values_[value] = true;
    for (const std::uint32_t user : users[value]) {
      if (--missing[user] == 0) ready.push_back(user);
    }
  }
  for (std::uint32_t i = 0; i < system.definitions.size(); ++i) {
    const ir::Definition& definition = system.definitions[i];
    definitions_[i] =
        definition.frame == ir::System::root_frame && definition.body.valid() && values_[definition.body.index];
  }
}

bool StraightScalars::contains(const ir::Root& root) const {
  const auto is_straight = [&](ir::ValueId value) { return contains(value); };
  if (root.blocks.empty() || (root.precondition.valid() && !contains(root.precondition))) return false;
  return std::all_of(root.blocks.begin(), root.blocks.end(), [&](const ir::RowBlock& block) {
    return block.levels.empty() && std::all_of(block.columns.begin(), block.columns.end(), is_straight);
  });
}

}  // namespace wave::jit
