// Scalar code asks, lanes fill columns, columns are folded. Columns hold some milliseconds of work.
#include "backend/jit/lanes/reduction_run.h"

#include "backend/jit/lanes/thresholds.h"
#include "backend/jit/runtime.h"
#include "backend/limits.h"
#include "backend/observer.h"
#include "backend/threads.h"
#include "base/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace wave::jit::lanes {

namespace {

using Clock = std::chrono::steady_clock;

std::size_t whole_vectors(std::size_t count, std::uint32_t lanes) { return (count + lanes - 1) / lanes * lanes; }

}  // namespace

// --- code ---

const ReductionCode& ReductionCodes::get(CompiledSystem& compiled, ir::ValueId reduction, ir::FrameId frame,
                                         const backend::Limits& limits) {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = codes_.try_emplace({reduction.index, frame.index});
  ReductionCode& code = place->second;
  if (!is_new) return code;
  code.plan = std::make_unique<ReductionPlan>(compiled.system, reduction, frame);
  if (!code.plan->possible() || code.plan->binders.size() > most_binders) return code;
  const LaneWishes wishes = lane_wishes();
  const Vectors machine = [&] {
    const std::lock_guard system_lock(compiled.mutex);
    return compiled.compiler.vectors();
  }();
  code.lanes = wishes.lanes > 0
                   ? static_cast<std::uint32_t>(wishes.lanes)
                   : machine.lanes * (code.plan->nodes <= small_body ? vectors_of_small_body : vectors_of_large_body);
  if (code.lanes == 0) return code;
  StripShape shape;
  shape.lanes = code.lanes;
  std::string error;
  code.function = reinterpret_cast<ReductionFunction>(
      compiled.get({Wanted::reduction, reduction.index, frame, shape}, limits, error));
  return code;
}

const ReductionCode* ReductionCodes::known(ir::ValueId reduction, ir::FrameId frame) {
  const std::lock_guard lock(mutex_);
  const auto found = codes_.find({reduction.index, frame.index});
  return found == codes_.end() ? nullptr : &found->second;
}

// --- when ---

Reductions::One& Reductions::one(ir::ValueId reduction, ir::FrameId frame) {
  const auto [place, is_new] = all_.try_emplace(std::uint64_t{reduction.index} << 32 | frame.index);
  One& one = place->second;
  if (!is_new) return one;
  if (threads_ == 0) {
    wishes_ = lane_wishes();
    threads_ = lane_threads(compiled_.shared.options.threads);
  }
  const auto& node = std::get<ir::Reduce>(compiled_.system[reduction].node);
  const ir::ScalarType type = compiled_.system[reduction].type;
  one.types = {node.kind, node.body.valid() ? compiled_.system[node.body].type : type, type};
  one.name = "loop over " + compiled_.system[node.levels.back().binder].name;
  one.code = compiled_.reductions.known(reduction, frame);
  return one;
}

ReductionAnswer Reductions::ask(Word* record, ir::ValueId reduction, ir::FrameId frame, Word* words) {
  words[ReductionWords::done] = 0;
  words[ReductionWords::scalar] = static_cast<Word>(never_again);
  One& one = this->one(reduction, frame);
  if (!one.code) {
    if (!is_due(one, words)) return go_on;
    one.code = &compiled_.reductions.get(compiled_, reduction, frame, run_.limits_);
  }
  return one.code->function ? evaluate(one, record, frame, words) : go_on;
}

bool Reductions::is_due(One& one, Word* words) {
  if (wishes_.always || wishes_.never) return wishes_.always;
  if (one.wasted >= seconds_worth_it) return true;
  const auto now = Clock::now();
  switch (words[ReductionWords::asked]++) {
    case 0: words[ReductionWords::scalar] = iterations_before_measured; return false;
    case 1:
      one.asked = now;
      words[ReductionWords::scalar] = measured_iterations;
      return false;
    default: break;
  }
  const double took = std::chrono::duration<double>(now - one.asked).count();
  one.wasted += took / static_cast<double>(measured_iterations) * static_cast<double>(words[ReductionWords::left]);
  return one.wasted >= seconds_worth_it;
}

// --- iterations ---

// What lanes look at has been evaluated, and its integers are small.
bool Reductions::prepare(const One& one, Word* record, ir::FrameId frame) {
  for (const ir::DefinitionId id : one.code->plan->ahead) {
    if (run_.definition(id, frame, record) != done) return false;
  }
  return true;
}

void Reductions::reserve(One& one, std::size_t iterations) {
  const std::size_t size = whole_vectors(iterations, one.code->lanes);
  const ReductionPlan& plan = *one.code->plan;
  const auto grow = [&](auto& column, bool needed) {
    if (needed && column.size() < size) column.resize(size);
  };
  grow(one.body, plan.has_body), grow(one.counts, plan.level->filter.valid());
  grow(one.value, plan.has_value), grow(one.value_good, plan.has_value);
}

std::size_t Reductions::fill(One& one, Word* record, const Word* words, std::size_t from, std::size_t to,
                             std::size_t column) {
  using Arguments = ReductionArguments;
  std::array<Word, Arguments::binders + most_binders> arguments;
  const Word step = words[ReductionWords::step];
  arguments[Arguments::index] = words[ReductionWords::index] + from * step;
  arguments[Arguments::step] = step;
  arguments[Arguments::count] = to - from;
  arguments[Arguments::body] = reinterpret_cast<Word>(one.body.data() + column);
  arguments[Arguments::counts] = reinterpret_cast<Word>(one.counts.data() + column);
  arguments[Arguments::value] = reinterpret_cast<Word>(one.value.data() + column);
  arguments[Arguments::value_good] = reinterpret_cast<Word>(one.value_good.data() + column);
  const std::size_t binders = one.code->plan->binders.size();
  std::copy_n(words + ReductionWords::binders, binders, arguments.begin() + Arguments::binders);
  const bool refused = one.code->function(&run_.context_, record, arguments.data()) != 0;
  return refused ? 0 : std::min<std::size_t>(arguments[Arguments::done], to - from);
}

// Threads take pieces in turn; where one ends early, what is behind it does not count.
std::size_t Reductions::fill_by_threads(One& one, Word* record, const Word* words, std::size_t from,
                                        std::size_t count) {
  const std::size_t piece = whole_vectors(
      std::clamp<std::size_t>(static_cast<std::size_t>(seconds_at_a_time / std::max(one.seconds, 1e-9)), 1, count),
      one.code->lanes);
  std::atomic<std::size_t> next{0}, good{count};
  backend::work_on_threads(threads_, [&](int, int) {
    for (std::size_t begin = next.fetch_add(piece); begin < good.load(); begin = next.fetch_add(piece)) {
      const std::size_t end = std::min(count, begin + piece);
      const std::size_t reached =
          backend::is_over(run_.limits_) ? begin : begin + fill(one, record, words, from + begin, from + end, begin);
      if (reached == end) continue;
      std::size_t known = good.load();
      while (reached < known && !good.compare_exchange_weak(known, reached)) {}
    }
  });
  return good;
}

bool Reductions::may_use_threads(const One& one, std::size_t left) const {
  const double seconds = one.seconds * static_cast<double>(left);
  return threads_ > 1 && (wishes_.threads > 1 || seconds > seconds_for_threads);
}

std::size_t Reductions::at_a_time(const One& one, std::size_t left, bool by_threads) const {
  const std::uint32_t lanes = one.code->lanes;
  const double seconds = by_threads ? seconds_of_a_window : seconds_at_a_time;
  const double fitting = one.seconds > 0 ? seconds / one.seconds : 2.0 * lanes;
  const double most = static_cast<double>(by_threads ? most_in_window : most_at_a_time);
  const double wanted = wishes_.steps > 0 ? wishes_.steps : std::clamp(fitting, 1.0, most);
  return std::min(left, whole_vectors(static_cast<std::size_t>(wanted), lanes));
}

Folded Reductions::evaluate_some(One& one, Word* record, const Word* words, std::size_t from, std::size_t count,
                                 bool by_threads, ReductionState& state) {
  reserve(one, count);
  const auto began = Clock::now();
  const std::size_t good =
      by_threads ? fill_by_threads(one, record, words, from, count) : fill(one, record, words, from, from + count, 0);
  const double took = seconds_since(began);
  if (!by_threads && good > 0) {
    one.seconds = std::max(1e-10, took / static_cast<double>(whole_vectors(good, one.code->lanes)));
  }
  run_.context_.fuel -= static_cast<std::int64_t>(took * 1e9) + 1;
  const bool has_filter = one.code->plan->level->filter.valid();
  const ReductionColumns columns{one.body.data(), has_filter ? one.counts.data() : nullptr, one.value.data(),
                                 one.value_good.data()};
  const Folded folded = fold(one.types, columns, good, state);
  one.iterations += folded.iterations;
  compiled_.reductions.count(folded.iterations);
  one.useless = folded.iterations > 0 ? 0 : one.useless + 1;
  return folded;
}

ReductionAnswer Reductions::evaluate(One& one, Word* record, ir::FrameId frame, Word* words) {
  using Words = ReductionWords;
  const std::size_t binders = one.code->plan->binders.size();
  const auto is_large = [](Word word) { return word + largest_index > 2 * std::uint64_t{largest_index}; };
  if (std::any_of(words + Words::binders, words + Words::binders + binders, is_large)) return go_on;
  if (!prepare(one, record, frame)) return has_failed;
  ReductionState state{words[Words::result], words[Words::best], words[Words::found] != 0};
  const std::size_t left = words[Words::left];
  const auto began = Clock::now();
  backend::Announcement announcement;
  Folded folded;
  std::size_t done = 0;
  for (bool is_whole = true; done < left && is_whole && !folded.decided;) {
    const bool by_threads = may_use_threads(one, left - done);
    const std::size_t count = at_a_time(one, left - done, by_threads);
    folded = evaluate_some(one, record, words, done, count, by_threads, state);
    done += folded.iterations;
    is_whole = folded.iterations == count;
    if (run_.context_.fuel >= 0) continue;
    if (run_.tick() != Status::done) return has_failed;
    const double all = static_cast<double>(left);
    announcement.tell(run_.limits_.observer, one.name, all, "iterations", seconds_since(began),
                      static_cast<double>(done) / all);
  }
  words[Words::result] = state.result, words[Words::best] = state.best, words[Words::found] = state.found;
  words[Words::done] = done;
  words[Words::scalar] = std::uint64_t{one.code->lanes} << std::min(one.useless, most_doublings);
  return folded.decided ? is_decided : go_on;
}

void Reductions::report(std::vector<backend::EventReport>& all) const {
  std::vector<backend::EventReport> own;
  for (const auto& [key, one] : all_) {
    if (one.iterations == 0) continue;
    backend::EventReport report;
    report.event = one.name;
    report.schedule = fmt::format("iterations in {} lanes", one.code->lanes);
    report.cells = static_cast<double>(one.iterations);
    own.push_back(std::move(report));
  }
  std::sort(own.begin(), own.end(),
            [](const auto& a, const auto& b) { return std::tie(a.event, a.cells) < std::tie(b.event, b.cells); });
  all.insert(all.end(), own.begin(), own.end());
}

}  // namespace wave::jit::lanes
