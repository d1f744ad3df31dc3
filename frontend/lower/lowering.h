// The abstract interpreter behind lower.h: expressions become values (value.h), and scalars among them nodes of
// the system. One object lowers one program into one system; its methods are grouped by subject, a file each.
#pragma once

#include "frontend/check/program.h"
#include "frontend/lower/facts.h"
#include "frontend/lower/lower.h"
#include "frontend/lower/value.h"
#include "ir/builder.h"
#include "ir/operations.h"

#include <functional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace wave::frontend::lowering {

// Bounds on what is resolved here: more is a diagnostic.
struct Bounds {
  static constexpr std::size_t nodes = 3'000'000;         // of the system
  static constexpr std::size_t elements = 10'000;         // of a list that is written out element by element
  static constexpr std::size_t evaluations = 20'000;      // expressions inside each other, over all calls
  static constexpr std::size_t inlined = 200;             // calls inside each other that have no frame of their own
  static constexpr std::size_t instances = 60;            // machines and models inside each other
  static constexpr std::size_t specialisations = 20'000;  // frames
};

using Named = std::pair<std::string, Symbolic>;  // an argument; an empty name: by position

// Where -D finds the instance that a call makes.
struct Naming {
  std::string path;
  std::string title;
  bool addressable = false;
  bool through_parameter = false;
};

// Some iterations of a list or of binders: loops, or a single one where `levels` is empty.
struct Iteration {
  std::optional<ir::ValueId> guard;  // they count only if it is true; depends on no level
  std::vector<ir::Level> levels;
  Symbolic element;  // of a list
  Scope scope;       // with binders: where their names are known
};

class Lowering {
 public:
  Lowering(const Program& program, ir::System& system, std::vector<std::string>& words, SiteNotes& notes,
           Diagnostics& diagnostics);
  ~Lowering();
  Lowering(const Lowering&) = delete;
  Lowering& operator=(const Lowering&) = delete;

  // --- expressions.cpp ---
  Symbolic evaluate(const Expr& expr, const Scope& scope);
  ir::ValueId scalar(const Expr& expr, const Scope& scope) { return scalar_of(evaluate(expr, scope), expr.place); }
  ir::ValueId real(const Expr& expr, const Scope& scope) { return b.to_real(scalar(expr, scope)); }
  Symbolic evaluate_named(const Expr& expr, const Scope& scope, const Naming& naming);
  Symbolic look_up(const std::string& name, const Scope& scope, Place place);
  Symbolic binary(BinaryOperator op, const Symbolic& left, const Symbolic& right, Place place);

  // --- values.cpp ---
  ir::ValueId scalar_of(const Symbolic& value, Place place);
  std::vector<ir::ValueId> unify(const std::vector<Symbolic>& values, Place place);  // one type: int widens
  Symbolic select(ir::ValueId condition, const Symbolic& if_true, const Symbolic& if_false);
  Symbolic convert(const Symbolic& value, const TypeRef& type);
  Symbolic map_leaves(const Symbolic& value, const std::function<ir::ValueId(ir::ValueId)>& change);
  Symbolic distribute(const Symbolic& value, const std::function<Symbolic(const Symbolic&)>& use);
  // Definitions of `frame` for the scalars of a value, so that they are evaluated once.
  Symbolic define_leaves(const Symbolic& value, ir::FrameId frame, const std::string& name, Place place);
  std::string key(const Symbolic& value) const;  // equal keys: the same value
  bool depends_on_loop(const Symbolic& value);
  ir::FrameId deepest_frame(const Symbolic& value);
  static std::optional<ir::ScalarType> scalar_type(const TypeRef& type);
  Symbolic equal(const Symbolic& left, const Symbolic& right, Place place);
  void visit_leaves(const Symbolic& value, const std::function<void(ir::ValueId)>& visit) const;
  Scope bind(const Scope& scope, const std::string& name, Symbolic value) const;
  Scope bind_later(const Scope& scope, const LocalLet& let, bool define) const;
  Scope bind_later(const Scope& scope, const Identifier& name, const TypeExpr* type, const Expr& value,
                   bool define) const;
  std::int64_t word(const std::string& text);
  Symbolic failure(ir::FailureKind kind, Place place, const std::string& text);

  // --- calls.cpp ---
  Symbolic call(const Expr& expr, const expr::Call& call, const Scope& scope, const Naming* naming);
  Symbolic apply(const Symbolic& callee, const std::vector<Named>& arguments, const Scope& scope, Place place,
                 const Naming* naming = nullptr);
  std::optional<Symbolic> call_builtin_by_syntax(const LanguageFunction& function, const expr::Call& call,
                                                 const Scope& scope, Place place);
  Symbolic builtin(const LanguageFunction& function, const std::vector<Symbolic>& arguments, const Scope& scope,
                   Place place);
  Symbolic function_of_number(ir::UnaryOp op, const Symbolic& argument, Place place);
  Symbolic function_of_list(ReduceOperator op, const std::vector<Symbolic>& arguments, Place place);
  Symbolic same_node(const Symbolic& a, const Symbolic& b, Place place);
  ir::SiteId no_process(const Expr& extent, const item::GridAxis& axis);
  Symbolic record(const Item& declaration, const std::vector<Named>& arguments, Place place);
  Symbolic look_up_table(const value::Table& table, const std::vector<Named>& arguments, Place place);

  // --- functions.cpp ---
  Symbolic call_function(const value::Function& function, const std::vector<Named>& arguments, const Scope& scope,
                         Place place);
  // The arguments of a function, collective or procedure in the order of its parameters, defaults filled in.
  std::vector<Symbolic> bind_arguments(const value::Function& function, const std::vector<Named>& arguments,
                                       Place place);

  // --- protocols.cpp ---
  Symbolic call_derived(const value::Derived& derived, const std::vector<Named>& arguments, const Scope& scope,
                        Place place);
  std::vector<const Item*> protocols_of(const Item& machine) const;
  Scope protocol_scope(Instance& machine, const Item& protocol, const Symbolic& size, ir::ValueId local,
                       ir::FrameId frame, Place place);
  // The first protocol whose `when` holds, as a word.
  ir::ValueId protocol_name(Instance& machine, const Symbolic& size, ir::ValueId local, Place place);

  // --- instances.cpp ---
  Symbolic instantiate(const Item& declaration, const std::vector<Named>& given, Place place, const Naming* naming);
  Symbolic replace_parameters(const Instance& instance, const std::vector<Named>& given, Place place,
                              const Naming* naming);
  Symbolic member(Instance& instance, const std::string& name, Place place, bool from_outside);
  Symbolic member_of(const Symbolic& object, const std::string& name, const Scope& scope, Place place);
  static const Item* find_member(const Item& declaration, const std::string& name);
  Scope scope_of(Instance& instance) const;
  Symbolic global(const Item& item, Place place);
  ir::ValueId requirements(Instance& instance);
  Symbolic guard(const Symbolic& value, Instance& instance);

  // --- lower.cpp ---
  Instance& make_root(const Item& declaration);

  // --- parameters.cpp ---
  void set_overrides(const std::vector<Override>& overrides);
  const Override* override_of(const Instance& instance, const std::string& name, bool is_given);
  void list_parameters(Instance& instance, std::vector<ParameterInfo>& into);
  // Of those that were listed, once everything is lowered.
  void tell_what_is_asked(std::vector<ParameterInfo>& parameters) const;
  void report_unused_overrides();

  // --- lifted.cpp ---
  // A machine or model that no longer depends on a loop: inside another frame, what it depended on has become that
  // frame's arguments. Null where it still does.
  Symbolic settle(const value::Lifted& lifted, const Scope& scope, Place place);
  Symbolic lift(const value::Lifted& lifted, LiftedStep step, const Scope& scope, Place place);

  // --- lists.cpp ---
  std::vector<Iteration> enumerate(const Symbolic& list, bool nested, Place place);
  std::vector<Iteration> iterate(std::span<const Binder> binders, const Scope& scope, bool nested);
  ir::ValueId count(const Symbolic& list, Place place);
  Symbolic index(const Symbolic& list, ir::ValueId position, Place place);
  Symbolic evaluate_index(const Expr& expr, const expr::Index& node, const Scope& scope);
  const std::string& text_of_word(std::int64_t word) const { return words_[static_cast<std::size_t>(word)]; }
  std::vector<Symbolic> elements(const Symbolic& list, Place place);  // known here, or a diagnostic
  Symbolic read_series(const value::Series& series, const std::vector<Symbolic>& indices, Place place);

  // --- reductions.cpp ---
  Symbolic reduce(const expr::Reduce& node, const Scope& scope, Place place);
  Symbolic reduce_list(ReduceOperator op, const Symbolic& list, Place place);

  // --- orders.cpp ---
  // `call`: of `diagonal_fills`, which names axes.
  Symbolic fills(const std::string& what, const Symbolic& order, const expr::Call* call, const Scope& scope,
                 Place place);
  std::vector<const value::Corner*> corners_of(const std::string& what, const std::vector<Symbolic>& elements,
                                               Place place);
  std::vector<bool> axes_of_fills(const expr::Call& call, std::size_t axes, const Scope& scope, Place place);

  // --- literals.cpp ---
  // From here on literals that carry time are definitions; each is listed.
  void list_literals(std::vector<LiteralInfo>& into) { literals_ = &into; }
  ir::ValueId literal(const expr::Number& node, Place place);
  void note_table_of_times(ir::TableId table, const TypeRef& values, Place place);
  // From here on what is written with `±` depends on draws; each is listed.
  void list_uncertain(std::vector<UncertainInfo>& into) { uncertain_ = &into; }
  Symbolic uncertain(const expr::Uncertain& node, const Scope& scope, Place place);
  // While it lives literals and what is written with `±` are constants.
  class ConstantLiterals {
   public:
    explicit ConstantLiterals(Lowering& self)
        : self_(self),
          before_(std::exchange(self.literals_, nullptr)),
          draws_before_(std::exchange(self.has_draws_, false)) {}
    ConstantLiterals(const ConstantLiterals&) = delete;
    ~ConstantLiterals() {
      self_.literals_ = before_;
      self_.has_draws_ = draws_before_;
    }

   private:
    Lowering& self_;
    std::vector<LiteralInfo>* before_;
    bool draws_before_;
  };

  // --- process_list.cpp ---
  void list_processes(Instance& model, std::vector<ProcessInfo>& into);

  // --- tables.cpp ---
  Symbolic table(const expr::TableLiteral& node, const Scope& scope, Place place);
  Symbolic table(const expr::TableFile& node, const TypeRef& type, Place place);
  void read_entries(const expr::TableLiteral& node, const Scope& scope, ir::Table& table);

  // --- flops.cpp ---
  Symbolic flops(const expr::Flops& node, const Scope& scope, Place place);

  // --- flops_list.cpp ---
  void list_flops(const std::vector<std::unique_ptr<Item>>& items, Instance* owner, std::vector<FlopsInfo>& into);

  // --- recurrences.cpp ---
  Recurrence& recurrence(Instance& instance, const Item& declaration);
  Symbolic read(const value::Event& event, const std::vector<Symbolic>& indices, const Scope& scope, Place place);
  void lower_recurrence(Recurrence& recurrence);
  // Extents of a grid's axes.
  std::vector<ir::ValueId> extents(const value::Grid& grid);

  // --- processes.cpp ---
  LoweredProcess& process(Instance& instance, const Item& declaration);
  void lower_process(LoweredProcess& process);
  // A time or size that is given to a process; `what` it is, for the words of the failure.
  ir::ValueId not_negative(ir::ValueId value, Place place, const TypeRef& type, const std::string& what);

  // --- message_ends.cpp ---
  // What the messages of a machine do at both ends.
  ir::EndsId message_ends(Instance& machine, Place place);

  // --- collectives.cpp ---
  // What an algorithm takes alone on p processes that start together.
  Symbolic call_algorithm(const value::Function& function, const std::vector<Named>& arguments, Place place);

  // --- process_members.cpp ---
  // `transport.time`, `transport.finish[i, j]`, `transport.phase("x").compute`; null: another expression.
  Symbolic evaluate_measure(const Expr& expr, const Scope& scope);
  Symbolic measure(const value::Process& process, const std::string& quantity, const std::optional<std::string>& phase,
                   ir::Over over, const std::vector<Symbolic>& indices, Place place);

  // --- outputs.cpp ---
  OutputInfo output(Instance& instance, const Item& item);
  TestInfo test(const Item& item);

  // --- study.cpp ---
  // From here on the study is lowered: its model with what varies, and what it sets.
  Instance& make_study_root(const item::Study& study, const std::vector<std::size_t>& choices);
  void refuse_double_settings();
  StudyVariable variable(Instance& root, const item::Study::Vary& vary);
  OutputInfo shown(Instance& root, const item::Study::Show& show);
  OutputInfo condition(Instance& root, const Expr& condition);

  // --- diagnostics ---
  [[noreturn]] void abandon(DiagnosticKind kind, Place place, const std::string& message, const std::string& label = {},
                            const std::string& help = {});
  ir::SiteId site(ir::FailureKind kind, Place place, const std::string& text = {}, std::vector<Place> related = {});
  // None for one that never fails.
  ir::SiteId site(const ir::Operation& operation, Place place, const std::string& text = {});

  // --- notes.cpp ---
  void note_types(ir::SiteId site, std::vector<TypeRef> types) { notes_[site.index].operands = std::move(types); }
  // The types of what the sites of an expression's place have as operands.
  void note_operands(Place place, std::vector<TypeRef> types);
  void note_table(ir::SiteId site, ir::TableId table) { notes_[site.index].table = table; }

  const Program& program;
  ir::Builder b;
  FactTable facts;
  Diagnostics& diagnostics;

 private:
  struct Specialisation;
  struct LiftedFrame;

  Symbolic evaluate_name(const expr::Name& node, const Scope& scope, Place place);
  Symbolic evaluate_when(const expr::When& node, const Scope& scope, Place place);
  Symbolic evaluate_list(const expr::List& node, const Scope& scope, Place place);
  Symbolic evaluate_range(const expr::Range& node, const Scope& scope, Place place);
  Symbolic call_distributed(const value::Function& function, std::vector<Symbolic> arguments, const Scope& scope,
                            Place place);
  Symbolic inline_call(const value::Function& function, const std::vector<Symbolic>& arguments, const Scope& scope,
                       Place place);
  Symbolic call_framed(const std::string& name, const std::string& identity, ir::FrameId parent,
                       const std::vector<std::string>& names, const std::vector<Symbolic>& arguments,
                       const TypeRef& result,
                       const std::function<Symbolic(const std::vector<Symbolic>&, ir::FrameId)>& body,
                       const std::function<Symbolic()>& otherwise, Place place);
  Symbolic run_body(const value::Function& function, const std::vector<Symbolic>& arguments, Scope scope, bool define);
  Instance& new_instance(const Item& declaration, const std::vector<Named>& given, const Naming* naming, Place place);
  void evaluate_member(Instance& instance, const Item& item, Member& member);
  void evaluate_parameter(Instance& instance, const Item& item, Member& member);
  void evaluate_let(Instance& instance, const Item& item, const Expr& value, const TypeRef& type, Member& member);
  Symbolic parameter_value(Instance& instance, const Item& item);
  // What must hold for a parameter's range, with the site of each bound.
  std::vector<std::pair<ir::ValueId, ir::SiteId>> range_checks(Instance& instance, const Item& item,
                                                               ir::DefinitionId raw);
  ir::SiteId bound_site(Instance& instance, const Item& item, const Expr& bound, bool is_lower);
  void note_origin(const Instance& instance, const Item& item, SiteNote& note);
  void find_generic_functions();
  bool in_generic_function(Place place) const;
  Symbolic apply_step(const Symbolic& object, const LiftedStep& step, const Scope& scope, Place place);
  LiftedFrame& lifted_frame(const value::Lifted& lifted, std::vector<ir::ValueId> captures, Place place);
  Symbolic leave_frame(const Symbolic& value, LiftedFrame& frame, Place place);
  std::vector<Iteration> enumerate_range(const value::Range& range, Place place);
  ir::ValueId position_within(ir::ValueId position, ir::ValueId last, ir::SiteId outside);
  std::optional<Symbolic> index_numbers(const std::vector<Symbolic>& elements, ir::ValueId position,
                                        ir::SiteId outside);
  std::vector<Iteration> enumerate_positions(const Symbolic& list, Place place);
  Symbolic run_ends(const Item& protocol, const Scope& scope, const std::string& end);
  Symbolic fold_cases(ReduceOperator op, const std::vector<Iteration>& cases, const expr::Reduce& node, Place place);

  // study.cpp
  bool is_of_study(const Instance& instance) const;
  Scope scope_in_study(Instance& instance) const;
  Scope scope_of_shows(Instance& instance, std::size_t count) const;
  std::size_t shows_in(const Scope& scope) const;
  Symbolic stand_in(const item::Study::Vary& vary, const Scope& scope);
  Symbolic chosen(const item::Study::Vary& vary, const Naming& naming);
  // What a study says of a parameter that was not given; null: nothing.
  Symbolic parameter_in_study(Instance& instance, const Item& item, const Naming& naming);
  // What varies holds for copies, too, where they do not say otherwise.
  std::vector<Named> varied_from_outside(const Instance& instance);
  Symbolic elsewhere(const Expr& expr, const expr::Index& node, const Scope& scope);
  // `total(n = d)`: an output of the study's model with other parameters; null: another call.
  Symbolic output_with(const expr::Call& call, const Scope& scope, Place place);
  void describe(Instance& root, const item::Study::Vary& vary, StudyVariable& info);
  void list_values(Instance& root, const item::Study::Vary& vary, StudyVariable& info);

  std::vector<std::string>& words_;
  SiteNotes& notes_;
  std::unordered_map<std::string, std::int64_t> word_numbers_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::vector<TypeRef>> operands_at_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, const expr::Call*> calls_at_;
  std::vector<Place> generic_functions_;
  std::map<std::tuple<int, std::uint32_t, std::uint32_t, std::uint32_t, std::string>, ir::SiteId> sites_;
  std::vector<std::unique_ptr<Instance>> instances_;
  std::map<std::string, Instance*> shared_instances_;
  std::map<const Module*, Instance*> module_instances_;
  std::map<std::string, std::unique_ptr<Specialisation>> specialisations_;
  std::map<std::string, std::unique_ptr<LiftedFrame>> lifted_frames_;
  std::map<std::string, ir::TableId> table_of_list_;
  std::map<const Expr*, Symbolic> tables_;
  std::vector<LiteralInfo>* literals_ = nullptr;
  std::map<std::pair<std::uint32_t, std::uint32_t>, ir::DefinitionId> literal_at_;  // by file and begin
  std::vector<UncertainInfo>* uncertain_ = nullptr;
  bool has_draws_ = true;                                                        // not where values must be constants
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> uncertain_at_;  // by file and begin
  std::map<std::string, ir::SpaceId> spaces_;
  std::map<const Instance*, ir::EndsId> ends_;
  const item::Study* study_ = nullptr;
  std::vector<std::size_t> choices_;                    // of the study's variables that shape the system
  std::map<std::string, ir::DefinitionId> free_names_;  // of the study, that are no parameters
  std::vector<const Override*> overrides_;
  std::vector<bool> override_used_;
  std::vector<const Member*> listed_;  // parameters
  std::map<const Item*, std::size_t> nested_instances_;
  Instance* root_ = nullptr;
  std::size_t depth_ = 0;
  std::size_t inlined_ = 0;
};

// Runs `work` on a stack large enough for `Bounds::evaluations`.
void with_deep_stack(const std::function<void()>& work);

}  // namespace wave::frontend::lowering
