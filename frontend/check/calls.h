// Calls: functions, records, machines and models, tables, and the functions of the language. Arguments are matched to
// parameters by place and by name.
#pragma once

#include "frontend/check/functions.h"

#include <string>
#include <vector>

namespace wave::frontend::check {

class Calls {
 public:
  explicit Calls(const Parts& parts)
      : context_(parts.context),
        reports_(parts.reports),
        dependences_(parts.dependences),
        names_(parts.names),
        types_(parts.types),
        expressions_(parts.expressions),
        references_(parts.references),
        functions_(parts.functions),
        declarations_(parts.declarations) {}

  TypeRef check_call(Expr& e, expr::Call& call, const TypeRef& expected);
  TypeRef call_signature(Expr& e, std::vector<Argument>& arguments, const Signature& signature);
  void check_arguments_blindly(std::vector<Argument>& arguments);
  // A corner, or a list of them, as far as they are written out: one sign for each axis of the grid.
  void check_corner(const Expr& e, std::size_t axes);

 private:
  TypeRef check_item_call(Expr& e, expr::Call& call, const Item& item);
  TypeRef check_member_call(Expr& e, expr::Call& call, expr::Member& node);
  TypeRef check_value_call(Expr& e, expr::Call& call, const TypeRef& type);
  TypeRef check_table_call(Expr& e, expr::Call& call, const types::Table& table);
  TypeRef check_output_call(Expr& e, expr::Call& call, const Item& output);
  TypeRef check_construction(Expr& e, expr::Call& call, const Item& record);
  TypeRef check_instance(Expr& e, expr::Call& call, const Item& declaration, const types::Machine* required,
                         bool again);
  std::vector<Expr*> match_arguments(Place call, std::vector<Argument>& arguments, const Signature& signature);
  void require_names(const std::vector<Argument>& arguments, const Signature& signature);
  Given check_untyped(Expr& argument);

  // --- builtins.cpp ---
  TypeRef check_builtin(Expr& e, const LanguageFunction& function, std::vector<Argument>& arguments,
                        const TypeRef& expected);
  bool check_argument_count(Expr& e, const LanguageFunction& function, std::vector<Argument>& arguments);
  TypeRef check_function_of_list(Expr& e, ReduceOperator op, std::vector<Argument>& arguments, const TypeRef& expected);
  TypeRef check_function_of_number(ir::UnaryOp op, Expr& argument);
  TypeRef check_root(Expr& argument, int degree);
  TypeRef check_extreme(Expr& e, std::vector<Argument>& arguments, const std::string& name, const TypeRef& expected);
  TypeRef check_breakdown(Expr& e, std::vector<Argument>& arguments);
  void check_place(Expr& e);

  // --- orders.cpp ---
  TypeRef check_order(Expr& order);
  TypeRef check_diagonal_fills(Expr& e, std::vector<Argument>& arguments);
  void check_axis_of_fills(Expr& axis, const std::vector<std::string>& axes);
  std::vector<std::vector<std::string>> grids_around() const;

  Context& context_;
  Reports& reports_;
  Dependences& dependences_;
  Names& names_;
  Types& types_;
  Expressions& expressions_;
  References& references_;
  Functions& functions_;
  Declarations& declarations_;
};

}  // namespace wave::frontend::check
