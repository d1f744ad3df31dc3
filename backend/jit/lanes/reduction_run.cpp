// Scalar code asks, lanes fill columns, columns are folded. Columns hold some milliseconds of work.
#include "backend/jit/lanes/reduction_run.h"

#include "backend/batch_rows.h"
#include "backend/batch_thread.h"
#include "backend/jit/runtime.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <thread>

namespace wave::jit::lanes {

namespace {

using Clock = std::chrono::steady_clock;

// Compiling takes about as long.
constexpr double seconds_worth_it = 8e-3;
constexpr double seconds_at_a_time = 1e-3;
constexpr std::size_t most_at_a_time = 2048;           // columns stay in a cache
constexpr double seconds_for_threads = 4e-3;
constexpr double seconds_of_a_window = 50e-3;          // of every thread
constexpr std::size_t most_in_window = std::size_t{1} << 16;
constexpr std::size_t most_binders = 32;
// Iterations by scalar code before lanes, and those that are measured to judge the rest by.
constexpr std::int64_t warming_up = 1, measured = 3;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::size_t whole_vectors(std::size_t count, std::uint32_t lanes) { return (count + lanes - 1) / lanes * lanes; }

}  // namespace

// --- code ---

const ReductionCode& ReductionCodes::get(Program& program, ir::ValueId reduction, ir::FrameId frame) {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = codes_.try_emplace({reduction.index, frame.index});
  ReductionCode& code = place->second;
  if (!is_new) return code;
  code.plan = std::make_unique<ReductionPlan>(program.system, reduction, frame);
  if (!code.plan->possible() || code.plan->binders.size() > most_binders) return code;
  const LaneWishes wishes = lane_wishes();
  const Vectors machine = [&] {
    const std::lock_guard program_lock(program.mutex);
    return program.compiler.vectors();
  }();
  constexpr std::size_t small = 24;      // nodes: their latencies are hidden by more vectors at a time
  code.lanes =
      wishes.lanes > 0 ? static_cast<std::uint32_t>(wishes.lanes) : machine.lanes * (code.plan->nodes <= small ? 4 : 2);
  if (code.lanes == 0) return code;
  StripShape shape;
  shape.lanes = code.lanes;
  std::string error;
  code.function =
      reinterpret_cast<ReductionFunction>(program.get({Wanted::reduction, reduction.index, frame, shape}, error));
  return code;
}

// --- when ---

ReductionAnswer Reductions::ask(Word* record, ir::ValueId reduction, ir::FrameId frame, Word* words) {
  words[ReductionWords::done] = 0;
  words[ReductionWords::scalar] = static_cast<Word>(never_again);
  One& one = all_[std::uint64_t{reduction.index} << 32 | frame.index];
  if (!one.code) {
    if (!is_due(one, words)) return go_on;
    const auto& node = std::get<ir::Reduce>(program_.system[reduction].node);
    const ir::ScalarType type = program_.system[reduction].type;
    one.types = {node.kind, node.body.valid() ? program_.system[node.body].type : type, type};
    one.code = &program_.reductions.get(program_, reduction, frame);
  }
  return one.code->function ? evaluate(one, record, frame, words) : go_on;
}

bool Reductions::is_due(One& one, Word* words) {
  const LaneWishes wishes = lane_wishes();
  if (wishes.always || wishes.never) return wishes.always;
  if (one.wasted >= seconds_worth_it) return true;
  const auto now = Clock::now();
  switch (words[ReductionWords::asked]++) {
    case 0: words[ReductionWords::scalar] = warming_up; return false;
    case 1:
      one.asked = now;
      words[ReductionWords::scalar] = measured;
      return false;
    default: break;
  }
  const double took = std::chrono::duration<double>(now - one.asked).count();
  one.wasted += took / static_cast<double>(measured) * static_cast<double>(words[ReductionWords::left]);
  return one.wasted >= seconds_worth_it;
}

// --- iterations ---

// What lanes look at has been evaluated, and its integers are small.
bool Reductions::prepare(const One& one, Word* record, ir::FrameId frame) {
  for (const ir::DefinitionId id : one.code->plan->ahead) {
    const Record* const owner = run_.record_of(program_.system[id].frame, frame, record);
    if (reinterpret_cast<const std::uint8_t*>(owner)[program_.layout.state_offset[id.index]] == evaluated) continue;
    auto outcome = run_.definition_value(id, frame, record);
    if (auto* const failure = std::get_if<ir::Failure>(&outcome)) {
      run_.limit(std::move(*failure));
      return false;
    }
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
std::size_t Reductions::fill_by_threads(One& one, Word* record, const Word* words, std::size_t from, std::size_t count,
                                        int threads) {
  const std::size_t piece = whole_vectors(
      std::clamp<std::size_t>(static_cast<std::size_t>(seconds_at_a_time / std::max(one.seconds, 1e-9)), 1, count),
      one.code->lanes);
  std::atomic<std::size_t> next{0}, good{count};
  const auto work = [&] {
    for (std::size_t begin = next.fetch_add(piece); begin < good.load(); begin = next.fetch_add(piece)) {
      const std::size_t end = std::min(count, begin + piece);
      const bool is_late = run_.limits_.deadline && Clock::now() > *run_.limits_.deadline;
      const std::size_t reached = is_late ? begin : begin + fill(one, record, words, from + begin, from + end, begin);
      if (reached == end) continue;
      std::size_t known = good.load();
      while (reached < known && !good.compare_exchange_weak(known, reached)) {}
    }
  };
  std::vector<std::thread> others;
  try {
    for (int number = 1; number < threads; ++number) others.emplace_back(work);
  } catch (const std::exception&) {      // no such thread: there are fewer
  }
  work();
  for (std::thread& other : others) other.join();
  return good;
}

ReductionAnswer Reductions::evaluate(One& one, Word* record, ir::FrameId frame, Word* words) {
  using Words = ReductionWords;
  const ReductionPlan& plan = *one.code->plan;
  for (std::size_t i = 0; i < plan.binders.size(); ++i) {
    const auto value = static_cast<std::int64_t>(words[Words::binders + i]);
    if (value < -largest_index || value > largest_index) return go_on;
  }
  if (!prepare(one, record, frame)) return has_failed;
  const std::uint32_t lanes = one.code->lanes;
  const std::size_t left = words[Words::left];
  const LaneWishes wishes = lane_wishes();
  const int threads = backend::threads_within_row(
      wishes.threads > 0 ? wishes.threads : backend::actual_threads(program_.options.threads));
  ReductionState state{words[Words::result], words[Words::best], words[Words::found] != 0};
  Folded folded;
  std::size_t done = 0;
  bool is_whole = true;
  while (done < left && is_whole && !folded.decided) {
    const std::size_t rest = left - done;
    const bool by_threads =
        threads > 1 && (wishes.threads > 1 || one.seconds * static_cast<double>(rest) > seconds_for_threads);
    const double seconds = by_threads ? seconds_of_a_window : seconds_at_a_time;
    const double fitting = one.seconds > 0 ? seconds / one.seconds : 2.0 * lanes;
    const double most = static_cast<double>(by_threads ? most_in_window : most_at_a_time);
    const std::size_t count = std::min(
        rest, whole_vectors(static_cast<std::size_t>(wishes.steps > 0 ? wishes.steps : std::clamp(fitting, 1.0, most)),
                            lanes));
    reserve(one, count);
    const auto began = Clock::now();
    const std::size_t good = by_threads ? fill_by_threads(one, record, words, done, count, threads)
                                        : fill(one, record, words, done, done + count, 0);
    const double took = seconds_since(began);
    if (!by_threads && good > 0) one.seconds = std::max(1e-10, took / static_cast<double>(whole_vectors(good, lanes)));
    const ReductionColumns columns{one.body.data(), plan.level->filter.valid() ? one.counts.data() : nullptr,
                                   one.value.data(), one.value_good.data()};
    folded = fold(one.types, columns, good, state);
    done += folded.iterations;
    program_.reductions.count(folded.iterations);
    is_whole = folded.iterations == count;
    one.useless = folded.iterations > 0 ? 0 : one.useless + 1;
    run_.context_.fuel -= static_cast<std::int64_t>(took * 1e9) + 1;
    if (run_.context_.fuel < 0 && run_.tick() != Status::done) return has_failed;
  }
  words[Words::result] = state.result, words[Words::best] = state.best, words[Words::found] = state.found;
  words[Words::done] = done;
  words[Words::scalar] = std::uint64_t{lanes} << std::min(one.useless, 20U);
  return folded.decided ? is_decided : go_on;
}

}  // namespace wave::jit::lanes
