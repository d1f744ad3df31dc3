// From a call to compiled strips: the grid's axes, what is the same as before, the shape of the code.
#include "backend/jit/sweep/kernels.h"

#include "backend/batch_thread.h"
#include "backend/jit/loaded_code.h"
#include "backend/jit/sweep/run_sweep.h"
#include "backend/jit/sweep/structure.h"
#include "backend/jit/sweep/thresholds.h"
#include "backend/threads.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

namespace wave::jit::sweep {

namespace {

using backend::processes::SweepBody;
using backend::processes::SweepCall;
using backend::processes::SweepKernels;
using backend::processes::SweepRecord;

// Extents, columns and lanes are counted in 32 bits near the borders.
constexpr std::int64_t largest_extent = std::int64_t{1} << 29;

// The axes that have more than one process, in the order of the loops: the last is that of columns.
std::optional<std::vector<std::size_t>> wide_axes(const SweepCall& call) {
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < call.extents.size(); ++axis) {
    if (call.extents[axis] > largest_extent) return std::nullopt;
    if (call.extents[axis] > 1) axes.push_back(axis);
  }
  if (axes.size() > 3) return std::nullopt;
  return axes;
}

// Which of the three axes it is; nothing: it has one process.
std::optional<std::size_t> place_of(std::size_t axis, const std::vector<std::size_t>& axes) {
  const auto found = std::find(axes.begin(), axes.end(), axis);
  if (found == axes.end()) return std::nullopt;
  return 3 - axes.size() + static_cast<std::size_t>(found - axes.begin());
}

// The body on three axes. Across an axis of one process there is nobody to talk to.
struct Placed {
  SweepBody body;
  std::vector<std::size_t> operations;  // by operation: which one it was
};

Placed on_three_axes(const SweepBody& body, const std::vector<std::size_t>& axes) {
  Placed result{body, {}};
  result.body.axes = 3;
  result.body.operations.clear();
  for (const auto& operation : body.operations) {
    auto placed = operation;
    placed.peer.clear();
    bool happens = true;
    std::vector<std::int8_t> peer(3, 0);
    for (std::size_t axis = 0; axis < operation.peer.size(); ++axis) {
      if (const auto place = place_of(axis, axes)) {
        peer[*place] = operation.peer[axis];
      } else if (operation.peer[axis] != 0) {
        happens = false;
      }
    }
    if (!happens) continue;
    if (std::any_of(peer.begin(), peer.end(), [](std::int8_t distance) { return distance != 0; })) placed.peer = peer;
    result.body.operations.push_back(std::move(placed));
    result.operations.push_back(static_cast<std::size_t>(&operation - body.operations.data()));
  }
  return result;
}

CallExtents grid_of(const SweepCall& call, const std::vector<std::size_t>& axes) {
  CallExtents grid;
  std::int64_t stride = 1;
  for (std::size_t axis = call.extents.size(); axis-- > 0;) {
    if (const auto place = place_of(axis, axes)) {
      grid.extents[*place] = call.extents[axis];
      grid.strides[*place] = call.rising[axis] ? stride : -stride;
      if (!call.rising[axis]) grid.origin += stride * (call.extents[axis] - 1);
    }
    stride *= call.extents[axis];
  }
  return grid;
}

Variation variation_of(const SweepBody& body, const SweepCall& call) {
  Variation variation;
  for (const SweepCall::Weight& weight : call.weights) {
    variation.weights.push_back(weight.by_process ? Variation::Kind::by_process
                                : weight.by_tile  ? Variation::Kind::by_tile
                                                  : Variation::Kind::uniform);
    if (std::isinf(weight.value)) variation.subtract = false;
  }
  for (std::uint32_t number = 0; number < body.carried; ++number)
    variation.kept.push_back(call.state[number] != nullptr);
  variation.records = call.record != nullptr;
  return variation;
}

struct Compiled {
  SweepBody body;
  Variation variation;
  std::optional<Plan> plan;  // none: not possible
  LoadedCode code;
};

class CompiledSweeps final : public SweepKernels {
 public:
  CompiledSweeps(const Wishes& wishes, std::shared_ptr<CodeSource> source)
      : wishes_(wishes), source_(std::move(source)) {}

  Outcome run(const SweepBody& body, const SweepCall& call) override {
    std::unique_lock lock(mutex_);
    const std::shared_ptr<const Choice> chosen = choose(body, call);
    if (!chosen) return Outcome::not_possible;
    const Plan& plan = *chosen->compiled->plan;
    if (call.tiles <= 0 || plan.events.carried.empty()) return Outcome::done;
    const auto strips = translate(*chosen->compiled, chosen->shape, chosen->grid, call.tiles);
    if (!strips) return Outcome::not_possible;
    describe(plan, *strips);
    const int count = threads(*chosen, call);
    if (count > 1) schedule_ += "; at most " + std::to_string(count) + " threads";
    lock.unlock();
    try {
      if (call.record) call.record->lay_out(record_layout(*chosen, body, call));
      return run_sweep(plan, *strips, chosen->grid, chosen->steps, call, count);
    } catch (const std::bad_alloc&) {
      return Outcome::not_possible;  // before anything is evaluated
    }
  }

  std::string schedule() const override {
    const std::lock_guard lock(mutex_);
    return schedule_;
  }

  Needs needs(const SweepBody& body, const SweepCall& call) override {
    const std::lock_guard lock(mutex_);
    const std::shared_ptr<const Choice> chosen = choose(body, call);
    if (!chosen) return {};
    const int count = threads(*chosen, call);
    // A block for each thread only where that is worth threads.
    const std::int64_t lanes = chosen->shape.lanes;
    const double blocks = static_cast<double>(chosen->grid.processes()) * static_cast<double>(lanes * count);
    const double bytes = bytes_of_run(*chosen->compiled->plan, chosen->grid, chosen->steps, call, count);
    Needs needs{blocks < blocks_worth_threads ? lanes : lanes * count, bytes, 0};
    if (call.record) needs.record = static_cast<double>(chosen->steps.record.block) / static_cast<double>(lanes);
    return needs;
  }

 private:
  // A way to run a call.
  struct Choice {
    Compiled* compiled = nullptr;
    CallExtents grid;
    Shape shape;
    StepExtents steps;
    std::vector<std::size_t> axes, operations;  // of the call, by those of the plan
  };

  // What it depends on.
  struct Question {
    SweepBody body;
    std::vector<std::int64_t> extents;
    std::vector<bool> rising;
    Variation variation;
    std::vector<std::uint64_t> given;  // the bits of the weights
    bool operator==(const Question&) const = default;
  };
  static Question question_of(const SweepBody& body, const SweepCall& call) {
    Question question{body, call.extents, call.rising, variation_of(body, call), {}};
    for (const SweepCall::Weight& weight : call.weights)
      question.given.push_back(std::bit_cast<std::uint64_t>(weight.value));
    return question;
  }

  // What a call needs is asked before it is run, and a sweep of a few tiles is run within microseconds, so the last
  // choice is remembered. Null: there is none.
  std::shared_ptr<const Choice> choose(const SweepBody& body, const SweepCall& call) {
    Question question = question_of(body, call);
    if (!last_ || last_->first != question) {
      std::optional<Choice> found = find_choice(body, call);
      last_.emplace(std::move(question), found ? std::make_shared<const Choice>(std::move(*found)) : nullptr);
    }
    return last_->second;
  }

  // Memory is best walked along the axes as they are; another order of them may have a schedule where that has none, or
  // need less for buffers where the first axes are short.
  std::optional<Choice> find_choice(const SweepBody& body, const SweepCall& call) {
    auto axes = wide_axes(call);
    if (!axes) return std::nullopt;
    std::optional<Choice> best;
    do {
      auto choice = choose(body, call, *axes);
      if (!choice) continue;
      const double enough = std::max(modest_buffers, static_cast<double>(choice->grid.processes()) / 2);
      if (!best || choice->steps.buffered < best->steps.buffered) best = std::move(choice);
      if (best->steps.buffered <= enough) break;
    } while (std::next_permutation(axes->begin(), axes->end()));
    return best;
  }

  // Nothing: there is no schedule with the axes in this order.
  std::optional<Choice> choose(const SweepBody& body, const SweepCall& call, const std::vector<std::size_t>& axes) {
    const Placed placed = on_three_axes(body, axes);
    std::vector<double> given;
    for (const SweepCall::Weight& weight : call.weights) given.push_back(weight.value);
    Compiled& compiled = find(placed.body, variation_of(body, call), given);
    if (!compiled.plan) return std::nullopt;
    const Plan& plan = *compiled.plan;
    const CallExtents grid = grid_of(call, axes);
    const Shape shape = choose_shape(plan, grid);
    const StepExtents steps(plan, grid, shape.lanes, std::max(shape.rows, rows_near_borders(plan)));
    return Choice{&compiled, grid, shape, steps, axes, placed.operations};
  }

  // An event of a lane comes in the step that its process leans to, later by its shift and by the skew of the lane.
  static SweepRecord::Layout record_layout(const Choice& choice, const SweepBody& body, const SweepCall& call) {
    const StepOrder& order = choice.compiled->plan->schedule;
    const auto& sizes = choice.steps.record;
    const auto bytes = [&](const Offset& steps) {
      return steps[0] * sizes.plane + steps[1] * sizes.row + steps[2] * sizes.column;
    };
    SweepRecord::Layout layout;
    layout.lanes = choice.shape.lanes;
    layout.by_lanes = sizes.block;
    layout.by_lane = bytes(order.skew);
    layout.bytes = (call.tiles + layout.lanes - 1) / layout.lanes * sizes.block;
    layout.by_axis.assign(call.extents.size(), 0);
    for (std::size_t number = 0; number < choice.axes.size(); ++number) {
      const std::size_t axis = choice.axes[number];
      Offset one{};
      one[3 - choice.axes.size() + number] = 1;
      const std::int64_t turned = bytes(order.lean.step(one));
      layout.by_axis[axis] = call.rising[axis] ? turned : -turned;
      if (!call.rising[axis]) layout.origin += turned * (call.extents[axis] - 1);
    }
    layout.operations.assign(body.operations.size(), SweepRecord::none);
    const auto& events = choice.compiled->plan->events.events;
    for (EventIndex event = 0; event < events.size(); ++event) {
      if (!events[event].choice) continue;
      layout.operations[choice.operations[*events[event].choice]] =
          bytes(order.shift[event]) + record_bytes(choice.compiled->plan->events.choices(event), choice.shape.lanes);
    }
    return layout;
  }

  // Nothing: there is no code for this machine.
  std::optional<Strips> translate(Compiled& compiled, Shape shape, const CallExtents& grid, std::int64_t tiles) {
    const Plan& plan = *compiled.plan;
    const auto last_lane = static_cast<int>(std::min<std::int64_t>(shape.lanes, tiles) - 1);
    const StripKinds kinds = which_strips(plan, grid, last_lane, shape.rows);
    Strips strips{.lanes = shape.lanes, .rows = shape.rows, .border_rows = rows_near_borders(plan)};
    const Shape full{shape.lanes, shape.rows, true, true}, ragged{shape.lanes, shape.rows, false, true};
    const Shape border{shape.lanes, strips.border_rows, false, false};
    std::vector<Shape> wanted;
    if (kinds.inner && tiles >= shape.lanes) wanted.push_back(full);
    if (kinds.inner && tiles % shape.lanes != 0) wanted.push_back(ragged);
    if (kinds.border || !kinds.inner) wanted.push_back(border);
    if (!compile(compiled, wanted)) return std::nullopt;
    const auto find = [&](const Shape& of) { return reinterpret_cast<StripFunction>(compiled.code.find(of.symbol())); };
    if (kinds.inner) strips.full = find(full), strips.ragged = find(ragged);
    strips.border = find(border);
    return strips;
  }

  // All at once, which is much cheaper than one by one.
  static bool compile(Compiled& compiled, std::vector<Shape> wanted) {
    std::erase_if(wanted, [&](const Shape& shape) { return compiled.code.find(shape.symbol()) != nullptr; });
    if (wanted.empty()) return true;
    const std::string structure = structure_of(compiled.body, compiled.variation, *compiled.plan, wanted);
    const auto translate = [&](Translator& translator) { return translator.translate(*compiled.plan, wanted); };
    return compiled.code.add(structure, translate, [](const std::string&) { return nullptr; }).empty();
  }

  // Threads follow each other through the grid, a block of tiles each, with buffers of their own.
  int threads(const Choice& choice, const SweepCall& call) const {
    if (wishes_.threads != 0) return wishes_.threads;
    const double blocks = static_cast<double>(choice.grid.processes()) * static_cast<double>(call.tiles);
    if (blocks < blocks_worth_threads) return 1;
    if (backend::threads_within_row(2) == 1) return 1;
    const double memory = std::max(modest_buffers, static_cast<double>(choice.grid.processes()) / 2);
    const double affordable = std::max(1.0, memory / std::max(1.0, choice.steps.buffered));
    const int allowed = backend::actual_threads(wishes_.most_threads);
    return static_cast<int>(std::min({affordable, most_threads, 1.0 * allowed}));
  }

  static int rows_near_borders(const Plan& plan) { return std::max(border_rows, longest_reach(plan)); }
  static int longest_reach(const Plan& plan) { return *std::max_element(plan.rows_back.begin(), plan.rows_back.end()); }

  Compiled& find(const SweepBody& body, const Variation& variation, std::span<const double> given) {
    for (const auto& known : compiled_) {
      if (known->body != body || known->variation != variation) continue;
      if (!known->plan || known->plan->events.hold_for(given)) return *known;
    }
    return *compiled_.emplace_back(
        new Compiled{body, variation, make_plan(body, variation, given), LoadedCode(*source_)});
  }

  Shape choose_shape(const Plan& plan, const CallExtents& grid) {
    Shape shape;
    const Vectors vectors = source_->vectors();
    const auto lanes = static_cast<int>(vectors.lanes);
    const bool one_row = grid.extents[0] == 1 && grid.extents[1] == 1;
    // Narrow vectors come with few registers. Two vectors per row hide the latency of each other.
    const bool wide = vectors.lanes >= 8;
    shape.lanes = wishes_.lanes != 0 ? wishes_.lanes : one_row ? 4 * lanes : wide ? lanes : 2 * lanes;
    shape.rows = wishes_.rows != 0                                 ? wishes_.rows
                 : !wide || plan.alive > most_alive_in_medium_rows ? few_rows
                 : plan.alive > most_alive_in_most_rows            ? medium_rows
                                                                   : most_rows;
    if (one_row) shape.rows = 1;
    shape.rows = std::max(shape.rows, longest_reach(plan));
    return shape;
  }

  void describe(const Plan& plan, const Strips& strips) {
    static constexpr const char* axes[] = {"plane", "row", "column"};
    schedule_ = "tiles in " + std::to_string(strips.lanes) + " lanes, each";
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const int skew = plan.schedule.skew[axis];
      if (skew != 0) schedule_ += " " + std::to_string(skew) + " " + axes[axis] + (skew == 1 ? "" : "s");
    }
    schedule_ += " behind the one before; " + std::to_string(strips.rows) + (strips.rows == 1 ? " row" : " rows") +
                 " in registers; " + std::to_string(plan.events.events.size()) +
                 (plan.events.events.size() == 1 ? " event a block" : " events a block");
    const Lean& lean = plan.schedule.lean;
    if (lean.rows_by_plane + lean.columns_by_plane + lean.columns_by_row > 0) schedule_ += "; leaning";
  }

  const Wishes wishes_;
  const std::shared_ptr<CodeSource> source_;
  mutable std::mutex mutex_;  // of what follows; plans and code do not change once they are there
  std::vector<std::unique_ptr<Compiled>> compiled_;
  std::optional<std::pair<Question, std::shared_ptr<const Choice>>> last_;
  std::string schedule_;  // of the last run
};

}  // namespace

std::unique_ptr<SweepKernels> make_sweep_kernels(const Wishes& wishes) {
  return make_sweep_kernels(wishes, std::make_shared<CodeSource>(Processor{wishes.cpu, wishes.widest}, std::string()));
}

std::unique_ptr<SweepKernels> make_sweep_kernels(const Wishes& wishes, std::shared_ptr<CodeSource> source) {
  return std::make_unique<CompiledSweeps>(wishes, std::move(source));
}

}  // namespace wave::jit::sweep
