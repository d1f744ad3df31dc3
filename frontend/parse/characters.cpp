// Joins units with their numbers. Reports and mends characters and operators that Wave does not have.
#include "frontend/parse/tokens.h"

namespace wave::frontend {
namespace {

bool is_word(const Token& token) {
  return token.kind == TokenKind::identifier || token.kind == TokenKind::foreign_word;
}

bool is_number(const Token& token) { return token.kind == TokenKind::integer || token.kind == TokenKind::decimal; }

bool adjacent(const Token& first, const Token& second) {
  return first.end == second.begin && second.begin < second.end;
}

// The index after `^-3` at `at`, or `at`.
std::size_t skip_exponent(const std::vector<Token>& tokens, std::size_t at) {
  if (!tokens[at].is("^") || !adjacent(tokens[at - 1], tokens[at])) return at;
  std::size_t last = at + 1;
  if (tokens[last].is("-") && adjacent(tokens[at], tokens[last])) ++last;
  const bool whole = tokens[last].kind == TokenKind::integer && adjacent(tokens[last - 1], tokens[last]);
  return whole ? last + 1 : at;
}

// The index after the unit expression that begins at `at`.
std::size_t skip_unit(const std::vector<Token>& tokens, std::size_t at) {
  at = skip_exponent(tokens, at + 1);
  while ((tokens[at].is("/") || tokens[at].is("*")) && adjacent(tokens[at - 1], tokens[at]) &&
         is_word(tokens[at + 1]) && adjacent(tokens[at], tokens[at + 1])) {
    at = skip_exponent(tokens, at + 2);
  }
  return at;
}

// Words of the grammar that may follow a number, and so are no units: `8 to`, `4 nodes`.
bool begins_unit(const Token& token, std::size_t identifier) {
  return !token.starts_line && (token.kind == TokenKind::foreign_word || token.type == identifier);
}

struct Foreign {
  std::string_view theirs, ours, help;
};
constexpr Foreign foreign_operators[] = {
    {"&&", "and", "Wave writes `and`"},
    {"||", "or", "Wave writes `or`"},
    {"**", "^", "Wave writes powers with `^`"},
    {"<>", "!=", "Wave writes `!=`"},
    {":=", "=", "Wave writes `=`"},
    {"=>", ">=", "for greater or equal write `>=`; the result of a function stands after `=`"},
    {"->", ":", "the type of a result stands after `:`, as in `fn f(n: int): time`"},
    {"++", "+", "write `x = x + 1` in a flop count, or put a space between two signs"},
    {"--", "-", "put a space between two signs: `a - -b`"},
    {"+=", "=", "write `x = x + y`"},
    {"-=", "=", "write `x = x - y`"},
    {"*=", "=", "write `x = x * y`"},
    {"/=", "=", "write `x = x / y`, or `!=` for a comparison"},
    {"/*", "", "comments begin with `//` and end with the line"},
    {"*/", "", "comments begin with `//` and end with the line"},
    {"!", "not", "Wave writes `not`"},
    {"%", "mod", "Wave writes `mod` for the remainder"},
    {"&", "and", "Wave writes `and`"},
    {"\u2212", "-", "write the ASCII `-`"},
    {"\u00D7", "*", "write `*`"},
    {"\u00F7", "/", "write `/`"},
    {"\u2264", "<=", "write `<=`"},
    {"\u2265", ">=", "write `>=`"},
    {"\u2260", "!=", "write `!=`"},
    {"\u00B7", "*", "write `*`"},
};

const Foreign* find_foreign(std::string_view text) {
  for (const Foreign& entry : foreign_operators) {
    if (entry.theirs == text) return &entry;
  }
  return nullptr;
}

// Reports an operator of another language and turns the token into ours. False if the token should be dropped.
bool mend_foreign(Token& token, const Foreign& entry, Preparation& preparation) {
  const std::string text(token.text);
  Diagnostic& report = preparation.report(DiagnosticKind::foreign_operator, token,
                                          "`" + text + "` is not an operator of Wave", "not Wave");
  report.help.emplace_back(entry.help);
  if (entry.ours.empty()) return false;
  const bool is_word = is_keyword(entry.ours);  // it may touch its operands, which would make another word of it
  const std::string ours(entry.ours);
  // Only where that is what the help says: `x += 1` is not `x = 1`.
  if (report.help.back().find("`" + ours + "`") != std::string::npos)
    report.fixes.push_back({preparation.location(token), is_word ? " " + ours + " " : ours});
  replace(token, entry.ours);
  return true;
}

std::string describe(std::string_view character) {
  const auto code = static_cast<unsigned char>(character[0]);
  if (character.size() > 1 || (code > 0x20 && code < 0x7F)) return "`" + std::string(character) + "`";
  constexpr char digits[] = "0123456789ABCDEF";
  return std::string("the control character U+00") + digits[code / 16] + digits[code % 16];
}

std::string help_for(std::string_view character) {
  if (character == "#") return "comments begin with `//`";
  if (character == "'" || character == "`" || character == "\u201C" || character == "\u201D")
    return "strings stand in straight double quotes: \"text\"";
  if (character == "?") return "write `if c then a else b`";
  if (character == "@" || character == "$" || character == "\\") return "names consist of letters, digits and `_`";
  return "";
}

void report_unknown(const Token& token, Preparation& preparation) {
  Diagnostic& report = preparation.report(DiagnosticKind::unexpected_character, token,
                                          describe(token.text) + " means nothing here", "unexpected");
  const std::string help = help_for(token.text);
  if (!help.empty()) report.help.push_back(help);
}

void close_string(Token& token, Preparation& preparation) {
  preparation.report(DiagnosticKind::unclosed_string, token, "this string has no end", "begins here")
      .help.emplace_back("a string ends with `\"` on the line where it begins; inside one, write `\\\"` for a quote");
  const Token sample = lex("\"\"").tokens.front();
  token.kind = sample.kind;
  token.type = sample.type;
}

}  // namespace

Diagnostic& Preparation::report(DiagnosticKind kind, const Token& token, std::string message, std::string label) {
  reported.insert(location(token));
  if (reported.size() <= most_reports)
    return diagnostics.add(kind, location(token), std::move(message), std::move(label));
  dropped = {kind, std::move(message), {{location(token), std::move(label)}}, {}, {}};
  return dropped;
}

void join_units(std::vector<Token>& tokens) {
  static const std::size_t identifier = lex("x").tokens.front().type;
  static const Token quantity = quantity_token();
  std::size_t out = 0;
  for (std::size_t at = 0; at < tokens.size(); ++out) {
    Token token = tokens[at];
    std::size_t next = at + 1;
    const bool after_dot = at > 0 && tokens[at - 1].is(".");
    if (is_number(token) && !after_dot && begins_unit(tokens[next], identifier)) {
      next = skip_unit(tokens, next);
      token.kind = quantity.kind;
      token.type = quantity.type;
      token.end = tokens[next - 1].end;
      token.text = std::string_view(token.text.data(), token.end - token.begin);
    }
    tokens[out] = token;
    at = next;
  }
  tokens.resize(out);
}

void mend_characters(std::vector<Token>& tokens, Preparation& preparation) {
  std::vector<Token> kept;
  kept.reserve(tokens.size());
  bool in_run = false;      // in a run of characters without a meaning, of which the first is reported
  bool in_comment = false;  // in a comment of another language, `# ...`
  for (Token token : tokens) {
    in_comment = in_comment && !token.starts_line && token.kind != TokenKind::end;
    if (in_comment) continue;
    const bool continues = in_run && !token.starts_line;
    in_run = false;
    bool keep = true;
    const Foreign* entry =
        token.kind == TokenKind::foreign || token.kind == TokenKind::unknown ? find_foreign(token.text) : nullptr;
    if (entry != nullptr) {
      in_comment = token.is("/*");
      keep = mend_foreign(token, *entry, preparation);
    } else if (token.kind == TokenKind::unknown) {
      if (!continues) report_unknown(token, preparation);
      in_run = true;
      in_comment = token.is("#");
      keep = false;
    } else if (token.kind == TokenKind::foreign_word) {
      preparation
          .report(DiagnosticKind::unexpected_character, token, "`" + std::string(token.text) + "` is not a name",
                  "a letter outside ASCII")
          .help.emplace_back("names consist of the letters a to z and A to Z, digits and `_`");
      const Token name = lex("x").tokens.front();
      token.kind = name.kind;
      token.type = name.type;
    } else if (token.kind == TokenKind::unclosed_string) {
      close_string(token, preparation);
    }
    if (keep) kept.push_back(token);
  }
  tokens = std::move(kept);
}

}  // namespace wave::frontend
