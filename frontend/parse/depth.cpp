// Bounds nesting and chains of operators, from the tokens alone. The parser and everything that walks the tree are
// recursive, so their depth must be bounded.
#include "frontend/parse/prepare.h"

#include <algorithm>
#include <string>

namespace wave::frontend {

namespace {

// Of an expression as far as it was read: `nesting` bounds the parser's recursion (prefix operators, `^`,
// `if`, results of function types), `height` the depth of the tree.
struct Frame {
  std::size_t nesting = 0;  // recursion inside this bracket, beyond the brackets themselves
  std::size_t height = 0;   // of the expression that is being read
  std::size_t inner = 0;    // the largest height of those before it
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
    if (separates(token) || (after_operand && begins_operand_word(token))) restart();
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
    frames_.push_back({});
    if (++nesting_ <= limits_.nesting) return true;
    report(token, limits_.nesting, "levels of nesting");
    return false;
  }

  bool close(const Token& token) {
    if (frames_.size() == 1) return true;
    restart();
    const std::size_t inner = frames_.back().inner;
    frames_.pop_back();
    --nesting_;
    return grow(token, inner + 1);
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
