// Tokens as the parser driver and the formatter see them: text with its place, no ANTLR.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace wave::frontend {

enum class TokenKind {
  identifier,  // also words that have a meaning in their place only (`from`, `tag`)
  keyword,     // never a name, but after a dot
  integer,
  decimal,
  quantity,
  string,
  symbol,
  unclosed_string,
  foreign,
  foreign_word,
  unknown,  // reported by prepare()
  comment,
  documentation,
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::size_t type = 0;              // the grammar's number
  std::string_view text;             // of the source; of a token that is implied, of a constant
  std::uint32_t begin = 0, end = 0;  // byte offsets; begin == end for a token that is implied
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

// Any UTF-8 text has tokens. Those without a meaning are of kind unknown.
Lexed lex(std::string_view text);

// A keyword or symbol that the source lacks, at `offset`.
Token implied(std::string_view text, std::uint32_t offset);
// Any token of kind quantity; the lexer makes none.
Token quantity_token();
// Makes `token` the keyword or symbol `text`, in its place.
void replace(Token& token, std::string_view text);

// The words that are never names.
bool is_keyword(std::string_view word);
const std::vector<std::string_view>& keywords();

}  // namespace wave::frontend
