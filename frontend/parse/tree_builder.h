// Builds our tree (ast.h) from ANTLR's parse tree, in layers: locations and texts, types as written, expressions,
// statements, declarations. Each layer uses those below it.
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
  Location location(const antlr4::Token* token) const;
  Location location(Node* node) const { return location(node->getSymbol()); }
  Location location(const Rule* context) const;
  std::string text(Location where) const { return std::string(sources_.text(where)); }
  Diagnostic& report(DiagnosticKind kind, Location where, std::string message, std::string label = {}) {
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

// Expressions, and blocks of flop counts. After syntax errors the parse tree has holes. What is missing becomes an
// expression or a name with an empty text, about which later stages report nothing.
class ExpressionBuilder : public TypeBuilder {
 public:
  using TypeBuilder::TypeBuilder;

  ExprPtr expression(Grammar::ExpressionContext* context);

 protected:
  template <class Kind>
  ExprPtr make(Location where, Kind node) const;
  ExprPtr missing(Location where) const;
  ExprPtr uncertain(Grammar::UncertainContext* context);
  std::vector<Argument> arguments(Grammar::ArgumentsContext* context);
  std::vector<Binder> binders(const std::vector<Grammar::BinderContext*>& contexts);
  std::vector<ExprPtr> expressions(const std::vector<Grammar::ExpressionContext*>& contexts);
  // Null if the clause is absent.
  ExprPtr optional(Grammar::ExpressionContext* context) { return context != nullptr ? expression(context) : nullptr; }
  LocalLet local_let(Grammar::Local_letContext* context);
  // `for a in xs if p, b in ys { ... }` is a loop inside a loop, and a filter a condition around what it leaves.
  statement::For loops(std::vector<Binder> binders, std::uint32_t end, Block body) const;
  std::optional<Unit> unit(Grammar::UnitContext* context);

 private:
  ExprPtr binary(BinaryOperator op, Location op_location, ExprPtr left, ExprPtr right) const;
  ExprPtr disjunction(Grammar::DisjunctionContext* context);
  ExprPtr conjunction(Grammar::ConjunctionContext* context);
  ExprPtr negation(Grammar::NegationContext* context);
  ExprPtr comparison(Grammar::ComparisonContext* context);
  ExprPtr range(Grammar::RangeContext* context);
  ExprPtr sum(Grammar::SumContext* context);
  ExprPtr product(Grammar::ProductContext* context);
  ExprPtr factor(Grammar::FactorContext* context);
  ExprPtr conversion(Grammar::ConversionContext* context);
  ExprPtr power(Grammar::PowerContext* context);
  ExprPtr postfix(Grammar::PostfixContext* context);
  ExprPtr suffix(ExprPtr object, Grammar::SuffixContext* context);
  ExprPtr reduction(ExprPtr callee, Grammar::ReductionContext* context, Location where);
  Binder binder(Grammar::BinderContext* context);
  ExprPtr primary(Grammar::PrimaryContext* context);
  ExprPtr literal(Node* node);
  ExprPtr number(Location where);
  ExprPtr list(Grammar::ListContext* context);
  ExprPtr when(Grammar::PrimaryContext* context);
  ExprPtr table_literal(Grammar::PrimaryContext* context);
  template <class Table>
  void read_between(Grammar::BetweenContext* context, Table& table);
  ExprPtr table_file(Grammar::PrimaryContext* context);
  Identifier column(Grammar::ColumnContext* context);

  // Blocks whose operations are counted.
  Block flops(Grammar::Flops_blockContext* context);
  std::unique_ptr<Statement> flops_statement(Grammar::Flops_statementContext* context);
  statement::If flops_condition(Grammar::Flops_conditionContext* context);
  std::unique_ptr<Statement> assignment(Grammar::Flops_assignmentContext* context);
  Block flops_branch(Grammar::Flops_blockContext* block, Grammar::Flops_assignmentContext* single);

  bool in_flops_ = false;
};

template <class Kind>
ExprPtr ExpressionBuilder::make(Location where, Kind node) const {
  auto result = std::make_unique<Expr>();
  result->location = where;
  result->node = std::move(node);
  return result;
}

// Statements of processes and protocols.
class StatementBuilder : public ExpressionBuilder {
 public:
  using ExpressionBuilder::ExpressionBuilder;

 protected:
  enum class BlockKind { process, protocol };

  Block block(Grammar::BlockContext* context, BlockKind kind);

 private:
  std::unique_ptr<Statement> statement(Grammar::StatementContext* context, BlockKind kind);
  decltype(Statement::node) nested(Grammar::StatementContext* context, BlockKind kind);
  decltype(Statement::node) simple(Grammar::StatementContext* context, BlockKind kind);
  decltype(Statement::node) called(Grammar::CallContext* context, BlockKind kind);
  decltype(Statement::node) arrival(Grammar::StatementContext* context);
  statement::Use use(Grammar::UsedContext* context, Grammar::ExpressionContext* occupied);
  std::vector<statement::Use> uses(const std::vector<Grammar::ViaContext*>& contexts);
  void check_place(Grammar::StatementContext* context, BlockKind kind);
  statement::Message message(Grammar::MessageContext* context);
  statement::Task task(Grammar::TaskContext* context, BlockKind kind);
  void exchange(Grammar::ExchangeContext* context, Block& into);
  Neighbourhood peer(Grammar::PeerContext* context);
  statement::Sweep sweep(Grammar::StatementContext* context, BlockKind kind);
  statement::If condition(Grammar::ConditionContext* context, BlockKind kind);
  statement::Call call(Grammar::CallContext* context);
};

// Declarations and whole modules.
class TreeBuilder : public StatementBuilder {
 public:
  using StatementBuilder::StatementBuilder;

  std::unique_ptr<Module> module(Grammar::ModuleContext* context);
  item::Study::Vary vary(Grammar::PathContext* path, Grammar::ExpressionContext* values);
  item::Study::Show show(Grammar::ShownContext* context);

 private:
  // The place of a declaration decides whether it is allowed.
  enum class Owner { module, interface, machine, model };

  std::vector<std::unique_ptr<Item>> items(Grammar::ItemsContext* context, Owner owner);
  // An interface, a machine or a model with its members.
  template <class Node>
  Node with_members(Node node, Grammar::ItemsContext* context, Owner owner) {
    node.members = items(context, owner);
    for (const auto& member : node.members) node.by_name[member->name.text].push_back(member.get());
    return node;
  }
  std::unique_ptr<Item> item(Grammar::ItemContext* context, Owner owner);
  void check_place(const Item& item, Owner owner);
  // Gives `item` its name and node. False if there is no name to declare.
  bool fill(Item& item, Rule* context);
  bool fill_named(Item& item, Rule* context);
  bool fill_override(Item& item, Grammar::Override_itemContext* context);
  item::Import import(Grammar::Import_itemContext* context);
  item::Param param(Grammar::Param_itemContext* context);
  item::Let let(Grammar::Let_itemContext* context);
  item::Function function(Grammar::Function_itemContext* context);
  item::Record record(Grammar::Record_itemContext* context);
  // A protocol that lacks an end stands for anything.
  decltype(Item::node) protocol(Grammar::Protocol_itemContext* context);
  item::Resource resource(Grammar::Resource_itemContext* context);
  item::Collective collective(Grammar::Collective_itemContext* context);
  item::Machine machine(Grammar::Machine_itemContext* context);
  item::Grid grid(Grammar::Grid_itemContext* context);
  item::Recurrence recurrence(Grammar::Recurrence_itemContext* context);
  item::Process process(Grammar::Process_itemContext* context);
  item::Procedure procedure(Grammar::Procedure_itemContext* context);
  item::Output output(Grammar::Output_itemContext* context);
  item::Study study(Grammar::Study_itemContext* context);
  void study_clause(item::Study& study, Grammar::Study_clauseContext* context);
  item::Test test(Grammar::Test_itemContext* context);
  ExprPtr body(Grammar::BodyContext* context, std::vector<LocalLet>& lets, Location where);
  std::vector<Parameter> parameters(Grammar::ParametersContext* context);
  std::vector<std::pair<Identifier, ExprPtr>> axes(Grammar::AxesContext* context);
};

}  // namespace wave::frontend
