// The layout of lines: how far each is indented, and what stays aligned.
#include "frontend/format/layout.h"

#include "frontend/parse/tokens.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>

namespace wave::frontend {
namespace {

constexpr std::size_t step = 2;

bool is_code(const Piece& piece) { return !piece.is_comment(); }

bool begins_declaration(const Token& token) {
  constexpr std::array<std::string_view, 20> words{
      "import",  "param", "let", "fn",      "type",      "require", "override", "protocol", "collective", "interface",
      "machine", "grid",  "rec", "process", "procedure", "output",  "model",    "study",    "test",       "expect"};
  return token.kind == TokenKind::keyword && std::find(words.begin(), words.end(), token.text) != words.end();
}

// Words that begin no statement and no declaration. On a new line they continue the one before.
bool continues_statement(const Token& token) {
  constexpr std::array<std::string_view, 26> words{
      "and", "or",      "div",  "mod",   "then", "else",  "in", "for", "when",  "from",   "using",  "within", "as",
      "tag", "extends", "over", "nodes", "via",  "after", "by", "vs",  "along", "across", "window", "on",     "to"};
  return std::find(words.begin(), words.end(), token.text) != words.end();
}

class Indenter {
 public:
  Indenter(std::vector<Line>& lines, const std::set<std::uint32_t>& begun) : lines_(lines), begun_(begun) {}

  void run() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      Line& line = lines_[i];
      line.depth = frames_.size();
      const Line* code = next_code(i);
      line.continues = code != nullptr && continues(*code);
      place(line);
      if (!line.continues && !line.only_comment()) statement_ = {line.pieces[0].old_column, line.indent};
      for (const Piece& piece : line.pieces) follow(piece, line);
    }
  }

 private:
  struct Frame {
    std::string_view opener;
    std::size_t indent;
    bool arms;
    bool list;
  };
  struct Start {
    std::size_t old_indent = 0, indent = 0;
  };

  // The line itself, or the first one after its comment that has code.
  const Line* next_code(std::size_t i) {
    next_code_ = std::max(next_code_, i);
    while (next_code_ < lines_.size() && lines_[next_code_].only_comment()) ++next_code_;
    return next_code_ < lines_.size() ? &lines_[next_code_] : nullptr;
  }

  bool continues(const Line& line) const {
    const Token& first = line.pieces[0].token;
    if (!has_previous_) return false;
    if (!frames_.empty() && frames_.back().opener != "{") return true;
    if (first.is("let") && previous_.is("=")) return true;
    if (in_lets() && first.kind != TokenKind::symbol) return true;
    if (first.is("}") || previous_.is(";") || previous_.is("{")) return false;
    if (first.is("{") || begins_declaration(first)) return false;
    if (previous_.is(",")) return frames_.empty() || !frames_.back().list;
    const bool of_process = previous_.is("process") && before_.is("of");  // `resource tx of process`
    if (!of_process && !ends_operand(previous_)) return true;
    if (first.is("else") && !frames_.empty() && frames_.back().arms && line.pieces.size() > 1 &&
        line.pieces[1].token.is(":"))
      return false;
    if ((first.is("for") || first.is("else")) && previous_.is("}")) return false;
    if ((first.is("for") || first.is("when")) && !frames_.empty() && begins_statement(first)) return false;
    if (begins_arrival(line)) return false;
    // An arm may begin with a name that is such a word elsewhere, but no expression goes on with one other than `by`.
    if (!frames_.empty() && frames_.back().arms && first.kind == TokenKind::identifier) return first.is("by");
    if (first.kind == TokenKind::symbol) return true;
    return continues_statement(first) && begun_.count(first.begin) == 0;
  }

  // `for` begins statements in a process and clauses of `expect`; those of lists stand inside brackets.
  bool begins_statement(const Token& first) const { return first.is("for") && !in_test_; }

  // An `on` continues a plot of a study, but not in `on arrival of`.
  static bool begins_arrival(const Line& line) {
    return line.pieces.size() > 2 && line.pieces[0].token.is("on") && line.pieces[1].token.is("arrival") &&
           line.pieces[2].token.is("of");
  }

  void place(Line& line) const {
    const Piece& first = line.pieces[0];
    const std::size_t base = frames_.empty() ? 0 : frames_.back().indent + step;
    if (!line.continues) {
      const bool closer = is_code(first) && closes(first.token);
      line.indent = closer && !frames_.empty() ? frames_.back().indent : base;
      if (is_code(first) && first.token.is("{") && has_previous_) line.indent = statement_.indent;
      return;
    }
    const bool closer = is_code(first) && closes(first.token);
    const std::size_t least = statement_.indent + (closer ? 0 : step);
    const std::size_t moved = first.old_column + statement_.indent;
    line.indent = std::max(least, moved > statement_.old_indent ? moved - statement_.old_indent : 0);
  }

  // Between the local `let`s of a body and the body itself.
  bool in_lets() const { return lets_ && frames_.size() == lets_depth_; }

  void follow_lets(const Token& token) {
    const bool is_let = token.is("let") && token.kind == TokenKind::keyword;
    if (is_let && has_previous_ && previous_.is("=")) {
      lets_ = true;
      lets_depth_ = frames_.size();
    } else if (in_lets() && !is_let && !token.is(";") &&
               (previous_.is(";") || (token.starts_line && token.kind != TokenKind::symbol))) {
      lets_ = false;
    }
  }

  void follow(const Piece& piece, const Line& line) {
    if (!is_code(piece)) return;
    const Token& token = piece.token;
    follow_lets(token);
    if (token.is("test") && token.kind == TokenKind::keyword && frames_.empty())
      in_test_ = true;
    else if (frames_.empty() && token.kind == TokenKind::keyword && token.starts_line)
      in_test_ = false;
    if (opens(token)) {
      const bool arms = has_previous_ && previous_.is("when");
      frames_.push_back({token.text, line.indent, arms, token.is("{") && is_list()});
    } else if (closes(token) && !frames_.empty()) {
      // What follows the closing bracket of a block on this line begins on the block's first line.
      frames_.pop_back();
    }
    before_ = previous_;
    previous_ = token;
    has_previous_ = true;
  }

  // Whether the `{` that is about to be opened holds a list separated by commas: `type T {`, `table {`, imports.
  bool is_list() const {
    return previous_.is("table") ||
           (previous_.kind == TokenKind::identifier &&
            (before_.is("type") || before_.is("import") || before_.is(".") || before_.is(":") || before_.is("from"))) ||
           previous_.kind == TokenKind::string || previous_.is("from");
  }

  std::vector<Line>& lines_;
  const std::set<std::uint32_t>& begun_;
  std::size_t next_code_ = 0;
  std::vector<Frame> frames_;
  Start statement_;
  Token previous_, before_;
  bool has_previous_ = false;
  bool in_test_ = false;
  bool lets_ = false;
  std::size_t lets_depth_ = 0;
};

}  // namespace

void set_indents(std::vector<Line>& lines, const std::set<std::uint32_t>& begun) { Indenter(lines, begun).run(); }

// --- Alignment. Tokens of neighbouring lines that began in the same column, with two blanks before one of them, form a
// group; so do comments at line ends. A group moves to the leftmost column that all its members can reach. A comment
// stays in its column if the code leaves it room. Doing this again changes nothing, since it finds the same groups, in
// place. ---

namespace {

struct Spot {
  std::size_t line, piece;
};

// The columns where the pieces of a line begin now. Who asks goes from left to right, so it is known what the pieces
// before take.
class Columns {
 public:
  std::size_t at(const Line& line, std::size_t piece) {
    if (piece < piece_) *this = {};
    for (; piece_ < piece; ++piece_) before_ += line.pieces[piece_].gap + line.pieces[piece_].width;
    return line.indent + before_ + line.pieces[piece].gap;
  }

 private:
  std::size_t piece_ = 0, before_ = 0;  // the pieces before this one take so much
};

class Aligner {
 public:
  explicit Aligner(std::vector<Line>& lines) : lines_(lines), columns_(lines.size()) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      first_spots_.push_back(spots_.size());
      for (std::size_t k = 0; k < lines[i].pieces.size(); ++k) spots_.push_back({i, k});
    }
    group_.resize(spots_.size());
    std::iota(group_.begin(), group_.end(), std::size_t{0});
  }

  void run() {
    for (std::size_t i = 1; i < lines_.size(); ++i) {
      if (!lines_[i].blank_before) join_tokens(i - 1, i);
    }
    join_comments();
    move_groups();
  }

 private:
  const Piece& piece(Spot spot) const { return lines_[spot.line].pieces[spot.piece]; }

  // The first token of a line takes part if its line continues the one before.
  bool movable(Spot spot) const {
    const Line& line = lines_[spot.line];
    return spot.piece > 0 ? piece(spot).gap > 0 : line.continues && !line.only_comment();
  }

  bool is_trailing_comment(Spot spot) const { return spot.piece > 0 && piece(spot).is_comment(); }
  bool wants(Spot spot) const { return spot.piece == 0 || piece(spot).old_gap > 1; }
  // A comment under code is aligned if both were set apart.
  bool want(Spot a, Spot b) const {
    const bool mixed = piece(a).is_comment() != piece(b).is_comment();
    return mixed ? wants(a) && wants(b) : wants(a) || wants(b);
  }

  void join_tokens(std::size_t above, std::size_t below) {
    const auto& upper = lines_[above].pieces;
    const auto& lower = lines_[below].pieces;
    for (std::size_t a = 0, b = 0; a < upper.size() && b < lower.size();) {
      if (upper[a].old_column == lower[b].old_column) {
        const Spot first{above, a}, second{below, b};
        const bool alike = lines_[above].depth == lines_[below].depth || b == 0;
        // A continuing line takes its place even under a token that has no room to move.
        const bool under = b == 0 && a > 0 && movable(second) && !upper[a].is_comment();
        if ((alike && movable(first) && movable(second) && want(first, second)) || under) join(first, second);
      }
      (upper[a].old_column <= lower[b].old_column ? a : b) += 1;
    }
  }

  void join_comments() {
    std::optional<Spot> last;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::size_t k = lines_[i].pieces.size() - 1;
      if (k == 0 || !lines_[i].pieces[k].is_comment()) continue;
      if (last && piece(*last).old_column == lines_[i].pieces[k].old_column) join(*last, {i, k});
      last = Spot{i, k};
    }
  }

  std::size_t root(std::size_t spot) {
    while (group_[spot] != spot) spot = group_[spot] = group_[group_[spot]];
    return spot;
  }
  std::size_t number_of(Spot spot) const { return first_spots_[spot.line] + spot.piece; }
  void join(Spot a, Spot b) { group_[root(number_of(a))] = root(number_of(b)); }

  void move_groups() {
    std::map<std::size_t, std::vector<Spot>> members;
    for (std::size_t i = 0; i < spots_.size(); ++i) members[root(i)].push_back(spots_[i]);
    std::vector<std::vector<Spot>> groups;
    for (auto& [root, spots] : members) {
      if (spots.size() > 1 || is_trailing_comment(spots[0])) groups.push_back(std::move(spots));
    }
    // The tokens of a group have one old column, so those of a line are met from left to right.
    const auto old_column = [&](const std::vector<Spot>& group) { return piece(group[0]).old_column; };
    std::stable_sort(groups.begin(), groups.end(),
                     [&](const auto& a, const auto& b) { return old_column(a) < old_column(b); });
    for (const std::vector<Spot>& group : groups) move(group);
  }

  std::size_t column(Spot spot) { return columns_[spot.line].at(lines_[spot.line], spot.piece); }

  // The first token of a line is placed under the others, which set the column.
  void move(const std::vector<Spot>& group) {
    std::size_t target = 0;
    for (const Spot& spot : group) {
      if (spot.piece > 0) target = std::max(target, column(spot));
      if (is_trailing_comment(spot)) target = std::max(target, piece(spot).old_column);
    }
    if (target == 0) return;  // if all are first tokens, they keep their places
    for (const Spot& spot : group) {
      Line& line = lines_[spot.line];
      if (spot.piece == 0)
        line.indent = target;
      else
        line.pieces[spot.piece].gap += target - column(spot);
    }
  }

  std::vector<Line>& lines_;
  std::vector<Columns> columns_;
  std::vector<Spot> spots_;
  std::vector<std::size_t> first_spots_;  // of each line
  std::vector<std::size_t> group_;
};

}  // namespace

void align(std::vector<Line>& lines) { Aligner(lines).run(); }

}  // namespace wave::frontend
