// See completion_context.h.
#include "editors/server/completion_context.h"

#include "editors/server/questions.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace wave::editors {
namespace {

using frontend::Token;
using frontend::TokenKind;
using Words = std::vector<std::string_view>;

bool is_number(const Token& token) { return token.kind == TokenKind::integer || token.kind == TokenKind::decimal; }

bool is_word(const Token& token) { return token.kind == TokenKind::identifier || token.kind == TokenKind::keyword; }

// Words that open braces in which certain words begin a statement.
const std::map<std::string, Words>& words_by_braces() {
  static const Words steps{"compute", "hold", "release", "send",    "recv",   "sendrecv", "isend",
                           "irecv",   "wait", "waitall", "waitany", "ready",  "sweep",    "repeat",
                           "for",     "if",   "phase",   "let",     "barrier"};
  static const std::map<std::string, Words> all{
      {"", {"import", "export", "let", "fn", "type", "interface", "machine", "model", "procedure", "study", "test"}},
      {"interface", {"fn", "collective"}},
      {"machine", {"param", "let", "fn", "require", "levels", "resource", "protocol", "collective", "override"}},
      {"model", {"param", "let", "fn", "require", "grid", "rec", "process", "procedure", "output"}},
      {"process", steps},
      {"procedure", steps},
      {"collective", steps},
      {"sweep", steps},
      {"repeat", steps},
      {"for", steps},
      {"if", steps},
      {"else", steps},
      {"phase", steps},
      {"task", steps},
      {"ready", {"task", "for", "if", "repeat", "let"}},
      {"protocol", {"sender", "receiver"}},
      {"sender", {"busy", "emit", "await", "acquire", "on"}},
      {"receiver", {"busy", "emit", "await", "acquire", "on"}},
      {"study", {"vary", "set", "show", "plot", "measured"}},
      {"test", {"let", "expect"}},
  };
  return all;
}

// What opened the braces that are open at the end of the tokens: the last word before each that opens some.
std::string around(const std::vector<Token>& tokens) {
  std::vector<std::string> open;
  std::string word;
  for (const Token& token : tokens) {
    const std::string text(token.text);
    if (is_word(token) && !text.empty() && words_by_braces().count(text)) word = text;
    if (token.is("{")) open.push_back(std::exchange(word, {}));
    if (token.is("}") && !open.empty()) open.pop_back();
  }
  return open.empty() ? "" : open.back();
}

// Whether braces hold expressions rather than statements.
bool holds_statements(const std::string& word) { return words_by_braces().count(word) > 0; }

// What is open in the statement that the tokens end with.
std::string lacking_after(const std::vector<Token>& tokens, std::size_t first) {
  std::string closing;
  int ifs = 0, thens = 0, elses = 0;
  for (std::size_t i = first; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.is("(")) closing.insert(closing.begin(), ')');
    if (token.is("[")) closing.insert(closing.begin(), ']');
    if ((token.is(")") || token.is("]")) && !closing.empty()) closing.erase(closing.begin());
    ifs += token.is("if") ? 1 : 0;
    thens += token.is("then") ? 1 : 0;
    elses += token.is("else") ? 1 : 0;
  }
  std::string text;
  for (; thens < ifs; ++thens) text += " then 0";
  for (; elses < thens; ++elses) text += " else 0";
  return text + closing;
}

// The index of the first token of the last statement.
std::size_t statement_begin(const std::vector<Token>& tokens) {
  std::size_t first = tokens.size();
  for (std::size_t i = tokens.size(); i-- > 0;) {
    if (tokens[i].is("{") || tokens[i].is("}") || tokens[i].is(";")) break;
    first = i;
    if (tokens[i].kind == TokenKind::keyword && tokens[i].starts_line) break;
  }
  return first;
}

// `line` begins with `import`.
void read_import(const std::vector<Token>& line, CompletionContext& context) {
  const bool in_braces = std::any_of(line.begin(), line.end(), [](const Token& token) { return token.is("{"); });
  for (std::size_t i = 1; i < line.size() && !line[i].is("{"); ++i) context.path += line[i].text;
  context.kind = in_braces ? CompletionContext::Kind::imported : CompletionContext::Kind::import;
  const bool is_done = !in_braces && line.size() > 1 && !line.back().is(".");  // `as` or `{` follows
  const bool is_renamed = in_braces && line.back().is("as");                   // a name of one's own follows
  if (is_done || is_renamed) context.kind = CompletionContext::Kind::nothing;
}

// Whether the tokens end with a unit and `/` or `*`, without blanks.
bool is_in_unit(const std::vector<Token>& tokens, std::uint32_t begin) {
  if (tokens.size() < 3 || tokens.back().end != begin) return false;
  const Token& sign = tokens.back();
  const Token& unit = tokens[tokens.size() - 2];
  const Token& before = tokens[tokens.size() - 3];
  return (sign.is("/") || sign.is("*")) && unit.end == sign.begin && unit.kind == TokenKind::identifier &&
         (is_number(before) || before.is("/") || before.is("*"));
}

}  // namespace

const Words& words_of(const std::string& around) {
  static const Words none;
  const auto found = words_by_braces().find(around);
  return found == words_by_braces().end() ? none : found->second;
}

CompletionContext completion_context(std::string_view text, std::uint32_t offset) {
  CompletionContext context;
  std::tie(context.begin, context.end) = word_at(text, offset);
  const frontend::Lexed lexed = frontend::lex(text);
  const auto holds = [&](const Token& token) { return token.begin < offset && offset <= token.end; };
  const auto is_string = [&](const Token& token) {
    return token.kind == TokenKind::unclosed_string || (token.kind == TokenKind::string && offset < token.end);
  };
  const bool in_comment = std::any_of(lexed.comments.begin(), lexed.comments.end(), holds);
  std::vector<Token> before;
  for (const Token& token : lexed.tokens) {
    if (token.kind == TokenKind::end || token.begin >= context.begin) break;
    before.push_back(token);
  }
  const bool in_string = !before.empty() && holds(before.back()) && is_string(before.back());
  const bool in_number =
      context.begin < text.size() && context.begin < offset && text[context.begin] >= '0' && text[context.begin] <= '9';
  context.around = around(before);
  const std::size_t line_begin = text.substr(0, context.begin).rfind('\n') + 1;  // 0 if there is none
  const bool is_first_on_line = before.empty() || before.back().begin < line_begin;
  context.begins_statement = holds_statements(context.around) && (is_first_on_line || before.back().is("{") ||
                                                                  before.back().is("}") || before.back().is(";"));
  context.begins_argument = !before.empty() && (before.back().is("(") || before.back().is(","));
  const std::size_t first = statement_begin(before);
  context.lacking = lacking_after(before, first);
  auto on_line = std::find_if(before.begin(), before.end(), [&](const Token& t) { return t.begin >= line_begin; });
  const bool exports = on_line != before.end() && on_line->is("export") && on_line->starts_line;
  if (exports) ++on_line;
  const bool imports = on_line != before.end() && on_line->is("import");
  if (in_comment || in_string || in_number) {
    context.kind = CompletionContext::Kind::nothing;
  } else if (imports) {
    read_import({on_line, before.end()}, context);
  } else if (!is_first_on_line && is_number(before.back())) {
    context.kind = CompletionContext::Kind::unit;
    context.number_begin = before.back().begin;
  } else if (is_in_unit(before, context.begin)) {
    context.kind = CompletionContext::Kind::next_unit;
  }
  return context;
}

}  // namespace wave::editors
