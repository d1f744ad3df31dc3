// See documentation.h.
#include "frontend/parse/documentation.h"

#include <algorithm>

namespace wave::frontend {

namespace {

void collect(std::vector<std::unique_ptr<Item>>& items, std::vector<Item*>& all) {
  const auto members = [&](auto& node) {
    if constexpr (requires { node.members; }) collect(node.members, all);
  };
  for (const auto& item : items) {
    all.push_back(item.get());
    std::visit(members, item->node);
  }
}

void append(std::string& documentation, const Token& comment) {
  std::string_view text = comment.text.substr(3);
  if (!text.empty() && text[0] == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  if (!documentation.empty()) documentation += '\n';
  documentation += text;
}

// What a comment on its own line documents: the declaration that begins with the next token.
std::string* target_after(Module& module, const std::vector<Item*>& items, const std::vector<Token>& tokens,
                          const Token& comment) {
  const auto later = [](std::uint32_t offset, const Token& token) { return offset < token.begin; };
  const auto next = std::upper_bound(tokens.begin(), tokens.end(), comment.begin, later);
  const auto begins_here = [&](const Item* item) { return item->place.begin == next->begin; };
  const auto found = std::find_if(items.begin(), items.end(), begins_here);
  const bool at_head = next == tokens.begin();
  if (at_head && next->is("wave")) return &module.doc;
  if (found == items.end()) return nullptr;
  const bool is_import = std::holds_alternative<item::Import>((*found)->node);
  if (!is_import) return &(*found)->doc;
  return *found == items.front() ? &module.doc : nullptr;
}

// What a comment at the end of a line documents: the declaration begun last.
std::string* target_before(const std::vector<Item*>& items, const Token& comment) {
  std::string* result = nullptr;
  for (Item* item : items) {
    if (item->place.begin < comment.begin && !std::holds_alternative<item::Import>(item->node)) result = &item->doc;
  }
  return result;
}

}  // namespace

void attach_documentation(Module& module, const Lexed& lexed, Preparation& preparation) {
  std::vector<Item*> items;
  collect(module.items, items);
  const bool has_errors = preparation.diagnostics.has_errors();
  for (const Token& comment : lexed.comments) {
    if (comment.kind != TokenKind::documentation) continue;
    std::string* target =
        comment.starts_line ? target_after(module, items, lexed.tokens, comment) : target_before(items, comment);
    if (target != nullptr) {
      append(*target, comment);
    } else if (!has_errors) {  // the declaration may be one that was not understood
      preparation
          .report(DiagnosticKind::orphan_documentation, comment, "this documentation documents nothing",
                  comment.starts_line ? "no declaration begins after it" : "no declaration stands before it")
          .help.emplace_back(
              "`///` documents the declaration after it, or at the end of a line the one begun last; `//` begins a "
              "plain comment");
    }
  }
}

}  // namespace wave::frontend
