// Text to tree, by way of tokens, ANTLR's parser and the builder of our tree.
#include "frontend/parse/parser.h"

#include "frontend/parse/syntax_errors.h"
#include "frontend/parse/tokens.h"
#include "frontend/parse/tree_builder.h"
#include "frontend/source/patience.h"
#include "frontend/source/sources.h"

namespace wave::frontend {
namespace {

using Grammar = grammar::WaveParser;

// ANTLR's tokens, with byte offsets for indices.
std::vector<std::unique_ptr<antlr4::Token>> antlr_tokens(const std::vector<Token>& tokens) {
  std::vector<std::unique_ptr<antlr4::Token>> result;
  result.reserve(tokens.size());
  for (const Token& token : tokens) {
    auto made = std::make_unique<antlr4::CommonToken>(token.kind == TokenKind::end ? end_of_tokens : token.type);
    made->setStartIndex(token.begin);
    made->setStopIndex(static_cast<std::size_t>(token.end) - 1);
    made->setText(std::string(token.text));
    result.push_back(std::move(made));
  }
  return result;
}

// The parser passes over every token by this, also where it only looks ahead.
class TokenStream : public antlr4::CommonTokenStream {
 public:
  using antlr4::CommonTokenStream::CommonTokenStream;
  void consume() override {
    Patience::ask();
    antlr4::CommonTokenStream::consume();
  }
};

// ANTLR's parser on prepared tokens, with what it points into.
class Run {
 public:
  explicit Run(const std::vector<Token>& tokens) : source_(antlr_tokens(tokens)), stream_(&source_), parser_(&stream_) {
    parser_.removeErrorListeners();
  }

  bool accepts_expression() {
    parser_.setErrorHandler(std::make_shared<antlr4::BailErrorStrategy>());
    try {
      parser_.lone_expression();
    } catch (const antlr4::ParseCancellationException&) {
      return false;
    }
    return true;
  }

  // The tree of a start rule. SLL with a bail-out comes first, because it is several times faster. Only if that fails,
  // LL and its error messages follow.
  template <class Start>
  auto* parse(Start start, const std::vector<Token>& tokens, Preparation& preparation) {
    auto* simulator = parser_.getInterpreter<antlr4::atn::ParserATNSimulator>();
    simulator->setPredictionMode(antlr4::atn::PredictionMode::SLL);
    parser_.setErrorHandler(std::make_shared<antlr4::BailErrorStrategy>());
    try {
      return start(parser_);
    } catch (const antlr4::ParseCancellationException&) {
      simulator->setPredictionMode(antlr4::atn::PredictionMode::LL);
      parser_.reset();
      parser_.setErrorHandler(std::make_shared<UnitRecovery>(tokens, preparation));
      return start(parser_);
    }
  }

 private:
  antlr4::ListTokenSource source_;
  TokenStream stream_;
  Grammar parser_;
};

// The tokens, ready to be parsed. Nothing if there is no point in parsing.
std::optional<Lexed> read_tokens(const Sources& sources, std::uint32_t file, const ParseLimits& limits,
                                 Preparation& preparation) {
  const std::string_view text = sources.text(file);
  if (text.size() > limits.bytes) {
    preparation.diagnostics
        .add(DiagnosticKind::file_too_large, {file, 0, 0},
             "this file has " + std::to_string(text.size()) + " bytes, more than " + std::to_string(limits.bytes))
        .help.emplace_back("put data into a CSV file that a `table` names, and split the program into modules");
    return std::nullopt;
  }
  if (!check_text(sources, file, preparation.diagnostics)) return std::nullopt;
  Lexed lexed = lex(text);
  join_units(lexed.tokens);
  mend_characters(lexed.tokens, preparation);
  if (!check_depth(lexed.tokens, limits, preparation)) return std::nullopt;
  balance_brackets(lexed.tokens, preparation);
  imply_separators(lexed.tokens);
  return lexed;
}

// The declaration, without members of its own, around a location or in front of it on its line; the location itself if
// there is none.
Location declaration_around(const std::vector<std::unique_ptr<Item>>& items, Location location, std::string_view text) {
  const auto after =
      std::ranges::upper_bound(items, location.begin, {}, [](const auto& item) { return item->location.begin; });
  if (after == items.begin()) return location;
  const Item& item = **(after - 1);
  const Location whole = item.location;
  const bool is_around = location.end <= whole.end;
  const bool is_in_front = whole.end <= location.begin &&
                           text.substr(whole.end, location.begin - whole.end).find('\n') == std::string_view::npos;
  const auto look = [&](const auto& node) -> Location {
    if constexpr (requires { node.members; }) {
      if (is_around) return declaration_around(node.members, location, text);
    } else if (is_around || is_in_front) {
      return cover(whole, location);
    }
    return location;
  };
  return std::visit(look, item.node);
}

// The stretches, which grow, with those that overlap joined.
void add_stretch(std::vector<Location>& all, Location next) {
  if (!all.empty() && next.begin < all.back().end && all.back().begin < next.end)
    all.back() = cover(all.back(), next);
  else
    all.push_back(next);
}

// Parses a text that is no module. Nothing, with diagnostics, after any error.
template <class Start, class Build>
auto parse_alone(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics, const ParseLimits& limits,
                 Start start, Build build)
    -> std::optional<decltype(build(std::declval<TreeBuilder&>(), start(std::declval<Grammar&>())))> {
  Preparation preparation{file, sources.text(file), diagnostics, false};
  const std::size_t before = diagnostics.all().size();
  const std::optional<Lexed> lexed = read_tokens(sources, file, limits, preparation);
  if (!lexed) return std::nullopt;
  Run run(lexed->tokens);
  auto* context = run.parse(start, lexed->tokens, preparation);
  if (diagnostics.all().size() != before) return std::nullopt;
  TreeBuilder tree(sources, file, diagnostics);
  auto result = build(tree, context);
  if (diagnostics.all().size() != before) return std::nullopt;
  return result;
}

}  // namespace

bool are_expression(const std::vector<Token>& tokens) { return Run(tokens).accepts_expression(); }

std::unique_ptr<Module> parse_module(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics,
                                     const ParseLimits& limits) {
  Preparation preparation{file, sources.text(file), diagnostics};
  const std::optional<Lexed> lexed = read_tokens(sources, file, limits, preparation);
  if (!lexed) {
    auto result = std::make_unique<Module>();
    result->file = file;
    return result;
  }
  Run run(lexed->tokens);
  auto* context = run.parse([](Grammar& parser) { return parser.module(); }, lexed->tokens, preparation);
  auto result = TreeBuilder(sources, file, diagnostics).module(context);
  for (const Location& location : preparation.reported)
    add_stretch(result->broken, declaration_around(result->items, location, preparation.text));
  attach_documentation(*result, *lexed, preparation);
  warn_of_divisions(*result, *lexed, preparation);
  return result;
}

ExprPtr parse_expression(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics,
                         const ParseLimits& limits) {
  auto result = parse_alone(
      sources, file, diagnostics, limits, [](Grammar& parser) { return parser.lone_expression(); },
      [](TreeBuilder& tree, auto* context) { return tree.expression(context->expression()); });
  return result ? std::move(*result) : nullptr;
}

std::optional<item::Study::Vary> parse_vary(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics,
                                            const ParseLimits& limits) {
  return parse_alone(
      sources, file, diagnostics, limits, [](Grammar& parser) { return parser.lone_vary(); },
      [](TreeBuilder& tree, auto* context) { return tree.vary(context->path(), context->expression()); });
}

std::optional<std::vector<item::Study::Show>> parse_show(const Sources& sources, std::uint32_t file,
                                                         Diagnostics& diagnostics, const ParseLimits& limits) {
  return parse_alone(
      sources, file, diagnostics, limits, [](Grammar& parser) { return parser.lone_show(); },
      [](TreeBuilder& tree, auto* context) {
        std::vector<item::Study::Show> result;
        for (auto* shown : context->shown()) result.push_back(tree.show(shown));
        return result;
      });
}

}  // namespace wave::frontend
