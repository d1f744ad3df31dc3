// Takes a program apart, statement by statement, and carries the pieces out. A statement that is refused goes to the
// network. If a part of it has already been carried out, or the network cannot do it by itself, the whole plan is
// refused.
#include "backend/processes/plan.h"

#include "backend/processes/array_run.h"
#include "backend/processes/claimed.h"
#include "backend/processes/plan_arrays.h"
#include "backend/processes/plan_iterations.h"
#include "backend/processes/plan_kernels.h"
#include "backend/processes/program_uses.h"
#include "backend/processes/sweep_form.h"
#include "backend/processes/thresholds.h"
#include "ir/visit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace wave::backend::processes {

namespace {

using Statements = std::span<const ir::Statement>;

// Has the network do what comes before a piece, once, when the first part of the piece is carried out.
class Before {
 public:
  explicit Before(std::function<bool()> network) : network_(std::move(network)) {}
  // False: the network cannot do it by itself.
  [[nodiscard]] bool operator()() {
    if (!is_done_) is_done_ = network_();
    return *is_done_;
  }
  bool is_called() const { return is_done_.has_value(); }

 private:
  std::function<bool()> network_;
  std::optional<bool> is_done_;
};

// The variables of the loops inside.
std::set<ir::BinderId> loop_variables(const ir::Process& process, Statements statements) {
  std::set<ir::BinderId> found;
  for (const ir::Statement& statement : statements) {
    if (const auto* const loop = std::get_if<ir::Loop>(&statement.node)) {
      for (const ir::Level& level : loop->levels) found.insert(level.binder);
    }
    ir::for_each_block(statement,
                       [&](ir::BlockId block) { found.merge(loop_variables(process, process.blocks[block.index])); });
  }
  return found;
}

class Planner {
 public:
  Planner(const PlanInput& input, ProcessState& state, PlanReport& report)
      : input_(input),
        state_(state),
        report_(report),
        process_(input.process),
        grid_(input.extents),
        fields_(process_, grid_, {input.binders, input.scalars, input.look_at_clock, input.claim_memory}),
        wrap_(wrap_of(input)),
        ends_(fields_, input.resolver, wrap_),
        context_{process_, fields_, ends_, input.quantum, wrap_, {}},
        memory_([this](std::int64_t bytes) { return claim_if_possible(bytes); }),
        spare_(grid_.count(), input.claim_memory),
        kernels_(input, grid_, state, memory_),
        uses_(input.scalars.system(), process_, input.binders, ProgramUses::Of::all) {
    for (const auto& phase : state.phases) context_.wanted_phases.push_back(phase.wanted());
    context_.wanted_phases.resize(process_.phases.size(), false);
  }

  // Refused where the network has to take the program as a whole; throws Failed.
  [[nodiscard]] bool run() {
    // A window looks back over the messages of the whole program, and resources serve all of it by time.
    const ir::System& system = input_.scalars.system();
    if (has_windows(system, process_) || resource_use(system, process_).any) return false;
    if (!block(process_.body)) return false;
    input_.resolver.rounding.add(fields_.rounding);
    report_.schedule = fmt::format("{}", fmt::join(texts(), ", "));
    return true;
  }

 private:
  static std::vector<bool> wrap_of(const PlanInput& input);
  template <class Part>
  bool is_structure(const Part& statement_or_block) const {
    return processes::is_structure(process_, statement_or_block, &context_.wanted_phases);
  }

  // False: the whole plan is refused.
  [[nodiscard]] bool block(ir::BlockId id) { return !id.valid() || block(process_.blocks[id.index]); }
  [[nodiscard]] bool block(Statements statements);
  // How many statements have been carried out; 0: the first `tried` are refused. `before` is called before anything is.
  std::size_t carry_out(Statements statements, Before& before, std::size_t& tried);
  // False: refused, and all of the plan if `before` has been called.
  [[nodiscard]] bool carry_out(const ir::Statement& statement, Before& before);
  bool carry_out(const ir::Statement&, const ir::Compute&, Before&) { return false; }
  bool carry_out(const ir::Statement&, const ir::Message&, Before&) { return false; }
  bool carry_out(const ir::Statement&, const ir::Wait&, Before&) { return false; }
  bool carry_out(const ir::Statement& statement, const ir::Sweep& node, Before& before);
  bool carry_out(const ir::Statement&, const ir::Collective& node, Before& before);
  bool carry_out(const ir::Statement&, const ir::Loop& node, Before& before);
  bool carry_out(const ir::Statement&, const ir::Branch& node, Before& before);
  bool carry_out(const ir::Statement&, const ir::Phase& node, Before& before);
  // A straight stretch, ready to run, and what is open behind it.
  struct Stretch {
    ArrayProgram program;
    std::vector<PendingOperation> open;
    double operations = 0;  // of a process
    bool has_messages = false;
  };
  struct StretchKey {
    const ir::Statement* first = nullptr;
    std::size_t count = 0;
    std::vector<std::int64_t> bound;  // the loop variables that it looks at
    friend auto operator<=>(const StretchKey&, const StretchKey&) = default;
  };
  bool is_straight(const OperationList& list) const;
  std::shared_ptr<const Stretch> prepare(Statements statements);
  std::shared_ptr<const Stretch> make_stretch(Statements statements);
  [[nodiscard]] bool stretch(Statements statements, Before& before);
  bool has_stretches(const ir::Loop& node);
  bool is_repeated(const ir::Loop& node);
  bool repeat(const ir::Loop& node, Before& before);
  // All that has been done, evaluated or not.
  struct Effort {
    double operations = 0, tiles = 0, iterations = 0;
  };
  Effort effort() const { return {report_.operations, kernels_.tiles().all, iterations_}; }
  [[nodiscard]] bool network(Statements statements);

  void count(const std::string& what, std::size_t times = 1) {
    const auto found =
        std::find_if(counts_.begin(), counts_.end(), [&](const auto& entry) { return entry.first == what; });
    if (found != counts_.end())
      found->second += times;
    else
      counts_.push_back({what, times});
  }
  std::vector<std::string> texts() const;
  bool claim_if_possible(std::int64_t bytes) const {
    try {
      input_.claim_memory(bytes);
      return true;
    } catch (const Failed&) {
      return false;
    }
  }

  const PlanInput& input_;
  ProcessState& state_;
  PlanReport& report_;
  const ir::Process& process_;
  PlanGrid grid_;
  Fields fields_;
  std::vector<bool> wrap_;
  PlanEnds ends_;
  WalkContext context_;
  ClockMemory memory_;  // for what need not be evaluated
  SpareArrays spare_;
  PlanKernels kernels_;
  ProgramUses uses_;
  std::map<StretchKey, std::shared_ptr<const Stretch>> stretches_;
  std::set<std::pair<const ir::Statement*, std::size_t>> refused_;  // of a large grid
  double iterations_evaluated_ = 0, iterations_ = 0;                // of loops whose iterations are all the same
  std::vector<PendingOperation> open_;  // in the background, behind what has been carried out
  std::vector<std::pair<std::string, std::size_t>> counts_;
};

// --- what is known before anything runs ---

std::vector<bool> Planner::wrap_of(const PlanInput& input) {
  std::vector<bool> wrap;
  for (const ir::Axis& axis : input.scalars.system()[input.process.space].axes) wrap.push_back(axis.wrap);
  return wrap;
}

// --- carrying out ---

// Statements without a plan are gathered and given to the network together.
bool Planner::block(Statements statements) {
  std::size_t begin = 0;  // of what the network has still to do
  for (std::size_t at = 0; at < statements.size();) {
    input_.look_at_clock();
    if (fields_.trim()) {
      ends_.forget();
      stretches_.clear();
    }
    Before before([&] { return network(statements.subspan(begin, at - begin)); });
    std::size_t tried = 1;
    const std::size_t done = carry_out(statements.subspan(at), before, tried);
    if (done == 0 && before.is_called()) return false;
    at += std::max(done, tried);
    if (done > 0) begin = at;
  }
  return network(statements.subspan(begin));
}

std::size_t Planner::carry_out(Statements statements, Before& before, std::size_t& tried) {
  if (is_structure(statements.front())) return carry_out(statements.front(), before) ? 1 : 0;
  std::size_t straight = 0, without_loop = 0;
  while (straight < statements.size() && !is_structure(statements[straight])) ++straight;
  if (stretch(statements.first(straight), before)) return straight;
  if (before.is_called()) return 0;
  const auto is_loop = [](const ir::Statement& statement) { return std::holds_alternative<ir::Loop>(statement.node); };
  while (without_loop < straight && !is_loop(statements[without_loop])) ++without_loop;
  if (without_loop == 0) return carry_out(statements.front(), before) ? 1 : 0;
  if (without_loop < straight && stretch(statements.first(without_loop), before)) return without_loop;
  tried = without_loop;
  return 0;
}

// One statement whose parts are carried out one by one.
bool Planner::carry_out(const ir::Statement& statement, Before& before) {
  return std::visit([&](const auto& node) { return carry_out(statement, node, before); }, statement.node) &&
         before();  // where there was nothing to do
}

// The first pieces are held back. If a later one turns out to have no plan, the network can still take the sweep.
bool Planner::carry_out(const ir::Statement& statement, const ir::Sweep& node, Before& before) {
  std::vector<SweepPiece> held;
  bool is_run = false, is_left = false;  // left to the network
  const auto run_held = [&] {
    if (held.empty()) return true;
    if (!before()) return false;
    for (const SweepPiece& piece : held) {
      if (!kernels_.run(piece, node.fronts.front().rising)) {
        is_left = !is_run;
        return is_left;
      }
      is_run = true;
      report_.operations += static_cast<double>(piece.body.operations.size()) * static_cast<double>(piece.tiles) *
                            static_cast<double>(grid_.count());
    }
    held.clear();
    return true;
  };
  std::vector<PendingOperation> open = open_;
  const bool has_form = for_each_piece(node, context_, open, [&](SweepPiece piece) {
    if (is_left) return false;
    held.push_back(std::move(piece));
    return !(is_run || held.size() > most_pieces_held) || run_held();
  });
  if (!has_form || !run_held()) return false;
  if (is_left) return network({&statement, 1});
  open_ = std::move(open);
  kernels_.keep(open_);
  if (is_run) count("sweep: " + input_.kernels.schedule());
  return true;
}

bool Planner::carry_out(const ir::Statement&, const ir::Collective& node, Before& before) {
  Domain domain{grid_.whole(), nullptr};
  if (node.root == ir::Collective::Root::to) {  // nobody but the root looks at it
    for (std::size_t axis = 0; axis < grid_.axes(); ++axis) {
      if (!node.along || *node.along == axis) domain.box.last[axis] = 0;
    }
  }
  const std::optional<FieldPtr> exact = fields_.evaluate(node.cost, domain);
  if (!exact) return false;
  const FieldPtr cost = fields_.rounded(*exact, input_.quantum);
  if (!cost || !before()) return false;
  synchronise(node, cost, grid_, state_.clocks);
  report_.operations += static_cast<double>(grid_.count());
  count("collective over arrays");
  return true;
}

bool Planner::carry_out(const ir::Statement&, const ir::Loop& node, Before& before) {
  if (!is_structure(node.body) && !has_stretches(node)) return false;
  if (input_.shortcuts && is_repeated(node)) return repeat(node, before);
  return for_each_iteration(node.levels, fields_, [&] { return before() && block(node.body); });
}

// No iteration looks at which one it is.
bool Planner::is_repeated(const ir::Loop& node) {
  return std::none_of(node.levels.begin(), node.levels.end(),
                      [&](const ir::Level& level) { return uses_.looks_at(node.body, level.binder); });
}

bool Planner::repeat(const ir::Loop& node, Before& before) {
  const std::optional<std::int64_t> found = count_iterations(node.levels, fields_);
  if (!found || *found == 0) return found.has_value();
  if (!before()) return false;
  const std::int64_t count = *found;
  Effort begin, end;  // of the last iteration
  const auto evaluate = [&] {
    input_.look_at_clock();
    begin = effort();
    const bool is_done = block(node.body);
    end = effort();
    return is_done;
  };
  Iterations iterations({state_, memory_, evaluate, [&] { return open_.empty(); }, input_.expect, input_.exceed});
  const StepsTaken taken = take_steps(iterations, {count, 1, 0x1p52 * input_.quantum});
  if (taken.is_stopped) return false;
  const auto skipped = static_cast<double>(count - taken.evaluated);
  report_.operations += skipped * (end.operations - begin.operations);
  kernels_.skip_tiles(skipped * (end.tiles - begin.tiles));
  iterations_ += static_cast<double>(count) + skipped * (end.iterations - begin.iterations);
  iterations_evaluated_ += static_cast<double>(taken.evaluated);
  return true;
}

bool Planner::carry_out(const ir::Statement&, const ir::Branch& node, Before& before) {
  const std::optional<ir::Scalar> condition = fields_.uniform(node.condition);
  return condition && before() && block(condition->boolean ? node.then_block : node.else_block);
}

bool Planner::carry_out(const ir::Statement&, const ir::Phase& node, Before& before) {
  if (!before()) return false;
  if (!context_.wanted_phases[node.phase.index]) return block(node.body);
  const Claimed claimed(input_.claim_memory, static_cast<std::int64_t>(grid_.count() * sizeof(double)));
  const std::vector<double> entered = state_.clocks;
  if (!block(node.body)) return false;
  ProcessState::PhaseClocks& phase = state_.phases[node.phase.index];
  for (std::size_t i = 0; i < entered.size(); ++i) phase.spent[i] += state_.clocks[i] - entered[i];
  phase.left = state_.clocks;
  return true;
}

// Every signal is sent before it is awaited, and nothing is left open that was not before.
bool Planner::is_straight(const OperationList& list) const {
  const auto was_open = [&](const PendingOperation& one) {
    return std::any_of(open_.begin(), open_.end(), [&](const PendingOperation& other) { return other.key == one.key; });
  };
  return list.ordered && std::all_of(list.pending.begin(), list.pending.end(), was_open);
}

// Null: it is refused.
std::shared_ptr<const Planner::Stretch> Planner::make_stretch(Statements statements) {
  if (grid_.count() > PeerMap::most_processes) return nullptr;
  std::optional<OperationList> list = list_operations(statements, context_, open_);
  if (!list || !is_straight(*list)) return nullptr;
  return std::make_shared<const Stretch>(Stretch{array_program(*list, fields_, wrap_), std::move(list->pending),
                                                 static_cast<double>(list->operations.size()), list->signals > 0});
}

// Remembered where nothing is open; equal surroundings give the same.
std::shared_ptr<const Planner::Stretch> Planner::prepare(Statements statements) {
  if (!open_.empty()) return make_stretch(statements);
  const std::pair which{statements.data(), statements.size()};
  if (refused_.contains(which)) return nullptr;
  std::set<ir::BinderId> binders = uses_.of(statements).binders;
  for (const ir::BinderId own : loop_variables(process_, statements)) binders.erase(own);
  StretchKey key{which.first, which.second, fields_.bound(binders)};
  if (const auto found = stretches_.find(key); found != stretches_.end()) return found->second;
  std::shared_ptr<const Stretch> made = make_stretch(statements);
  if (!made && grid_.count() >= large_grid) refused_.insert(which);
  if (stretches_.size() >= most_stretches_remembered) stretches_.clear();
  stretches_.emplace(std::move(key), made);
  return made;
}

// Statements without structure, all of them at once over arrays.
bool Planner::stretch(Statements statements, Before& before) {
  const std::shared_ptr<const Stretch> made = prepare(statements);
  if (!made || !before()) return false;
  run_over_arrays(made->program,
                  {grid_, spare_, input_.claim_memory, input_.look_at_clock,
                   threads_for(made->program, grid_.count(), input_.threads),
                   [&](const Carried& carried) -> std::vector<double>& { return kernels_.values(carried); }});
  open_ = made->open;
  kernels_.keep(open_);
  report_.operations += made->operations * static_cast<double>(grid_.count());
  count(made->has_messages ? "messages over arrays" : "computation over arrays");
  return true;
}

// Is the first iteration of a loop a straight stretch? Others may turn out not to be, but seldom do.
bool Planner::has_stretches(const ir::Loop& node) {
  bool is_first_straight = false;
  const auto look = [&] {
    is_first_straight = prepare(process_.blocks[node.body.index]) != nullptr;
    return false;
  };
  return for_each_iteration(node.levels, fields_, look) || is_first_straight;  // there may be no iteration
}

bool Planner::network(Statements statements) {
  if (statements.empty()) return true;
  if (!open_.empty()) return false;
  count("statements by the process network", statements.size());
  return input_.network(statements, state_);
}

std::vector<std::string> Planner::texts() const {
  std::vector<std::string> result;
  for (const auto& [what, times] : counts_) result.push_back(fmt::format("{} x {}", times, what));
  const auto certified = [&](const char* what, double evaluated, double all) {
    if (evaluated < all) result.push_back(fmt::format("certified {}: {} of {} evaluated", what, evaluated, all));
  };
  certified("tiles", kernels_.tiles().evaluated, kernels_.tiles().all);
  certified("iterations", iterations_evaluated_, iterations_);
  return result;
}

}  // namespace

bool run_plan(const PlanInput& input, ProcessState& state, PlanReport& report) {
  try {
    return Planner(input, state, report).run();
  } catch (const Failed& failed) {
    if (failed.failure.is_limit()) throw;
    return false;
  }
}

}  // namespace wave::backend::processes
