// How ANTLR's parser goes on after an error, and which tokens could have followed.
#include "frontend/parse/syntax_errors.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>

namespace wave::frontend {
namespace {

using antlr4::atn::ATNState;
using antlr4::atn::Transition;
using antlr4::misc::IntervalSet;

// Where to go on after each rule, innermost first. Equal stacks are one object.
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

  // Adds the configuration, and those that can be reached from it without a token.
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

// --- recovery ---

namespace {

using Grammar = grammar::WaveParser;

// The rules that are skipped to their end after an error.
bool is_unit(std::size_t rule) {
  constexpr std::array units{Grammar::RuleItem,      Grammar::RuleStatement,    Grammar::RuleStudy_clause,
                             Grammar::RuleTest_step, Grammar::RuleProtocol_end, Grammar::RuleFlops_statement};
  return std::find(units.begin(), units.end(), rule) != units.end();
}

// The rules for a whole text.
bool is_start(std::size_t rule) {
  return rule == Grammar::RuleModule || rule == Grammar::RuleLone_expression || rule == Grammar::RuleLone_vary ||
         rule == Grammar::RuleLone_show;
}

// The unit that the rule repeats, or 0.
std::size_t repeated_unit(std::size_t rule) {
  switch (rule) {
    case Grammar::RuleItems: return Grammar::RuleItem;
    case Grammar::RuleBlock: return Grammar::RuleStatement;
    case Grammar::RuleStudy_item: return Grammar::RuleStudy_clause;
    case Grammar::RuleTest_item: return Grammar::RuleTest_step;
    case Grammar::RuleProtocol_item: return Grammar::RuleProtocol_end;
    default: return 0;
  }
}

// Some of the words are names elsewhere. They begin a declaration only where another name follows, or a keyword in its
// place.
bool begins_item(const Token& token, const Token& next) {
  const bool is_keyword_there = next.kind == TokenKind::keyword && begins_operand_word(next) && !next.starts_line;
  const bool name_follows = next.kind == TokenKind::identifier || is_keyword_there;
  return (token.kind == TokenKind::keyword || (token.kind == TokenKind::identifier && name_follows)) &&
         std::ranges::find(item_words(), token.text) != item_words().end();
}

std::size_t index_of(const antlr4::Token* token) { return token->getTokenIndex(); }

}  // namespace

UnitRecovery::UnitRecovery(const std::vector<Token>& tokens, Preparation& preparation)
    : tokens_(tokens), preparation_(preparation) {
  std::size_t depth = 0;
  for (const Token& token : tokens) {
    const bool closes = token.is(")") || token.is("]") || token.is("}");
    if (closes && depth > 0) --depth;
    depth_.push_back(depth);
    if (token.is("(") || token.is("[") || token.is("{")) ++depth;
  }
}

antlr4::Token* UnitRecovery::recoverInline(antlr4::Parser* parser) { throw antlr4::InputMismatchException(parser); }

void UnitRecovery::reportError(antlr4::Parser* parser, const antlr4::RecognitionException& error) {
  if (std::exchange(unwinding_, true)) return;
  std::vector<std::size_t> rules;
  const antlr4::ParserRuleContext* unit = nullptr;
  for (const antlr4::RuleContext* context = parser->getContext(); context != nullptr;
       context = dynamic_cast<const antlr4::RuleContext*>(context->parent)) {
    rules.push_back(context->getRuleIndex());
    if (unit == nullptr && is_unit(context->getRuleIndex()))
      unit = dynamic_cast<const antlr4::ParserRuleContext*>(context);
  }
  const std::size_t at = index_of(error.getOffendingToken());
  const std::size_t first = unit != nullptr ? index_of(unit->start) : 0;
  if (already_reported(first, at)) return;
  const std::size_t rule = unit != nullptr ? unit->getRuleIndex() : rules.back();
  report_syntax_error(tokens_, at, expected_after(parser->getATN(), rule, tokens_, first, at), rules, preparation_);
}

// Whether something between these tokens was mended before. The error here may well follow from that.
bool UnitRecovery::already_reported(std::size_t first, std::size_t last) const {
  const auto next = preparation_.reported.lower_bound(preparation_.location(tokens_[first]));
  return next != preparation_.reported.end() && next->begin <= tokens_[last].end;
}

void UnitRecovery::recover(antlr4::Parser* parser, std::exception_ptr error) {
  const std::size_t rule = parser->getRuleContext()->getRuleIndex();
  if (is_start(rule)) {
    while (parser->getCurrentToken()->getType() != end_of_tokens) parser->consume();
    return;
  }
  if (!is_unit(rule)) std::rethrow_exception(error);
  unwinding_ = false;
  skip_unit(parser, rule, index_of(parser->getContext()->start));
}

bool UnitRecovery::begins_unit(std::size_t rule, std::size_t at) const {
  const Token& token = tokens_[at];
  switch (rule) {
    case Grammar::RuleItem: return at + 1 < tokens_.size() && begins_item(token, tokens_[at + 1]);
    case Grammar::RuleStatement:
      return token.kind == TokenKind::identifier || token.is("let") || token.is("for") || token.is("if");
    case Grammar::RuleStudy_clause:
      return token.is("vary") || token.is("set") || token.is("show") || token.is("plot") || token.is("measured");
    case Grammar::RuleTest_step: return token.is("let") || token.is("expect");
    case Grammar::RuleProtocol_end: return token.is("sender") || token.is("receiver");
    default: return begins_operand_word(token);
  }
}

// Skips to the next unit on a line of its own, a `;`, or the end of the block, whichever comes first.
void UnitRecovery::skip_unit(antlr4::Parser* parser, std::size_t rule, std::size_t start) {
  while (parser->getCurrentToken()->getType() != end_of_tokens) {
    const std::size_t at = index_of(parser->getCurrentToken());
    if (depth_[at] < depth_[start]) return;
    const bool outside = depth_[at] == depth_[start];
    if (outside && tokens_[at].is(";")) return;
    // A keyword that was reported itself stood where something else should.
    const bool is_plain =
        rule == Grammar::RuleItem && tokens_[at].kind == TokenKind::keyword && !already_reported(at, at);
    const bool begins = begins_unit(rule, at) && (tokens_[at].starts_line || is_plain);
    if (outside && at > start && begins) return;
    parser->consume();
  }
}

// The parser calls this before each step of a loop. A token that begins no unit is reported and skipped with what
// follows it, so that the loop goes on.
void UnitRecovery::sync(antlr4::Parser* parser) {
  const std::size_t rule = parser->getRuleContext()->getRuleIndex();
  const std::size_t unit = repeated_unit(rule);
  if (unit == 0 || unwinding_) return;
  auto* state = parser->getInterpreter<antlr4::atn::ParserATNSimulator>()->atn.states[parser->getState()];
  const auto kind = state->getStateType();
  if (kind != antlr4::atn::ATNState::STAR_LOOP_ENTRY && kind != antlr4::atn::ATNState::STAR_LOOP_BACK) return;
  const bool in_head = rule == Grammar::RuleProtocol_item && !in_braces(parser);
  while (!in_head) {
    const std::size_t at = index_of(parser->getCurrentToken());
    const Token& token = tokens_[at];
    if (token.kind == TokenKind::end || token.is("}") || token.is(";") || begins_unit(unit, at)) return;
    std::size_t line = at;
    while (line > 0 && !tokens_[line].starts_line) --line;
    if (!already_reported(line, at)) report_unknown_word(tokens_, at, unit, preparation_);
    if (!token.starts_line && at > 0 && !tokens_[at - 1].is("}")) spoil_last(parser->getContext());
    parser->consume();
    skip_unit(parser, unit, at);
  }
}

// What stands before a stray token on its line was not understood either.
void UnitRecovery::spoil_last(antlr4::ParserRuleContext* context) {
  const auto error = std::make_exception_ptr(std::runtime_error("followed by something else"));
  for (int level = 0; level < 2 && context != nullptr && !context->children.empty(); ++level) {
    context =
        dynamic_cast<antlr4::ParserRuleContext*>(level == 0 ? context->children.back() : context->children.front());
    if (context != nullptr) context->exception = error;
  }
}

bool UnitRecovery::in_braces(antlr4::Parser* parser) const {
  const std::size_t start = index_of(parser->getContext()->start);
  return depth_[index_of(parser->getCurrentToken())] > depth_[start];
}

}  // namespace wave::frontend
