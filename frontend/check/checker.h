// Names, types and dimensions of modules that are parsed. One object walks all modules; an item's type is found
// at first need, so declarations may stand in any order. Its methods are in files by subject.
#pragma once

#include "frontend/check/loader.h"
#include "frontend/check/members.h"
#include "frontend/check/other_words.h"
#include "frontend/check/type_tools.h"

#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace wave::frontend::check {

// Where an expectation comes from: "`W` is declared as `time` here".
struct Why {
  Place place;
  std::string text;
};

struct Local {
  std::string name;
  TypeRef type;
  Place place;
  bool follows_index = false;  // its value differs between the processes of a grid
  mutable bool read = false;
  const Item* function = nullptr;  // a function given to a parameter without a type: checked at its calls
  bool of_sweep = false;           // `tile` or `corner`: nobody has written it there, so it must not hide anything
};

// What an item is checked in.
struct ProcessContext {
  enum class Kind { process, procedure, algorithm } kind{};
  const Item* grid_item = nullptr;  // may be null: an own grid, as `on R[r: p]`
  std::string grid;
  std::vector<std::string> axes;
  bool grid_known = true;
  TypeRef net;                              // null: none, or not known here
  const Item* without_protocols = nullptr;  // a machine that cannot carry messages
  std::vector<Identifier> handles, waits;
  bool in_sweep = false;
  std::vector<Place> index_conditions;  // the conditions on indices around the present statement
};

struct RecurrenceContext {
  const Item* item = nullptr;
  std::vector<std::string> axes;
};

struct Context {
  const Module* module = nullptr;
  const Item* owner = nullptr;  // the machine, model or interface around, or null
  Item* item = nullptr;
  std::vector<Local> locals;
  ProcessContext* process = nullptr;
  RecurrenceContext* recurrence = nullptr;
  bool in_study = false;
  std::vector<std::pair<std::string, TypeRef>> varied;  // by the study
  bool in_protocol = false;
  bool in_override = false;  // a `-D` value: the names of std are in scope
};

// A name at module level.
struct Binding {
  Place place;
  const Item* item = nullptr;
  const Module* module = nullptr;  // an imported module
  bool missing = false;            // its import failed; reported there
};

// What can be called: its parameters in order.
struct Signature {
  struct Parameter {
    std::string name;
    TypeRef type;  // null: without a type, checked anew at each call
    bool optional = false;
    Place place;
  };
  std::string name;
  std::vector<Parameter> parameters;
  TypeRef result;
  Place place;
  Item* item = nullptr;
};

class Checker {
 public:
  using LoadStandard = std::function<Module*(const std::string&)>;
  Checker(Program& program, const SearchPath& search, Diagnostics& diagnostics, LoadStandard load_standard);

  void check_modules(std::size_t first = 0);  // the modules from this one on
  // An expression in the scope of a model's parameters.
  void check_override(Expr& e, const Item* model, const Module& module, const TypeRef& expected);
  // A study that is no item of a module.
  void check_asked(Item& item, const Item& model);
  // What was added to a study that is checked: conditions.
  void check_conditions(Item& item);

 private:
  friend class ContextSwitch;

  // items.cpp: declarations of a module, and their types.
  void declare_from(std::size_t first);  // the modules from this one on
  void declare(const Module& module);
  void declare_import(const Item& item, const item::Import& import);
  void bind(const Module& module, const std::string& name, Binding binding);
  void check_members(std::vector<std::unique_ptr<Item>>& items, const Item* owner);
  void check_item(Item& item);
  TypeRef type_of(const Item& item, Place use);  // of a value: param, let, fn, rec, grid, process, output
  TypeRef find_type(Item& item);
  TypeRef find_let_type(item::Let& let);
  void report_not_a_value(const Item& item, Place use);
  TypeRef find_output_type(Item& item, item::Output& output);
  void check_output(Item& item, item::Output& output);

  // declarations.cpp
  void check_let(Item& item, item::Let& let);
  void check_param(Item& item, item::Param& param);
  void check_record(Item& item, item::Record& record);
  void check_require(item::Require& require);
  void check_grid(Item& item, item::Grid& grid);
  void check_recurrence(Item& item, item::Recurrence& recurrence);
  void check_test(Item& item, item::Test& test);
  void check_expect(item::Expect& expect);
  void check_locals(std::vector<LocalLet>& lets);
  void require_known(const Identifier& name, const Expr& value);
  void declare_local(Local local);                         // a second one of the same name is reported
  const Local* find_local(const std::string& name) const;  // one that is written
  void report_declared_twice(const Local& again, const Local& first);
  void check_axis_range(Expr& range);
  void check_over(const Item& item, const item::Recurrence& recurrence);
  void report_no_grid(const Identifier& name, const Item* found);
  void check_output_unit(const Unit& unit, const Expr& value);
  const std::vector<TypeRef>& fields_of(const Item& record);

  // cycles.cpp
  void depends_on(const Item* item);
  void report_cycles();
  void report_cycle(const std::vector<const Item*>& cycle);

  // written_types.cpp
  TypeRef resolve(const TypeExpr& type);
  TypeRef resolve(const TypeExprPtr& type, const char* what, Place place);
  TypeRef resolve_product(const TypeExpr& type, const type_expr::Product& product);
  TypeRef resolve_named(const std::vector<Identifier>& path, Place place);
  const Item* find_item_by_path(const std::vector<Identifier>& path, const char* what);

  // names.cpp
  struct Found {
    Target target;
    const Item* item = nullptr;
    const Local* local = nullptr;
    bool missing = false;
  };
  Found look_up(const std::string& name);
  // As it is seen where there are only so many of the locals.
  Found look_up(const std::string& name, std::size_t locals);
  // Where a name is declared that means what a sweep gives inside of it; not known: nowhere.
  Place hidden_by_sweep(const Local& given);
  bool in_scope(const std::string& name);
  // Adds "did you mean", or what is said to one who writes a word of MPI; only for the first diagnostics, because it
  // looks at every name.
  template <class Names>
  void suggest(Diagnostic& d, const std::string& word, const Names& names);
  const Item* member(const Item& owner, const std::string& name);
  TypeRef check_name(Expr& e, expr::Name& name, const TypeRef& expected);
  TypeRef type_of_found(const Found& found, const std::string& name, Place place);
  void report_unknown_name(const std::string& name, Place place);
  static TypeRef without_defaults(const item::Function& function, const TypeRef& type);
  std::vector<std::string> names_in_scope();
  const Item* find_in_standard(const std::string& name);
  Module* standard(const std::string& name);

  // expressions.cpp: the type of an expression; `expected` is a hint, null where nothing is known.
  TypeRef check(Expr& e, const TypeRef& expected = nullptr);
  TypeRef check_node(Expr& e, const TypeRef& expected);
  // Checks, and reports unless the value can stand for an `expected`.
  TypeRef expect(Expr& e, const TypeRef& expected, const Why& why = {});
  TypeRef require_numeric(Expr& e, const char* what);
  TypeRef check_number(Expr& e, expr::Number& number);
  TypeRef check_uncertain(Expr& e, expr::Uncertain& uncertain);
  TypeRef check_unary(Expr& e, expr::Unary& unary);
  TypeRef check_if(Expr& e, expr::If& node, const TypeRef& expected);
  TypeRef check_when(Expr& e, expr::When& node, const TypeRef& expected);
  // The common type of several expressions that are checked; the first that does not agree is reported.
  TypeRef common(const std::vector<Expr*>& operands, const char* what);
  void adopt(Expr& e, const TypeRef& type);  // a literal 0 takes the dimension of what it meets

  // operators.cpp
  TypeRef check_binary(Expr& e, expr::Binary& binary);
  TypeRef check_sum(expr::Binary& binary);
  TypeRef check_product(Expr& e, expr::Binary& binary);
  TypeRef check_division(expr::Binary& binary);
  TypeRef check_power(Expr& e, expr::Binary& binary);
  TypeRef check_comparison(expr::Binary& binary, bool lists_too = false);
  void check_sides(expr::Binary& binary);  // a choice word may stand on either side

  // mismatches.cpp
  bool agrees(const TypeRef& from, const TypeRef& to);
  TypeRef unify(const TypeRef& a, const TypeRef& b);
  TypeRef unify_machines(const types::Machine& a, const types::Machine& b);
  std::string missing_offer(const types::Machine& from, const types::Machine& to);  // "" where nothing is missing
  // Nothing is said of a declaration with a syntax error.
  Diagnostic& report(DiagnosticKind kind, Place place, std::string message, std::string label = {});
  bool is_broken(Place place) const;
  // Whether names may be missing here because of a syntax error.
  bool lacks_names() const { return context_.module && !context_.module->broken.empty(); }
  void report_mismatch(const Expr& e, const TypeRef& found, const TypeRef& expected, const Why& why);
  void report_disagreement(const Expr& left, const Expr& right, const char* what);
  void explain(Diagnostic& d, const Expr& e);  // adds where the dimension of `e` comes from
  void explain_calls(Diagnostic& d);

  // calls.cpp
  TypeRef check_call(Expr& e, expr::Call& call, const TypeRef& expected);
  TypeRef check_item_call(Expr& e, expr::Call& call, const Item& item);
  TypeRef check_construction(Expr& e, expr::Call& call, const Item& record);
  TypeRef check_instance(Expr& e, expr::Call& call, const Item& declaration, const types::Machine* required,
                         bool again);
  TypeRef check_value_call(Expr& e, expr::Call& call, const TypeRef& type);
  TypeRef call_signature(Expr& e, std::vector<Argument>& arguments, const Signature& signature);
  std::vector<Expr*> match_arguments(Place call, std::vector<Argument>& arguments, const Signature& signature);
  TypeRef check_table_call(Expr& e, expr::Call& call, const types::Table& table);
  TypeRef check_member_call(Expr& e, expr::Call& call, expr::Member& node);
  const Item* callee_item(const Expr& callee);
  const Item* module_item(Expr& callee);  // of `module.item`, resolved; null where it is no such name
  void require_names(const std::vector<Argument>& arguments, const Signature& signature);
  void check_arguments_blindly(std::vector<Argument>& arguments);

  // builtins.cpp
  TypeRef check_builtin(Expr& e, const std::string& name, std::vector<Argument>& arguments, const TypeRef& expected);
  TypeRef check_extreme(Expr& e, std::vector<Argument>& arguments, const std::string& name, const TypeRef& expected);
  TypeRef check_breakdown(Expr& e, std::vector<Argument>& arguments);
  TypeRef check_square_root(Expr& e, Expr& argument);
  void check_place(Expr& e);

  // --- orders.cpp ---
  TypeRef check_order(Expr& order);
  TypeRef check_diagonal_fills(Expr& e, std::vector<Argument>& arguments);
  void check_axis_of_fills(Expr& axis, const std::vector<std::string>& axes);
  std::vector<std::vector<std::string>> grids_around() const;

  // functions.cpp
  struct Given {
    TypeRef type;
    const Item* function = nullptr;
  };  // an argument
  Signature signature_of(const Item& item);
  Signature derived_signature(const std::string& name, Place place);
  TypeRef function_type(Item& item, item::Function& function);
  void check_function(Item& item, item::Function& function);
  void check_default_values(std::vector<Parameter>& parameters,
                            const std::vector<std::pair<std::string, TypeRef>>& types);
  TypeRef check_body(Item& item, item::Function& function, const std::vector<Given>& arguments, const TypeRef& result);
  TypeRef instantiate(Item& item, item::Function& function, std::vector<Given> arguments, Place call);
  Given check_untyped(Expr& argument);
  bool is_too_deep() const;
  bool fits_function(const Item& item, const types::Function& expected, Place use);

  // members_of_values.cpp
  TypeRef check_member(Expr& e, expr::Member& node);
  TypeRef check_member_of(Expr& e, expr::Member& node, const TypeRef& object, const Item** item);
  TypeRef check_module_member(expr::Member& node, const Module& module);
  TypeRef member_type(const TypeRef& object, const Identifier& name, const Item** item);
  TypeRef process_member(const Identifier& name);
  static bool is_phase(const Expr& e);
  bool resolve_standard_path(Expr& e);

  // lists.cpp
  TypeRef check_list(Expr& e, expr::List& list, const TypeRef& expected);
  TypeRef check_range(Expr& e, expr::Range& range);
  TypeRef check_comprehension(expr::Comprehension& node, const TypeRef& expected);
  TypeRef check_reduce(Expr& e, expr::Reduce& node, const TypeRef& expected);
  void open_binders(std::vector<Binder>& binders);  // adds locals; the caller removes them
  TypeRef check_index(Expr& e, expr::Index& node);
  const item::Output* series_of(const Expr& e);
  TypeRef check_series_index(Expr& e, expr::Index& node, const item::Output& series);
  TypeRef check_indices(Place place, std::vector<Argument>& indices, std::size_t axes, const TypeRef& result,
                        const std::string& what);
  void check_own_offsets(expr::Index& node);
  TypeRef check_study_index(expr::Index& node);
  TypeRef check_sign_tuple(Expr& e);
  bool reads_process(const Expr& e) const;
  bool is_of_all_processes(const expr::Member& node) const;
  std::size_t process_axes(const Expr& e);  // 0: not known

  // tables.cpp
  TypeRef check_table(Expr& e, expr::TableLiteral& table, const TypeRef& expected);
  TypeRef check_table_file(Expr& e, expr::TableFile& table);

  // flops.cpp
  TypeRef check_flops(expr::Flops& flops);
  void check_flops_block(Block& block);
  void require_countable(const Expr& e);

  // machines.cpp
  void check_machine(Item& item, item::Machine& machine);
  void link_machine(Item& item, item::Machine& machine);
  void check_overrides(const Item& item, const item::Machine& machine);
  void check_override_type(const Item& item, const Item& replaced);
  void check_interface_met(const Item& item);
  void report_wrong_kind(const Item& found, Place place, const char* expected);
  std::string differing(const Item& offered, const Item& wanted);
  void check_collective(Item& item, item::Collective& collective);
  std::vector<TypeRef> open_parameters(std::vector<Parameter>& parameters, const char* what);

  // protocols.cpp
  void check_protocol(Item& item, item::Protocol& protocol);
  void check_protocol_choice(const Item& machine);
  void check_end(Block& block);
  void check_acquires(const Block& block);
  void check_arrivals(const Block& block);
  void check_signals(const Item& item, const item::Protocol& protocol);
  void check_progress(const Item& item, const item::Protocol& protocol);

  // processes.cpp
  void check_process(Item& item, item::Process& process);
  void check_procedure(Item& item, item::Procedure& procedure);
  void check_algorithm(Item& item, item::Collective& collective);
  void open_grid(ProcessContext& context, const Identifier& grid);
  void open_own_grid(ProcessContext& context, const Identifier& grid,
                     std::vector<std::pair<Identifier, ExprPtr>>& axes);
  void check_block(Block& block);
  void check_statement(Statement& statement);
  void check_message(Statement& statement, statement::Message& message);
  void check_local_statement(statement::Let& let);
  void check_repeat(statement::Repeat& repeat);
  void check_handles(ProcessContext& process);

  // messages.cpp
  void check_peer(Neighbourhood& peer);
  void check_peer_indices(const Neighbourhood& peer);
  void check_corners(const statement::Sweep& sweep);
  void check_corner(const Expr& e, std::size_t axes);
  void check_item_early(const Item& item);
  const Item* called_member(Expr& callee);
  void report_unknown_call(const expr::Name& name, Place place);
  void check_procedure_call(Statement& statement, statement::Call& call, const Item& item, item::Procedure& procedure);
  void check_offset(Neighbourhood& peer);
  void check_sweep(Statement& statement, statement::Sweep& sweep);
  void check_for(statement::For& loop);
  void check_conditional(statement::If& node);
  void check_statement_call(Statement& statement, statement::Call& call);
  struct Callee {
    const Item* item = nullptr;
    bool may_be_any = false;  // what would declare it was not understood
  };
  Callee find_collective(const std::string& name);
  bool follows_index(const std::function<void()>& check);
  void forbid_index_condition(Place place, const char* what);
  void require_axis(const Identifier& axis);
  void require_swept_axis(const Identifier& axis);

  // studies.cpp
  void check_study(Item& item, item::Study& study);
  void check_study_of(const Item& model, item::Study& study);
  void require_independent(const item::Study& study, const Expr& values);
  void check_vary(const Item& model, item::Study& study);
  void check_sets(const Item& model, item::Study& study);
  void show_outputs(const Item& model, item::Study& study);
  void check_shown(item::Study& study);
  void report_no_parameter(const Item& model, const Identifier& name);
  std::vector<Identifier> unused_vary(const item::Study& study) const;
  TypeRef check_output_call(Expr& e, expr::Call& call, const Item& output);

  struct ItemState {
    enum class Progress { fresh, finding, found } progress = Progress::fresh;
    TypeRef type;
    bool checked = false;
  };
  struct Instantiation {
    const Item* item;
    Place call;
    std::string arguments;
  };

  Program& program_;
  const SearchPath& search_;
  Diagnostics& diagnostics_;
  LoadStandard load_standard_;
  Context context_;
  std::unordered_map<const Module*, std::unordered_map<std::string, Binding>> scopes_;
  std::unordered_map<const Item*, ItemState> states_;
  std::unordered_map<const Item*, std::unordered_map<std::string, const Item*>> member_index_;
  std::unordered_map<const Item*, std::vector<const Item*>> dependences_;
  std::unordered_set<const Item*> in_reported_cycle_;
  std::unordered_map<std::string, TypeRef> instances_;
  std::vector<Instantiation> instantiations_;
  std::vector<const Item*> finding_;  // items whose types are being found, outermost first
  std::set<std::string> reported_;    // kind, place and message: once is enough
  std::size_t depth_ = 0;             // of nested expressions, through the definitions that they use
  std::size_t suggestions_ = 0;
  bool index_read_ = false;        // an index-dependent local was read since this was cleared
  const Expr* indexed_ = nullptr;  // `u` of the `u[3]` that is being checked
  std::set<std::pair<const Module*, std::string>>
      missing_suggested_;  // what a name that could not be imported may mean
};

// Leaves the present item for another one, and comes back.
class ContextSwitch {
 public:
  ContextSwitch(Checker& checker, const Item& item);
  ~ContextSwitch();
  ContextSwitch(const ContextSwitch&) = delete;
  ContextSwitch& operator=(const ContextSwitch&) = delete;

 private:
  Checker& checker_;
  Context saved_;
};

// Locals declared after this are forgotten at its end.
class LocalScope {
 public:
  explicit LocalScope(std::vector<Local>& locals) : locals_(locals), size_(locals.size()) {}
  ~LocalScope() { locals_.resize(size_); }
  LocalScope(const LocalScope&) = delete;
  LocalScope& operator=(const LocalScope&) = delete;

 private:
  std::vector<Local>& locals_;
  std::size_t size_;
};

template <class Names>
void Checker::suggest(Diagnostic& d, const std::string& word, const Names& names) {
  constexpr std::size_t most_suggestions = 100;
  if (suggestions_++ >= most_suggestions) return;
  const std::vector<std::string> known = names();
  std::string help = help_for_other_word(word, known);
  if (const std::string near = help.empty() ? nearest(word, known) : ""; !near.empty()) help = did_you_mean({near});
  if (!help.empty()) d.help.push_back(std::move(help));
}

Item& mutable_item(const Item& item);
Why declared_as(const Item& item, Place place, const TypeRef& type);  // "`L` is declared as `time` here"

}  // namespace wave::frontend::check
