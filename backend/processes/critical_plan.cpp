// See critical_plan.h.
#include "backend/processes/critical_plan.h"

#include "backend/processes/critical_plan_sweep.h"
#include "backend/processes/plan_arrays.h"
#include "backend/processes/program_uses.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <map>
#include <memory>

namespace wave::backend::processes {

namespace {

constexpr std::uint32_t clock_register = 0;

// A piece of the program that every process takes as a whole.
struct PlanStep {
  // Some tiles of a piece of a sweep, or a straight stretch.
  std::shared_ptr<const SweepPiece> piece;
  std::vector<bool> rising;
  std::int64_t begin = 0, end = 0;
  // Or a collective.
  const ir::Collective* collective = nullptr;
  const ir::Statement* statement = nullptr;
  FieldPtr cost;
};

using Statements = std::span<const ir::Statement>;

// Takes a program apart.
class PlanSteps {
 public:
  explicit PlanSteps(const NetworkInput& input)
      : input_(input),
        grid_(input.places.extents),
        fields_(input.process, grid_, {input.binders, input.scalars, input.look_at_clock, input.claim_memory}),
        wrap_(wrap_of(input)),
        ends_(fields_, input.resolver, wrap_),
        context_{input.process, fields_, ends_, input.quantum, wrap_, {}} {
    context_.wanted_phases.resize(input.process.phases.size(), false);
    context_.keeps_causes = true;
    const std::size_t tiles = most_bytes_of_records / TracedSweep::record_bytes(grid_.count());
    tiles_together_ = static_cast<std::int64_t>(std::max<std::size_t>(tiles, 1));
  }
  // Refused where a part of the program has no plan; throws Failed.
  [[nodiscard]] bool find() { return block(input_.process.body); }
  const std::vector<PlanStep>& list() const { return list_; }
  const PlanGrid& grid() const { return grid_; }

 private:
  static std::vector<bool> wrap_of(const NetworkInput& input) {
    std::vector<bool> wrap;
    for (const ir::Axis& axis : input.scalars.system()[input.process.space].axes) wrap.push_back(axis.wrap);
    return wrap;
  }

  [[nodiscard]] bool block(ir::BlockId id) { return !id.valid() || block(input_.process.blocks[id.index]); }
  // Straight statements together, as far as they go; otherwise one after the other.
  [[nodiscard]] bool block(Statements statements) {
    while (!statements.empty()) {
      input_.look_at_clock();
      if (fields_.trim()) ends_.forget();
      std::size_t straight = 0;
      while (straight < statements.size() && is_straight(statements[straight])) ++straight;
      if (const auto piece = straight > 0 ? stretch(statements.first(straight)) : std::nullopt) {
        if (!add(*piece, everywhere_rising())) return false;
        statements = statements.subspan(straight);
        continue;
      }
      const ir::Statement& statement = statements.front();
      if (!std::visit([&](const auto& node) { return visit(statement, node); }, statement.node)) return false;
      statements = statements.subspan(1);
    }
    return true;
  }
  bool is_straight(const ir::Statement& statement) const { return !is_structure(input_.process, statement, nullptr); }

  using PiecePtr = std::shared_ptr<const SweepPiece>;
  std::vector<bool> everywhere_rising() const { return std::vector<bool>(grid_.axes(), true); }
  // Null: nothing happens in it, so that there is nothing to add.
  std::optional<PiecePtr> stretch(Statements statements) {
    std::optional<OperationList> list = list_operations(statements, context_, {});
    if (!list || !list->pending.empty()) return std::nullopt;
    if (std::any_of(wrap_.begin(), wrap_.end(), [](bool wraps) { return wraps; }) && list->signals > 0)
      return std::nullopt;
    if (list->operations.empty()) return PiecePtr{};
    std::optional<SweepPiece> piece = piece_of(std::move(*list), everywhere_rising(), fields_);
    if (!piece) return std::nullopt;
    return std::make_shared<const SweepPiece>(std::move(*piece));
  }

  bool visit(const ir::Statement& statement, const ir::Compute&) { return alone(statement); }
  bool visit(const ir::Statement& statement, const ir::Message&) { return alone(statement); }
  bool visit(const ir::Statement& statement, const ir::Wait&) { return alone(statement); }
  bool alone(const ir::Statement& statement) {
    const std::optional<PiecePtr> piece = stretch({&statement, 1});
    return piece && add(*piece, everywhere_rising());
  }
  bool visit(const ir::Statement&, const ir::Sweep& node) {
    std::vector<PendingOperation> open;
    const bool has_form = for_each_piece(node, context_, open, [&](SweepPiece piece) {
      return add(std::make_shared<const SweepPiece>(std::move(piece)), node.fronts.front().rising);
    });
    return has_form && open.empty();
  }
  bool visit(const ir::Statement& statement, const ir::Collective& node) {
    Domain domain{grid_.whole(), nullptr};
    if (node.root == ir::Collective::Root::to) {
      for (std::size_t axis = 0; axis < grid_.axes(); ++axis) {
        if (!node.along || *node.along == axis) domain.box.last[axis] = 0;
      }
    }
    PlanStep step;
    step.collective = &node;
    step.statement = &statement;
    const std::optional<FieldPtr> cost = fields_.evaluate(node.cost, domain);
    if (cost) step.cost = fields_.rounded(*cost, input_.quantum);
    return step.cost && add(std::move(step));
  }
  bool visit(const ir::Statement&, const ir::Loop& node) {
    return for_each_iteration(node.levels, fields_, [&] { return block(node.body); });
  }
  bool visit(const ir::Statement&, const ir::Branch& node) {
    const std::optional<ir::Scalar> condition = fields_.uniform(node.condition);
    return condition && block(condition->boolean ? node.then_block : node.else_block);
  }
  bool visit(const ir::Statement&, const ir::Phase& node) { return block(node.body); }

  [[nodiscard]] bool add(const PiecePtr& piece, const std::vector<bool>& rising) {
    if (!piece) return true;
    if (std::any_of(piece->carried.begin(), piece->carried.end(),
                    [](const Carried& one) { return one.pending.has_value(); }))
      return false;
    for (std::int64_t begin = 0; begin < piece->tiles; begin += tiles_together_) {
      const std::int64_t end = std::min(begin + tiles_together_, piece->tiles);
      if (!add({piece, rising, begin, end, nullptr, nullptr, nullptr})) return false;
    }
    return true;
  }
  [[nodiscard]] bool add(PlanStep step) {
    if (list_.size() >= most_steps_of_path) return false;
    list_.push_back(std::move(step));
    return true;
  }

  const NetworkInput& input_;
  PlanGrid grid_;
  Fields fields_;
  std::vector<bool> wrap_;
  PlanEnds ends_;
  WalkContext context_;
  std::int64_t tiles_together_ = 1;
  std::vector<PlanStep> list_;
};

class Follower {
 public:
  Follower(const NetworkInput& input, bool in_detail)
      : input_(input),
        steps_(input),
        in_detail_(in_detail),
        times_(in_detail ? most_weights(input.places) : 0, [&](PathTerm& term, std::uint32_t process) {
          if (term.weight) term.at = input.places.point(process);
        }) {}
  ~Follower() { input_.claim_memory(-claimed_); }
  Follower(const Follower&) = delete;

  // Nothing where a part of the program, or a weight on the path, is refused; throws Failed.
  std::optional<CriticalPath> run(std::optional<std::int64_t> rank) {
    if (!steps_.find()) return std::nullopt;
    state_.clocks.assign(steps_.grid().count(), 0);
    claim(static_cast<std::int64_t>(state_.clocks.size() * sizeof(double)));
    for (std::size_t i = 0; i < steps_.list().size(); ++i) {
      keep(i);
      if (!pass(steps_.list()[i], false)) return std::nullopt;
    }
    const auto last = std::max_element(state_.clocks.begin(), state_.clocks.end());
    const double last_finish = *last;
    const std::int64_t which = rank.value_or(last - state_.clocks.begin());
    const double total = state_.clocks[static_cast<std::size_t>(which)];
    process_ = static_cast<std::size_t>(which);
    for (std::size_t i = steps_.list().size(); i-- > 0;) {
      if (!return_to(i)) return std::nullopt;
      const PlanStep& step = steps_.list()[i];
      if (!(step.collective ? through(step, *step.collective) : through_sweep(step))) return std::nullopt;
      forget(i);
    }
    CriticalPath path = path_to(sums_, times_.terms());
    if (path.total != total) return std::nullopt;  // never; but if so, the network knows
    path.last_finish = last_finish;
    path.tied = tied_;
    path.finisher = input_.places.point(which);
    return path;
  }

 private:
  void claim(std::int64_t bytes) {
    input_.claim_memory(bytes);
    claimed_ += bytes;
  }
  std::int64_t bytes_of(const ProcessState& state) const {
    return static_cast<std::int64_t>(state.clocks.size() * sizeof(double));
  }

  // --- forward ---

  // Null where it is too large to be recorded.
  TracedSweep* sweep_of(const PlanStep& step) {
    if (sweep_ && sweep_piece_ == step.piece) return sweep_.get();
    drop_sweep();
    sweep_ = TracedSweep::make(*step.piece, step.rising, steps_.grid());
    if (!sweep_) return nullptr;
    sweep_piece_ = step.piece;
    claim(static_cast<std::int64_t>(sweep_->bytes()));
    return sweep_.get();
  }
  void drop_sweep() {
    if (sweep_) claim(-static_cast<std::int64_t>(sweep_->bytes()));
    sweep_.reset();
    sweep_piece_.reset();
  }

  [[nodiscard]] bool pass(const PlanStep& step, bool recording) {
    if (step.collective) {
      synchronise(*step.collective, step.cost, steps_.grid(), state_.clocks);
      return true;
    }
    TracedSweep* const sweep = sweep_of(step);
    return sweep && sweep->run(step.begin, step.end, {state_.clocks.data()}, recording, input_.look_at_clock);
  }

  // --- states on the way ---

  // The states that are kept, by the step before which they are. The more steps there are, the fewer states are kept.
  void keep(std::size_t i) {
    if (i % apart_ != 0) return;
    const std::size_t most =
        std::max(least_states_kept, most_bytes_of_states / static_cast<std::size_t>(bytes_of(state_)));
    if (kept_.size() >= most) {
      apart_ *= 2;
      for (std::size_t j = 0; j < i; ++j) {
        if (j % apart_ != 0) forget(j);
      }
      if (i % apart_ != 0) return;
    }
    claim(bytes_of(state_));
    kept_[i] = state_;
  }
  void forget(std::size_t i) {
    const auto found = kept_.find(i);
    if (found == kept_.end()) return;
    claim(-bytes_of(found->second));
    kept_.erase(found);
  }
  // The state before step `i`, from the last that is kept before; those on the way there are kept.
  [[nodiscard]] bool return_to(std::size_t i) {
    auto found = std::prev(kept_.upper_bound(i));
    set_state(found->second);
    for (std::size_t j = found->first; j < i; ++j) {
      if (j != found->first) {
        claim(bytes_of(state_));
        kept_[j] = state_;
      }
      if (!pass(steps_.list()[j], false)) return false;
    }
    return true;
  }
  void set_state(const ProcessState& state) {
    claim(bytes_of(state) - bytes_of(state_));
    state_ = state;
  }

  // --- back ---

  // Refused where it cannot be told in detail what the weight is.
  [[nodiscard]] bool add(double weight, const OperationCause& cause, std::size_t process) {
    if (cause.varies && in_detail_) return false;
    times_.advance(sums_, weight,
                   {cause.kind, static_cast<std::uint32_t>(process), cause.statement, cause.ends, cause.step});
    return true;
  }

  [[nodiscard]] bool through_sweep(const PlanStep& step) {
    const auto record =
        static_cast<std::int64_t>(TracedSweep::record_bytes(state_.clocks.size())) * (step.end - step.begin);
    claim(record);
    if (!pass(step, true)) return false;
    TracedSweep::Point point{process_, clock_register, false};
    const bool is_told = sweep_->walk_back(point, [this](double weight, const OperationCause& cause,
                                                         std::size_t process) { return add(weight, cause, process); });
    if (!is_told) return false;
    sweep_->drop_record();
    claim(-record);
    process_ = point.process;
    tied_ = tied_ || point.tied;
    return point.at_register == clock_register;
  }

  double cost(const PlanStep& step, std::size_t process) const {
    const PlanGrid& grid = steps_.grid();
    const auto strides = grid.strides(grid.all()), of_cost = grid.strides(step.cost->axes);
    std::size_t at = 0;
    for (std::size_t axis = 0; axis < grid.axes(); ++axis) {
      const std::size_t coordinate =
          process / static_cast<std::size_t>(strides[axis]) % static_cast<std::size_t>(grid.extents()[axis]);
      at += coordinate * static_cast<std::size_t>(of_cost[axis]);
    }
    return step.cost->values[at];
  }

  [[nodiscard]] bool through(const PlanStep& step, const ir::Collective& collective) {
    const std::vector<double>& clocks = state_.clocks;
    std::size_t first = 0, count = clocks.size(), stride = 1;
    if (collective.along) {
      const auto strides = steps_.grid().strides(steps_.grid().all());
      stride = static_cast<std::size_t>(strides[*collective.along]);
      count = static_cast<std::size_t>(steps_.grid().extents()[*collective.along]);
      first = process_ - process_ / stride % count * stride;
    }
    const OperationCause cause{Cause::Kind::collective, step.statement};
    const double own = clocks[process_];
    if (collective.root == ir::Collective::Root::from) {
      const double from_root = clocks[first] + cost(step, process_);
      tied_ = tied_ || (from_root == own && own != 0 && process_ != first);
      if (from_root <= own) return true;
      if (!add(from_root - clocks[first], cause, process_)) return false;
      process_ = first;
      return true;
    }
    if (collective.root == ir::Collective::Root::to && process_ != first) return true;
    std::size_t last = process_;
    bool alone = true;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t other = first + i * stride;
      if (clocks[other] > clocks[last])
        last = other, alone = true;
      else if (other != last && clocks[other] == clocks[last])
        alone = false;
    }
    tied_ = tied_ || (!alone && clocks[last] != 0);
    const double weight = cost(step, process_);
    if (weight != 0 && !add(weight, cause, process_)) return false;
    process_ = last;
    return true;
  }

  const NetworkInput& input_;
  std::int64_t claimed_ = 0;
  PlanSteps steps_;
  bool in_detail_;
  TracedTimes times_;
  TracedTimes::Clock sums_;
  ProcessState state_;
  std::map<std::size_t, ProcessState> kept_;  // by the step that comes next
  std::size_t apart_ = 1;
  std::unique_ptr<TracedSweep> sweep_;
  std::shared_ptr<const SweepPiece> sweep_piece_;
  // Where the path has come to.
  std::size_t process_ = 0;
  bool tied_ = false;
};

}  // namespace

std::optional<CriticalPath> follow_critical_path(const NetworkInput& input, std::optional<std::int64_t> rank,
                                                 bool in_detail) {
  try {
    return Follower(input, in_detail).run(rank);
  } catch (const Failed& failed) {
    if (failed.failure.kind == ir::FailureKind::time_limit) throw;
    return std::nullopt;
  }
}

}  // namespace wave::backend::processes
