// How far apart two tokens of a line stand.
#include "frontend/format/layout.h"
#include "frontend/parse/prepare.h"

#include <algorithm>
#include <array>

namespace wave::frontend {

namespace {

constexpr std::array<std::string_view, 5> arithmetic_symbols{"+", "-", "*", "/", "^"};
// Words that take a parenthesis or a bracket of their own: `upwind (i, j)`, `from [NW, SE]`.
constexpr std::array<std::string_view, 23> clause_words{
    "after",  "await", "busy", "by",   "downwind", "emit",  "from", "nodes",  "on",    "over",   "plot",  "recv",
    "repeat", "root",  "send", "show", "tag",      "tiles", "to",   "upwind", "using", "within", "window"};
constexpr std::array<std::string_view, 2> type_words{"fn", "table"};

// The pieces of the whole file, one after the other, with what is around them.
class Spacing {
 public:
  explicit Spacing(std::vector<Line>& lines) {
    for (Line& line : lines) {
      for (Piece& piece : line.pieces) pieces_.push_back(&piece);
      starts_.push_back(pieces_.size());
    }
  }

  void run() {
    std::size_t line = 0;
    bool first = true;
    for (at_ = 0; at_ < pieces_.size(); ++at_) {
      while (at_ == starts_[line]) {
        ++line;
        first = true;
      }
      Piece& piece = *pieces_[at_];
      piece.gap = first ? 0 : gap(piece);
      first = false;
      follow(piece.token);
    }
  }

 private:
  enum class Bracket { round, square, block, tight };

  const Token* token(std::ptrdiff_t offset) const {
    auto index = static_cast<std::ptrdiff_t>(at_) + offset;
    const std::ptrdiff_t step = offset < 0 ? -1 : 1;
    while (index >= 0 && index < static_cast<std::ptrdiff_t>(pieces_.size()) &&
           pieces_[static_cast<std::size_t>(index)]->is_comment())
      index += step;
    if (index < 0 || index >= static_cast<std::ptrdiff_t>(pieces_.size())) return nullptr;
    return &pieces_[static_cast<std::size_t>(index)]->token;
  }
  std::size_t old_gap(std::size_t index) const {
    return index < pieces_.size() ? std::min<std::size_t>(pieces_[index]->old_gap, 1) : 0;
  }
  bool starts_line(std::size_t index) const { return index >= pieces_.size() || pieces_[index]->token.starts_line; }

  // A word that is a name here, though the grammar may know it.
  static bool is_word(const Token& token) {
    return token.kind == TokenKind::identifier || token.kind == TokenKind::keyword;
  }
  bool after_dot(std::ptrdiff_t offset) const {
    const Token* dot = token(offset - 1);
    return dot != nullptr && dot->is(".");
  }

  std::size_t gap(const Piece& piece) const {
    if (piece.is_comment()) return 2;
    const Token& left = *token(-1);
    const Token& right = piece.token;
    if (right.is(",") || right.is(";") || right.is(")") || right.is("]") || right.is(".")) return 0;
    if (left.is("(") || left.is("[") || left.is(".")) return 0;
    if (right.is(":")) return in_machine_head() ? 1 : 0;
    if (left.is("{") && right.is("}")) return 0;
    if (left.is("{") || right.is("}")) return !brackets_.empty() && brackets_.back() == Bracket::tight ? 0 : 1;
    if (right.is("..")) return left.kind == TokenKind::keyword && !after_dot(-1) ? 1 : 0;
    if (left.is("..") && !begins_clause() && right.kind != TokenKind::keyword) return 0;
    if (left.is(",")) return is_sign(right) ? 0 : 1;
    if (right.is("(") || right.is("[")) return before_bracket(left, piece);
    if (is_any(left, arithmetic_symbols)) return after_operator(left, right);
    if (is_any(right, arithmetic_symbols) && !is_prefix_at(at_)) return is_loose(at_) ? 1 : 0;
    return piece.old_gap > 1 && begins_part(right) ? 2 : 1;
  }

  // Two blanks may stay between declarations, clauses or statements on one line.
  bool begins_part(const Token& right) const {
    constexpr std::array<std::string_view, 6> inner{"and", "or", "div", "mod", "then", "else"};
    constexpr std::array<std::string_view, 5> study_words{"vary", "set", "show", "plot", "measured"};
    return (right.kind == TokenKind::keyword && !is_any(right, inner)) || is_any(right, study_words) || begins_clause();
  }

  // After a word of a clause (`by -1`) only the blanks tell a sign from an operator.
  bool is_prefix_at(std::size_t index) const {
    const auto offset = static_cast<std::ptrdiff_t>(index) - static_cast<std::ptrdiff_t>(at_);
    const Token* before = token(offset - 1);
    const Token& op = pieces_[index]->token;
    if (is_prefix(before, op)) return true;
    const bool sign = op.is("-") || op.is("+");
    return sign && is_any(*before, clause_words) && old_gap(index) > 0 && index + 1 < pieces_.size() &&
           old_gap(index + 1) == 0;
  }

  // `from "Table 1"` after an open range.
  bool begins_clause() const {
    const Token* next = token(1);
    return pieces_[at_]->token.is("from") && next != nullptr && next->kind == TokenKind::string;
  }

  // The `+` of `(+,-)`.
  bool is_sign(const Token& right) const {
    const Token* next = token(1);
    const Token* before = token(-2);
    return (right.is("+") || right.is("-")) && next != nullptr && (next->is(",") || next->is(")")) &&
           before != nullptr && (before->is("+") || before->is("-"));
  }

  std::size_t before_bracket(const Token& left, const Piece& bracket) const {
    if (is_any(left, arithmetic_symbols)) return after_operator(left, bracket.token);
    if (left.is(")") || left.is("]")) return 0;
    if (!is_word(left)) return 1;
    if (after_dot(-1)) return 0;
    if (left.kind == TokenKind::keyword) return is_any(left, type_words) ? 0 : 1;
    if (const Token* before = token(-2); left.is("from") && before != nullptr && before->is("sweep")) return 1;
    return is_any(left, clause_words) ? std::min<std::size_t>(bracket.old_gap, 1) : 0;
  }

  // The operator at `index` combines two operands; it has blanks on both sides or on none.
  bool is_loose(std::size_t index) const {
    return old_gap(index) > 0 || starts_line(index) ||
           (index + 1 < pieces_.size() && (starts_line(index + 1) || old_gap(index + 1) > 0));
  }

  std::size_t after_operator(const Token& left, const Token& right) const {
    if (!is_prefix_at(at_ - 1)) return is_loose(at_ - 1) ? 1 : 0;
    // Two prefixes in a row would be one token.
    return is_any(right, arithmetic_symbols) && !left.is("*") ? 1 : 0;
  }

  bool in_machine_head() const { return brackets_at_machine_ == brackets_.size() && machine_head_; }

  void follow(const Token& token) {
    if (pieces_[at_]->is_comment()) return;
    if (token.is("machine") && token.kind == TokenKind::keyword && !after_dot(0)) {
      machine_head_ = true;
      brackets_at_machine_ = brackets_.size();
    }
    if (token.is("(")) brackets_.push_back(Bracket::round);
    if (token.is("[")) brackets_.push_back(Bracket::square);
    if (token.is("{")) {
      machine_head_ = false;
      const Token* before = this->token(-1);
      const Token* sweep = this->token(-2);
      const bool corners = before != nullptr && before->is("from") && sweep != nullptr && sweep->is("sweep");
      brackets_.push_back(corners ? Bracket::tight : Bracket::block);
    }
    if ((token.is(")") || token.is("]") || token.is("}")) && !brackets_.empty()) brackets_.pop_back();
  }

  std::vector<Piece*> pieces_;
  std::vector<std::size_t> starts_;  // after each line, the number of pieces so far
  std::vector<Bracket> brackets_;
  std::size_t at_ = 0;
  bool machine_head_ = false;
  std::size_t brackets_at_machine_ = 0;
};

}  // namespace

bool is_prefix(const Token* previous, const Token& token) {
  if (!token.is("+") && !token.is("-") && !token.is("*")) return false;
  if (previous == nullptr || !ends_operand(*previous)) return true;
  return token.is("*") && previous->is("by");
}

void set_gaps(std::vector<Line>& lines) { Spacing(lines).run(); }

}  // namespace wave::frontend
