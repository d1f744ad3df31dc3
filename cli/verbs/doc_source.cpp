// The text of a module as a page, of which words, numbers and comments look different, and names lead to what they
// mean.
#include "cli/verbs/doc.h"
#include "frontend/parse/tokens.h"

#include <algorithm>

namespace wave::cli {
namespace {

using analysis::pictures::element::Listing;
using frontend::Token;
using frontend::TokenKind;

const char* kind_of(const Token& token) {
  switch (token.kind) {
    case TokenKind::keyword: return "keyword";
    case TokenKind::comment:
    case TokenKind::documentation: return "comment";
    case TokenKind::string: return "string";
    case TokenKind::integer:
    case TokenKind::decimal:
    case TokenKind::quantity: return "number";
    default: return "";
  }
}

std::vector<Token> tokens_and_comments(std::string_view text) {
  frontend::Lexed lexed = frontend::lex(text);
  std::vector<Token> tokens = std::move(lexed.tokens);
  tokens.insert(tokens.end(), lexed.comments.begin(), lexed.comments.end());
  std::sort(tokens.begin(), tokens.end(), [](const Token& a, const Token& b) { return a.begin < b.begin; });
  return tokens;
}

// The lines of a text, which is added piece by piece.
class Lines {
 public:
  void add(std::string_view text, const std::string& kind, const std::string& address) {
    while (true) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      if (end > 0) all_.back().push_back({std::string(text.substr(0, end)), kind, address});
      if (end == text.size()) return;
      all_.emplace_back();
      text.remove_prefix(end + 1);
    }
  }
  std::vector<std::vector<Listing::Piece>> result() && {
    if (all_.back().empty() && all_.size() > 1) all_.pop_back();
    return std::move(all_);
  }

 private:
  std::vector<std::vector<Listing::Piece>> all_{1};
};

}  // namespace

std::string coloured(std::string_view text) {
  using analysis::pictures::escaped;
  std::string html;
  std::uint32_t at = 0;
  for (const Token& token : tokens_and_comments(text)) {
    const std::string kind = kind_of(token);
    if (token.begin < at || token.end == token.begin || kind.empty()) continue;
    html += escaped(text.substr(at, token.begin - at));
    html += "<span class=\"" + kind + "\">" + escaped(text.substr(token.begin, token.end - token.begin)) + "</span>";
    at = token.end;
  }
  return html + escaped(text.substr(at));
}

analysis::pictures::Page source_page(const frontend::Program& program, const frontend::Module& module,
                                     const SitePlaces& places) {
  const std::string_view text = program.sources.text(module.file);
  const auto& uses = program.uses.of(module.file);
  const std::vector<Token> tokens = tokens_and_comments(text);
  Lines lines;
  std::uint32_t at = 0;
  for (const Token& token : tokens) {
    if (token.begin < at || token.end == token.begin) continue;
    lines.add(text.substr(at, token.begin - at), "", "");
    const auto use = uses.find(token.begin);
    const std::string place = use == uses.end() ? "" : places.of(program.sources, use->second.declared);
    lines.add(text.substr(token.begin, token.end - token.begin), kind_of(token), place.empty() ? "" : "../" + place);
    at = token.end;
  }
  lines.add(text.substr(at), "", "");
  analysis::pictures::Page page{places.name(module), "Source", "", {}};
  page.sections.push_back({"Text", {Listing{std::move(lines).result()}}});
  return page;
}

}  // namespace wave::cli
