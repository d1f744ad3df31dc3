// Text to tokens, by the lexer that ANTLR makes from WaveLexer.g4; and line ends that are separators.
#include "base/utf8.h"
#include "frontend/parse/antlr.h"
#include "frontend/parse/tokens.h"
#include "frontend/source/patience.h"
#include "frontend/source/sources.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

namespace wave::frontend {
namespace {

using grammar::WaveLexer;

// Byte offsets of the code points, since ANTLR counts those. Empty if the text is ASCII.
class Offsets {
 public:
  explicit Offsets(std::string_view text) {
    const auto is_wide = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
    if (std::none_of(text.begin(), text.end(), is_wide)) return;
    for (std::uint32_t i = 0; i < text.size(); ++i) {
      if (starts_code_point(text[i])) starts_.push_back(i);
    }
    starts_.push_back(static_cast<std::uint32_t>(text.size()));
  }
  std::uint32_t operator()(std::size_t code_point) const {
    return starts_.empty() ? static_cast<std::uint32_t>(code_point) : starts_[code_point];
  }

 private:
  std::vector<std::uint32_t> starts_;
};

TokenKind kind_of(std::size_t type) {
  switch (type) {
    case WaveLexer::DOC: return TokenKind::documentation;
    case WaveLexer::COMMENT: return TokenKind::comment;
    case WaveLexer::INTEGER: return TokenKind::integer;
    case WaveLexer::DECIMAL: return TokenKind::decimal;
    case WaveLexer::QUANTITY: return TokenKind::quantity;
    case WaveLexer::STRING: return TokenKind::string;
    case WaveLexer::UNCLOSED_STRING: return TokenKind::unclosed_string;
    case WaveLexer::FOREIGN: return TokenKind::foreign;
    case WaveLexer::FOREIGN_WORD: return TokenKind::foreign_word;
    case WaveLexer::UNKNOWN: return TokenKind::unknown;
    default: break;
  }
  if (type >= WaveLexer::AND && type <= WaveLexer::WHEN) return TokenKind::keyword;
  if (type >= WaveLexer::ACQUIRE && type <= WaveLexer::IDENTIFIER) return TokenKind::identifier;
  return TokenKind::symbol;
}

// The grammar's numbers of the words and symbols that are always written the same, without the quotes.
const std::map<std::string, std::size_t, std::less<>>& fixed_tokens() {
  static const auto table = [] {
    std::map<std::string, std::size_t, std::less<>> result;
    WaveLexer lexer(nullptr);
    const antlr4::dfa::Vocabulary& vocabulary = lexer.getVocabulary();
    for (std::size_t type = 1; type <= vocabulary.getMaxTokenType(); ++type) {
      const std::string literal = vocabulary.getLiteralName(type);
      if (literal.size() > 2) result.emplace(literal.substr(1, literal.size() - 2), type);
    }
    return result;
  }();
  return table;
}

}  // namespace

Lexed lex(std::string_view text) {
  const bool has_mark = text.substr(0, 3) == "\xEF\xBB\xBF";  // a byte order mark, which ANTLR drops
  const std::uint32_t base = has_mark ? 3 : 0;
  const Offsets offsets(text.substr(base));
  const bool is_text = !find_no_text(text);  // ANTLR throws at what is no UTF-8
  antlr4::ANTLRInputStream input{std::string(is_text ? text.substr(base) : "")};
  WaveLexer lexer(&input);
  lexer.removeErrorListeners();

  Lexed result;
  std::uint32_t previous_end = 0;
  bool line_begins = true;
  while (true) {
    Patience::ask();
    const std::unique_ptr<antlr4::Token> found = lexer.nextToken();
    Token token;
    token.type = found->getType();
    const bool at_end = token.type == end_of_tokens;
    token.begin = at_end ? static_cast<std::uint32_t>(text.size()) : base + offsets(found->getStartIndex());
    token.end = at_end ? token.begin : base + offsets(found->getStopIndex() + 1);
    token.kind = at_end ? TokenKind::end : kind_of(token.type);
    token.text = text.substr(token.begin, token.end - token.begin);
    const bool after_dot = !result.tokens.empty() && result.tokens.back().is(".");
    if (after_dot && token.kind == TokenKind::keyword) token.kind = TokenKind::identifier;
    line_begins |= text.substr(previous_end, token.begin - previous_end).find('\n') != std::string_view::npos;
    token.starts_line = line_begins;
    previous_end = token.end;
    const bool is_comment = token.kind == TokenKind::comment || token.kind == TokenKind::documentation;
    // A comment reaches to the end of its line. What follows begins a new one.
    line_begins = false;
    (is_comment ? result.comments : result.tokens).push_back(token);
    if (at_end) return result;
  }
}

Token implied(std::string_view text, std::uint32_t offset) {
  Token token;
  token.begin = token.end = offset;
  replace(token, text);
  return token;
}

Token quantity_token() {
  Token token;
  token.kind = TokenKind::quantity;
  token.type = WaveLexer::QUANTITY;
  return token;
}

void replace(Token& token, std::string_view text) {
  const auto found = fixed_tokens().find(text);
  token.text = found->first;
  token.type = found->second;
  token.kind = kind_of(token.type);
}

bool is_keyword(std::string_view word) {
  const auto found = fixed_tokens().find(word);
  return found != fixed_tokens().end() && kind_of(found->second) == TokenKind::keyword;
}

bool has_meaning_in_its_place(std::string_view word) {
  const auto found = fixed_tokens().find(word);
  return found != fixed_tokens().end() && kind_of(found->second) == TokenKind::identifier;
}

// --- Line ends that are separators. Most of the grammar needs none, because declarations and statements begin with
// words that cannot continue what is before them. A `;` is needed only if an expression follows an expression (arms of
// `when`, levels of a grid, statements of `flops`, the body after local `let`s), and before a call at the beginning of
// a line whose name would go on, `tag(3)`. It is inserted here. A line that begins with a symbol always
// continues the one before. Two words that the grammar alone cannot tell from names are settled on the way. ---

namespace {

constexpr std::array<std::string_view, 8> infix_words{"and", "or", "div", "mod", "then", "else", "in", "for"};

bool is_literal(const Token& token) {
  return token.kind == TokenKind::integer || token.kind == TokenKind::decimal || token.kind == TokenKind::quantity ||
         token.kind == TokenKind::string || token.kind == TokenKind::unclosed_string;
}

class Separator {
 public:
  explicit Separator(const std::vector<Token>& in) : in_(in) { frames_.push_back({}); }

  std::vector<Token> run() {
    for (at_ = 0; at_ < in_.size(); ++at_) {
      const Token& token = in_[at_];
      if (separates(token)) out_.push_back(implied(";", out_.back().end));
      if (token.is("else") && frames_.back().kind == Kind::flops && !out_.empty() && out_.back().is(";"))
        out_.pop_back();  // C's `;` before `else`
      follow_lets(token);
      follow_programs(token);
      follow_brackets(token);
      out_.push_back(token);
      if (is_plain_name()) out_.back().type = WaveLexer::IDENTIFIER;
    }
    return std::move(out_);
  }

 private:
  enum class Kind { other, when, flops, statements };
  struct Frame {
    Kind kind = Kind::other;
    bool lets = false;     // it is among the local `let`s of a body
    bool program = false;  // the next brace in it opens the statements of a process, a procedure or an algorithm
  };

  bool previous_is(std::string_view text) const { return !out_.empty() && out_.back().is(text); }

  bool separates(const Token& token) const {
    if (out_.empty() || !ends_operand(out_.back())) return false;
    const Frame& frame = frames_.back();
    const bool after_block = frame.kind == Kind::flops && out_.back().is("}");
    const bool begins = begins_operand_word(token) || (token.is("for") && frame.kind == Kind::flops) ||
                        (token.is("else") && frame.kind == Kind::when && in_[at_ + 1].is(":"));
    if (!begins || !(token.starts_line || after_block)) return false;
    if (frame.kind == Kind::statements) return frame.lets || begins_call(token);
    return frame.kind != Kind::other || frame.lets;
  }

  // Behind a statement that is complete. `tiles (n)` and `priority (n)` go on with one that is not.
  bool begins_call(const Token& token) const {
    return token.kind == TokenKind::identifier && in_[at_ + 1].is("(") && !token.is("tiles") && !token.is("priority");
  }

  // A `within` whose level would stand on the next line; and outside of `flops`, a word in parentheses with a sign
  // behind it, which would be a conversion.
  bool is_plain_name() const {
    const Token& word = in_[at_];
    if (word.kind != TokenKind::identifier || at_ == 0 || at_ + 2 >= in_.size()) return false;
    const Token &before = in_[at_ - 1], &after = in_[at_ + 1], &next = in_[at_ + 2];
    if (word.is("within")) return after.starts_line && !ends_operand(before);
    if (!before.is("(") || !after.is(")") || !(next.is("+") || next.is("-"))) return false;
    return std::ranges::none_of(frames_, [](const Frame& frame) { return frame.kind == Kind::flops; });
  }

  // `= let` begins the local `let`s of a body. They end at the first separator without a `let` after it.
  void follow_lets(const Token& token) {
    Frame& frame = frames_.back();
    if (token.is("let") && token.kind == TokenKind::keyword && previous_is("="))
      frame.lets = true;
    else if (frame.lets && previous_is(";") && !token.is("let") && !token.is(";"))
      frame.lets = false;
  }

  void follow_programs(const Token& token) {
    constexpr std::array<std::string_view, 3> words{"process", "procedure", "collective"};
    if (token.kind == TokenKind::keyword && is_any(token, words) && !previous_is("of")) frames_.back().program = true;
    if (token.is("=")) frames_.back().program = false;
  }

  void follow_brackets(const Token& token) {
    if (token.is("(") || token.is("[") || token.is("{")) {
      const Kind kind = token.is("{") ? kind_of_brace() : Kind::other;
      if (token.is("{")) frames_.back().program = false;
      frames_.push_back({kind});
    } else if ((token.is(")") || token.is("]") || token.is("}")) && frames_.size() > 1) {
      frames_.pop_back();
    }
  }

  Kind kind_of_brace() const {
    // Only after a grid's `]`: elsewhere `levels` is a name.
    const bool is_levels = previous_is("levels") && out_.size() > 1 && out_[out_.size() - 2].is("]");
    if (previous_is("when") || is_levels) return Kind::when;
    const Frame& frame = frames_.back();
    if (previous_is("flops") || frame.kind == Kind::flops) return Kind::flops;
    const bool is_statements = (frame.program || frame.kind == Kind::statements) && !previous_is("table");
    return is_statements ? Kind::statements : Kind::other;
  }

  const std::vector<Token>& in_;
  std::vector<Token> out_;
  std::vector<Frame> frames_;
  std::size_t at_ = 0;
};

}  // namespace

bool ends_operand(const Token& token) {
  if (token.kind == TokenKind::identifier || is_literal(token)) return true;
  if (token.kind == TokenKind::keyword) return token.is("true") || token.is("false");
  return token.is(")") || token.is("]") || token.is("}");
}

bool begins_operand_word(const Token& token) {
  if (token.kind == TokenKind::keyword) return !is_any(token, infix_words);
  return token.kind == TokenKind::identifier || is_literal(token);
}

void imply_separators(std::vector<Token>& tokens) { tokens = Separator(tokens).run(); }

}  // namespace wave::frontend
