// The nesting of a document: what can be folded, and what a selection grows to.
#include "editors/server/features.h"
#include "frontend/parse/tokens.h"

#include <algorithm>

namespace wave::editors {
namespace {

using namespace frontend;

void add_fold(Json& all, std::uint32_t first, std::uint32_t last, const char* kind) {
  if (last <= first) return;
  Json one = {{"startLine", first}, {"endLine", last}};
  if (kind) one["kind"] = kind;
  all.push_back(std::move(one));
}

void add_brackets(const View& view, const Lexed& lexed, Json& all) {
  std::vector<const Token*> open;
  for (const Token& token : lexed.tokens) {
    if (opens(token)) open.push_back(&token);
    if (!closes(token) || open.empty()) continue;
    // The line of the closing bracket stays.
    const std::uint32_t last = view.lines.line_of(token.begin);
    add_fold(all, view.lines.line_of(open.back()->begin), last == 0 ? 0 : last - 1, nullptr);
    open.pop_back();
  }
}

// Comments on lines of their own, one below the other.
void add_comments(const View& view, const Lexed& lexed, Json& all) {
  std::optional<std::uint32_t> first, last;
  for (const Token& comment : lexed.comments) {
    const std::uint32_t line = view.lines.line_of(comment.begin);
    if (last && comment.starts_line && line == *last + 1) {
      last = line;
      continue;
    }
    if (first) add_fold(all, *first, *last, "comment");
    first = last = comment.starts_line ? std::optional(line) : std::nullopt;
  }
  if (first) add_fold(all, *first, *last, "comment");
}

void add_imports(const View& view, Json& all) {
  std::optional<Location> imports;
  for (const auto& item : view.analysis.main().items) {
    if (!std::holds_alternative<item::Import>(item->node)) break;
    imports = imports ? cover(*imports, item->location) : item->location;
  }
  if (imports) add_fold(all, view.lines.line_of(imports->begin), view.lines.line_of(imports->end), "imports");
}

}  // namespace

Json folding_ranges(const View& view) {
  Json all = Json::array();
  const Lexed lexed = lex(view.analysis.text());
  add_brackets(view, lexed, all);
  add_comments(view, lexed, all);
  add_imports(view, all);
  return all;
}

// From the token at an offset through the expressions and brackets around it to the declaration and the document.
Json selection_ranges(const View& view, const std::vector<std::uint32_t>& offsets) {
  const std::string_view text = view.analysis.text();
  const Lexed lexed = lex(text);
  Json all = Json::array();
  for (const std::uint32_t offset : offsets) {
    const auto size = static_cast<std::uint32_t>(text.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> around{{0, size}};
    const auto add = [&](std::uint32_t begin, std::uint32_t end) {
      if (begin <= offset && offset <= end && begin < end) around.emplace_back(begin, end);
    };
    for_each_item(view.analysis.main(), [&](const Item& item) { add(item.location.begin, item.location.end); });
    for (const Expr* e : expressions_at(view.analysis.main(), offset)) add(e->location.begin, e->location.end);
    std::vector<const Token*> open;
    for (const Token& token : lexed.tokens) {
      if (token.kind != TokenKind::end) add(token.begin, token.end);
      if (opens(token)) open.push_back(&token);
      if (!closes(token) || open.empty()) continue;
      add(open.back()->begin, token.end);
      add(open.back()->end, token.begin);
      open.pop_back();
    }
    // What is inside each other, the largest first.
    std::sort(around.begin(), around.end(), [](auto a, auto b) { return a.second - a.first > b.second - b.first; });
    Json selection;
    std::pair<std::uint32_t, std::uint32_t> outer{0, size + 1};
    for (const auto& [begin, end] : around) {
      if (begin < outer.first || end > outer.second || std::pair(begin, end) == outer) continue;
      Json one = {{"range", view.lines.range(begin, end)}};
      if (!selection.is_null()) one["parent"] = std::move(selection);
      selection = std::move(one);
      outer = {begin, end};
    }
    all.push_back(std::move(selection));
  }
  return all;
}

}  // namespace wave::editors
