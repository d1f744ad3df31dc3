// Processes: their messages, their statements, and what can be asked of them.
#pragma once

#include "frontend/lower/parts.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace wave::frontend::lowering {

// What a message costs, and what it does at both ends: which protocol it takes, and how the two ends of that run
// against each other (language.md, section 4).
class Messages {
 public:
  explicit Messages(const Parts& parts) : parts_(parts) {}

  ValuePtr call_derived(const value::Derived& derived, const std::vector<Named>& arguments, const Scope& scope,
                        Location location);
  // The name of the first protocol whose `when` holds, as a word.
  ir::ValueId protocol_name(Instance& machine, const ValuePtr& size, ir::ValueId within, Location location);
  // What the messages of a machine do at both ends, under the protocols of its declaration or of one that it extends.
  ir::EndsId message_ends(Instance& machine, const Item& declaration, Location location) {
    return message_ends({{&machine, &declaration}}, location);
  }
  // Among processes whose machines are of several kinds (kinds.cpp).
  ir::EndsId message_ends(const std::vector<Instance*>& kinds, Location location);
  void require_same_levels(const Instance& one, const Instance& other, Location location);

 private:
  // Where the two ends of a message are: the level that they share, and their ranks.
  struct Places {
    ir::ValueId within, sender, receiver;
  };
  Scope protocol_scope(Instance& machine, const Item& protocol, const ValuePtr& size, const Places& places,
                       ir::FrameId frame, Location location);
  // A machine, and whose protocols it takes: its own, or those of one that it extends.
  using Kind = std::pair<Instance*, const Item*>;
  ir::EndsId message_ends(const std::vector<Kind>& kinds, Location location);
  // The protocols of messages from one kind to another, one after the other, with what says that it is this pair.
  struct PairOfKinds {
    const Kind &sender, &receiver;
    std::size_t resources_of_sender, resources_of_receiver;  // their first ones
    ir::ValueId is_chosen;                                   // not valid: there is one kind
  };
  void add_protocols(const PairOfKinds& pair, ir::ValueId within, ir::MessageEnds& ends, Location location);
  const Item* received_as(const Item& protocol, const PairOfKinds& pair) const;
  ir::ValueId refused(const Item& protocol, const PairOfKinds& pair);
  ValuePtr run_ends(const Instance& machine, const Item& protocol, const Scope& scope,
                    const std::set<std::string>& shared, const std::string& end);
  // Of the last of so many pairs that send at once (sharing.cpp). `inside`: the size, `within`, how many. `kinds`: the
  // machines of the senders and of the receivers.
  ValuePtr cost_of_pairs(const value::Derived& derived, const std::pair<Kind, Kind>& kinds,
                         const std::vector<ValuePtr>& inside, ir::FrameId frame, Location location);
  // Between machines of two kinds (kinds.cpp). `asked`: the size, `within`, how many pairs, and the machines; null: as
  // for one pair, and of this machine.
  ValuePtr cost_between(const value::Derived& derived, const std::vector<ValuePtr>& asked, Location location);
  ValuePtr call_pairs(const value::Derived& derived, const std::pair<Kind, Kind>& kinds, const ValuePtr& size,
                      const ValuePtr& within, const ValuePtr& sharing, Location location);
  void add_resources(Instance& machine, ir::MessageEnds& ends);

  const Parts& parts_;
  ir::Builder& b_ = parts_.b;
  Sites& sites_ = parts_.sites;
  Values& values_ = parts_.values;
  Expressions& expressions_ = parts_.expressions;
  Functions& functions_ = parts_.functions;
  Instances& instances_ = parts_.instances;
  Levels& levels_ = parts_.levels;
  std::map<std::vector<Kind>, ir::EndsId> ends_;
};

// Processes, and algorithms of collectives: lowered when they are first asked for.
class Processes {
 public:
  explicit Processes(const Parts& parts) : parts_(parts) {}

  LoweredProcess& process(Instance& instance, const Item& declaration);
  void lower_process(LoweredProcess& process);
  // A time or size that is given to a process. `what` says what it is, should it fail.
  ir::ValueId not_negative(ir::ValueId value, Location location, const TypeRef& type, const std::string& what);
  // The time that an algorithm takes by itself, on p processes that start together.
  ValuePtr call_algorithm(const value::Function& function, const std::vector<Named>& arguments, Location location);
  // `transport.time`, `transport.finish[i, j]`, `transport.phase("x").compute`; null for any other expression.
  ValuePtr evaluate_measure(const Expr& expr, const Scope& scope);
  // `part`: the name of a phase, or of what is held.
  ValuePtr measure(const value::Process& process, const std::string& metric, const std::optional<std::string>& part,
                   ir::Over over, const std::vector<ValuePtr>& indices, Location location);
  void list_processes(Instance& model, std::vector<ProcessInfo>& into);

 private:
  [[noreturn]] void no_part(const std::string& process, const char* kind, const std::string& name,
                            const std::vector<std::string>& there_are, const char* how, Location location);

  const Parts& parts_;
  ir::Builder& b_ = parts_.b;
  Sites& sites_ = parts_.sites;
  Values& values_ = parts_.values;
  Expressions& expressions_ = parts_.expressions;
  Functions& functions_ = parts_.functions;
  Instances& instances_ = parts_.instances;
  Lifting& lifting_ = parts_.lifting;
};

// The processes of a group.
struct Strides {
  bool by_rank = false;  // one, of ranks; else one for each axis of the grid
  // The processes first, first + step, ... of `count`, from 0.
  struct Stride {
    ir::ValueId first, step, count;
  };
  std::vector<Stride> axes;
  ir::ValueId rank, participants;  // the own one among them, from 1, in row-major order; and how many there are
};

// How the block of a process, procedure or algorithm names the processes: by some of the grid's axes under names of its
// own, while the others stay where they are; or by their rank.
struct View {
  std::string grid;  // `P` in `P[e]`
  std::vector<std::string> names;
  std::vector<std::uint32_t> axes;       // which axis of the grid each name stands for
  bool by_rank = false;                  // by one name, the rank in row-major order from 1
  std::shared_ptr<const Strides> group;  // by their rank among these; null: among all
  bool wraps = true;  // its offsets go round where the grid does. Those of an algorithm do not: its ranks are a line
};

// The machines of a process that has others at other places, as its `using` says (kinds.cpp).
struct Kinds {
  std::vector<Instance*> machines;  // each once
  const Expr* choice = nullptr;     // which of them, by the names of the axes
  Scope scope;                      // of that, but for these names
};

// The surroundings of the statements of a block.
struct Body {
  Scope scope;
  View view;
  const Item* declaration = nullptr;          // whose block it is. Names of operations belong to it
  Instance* machine = nullptr;                // carries the messages, and offers the collectives
  std::shared_ptr<const Kinds> kinds;         // null: the same machine everywhere
  bool is_kind_known = false;                 // `machine` is that of the processes that come here
  std::uint32_t context = 0;                  // of its messages
  const std::vector<bool>* corner = nullptr;  // of the sweep around it, or null
  bool in_sweep = false;                      // whether the block is in a sweep, or one that called it is
  bool in_task = false;                       // the same of a task
  bool waits_as_task = false;                 // what is received is what a task waits for
  double place = 0;                           // of the block, and in it of the statement, for draws (noise.cpp)
  std::vector<ir::ValueId> rounds;            // of the loops and sweeps around it, the outermost first
  // The conditions and loops around it that not all processes take alike.
  struct Divided {
    std::uint64_t axes = 0;     // along which they differ, a bit each
    bool divides_group = true;  // whether they differ among the members of the group that runs it
    Location location;
  };
  std::vector<Divided> divided;
};

// The number of a part of the program, in a part that has one: the k-th statement of a block; 0 is what is behind
// `else`.
double place_inside(double place, std::size_t number);

// Lowers one process. Its statements become ir statements, block by block. Procedures and the algorithms of collectives
// are written out where they are called. The order of a sweep is resolved into corners, and `upwind` and `downwind`
// into offsets.
class ProcessLowering {
 public:
  ProcessLowering(const Parts& parts, std::string name, ir::FrameId frame, ir::SpaceId space, Location location);

  // The grid's declaration, which may say which processes share a node.
  void set_grid(const value::Grid& grid) { grid_ = grid; }
  void run_process(const item::Process& node, Instance& instance, const Item& item);
  // Runs the algorithm of a collective by itself, with its parameters bound in `scope`.
  void run_algorithm(const Item& collective, Instance& machine, const Scope& scope);
  // Adds what has been lowered to the system.
  ir::ProcessId finish();

  ir::ValueId requirements() const { return requirements_; }

 private:
  struct SweepParts;

  // --- process_statements.cpp ---
  void lower_with(const ValuePtr& machine, Kinds kinds, const Block& program, Body body, ir::Block& into,
                  ir::ValueId& required);
  void lower(const Block& block, Body body, ir::Block& into);
  void lower(const Statement& statement, Body& body, ir::Block& into);
  void hold(const statement::Hold& node, Location location, const Body& body);
  // Writes what a statement holds before it at the first of the statements that it has become, `first` in `into`.
  void say_held(std::vector<ir::HeldId> held, std::size_t first, ir::Block& into);
  void compute(const Statement& statement, const statement::Compute& node, const Body& body, ir::Block& into);
  void wait(const Statement& statement, const std::vector<Identifier>& handles, bool is_any, const Body& body,
            ir::Block& into);
  void ready(const Statement& statement, const statement::Ready& node, const Body& body, ir::Block& into);
  void task(const Statement& statement, const statement::Task& node, const Body& body, ir::Block& into);
  // What all processes take part in has an order, and what is held a sum that is the same each time.
  void not_in_task(const Body& body, Location location, const char* what);
  void repeat(const Statement& statement, const statement::Repeat& node, const Body& body, ir::Block& into);
  void loop(const Statement& statement, const statement::For& node, const Body& body, ir::Block& into);
  void conditional(const Statement& statement, const statement::If& node, const Body& body, ir::Block& into);
  void phase(const Statement& statement, const statement::Phase& node, const Body& body, ir::Block& into);
  // Adds one or the other, as the condition says. A branch that is known not to be taken is not lowered.
  using Fill = std::function<void(ir::Block&)>;
  void branch(ir::ValueId condition, Location location, const Fill& if_true, const Fill& if_false, ir::Block& into);
  // Adds `block`, as often as the iteration says.
  void iterate(const Iteration& iteration, Location location, ir::Block block, ir::Block& into);
  void fail(ir::SiteId site, Location location, ir::Block& into);
  void add(ir::Block& into, ir::Statement statement);
  // Counts a statement that is written out, up to a bound.
  void spend();
  // Along which axes it differs between processes, a bit each.
  std::uint64_t varies(ir::ValueId value);
  std::uint64_t varies(const Iteration& iteration);
  // Whether it differs between the members of a group. How many these are differs only from group to group.
  bool differs_among(const Strides& group, ir::ValueId value);
  bool differs_among(const Strides& group, const Iteration& iteration);
  template <class Value>
  void divide(Body& body, const Value& value, Location location) {
    const std::uint64_t axes = varies(value);
    const auto& group = body.view.group;
    if (axes != 0) body.divided.push_back({axes, !group || differs_among(*group, value), location});
  }
  // Who takes part in a call: a line, a group, or all.
  struct Part {
    std::optional<std::uint32_t> line;
    std::shared_ptr<const Strides> group;
  };
  // That nothing around it differs between those that take part together.
  void require_all(const Body& body, Location location, const char* what, const Part& part);
  ir::BlockId add_block(ir::Block block);
  ir::HandleId handle(const Body& body, const std::string& name);
  ir::PhaseId phase_id(const std::string& name);
  View whole_grid(const std::string& name) const;
  void bind_axes(Body& body);
  ir::ValueId own_index(std::uint32_t axis) const;
  // Makes every process that comes here fail unless the condition holds.
  void demand(ir::ValueId condition, ir::SiteId site, Location location, ir::Block& into);

  // --- noise.cpp ---
  // The time that the machine makes of that of a `compute`.
  ir::ValueId computed(ir::ValueId work, Location location, const Body& body);
  bool has_noise(const Body& body) const;
  ir::ValueId draw(const Body& body, Location location);
  // A round of a loop; `number` is that of the iteration among those of its list.
  void enter_round(const Iteration& iteration, std::size_t number, std::vector<ir::ValueId>& rounds);

  // --- kinds.cpp ---
  void find_kinds(const ValuePtr& machine, Kinds& kinds) const;
  ir::ValueId kind_at(const Kinds& kinds, const value::Point& place, Location location);
  // Adds to the level that both ends of a message share the number of their pair of kinds.
  void set_kinds(ir::Message& message, const Kinds& kinds, Location location);
  void collective_of_kinds(const Statement& statement, const statement::Call& node, const std::string& name,
                           const Body& body, ir::Block& into);

  // --- sweeps.cpp ---
  void sweep(const Statement& statement, const statement::Sweep& node, const Body& body, ir::Block& into);
  [[noreturn]] void differs(Location location, const char* what);
  void sweep_in_turn(SweepParts& parts, const ValuePtr& order, ir::Block& into);
  void sweep_at_once(SweepParts& parts, std::vector<ValuePtr> corners, std::vector<ir::Front> fronts, ir::Block& into);
  ir::Front front(SweepParts& parts, const value::Corner& corner, Location location);
  void add_sweep(SweepParts& parts, std::vector<ir::Front> fronts, ir::Block& into);

  // --- peers.cpp ---
  void message(const Statement& statement, const statement::Message& node, const Body& body, ir::Block& into);
  ir::Peer peer(const Neighbourhood& node, const Body& body);
  ir::Peer wind(const Neighbourhood& node, const Body& body);
  [[noreturn]] void refuse_swept_axis(const Identifier& axis, Location wraps);
  ir::Peer offset(const Neighbourhood& node, const Body& body);
  // How far an index of an offset leads along the axis with this name.
  ir::ValueId distance(const Expr& index, const Body& body, const std::string& axis);
  ir::Peer absolute(const Neighbourhood& node, const Body& body);
  // An axis of the grid; and its number among those that the block names, also where a parameter stands for it.
  std::size_t axis_of(const Identifier& name, const Body& body);
  std::size_t number_of(const Identifier& name, const Body& body);
  std::vector<std::size_t> numbers_of(const std::vector<Identifier>& names, const Body& body);  // all different
  void set_places(ir::Message& message, const Item& machine, Location location);
  void add_levels();
  value::Point own_place() const;
  std::vector<ir::ValueId> coordinates_of(const ir::Peer& peer, Location location);
  std::optional<ir::ValueId> inside(const ir::Peer& peer, const Body& body, Location location);

  // --- collectives.cpp ---
  void call(const Statement& statement, const statement::Call& node, const ValuePtr& callee, const Body& body,
            ir::Block& into);
  void procedure(const Statement& statement, const statement::Call& node, const value::Function& callee,
                 const Body& body, ir::Block& into);
  // `callees`: a cost on machines of several kinds, or one collective.
  void collective(const Statement& statement, const statement::Call& node, const std::vector<value::Function>& callees,
                  const Body& body, ir::Block& into);
  // The largest of the costs that the machines of several kinds give.
  void cost(const Statement& statement, const std::vector<value::Function>& callees,
            const std::vector<Named>& arguments, std::optional<std::uint32_t> line, ir::Block& into);
  void algorithm(const Statement& statement, const value::Function& callee, std::vector<Named> arguments,
                 const Part& part, const Body& body, ir::Block& into);
  // Writes a call of the program at the first of the statements that it has become, `first` in `into`.
  void note_call(const value::Function& callee, const std::vector<Named>& arguments, const Part& part,
                 ir::ValueId participants, Location location, std::size_t first, ir::Block& into);
  ir::ValueId size_of_call(const value::Function& callee, const std::vector<Named>& arguments, const Part& part,
                           ir::ValueId participants, Location location);
  ValuePtr callee(const statement::Call& node, const Body& body);
  std::vector<Named> arguments_of(const statement::Call& node, const Body& body);
  // What an axis that is given to a procedure is in its own block.
  ValuePtr passed(const value::Axis& axis, const Body& caller, const Body& inside, Location location);
  // The axis along which a call is made; none if it is a call of all processes.
  std::optional<std::uint32_t> line_of(const statement::Call& node, const Body& body);
  // The axes that a procedure or an algorithm declares: their names, and how many processes take part along each.
  using OwnAxes = std::vector<std::pair<Identifier, ExprPtr>>;
  Part part_of(const statement::Call& node, const Body& body, Location location);
  ir::Peer member(const Neighbourhood& node, const Body& body, std::optional<ir::ValueId>& exists);
  View own_view(const Item& item, const Identifier& grid, const OwnAxes& axes, const Part& part,
                Location location) const;
  void open_own_grid(const Item& item, const OwnAxes& axes, const Part& part, Location location, Body& body,
                     ir::Block& into);
  void run_inlined(const Item& item, const Block& block, Body body, Location location, ir::Block& into);
  ir::ValueId participants(const Part& part, Location location);
  ir::ValueId rank(Location location);
  ir::ValueId extent(std::uint32_t axis) const { return axes_[axis].last; }
  std::uint32_t context_of(const Item& collective);

  // Refuses messages that no statement of the process can ever answer (matches.cpp).
  void check_matches() const;

  const Parts& parts_;
  ir::Builder& b_ = parts_.b;
  ir::Process process_;
  std::vector<ir::Axis> axes_;
  std::optional<value::Grid> grid_;
  std::map<std::pair<const Item*, std::string>, ir::HandleId> handles_;
  std::map<std::string, ir::PhaseId> phases_;
  std::map<const Item*, std::uint32_t> contexts_;
  std::set<std::string> written_phases_;
  std::vector<ir::HeldId> held_;      // since the last statement of the block at hand
  std::vector<const Item*> inlined_;  // procedures and algorithms inside each other
  std::size_t statements_ = 0;
  ir::ValueId requirements_;
};

}  // namespace wave::frontend::lowering
