// Takes a program apart, statement by statement, and carries the pieces out.
#include "backend/processes/plan.h"

#include "backend/processes/plan_arrays.h"
#include "backend/processes/plan_iterations.h"
#include "backend/processes/plan_kernels.h"
#include "backend/processes/program_uses.h"
#include "backend/processes/sweep_form.h"
#include "backend/processes/thresholds.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wave::backend::processes {

namespace {

// Thrown if something has already been carried out that the network would have to do in another way.
struct Abandon {};

// Memory claimed as long as this lives.
class Claim {
 public:
  Claim(const PlanInput& input, std::size_t bytes) : input_(input), bytes_(static_cast<std::int64_t>(bytes)) {
    input_.claim_memory(bytes_);
  }
  ~Claim() { input_.claim_memory(-bytes_); }
  Claim(const Claim&) = delete;

 private:
  const PlanInput& input_;
  std::int64_t bytes_;
};

using Statements = std::span<const ir::Statement>;
using Before = std::function<void()>;  // has the network do what comes before

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
        kernels_(input, grid_, state, memory_),
        uses_(input.scalars.system(), process_, input.binders, ProgramUses::Of::all) {
    for (const auto& phase : state.phases) context_.wanted_phases.push_back(phase.wanted());
    context_.wanted_phases.resize(process_.phases.size(), false);
  }

  void run() {
    // A window looks back over the messages of the whole program, and resources serve all of it by time.
    const ir::System& system = input_.scalars.system();
    if (has_windows(system, process_) || resource_use(system, process_).any) throw Abandon{};
    block(process_.body);
    input_.resolver.rounding.add(fields_.rounding);
    report_.schedule = fmt::format("{}", fmt::join(texts(), ", "));
  }

 private:
  static std::vector<bool> wrap_of(const PlanInput& input);
  template <class Part>
  bool is_structure(const Part& statement_or_block) const {
    return processes::is_structure(process_, statement_or_block, &context_.wanted_phases);
  }

  void block(ir::BlockId id) {
    if (id.valid()) block(process_.blocks[id.index]);
  }
  void block(Statements statements);
  // How many statements have been carried out; 0: the first `tried` have no plan. `before` is called before anything
  // is.
  std::size_t carry_out(Statements statements, const Before& before, std::size_t& tried);
  bool carry_out(const ir::Statement& statement, const Before& before);
  void carry_out(const ir::Statement&, const ir::Compute&, const Before&) { throw NoPlan{}; }
  void carry_out(const ir::Statement&, const ir::Message&, const Before&) { throw NoPlan{}; }
  void carry_out(const ir::Statement&, const ir::Wait&, const Before&) { throw NoPlan{}; }
  void carry_out(const ir::Statement& statement, const ir::Sweep& node, const Before& before);
  void carry_out(const ir::Statement&, const ir::Collective& node, const Before& before);
  void carry_out(const ir::Statement&, const ir::Loop& node, const Before& before);
  void carry_out(const ir::Statement&, const ir::Branch& node, const Before& before);
  void carry_out(const ir::Statement&, const ir::Phase& node, const Before& before);
  bool is_straight(const OperationList& list) const;
  bool stretch(Statements statements, const Before& before);
  bool has_stretches(const ir::Loop& node);
  bool is_repeated(const ir::Loop& node);
  void repeat(const ir::Loop& node, const Before& begin);
  // All that has been done, evaluated or not.
  struct Effort {
    double operations = 0, tiles = 0, iterations = 0;
  };
  Effort effort() const { return {report_.operations, kernels_.tiles().all, iterations_}; }
  void network(Statements statements);

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
  PlanKernels kernels_;
  ProgramUses uses_;
  double iterations_evaluated_ = 0, iterations_ = 0;  // of loops whose iterations are all the same
  std::vector<PendingOperation> open_;                // in the background, behind what has been carried out
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
void Planner::block(Statements statements) {
  std::size_t begin = 0;  // of what the network has still to do
  for (std::size_t at = 0; at < statements.size();) {
    input_.look_at_clock();
    if (fields_.trim()) ends_.forget();
    const Before before = [&] { network(statements.subspan(begin, at - begin)); };
    std::size_t tried = 1;
    const std::size_t done = carry_out(statements.subspan(at), before, tried);
    at += std::max(done, tried);
    if (done > 0) begin = at;
  }
  network(statements.subspan(begin));
}

std::size_t Planner::carry_out(Statements statements, const Before& before, std::size_t& tried) {
  if (is_structure(statements.front())) return carry_out(statements.front(), before) ? 1 : 0;
  std::size_t straight = 0, without_loop = 0;
  while (straight < statements.size() && !is_structure(statements[straight])) ++straight;
  if (grid_.count() < large_grid && stretch(statements.first(straight), before)) return straight;
  const auto is_loop = [](const ir::Statement& statement) { return std::holds_alternative<ir::Loop>(statement.node); };
  while (without_loop < straight && !is_loop(statements[without_loop])) ++without_loop;
  if (without_loop == 0) return carry_out(statements.front(), before) ? 1 : 0;
  if ((without_loop < straight || grid_.count() >= large_grid) && stretch(statements.first(without_loop), before))
    return without_loop;
  tried = without_loop;
  return 0;
}

// One statement whose parts are carried out one by one.
bool Planner::carry_out(const ir::Statement& statement, const Before& before) {
  bool begun = false;
  const Before begin = [&] {
    if (!std::exchange(begun, true)) before();
  };
  try {
    std::visit([&](const auto& node) { carry_out(statement, node, begin); }, statement.node);
    begin();  // where there was nothing to do
    return true;
  } catch (const NoPlan&) {
    if (begun) throw Abandon{};
    return false;
  }
}

// The first pieces are held back. If a later one turns out to have no plan, the network can still take the sweep.
void Planner::carry_out(const ir::Statement& statement, const ir::Sweep& node, const Before& before) {
  std::vector<SweepPiece> held;
  bool is_run = false, is_left = false;  // left to the network
  const auto run_held = [&] {
    if (held.empty()) return;
    before();
    for (const SweepPiece& piece : held) {
      if (!kernels_.run(piece, node.fronts.front().rising)) {
        if (is_run) throw Abandon{};
        is_left = true;
        return;
      }
      is_run = true;
      report_.operations += static_cast<double>(piece.body.operations.size()) * static_cast<double>(piece.tiles) *
                            static_cast<double>(grid_.count());
    }
    held.clear();
  };
  std::vector<PendingOperation> open = open_;
  for_each_piece(node, context_, open, [&](SweepPiece piece) {
    if (is_left) throw NoPlan{};
    held.push_back(std::move(piece));
    if (is_run || held.size() > most_pieces_held) run_held();
  });
  run_held();
  if (is_left) return network({&statement, 1});
  open_ = std::move(open);
  kernels_.keep(open_);
  if (is_run) count("sweep: " + input_.kernels.schedule());
}

void Planner::carry_out(const ir::Statement&, const ir::Collective& node, const Before& before) {
  Domain domain{grid_.whole(), nullptr};
  if (node.root == ir::Collective::Root::to) {  // nobody but the root looks at it
    for (std::size_t axis = 0; axis < grid_.axes(); ++axis) {
      if (!node.along || *node.along == axis) domain.box.last[axis] = 0;
    }
  }
  const FieldPtr cost = fields_.rounded(fields_.evaluate(node.cost, domain), input_.quantum);
  before();
  synchronise(node, cost, grid_, state_.clocks);
  report_.operations += static_cast<double>(grid_.count());
  count("collective over arrays");
}

void Planner::carry_out(const ir::Statement&, const ir::Loop& node, const Before& before) {
  if (!is_structure(node.body) && !has_stretches(node)) throw NoPlan{};
  if (input_.shortcuts && is_repeated(node)) return repeat(node, before);
  for_each_iteration(node.levels, fields_, [&] {
    before();
    block(node.body);
    return true;
  });
}

// No iteration looks at which one it is.
bool Planner::is_repeated(const ir::Loop& node) {
  return std::none_of(node.levels.begin(), node.levels.end(),
                      [&](const ir::Level& level) { return uses_.looks_at(node.body, level.binder); });
}

void Planner::repeat(const ir::Loop& node, const Before& begin) {
  const std::int64_t count = count_iterations(node.levels, fields_);
  if (count == 0) return;
  begin();
  Effort before, after;  // of the last iteration
  const auto evaluate = [&] {
    input_.look_at_clock();
    before = effort();
    block(node.body);
    after = effort();
  };
  Iterations iterations({state_, memory_, evaluate, [&] { return open_.empty(); }, input_.expect, input_.exceed});
  const StepsTaken taken = take_steps(iterations, {count, 1, 0x1p52 * input_.quantum});
  const auto skipped = static_cast<double>(count - taken.evaluated);
  report_.operations += skipped * (after.operations - before.operations);
  kernels_.skip_tiles(skipped * (after.tiles - before.tiles));
  iterations_ += static_cast<double>(count) + skipped * (after.iterations - before.iterations);
  iterations_evaluated_ += static_cast<double>(taken.evaluated);
}

void Planner::carry_out(const ir::Statement&, const ir::Branch& node, const Before& before) {
  const bool condition = fields_.uniform(node.condition).boolean;
  before();
  block(condition ? node.then_block : node.else_block);
}

void Planner::carry_out(const ir::Statement&, const ir::Phase& node, const Before& before) {
  before();
  if (!context_.wanted_phases[node.phase.index]) return block(node.body);
  const Claim claim(input_, grid_.count() * sizeof(double));
  const std::vector<double> entered = state_.clocks;
  block(node.body);
  ProcessState::PhaseClocks& phase = state_.phases[node.phase.index];
  for (std::size_t i = 0; i < entered.size(); ++i) phase.spent[i] += state_.clocks[i] - entered[i];
  phase.left = state_.clocks;
}

// Every signal is sent before it is awaited, and nothing is left open that was not before.
bool Planner::is_straight(const OperationList& list) const {
  const auto was_open = [&](const PendingOperation& one) {
    return std::any_of(open_.begin(), open_.end(), [&](const PendingOperation& other) { return other.key == one.key; });
  };
  return list.ordered && std::all_of(list.pending.begin(), list.pending.end(), was_open);
}

// Statements without structure, all of them at once over arrays.
bool Planner::stretch(Statements statements, const Before& before) {
  OperationList list;
  try {
    list = list_operations(walk(statements, context_), open_, fields_);
  } catch (const NoPlan&) {
    return false;
  }
  if (!is_straight(list)) return false;
  before();
  const Claim claim(input_, (list.registers - list.carried.size() + list.signals) * grid_.count() * sizeof(double));
  run_over_arrays(
      list, grid_, wrap_, [&](const Carried& carried) -> std::vector<double>& { return kernels_.values(carried); },
      input_.look_at_clock);
  open_ = list.pending;
  kernels_.keep(open_);
  report_.operations += static_cast<double>(list.operations.size()) * static_cast<double>(grid_.count());
  count(list.signals > 0 ? "messages over arrays" : "computation over arrays");
  return true;
}

// Is the first iteration of a loop a straight stretch? Others may turn out not to be, but seldom do.
bool Planner::has_stretches(const ir::Loop& node) {
  bool straight = true;
  for_each_iteration(node.levels, fields_, [&] {
    straight = is_straight(list_operations(walk(process_.blocks[node.body.index], context_), open_, fields_));
    return false;
  });
  return straight;
}

void Planner::network(Statements statements) {
  if (statements.empty()) return;
  if (!open_.empty()) throw Abandon{};
  count("statements by the process network", statements.size());
  if (!input_.network(statements, state_)) throw Abandon{};
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
    Planner(input, state, report).run();
    return true;
  } catch (const Abandon&) {
    return false;
  } catch (const NoPlan&) {
    return false;
  } catch (const Failed& failed) {
    if (failed.failure.is_limit()) throw;
    return false;
  }
}

}  // namespace wave::backend::processes
