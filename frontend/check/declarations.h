// Declarations: functions, machines, processes, studies and all others.
#pragma once

#include "frontend/check/context.h"
#include "frontend/check/signature.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wave::frontend::check {

// The signature as the type of a value.
TypeRef type_of(const Signature& signature);

// `send`, `recv` and `total` as they follow from the protocols of a machine.
Signature derived_signature(const std::string& name, Location location);
// Adds the machines of its ends, `from` and `to`, to what a `send` or `total` of this machine or interface takes.
void add_ends(Signature& signature, const Item& machine);

// An argument for a parameter without a type. If it is a function, it is remembered which one.
struct Given {
  TypeRef type;
  const Item* function = nullptr;
};

// Functions: their signatures and bodies. Those without parameter types are checked again at each call.
class Functions {
 public:
  explicit Functions(const Parts& parts) : parts_(parts) {}

  Signature signature_of(const Item& item);  // of a function or a collective
  TypeRef function_type(Item& item, item::Function& function);
  void check_function(Item& item, item::Function& function);
  // The type of the result with arguments of these types.
  TypeRef instantiate(Item& item, item::Function& function, std::vector<Given> given, Location call);
  // Whether a function can be called as `expected` says. A function without parameter types is checked with those
  // types.
  bool fits_function(const Item& item, const types::Function& expected, Location use);

  // Declares parameters as locals. Returns their types.
  std::vector<TypeRef> open_parameters(std::vector<Parameter>& parameters, const char* what,
                                       bool is_of_procedure = false);
  void check_locals(std::vector<LocalLet>& lets);
  void check_local(const Identifier& name, const TypeExprPtr& type, Expr& value);
  void require_known(const Identifier& name, const Expr& value);

 private:
  void check_default_values(std::vector<Parameter>& parameters,
                            const std::vector<std::pair<std::string, TypeRef>>& types);
  TypeRef check_body(Item& item, item::Function& function, const std::vector<Given>& arguments, const TypeRef& result);

  const Parts& parts_;
  Context& context_ = parts_.context;
  Reports& reports_ = parts_.reports;
  Names& names_ = parts_.names;
  Types& types_ = parts_.types;
  Expressions& expressions_ = parts_.expressions;
  References& references_ = parts_.references;
  Declarations& declarations_ = parts_.declarations;
  std::unordered_map<std::string, TypeRef> instances_;  // results of generic functions, by what they were given
};

// All declarations. The type of an item is found when it is first needed, so declarations may stand in any order.
class Declarations {
 public:
  explicit Declarations(const Parts& parts) : parts_(parts) {}

  void check_members(std::vector<std::unique_ptr<Item>>& items, const Item* owner);
  // Checks an item before its turn, so that the names in its body are resolved.
  void check_early(const Item& item);
  TypeRef type_of(const Item& item, Location use);  // of what has a value: param, let, fn, rec, grid, process, output

 private:
  struct State {
    enum class Progress { fresh, finding, found } progress = Progress::fresh;
    TypeRef type;
    bool checked = false;
  };

  void check_item(Item& item);
  TypeRef find_type(Item& item);
  TypeRef find_output_type(item::Output& output);
  TypeRef report_recursion(const Item& item, Location use);
  void report_not_a_value(const Item& item, Location use);

  // --- bodies ---
  void check_let(Item& item, item::Let& let);
  void check_param(Item& item, item::Param& param);
  void check_record(Item& item, item::Record& record);
  void check_require(item::Require& require);
  void check_grid(Item& item, item::Grid& grid);
  void check_grid_level(const Item& item, const item::Grid& grid, item::GridLevel& level);
  void check_recurrence(Item& item, item::Recurrence& recurrence);
  void check_axis_range(Expr& range);
  void check_over(const Item& item, const item::Recurrence& recurrence);
  void check_output(Item& item, item::Output& output);
  void check_test(item::Test& test);
  void check_expect(item::Expect& expect);

  const Parts& parts_;
  Context& context_ = parts_.context;
  Reports& reports_ = parts_.reports;
  Dependences& dependences_ = parts_.dependences;
  Names& names_ = parts_.names;
  Types& types_ = parts_.types;
  Expressions& expressions_ = parts_.expressions;
  Collections& collections_ = parts_.collections;
  Functions& functions_ = parts_.functions;
  Machines& machines_ = parts_.machines;
  Processes& processes_ = parts_.processes;
  Studies& studies_ = parts_.studies;
  std::unordered_map<const Item*, State> states_;
  std::vector<const Item*> finding_;  // items whose types are being found, outermost first
};

// Machines, compared with their interface and the machine that they extend; collectives; and protocols, whose ends must
// meet.
class Machines {
 public:
  explicit Machines(const Parts& parts) : parts_(parts) {}

  void check_computed(const Item& item);
  void check_machine(Item& item, item::Machine& machine);
  void check_collective(Item& item, item::Collective& collective);
  void check_protocol(Item& item, item::Protocol& protocol);
  void check_resource(item::Resource& resource);

 private:
  void check_levels(const item::Machine& machine);
  void check_overrides(const Item& item, const item::Machine& machine);
  void check_override_type(const Item& item, const Item& replaced);
  void refer_to_replaced(const Item& item, const Item& replaced);
  void check_interface_met(const Item& item);

  // --- protocols ---
  void check_protocol_choice(const Item& machine);
  void check_end(Block& block);
  void check_use(statement::Use& use);
  void check_acquires(const Block& block);
  void check_arrivals(const Block& block);
  void check_bytes(const Block& block);
  void check_sent(const statement::Sent& sent, const std::map<std::string, const statement::Emit*>& emitted);
  void check_signals(const Item& item, const item::Protocol& protocol);
  void check_progress(const Item& item, const item::Protocol& protocol);

  const Parts& parts_;
  Context& context_ = parts_.context;
  Reports& reports_ = parts_.reports;
  Dependences& dependences_ = parts_.dependences;
  Names& names_ = parts_.names;
  Types& types_ = parts_.types;
  Expressions& expressions_ = parts_.expressions;
  Functions& functions_ = parts_.functions;
  Declarations& declarations_ = parts_.declarations;
  Processes& processes_ = parts_.processes;
};

// Processes, procedures and the algorithms of collectives: what every processor does.
class Processes {
 public:
  explicit Processes(const Parts& parts) : parts_(parts) {}

  void check_process(item::Process& process);
  void check_procedure(item::Procedure& procedure);
  void check_algorithm(item::Collective& collective);

 private:
  using Axes = std::vector<std::pair<Identifier, ExprPtr>>;

  // Names the axes of the grid where the place says which machine a process has.
  bool reads_place(const Expr& net, const item::Grid& grid) const;
  bool open_choice(ProcessContext& process, const item::Process& node);
  TypeRef check_net(ProcessContext& process, Expr& net);
  void open_grid(ProcessContext& process, const Identifier& grid);
  void open_own_grid(ProcessContext& process, const Identifier& grid, Axes& axes);
  void check_program(ProcessContext& process, Block& program);
  void check_handles(ProcessContext& process);
  void check_block(Block& block);
  void prefer_own(Statement& statement);
  void check_block_under(const Expr& condition, bool varies, Block& block);
  void check_statement(Statement& statement);
  void check_ready(const Statement& statement, statement::Ready& list);
  void check_task(const Statement& statement, statement::Task& task);
  void check_listed(const Statement& statement);
  void check_repeat(statement::Repeat& repeat);
  void check_for(statement::For& loop);
  void check_conditional(statement::If& node);
  void forbid_index_condition(Location location, const char* what);

  // --- messages.cpp ---
  void check_message(Statement& statement, statement::Message& message);
  void check_peer(Neighbourhood& peer);
  void check_peer_indices(const Neighbourhood& peer);
  void check_offset(Neighbourhood& peer);
  // The name of the axis in a sum of it and others, which become `rest`: of `axis`, or of any if that is empty. Null if
  // there is none.
  const expr::Name* find_axis(Expr& sum, const std::string& axis, std::vector<Expr*>& rest);
  bool names_parameter(Expr& index);  // one that stands for an axis
  bool is_at_one_distance(Expr& index, const std::string& axis, Identifier& named);
  void require_once(const std::vector<Identifier>& axes);
  void check_sweep(Statement& statement, statement::Sweep& sweep);
  void require_level(const Identifier& level);
  void require_swept_axis(const Identifier& axis);
  void check_call(Statement& statement, statement::Call& call);
  void check_procedure_call(Statement& statement, statement::Call& call, const Item& item,
                            const item::Procedure& procedure);
  // A collective of the machine that the process uses or the algorithm belongs to.
  struct Callee {
    const Item* item = nullptr;
    bool may_be_any = false;  // if what would declare it was not understood
  };
  Callee find_collective(const std::string& name);
  const Item* called_member(Expr& callee);
  void report_unknown_call(const expr::Name& name, Location location);

  const Parts& parts_;
  Context& context_ = parts_.context;
  Reports& reports_ = parts_.reports;
  Dependences& dependences_ = parts_.dependences;
  Names& names_ = parts_.names;
  Types& types_ = parts_.types;
  Expressions& expressions_ = parts_.expressions;
  Collections& collections_ = parts_.collections;
  References& references_ = parts_.references;
  Calls& calls_ = parts_.calls;
  Functions& functions_ = parts_.functions;
  Declarations& declarations_ = parts_.declarations;
};

// Studies: what is varied, set, shown and plotted of a model.
class Studies {
 public:
  Studies(const Parts& parts, Program& program, Diagnostics& diagnostics)
      : parts_(parts), program_(program), diagnostics_(diagnostics) {}

  void check_study(item::Study& study);
  void check_study_of(const Item& model, item::Study& study);
  // Checks what was added to a study that has been checked.
  void check_conditions(item::Study& study);
  TypeRef check_study_index(expr::Index& node);

 private:
  void check_vary(const Item& model, item::Study& study);
  TypeRef check_values(const Item& model, item::Study::Vary& vary);
  void require_independent(const item::Study& study, const Expr& values);
  void check_sets(const Item& model, item::Study& study);
  void report_no_parameter(const Item& model, const Identifier& name);
  void refer_to_path(const Item& model, const Identifier& path);
  std::vector<Identifier> unused_vary(const item::Study& study) const;
  void show_outputs(const Item& model, item::Study& study);
  void check_shown(item::Study& study);
  void require_varied(const Identifier& name);

  const Parts& parts_;
  Program& program_;
  Diagnostics& diagnostics_;
  Context& context_ = parts_.context;
  Reports& reports_ = parts_.reports;
  Names& names_ = parts_.names;
  Expressions& expressions_ = parts_.expressions;
  Declarations& declarations_ = parts_.declarations;
};

}  // namespace wave::frontend::check
