// What happens to the tokens between lexer and parser. Each step is a function over the list; what it reports
// it also mends, so that one mistake is one diagnostic.
#pragma once

#include "frontend/parse/parser.h"
#include "frontend/parse/tokens.h"

namespace wave::frontend {

struct Preparation {
  std::uint32_t file;
  std::string_view text;
  Diagnostics& diagnostics;
  bool is_file = true;            // else what an option of the command line says
  std::vector<Place> reported{};  // what was mended: the parser keeps quiet about the statement around it
  Diagnostic dropped{};           // reports beyond the bound go here
  static constexpr std::size_t most_reports = 100;

  Place place(const Token& token) const { return {file, token.begin, token.end}; }
  Diagnostic& report(DiagnosticKind kind, const Token& token, std::string message, std::string label = {});
};

// `23 us`, `0.07 us/B`: a number and the unit after it on the same line become one token.
void join_units(std::vector<Token>& tokens);

// What no Wave program contains: `&&` becomes `and`, an unclosed string is closed, `?` is dropped.
void mend_characters(std::vector<Token>& tokens, Preparation& preparation);

// Every bracket gets its partner.
void balance_brackets(std::vector<Token>& tokens, Preparation& preparation);

// The end of a line separates arms of `when`, statements of `flops`, and the local `let`s of a body from what
// follows, unless the next line begins with a symbol: then a `;` is put there.
void imply_separators(std::vector<Token>& tokens);

// Whether nesting and chains of operators are within bounds, so that no recursion over tokens or tree is deeper.
bool check_depth(const std::vector<Token>& tokens, const ParseLimits& limits, Preparation& preparation);

// Whether the tokens, with one of kind `end` last, are one whole expression. Nothing is reported.
bool are_expression(const std::vector<Token>& tokens);

// Whether an expression may end with this token, or begin with it on a new line. Words that have a meaning in
// their place only are taken for names.
bool ends_operand(const Token& token);
bool begins_operand_word(const Token& token);

}  // namespace wave::frontend
