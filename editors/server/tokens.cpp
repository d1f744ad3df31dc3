// Semantic tokens: what each word of a document is.
#include "frontend/parse/tokens.h"

#include "editors/server/features.h"
#include "frontend/ast/operators.h"
#include "frontend/check/type_tools.h"
#include "frontend/parse/units.h"

#include <algorithm>
#include <unordered_map>

namespace wave::editors {
namespace {

using namespace frontend;

// In the order of token_types(). Those after `operator_` are Wave's own.
enum class TokenClass {
  namespace_,
  type,
  interface,
  class_,
  struct_,
  function,
  method,
  parameter,
  variable,
  property,
  enum_member,
  event,
  keyword,
  comment,
  string,
  number,
  operator_,
  unit,
  axis,
  grid,
  output
};
struct Modifier {
  enum : unsigned { declaration = 1, readonly = 2, documentation = 4, default_library = 8, local = 16 };
};

struct Class {
  TokenClass type;
  unsigned modifiers = 0;
};

struct ClassOfItem {
  using enum TokenClass;
  Class operator()(const item::Import&) const { return {namespace_}; }
  Class operator()(const item::Param&) const { return {parameter, Modifier::readonly}; }
  Class operator()(const item::Let&) const { return {variable, Modifier::readonly}; }
  Class operator()(const item::Function&) const { return {function}; }
  Class operator()(const item::Record&) const { return {struct_}; }
  Class operator()(const item::Require&) const { return {variable}; }
  Class operator()(const item::Protocol&) const { return {method}; }
  Class operator()(const item::Levels&) const { return {enum_member}; }
  Class operator()(const item::Resource&) const { return {property}; }
  Class operator()(const item::Collective&) const { return {function}; }
  Class operator()(const item::Interface&) const { return {interface}; }
  Class operator()(const item::Machine&) const { return {class_}; }
  Class operator()(const item::Grid&) const { return {grid}; }
  Class operator()(const item::Recurrence&) const { return {variable}; }
  Class operator()(const item::Process&) const { return {method}; }
  Class operator()(const item::Procedure&) const { return {function}; }
  Class operator()(const item::Output&) const { return {output, Modifier::readonly}; }
  Class operator()(const item::Model&) const { return {class_}; }
  Class operator()(const item::Study&) const { return {class_}; }
  Class operator()(const item::Test&) const { return {string}; }
  Class operator()(const item::Unknown&) const { return {variable}; }
};

Class class_of(const Declaration& one) {
  using enum TokenClass;
  switch (one.kind) {
    case DeclarationKind::item: return std::visit(ClassOfItem{}, one.item->node);
    case DeclarationKind::parameter: return {parameter, Modifier::local};
    case DeclarationKind::local: return {variable, Modifier::local | Modifier::readonly};
    case DeclarationKind::variable: return {variable, Modifier::local};
    case DeclarationKind::axis: return {axis};
    case DeclarationKind::grid: return {grid, Modifier::local};
    case DeclarationKind::level: return {enum_member};
    case DeclarationKind::field: return {property};
    case DeclarationKind::signal: return {event};
    case DeclarationKind::operation: return {event, Modifier::local};
    case DeclarationKind::varied: return {parameter, Modifier::local};
    case DeclarationKind::shown: return {output, Modifier::local};
    case DeclarationKind::import: return {namespace_};
  }
  return {variable};
}

// The classes of names, by where they stand.
std::unordered_map<std::uint32_t, Class> classes_of_names(const View& view) {
  std::unordered_map<std::uint32_t, Class> found;
  const Analysis& analysis = view.analysis;
  for (const Occurrence& one : analysis.occurrences(analysis.file())) {
    const Declaration* declared = analysis.declaration(one.declared);
    if (!declared) continue;
    Class c = class_of(*declared);
    if (analysis.declaration(one.place)) c.modifiers |= Modifier::declaration;
    const Module* module = one.declared.file == analysis.file() ? nullptr : analysis.module_of(one.declared.file);
    if (module && is_of_library(*module)) c.modifiers |= Modifier::default_library;
    found.insert_or_assign(one.place.begin, c);
  }
  return found;
}

bool is_type_word(std::string_view word) {
  constexpr std::string_view words[] = {"int",   "real", "bool", "string", "order", "corner",
                                        "level", "axis", "time", "data",   "work"};
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// Words that have a meaning only in certain places: where they are no names, they are taken for that. Some are not in
// the grammar.
bool is_contextual_word(std::string_view word) {
  constexpr std::string_view others[] = {"compute", "default", "hold", "rank", "release"};
  return frontend::has_meaning_in_its_place(word) || std::ranges::find(others, word) != std::end(others);
}

class Classifier {
 public:
  explicit Classifier(const View& view) : names_(classes_of_names(view)) {}

  std::optional<Class> operator()(const Token& token) {
    const std::optional<Class> found = classify(token);
    // A unit goes on after `/`, `*` and `^`, without blanks.
    const bool joins = is_in_unit_ && (token.is("/") || token.is("*") || token.is("^") ||
                                       (token.kind == TokenKind::integer && before_.is("^")));
    is_in_unit_ = (found && found->type == TokenClass::unit) || joins;
    before_ = token;
    return found;
  }

 private:
  using enum TokenClass;

  std::optional<Class> classify(const Token& token) const {
    switch (token.kind) {
      case TokenKind::identifier: return word(token);
      case TokenKind::keyword: return keyword_at(token);
      case TokenKind::integer:
      case TokenKind::decimal:
      case TokenKind::quantity: return Class{number};
      case TokenKind::string:
      case TokenKind::unclosed_string: return Class{string};
      case TokenKind::comment: return Class{comment};
      case TokenKind::documentation: return Class{comment, Modifier::documentation};
      case TokenKind::symbol:
      case TokenKind::foreign:
      case TokenKind::foreign_word:
      case TokenKind::unknown:
      case TokenKind::end: return std::nullopt;
    }
    return std::nullopt;
  }

  // `override` and the like; after a dot any word is a name.
  std::optional<Class> keyword_at(const Token& token) const {
    if (const auto name = names_.find(token.begin); name != names_.end()) return name->second;
    return Class{keyword};
  }

  std::optional<Class> word(const Token& token) const {
    if (is_unit(token)) return Class{unit};
    if (const auto name = names_.find(token.begin); name != names_.end()) return name->second;
    if (before_.is(".")) return Class{property};
    if (is_type_word(token.text)) return Class{type, Modifier::default_library};
    if (is_contextual_word(token.text)) return Class{keyword};
    if (find_function(token.text)) return Class{function, Modifier::default_library};
    return std::nullopt;
  }

  bool is_unit(const Token& token) const {
    if (!find_unit(token.text)) return false;
    const bool after_number = (before_.kind == TokenKind::integer || before_.kind == TokenKind::decimal) &&
                              !token.starts_line && !is_in_unit_;
    const bool goes_on = is_in_unit_ && before_.end == token.begin;
    return after_number || goes_on || (before_.is("in") && !names_.count(token.begin));
  }

  std::unordered_map<std::uint32_t, Class> names_;
  Token before_;
  bool is_in_unit_ = false;
};

}  // namespace

const std::vector<std::string>& token_types() {
  static const std::vector<std::string> all{"namespace", "type",      "interface", "class",    "struct",     "function",
                                            "method",    "parameter", "variable",  "property", "enumMember", "event",
                                            "keyword",   "comment",   "string",    "number",   "operator",   "unit",
                                            "axis",      "grid",      "output"};
  return all;
}

const std::vector<std::string>& token_modifiers() {
  static const std::vector<std::string> all{"declaration", "readonly", "documentation", "defaultLibrary", "local"};
  return all;
}

// Five numbers a token: lines and characters after the one before, length, type, modifiers.
Json semantic_tokens(const View& view, std::uint32_t begin, std::uint32_t end) {
  const Lexed lexed = lex(view.analysis.text());
  std::vector<std::pair<Token, Class>> found;
  Classifier classify(view);
  for (const Token& token : lexed.tokens) {
    if (const auto c = classify(token)) found.emplace_back(token, *c);
  }
  for (const Token& token : lexed.comments) {
    if (const auto c = classify(token)) found.emplace_back(token, *c);
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first.begin < b.first.begin; });
  Json data = Json::array();
  Position before;
  for (const auto& [token, c] : found) {
    if (token.end <= begin || token.begin >= end) continue;
    const Position at = view.lines.position(token.begin);
    const Position past = view.lines.position(std::min(token.end, view.lines.line_end(at.line)));
    const std::uint32_t column = at.line == before.line ? at.character - before.character : at.character;
    for (const std::uint32_t value : {at.line - before.line, column, past.character - at.character,
                                      static_cast<std::uint32_t>(c.type), static_cast<std::uint32_t>(c.modifiers)})
      data.push_back(value);
    before = at;
  }
  return {{"data", std::move(data)}};
}

}  // namespace wave::editors
