// Cuts by need, and decides by what has been spent.
#include "backend/interpreter/kernel_table.h"

#include "backend/interpreter/thresholds.h"
#include "backend/kernels/thresholds.h"
#include "base/big_stack.h"
#include "ir/visit.h"

#include <algorithm>

namespace wave::backend::interpreter {

// Small sweeps are done directly, in the order of the definition.
class KernelTable::Sweeps final : public processes::SweepKernels {
 public:
  explicit Sweeps(KernelTable& table) : table_(table) {}

  Outcome run(const processes::SweepBody& body, const processes::SweepCall& call) override {
    SweepKernels& chosen = choose(body, call, true);
    const Outcome outcome = chosen.run(body, call);
    const std::lock_guard lock(mutex_);
    schedule_ = chosen.schedule();
    return outcome;
  }
  Needs needs(const processes::SweepBody& body, const processes::SweepCall& call) override {
    return choose(body, call, false).needs(body, call);
  }
  std::string schedule() const override {
    const std::lock_guard lock(mutex_);
    return schedule_;
  }

 private:
  // Both ways give the same bits, so needs and runs may be answered by different ones.
  SweepKernels& choose(const processes::SweepBody& body, const processes::SweepCall& call, bool is_run) {
    double seconds_a_tile = seconds_per_sweep_operation * static_cast<double>(body.operations.size());
    for (const std::int64_t extent : call.extents) seconds_a_tile *= static_cast<double>(extent);
    const auto tiles = static_cast<double>(call.tiles), of_sweep = static_cast<double>(call.tiles_of_sweep);
    if (!table_.is_due(spent_, std::max(tiles, of_sweep) * seconds_a_tile, is_run ? tiles * seconds_a_tile : 0))
      return direct_;
    kernels::Kernels* const kernels = table_.kernels();
    return kernels ? kernels->sweeps() : direct_;
  }

  KernelTable& table_;
  Candidate spent_;
  processes::DirectSweeps direct_;
  mutable std::mutex mutex_;
  std::string schedule_ = "tile by tile";  // of the last run
};

KernelTable::KernelTable(const PreparedSystem& prepared, kernels::Policy policy, kernels::Provider provider)
    : prepared_(prepared),
      policy_(policy),
      provider_(std::move(provider)),
      sweeps_(std::make_unique<Sweeps>(*this)),
      components_(is_used() ? prepared.components.size() : 0) {
  for (std::uint32_t number = 0; number < components_.size(); ++number) {
    components_[number].cut = [this, number] { return cut_component(number); };
  }
  const std::vector<ir::Root>& roots = prepared.system.roots;
  for (std::uint32_t root = 0; is_used() && root < roots.size(); ++root) {
    for (std::size_t number = 0; number < roots[root].blocks.size(); ++number) {
      const ir::RowBlock& block = roots[root].blocks[number];
      if (block.levels.empty()) continue;
      Candidate& made = rows_[{root, number}];
      made.is_loop = true;
      made.cut = [this, &block] { return kernels::cut_rows(whole(), block); };
    }
  }
}

KernelTable::~KernelTable() = default;

processes::SweepKernels* KernelTable::sweeps() { return is_used() ? sweeps_.get() : nullptr; }

kernels::Kernels* KernelTable::kernels() {
  kernels::Kernels* const kernels = provider_ ? provider_() : nullptr;
  if (kernels) is_loaded_ = true;
  return kernels;
}

kernels::Whole KernelTable::whole() {
  std::call_once(effects_once_, [&] { effects_.emplace(prepared_.system); });
  return {prepared_.system, prepared_.binders, *effects_};
}

kernels::Excerpt KernelTable::cut_component(std::uint32_t number) {
  std::vector<ir::EventId> events;
  std::unordered_set<ir::ValueId> hoisted;
  for (const std::uint32_t group : prepared_.components[number]) {
    const GroupPlan& plan = prepared_.groups[group];
    events.insert(events.end(), plan.group.events.begin(), plan.group.events.end());
    for (const ir::Hoisted& one : plan.hoisted) hoisted.insert(one.value);
  }
  std::sort(events.begin(), events.end());
  return kernels::cut_events(whole(), events, hoisted);
}

// --- candidates ---

Candidate& KernelTable::reduction(ir::ValueId reduction, ir::FrameId home) {
  const std::lock_guard lock(mutex_);
  Candidate& found = reductions_[{reduction.index, home.index}];
  found.is_loop = true;
  if (!found.cut) found.cut = [this, reduction, home] { return kernels::cut_reduction(whole(), reduction, home); };
  return found;
}

Candidate& KernelTable::call(ir::DefinitionId definition) {
  const std::lock_guard lock(mutex_);
  Candidate& found = calls_[definition.index];
  if (!found.cut) found.cut = [this, definition] { return kernels::cut_call(whole(), definition); };
  return found;
}

Candidate& KernelTable::program(ir::ProcessId process, const ir::Statement* first,
                                const processes::program::Bytecode& program) {
  const std::lock_guard lock(mutex_);
  Candidate& found = programs_[{first, program.code.size()}];
  if (found.cut) return found;
  std::vector<ir::ValueId> operands;
  for (const processes::program::Operand& operand : program.operands) operands.push_back(operand.value);
  found.cut = [this, home = prepared_.system[process].frame, binders = program.binders, operands] {
    return kernels::cut_columns(whole(), home, binders, operands);
  };
  return found;
}

processes::KeptPool& KernelTable::kept(ir::ProcessId process) {
  const std::lock_guard lock(mutex_);
  return kept_[process];
}

bool KernelTable::is_due(Candidate& candidate, double seconds, double spent) {
  if (policy_ == kernels::Policy::never || candidate.is_refused) return false;
  if (const auto decided = kernels::decided()) return *decided;
  if (policy_ == kernels::Policy::always) return true;
  const kernels::Kernel* const ready = candidate.ready;
  if (ready && ready->is_compiled()) return seconds > kernels::seconds_to_start;
  if (seconds > kernels::seconds_to_compile) return true;
  // What has been spent would have paid for a kernel.
  const double before = candidate.spent;
  candidate.spent = before + spent;
  return before > kernels::seconds_to_compile && seconds > kernels::seconds_to_start;
}

// Cutting and the passes are recursive, and may be asked for deep inside an evaluation.
kernels::Kernel* KernelTable::prepare(Candidate& candidate) {
  std::call_once(candidate.once, [&] {
    kernels::Kernels* const kernels = this->kernels();
    if (!kernels) return candidate.refuse("there is no JIT");
    run_on_big_stack([&](std::size_t) {
      candidate.excerpt = candidate.cut();
      // Of a loop little is gained then; a recurrence may ask in few of its cells.
      const bool is_worth_it =
          policy_ == kernels::Policy::always || !candidate.is_loop || !candidate.excerpt.asks_often;
      if (!is_worth_it) return candidate.refuse("it asks for recurrences or processes in its loops");
      std::string why;
      candidate.kernel = kernels->kernel(candidate.excerpt, why);
      if (!candidate.kernel) candidate.refuse(std::move(why));
      candidate.ready = candidate.kernel.get();
    });
  });
  return candidate.is_refused ? nullptr : candidate.kernel.get();
}

// --- all of them ---

std::vector<std::pair<std::string, kernels::Excerpt>> KernelTable::all_excerpts() {
  const ir::System& system = prepared_.system;
  std::vector<std::pair<std::string, kernels::Excerpt>> all;
  for (std::uint32_t number = 0; number < prepared_.components.size(); ++number) {
    if (!prepared_.may_compile[number]) continue;
    const GroupPlan& first = prepared_.groups[prepared_.components[number].front()];
    all.emplace_back("recurrence " + system[first.group.events.front()].name, cut_component(number));
  }
  for (const ir::Definition& definition : system.definitions) {
    if (!definition.body.valid()) continue;
    std::vector<ir::ValueId> pending{definition.body};
    std::unordered_set<ir::ValueId> seen;
    while (!pending.empty()) {
      const ir::ValueId value = pending.back();
      pending.pop_back();
      if (!seen.insert(value).second) continue;
      if (std::holds_alternative<ir::Reduce>(system[value].node)) {
        all.emplace_back("loop in " + definition.name, kernels::cut_reduction(whole(), value, definition.frame));
        continue;  // loops inside go with it
      }
      ir::for_each_operand(system[value].node, [&](ir::ValueId operand) { pending.push_back(operand); });
    }
  }
  for (std::uint32_t i = 0; i < system.definitions.size(); ++i) {
    if (system.definitions[i].frame == ir::System::root_frame) continue;
    all.emplace_back("function " + system.definitions[i].name, kernels::cut_call(whole(), ir::DefinitionId{i}));
  }
  for (const ir::Root& root : system.roots) {
    for (const ir::RowBlock& block : root.blocks) {
      if (!block.levels.empty()) all.emplace_back("rows of " + root.name, kernels::cut_rows(whole(), block));
    }
  }
  std::erase_if(all, [](const auto& one) { return !one.second.possible(); });
  return all;
}

}  // namespace wave::backend::interpreter
