// Expressions become values: literals, tables, names, operators, conditions, lists and calls.
#pragma once

#include "frontend/lower/parts.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wave::frontend::lowering {

class Expressions {
 public:
  explicit Expressions(const Parts& parts) : parts_(parts) {}

  ValuePtr evaluate(const Expr& expr, const Scope& scope);
  // As Values::scalar_of: whoever needs a scalar says of which type.
  ir::ValueId scalar(const Expr& expr, const Scope& scope, ir::ScalarType type);
  ir::ValueId real(const Expr& expr, const Scope& scope) { return scalar(expr, scope, ir::ScalarType::real); }
  ir::ValueId integer(const Expr& expr, const Scope& scope) { return scalar(expr, scope, ir::ScalarType::integer); }
  ir::ValueId boolean(const Expr& expr, const Scope& scope) { return scalar(expr, scope, ir::ScalarType::boolean); }
  ValuePtr evaluate_named(const Expr& expr, const Scope& scope, const Naming& naming);
  ValuePtr look_up(const std::string& name, const Scope& scope, Location location);
  // The axis of this name, or the one that a parameter of this name stands for.
  ValuePtr axis(const std::string& name, const Scope& scope, Location location);
  ValuePtr binary(BinaryOperator op, const ValuePtr& left, const ValuePtr& right, Location location);

 private:
  // Where an integer stands for a real because of what stands beside it (another branch or element, which may not be
  // lowered at all, or the type of a function), it becomes one.
  ValuePtr as_typed(const ValuePtr& value, const Expr& expr);
  ValuePtr widened(const ValuePtr& value, const Expr& expr);
  ValuePtr evaluate_node(const Expr& expr, const Scope& scope);
  bool has_real_leaves(const TypeRef& type);
  ValuePtr evaluate_name(const expr::Name& node, const Scope& scope, Location location);
  ValuePtr evaluate_when(const expr::When& node, const Scope& scope, Location location);
  ValuePtr evaluate_list(const expr::List& node, const Scope& scope, Location location);
  ValuePtr evaluate_range(const expr::Range& node, const Scope& scope, Location location);
  ValuePtr flops(const expr::Flops& node, const Scope& scope, Location location);

  const Parts& parts_;
  ir::Builder& b_ = parts_.b;
  Sites& sites_ = parts_.sites;
  Values& values_ = parts_.values;
  Literals& literals_ = parts_.literals;
  Lists& lists_ = parts_.lists;
  Calls& calls_ = parts_.calls;
  Instances& instances_ = parts_.instances;
  Levels& levels_ = parts_.levels;
  Processes& processes_ = parts_.processes;
  std::map<const Expr*, ValuePtr> tables_;
  std::map<TypeRef, bool> have_real_leaves_;
  const LoweringOptions& options_ = parts_.options;
  std::size_t depth_ = 0;
  std::size_t evaluated_ = 0;
  bool is_over_ = false;
};

struct FileEntries;  // data_files.cpp

// What was measured: literals (with a name of their own for those who ask where time goes), values with their spread,
// and tables.
class Literals {
 public:
  explicit Literals(const Parts& parts) : parts_(parts) {}

  // From here on, literals that carry time become definitions. Each is listed.
  void list_literals(std::vector<LiteralInfo>& into) { literals_ = &into; }
  ir::ValueId literal(const expr::Number& node, Location location);
  // From here on, values written with `±` depend on draws. Each is listed.
  void list_uncertain(std::vector<UncertainInfo>& into) { uncertain_ = &into; }
  ValuePtr uncertain(const expr::Uncertain& node, const Scope& scope, Location location);
  ValuePtr table(const expr::TableLiteral& node, const Scope& scope, Location location);
  // --- data_files.cpp ---
  ValuePtr table(const expr::TableFile& node, const TypeRef& type, const Scope& scope, Location location);
  ValuePtr look_up_table(const value::Table& table, const std::vector<Named>& arguments, Location location);
  ValuePtr row(const value::Rows& rows, ir::ValueId position, Location location);

  // While it lives, literals and values written with `±` are constants.
  class ConstantLiterals {
   public:
    explicit ConstantLiterals(Literals& self)
        : self_(self),
          before_(std::exchange(self.literals_, nullptr)),
          draws_before_(std::exchange(self.has_draws_, false)) {}
    ConstantLiterals(const ConstantLiterals&) = delete;
    ~ConstantLiterals() {
      self_.literals_ = before_;
      self_.has_draws_ = draws_before_;
    }

   private:
    Literals& self_;
    std::vector<LiteralInfo>* before_;
    bool draws_before_;
  };

 private:
  void note_table_of_times(ir::TableId table, const TypeRef& values, Location location);
  void read_entries(const expr::TableLiteral& node, const Scope& scope, ir::Table& table);
  void set_otherwise(const Expr& otherwise, const Scope& scope, ir::Table& table);
  static ir::Interpolation interpolation_of(const std::string& word);
  void check_positive(const ir::Table& table, Location location);
  ValuePtr rows(const expr::TableFile& node, const FileEntries& entries);
  ir::ValueId read_table(const value::Table& table, std::vector<ir::ValueId> keys, Location location);

  const Parts& parts_;
  const Program& program_ = parts_.program;
  ir::Builder& b_ = parts_.b;
  Sites& sites_ = parts_.sites;
  Values& values_ = parts_.values;
  Expressions& expressions_ = parts_.expressions;
  Processes& processes_ = parts_.processes;
  std::vector<LiteralInfo>* literals_ = nullptr;
  std::map<std::pair<std::uint32_t, std::uint32_t>, ir::DefinitionId> literal_at_;  // by file and begin
  std::vector<UncertainInfo>* uncertain_ = nullptr;
  bool has_draws_ = true;                                                        // false where values must be constants
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> uncertain_at_;  // by file and begin
};

// Walks, counts, indexes and reduces lists. A list that is written out stays written out where nothing loops around it.
// Everything else becomes loops of the system.
class Lists {
 public:
  explicit Lists(const Parts& parts) : parts_(parts) {}

  std::vector<Iteration> enumerate(const ValuePtr& list, bool nested, Location location);
  std::vector<Iteration> iterate(std::span<const Binder> binders, const Scope& scope, bool nested);
  ir::ValueId count(const ValuePtr& list, Location location);
  ValuePtr index(const ValuePtr& list, ir::ValueId position, Location location);
  ValuePtr evaluate_index(const Expr& expr, const expr::Index& node, const Scope& scope);
  std::vector<ValuePtr> elements(const ValuePtr& list, Location location);  // they must be known here
  ValuePtr read_series(const value::Series& series, const std::vector<ValuePtr>& indices, Location location);
  ValuePtr reduce(const expr::Reduce& node, const Scope& scope, Location location);
  // `call` is that of `diagonal_fills`, which names axes; null for the others.
  ValuePtr fills(const std::string& what, const ValuePtr& order, const expr::Call* call, const Scope& scope,
                 Location location) {
    std::size_t ways = 0;
    return fills(what, order, call, scope, location, ways);
  }

 private:
  // `ways`: how many orders have been looked at, where conditions choose corners.
  ValuePtr fills(const std::string& what, const ValuePtr& order, const expr::Call* call, const Scope& scope,
                 Location location, std::size_t& ways);
  void refuse_too_many(std::size_t elements, Location location);
  std::vector<Iteration> enumerate_range(const value::Range& range, Location location);
  ValuePtr at_position(const value::Range& range, ir::ValueId position, Location location);
  ir::ValueId position_within(ir::ValueId position, ir::ValueId last, ir::SiteId outside);
  std::optional<ValuePtr> index_numbers(const std::vector<ValuePtr>& elements, ir::ValueId position,
                                        ir::SiteId outside);
  std::vector<Iteration> enumerate_positions(const ValuePtr& list, Location location);
  ValuePtr fold_cases(ReduceOperator op, const std::vector<Iteration>& cases, const expr::Reduce& node,
                      Location location);
  std::vector<const value::Corner*> corners_of(const std::string& what, const std::vector<ValuePtr>& elements,
                                               Location location);
  std::vector<bool> axes_of_fills(const expr::Call& call, std::size_t axes, const Scope& scope, Location location);

  const Parts& parts_;
  ir::Builder& b_ = parts_.b;
  FactTable& facts_ = parts_.facts;
  Sites& sites_ = parts_.sites;
  Values& values_ = parts_.values;
  Expressions& expressions_ = parts_.expressions;
  Instances& instances_ = parts_.instances;
  Lifting& lifting_ = parts_.lifting;
  Recurrences& recurrences_ = parts_.recurrences;
  Studies& studies_ = parts_.studies;
  Literals& literals_ = parts_.literals;
  std::map<std::string, ir::TableId> table_of_list_;
};

// Calls of functions, machines, models, records and tables, and of the functions of the language.
class Calls {
 public:
  explicit Calls(const Parts& parts) : parts_(parts) {}

  ValuePtr call(const Expr& expr, const expr::Call& call, const Scope& scope, const Naming* naming);
  ValuePtr apply(const ValuePtr& callee, const std::vector<Named>& arguments, const Scope& scope, Location location,
                 const Naming* naming = nullptr);

 private:
  std::optional<ValuePtr> call_builtin_by_syntax(const LanguageFunction& function, const expr::Call& call,
                                                 const Scope& scope, Location location);
  ValuePtr builtin(const LanguageFunction& function, const std::vector<ValuePtr>& arguments, const Scope& scope,
                   Location location);
  ValuePtr function_of_number(ir::UnaryOp op, const ValuePtr& argument, Location location);
  ValuePtr function_of_list(ReduceOperator op, const std::vector<ValuePtr>& arguments, Location location);
  ValuePtr record(const Item& declaration, const std::vector<Named>& arguments, Location location);

  const Parts& parts_;
  ir::Builder& b_ = parts_.b;
  Sites& sites_ = parts_.sites;
  Values& values_ = parts_.values;
  Expressions& expressions_ = parts_.expressions;
  Literals& literals_ = parts_.literals;
  Lists& lists_ = parts_.lists;
  Functions& functions_ = parts_.functions;
  Instances& instances_ = parts_.instances;
  Lifting& lifting_ = parts_.lifting;
  Levels& levels_ = parts_.levels;
  Messages& messages_ = parts_.messages;
  Processes& processes_ = parts_.processes;
  Studies& studies_ = parts_.studies;
};

// The parameters of a function, a procedure or a collective.
const std::vector<Parameter>& parameters_of(const Item& declaration);

// Calls of functions, and of collectives as costs. A call with scalars becomes the call of a frame. There is one frame
// for each function and each set of its other arguments. A call with lists is written out in place.
class Functions {
 public:
  explicit Functions(const Parts& parts) : parts_(parts) {}

  ValuePtr call_function(const value::Function& function, const std::vector<Named>& arguments, const Scope& scope,
                         Location location);
  // The arguments of a function, collective or procedure in the order of its parameters, with defaults filled in.
  std::vector<ValuePtr> bind_arguments(const value::Function& function, const std::vector<Named>& arguments,
                                       Location location);
  ValuePtr call_framed(const std::string& name, const std::string& identity, ir::FrameId parent,
                       const std::vector<std::string>& names, const std::vector<ValuePtr>& arguments,
                       const TypeRef& result,
                       const std::function<ValuePtr(const std::vector<ValuePtr>&, ir::FrameId)>& body,
                       const std::function<ValuePtr()>& otherwise, Location location);

 private:
  // A function for which everything but its scalar arguments is fixed. It is a frame of the system.
  struct Specialisation {
    Progress progress = Progress::evaluating;
    ir::FrameId frame;
    ValuePtr result;         // references to its definitions; null while unknown, and where it is written out instead
    DiagnosticKind error{};  // abandoned
  };

  ValuePtr call_distributed(const value::Function& function, std::vector<ValuePtr> arguments, const Scope& scope,
                            Location location);
  ValuePtr inline_call(const value::Function& function, const std::vector<ValuePtr>& arguments, const Scope& scope,
                       Location location);
  ValuePtr run_body(const value::Function& function, const std::vector<ValuePtr>& arguments, Scope scope, bool define);

  const Parts& parts_;
  ir::Builder& b_ = parts_.b;
  FactTable& facts_ = parts_.facts;
  Sites& sites_ = parts_.sites;
  Values& values_ = parts_.values;
  Expressions& expressions_ = parts_.expressions;
  Instances& instances_ = parts_.instances;
  Processes& processes_ = parts_.processes;
  std::map<std::string, std::unique_ptr<Specialisation>> specialisations_;
  std::size_t inlined_ = 0;
};

}  // namespace wave::frontend::lowering
