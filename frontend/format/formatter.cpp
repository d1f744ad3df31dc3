// The formatter: its steps, and how far apart two tokens of a line stand.
#include "frontend/format/formatter.h"

#include "base/utf8.h"
#include "frontend/format/layout.h"
#include "frontend/parse/parser.h"
#include "frontend/parse/tokens.h"
#include "frontend/source/patience.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace wave::frontend {
namespace {

// The column at the end of `text`, which begins in this one.
std::size_t column_after(std::size_t column, std::string_view text) {
  for (const char c : text) {
    if (c == '\t')
      column = (column / 8 + 1) * 8;
    else if (starts_code_point(c))
      ++column;
  }
  return column;
}

std::vector<Token> merge(const Lexed& lexed) {
  std::vector<Token> all(lexed.tokens.begin(), lexed.tokens.end() - 1);
  all.insert(all.end(), lexed.comments.begin(), lexed.comments.end());
  std::sort(all.begin(), all.end(), [](const Token& a, const Token& b) { return a.begin < b.begin; });
  return all;
}

std::string_view without_trailing_blanks(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

// Drops blank lines at the beginning and the end of the file and of blocks.
void drop_blank_lines(std::vector<Line>& lines) {
  const Token* previous = nullptr;
  for (Line& line : lines) {
    const Token& first = line.pieces.front().token;
    const bool after_opener = previous != nullptr && (previous->is("{") || previous->is("(") || previous->is("["));
    if (previous == nullptr || after_opener || first.is("}") || first.is(")") || first.is("]"))
      line.blank_before = false;
    for (const Piece& piece : line.pieces)
      previous = piece.is_comment() && line.pieces.size() > 1 ? previous : &piece.token;
  }
}

std::string write(const std::vector<Line>& lines) {
  std::string result;
  for (const Line& line : lines) {
    if (line.blank_before) result += '\n';
    result.append(line.indent, ' ');
    for (const Piece& piece : line.pieces) {
      result.append(piece.gap, ' ');
      result += piece.token.text;
    }
    result += '\n';
  }
  return result;
}

// Checks that the tokens, the comments and the beginnings of lines are as they were. If not, the formatter has a fault.
void verify(const Lexed& before, std::string_view text) {
  const Lexed after = lex(text);
  const auto same = [](const Token& a, const Token& b) {
    return without_trailing_blanks(a.text) == without_trailing_blanks(b.text) && a.kind == b.kind &&
           a.starts_line == b.starts_line;
  };
  const auto same_tokens = [&](const std::vector<Token>& a, const std::vector<Token>& b) {
    return std::equal(a.begin(), a.end() - (a.empty() ? 0 : 1), b.begin(), b.end() - (b.empty() ? 0 : 1), same);
  };
  const bool same_comments =
      std::equal(before.comments.begin(), before.comments.end(), after.comments.begin(), after.comments.end(), same);
  if (!same_tokens(before.tokens, after.tokens) || !same_comments)
    throw std::logic_error("the formatter would have changed the program");
}

// Where the tokens are that the end of a line separates from what is before them.
std::set<std::uint32_t> separated(std::vector<Token> tokens) {
  imply_separators(tokens);
  std::set<std::uint32_t> result;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i - 1].begin == tokens[i - 1].end) result.insert(tokens[i].begin);
  }
  return result;
}

}  // namespace

std::vector<Line> split_lines(std::string_view text, const Lexed& lexed) {
  std::vector<Line> lines;
  std::uint32_t end = 0;
  std::size_t column = 0;  // where the last token ends
  for (Token token : merge(lexed)) {
    const std::string_view between = text.substr(end, token.begin - end);
    const auto newlines = std::count(between.begin(), between.end(), '\n');
    column = newlines > 0 ? column_after(0, between.substr(between.rfind('\n') + 1)) : column_after(column, between);
    if (lines.empty() || newlines > 0) {
      lines.emplace_back();
      lines.back().blank_before = newlines > 1;
    }
    end = token.end;
    Piece piece;
    piece.old_column = column;
    column = column_after(column, text.substr(token.begin, token.end - token.begin));
    if (token.kind == TokenKind::comment || token.kind == TokenKind::documentation)
      token.text = without_trailing_blanks(token.text);
    piece.old_gap = between.size();
    piece.width = count_code_points(token.text);
    piece.token = token;
    lines.back().pieces.push_back(piece);
  }
  return lines;
}

std::optional<std::string> format(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.all().size();
  parse_module(sources, file, diagnostics);
  if (diagnostics.all().size() != before) return std::nullopt;
  const std::string_view text = sources.text(file);
  const Lexed lexed = lex(text);
  std::vector<Line> lines = split_lines(text, lexed);
  if (lines.empty()) return std::string{};
  drop_blank_lines(lines);
  set_gaps(lines);
  set_indents(lines, separated(lexed.tokens));
  align(lines);
  std::string result = write(lines);
  verify(lexed, result);
  return result;
}

// --- how far apart two tokens of a line stand ---

namespace {

constexpr std::array<std::string_view, 5> arithmetic_symbols{"+", "-", "*", "/", "^"};
// Words with a parenthesis or bracket of their own after them: `upwind (i, j)`, `from [NW, SE]`.
constexpr std::array<std::string_view, 29> clause_words{
    "after", "await", "blocks", "busy", "by",       "downwind", "emit",   "from",   "irecv", "isend",
    "nodes", "on",    "over",   "plot", "priority", "recv",     "repeat", "root",   "send",  "sendrecv",
    "show",  "tag",   "tiles",  "to",   "upwind",   "using",    "value",  "within", "window"};
constexpr std::array<std::string_view, 2> type_words{"fn", "table"};

// All pieces of the file, one after the other, with what is around them.
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
      Patience::ask();
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

  // Whether a word is a name here, although the grammar may know it.
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
    const bool exports = left.is("export") && right.is("import");
    return piece.old_gap > 1 && begins_part(right) && !exports ? 2 : 1;
  }

  // Two blanks may stay between declarations, clauses or statements on one line.
  bool begins_part(const Token& right) const {
    constexpr std::array<std::string_view, 6> inner{"and", "or", "div", "mod", "then", "else"};
    constexpr std::array<std::string_view, 5> study_words{"vary", "set", "show", "plot", "measured"};
    return (right.kind == TokenKind::keyword && !is_any(right, inner)) || is_any(right, study_words) || begins_clause();
  }

  // After a word of a clause (`by -1`), only the blanks tell a sign from an operator.
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

  // The operator at `index` combines two operands. It has blanks on both sides or on neither.
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
