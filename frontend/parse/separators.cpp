// Finds line ends that are separators. Most of the grammar needs none, because declarations and statements begin with
// words that cannot continue what is before them. A `;` is needed only if an expression follows an expression (arms of
// `when`, statements of `flops`, the body after local `let`s). It is inserted at line ends here. A line that begins
// with a symbol always continues the one before.
#include "frontend/parse/prepare.h"

#include <algorithm>
#include <array>

namespace wave::frontend {

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
      follow_brackets(token);
      out_.push_back(token);
    }
    return std::move(out_);
  }

 private:
  enum class Kind { other, when, flops };
  struct Frame {
    Kind kind = Kind::other;
    bool lets = false;
  };  // lets: among the local `let`s of a body

  bool previous_is(std::string_view text) const { return !out_.empty() && out_.back().is(text); }

  bool separates(const Token& token) const {
    if (out_.empty() || !ends_operand(out_.back())) return false;
    const Frame& frame = frames_.back();
    const bool after_block = frame.kind == Kind::flops && out_.back().is("}");
    const bool begins =
        begins_operand_word(token) || (token.is("else") && frame.kind == Kind::when && in_[at_ + 1].is(":"));
    if (!begins || !(token.starts_line || after_block)) return false;
    return frame.kind != Kind::other || frame.lets;
  }

  // `= let` begins the local `let`s of a body; they end at the first separator that no `let` follows.
  void follow_lets(const Token& token) {
    Frame& frame = frames_.back();
    if (token.is("let") && token.kind == TokenKind::keyword && previous_is("="))
      frame.lets = true;
    else if (frame.lets && previous_is(";") && !token.is("let") && !token.is(";"))
      frame.lets = false;
  }

  void follow_brackets(const Token& token) {
    if (token.is("(") || token.is("[") || token.is("{")) {
      frames_.push_back({token.is("{") ? kind_of_brace() : Kind::other, false});
    } else if ((token.is(")") || token.is("]") || token.is("}")) && frames_.size() > 1) {
      frames_.pop_back();
    }
  }

  Kind kind_of_brace() const {
    if (previous_is("when")) return Kind::when;
    const bool inside = frames_.back().kind == Kind::flops;
    return previous_is("flops") || inside ? Kind::flops : Kind::other;
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
