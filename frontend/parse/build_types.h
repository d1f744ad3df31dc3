// The first layers of what builds our tree from ANTLR's: places and texts, and types as written. Each layer uses those
// below it.
#pragma once

#include "frontend/parse/antlr.h"
#include "frontend/parse/parser.h"

namespace wave::frontend {

class TreeTexts {
 public:
  using Grammar = grammar::WaveParser;
  using Rule = antlr4::ParserRuleContext;
  using Node = antlr4::tree::TerminalNode;

  TreeTexts(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics)
      : sources_(sources), file_(file), diagnostics_(diagnostics) {}

 protected:
  Place place(const antlr4::Token* token) const;
  Place place(Node* node) const { return place(node->getSymbol()); }
  Place place(const Rule* context) const;
  std::string text(Place where) const { return std::string(sources_.text(where)); }
  Diagnostic& report(DiagnosticKind kind, Place where, std::string message, std::string label = {}) {
    return diagnostics_.add(kind, where, std::move(message), std::move(label));
  }
  Identifier identifier(const Rule* context) const;
  Identifier string(Node* node);
  std::vector<Identifier> path(Grammar::PathContext* context) const;
  Identifier joined(Grammar::PathContext* context) const;  // "net.L"
  static bool broken(const Rule* context) { return context == nullptr || context->exception != nullptr; }

  const Sources& sources_;
  const std::uint32_t file_;
  Diagnostics& diagnostics_;
};

class TypeBuilder : public TreeTexts {
 public:
  using TreeTexts::TreeTexts;

 protected:
  TypeExprPtr type(Grammar::TypeContext* context);
  std::vector<std::pair<Identifier, TypeExprPtr>> typed_names(const std::vector<Grammar::Typed_nameContext*>& contexts);

 private:
  type_expr::Power type_power(Grammar::Type_powerContext* context, int sign);
  TypeExprPtr word_type(Grammar::TypeContext* context);
  int exponent(Node* digits, bool negative);
};

}  // namespace wave::frontend
