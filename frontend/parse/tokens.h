// Tokens as the parser and the formatter see them, texts with their locations; and the steps that prepare them for the
// parser. Nothing here needs ANTLR.
#pragma once

#include "frontend/parse/parser.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace wave::frontend {

enum class TokenKind {
  identifier,  // also words that have a meaning only in certain places (`from`, `tag`)
  keyword,     // never a name, except after a dot
  integer,
  decimal,
  quantity,
  string,
  symbol,
  unclosed_string,
  foreign,
  foreign_word,
  unknown,  // mend_characters() reports it
  comment,
  documentation,
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::size_t type = 0;              // the grammar's number
  std::string_view text;             // in the source; in a constant if the token is implied
  std::uint32_t begin = 0, end = 0;  // byte offsets; equal if the token is implied
  bool starts_line = false;

  bool is(std::string_view symbol) const { return text == symbol && kind != TokenKind::string; }
};

inline bool is_any(const Token& token, std::span<const std::string_view> texts) {
  return std::any_of(texts.begin(), texts.end(), [&](std::string_view text) { return token.is(text); });
}
inline bool opens(const Token& token) { return token.is("(") || token.is("[") || token.is("{"); }
inline bool closes(const Token& token) { return token.is(")") || token.is("]") || token.is("}"); }

struct Lexed {
  std::vector<Token> tokens;    // the last one is `end`
  std::vector<Token> comments;  // documentation included
};

// Tokens without a meaning are of kind unknown. What is no UTF-8 text has no tokens but `end`.
Lexed lex(std::string_view text);

// A keyword or symbol that the source lacks, at `offset`.
Token implied(std::string_view text, std::uint32_t offset);
// Some token of kind quantity, of which the lexer makes none.
Token quantity_token();
// Turns `token` into the keyword or symbol `text`, in its place.
void replace(Token& token, std::string_view text);

// The words that are never names.
bool is_keyword(std::string_view word);
// Those that are names elsewhere.
bool has_meaning_in_its_place(std::string_view word);

// What happens to the tokens between lexer and parser. Each step is a function on the list. It also mends what it
// reports, so that one mistake is one diagnostic.
struct Preparation {
  std::uint32_t file;
  std::string_view text;
  Diagnostics& diagnostics;
  bool is_file = true;  // false for a text from the command line
  // What was mended: the parser reports nothing about the statement around it.
  struct Earlier {
    bool operator()(Location a, Location b) const { return a.begin < b.begin; }
  };
  std::multiset<Location, Earlier> reported{};
  Diagnostic dropped{};  // reports beyond the bound go here
  static constexpr std::size_t most_reports = 100;

  Location location(const Token& token) const { return {file, token.begin, token.end}; }
  Diagnostic& report(DiagnosticKind kind, const Token& token, std::string message, std::string label = {});
};

// Joins a number with the unit after it on the same line: `23 us` and `0.07 us/B` become one token.
void join_units(std::vector<Token>& tokens);

// Mends what no Wave program contains: `&&` becomes `and`, an unclosed string is closed, `?` is dropped.
void mend_characters(std::vector<Token>& tokens, Preparation& preparation);

// Gives every bracket its partner.
void balance_brackets(std::vector<Token>& tokens, Preparation& preparation);

// The end of a line separates arms of `when`, statements of `flops`, and the local `let`s of a body from what follows,
// unless the next line begins with a symbol. Puts a `;` there.
void imply_separators(std::vector<Token>& tokens);

// Whether nesting and chains of operators are within bounds, so that no recursion over tokens or tree is deeper.
bool check_depth(const std::vector<Token>& tokens, const ParseLimits& limits, Preparation& preparation);

// Whether the tokens, with one of kind `end` last, are one whole expression. Nothing is reported.
bool are_expression(const std::vector<Token>& tokens);

// Whether an expression may end with this token, or begin with it on a new line. Words that have a meaning only in
// certain places count as names.
bool ends_operand(const Token& token);
bool begins_operand_word(const Token& token);

// Warns of comments that look like divisions: other languages read `N // p` as a division, Wave as `N` and a comment.
// The comment comes after an expression on its line, written like an operator, and as a whole reads like a divisor: an
// integer, or arithmetic with numbers and names that the file declares; or what it hides of the line begins like that
// and closes a bracket. So prose is not taken for one, nor `// (6)`, the number of an equation, nor `// 4 KiB`, which
// says a value in other words, nor `12 // 6`, in which nothing is worth dividing.
void warn_of_divisions(const Module& module, const Lexed& lexed, Preparation& preparation);

// Finds what `///` comments document. On a line of its own, a comment documents the declaration after it; at the end of
// a line, the declaration begun last; before `wave 1` or the first import, the module. What documents nothing is
// reported.
void attach_documentation(Module& module, const Lexed& lexed, Preparation& preparation);

}  // namespace wave::frontend
