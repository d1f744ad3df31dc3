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

  Symbolic evaluate(const Expr& expr, const Scope& scope);
  ir::ValueId scalar(const Expr& expr, const Scope& scope);
  ir::ValueId real(const Expr& expr, const Scope& scope);
  Symbolic evaluate_named(const Expr& expr, const Scope& scope, const Naming& naming);
  Symbolic look_up(const std::string& name, const Scope& scope, Place place);
  Symbolic binary(BinaryOperator op, const Symbolic& left, const Symbolic& right, Place place);

 private:
  Symbolic evaluate_name(const expr::Name& node, const Scope& scope, Place place);
  Symbolic evaluate_when(const expr::When& node, const Scope& scope, Place place);
  Symbolic evaluate_list(const expr::List& node, const Scope& scope, Place place);
  Symbolic evaluate_range(const expr::Range& node, const Scope& scope, Place place);
  Symbolic flops(const expr::Flops& node, const Scope& scope, Place place);

  const Parts& parts_;
  ir::Builder& b_ = parts_.b;
  Sites& sites_ = parts_.sites;
  Values& values_ = parts_.values;
  Literals& literals_ = parts_.literals;
  Lists& lists_ = parts_.lists;
  Calls& calls_ = parts_.calls;
  Instances& instances_ = parts_.instances;
  Processes& processes_ = parts_.processes;
  std::map<const Expr*, Symbolic> tables_;
  std::size_t depth_ = 0;
};

// What was measured: literals (with a name of their own for those who ask where time goes), values with their spread,
// and tables.
class Literals {
 public:
  explicit Literals(const Parts& parts) : parts_(parts) {}

  // From here on, literals that carry time become definitions. Each is listed.
  void list_literals(std::vector<LiteralInfo>& into) { literals_ = &into; }
  ir::ValueId literal(const expr::Number& node, Place place);
  // From here on, values written with `±` depend on draws. Each is listed.
  void list_uncertain(std::vector<UncertainInfo>& into) { uncertain_ = &into; }
  Symbolic uncertain(const expr::Uncertain& node, const Scope& scope, Place place);
  Symbolic table(const expr::TableLiteral& node, const Scope& scope, Place place);
  Symbolic table(const expr::TableFile& node, const TypeRef& type, Place place);
  Symbolic look_up_table(const value::Table& table, const std::vector<Named>& arguments, Place place);

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
  void note_table_of_times(ir::TableId table, const TypeRef& values, Place place);
  void read_entries(const expr::TableLiteral& node, const Scope& scope, ir::Table& table);

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

  std::vector<Iteration> enumerate(const Symbolic& list, bool nested, Place place);
  std::vector<Iteration> iterate(std::span<const Binder> binders, const Scope& scope, bool nested);
  ir::ValueId count(const Symbolic& list, Place place);
  Symbolic index(const Symbolic& list, ir::ValueId position, Place place);
  Symbolic evaluate_index(const Expr& expr, const expr::Index& node, const Scope& scope);
  std::vector<Symbolic> elements(const Symbolic& list, Place place);  // they must be known here
  Symbolic read_series(const value::Series& series, const std::vector<Symbolic>& indices, Place place);
  Symbolic reduce(const expr::Reduce& node, const Scope& scope, Place place);
  Symbolic reduce_list(ReduceOperator op, const Symbolic& list, Place place);
  // `call` is that of `diagonal_fills`, which names axes; null for the others.
  Symbolic fills(const std::string& what, const Symbolic& order, const expr::Call* call, const Scope& scope,
                 Place place);

 private:
  std::vector<Iteration> enumerate_range(const value::Range& range, Place place);
  ir::ValueId position_within(ir::ValueId position, ir::ValueId last, ir::SiteId outside);
  std::optional<Symbolic> index_numbers(const std::vector<Symbolic>& elements, ir::ValueId position,
                                        ir::SiteId outside);
  std::vector<Iteration> enumerate_positions(const Symbolic& list, Place place);
  Symbolic fold_cases(ReduceOperator op, const std::vector<Iteration>& cases, const expr::Reduce& node, Place place);
  std::vector<const value::Corner*> corners_of(const std::string& what, const std::vector<Symbolic>& elements,
                                               Place place);
  std::vector<bool> axes_of_fills(const expr::Call& call, std::size_t axes, const Scope& scope, Place place);

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
  std::map<std::string, ir::TableId> table_of_list_;
};

// Calls of functions, machines, models, records and tables, and of the functions of the language.
class Calls {
 public:
  explicit Calls(const Parts& parts) : parts_(parts) {}

  Symbolic call(const Expr& expr, const expr::Call& call, const Scope& scope, const Naming* naming);
  Symbolic apply(const Symbolic& callee, const std::vector<Named>& arguments, const Scope& scope, Place place,
                 const Naming* naming = nullptr);
  Symbolic same_node(const Symbolic& a, const Symbolic& b, Place place);
  ir::SiteId no_process(const Expr& extent, const item::GridAxis& axis);

 private:
  std::optional<Symbolic> call_builtin_by_syntax(const LanguageFunction& function, const expr::Call& call,
                                                 const Scope& scope, Place place);
  Symbolic builtin(const LanguageFunction& function, const std::vector<Symbolic>& arguments, const Scope& scope,
                   Place place);
  Symbolic function_of_number(ir::UnaryOp op, const Symbolic& argument, Place place);
  Symbolic function_of_list(ReduceOperator op, const std::vector<Symbolic>& arguments, Place place);
  Symbolic record(const Item& declaration, const std::vector<Named>& arguments, Place place);

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
  Recurrences& recurrences_ = parts_.recurrences;
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

  Symbolic call_function(const value::Function& function, const std::vector<Named>& arguments, const Scope& scope,
                         Place place);
  // The arguments of a function, collective or procedure in the order of its parameters, with defaults filled in.
  std::vector<Symbolic> bind_arguments(const value::Function& function, const std::vector<Named>& arguments,
                                       Place place);
  Symbolic call_framed(const std::string& name, const std::string& identity, ir::FrameId parent,
                       const std::vector<std::string>& names, const std::vector<Symbolic>& arguments,
                       const TypeRef& result,
                       const std::function<Symbolic(const std::vector<Symbolic>&, ir::FrameId)>& body,
                       const std::function<Symbolic()>& otherwise, Place place);

 private:
  // A function for which everything but its scalar arguments is fixed. It is a frame of the system.
  struct Specialisation {
    Progress progress = Progress::evaluating;
    ir::FrameId frame;
    Symbolic result;         // references to its definitions; null while unknown, and where it is written out instead
    DiagnosticKind error{};  // abandoned
  };

  Symbolic call_distributed(const value::Function& function, std::vector<Symbolic> arguments, const Scope& scope,
                            Place place);
  Symbolic inline_call(const value::Function& function, const std::vector<Symbolic>& arguments, const Scope& scope,
                       Place place);
  Symbolic run_body(const value::Function& function, const std::vector<Symbolic>& arguments, Scope scope, bool define);

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
