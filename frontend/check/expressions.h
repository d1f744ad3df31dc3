// The types of expressions. Calls, and what consists of elements, have parts of their own; names and members are in
// names.h.
#pragma once

#include "frontend/check/declarations.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::frontend {
struct CsvHeading;
}

namespace wave::frontend::check {

class Expressions {
 public:
  explicit Expressions(const Parts& parts) : parts_(parts) {}

  // `expected` is a hint; null if nothing is known.
  TypeRef check(Expr& e, const TypeRef& expected = nullptr);
  // Checks, and reports if the value cannot stand for an `expected`.
  TypeRef expect(Expr& e, const TypeRef& expected, const Why& why = {});
  TypeRef require_numeric(Expr& e, const char* what, const TypeRef& expected = nullptr);
  // Checks the `u` of `u[3]`, which may be a series.
  TypeRef check_indexed(Expr& e);
  TypeRef check_comparison(expr::Binary& binary, bool lists_too = false);
  // The common type of several checked expressions. The first that does not agree is reported.
  TypeRef common(const std::vector<Expr*>& operands, const char* what);
  void adopt(Expr& e, const TypeRef& type);  // a literal 0 takes the dimension of what it meets
  void check_output_unit(const Unit& unit, const Expr& value);
  // Whether definitions that use each other have become so many that they could exhaust the stack.
  bool is_too_deep() const;

 private:
  TypeRef check_node(Expr& e, const TypeRef& expected);
  TypeRef check_number(Expr& e, expr::Number& number);
  TypeRef check_uncertain(expr::Uncertain& uncertain);
  TypeRef check_unary(expr::Unary& unary);
  TypeRef check_within(const Expr& e, expr::Within& within);
  TypeRef check_if(expr::If& node, const TypeRef& expected);
  TypeRef check_when(expr::When& node, const TypeRef& expected);
  TypeRef check_flops(expr::Flops& flops);
  void check_flops_block(Block& block);
  void require_countable(const Expr& e);

  // --- operators.cpp ---
  TypeRef check_binary(Expr& e, expr::Binary& binary);
  TypeRef check_sum(expr::Binary& binary);
  TypeRef check_product(Expr& e, expr::Binary& binary);
  TypeRef check_division(expr::Binary& binary);
  TypeRef check_power(Expr& e, expr::Binary& binary);
  void check_sides(expr::Binary& binary);  // either side may be a choice word

  const Parts& parts_;
  Context& context_ = parts_.context;
  Reports& reports_ = parts_.reports;
  Names& names_ = parts_.names;
  Types& types_ = parts_.types;
  Collections& collections_ = parts_.collections;
  References& references_ = parts_.references;
  Calls& calls_ = parts_.calls;
  Functions& functions_ = parts_.functions;
  std::size_t depth_ = 0;          // of nested expressions, through the definitions that they use
  const Expr* indexed_ = nullptr;  // `u` of the `u[3]` that is being checked
};

// What consists of elements: lists, ranges, comprehensions, reductions and tables; and indices in brackets.
class Collections {
 public:
  // Data files are searched along `search`.
  Collections(const Parts& parts, const SearchPath& search) : parts_(parts), search_(search) {}

  TypeRef check_list(expr::List& list, const TypeRef& expected);
  TypeRef check_range(Expr& e, expr::Range& range);
  TypeRef check_comprehension(expr::Comprehension& node, const TypeRef& expected);
  TypeRef check_reduce(Expr& e, expr::Reduce& node, const TypeRef& expected);
  TypeRef check_index(Expr& e, expr::Index& node);
  void open_binders(std::vector<Binder>& binders);  // it adds locals, which the caller removes
  // The type of the elements of a list that `who` goes over. Reports what is no list.
  TypeRef element_in(const Expr& list, const TypeRef& type, const std::string& who);
  // The output that a name or a member reads, if it is a series; null for anything else.
  const item::Output* series_of(const Expr& e);

  // --- tables ---
  TypeRef check_table(Expr& e, expr::TableLiteral& table, const TypeRef& expected);
  TypeRef check_table_file(Expr& e, expr::TableFile& table);  // this and its parts: data_files.cpp

 private:
  std::optional<std::size_t> find_column(const expr::TableFile& table, const std::vector<CsvHeading>& columns,
                                         const Identifier& name);
  TypeRef column_type(const expr::TableFile& table, const std::vector<CsvHeading>& columns, const Identifier& name);
  static void find_integers(const expr::TableFile& table, const std::vector<CsvHeading>& columns,
                            std::vector<TypeRef>& types);
  TypeRef row_type(const Expr& e, expr::TableFile& table, const std::vector<TypeRef>& types);
  TypeRef check_series_index(Expr& e, expr::Index& node, const item::Output& series);
  TypeRef check_indices(Location location, std::vector<Argument>& indices, std::size_t axes, const TypeRef& result,
                        const std::string& what);
  void check_own_offsets(expr::Index& node);

  const Parts& parts_;
  const SearchPath& search_;
  Context& context_ = parts_.context;
  Reports& reports_ = parts_.reports;
  Names& names_ = parts_.names;
  Types& types_ = parts_.types;
  Expressions& expressions_ = parts_.expressions;
  References& references_ = parts_.references;
  Studies& studies_ = parts_.studies;
};

// Calls of functions, records, machines, models and tables, and of the functions of the language. Arguments are matched
// with parameters by position and by name.
class Calls {
 public:
  explicit Calls(const Parts& parts) : parts_(parts) {}

  TypeRef check_call(Expr& e, expr::Call& call, const TypeRef& expected);
  TypeRef call_signature(Expr& e, std::vector<Argument>& arguments, const Signature& signature);
  void check_arguments_blindly(std::vector<Argument>& arguments);
  // A corner, or a list of corners, has one sign for each axis of the grid, as far as they are written out.
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
  std::vector<Expr*> match_arguments(Location call, std::vector<Argument>& arguments, const Signature& signature);
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
  TypeRef check_within(std::vector<Argument>& arguments);
  void check_place(Expr& e);

  // --- orders ---
  TypeRef check_order(Expr& order);
  TypeRef check_diagonal_fills(Expr& e, std::vector<Argument>& arguments);
  void check_axis_of_fills(Expr& axis, const std::vector<std::string>& axes);

  const Parts& parts_;
  Context& context_ = parts_.context;
  Reports& reports_ = parts_.reports;
  Dependences& dependences_ = parts_.dependences;
  Names& names_ = parts_.names;
  Types& types_ = parts_.types;
  Expressions& expressions_ = parts_.expressions;
  References& references_ = parts_.references;
  Functions& functions_ = parts_.functions;
  Declarations& declarations_ = parts_.declarations;
};

}  // namespace wave::frontend::check
