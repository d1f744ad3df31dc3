// See critical_plan.h.
#include "backend/processes/path/critical_plan.h"

#include "backend/processes/bulk/plan_arrays.h"
#include "backend/processes/bulk/plan_kernels.h"
#include "backend/processes/never.h"
#include "backend/processes/path/critical_back.h"
#include "backend/processes/path/critical_steps.h"
#include "backend/processes/thresholds.h"
#include "base/large_array.h"

#include <algorithm>
#include <map>

namespace wave::backend::processes {

namespace {

// A copy of what all processes know between two steps, for later.
class KeptTimes {
 public:
  explicit KeptTimes(CarriedTimes& times) : clocks_(copy(times.clocks())) {
    for (const auto& [carried, values] : times.others()) pending_.emplace(carried, copy(values));
  }
  void restore(CarriedTimes& times) const {
    std::vector<PendingOperation::Key> keys;
    for (const auto& [carried, values] : pending_) keys.push_back(*carried.pending);
    times.keep(keys);
    restore(clocks_, times.clocks());
    for (const auto& [carried, values] : pending_) restore(values, times.of(carried));
  }
  std::int64_t bytes() const {
    return static_cast<std::int64_t>(clocks_.size() * (1 + pending_.size()) * sizeof(double));
  }

 private:
  using Values = LargeArray<double>;
  static Values copy(const std::vector<double>& from) {
    Values to(from.size());
    std::copy(from.begin(), from.end(), to.data());
    return to;
  }
  static void restore(const Values& from, std::vector<double>& to) {
    to.assign(from.data(), from.data() + from.size());
  }
  Values clocks_;
  std::map<Carried, Values> pending_;
};

class Follower {
 public:
  Follower(const ProgramInput& input, SweepKernels& kernels, const PathTarget& target, bool in_detail)
      : input_(input),
        kernels_(kernels),
        target_(target),
        steps_(input, kernels, target.phase),
        spare_(steps_.grid().count(), input.claim_memory),
        times_(clocks_, input.claim_memory),
        in_detail_(in_detail),
        sums_(input, in_detail),
        weight_places_(input.process, input.scalars.system(), input.binders) {}
  ~Follower() { input_.claim_memory(-claimed_); }
  Follower(const Follower&) = delete;

  // Nothing where a part of the program, or a weight on the path, is refused; throws Failed.
  std::optional<CriticalPath> run() {
    if (!steps_.find()) return std::nullopt;
    clocks_.assign(steps_.grid().count(), 0);
    claim(times_.bytes());
    const std::size_t count = steps_.list().size();
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_last = i + 1 == count;  // where the way back begins
      if (!is_last || steps_.list()[i].collective) keep(i);
      if (!pass(steps_.list()[i], is_last)) return std::nullopt;
    }
    const auto last = std::max_element(clocks_.begin(), clocks_.end());
    const double last_finish = *last;
    rank_ = static_cast<std::size_t>(target_.rank.value_or(last - clocks_.begin()));
    for (std::size_t i = count; i-- > 0;) {
      if (!go_back(i)) return std::nullopt;
    }
    CriticalPath path = sums_.path();
    if (path.total != total_) return std::nullopt;  // never; but if so, a record is followed
    if (target_.phase.valid()) path.of = CriticalPath::Of::phase;
    path.last_finish = last_finish;
    path.tied = tied_;
    path.finisher = input_.places.point(static_cast<std::int64_t>(rank_));
    return path;
  }

 private:
  void claim(std::int64_t bytes) {
    input_.claim_memory(bytes);
    claimed_ += bytes;
  }

  // --- forward ---

  [[nodiscard]] bool pass(const PathStep& step, bool recording) {
    if (step.collective) synchronise(step.collective->node, step.collective->cost, steps_.grid(), clocks_);
    if (step.stretch && !pass(*step.stretch, recording)) return false;
    if (step.piece && !pass_piece(step, recording)) return false;
    if (step.open) times_.keep(*step.open);
    return true;
  }

  [[nodiscard]] bool pass(const Stretch& stretch, bool recording) {
    if (recording) claim_record(stretch.list);
    return run_over_arrays(*stretch.program,
                           {steps_.grid(), spare_, input_.claim_memory, input_.look_at_clock, 1,
                            [&](const Carried& carried) -> std::vector<double>& { return times_.of(carried); },
                            recording ? &array_record_ : nullptr});
  }

  // In place of the record before.
  void claim_record(const OperationList& list) {
    array_record_ = {};
    const auto bytes = static_cast<std::int64_t>(choices_of(list) * clocks_.size());
    claim(bytes - array_record_bytes_);
    array_record_bytes_ = bytes;
  }

  // By the definition where kernels know no order.
  [[nodiscard]] bool pass_piece(const PathStep& step, bool recording) {
    const SweepPiece& piece = *step.piece;
    SweepCall call = call_of(piece, step.rising, steps_.grid(), step.begin, step.end);
    for (const Carried& carried : piece.carried) call.state.push_back(times_.of(carried).data());
    if (recording) call.record = &record_;
    ClockQuestions questions(input_.look_at_clock);
    call.go_on = questions.go_on();
    const SweepKernels::Outcome outcome = run(kernels_, piece.body, call);
    questions.rethrow();
    if (outcome != SweepKernels::Outcome::not_possible) return outcome == SweepKernels::Outcome::done;
    DirectSweeps direct;
    const bool is_done = run(direct, piece.body, call) == SweepKernels::Outcome::done;
    questions.rethrow();
    return is_done;
  }

  SweepKernels::Outcome run(SweepKernels& kernels, const SweepBody& body, const SweepCall& call) {
    const SweepKernels::Needs needs = kernels.needs(body, call);
    const auto tiles = static_cast<double>(call.tiles + needs.together - 1);
    const auto record = static_cast<std::int64_t>(std::min(needs.record * tiles, 0x1p62));
    const auto bytes = static_cast<std::int64_t>(std::min(needs.bytes, 0x1p61)) +
                       (call.record ? std::max<std::int64_t>(record - record_.bytes(), 0) : 0);
    claim(bytes);
    const std::int64_t before = record_.bytes();
    const SweepKernels::Outcome outcome = kernels.run(body, call);
    claim(record_.bytes() - before - bytes);
    return outcome;
  }

  // --- states on the way ---

  // The states that are kept, by the step before which they are. The more steps there are, the fewer states are kept.
  void keep(std::size_t i) {
    if (i % apart_ != 0) return;
    const std::size_t most =
        std::max(least_states_kept, most_bytes_of_states / static_cast<std::size_t>(times_.bytes()));
    if (kept_.size() >= most) {
      apart_ *= 2;
      for (std::size_t j = 0; j < i; ++j) {
        if (j % apart_ != 0) forget(j);
      }
      if (i % apart_ != 0) return;
    }
    claim(times_.bytes());
    kept_.emplace(i, times_);
  }
  void forget(std::size_t i) {
    const auto found = kept_.find(i);
    if (found == kept_.end()) return;
    claim(-found->second.bytes());
    kept_.erase(found);
  }
  // The state before step `i`, from the last that is kept before; those on the way there are kept. Nobody comes back to
  // `i`.
  [[nodiscard]] bool return_to(std::size_t i) {
    const auto found = std::prev(kept_.upper_bound(i));
    found->second.restore(times_);
    const std::size_t from = found->first;
    if (from == i) forget(i);
    for (std::size_t j = from; j < i; ++j) {
      if (j != from) {
        claim(times_.bytes());
        kept_.emplace(j, times_);
      }
      if (!pass(steps_.list()[j], false)) return false;
    }
    return true;
  }

  // --- back ---

  // Through a step. The last has been recorded when it was first taken.
  [[nodiscard]] bool go_back(std::size_t i) {
    const PathStep& step = steps_.list()[i];
    const bool is_last = i + 1 == steps_.list().size();
    if (paths_.empty() && !begins_path(i + 1)) return true;
    if (step.collective) {
      if (is_last) begin_paths(i + 1);
      if (!return_to(i)) return false;
      if (!is_last && begins_path(i + 1)) {
        const std::vector<double> before = clocks_;
        if (!pass(step, false)) return false;
        begin_paths(i + 1);
        clocks_ = before;
      }
    } else {
      if (!is_last && (!return_to(i) || !pass(step, true))) return false;
      begin_paths(i + 1);
    }
    for (Path& path : paths_) {
      times_on_path_ = path.times;
      if (!walk_back_through(step, path.point)) return false;
      tied_ = tied_ || path.point.tied;
    }
    join_paths();
    return true;
  }

  // Paths that lead to the end of the program, or to where the phase is entered and left.
  double paths_to(std::size_t step) const {
    if (!target_.phase.valid()) return step == steps_.list().size() ? 1 : 0;
    const auto& marks = steps_.marks();
    if (target_.is_left_last) return !marks.empty() && marks.back().step == step ? 1 : 0;
    double paths = 0;
    for (const PathSteps::Mark& mark : marks) paths += mark.step != step ? 0 : mark.enters ? -1 : 1;
    return paths;
  }
  bool begins_path(std::size_t step) const { return paths_to(step) != 0; }
  // The state is that before the step.
  void begin_paths(std::size_t step) {
    const double times = paths_to(step);
    if (times == 0) return;
    Path& path = paths_.emplace_back();
    path.times = times;
    path.point.move_to(rank_, steps_.grid());
    path.point.time = clocks_[rank_];
    total_ += times * path.point.time;
    join_paths();
  }
  // From here on they have the same way.
  void join_paths() {
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      for (std::size_t j = paths_.size(); j-- > i + 1;) {
        if (paths_[j].point.process != paths_[i].point.process || paths_[j].point.at != paths_[i].point.at) continue;
        paths_[i].times += paths_[j].times;
        paths_.erase(paths_.begin() + static_cast<std::ptrdiff_t>(j));
      }
    }
    std::erase_if(paths_, [](const Path& path) { return path.times == 0; });
  }

  // Refused where it cannot be told in detail what the weight is.
  [[nodiscard]] bool add(double weight, const OperationCause& cause, std::size_t process) {
    if (cause.varies && in_detail_) return false;
    // Which process gave the size is not known.
    if (cause.sized_by && in_detail_ && !weight_places_.looks_at(*cause.sized_by).axes.empty()) return false;
    sums_.add(weight,
              {cause.kind, static_cast<std::uint32_t>(process), cause.statement, cause.ends, cause.step, 0,
               cause.inside, cause.sized_by},
              times_on_path_);
    return true;
  }
  // In a tile of a sweep.
  [[nodiscard]] bool add(double weight, OperationCause cause, std::size_t process, ir::BinderId tile,
                         std::int64_t number) {
    const std::vector<ir::BinderId>& looks_at = weight_places_.looks_at(*cause.statement).inside;
    if (cause.kind == Cause::Kind::compute && std::ranges::find(looks_at, tile) != looks_at.end())
      cause.inside = weight_places_.with(cause.inside, tile, number);
    return add(weight, cause, process);
  }

  // Through a step that has been recorded, or before which the state is.
  [[nodiscard]] bool walk_back_through(const PathStep& step, PathPoint& point) {
    if (step.collective) return through(*step.collective, point);
    const OnPathWeight on_weight = [&](double weight, const OperationCause& cause, std::size_t process,
                                       std::optional<std::int64_t> tile) {
      return tile ? add(weight, cause, process, step.piece->tile, *tile) : add(weight, cause, process);
    };
    if (step.stretch)
      return walk_back(step.stretch->list, steps_.grid(), steps_.wrap(), array_record_, point, on_weight);
    return walk_back(*step.piece, step.rising, steps_.grid(), step.begin, step.end, record_, point, on_weight);
  }

  [[nodiscard]] bool through(const part::CollectiveCost& part, PathPoint& point) {
    const ir::Collective& collective = part.node;
    if (point.at.pending) return true;  // what is in the background does not take part
    const std::vector<double>& clocks = clocks_;
    const std::size_t process = point.process;
    std::size_t first = 0, count = clocks.size(), stride = 1;
    if (collective.along) {
      const auto strides = steps_.grid().strides(steps_.grid().all());
      stride = static_cast<std::size_t>(strides[*collective.along]);
      count = static_cast<std::size_t>(steps_.grid().extents()[*collective.along]);
      first = process - process / stride % count * stride;
    }
    const auto cost = [&] { return value_at(*part.cost, steps_.grid(), point.place); };
    const OperationCause cause{Cause::Kind::collective, &part.statement, nullptr, nullptr, false, part.inside};
    const double own = clocks[process];
    if (collective.root == ir::Collective::Root::from) {
      const double from_root = clocks[first] + cost();
      point.tied = point.tied || (from_root == own && own != 0 && process != first);
      if (from_root <= own) return true;
      if (!add(from_root - clocks[first], cause, process)) return false;
      point.time = clocks[first];
      point.move_to(first, steps_.grid());
      return true;
    }
    if (collective.root == ir::Collective::Root::to && process != first) return true;
    std::size_t last = process;
    bool alone = true;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t other = first + i * stride;
      if (clocks[other] > clocks[last])
        last = other, alone = true;
      else if (other != last && clocks[other] == clocks[last])
        alone = false;
    }
    point.tied = point.tied || (!alone && clocks[last] != 0);
    const double weight = cost();
    if (weight != 0 && !add(weight, cause, process)) return false;
    point.time -= weight;
    point.move_to(last, steps_.grid());
    return true;
  }

  const ProgramInput& input_;
  SweepKernels& kernels_;
  const PathTarget& target_;
  std::int64_t claimed_ = 0;
  PathSteps steps_;
  SpareArrays spare_;
  std::vector<double> clocks_;
  CarriedTimes times_;
  bool in_detail_;
  PathSums sums_;
  WeightPlaces weight_places_;
  std::map<std::size_t, KeptTimes> kept_;  // by the step that comes next
  std::size_t apart_ = 1;
  SweepRecord record_;
  ArrayRecord array_record_;
  std::int64_t array_record_bytes_ = 0;
  // Each as far as it has been followed back, and how often it counts.
  struct Path {
    PathPoint point;
    double times = 0;
  };
  std::vector<Path> paths_;
  std::size_t rank_ = 0;      // whose time is asked for
  double times_on_path_ = 1;  // of the path that is being followed
  double total_ = 0;
  bool tied_ = false;
};

}  // namespace

std::optional<CriticalPath> follow_critical_path(const ProgramInput& input, SweepKernels& kernels,
                                                 const PathTarget& target, bool in_detail) {
  try {
    return Follower(input, kernels, target, in_detail).run();
  } catch (const Failed& failed) {
    if (failed.failure.kind == ir::FailureKind::time_limit) throw;
    return std::nullopt;
  }
}

}  // namespace wave::backend::processes
