// What stands directly inside what: the operands of a node, the values of events, roots, statements and ends, the
// blocks of a statement. Also small questions about frames.
#pragma once

#include "ir/system.h"

#include <algorithm>
#include <type_traits>
#include <variant>

namespace wave::ir {

// Calls `f` with the bounds, the step and the filter of a level, those that are valid.
template <class AnyLevel, class Function>
void for_each_value_of_level(AnyLevel& level, Function&& f) {
  for (auto* id : {&level.first, &level.last, &level.step, &level.filter}) {
    if (id->valid()) f(*id);
  }
}

// Calls `f` with a reference to every operand id of the node that is valid, in evaluation order. The node may be
// const (ids to look at) or not (ids to replace).
template <class AnyNode, class Function>
void for_each_operand(AnyNode& node, Function&& f) {
  const auto one = [&](auto& id) {
    if (id.valid()) f(id);
  };
  const auto all = [&](auto& ids) {
    for (auto& id : ids) one(id);
  };
  std::visit(
      [&](auto& n) {
        using Kind = std::remove_cvref_t<decltype(n)>;
        constexpr bool leaf = std::is_same_v<Kind, Constant> || std::is_same_v<Kind, Parameter> ||
                              std::is_same_v<Kind, Index> || std::is_same_v<Kind, Reference> ||
                              std::is_same_v<Kind, Fail> || std::is_same_v<Kind, Neighbour>;
        if constexpr (std::is_same_v<Kind, Unary>) {
          one(n.operand);
        } else if constexpr (std::is_same_v<Kind, Binary>) {
          one(n.left), one(n.right);
        } else if constexpr (std::is_same_v<Kind, Maximum> || std::is_same_v<Kind, Minimum>) {
          all(n.operands);
        } else if constexpr (std::is_same_v<Kind, Select>) {
          one(n.condition), one(n.if_true), one(n.if_false);
        } else if constexpr (std::is_same_v<Kind, Check>) {
          one(n.condition), one(n.value);
        } else if constexpr (std::is_same_v<Kind, Call>) {
          all(n.arguments);
        } else if constexpr (std::is_same_v<Kind, Reduce>) {
          if (begins_with_value(n)) one(n.value);
          for (auto& level : n.levels) for_each_value_of_level(level, f);
          one(n.body);
          if (!begins_with_value(n)) one(n.value);
        } else if constexpr (std::is_same_v<Kind, Read>) {
          all(n.indices);
        } else if constexpr (std::is_same_v<Kind, Lookup>) {
          all(n.keys);
        } else if constexpr (std::is_same_v<Kind, Measure>) {
          all(n.indices);
        } else {
          static_assert(leaf, "a node kind without its operands listed here");
        }
      },
      node);
}

// Calls `f` with every value that an event holds, in evaluation order: the body, or per constraint its guard and
// weights; then `otherwise`.
template <class AnyEvent, class Function>
void for_each_value(AnyEvent& event, Function&& f) {
  for (auto& constraint : event.constraints) {
    if (constraint.guard.valid()) f(constraint.guard);
    for (auto& weight : constraint.weights) f(weight);
  }
  if (event.body.valid()) f(event.body);
  for (auto& weight : event.otherwise) f(weight);
}

// The same for the levels and columns of a root.
template <class AnyRoot, class Function>
void for_each_value_of_root(AnyRoot& root, Function&& f) {
  if (root.precondition.valid()) f(root.precondition);
  for (auto& block : root.blocks) {
    for (auto& level : block.levels) for_each_value_of_level(level, f);
    for (auto& column : block.columns) f(column);
  }
}

// Calls `f` with every value that a statement of a process holds itself, in evaluation order; not with those of its
// blocks.
template <class AnyStatement, class Function>
void for_each_value_of_statement(AnyStatement& statement, Function&& f) {
  const auto one = [&](auto& id) {
    if (id.valid()) f(id);
  };
  std::visit(
      [&](auto& node) {
        using Kind = std::remove_cvref_t<decltype(node)>;
        if constexpr (std::is_same_v<Kind, Compute>) {
          one(node.time);
        } else if constexpr (std::is_same_v<Kind, Message>) {
          for (auto& coordinate : node.peer.coordinates) one(coordinate);
          one(node.size), one(node.within), one(node.sender), one(node.receiver), one(node.tag);
        } else if constexpr (std::is_same_v<Kind, Sweep>) {
          one(node.tiles);
        } else if constexpr (std::is_same_v<Kind, Loop>) {
          for (auto& level : node.levels) for_each_value_of_level(level, f);
        } else if constexpr (std::is_same_v<Kind, Branch>) {
          one(node.condition);
        } else if constexpr (std::is_same_v<Kind, Collective>) {
          one(node.cost);
        } else if constexpr (std::is_same_v<Kind, Task>) {
          one(node.priority);
        } else {
          static_assert(std::is_same_v<Kind, Wait> || std::is_same_v<Kind, Ready> || std::is_same_v<Kind, Phase>,
                        "a statement without its values listed here");
        }
      },
      statement.node);
}

// The same for a call of a collective.
template <class AnyCall, class Function>
void for_each_value_of_call(AnyCall& call, Function&& f) {
  if (call.size.valid()) f(call.size);
  f(call.participants);
  for (auto& condition : call.is_first) f(condition);
}

// Calls `f` with every block that stands in a statement, in the order of the text.
template <class AnyStatement, class Function>
void for_each_block(AnyStatement& statement, Function&& f) {
  const auto one = [&](auto& id) {
    if (id.valid()) f(id);
  };
  std::visit(
      [&](auto& node) {
        using Kind = std::remove_cvref_t<decltype(node)>;
        if constexpr (std::is_same_v<Kind, Sweep>) {
          for (auto& front : node.fronts) one(front.body);
        } else if constexpr (std::is_same_v<Kind, Loop> || std::is_same_v<Kind, Phase>) {
          one(node.body);
        } else if constexpr (std::is_same_v<Kind, Branch>) {
          one(node.then_block), one(node.else_block);
        } else if constexpr (std::is_same_v<Kind, Ready>) {
          one(node.tasks);
        } else if constexpr (std::is_same_v<Kind, Task>) {
          one(node.receives), one(node.body);
        } else {
          static_assert(std::is_same_v<Kind, Compute> || std::is_same_v<Kind, Message> || std::is_same_v<Kind, Wait> ||
                            std::is_same_v<Kind, Collective>,
                        "a statement without its blocks listed here");
        }
      },
      statement.node);
}

// Calls `f` with every statement of a process, block by block, whether or not anything leads to the block.
template <class AnyProcess, class Function>
void for_each_statement(AnyProcess& process, Function&& f) {
  for (auto& block : process.blocks) {
    for (auto& statement : block) f(statement);
  }
}

// The same for the statements of one kind, as in `any_statement<Message>(process, test)`: whether `test` holds for one.
template <class Kind, class Test>
bool any_statement(const Process& process, Test&& test) {
  return std::any_of(process.blocks.begin(), process.blocks.end(), [&](const Block& block) {
    return std::any_of(block.begin(), block.end(), [&](const Statement& statement) {
      const auto* const node = std::get_if<Kind>(&statement.node);
      return node && test(*node);
    });
  });
}

// Calls `f` with every value that the levels, statements, calls and memory of a process have; those of statements in
// evaluation order.
template <class AnyProcess, class Function>
void for_each_value_of_process(AnyProcess& process, Function&& f) {
  for (auto& level : process.levels) f(level.group);
  for_each_statement(process, [&](auto& statement) { for_each_value_of_statement(statement, f); });
  for (auto& call : process.calls) for_each_value_of_call(call, f);
  for (auto& held : process.held) f(held.size);
}

// The same for the ends of messages; the values are of the ends' own frame.
template <class AnyEnds, class Function>
void for_each_value_of_ends(AnyEnds& ends, Function&& f) {
  for (auto& protocol : ends.protocols) {
    for (auto* id : {&protocol.condition, &protocol.window}) {
      if (id->valid()) f(*id);
    }
    for (auto* steps : {&protocol.sender, &protocol.receiver}) {
      for (auto& step : *steps) {
        if (step.time.valid()) f(step.time);
        for (auto& use : step.uses) {
          for (auto* id : {&use.occupied, &use.number}) {
            if (id->valid()) f(*id);
          }
        }
      }
    }
  }
  for (auto& resource : ends.resources) {
    for (auto* id : {&resource.count, &resource.servers}) {
      if (id->valid()) f(*id);
    }
  }
}

// The number of frames around this one.
inline std::uint32_t depth(const System& system, FrameId frame) {
  std::uint32_t result = 0;
  for (FrameId outer = system[frame].parent; outer.valid(); outer = system[outer].parent) ++result;
  return result;
}

// Whether `inner` is the frame `outer` or somewhere inside it.
inline bool encloses(const System& system, FrameId outer, FrameId inner) {
  for (FrameId frame = inner; frame.valid(); frame = system[frame].parent) {
    if (frame == outer) return true;
  }
  return false;
}

}  // namespace wave::ir
