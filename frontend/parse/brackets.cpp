// Mends brackets without a partner, and bounds how deep they are nested. If all brackets match, nothing is mended.
// Otherwise indentation, and keywords that cannot be inside a bracket, tell which one is to blame. The missing bracket
// is added, or the superfluous one removed.
#include "frontend/parse/tokens.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace wave::frontend {
namespace {

std::string_view partner(std::string_view opener) { return opener == "(" ? ")" : opener == "[" ? "]" : "}"; }

bool balanced(const std::vector<Token>& tokens) {
  std::vector<std::string_view> expected;
  for (const Token& token : tokens) {
    if (opens(token)) expected.push_back(partner(token.text));
    if (!closes(token)) continue;
    if (expected.empty() || !token.is(expected.back())) return false;
    expected.pop_back();
  }
  return expected.empty();
}

// These words begin only declarations of a module. On a line of its own, one of them ends whatever is open.
bool begins_top_declaration(const Token& token, const Token& next) {
  constexpr std::array words{"import", "model", "machine", "interface", "study", "test"};
  const bool is_word = std::any_of(words.begin(), words.end(), [&](auto word) { return token.is(word); });
  return token.starts_line && (is_word || (token.is("export") && next.is("import")));
}

bool cannot_be_in_parentheses(const Token& token, const Token& next) {
  constexpr std::array words{"let",     "param",    "rec",        "grid", "process", "procedure", "output",
                             "require", "protocol", "collective", "type", "expect",  "override"};
  const bool is_word = std::any_of(words.begin(), words.end(), [&](auto word) { return token.is(word); });
  return begins_top_declaration(token, next) || (token.starts_line && token.kind == TokenKind::keyword && is_word);
}

class Balancer {
 public:
  Balancer(const std::vector<Token>& tokens, Preparation& preparation) : in_(tokens), preparation_(preparation) {
    for (const Token& token : tokens) {
      if (opens(token)) ++surplus_;
      if (closes(token)) --surplus_;
    }
  }

  std::vector<Token> run() {
    for (std::size_t i = 0; in_[i].kind != TokenKind::end; ++i) {
      const Token &token = in_[i], &next = in_[i + 1];
      if (begins_top_declaration(token, next) && !open_.empty() && indent(token) <= indent(out_[open_.front()]))
        close_down_to(0);
      else if (cannot_be_in_parentheses(token, next))
        close_parentheses();
      if (closes(token))
        close(token);
      else
        push(token);
    }
    close_down_to(0);
    out_.push_back(in_.back());
    return std::move(out_);
  }

 private:
  void push(const Token& token) {
    if (opens(token)) open_.push_back(out_.size());
    out_.push_back(token);
  }

  const Token& opener(std::size_t depth) const { return out_[open_[depth]]; }

  // The column of the first token on the line of `token`.
  std::size_t indent(const Token& token) const {
    const std::size_t before = preparation_.text.substr(0, token.begin).rfind('\n');
    const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
    const std::size_t first = preparation_.text.find_first_not_of(" \t", start);
    return first - start;
  }

  void close(const Token& token) {
    if (token.is("}")) close_braces_inside(token);
    std::size_t depth = open_.size();
    while (depth > 0 && !token.is(partner(opener(depth - 1).text)) && (token.is("}") || !opener(depth - 1).is("{")))
      --depth;
    const bool found = depth > 0 && token.is(partner(opener(depth - 1).text));
    if (found) {
      close_down_to(depth);
      open_.pop_back();
      out_.push_back(token);
    } else {
      close_wrongly(token);
    }
  }

  // If a `}` starts a line that is indented like an outer `{`, the inner ones were forgotten.
  void close_braces_inside(const Token& token) {
    if (!token.starts_line || surplus_ <= 0) return;
    const auto begins_here = [&](std::size_t at) { return out_[at].is("{") && indent(out_[at]) == indent(token); };
    const auto match = std::find_if(open_.rbegin(), open_.rend(), begins_here);
    if (match == open_.rend()) return;
    const auto inner = static_cast<std::size_t>(match - open_.rbegin());
    for (std::size_t i = 0; i < inner; ++i) {
      if (indent(out_[open_[open_.size() - 1 - i]]) <= indent(token)) return;
    }
    close_down_to(open_.size() - inner);
  }

  // A closer without its opener takes the place of the right one, or goes.
  void close_wrongly(const Token& token) {
    Diagnostic& report =
        preparation_.report(DiagnosticKind::unmatched_bracket, token,
                            "`" + std::string(token.text) + "` closes nothing", "no bracket of this kind is open");
    --surplus_;
    if (open_.empty() || opener(open_.size() - 1).is("{")) return;
    const Token& top = opener(open_.size() - 1);
    report.labels.push_back({preparation_.location(top), "this one is open"});
    Token right = token;
    replace(right, partner(top.text));
    open_.pop_back();
    out_.push_back(right);
  }

  void close_parentheses() {
    std::size_t depth = open_.size();
    while (depth > 0 && !opener(depth - 1).is("{")) --depth;
    close_down_to(depth);
  }

  // Reports and closes what is open above `depth`.
  void close_down_to(std::size_t depth) {
    while (open_.size() > depth) {
      const std::size_t at = open_.back();
      const Token bracket = out_[at];
      open_.pop_back();
      --surplus_;
      const std::string right(partner(bracket.text));
      preparation_.report(DiagnosticKind::unclosed_bracket, bracket,
                          "`" + std::string(bracket.text) + "` is never closed", "its `" + right + "` is missing");
      const std::size_t where = bracket.is("{") ? out_.size() : end_of_line(at);
      out_.insert(out_.begin() + static_cast<std::ptrdiff_t>(where), implied(right, out_[where - 1].end));
    }
  }

  // The index in `out_` after the last token on the line of the token at `at`.
  std::size_t end_of_line(std::size_t at) const {
    std::size_t next = at + 1;
    while (next < out_.size() && !out_[next].starts_line) ++next;
    return next;
  }

  const std::vector<Token>& in_;
  Preparation& preparation_;
  std::vector<Token> out_;
  std::vector<std::size_t> open_;  // indices into out_
  long surplus_ = 0;               // how many openers have no closer
};

}  // namespace

void balance_brackets(std::vector<Token>& tokens, Preparation& preparation) {
  if (!balanced(tokens)) tokens = Balancer(tokens, preparation).run();
}

// --- Bounds on nesting and on chains of operators, from the tokens alone. The parser and everything that walks the
// tree are recursive, so their depth must be bounded. ---

namespace {

// An expression as far as it has been read. `nesting` bounds the parser's recursion (prefix operators, `^`, `if`,
// results of function types), `height` the depth of the tree.
struct Frame {
  std::size_t nesting = 0;              // recursion inside this bracket, beyond the brackets themselves
  std::size_t height = 0;               // the height of the expression that is being read
  std::size_t inner = 0;                // the largest height of those read before
  bool is_block = false;                // a `{` has opened it, so `for` begins a statement
  std::optional<std::size_t> commas{};  // between the binders of such a statement, which are loops inside each other
  std::size_t loops = 0;                // of the statement whose braces these are, beyond the first
};

bool is_operator(const Token& token) {
  if (token.kind == TokenKind::keyword) return token.is("and") || token.is("or") || token.is("div") || token.is("mod");
  return token.kind == TokenKind::symbol && !token.is(",") && !token.is(";") && !token.is(":") && !token.is("=") &&
         !token.is("{") && !token.is("}") && !token.is(")") && !token.is("]");
}

class Depth {
 public:
  Depth(const ParseLimits& limits, Preparation& preparation) : limits_(limits), preparation_(preparation) {
    frames_.push_back({});
  }

  bool run(const std::vector<Token>& tokens) {
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      const Token* previous = i > 0 ? &tokens[i - 1] : nullptr;
      if (!step(previous, tokens[i])) return false;
    }
    return true;
  }

 private:
  bool step(const Token* previous, const Token& token) {
    const bool after_operand = previous != nullptr && ends_operand(*previous);
    const bool begins_loop = token.is("for") && frames_.back().is_block;
    std::optional<std::size_t>& commas = frames_.back().commas;
    if (commas && token.is(",")) ++*commas;
    if (begins_loop) commas = 0;
    if (separates(token) || begins_loop || (after_operand && begins_operand_word(token))) restart();
    if (token.is("(") || token.is("[") || token.is("{")) return open(token, after_operand);
    if (token.is(")") || token.is("]") || token.is("}")) return close(token);
    const bool prefix = is_operator(token) && !after_operand;
    const bool result = previous != nullptr && previous->is(":") && (token.is("fn") || token.is("table"));
    if (prefix || token.is("^") || token.is("not") || token.is("if") || result) {
      if (!nest(token)) return false;
    }
    return is_operator(token) || token.is("if") ? grow(token, 1) : true;
  }

  static bool separates(const Token& token) { return token.is(",") || token.is(";") || token.is("="); }

  void restart() {
    Frame& frame = frames_.back();
    frame.inner = std::max(frame.inner, frame.height);
    frame.height = 0;
    nesting_ -= frame.nesting;
    frame.nesting = 0;
  }

  bool open(const Token& token, bool after_operand) {
    if (after_operand && !token.is("{") && !grow(token, 1)) return false;
    Frame inner{.is_block = token.is("{")};
    if (inner.is_block) inner.loops = 2 * frames_.back().commas.value_or(0);  // each may have a filter
    frames_.push_back(inner);
    nesting_ += 1 + inner.loops;
    if (nesting_ <= limits_.nesting) return true;
    report(token, limits_.nesting, "levels of nesting");
    return false;
  }

  bool close(const Token& token) {
    if (frames_.size() == 1) return true;
    restart();
    const std::size_t inner = frames_.back().inner, loops = frames_.back().loops;
    frames_.pop_back();
    nesting_ -= 1 + loops;
    return grow(token, inner + 1 + loops);
  }

  bool nest(const Token& token) {
    ++frames_.back().nesting;
    if (++nesting_ <= limits_.nesting) return true;
    report(token, limits_.nesting, "levels of nesting");
    return false;
  }

  bool grow(const Token& token, std::size_t by) {
    Frame& frame = frames_.back();
    frame.height += by;
    if (frame.height <= limits_.chain + limits_.nesting) return true;
    report(token, limits_.chain, "operators in a row");
    return false;
  }

  void report(const Token& token, std::size_t bound, const std::string& what) {
    preparation_
        .report(DiagnosticKind::too_deep, token, "more than " + std::to_string(bound) + " " + what,
                "too deep from here on")
        .help.emplace_back("name parts of it with `let`, or use `sum`, a list or a function");
  }

  const ParseLimits& limits_;
  Preparation& preparation_;
  std::vector<Frame> frames_;
  std::size_t nesting_ = 0;
};

}  // namespace

bool check_depth(const std::vector<Token>& tokens, const ParseLimits& limits, Preparation& preparation) {
  return Depth(limits, preparation).run(tokens);
}

}  // namespace wave::frontend
