// Syntax errors: how ANTLR's parser goes on after one, and what is reported.
#pragma once

#include "frontend/parse/antlr.h"
#include "frontend/parse/tokens.h"

#include <string>
#include <vector>

namespace wave::frontend {

// The types of exactly those tokens that may follow tokens[first] ... tokens[at - 1] within `rule`. The grammar's
// automaton is simulated with its stacks, because the parser only knows what its current decision asked for.
antlr4::misc::IntervalSet expected_after(const antlr4::atn::ATN& atn, std::size_t rule,
                                         const std::vector<Token>& tokens, std::size_t first, std::size_t at);

// Reports one error for each declaration, statement, or clause of a study. The rest of that unit is skipped, and
// parsing resumes with the next one. No token is guessed.
class UnitRecovery : public antlr4::DefaultErrorStrategy {
 public:
  // `tokens` are those of the parser, by index.
  UnitRecovery(const std::vector<Token>& tokens, Preparation& preparation);

  antlr4::Token* recoverInline(antlr4::Parser* parser) override;
  void recover(antlr4::Parser* parser, std::exception_ptr error) override;
  void sync(antlr4::Parser* parser) override;
  void reportError(antlr4::Parser* parser, const antlr4::RecognitionException& error) override;

 private:
  bool begins_unit(std::size_t rule, std::size_t at) const;
  bool in_braces(antlr4::Parser* parser) const;
  static void spoil_last(antlr4::ParserRuleContext* context);
  void skip_unit(antlr4::Parser* parser, std::size_t rule, std::size_t start);
  bool already_reported(std::size_t first, std::size_t last) const;

  const std::vector<Token>& tokens_;
  std::vector<std::size_t> depth_;  // the number of brackets around each token; a bracket counts as outside itself
  Preparation& preparation_;
  bool unwinding_ = false;
};

// Reports what was seen and what was expected. `rules` are the grammar's rules around it, innermost first.
void report_syntax_error(const std::vector<Token>& tokens, std::size_t at, const antlr4::misc::IntervalSet& expected,
                         const std::vector<std::size_t>& rules, Preparation& preparation);

// The words with which declarations begin.
const std::vector<std::string>& item_words();

// Reports a word where a declaration or statement should begin.
void report_unknown_word(const std::vector<Token>& tokens, std::size_t at, std::size_t rule, Preparation& preparation);

}  // namespace wave::frontend
