// From ANTLR's parse tree to the tree of ast.h: declarations, on top of statements, expressions and types.
#pragma once

#include "frontend/parse/build_statements.h"

namespace wave::frontend {

class TreeBuilder : public StatementBuilder {
 public:
  using StatementBuilder::StatementBuilder;

  std::unique_ptr<Module> module(Grammar::ModuleContext* context);
  item::Study::Vary vary(Grammar::PathContext* path, Grammar::ExpressionContext* values);
  item::Study::Show show(Grammar::ShownContext* context);

 private:
  // Where the members of a declaration stand decides which are allowed.
  enum class Owner { module, interface, machine, model };

  std::vector<std::unique_ptr<Item>> items(Grammar::ItemsContext* context, Owner owner);
  std::unique_ptr<Item> item(Grammar::ItemContext* context, Owner owner);
  void check_place(const Item& item, Owner owner);
  // Gives `item` its name and node. False where there is no name to declare.
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
  ExprPtr body(Grammar::BodyContext* context, std::vector<LocalLet>& lets, Place where);
  std::vector<Parameter> parameters(Grammar::ParametersContext* context);
  std::vector<std::pair<Identifier, ExprPtr>> axes(Grammar::AxesContext* context);
};

}  // namespace wave::frontend
