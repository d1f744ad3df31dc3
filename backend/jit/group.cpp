// Evaluates a group of events: extents, limits, hoisted scalars, the quantum, then the kernel, slice by slice.
#include "backend/jit/group.h"

#include "backend/limits.h"
#include "ir/arithmetic.h"
#include "ir/dependences.h"
#include "ir/exact.h"
#include "ir/printer.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace wave::jit {

namespace {

using KernelFunction = std::int32_t (*)(Context*, Record*, Word*, std::int64_t, std::int64_t);

std::atomic<bool> windows_forced{false};

// What a cell takes at the very least, for an estimate before anything has been measured.
constexpr double seconds_per_cell = 0.3e-9;

constexpr double small_group = 1 << 17;          // cells: stored whole, whatever is read of them
constexpr std::int64_t window_cells = 1 << 16;   // cells of a window of slices: it stays in the cache
constexpr std::size_t huge_page = std::size_t{2} << 20;

Group* group_at(Record* record, std::uint32_t offset) {
  // A record has the address of the header; the group it belongs to is found through the word before it.
  auto* const header = reinterpret_cast<Word*>(record[offset / 8]);
  return header ? reinterpret_cast<Group*>(header[-1]) : nullptr;
}

std::unique_ptr<Word[], void (*)(void*)> allocate(std::size_t words) {
  const std::size_t bytes = std::max<std::size_t>(1, words) * sizeof(Word);
  void* memory = nullptr;
  if (bytes >= huge_page) {
    memory = std::aligned_alloc(huge_page, (bytes + huge_page - 1) / huge_page * huge_page);
    if (memory) madvise(memory, bytes, MADV_HUGEPAGE);
  } else {
    memory = std::malloc(bytes);
  }
  return {static_cast<Word*>(memory), std::free};
}

}  // namespace

void force_windows(bool force) { windows_forced = force; }

// One evaluation of one group.
class GroupEvaluation {
 public:
  GroupEvaluation(Run& run, Record* record, GroupIndex number, Group& group)
      : run_(run),
        record_(record),
        number_(number),
        group_(group),
        system_(run.program_.system),
        layout_(run.program_.layout),
        events_(layout_.groups[number]),
        schedule_(layout_.schedules[number]),
        rank_(group.first.size()) {}

  Status evaluate();

 private:
  bool rows() const { return schedule_.kind == ir::ScheduleKind::rows; }
  std::size_t outer() const { return rows() ? schedule_.order.front() : 0; }
  std::int64_t extent(std::size_t axis) const { return group_.last[axis] - group_.first[axis] + 1; }

  double cell_count() const;
  Status plan();
  bool try_window();
  bool add_kept_boxes(EventCells& cells, ir::EventId event);
  std::int64_t slice_cells() const;
  void set_strides();
  Status evaluate_sources();
  Status hoist();
  Status fail_with_weight(const ir::Hoisted& hoisted, double weight);
  bool has_source(const std::vector<std::int32_t>& offset) const;
  Status find_quantum();
  bool may_hurry() const;
  Status run_kernel();
  Status run_slices(KernelFunction kernel);
  Status run_planes(KernelFunction kernel);
  void place_window(std::int64_t lowest);
  void keep(std::int64_t from, std::int64_t to);
  void keep_box(const Word* base, KeptBox& box, std::size_t axis, std::int64_t from_words, std::int64_t to_words,
                std::int64_t outer_from, std::int64_t outer_to);
  void move_window(std::int64_t from, std::int64_t to);
  Status in_time(double done, double all, std::chrono::steady_clock::time_point begin);
  void report();

  Run& run_;
  Record* record_;
  GroupIndex number_;
  Group& group_;
  const ir::System& system_;
  const Layout& layout_;
  const ir::EventGroup& events_;
  const ir::Schedule& schedule_;
  std::size_t rank_;
  std::vector<std::int64_t> stride_;      // in words
  bool windowed_ = false;
  std::int64_t chunk_ = 0;                // slices evaluated at a time
  std::int64_t history_ = 0;              // slices kept before them
  std::vector<Word> hoisted_;
  ir::Exactness exactness_;
  std::vector<Word> arguments_;
};

double GroupEvaluation::cell_count() const {
  double cells = 1;
  for (std::size_t axis = 0; axis < rank_; ++axis) cells *= static_cast<double>(extent(axis));
  return cells;
}

std::int64_t GroupEvaluation::slice_cells() const {
  std::int64_t cells = 1;
  for (std::size_t axis = 0; axis < rank_; ++axis) {
    if (axis != outer()) cells *= extent(axis);
  }
  return cells;
}

// The innermost loop's axis is contiguous.
void GroupEvaluation::set_strides() {
  stride_.assign(rank_, 0);
  std::int64_t stride = 1;
  for (std::size_t level = rank_; level-- > 0;) {
    const std::size_t axis = rows() ? schedule_.order[level] : level;
    stride_[axis] = stride;
    stride *= extent(axis);
  }
}

// --- storage ---

Status GroupEvaluation::plan() {
  const double cells = cell_count();
  const double bytes = cells * static_cast<double>(sizeof(Word) * events_.events.size());
  group_.events.resize(events_.events.size());
  const double left = static_cast<double>(run_.limits_.memory_bytes) - static_cast<double>(run_.bytes_);
  if (cells * seconds_per_cell > backend::seconds_left(run_.limits_)) {
    return run_.limit(backend::time_exceeded(system_, events_.events.front(), cells, cells * seconds_per_cell, run_.limits_));
  }
  if ((cells > small_group || windows_forced) && cells < 0x1p62 && rows() && schedule_.history >= 0) windowed_ = try_window();
  if (!windowed_) {
    if (bytes > left) {
      return run_.limit(backend::memory_exceeded(system_, events_.events.front(), cells, bytes, run_.limits_));
    }
    set_strides();
    for (EventCells& event : group_.events) {
      event.kept.clear();
      event.words = allocate(static_cast<std::size_t>(cells));
      if (!event.words) {
        return run_.limit(backend::memory_exceeded(system_, events_.events.front(), cells, bytes, run_.limits_));
      }
    }
    group_.bytes = static_cast<std::size_t>(bytes);
  }
  run_.bytes_ += group_.bytes;
  return done;
}

// A moving window and what is read from outside, where that is less than half of all cells.
bool GroupEvaluation::try_window() {
  double kept_words = 0;
  for (std::size_t i = 0; i < group_.events.size(); ++i) {
    if (!add_kept_boxes(group_.events[i], events_.events[i])) return false;
    for (const KeptBox& box : group_.events[i].kept) {
      double words = 1;
      for (std::size_t axis = 0; axis < rank_; ++axis) {
        if (!box.fixed[axis]) words *= static_cast<double>(extent(axis));
      }
      kept_words += words;
    }
  }
  history_ = schedule_.history;
  const std::int64_t slice = slice_cells();
  const std::int64_t slices = extent(outer());
  chunk_ = windows_forced ? 2 : std::max<std::int64_t>(window_cells / slice, 8);
  chunk_ = std::min(chunk_, slices);
  const double slice_words = static_cast<double>(slice) * static_cast<double>(group_.events.size());
  const double left = static_cast<double>(run_.limits_.memory_bytes - run_.bytes_) / sizeof(Word) - kept_words;
  while (chunk_ > 1 && static_cast<double>(chunk_ + history_) * slice_words > left) chunk_ /= 2;
  const double window_words = static_cast<double>(chunk_ + history_) * slice_words;
  const double all_words = cell_count() * static_cast<double>(group_.events.size());
  if ((window_words + kept_words > all_words / 2 && !windows_forced) || window_words > left) return false;
  set_strides();
  for (EventCells& event : group_.events) {
    event.words = allocate(static_cast<std::size_t>((chunk_ + history_) * slice));
    if (!event.words) return false;
    for (KeptBox& box : event.kept) {
      std::int64_t stride = 1;
      box.stride.assign(rank_, 0);
      for (std::size_t level = rank_; level-- > 0;) {
        const std::size_t axis = schedule_.order[level];
        if (box.fixed[axis]) continue;
        box.stride[axis] = stride;
        stride *= extent(axis);
      }
      box.cells.resize(static_cast<std::size_t>(stride));
    }
  }
  group_.bytes = static_cast<std::size_t>(window_words + kept_words) * sizeof(Word);
  return true;
}

// False where an index cannot be known now: evaluating it fails. (That it fails is nobody's concern yet.)
bool GroupEvaluation::add_kept_boxes(EventCells& cells, ir::EventId event) {
  for (const ir::ReadPattern& pattern : ir::read_patterns(system_, event)) {
    KeptBox box;
    bool on_space = true;
    for (std::size_t axis = 0; axis < rank_; ++axis) {
      box.fixed.emplace_back();
      if (!pattern.axes[axis]) continue;
      Word index = 0;
      if (run_.value(*pattern.axes[axis], events_.frame, record_, index) != done) {
        run_.failure_.reset();
        return false;
      }
      box.fixed.back() = static_cast<std::int64_t>(index);
      on_space = on_space && *box.fixed.back() >= group_.first[axis] && *box.fixed.back() <= group_.last[axis];
    }
    if (on_space) cells.kept.push_back(std::move(box));
  }
  return true;
}

// --- scalars ---

bool GroupEvaluation::has_source(const std::vector<std::int32_t>& offset) const {
  const ir::Space& space = system_[events_.space];
  for (std::size_t axis = 0; axis < rank_; ++axis) {
    if (!space.axes[axis].wrap && std::abs(std::int64_t{offset[axis]}) >= extent(axis)) return false;
  }
  return true;
}

// Groups that cells look at by offsets are evaluated before the first cell, needed or not.
Status GroupEvaluation::evaluate_sources() {
  for (const ir::EventId event : events_.events) {
    for (const ir::Dependence& dependence : ir::dependences(system_, event)) {
      const GroupIndex source = layout_.group_of[dependence.source.index];
      if (source == number_) continue;
      Record* const owner = run_.record_of(system_[dependence.source].frame, events_.frame, record_);
      if (run_.require_group(owner, source) != done) return failed;
    }
  }
  return done;
}

Status GroupEvaluation::fail_with_weight(const ir::Hoisted& hoisted, double weight) {
  ir::Failure failure;
  failure.kind = ir::FailureKind::weight_not_finite;
  failure.site = system_[hoisted.event].site;
  failure.values = {ir::Scalar::of(ir::arithmetic::canonical(weight))};
  failure.place = hoisted.place;
  return run_.limit(std::move(failure));
}

Status GroupEvaluation::hoist() {
  for (const ir::Hoisted& hoisted : ir::hoisted(system_, events_)) {
    Word value = 0;
    if (!hoisted.offset || has_source(*hoisted.offset)) {
      if (run_.value(hoisted.value, events_.frame, record_, value) != done) return failed;
      const double weight = std::bit_cast<double>(value);
      if (!std::isfinite(weight)) return fail_with_weight(hoisted, weight);
    }
    hoisted_.push_back(value);
  }
  return done;
}

namespace {

// A limit was exceeded while the bound was being worked out.
struct LimitExceeded {
  ir::Failure failure;
};

}  // namespace

// Limits are nobody's to swallow; any other failure of a definition is for the cell that needs it.
Status GroupEvaluation::find_quantum() {
  const auto definition = [&](ir::DefinitionId id) {
    auto value = run_.definition_value(id, events_.frame, record_);
    if (const auto* const failure = std::get_if<ir::Failure>(&value)) {
      const bool is_limit =
          failure->kind == ir::FailureKind::time_limit || failure->kind == ir::FailureKind::memory_limit;
      if (is_limit) throw LimitExceeded{*failure};
    }
    return value;
  };
  const auto parameter = [&](ir::ParameterId id) { return run_.parameter_value(id, events_.frame, record_); };
  try {
    exactness_ = ir::exactness(system_, events_, group_.first, group_.last, definition, parameter);
  } catch (const LimitExceeded& exceeded) {
    return run_.limit(exceeded.failure);
  }
  return done;
}

// Weights may be added up before the neighbour's time where sums do not round; bodies that are evaluated as
// written have no weights.
bool GroupEvaluation::may_hurry() const {
  if (exactness_.exact) {
    return exactness_.quantum > 0 && std::isnormal(exactness_.quantum) &&
           std::isnormal(1 / exactness_.quantum);
  }
  return std::all_of(events_.events.begin(), events_.events.end(), [&](ir::EventId id) {
    return system_[id].general() && !system_[id].exact;
  });
}

// --- cells ---

Status GroupEvaluation::run_kernel() {
  const auto rank = static_cast<std::uint32_t>(rank_);
  const auto events = static_cast<std::uint32_t>(events_.events.size());
  const double quantum = exactness_.exact ? exactness_.quantum : 0;
  arguments_.assign(KernelArguments::hoisted(rank, events, static_cast<std::uint32_t>(hoisted_.size())), 0);
  arguments_[KernelArguments::quantum] = std::bit_cast<Word>(quantum);
  arguments_[KernelArguments::inverse] = std::bit_cast<Word>(quantum == 0 ? 0.0 : 1 / quantum);
  arguments_[KernelArguments::fast] = may_hurry() ? 1 : 0;
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    arguments_[KernelArguments::first(axis)] = static_cast<Word>(group_.first[axis]);
    arguments_[KernelArguments::last(axis)] = static_cast<Word>(group_.last[axis]);
    arguments_[KernelArguments::stride(axis)] = static_cast<Word>(stride_[axis]);
  }
  for (std::uint32_t i = 0; i < hoisted_.size(); ++i) {
    arguments_[KernelArguments::hoisted(rank, events, i)] = hoisted_[i];
  }
  const auto kernel = reinterpret_cast<KernelFunction>(run_.program_.kernel(number_));
  if (!kernel) return run_.internal_failure("a kernel has not been compiled");
  return rows() ? run_slices(kernel) : run_planes(kernel);
}

// The cell 0 of every axis would be here, with slice `lowest` of the outermost axis first in memory.
void GroupEvaluation::place_window(std::int64_t lowest) {
  std::int64_t words = 0;
  for (std::size_t axis = 0; axis < rank_; ++axis) {
    words += stride_[axis] * (axis == outer() && windowed_ ? lowest : group_.first[axis]);
  }
  for (std::uint32_t event = 0; event < group_.events.size(); ++event) {
    const auto address = reinterpret_cast<std::uintptr_t>(group_.events[event].words.get());
    arguments_[KernelArguments::base(static_cast<std::uint32_t>(rank_), event)] =
        address - static_cast<std::uintptr_t>(words) * sizeof(Word);
  }
}

Status GroupEvaluation::run_slices(KernelFunction kernel) {
  const std::size_t axis = outer();
  const bool rising = schedule_.rising[axis];
  if (!windowed_) chunk_ = std::max<std::int64_t>(1, 4 * window_cells / slice_cells());
  const auto begin = std::chrono::steady_clock::now();
  const std::int64_t slices = extent(axis);
  for (std::int64_t done_slices = 0; done_slices < slices;) {
    const std::int64_t now = std::min(chunk_, slices - done_slices);
    const std::int64_t from = rising ? group_.first[axis] + done_slices : group_.last[axis] - done_slices - now + 1;
    const std::int64_t to = from + now - 1;
    place_window(rising ? from - history_ : from);
    if (kernel(&run_.context_, record_, arguments_.data(), from, to) != done) return failed;
    if (windowed_) {
      keep(from, to);
      move_window(from, to);
    }
    done_slices += now;
    const Status status = in_time(static_cast<double>(done_slices), static_cast<double>(slices), begin);
    if (status != done) return status;
  }
  return done;
}

// The last slices become the first of the next window.
void GroupEvaluation::move_window(std::int64_t from, std::int64_t to) {
  if (history_ == 0) return;
  const bool rising = schedule_.rising[outer()];
  const std::int64_t slice = slice_cells();
  const std::int64_t count = to - from + 1;
  const auto bytes = static_cast<std::size_t>(history_ * slice) * sizeof(Word);
  for (EventCells& event : group_.events) {
    Word* const words = event.words.get();
    if (rising) {
      std::memmove(words, words + count * slice, bytes);
    } else {
      // The next window is as long as this one, or, at the end, shorter: its history begins behind its slices.
      const std::int64_t next = std::min(chunk_, from - group_.first[outer()]);
      std::memmove(words + next * slice, words, bytes);
    }
  }
}

// Copies what is read from outside out of slices [from, to].
void GroupEvaluation::keep(std::int64_t from, std::int64_t to) {
  for (std::uint32_t event = 0; event < group_.events.size(); ++event) {
    const auto base = reinterpret_cast<const Word*>(
        arguments_[KernelArguments::base(static_cast<std::uint32_t>(rank_), event)]);
    for (KeptBox& box : group_.events[event].kept) {
      const auto& fixed = box.fixed[outer()];
      if (fixed && (*fixed < from || *fixed > to)) continue;
      keep_box(base, box, 0, 0, 0, fixed ? *fixed : from, fixed ? *fixed : to);
    }
  }
}

void GroupEvaluation::keep_box(const Word* base, KeptBox& box, std::size_t axis, std::int64_t from_words,
                               std::int64_t to_words, std::int64_t outer_from, std::int64_t outer_to) {
  if (axis == rank_) {
    std::memcpy(&box.cells[static_cast<std::size_t>(to_words)], base + from_words, sizeof(Word));
    return;
  }
  std::int64_t first = group_.first[axis], last = group_.last[axis];
  if (axis == outer()) first = outer_from, last = outer_to;
  if (box.fixed[axis]) first = last = *box.fixed[axis];
  for (std::int64_t index = first; index <= last; ++index) {
    keep_box(base, box, axis + 1, from_words + index * stride_[axis],
             to_words + (index - group_.first[axis]) * box.stride[axis], outer_from, outer_to);
  }
}

Status GroupEvaluation::run_planes(KernelFunction kernel) {
  place_window(0);
  std::int64_t lowest = 0, highest = 0;
  for (std::size_t axis = 0; axis < rank_; ++axis) {
    const std::int64_t theta = schedule_.theta[axis];
    lowest += theta * (theta > 0 ? group_.first[axis] : group_.last[axis]);
    highest += theta * (theta > 0 ? group_.last[axis] : group_.first[axis]);
  }
  const auto begin = std::chrono::steady_clock::now();
  const double planes = static_cast<double>(highest - lowest + 1);
  const std::int64_t chunk = std::max<std::int64_t>(1, static_cast<std::int64_t>(planes / 64));
  for (std::int64_t from = lowest; from <= highest; from += chunk) {
    const std::int64_t to = std::min(highest, from + chunk - 1);
    if (kernel(&run_.context_, record_, arguments_.data(), from, to) != done) return failed;
    const Status status = in_time(static_cast<double>(to - lowest + 1), planes, begin);
    if (status != done) return status;
  }
  return done;
}

// Says so as soon as it is clear that the time limit will not do.
Status GroupEvaluation::in_time(double done_part, double all, std::chrono::steady_clock::time_point begin) {
  if (!run_.limits_.deadline || done_part >= all) return done;
  const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double left = backend::seconds_left(run_.limits_);
  if (left < 0) return run_.limit(backend::deadline_passed(run_.limits_));
  const double needed = spent * all / done_part;
  if (spent < 0.2 || needed - spent < 3 * left) return done;
  return run_.limit(backend::time_exceeded(system_, events_.events.front(), cell_count(), needed, run_.limits_));
}

// --- all of it ---

Status GroupEvaluation::evaluate() {
  if (plan() != done || evaluate_sources() != done || hoist() != done || find_quantum() != done) return failed;
  if (run_kernel() != done) return failed;
  const auto rank = static_cast<std::uint32_t>(rank_);
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    group_.header[1 + GroupHeader::stride(axis)] = static_cast<Word>(stride_[axis]);
  }
  for (std::uint32_t event = 0; event < events_.events.size(); ++event) {
    group_.header[1 + GroupHeader::base(rank, event)] =
        windowed_ ? 0 : arguments_[KernelArguments::base(rank, event)];
    if (windowed_) group_.events[event].words.reset();
  }
  report();
  return done;
}

void GroupEvaluation::report() {
  for (const ir::EventId event : events_.events) {
    backend::EventReport report;
    report.event = system_[event].name;
    report.schedule = ir::schedule_text(system_, events_, schedule_);
    if (windowed_) report.schedule += fmt::format("; {} slices at a time", chunk_ + history_);
    report.cells = cell_count();
    if (exactness_.exact && system_[event].type == ir::ScalarType::real) {
      report.bound = exactness_.bound;
      report.quantum = exactness_.quantum;
      report.error = exactness_.error;
    }
    constexpr std::size_t most_reports = 1000;       // a function's events come once a call
    if (run_.reports_.size() < most_reports) run_.reports_.push_back(std::move(report));
  }
}

// --- what compiled code asks for ---

Status Run::enter_space(Record* record, GroupIndex number) {
  const ir::EventGroup& events = program_.layout.groups[number];
  const ir::Space& space = program_.system[events.space];
  const auto rank = static_cast<std::uint32_t>(space.axes.size());
  auto group = std::make_unique<Group>();
  // Word 0 leads back to the group; the header that compiled code sees begins behind it.
  group->header.assign(1 + GroupHeader::base(rank, static_cast<std::uint32_t>(events.events.size())), 0);
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    Word bounds[2] = {0, 0};
    if (value(space.axes[axis].first, events.frame, record, bounds[0]) != done ||
        value(space.axes[axis].last, events.frame, record, bounds[1]) != done) {
      scope_closed_ = true;
      return failed;
    }
    group->first.push_back(static_cast<std::int64_t>(bounds[0]));
    group->last.push_back(static_cast<std::int64_t>(bounds[1]));
    std::int64_t extent = 0;
    const bool positive = group->last.back() >= group->first.back();
    if (!positive || __builtin_sub_overflow(group->last.back(), group->first.back(), &extent) ||
        __builtin_add_overflow(extent, 1, &extent)) {
      ir::Failure failure;
      failure.kind = positive ? ir::FailureKind::integer_overflow : ir::FailureKind::extent_not_positive;
      failure.site = space.axes[axis].site;
      failure.values = {ir::Scalar::of(group->first.back()), ir::Scalar::of(group->last.back())};
      return limit(std::move(failure));
    }
    group->header[1 + GroupHeader::first(axis)] = bounds[0];
    group->header[1 + GroupHeader::last(axis)] = bounds[1];
  }
  group->header[0] = reinterpret_cast<Word>(group.get());
  record[program_.layout.group_offset[number] / 8] = reinterpret_cast<Word>(group->header.data() + 1);
  group.release();   // owned by the record until Run::release
  return done;
}

void Run::fail_off_space(Record* owner, ir::EventId event, ir::SiteId site, std::int64_t axis,
                         const std::int64_t* indices) {
  const Group& group = *group_at(owner, program_.layout.group_offset[program_.layout.group_of[event.index]]);
  const auto number = static_cast<std::size_t>(axis);
  ir::Failure failure;
  failure.kind = ir::FailureKind::index_off_grid;
  failure.site = site;
  failure.values = {ir::Scalar::of(indices[number])};
  if (group.first.size() > 1) {
    failure.values.push_back(ir::Scalar::of(group.first[number]));
    failure.values.push_back(ir::Scalar::of(group.last[number]));
  }
  scope_closed_ = false;
  failure_ = std::move(failure);
}

Status Run::require_group(Record* record, GroupIndex number) {
  const std::uint32_t offset = program_.layout.group_offset[number];
  if (!group_at(record, offset) && enter_space(record, number) != done) return failed;
  return group_at(record, offset)->header[1 + GroupHeader::done] == 1 ? done : enter_group(record, number);
}

Status Run::enter_group(Record* record, GroupIndex number) {
  Group& group = *group_at(record, program_.layout.group_offset[number]);
  const ir::EventId event = program_.layout.groups[number].events.front();
  if (group.running) {
    ir::Failure failure;
    failure.kind = ir::FailureKind::cyclic_recurrence;
    failure.place = program_.system[event].place;
    failure.detail = fmt::format("{} -> {}", program_.system[event].name, program_.system[event].name);
    return limit(std::move(failure));
  }
  group.running = true;
  const std::size_t before = bytes_;
  const Status status = GroupEvaluation(*this, record, number, group).evaluate();
  group.running = false;
  scope_closed_ = true;
  if (status == done) {
    group.header[1 + GroupHeader::done] = 1;
  } else {
    bytes_ = before;
    group.bytes = 0;
    group.events.clear();
  }
  return status;
}

Status Run::read_kept(const Word* header, std::uint32_t event, const std::int64_t* indices, Word* out) const {
  const Group& group = *reinterpret_cast<const Group*>(header[-1]);
  for (const KeptBox& box : group.events[event].kept) {
    std::int64_t words = 0;
    bool inside = true;
    for (std::size_t axis = 0; axis < box.fixed.size(); ++axis) {
      if (box.fixed[axis]) {
        inside = inside && *box.fixed[axis] == indices[axis];
      } else {
        words += (indices[axis] - group.first[axis]) * box.stride[axis];
      }
    }
    if (!inside) continue;
    *out = box.cells[static_cast<std::size_t>(words)];
    return done;
  }
  return failed;   // no pattern of the system's reads: cannot be
}

void Run::release(Record* record, ir::FrameId frame) {
  for (const GroupIndex number : program_.layout.frames[frame.index].groups) {
    const std::uint32_t offset = program_.layout.group_offset[number];
    if (Group* const group = group_at(record, offset)) {
      bytes_ -= group->bytes;
      delete group;
    }
    record[offset / 8] = 0;
  }
}

}  // namespace wave::jit
