// Comments: what `///` documents, and which `//` look like divisions.
#include "frontend/ast/walk.h"
#include "frontend/parse/tokens.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

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

// What a comment on its own line documents, which is the declaration that begins with the next token.
std::string* target_after(Module& module, const std::vector<Item*>& items, const std::vector<Token>& tokens,
                          const Token& comment) {
  const auto later = [](std::uint32_t offset, const Token& token) { return offset < token.begin; };
  const auto next = std::upper_bound(tokens.begin(), tokens.end(), comment.begin, later);
  const auto begins_here = [&](const Item* item) { return item->location.begin == next->begin; };
  const auto found = std::find_if(items.begin(), items.end(), begins_here);
  const bool at_head = next == tokens.begin();
  if (at_head && next->is("wave")) return &module.doc;
  if (found == items.end()) return nullptr;
  const bool is_import = std::holds_alternative<item::Import>((*found)->node);
  if (!is_import) return &(*found)->doc;
  return *found == items.front() ? &module.doc : nullptr;
}

// What a comment at the end of a line documents, which is the declaration begun last.
std::string* target_before(const std::vector<Item*>& items, const Token& comment) {
  std::string* result = nullptr;
  for (Item* item : items) {
    if (item->location.begin < comment.begin && !std::holds_alternative<item::Import>(item->node)) result = &item->doc;
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

// --- comments that look like divisions ---

namespace {

using Names = std::set<std::string_view>;

// Names that have a value: those before `:`, `=` and `in`, functions and recurrences, and parameters without a type.
Names declared_names(const std::vector<Token>& tokens) {
  constexpr std::array<std::string_view, 5> parts_of_a_type{":", "/", "*", "|", "."};
  Names names;
  std::size_t parameters = 0;  // how many brackets are open since those of a `fn`
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (opens(token) && (parameters > 0 || tokens[i - (i > 1 ? 2 : 1)].is("fn"))) ++parameters;
    if (closes(token) && parameters > 0) --parameters;
    if (token.kind != TokenKind::identifier) continue;
    const Token &before = tokens[i - 1], &after = tokens[i + 1];
    const bool given = (after.is(":") || after.is("=") || after.is("in")) && !is_any(before, parts_of_a_type);
    const bool called = before.is("fn") || before.is("rec");
    const bool untyped = parameters == 1 && (before.is("(") || before.is(",")) && (after.is(",") || after.is(")"));
    if (given || called || untyped) names.insert(token.text);
  }
  return names;
}

// The largest expression of the module that ends where this token does, or null: a type may end there, too.
class Ends {
 public:
  Ends(const Module& module, const Token& token) : end_(token.end) { all(module.items); }
  const Expr* found() const { return found_; }

 private:
  void all(const std::vector<std::unique_ptr<Item>>& items) {
    const ExprVisitor visit = [&](const Expr& e) { look(e); };
    for (const auto& item : items) {
      if (end_ < item->location.begin || end_ > item->location.end) continue;
      for_each_expression(*item, visit);
      std::visit(
          [&](const auto& node) {
            if constexpr (requires { node.members; }) all(node.members);
          },
          item->node);
    }
  }
  void look(const Expr& e) {
    if (!found_ && e.location.end == end_) found_ = &e;
    if (!found_ && e.location.begin < end_ && end_ < e.location.end)
      for_each_child(e, [&](const Expr& child) { look(child); });
  }

  std::uint32_t end_;
  const Expr* found_ = nullptr;
};

bool has_names(const Expr& e) {
  bool found = std::holds_alternative<expr::Name>(e.node);
  for_each_child(e, [&](const Expr& child) { found = found || has_names(child); });
  return found;
}

// Besides names, what arithmetic is made of.
bool is_arithmetic(const Token& token) {
  constexpr std::array<std::string_view, 13> words{"+", "-", "*", "/", "^", "div", "mod", "(", ")", "[", "]", ".", ","};
  const bool is_number = token.kind == TokenKind::integer || token.kind == TokenKind::decimal;
  return is_number || is_any(token, words);
}

// Without what begins with a bracket that closes one in front of the comment. Whether there is such a bracket.
bool cut_at_closer(std::vector<Token>& tokens) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (opens(tokens[i])) ++depth;
    if (!closes(tokens[i]) || depth-- > 0) continue;
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i), tokens.end() - 1);
    return true;
  }
  return false;
}

// Whether dividing by it may be meant. A comment that is set apart by two blanks is one, as `wave fmt` writes it.
// Numbers behind numbers alone say what these give, and a quantity is not divided by numbers like that.
bool may_divide(const Expr& divided, const Token& last, const Token& comment, const std::vector<Token>& divisor) {
  const bool is_apart = comment.begin > last.end + 1 || divisor.front().begin > 1;
  const bool is_named =
      std::ranges::any_of(divisor, [](const Token& token) { return token.kind == TokenKind::identifier; });
  return !is_apart && !(!is_named && (last.kind == TokenKind::quantity || !has_names(divided)));
}

// Whether the tokens of a comment, with the end behind them, may be a divisor.
bool is_divisor(const std::vector<Token>& tokens, const Names& names) {
  if (tokens.size() < 2) return false;
  if (tokens.size() == 2 && tokens[0].kind == TokenKind::integer) return true;
  constexpr std::array<std::string_view, 3> points_or_references{"-", "+", "["};
  if (is_any(tokens[0], points_or_references)) return false;
  constexpr std::array<std::string_view, 6> operators{"-", "+", "*", "/", "div", "mod"};
  bool computes = false;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool is_member = i > 0 && tokens[i - 1].is(".");
    const bool is_known = tokens[i].kind == TokenKind::identifier && (is_member || names.count(tokens[i].text) > 0);
    if (!is_known && !is_arithmetic(tokens[i])) return false;
    // Without blanks, `3-4` is a range, and `1/2` a number.
    const bool is_apart = i > 0 && tokens[i].begin > tokens[i - 1].end;
    computes = computes || is_known || (is_apart && is_any(tokens[i], operators));
  }
  return computes && are_expression(tokens);
}

}  // namespace

void warn_of_divisions(const Module& module, const Lexed& lexed, Preparation& preparation) {
  constexpr std::size_t longest = 100;  // nobody divides by more
  std::optional<Names> names;
  for (const Token& comment : lexed.comments) {
    if (comment.kind != TokenKind::comment || comment.starts_line || comment.text.size() > longest) continue;
    const auto later = [](std::uint32_t offset, const Token& token) { return offset < token.begin; };
    const auto next = std::upper_bound(lexed.tokens.begin(), lexed.tokens.end(), comment.begin, later);
    if (next == lexed.tokens.begin() || !ends_operand(*(next - 1))) continue;
    std::vector<Token> tokens = lex(comment.text.substr(2)).tokens;
    join_units(tokens);
    const bool takes_closer = cut_at_closer(tokens);
    if (!names) names = declared_names(lexed.tokens);
    if (!is_divisor(tokens, *names)) continue;
    const Expr* const divided = Ends(module, *(next - 1)).found();
    if (!divided || (!takes_closer && !may_divide(*divided, *(next - 1), comment, tokens))) continue;
    const std::uint32_t begin = tokens.front().begin, end = tokens[tokens.size() - 2].end;
    const std::string divisor(comment.text.substr(2 + begin, end - begin));
    Diagnostic& report = preparation.report(DiagnosticKind::comment_for_division, comment,
                                            "`//` begins a comment: nothing is divided by `" + divisor + "`",
                                            "not part of the expression");
    report.severity = Severity::warning;
    report.help.emplace_back("`a div b` is the whole part of `a / b`, and `a / b` the real number");
    report.fixes.push_back({preparation.location(comment), "div " + std::string(comment.text.substr(2 + begin))});
    report.help.emplace_back(
        "a comment that is meant stands behind two blanks or on a line of its own, or has more words");
  }
}

}  // namespace wave::frontend
