// The definition of what a system means, followed literally (ir/scalar.h, ir/system.h, ir/schedule.h).
// Failures are thrown as `Failed` and caught where the evaluation began.
#pragma once

#include "backend/engine.h"
#include "backend/failed.h"
#include "backend/interpreter/activation.h"
#include "backend/interpreter/answered.h"
#include "backend/interpreter/prepared_system.h"
#include "backend/kernels/kernel.h"
#include "backend/observer.h"
#include "ir/loops.h"

#include <functional>
#include <initializer_list>
#include <map>
#include <mutex>
#include <span>
#include <utility>

namespace wave::backend::processes {
class Run;
}

namespace wave::backend::interpreter {

using backend::Failed;

// A cell that is evaluated on demand met another that has to come first.
struct NeedsCell {
  ir::EventId event;
  std::size_t cell;
};

// Something that ir::verify or ir::schedule should have ruled out.
[[noreturn]] void internal_error(const char* what);

class KernelTable;
struct Candidate;

// The cell under evaluation: what `Neighbour` and `quantize` refer to.
struct CellContext {
  const GroupState* group = nullptr;
  const Box* box = nullptr;
  std::vector<std::int64_t> point;  // relative to the box's first
  std::size_t number = 0;
  std::size_t done = 0;            // points, for the clock
  Candidate* candidate = nullptr;  // the rest may be handed to a kernel
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  Announcement announcement{};
};

// A loop that is evaluated as it is, until it turns out to be long.
struct Watch {
  Candidate& candidate;
  double repetitions = 1;  // of the loops around the present one
};

// What a call of a long function came to, so deep inside other calls. Deeper, it might have failed for its depth.
struct RememberedCall {
  ir::Scalar result;
  std::size_t activations = 0;
};
// By the definition and the bits of the arguments.
using RememberedCalls = std::map<std::vector<std::uint64_t>, RememberedCall>;

// A function that is called again and again.
struct HotCall {
  std::size_t calls = 0;
  Candidate* candidate = nullptr;
  std::unique_ptr<ActiveKernel> kernel;
  bool kernel_is_running = false;
};

class Evaluator {
 public:
  // Hands to kernels what the table says.
  Evaluator(const PreparedSystem& prepared, KernelTable& table, const std::vector<Binding>& bindings,
            const Limits& limits);
  ~Evaluator();

  Rows rows(ir::RootId root);
  ir::Scalar definition(ir::DefinitionId id);
  // A process of the root frame, for questions that are no scalars.
  void inspect(ir::ProcessId process, const std::function<void(processes::Run&)>& use);
  // Called behind the answer to every measure from here on.
  void listen(AnswerListener listener) { listener_ = std::move(listener); }
  void set_deepest(std::size_t levels) { deepest_ = levels; }
  // With the recurrences of the root frame that were replaced by expressions.
  std::vector<EventReport> reports() const;

 private:
  struct Visit;
  struct Levels;
  class Scope;
  class Nesting;
  class ActiveCall;
  class BoundLevel;
  class BoundAxes;
  class WatchedLoop;
  class Unwatched;
  friend class ActiveKernel;
  friend class ProcessPrograms;
  using Loop = ir::LoopEnd;
  using Iteration = std::function<Loop()>;

  // --- scalars (scalars.cpp) ---
  Presence evaluate(ir::ValueId value);
  ir::Scalar evaluate_present(ir::ValueId value);
  Presence compute(ir::ValueId value);
  bool is_fresh(const Memories& memories, const Memory& memory, ir::ValueId value) const;
  ir::Scalar reference(ir::DefinitionId id);
  ir::Scalar call(ir::DefinitionId definition, std::vector<ir::Scalar> arguments, ir::SiteId site);
  ir::Scalar activate(ir::DefinitionId definition, std::vector<ir::Scalar> arguments, ir::SiteId site);
  Activation& activation(ir::FrameId frame);
  [[noreturn]] void fail(ir::FailureKind kind, ir::SiteId site, std::initializer_list<ir::Scalar> values = {},
                         Location location = {});
  [[noreturn]] void fail_with_cycle(ir::DefinitionId id);
  void look_at_clock();

  // --- loops (loops.cpp) ---
  Loop run(std::span<const ir::Level> levels, const Iteration& iteration);
  Presence reduce(ir::ValueId id, const ir::Reduce& node, ir::ScalarType type);
  Presence reduce_as_is(const ir::Reduce& node, ir::ScalarType type);
  void rows_as_they_are(const ir::RowBlock& block, Rows& rows);
  Presence extreme_place(const ir::Reduce& node);
  Presence count(const ir::Reduce& node);
  Presence decide(const ir::Reduce& node);
  Presence pick(const ir::Reduce& node);
  void set_binder(ir::BinderId binder, std::int64_t value);

  // --- events (events.cpp, cells.cpp, on_demand.cpp) ---
  Presence read(const ir::Read& node, const std::vector<ir::Scalar>& indices);
  Presence neighbour(const ir::Neighbour& node);
  const Box& box(ir::SpaceId space, Activation& owner);
  GroupState& group_state(ir::EventId event);
  ir::Scalar cell_of(ir::EventId event, std::span<const std::int64_t> indices);
  ir::Scalar cell_in(const GroupState& state, ir::EventId event, std::size_t cell);
  void evaluate_group(std::uint32_t number, Activation& owner, GroupState& state);
  // By the schedule, or by a kernel; false: it cannot be compiled after all.
  // Throws TakesLong where the rest is better left to a kernel, if `may_hand_over`.
  bool evaluate_cells(const GroupPlan& plan, Activation& owner, GroupState& state, ActiveKernel* kernel,
                      bool may_hand_over);
  bool shorten(const GroupPlan& plan, Activation& owner, GroupState& state);
  closed_form::Surroundings surroundings(const GroupState& state);
  void reserve(const GroupPlan& plan, Activation& owner, GroupState& state);
  void hoist(const GroupPlan& plan, Activation& owner, GroupState& state);
  ir::Exactness find_exactness(const GroupPlan& plan, Activation& owner, const GroupState& state);
  void report(const GroupPlan& plan, Activation& owner, const GroupState& state);
  void add_report(EventReport report);
  std::vector<EventReport> reports_on_replaced(const Activation& owner) const;
  void evaluate_rows(const GroupPlan& plan, GroupState& state);
  void evaluate_row(const GroupPlan& plan, GroupState& state, std::size_t level);
  void evaluate_hyperplanes(const GroupPlan& plan, GroupState& state);
  void evaluate_hyperplane(const GroupPlan& plan, GroupState& state, std::size_t axis, std::int64_t rest);
  void evaluate_on_demand(const GroupPlan& plan, Activation& owner, GroupState& state);
  void demand(const NeedsCell& start, const GroupPlan& plan, Activation& owner, GroupState& state);
  void evaluate_alone(const NeedsCell& cell, Activation& owner, GroupState& state);
  [[noreturn]] void fail_with_cycle(const std::vector<NeedsCell>& path, std::size_t from, Activation& owner);
  void evaluate_point(const GroupPlan& plan, GroupState& state);
  void evaluate_cell(ir::EventId event, GroupState& state);
  ir::Scalar cell_value(ir::EventId event, const GroupState& state);
  Presence constraint_value(const ir::Constraint& constraint, const GroupState& state, const ir::Event& event);
  // The cell at this offset from the present one, if the space has it.
  std::optional<std::size_t> cell_at(const std::vector<std::int32_t>& offset) const;
  ir::Scalar value_at(ir::EventId event, std::size_t cell);
  bool add_weights(const std::vector<ir::ValueId>& weights, const GroupState& state, const ir::Event& event,
                   Location location, bool has_source, double& sum);
  double on_quantum(double weight, const GroupState& state, const ir::Event& event, Location location);
  void move_to(const ir::Space& space, std::size_t axis, std::int64_t place);
  void watch_time(ir::EventId event);

  // --- kernels (kernels.cpp) ---
  ActiveKernel* kernel_of(const GroupPlan& plan, Activation& owner, std::optional<double> seconds);
  void look_after_cells();
  std::optional<kernels::KeptCells> kept_cells(const ir::ReadPattern& pattern);
  void plan_cells(ActiveKernel& kernel, const GroupPlan& plan, Activation& owner);
  bool evaluate_by_kernel(ActiveKernel& kernel, const GroupPlan& plan, GroupState& state);
  std::string why_not_compiled(const GroupPlan& plan, const GroupState& state);
  // Evaluates a loop as it is, until it turns out to be long; then by a kernel, if there is one. `by_kernel`: false if
  // it cannot be compiled after all.
  void evaluate_loop(Candidate& candidate, ir::ValueId loop, const std::function<void()>& as_it_is,
                     const std::function<bool(ActiveKernel&)>& by_kernel);
  std::optional<ir::Scalar> call_hot(ir::DefinitionId definition, const std::vector<ir::Scalar>& arguments);
  std::vector<std::pair<std::string, std::int64_t>> indices_of_scope() const;

  // --- processes (processes.cpp) ---
  friend class ProcessScalars;
  Presence measure(const ir::Measure& node, const std::vector<ir::Scalar>& indices);
  ir::Scalar measure(ActiveProcess& process, const ir::Measure& what, const std::vector<std::int64_t>& indices);
  ActiveProcess& active_process(ir::ProcessId process);
  bool claim_memory(std::int64_t bytes);

  static constexpr std::size_t no_scope = static_cast<std::size_t>(-1);

  const PreparedSystem& prepared_;
  KernelTable& table_;
  const ir::System& system_;
  Limits limits_;
  Activation root_;
  Activation* here_;  // of the scope
  std::size_t activations_ = 0;
  std::vector<std::int64_t> binder_values_;
  std::vector<std::uint64_t> binder_moved_;  // clock_ at the last change
  std::uint64_t clock_ = 1;
  std::vector<ir::BinderId> bound_;  // from outside; failures show those of the scope
  std::size_t scope_begin_ = 0;
  std::size_t scopes_ = 0;                    // inside each other
  std::size_t failed_in_ = no_scope;          // the one whose indices the last failure has
  CellContext* cell_ = nullptr;               // null outside events
  std::size_t depth_ = 0, deepest_ = 10'000;  // nodes inside each other
  std::size_t ticks_ = 0;
  Watch* watch_ = nullptr;  // of the outermost loop that may be handed to a kernel
  std::map<std::pair<std::uint32_t, std::uint32_t>, Candidate*> loops_;  // by reduction and frame
  std::vector<HotCall> calls_;  // by definition, once something has been called
  RememberedCalls remembered_calls_;
  kernels::MemoryAccount memory_;
  // What kernels ask, where they run on several threads (processes::Scalars::asking).
  std::recursive_mutex asking_;
  bool program_is_on_threads_ = false;  // what it asks is then evaluated on the one that asks
  bool is_answering_ = false;           // what a kernel has asked, while `asking_` is held
  std::vector<EventReport> reports_;
  AnswerListener listener_;
};

}  // namespace wave::backend::interpreter
