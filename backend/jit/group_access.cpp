// What compiled code asks of groups: their extents, their cells, points that have been kept.
#include "backend/jit/group_evaluation.h"
#include "backend/limits.h"

#include <fmt/format.h>

#include <bit>
#include <new>
#include <utility>

namespace wave::jit {

Group* group_at(Record* record, std::uint32_t offset) {
  // A record has the address of the header; the group it belongs to is found through the word before it.
  auto* const header = reinterpret_cast<Word*>(record[offset / 8]);
  return header ? reinterpret_cast<Group*>(header[-1]) : nullptr;
}

Status Run::enter_space(Record* record, GroupIndex number) {
  const ir::EventGroup& events = compiled_.layout.groups[number];
  const ir::Space& space = compiled_.system[events.space];
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
  record[compiled_.layout.group_offset[number] / 8] = reinterpret_cast<Word>(group->header.data() + 1);
  group.release();  // owned by the record until Run::release
  return done;
}

void Run::fail_off_space(Record* owner, ir::EventId event, ir::SiteId site, std::int64_t axis,
                         const std::int64_t* indices) {
  const Group& group = *group_at(owner, compiled_.layout.group_offset[compiled_.layout.group_of[event.index]]);
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
  const std::uint32_t offset = compiled_.layout.group_offset[number];
  if (!group_at(record, offset) && enter_space(record, number) != done) return failed;
  return group_at(record, offset)->header[1 + GroupHeader::done] == 1 ? done : enter_group(record, number);
}

Status Run::enter_group(Record* record, GroupIndex number) {
  Group& group = *group_at(record, compiled_.layout.group_offset[number]);
  const ir::EventId event = compiled_.layout.groups[number].events.front();
  if (group.running) {
    ir::Failure failure;
    failure.kind = ir::FailureKind::cyclic_recurrence;
    failure.location = compiled_.system[event].location;
    failure.detail = fmt::format("{} -> {}", compiled_.system[event].name, compiled_.system[event].name);
    return limit(std::move(failure));
  }
  if (group.failure) return limit(*group.failure);
  group.running = true;
  Status status = failed;
  try {
    status = GroupEvaluation(*this, record, number, group).evaluate();
  } catch (const std::bad_alloc&) {  // which compiled code, the caller, could not pass on
    limit(backend::memory_refused(compiled_.system, event));
  }
  group.running = false;
  scope_closed_ = true;
  if (status == done) {
    group.header[1 + GroupHeader::done] = 1;
  } else {
    bytes_ -= std::exchange(group.bytes, 0);
    group.events.clear();
    // If the message of a cycle of definitions is still being built, the cycle is found again.
    if (failure_ && tries_ == 0 && (failure_->kind != ir::FailureKind::cyclic_definition || !cycle_.valid())) {
      group.failure = failure_;
    }
  }
  return status;
}

Status Run::read_kept(const Word* header, std::uint32_t event, const std::int64_t* indices, Word* out) {
  const Group& group = *reinterpret_cast<const Group*>(header[-1]);
  if (group.solution) return read_solution(group, indices, out);
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
  return failed;  // no pattern of the system's reads: cannot be
}

Status Run::read_solution(const Group& group, const std::int64_t* indices, Word* out) {
  try {
    *out = std::bit_cast<Word>(group.solution->at({indices, group.first.size()}));
  } catch (const std::bad_alloc&) {  // which compiled code, the caller, could not pass on
    return limit(backend::memory_refused(compiled_.system, group.solved));
  }
  return done;
}

void Run::release(Record* record, ir::FrameId frame) {
  if (frame != ir::System::root_frame && reports_.size() < most_reports) {
    for (backend::EventReport& report : reports_on_replaced(record, frame)) reports_.push_back(std::move(report));
  }
  for (const GroupIndex number : compiled_.layout.frames[frame.index].groups) {
    const std::uint32_t offset = compiled_.layout.group_offset[number];
    if (Group* const group = group_at(record, offset)) {
      bytes_ -= group->bytes;
      delete group;
    }
    record[offset / 8] = 0;
  }
}

}  // namespace wave::jit
