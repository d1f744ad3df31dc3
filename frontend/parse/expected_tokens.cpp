// See expected_tokens.h.
#include "frontend/parse/expected_tokens.h"

#include <map>
#include <memory>
#include <set>

namespace wave::frontend {

namespace {

using antlr4::atn::ATNState;
using antlr4::atn::Transition;
using antlr4::misc::IntervalSet;

// Where to go on after a rule, innermost first. Equal stacks are one object.
struct Stack {
  ATNState* follow;
  const Stack* below;
};

class Simulation {
 public:
  explicit Simulation(const antlr4::atn::ATN& atn) : atn_(atn) {}

  void start(std::size_t rule) { close(atn_.ruleToStartState[rule], nullptr); }

  void step(std::size_t token) {
    const auto before = std::move(configurations_);
    configurations_.clear();
    for (const auto& [state, stack] : before) {
      for (Transition* transition : state->transitions) {
        if (!transition->isEpsilon() && transition->matches(token, 0, atn_.maxTokenType))
          close(transition->target, stack);
      }
    }
  }

  IntervalSet expected() const {
    IntervalSet result;
    for (const auto& [state, stack] : configurations_) {
      for (Transition* transition : state->transitions) {
        if (!transition->isEpsilon()) result.addAll(transition->label());
      }
    }
    return result;
  }

 private:
  const Stack* push(ATNState* follow, const Stack* below) {
    auto& entry = stacks_[{follow, below}];
    if (entry == nullptr) entry = std::make_unique<Stack>(Stack{follow, below});
    return entry.get();
  }

  // Adds the configuration and those that are reached from it without a token.
  void close(ATNState* state, const Stack* stack) {
    if (!configurations_.insert({state, stack}).second) return;
    if (state->getStateType() == ATNState::RULE_STOP) {
      if (stack != nullptr) close(stack->follow, stack->below);
      return;
    }
    for (Transition* transition : state->transitions) {
      if (!transition->isEpsilon()) continue;
      const auto* call = dynamic_cast<antlr4::atn::RuleTransition*>(transition);
      close(transition->target, call != nullptr ? push(call->followState, stack) : stack);
    }
  }

  const antlr4::atn::ATN& atn_;
  std::set<std::pair<ATNState*, const Stack*>> configurations_;
  std::map<std::pair<ATNState*, const Stack*>, std::unique_ptr<Stack>> stacks_;
};

}  // namespace

IntervalSet expected_after(const antlr4::atn::ATN& atn, std::size_t rule, const std::vector<Token>& tokens,
                           std::size_t first, std::size_t at) {
  Simulation simulation(atn);
  simulation.start(rule);
  for (std::size_t i = first; i < at; ++i) simulation.step(tokens[i].type);
  return simulation.expected();
}

}  // namespace wave::frontend
