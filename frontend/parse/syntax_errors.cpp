// The words of syntax errors: what was seen, what was expected (in the user's words), and how to go on.
#include "frontend/parse/syntax_errors.h"

#include "frontend/source/foreign_words.h"

#include <algorithm>
#include <array>

namespace wave::frontend {
namespace {

using Grammar = grammar::WaveParser;
using antlr4::misc::IntervalSet;

std::string describe(const Token& token, const Preparation& preparation) {
  switch (token.kind) {
    case TokenKind::end: return preparation.is_file ? "the end of the file" : "the end";
    case TokenKind::keyword: return "the keyword `" + std::string(token.text) + "`";
    case TokenKind::string: return "a string";
    case TokenKind::integer:
    case TokenKind::decimal:
    case TokenKind::quantity: return "the number `" + std::string(token.text) + "`";
    default: break;
  }
  if (token.begin == token.end && token.is(";")) return "the end of the line";
  return "`" + std::string(token.text) + "`";
}

void report_equals_sign(const Token& token, Preparation& preparation) {
  Diagnostic& report =
      preparation.report(DiagnosticKind::assignment_for_equality, token, "`=` does not compare", "`==` is meant?");
  report.help.emplace_back("`==` compares two values; `=` gives a name its value in a declaration or an argument");
  report.fixes.push_back({preparation.location(token), "=="});
}

class SyntaxError {
 public:
  SyntaxError(const std::vector<Token>& tokens, std::size_t at, const IntervalSet& expected,
              const std::vector<std::size_t>& rules, Preparation& preparation)
      : tokens_(tokens), at_(at), expected_(expected), rules_(rules), preparation_(preparation) {}

  void report() {
    if (report_keyword_as_name() || report_missing_type() || report_assignment() || report_no_statement() ||
        report_continued_let())
      return;
    const std::string wanted = describe_expected();
    const bool line_ended = at_ > 0 && (seen().starts_line || seen().kind == TokenKind::end);
    const Token& shown = line_ended ? tokens_[at_ - 1] : seen();
    const std::string label = line_ended ? "expected " + wanted + " after this" : "expected " + wanted;
    Diagnostic& report = preparation_.report(DiagnosticKind::unexpected_token, shown,
                                             "expected " + wanted + ", found " + describe(seen(), preparation_), label);
    add_help(report);
  }

 private:
  const Token& seen() const { return tokens_[at_]; }
  const Token* before() const { return at_ > 0 ? &tokens_[at_ - 1] : nullptr; }
  bool expects(std::size_t type) const { return expected_.contains(type); }
  bool expects_expression() const {
    return expects(Grammar::INTEGER) && expects(Grammar::STRING) && expects(Grammar::LPAREN);
  }
  bool expects_name() const { return expects(Grammar::IDENTIFIER) && !expects_expression(); }
  bool inside(std::size_t rule) const { return std::find(rules_.begin(), rules_.end(), rule) != rules_.end(); }
  bool directly_in(std::size_t rule) const { return !rules_.empty() && rules_.front() == rule; }

  bool report_keyword_as_name() {
    if (seen().kind != TokenKind::keyword || seen().starts_line || !expects_name()) return false;
    const std::string word(seen().text);
    preparation_
        .report(DiagnosticKind::keyword_as_name, seen(), "`" + word + "` is a keyword and cannot be a name",
                "expected a name")
        .help.push_back("choose another name, for example `" + word + "_`");
    return true;
  }

  bool report_missing_type() {
    if (!directly_in(Grammar::RuleParam_item) || !expects(Grammar::COLON) || before() == nullptr) return false;
    std::string name(before()->text);
    Diagnostic& report = preparation_.report(DiagnosticKind::missing_type, *before(),
                                             "parameter `" + name + "` has no type", "`: type` is missing after this");
    if (seen().kind != TokenKind::identifier || seen().starts_line) {
      report.help.push_back("write `param " + name + ": int = 4`, `param " + name + ": time = 1 us`, ...");
      return true;
    }
    // `param n int`, or as in C, `param int n`.
    std::string type(seen().text);
    if (find_type(name) != nullptr) std::swap(name, type);
    const char* known = find_type(type);
    report.help.push_back("the type stands after the name and `:`, as in `param " + name + ": " +
                          (known != nullptr ? known : type) + "`");
    return true;
  }

  // A word that begins no statement, where a statement should begin.
  bool report_no_statement() {
    if (!directly_in(Grammar::RuleCall) || before() == nullptr || before()->kind != TokenKind::identifier ||
        seen().is("="))
      return false;
    report_unknown_word(tokens_, at_ - 1, Grammar::RuleStatement, preparation_);
    return true;
  }

  // The value after the `let`s of a body is missing, because the line that should give it continues the last `let`.
  bool report_continued_let() {
    const bool after_let = directly_in(Grammar::RuleBody) && expects(Grammar::SEMICOLON);
    const bool at_value = inside(Grammar::RuleBody) && before() != nullptr && before()->is(";");
    std::size_t depth = 0, line = 0;
    for (std::size_t i = after_let || at_value ? at_ : 0; i-- > 0;) {
      const Token& token = tokens_[i];
      if (closes(token)) ++depth;
      if (opens(token) && depth-- == 0) return false;  // there is no body inside brackets
      if (depth > 0) continue;
      if (line == 0 && token.starts_line && (opens(token) || token.is("-"))) line = i;
      if (token.is("let") && token.kind == TokenKind::keyword) return line > i && report_continued(i, line);
    }
    return false;
  }

  bool report_continued(std::size_t let, std::size_t line) {
    const std::string symbol = "`" + std::string(tokens_[line].text) + "`";
    Token whole = tokens_[let];
    whole.end = tokens_[line - 1].end;
    Diagnostic& report = preparation_.report(DiagnosticKind::unexpected_token, whole,
                                             "the next line continues this `let`, so that the body has no value");
    report.labels.push_back({preparation_.location(tokens_[line]), "a line that begins with " + symbol + " continues"});
    report.help.push_back("write `;` at the end of the `let`, or begin the next line with something else than " +
                          symbol);
    const Location place = preparation_.location(whole);
    report.fixes.push_back({{place.file, place.end, place.end}, ";"});
    return true;
  }

  // Wave's word for the name of a type in another language; null for other words.
  static const char* find_type(std::string_view word) {
    constexpr std::pair<std::string_view, const char*> types[] = {
        {"int", "int"},    {"real", "real"},   {"bool", "bool"}, {"string", "string"},
        {"time", "time"},  {"data", "data"},   {"work", "work"}, {"order", "order"},
        {"float", "real"}, {"double", "real"}, {"long", "int"}};
    for (const auto& [theirs, ours] : types) {
      if (word == theirs) return ours;
    }
    return nullptr;
  }

  bool report_assignment() {
    if (!seen().is("=") || !expects(Grammar::EQUAL)) return false;
    report_equals_sign(seen(), preparation_);
    return true;
  }

  std::string describe_expected() const {
    if (before() != nullptr && before()->is(".")) return "a name";
    const bool after_in = before() != nullptr && before()->is("in");
    if ((after_in || inside(Grammar::RuleUnit)) && expects(Grammar::IDENTIFIER) && !expects(Grammar::LPAREN))
      return "a unit";
    if (directly_in(Grammar::RuleType) || directly_in(Grammar::RuleType_power)) {
      if (expects(Grammar::IDENTIFIER) && expects(Grammar::INTEGER)) return "a type";
    }
    if (expects_expression()) return with_symbols("an expression");
    if (expects(Grammar::IDENTIFIER)) return with_symbols("a name");
    return with_symbols("");
  }

  // The kinds of tokens that are worth naming besides `first`, which are not those that begin or continue any
  // expression.
  std::string with_symbols(std::string first) const {
    std::vector<std::string> parts;
    if (!first.empty()) parts.push_back(std::move(first));
    const bool after_operand = expects(Grammar::STAR) && expects(Grammar::CARET);
    const bool words = expects(Grammar::IDENTIFIER);
    static const antlr4::dfa::Vocabulary vocabulary = grammar::WaveLexer(nullptr).getVocabulary();
    for (const antlr4::misc::Interval& interval : expected_.getIntervals()) {
      for (ssize_t type = std::max<ssize_t>(interval.a, 1); type <= interval.b; ++type) {
        const auto token = static_cast<std::size_t>(type);
        if (!worth_naming(token, after_operand, words)) continue;
        const std::string literal = vocabulary.getLiteralName(token);
        parts.push_back(literal.empty() ? spoken(token) : "`" + literal.substr(1, literal.size() - 2) + "`");
      }
    }
    return join(parts, after_operand);
  }

  bool worth_naming(std::size_t type, bool after_operand, bool words) const {
    if (words && type >= Grammar::ACQUIRE && type <= Grammar::IDENTIFIER) return false;
    if (expects_expression()) return type == Grammar::RPAREN || type == Grammar::RBRACKET || type == Grammar::RBRACE;
    constexpr std::array operators{Grammar::STAR,    Grammar::SLASH,         Grammar::DIV,   Grammar::MOD,
                                   Grammar::PLUS,    Grammar::MINUS,         Grammar::CARET, Grammar::DOT,
                                   Grammar::LPAREN,  Grammar::LBRACKET,      Grammar::DOTS,  Grammar::UNCERTAIN,
                                   Grammar::EQUAL,   Grammar::NOT_EQUAL,     Grammar::LESS,  Grammar::LESS_EQUAL,
                                   Grammar::GREATER, Grammar::GREATER_EQUAL, Grammar::AND,   Grammar::OR,
                                   Grammar::BY};
    if (after_operand && std::find(operators.begin(), operators.end(), type) != operators.end()) return false;
    const bool names_argument = type == Grammar::IN || type == Grammar::ASSIGN;
    if (after_operand && names_argument && expects(Grammar::COMMA)) return false;
    return type != Grammar::QUANTITY;
  }

  static std::string spoken(std::size_t type) {
    switch (type) {
      case Grammar::IDENTIFIER: return "a name";
      case Grammar::INTEGER: return "an integer";
      case Grammar::DECIMAL: return "a number";
      case Grammar::STRING: return "a string";
      default: return "something else";
    }
  }

  static std::string join(const std::vector<std::string>& parts, bool after_operand) {
    if (parts.empty() || parts.size() > 6)
      return after_operand ? "an operator or the end of the expression" : "something else";
    std::string result = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i) result += (i + 1 == parts.size() ? " or " : ", ") + parts[i];
    return result;
  }

  void add_help(Diagnostic& report) const {
    const std::string help = find_help();
    if (!help.empty()) report.help.push_back(help);
    // Only the literal 0 fits whatever the other branch is.
    const bool lacks_else = directly_in(Grammar::RuleExpression) && expects(Grammar::ELSE);
    if (lacks_else && before() != nullptr && !report.labels.empty())
      report.fixes.push_back({{report.labels.front().location.file, before()->end, before()->end}, " else 0"});
  }

  std::string find_help() const {
    const Token& token = seen();
    if (before() != nullptr && before()->is("export") && expects(Grammar::IMPORT) && expected_.size() == 1)
      return "imports are handed on; what a module declares itself can be imported anyway";
    if (token.is("if") && expects_expression())
      return "an `if` inside a larger expression stands in parentheses: `1 + (if c then a else b)`";
    if (token.is("{") && expects(Grammar::THEN))
      return "a value is chosen with `if c then a else b`; blocks stand in processes";
    if (expects(Grammar::ELSE) && !expects(Grammar::EQUAL) && directly_in(Grammar::RuleExpression)) return "";
    if (directly_in(Grammar::RuleExpression) && expects(Grammar::ELSE))
      return "an `if` that gives a value needs its `else`";
    if (token.is("in")) return "a unit is chosen with `in` after `output` and `show` expressions only";
    if (token.is(".") && expects_expression()) return "a number begins with a digit: `0.5`";
    if (before() != nullptr && before()->is(".") && at_ > 1 && tokens_[at_ - 2].kind == TokenKind::integer)
      return "a digit follows the point of a number: `1.0`";
    if (token.is(":") && directly_in(Grammar::RuleOutput_item)) return "an output has the type of its expression";
    if (token.is("wrap") && (inside(Grammar::RuleProcedure_item) || inside(Grammar::RuleCollective_item)))
      return "only a `grid` says `wrap`: a procedure wraps where the grid of its caller does, the ranks of an "
             "algorithm "
             "never do; `R[r mod p + 1]` is the next one, and after the last the first";
    const bool in_arguments =
        inside(Grammar::RuleArguments) || inside(Grammar::RuleSuffix) || inside(Grammar::RuleCall);
    if (token.is(":") && in_arguments) return "an argument is named with `=`: `f(a = 1)`";
    if (token.is(";") && expects(Grammar::COMMA)) return "`,` separates here";
    if (token.is(",") && (expects(Grammar::SEMICOLON) || inside(Grammar::RuleWhen_arms)))
      return "`;` or a new line separates here";
    if (token.is("let") && expects_expression())
      return "`let` begins a declaration or a statement; it is not part of an expression";
    if (token.is("=") && directly_in(Grammar::RuleCall)) return "a value is named with `let x = ...`";
    if (token.is("{") && directly_in(Grammar::RuleFunction_item)) return "the body of a function stands after `=`";
    if (directly_in(Grammar::RuleProcess_item) && (expects(Grammar::ON) || expects(Grammar::USING)))
      return "a process says its grid and its machine: `process work on P using net { ... }`";
    if (before() != nullptr && (before()->is("when") || before()->is(",")) && inside(Grammar::RuleTask) &&
        expects(Grammar::RECV) && !expects_expression())
      return "a task waits for what it receives: `task when recv from [i-1] tag k { ... }`";
    if (token.is("when") && directly_in(Grammar::RuleTask)) return "`when` stands before `priority`";
    const bool begins_tasks = before() != nullptr && (before()->is("ready") || before()->is("task"));
    if ((begins_tasks || directly_in(Grammar::RuleMessage) || directly_in(Grammar::RuleTask)) &&
        expects(Grammar::LBRACE))
      return "a list of tasks is `ready { task when recv from [i-1] tag k priority 2 { ... } }`; `when` and `priority` "
             "may be left out";
    if (directly_in(Grammar::RuleMessage) && expects(Grammar::TO))
      return "a message is sent by its size and its way: `send 8 B to [i+1, j]`";
    if (directly_in(Grammar::RuleMessage) && expects(Grammar::FROM))
      return "a receive says where from: `recv 8 B from [i-1, j]`";
    if (directly_in(Grammar::RuleExchange))
      return "it says where its message goes, and where the other comes from: `sendrecv 8 B to [i+1] from [i-1]`";
    if (before() != nullptr && (before()->is("wait") || before()->is("waitany")) && inside(Grammar::RuleStatement))
      return "operations in the background have names, `irecv 8 B from [i-1] as a`: `wait a` waits for all of one "
             "name, `waitany a, b` for the first of several, and `waitall` for all that are pending";
    if (directly_in(Grammar::RuleStatement) && expects(Grammar::TILES) && !expects_expression())
      return "a sweep says how often its body runs from each corner: `sweep from [NW, SE] tiles 10 { ... }`";
    if (directly_in(Grammar::RulePeer))
      return "a peer is `upwind i`, `downwind i`, an offset `[i+1, j]` or a place `P[k]`";
    if (token.is("not") && expects_expression())
      return "`not` binds more loosely than comparisons; put `(not ...)` in parentheses";
    return "";
  }

  const std::vector<Token>& tokens_;
  std::size_t at_;
  const IntervalSet& expected_;
  const std::vector<std::size_t>& rules_;
  Preparation& preparation_;
};

std::vector<std::string> unit_words(std::size_t rule) {
  switch (rule) {
    case Grammar::RuleItem: return item_words();
    case Grammar::RuleStudy_clause: return {"vary", "set", "show", "plot", "measured"};
    case Grammar::RuleTest_step: return {"let", "expect"};
    case Grammar::RuleProtocol_end: return {"sender", "receiver"};
    default:
      return {"let",      "for",    "if",    "compute", "hold",    "release", "send",    "recv",
              "sendrecv", "isend",  "irecv", "wait",    "waitall", "waitany", "ready",   "task",
              "sweep",    "repeat", "phase", "busy",    "emit",    "await",   "acquire", "on arrival of"};
  }
}

std::string unit_name(std::size_t rule) {
  switch (rule) {
    case Grammar::RuleItem: return "a declaration";
    case Grammar::RuleStudy_clause: return "a clause of a study";
    case Grammar::RuleTest_step: return "a step of a test";
    case Grammar::RuleProtocol_end: return "an end of a protocol";
    default: return "a statement";
  }
}

std::string list_words(const std::vector<std::string>& words) {
  std::string result;
  for (const std::string& word : words) result += (result.empty() ? "`" : ", `") + word + "`";
  return result;
}

}  // namespace

const std::vector<std::string>& item_words() {
  static const std::vector<std::string> words{"import",    "export",   "param",    "let",    "fn",       "type",
                                              "require",   "override", "protocol", "levels", "resource", "collective",
                                              "interface", "machine",  "grid",     "rec",    "process",  "procedure",
                                              "output",    "model",    "study",    "test"};
  return words;
}

void report_syntax_error(const std::vector<Token>& tokens, std::size_t at, const IntervalSet& expected,
                         const std::vector<std::size_t>& rules, Preparation& preparation) {
  SyntaxError(tokens, at, expected, rules, preparation).report();
}

void report_unknown_word(const std::vector<Token>& tokens, std::size_t at, std::size_t rule, Preparation& preparation) {
  const Token& token = tokens[at];
  const std::string word(token.text);
  if (token.is("wave") && rule == Grammar::RuleItem) {
    preparation
        .report(DiagnosticKind::edition, token, "`wave` stands at the beginning of the file", "not the first line")
        .help.emplace_back("the edition of the language is the first line that is not a comment: `wave 1`");
    return;
  }
  // Something after a complete declaration or statement, on its line.
  const Token* before = at > 0 ? &tokens[at - 1] : nullptr;
  const bool trails = before != nullptr && ends_operand(*before) && !before->is("}");
  if (token.is("=") && trails) return report_equals_sign(token, preparation);
  if (trails && !token.starts_line) {
    const std::string what = unit_name(rule).substr(unit_name(rule).find(' ') + 1);
    Diagnostic& report =
        preparation.report(DiagnosticKind::unexpected_token, token,
                           "the " + what + " should end before " + describe(token, preparation), "not part of it");
    if (token.is("if"))
      report.help.emplace_back("a value is chosen with `if c then a else b`");
    else if (token.is("{"))
      report.help.emplace_back("the body of a function stands after `=`");
    else if (token.is("as") && what == "statement")
      report.help.emplace_back(
          "`as a` names a message in the background, `isend 8 B to [i+1] as a`, until `wait a`; collectives do not run "
          "there");
    else
      report.help.emplace_back("the next one begins on a new line or after `;`");
    return;
  }
  // A keyword that belongs elsewhere.
  if (token.kind == TokenKind::keyword) {
    preparation.report(DiagnosticKind::misplaced, token, "`" + word + "` does not begin " + unit_name(rule), "not here")
        .notes.push_back(unit_name(rule) + " begins with " + list_words(unit_words(rule)));
    return;
  }
  Diagnostic& report = preparation.report(DiagnosticKind::unknown_declaration, token,
                                          "`" + word + "` does not begin " + unit_name(rule), "not " + unit_name(rule));
  const ForeignWord* foreign = token.kind == TokenKind::identifier ? find_foreign_word(word) : nullptr;
  if (foreign && !foreign->answer.empty()) {
    report.help.emplace_back(foreign->answer);
    return;
  }
  if (token.kind == TokenKind::identifier && suggest_nearest(report, word, unit_words(rule))) return;
  if (token.kind == TokenKind::identifier && tokens[at + 1].is("=") && rule == Grammar::RuleItem)
    report.help.push_back("a value is named with `let " + word + " = ...`");
  else if (token.kind == TokenKind::identifier && rule == Grammar::RuleStatement)
    report.help.push_back("a procedure or a collective is called with parentheses: `" + word + "(...)`");
  else
    report.notes.push_back(unit_name(rule) + " begins with " + list_words(unit_words(rule)));
}

}  // namespace wave::frontend
