// The lines of a module while they are formatted.
#pragma once

#include "frontend/parse/tokens.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace wave::frontend {

struct Piece {  // a token or a comment
  Token token;
  std::size_t old_column = 0;  // in code points, tabs to multiples of 8
  std::size_t old_gap = 0;     // blanks before it on its line
  std::size_t gap = 0;         // blanks before it now; alignment makes it grow
  std::size_t width = 0;

  bool is_comment() const { return token.kind == TokenKind::comment || token.kind == TokenKind::documentation; }
};

struct Line {
  std::vector<Piece> pieces;
  bool blank_before = false;  // a blank line stands before it
  bool continues = false;     // whether it continues the statement of an earlier line
  std::size_t indent = 0;     // before the first piece
  std::size_t depth = 0;      // of brackets at its beginning

  bool only_comment() const { return pieces.size() == 1 && pieces[0].is_comment(); }
};

std::vector<Line> split_lines(std::string_view text, const Lexed& lexed);
void set_gaps(std::vector<Line>& lines);  // formatter.cpp
// layout.cpp; `begun` are the offsets of words that begin a statement although they could go on with one.
void set_indents(std::vector<Line>& lines, const std::set<std::uint32_t>& begun);
void align(std::vector<Line>& lines);  // layout.cpp

// Whether an operator is a prefix, because nothing before it could be its operand.
bool is_prefix(const Token* previous, const Token& token);

}  // namespace wave::frontend
