// See formatter.h.
#include "frontend/format/formatter.h"

#include "frontend/format/layout.h"
#include "frontend/parse/parser.h"

#include <algorithm>
#include <stdexcept>

namespace wave::frontend {

namespace {

bool starts_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_code_point));
}

// The column at the end of `text`, which begins a line.
std::size_t column_after(std::string_view text) {
  std::size_t column = 0;
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

// No blank line at the beginning and the end of the file and of blocks.
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

// The tokens, the comments and where lines begin are as they were, or there is a fault in the formatter.
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

}  // namespace

std::size_t Line::column(std::size_t piece) const {
  std::size_t result = indent;
  for (std::size_t i = 0; i < piece; ++i) result += pieces[i].gap + pieces[i].width;
  return result + pieces[piece].gap;
}

std::vector<Line> split_lines(std::string_view text, const Lexed& lexed) {
  std::vector<Line> lines;
  std::uint32_t end = 0;
  std::size_t line_begin = 0;
  for (Token token : merge(lexed)) {
    const std::string_view between = text.substr(end, token.begin - end);
    const auto newlines = std::count(between.begin(), between.end(), '\n');
    if (newlines > 0) line_begin = end + between.rfind('\n') + 1;
    if (lines.empty() || newlines > 0) {
      lines.emplace_back();
      lines.back().blank_before = newlines > 1;
    }
    end = token.end;
    if (token.kind == TokenKind::comment || token.kind == TokenKind::documentation)
      token.text = without_trailing_blanks(token.text);
    Piece piece;
    piece.old_column = column_after(text.substr(line_begin, token.begin - line_begin));
    piece.old_gap = between.size();
    piece.width = width(token.text);
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
  set_indents(lines);
  align(lines);
  std::string result = write(lines);
  verify(lexed, result);
  return result;
}

}  // namespace wave::frontend
