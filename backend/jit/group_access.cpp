// Recurrences of a kernel as others see them: evaluated for the evaluator, and read, by it and by compiled code.
#include "backend/jit/group_evaluation.h"
#include "backend/limits.h"

#include <algorithm>
#include <new>
#include <utility>

namespace wave::jit {

Group* Run::group(GroupIndex number) const { return groups_[number].get(); }

// --- asked by compiled code ---

Status Run::enter_space(GroupIndex number) {
  backend::kernels::Extents extents;
  const ir::EventId event = compiled_.layout.groups[number].events.front();
  return ask([&] {
    extents = host_.extents(event);
    begin_group(number, extents);
  });
}

// Code finds the header of a group in the record. It may be holding it already, so a group that begins anew stays where
// it is.
void Run::begin_group(GroupIndex number, const backend::kernels::Extents& extents) {
  const ir::EventGroup& events = compiled_.layout.groups[number];
  const auto rank = static_cast<std::uint32_t>(extents.first.size());
  std::unique_ptr<Group>& group = groups_[number];
  if (!group) group = std::make_unique<Group>();
  group->events.clear();
  group->strips = {};
  group->elsewhere.clear();
  group->bytes = 0;
  group->first = extents.first, group->last = extents.last;
  // Word 0 leads back to the group; the header that compiled code sees begins behind it.
  group->header.assign(1 + GroupHeader::base(rank, static_cast<std::uint32_t>(events.events.size())), 0);
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    group->header[1 + GroupHeader::first(axis)] = static_cast<Word>(extents.first[axis]);
    group->header[1 + GroupHeader::last(axis)] = static_cast<Word>(extents.last[axis]);
  }
  group->header[0] = reinterpret_cast<Word>(group.get());
  root_record_[Layout::group_offset(number) / 8] = reinterpret_cast<Word>(group->header.data() + 1);
}

void Run::fail_off_space(ir::EventId event, ir::SiteId site, std::int64_t axis, const std::int64_t* indices) {
  const Group& of_event = *group(compiled_.layout.group_of[event.index]);
  const auto number = static_cast<std::size_t>(axis);
  ir::Failure failure;
  failure.kind = ir::FailureKind::index_off_grid;
  failure.site = site;
  failure.values = {ir::Scalar::of(indices[number])};
  if (of_event.first.size() > 1) {
    failure.values.push_back(ir::Scalar::of(of_event.first[number]));
    failure.values.push_back(ir::Scalar::of(of_event.last[number]));
  }
  set_failure(std::move(failure), false);
}

Status Run::enter_group(GroupIndex number) {
  const std::vector<ir::EventId>& events = compiled_.layout.groups[number].events;
  std::vector<backend::kernels::Cells> cells;
  const Status status = ask([&] {
    for (const ir::EventId event : events) cells.push_back(host_.cells(event));
  });
  if (status != done) return failed;
  Group& group = *groups_[number];
  if (group.header[1 + GroupHeader::done] == 1) return done;  // this kernel has evaluated it meanwhile
  const auto rank = static_cast<std::uint32_t>(group.first.size());
  const bool has_words = std::any_of(cells.begin(), cells.end(), [](const auto& one) { return one.words != nullptr; });
  std::int64_t stride = 1, origin = 0;
  for (std::uint32_t axis = rank; has_words && axis-- > 0;) {  // so they are not too many
    group.header[1 + GroupHeader::stride(axis)] = static_cast<Word>(stride);
    origin += stride * group.first[axis];
    stride *= group.last[axis] - group.first[axis] + 1;
  }
  for (std::uint32_t event = 0; event < cells.size(); ++event) {
    if (!cells[event].words) continue;
    group.header[1 + GroupHeader::base(rank, event)] =
        reinterpret_cast<Word>(cells[event].words) - static_cast<Word>(origin) * sizeof(Word);
  }
  group.elsewhere = std::move(cells);
  group.header[1 + GroupHeader::done] = 1;
  return done;
}

Status Run::read_kept(const Word* header, std::uint32_t event, const std::int64_t* indices, Word* out) {
  const Group& group = *reinterpret_cast<const Group*>(header[-1]);
  if (!group.elsewhere.empty())
    return ask([&] { *out = to_bits(group.elsewhere[event].at({indices, group.first.size()})); });
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

// --- asked by the evaluator ---

void Run::plan(const backend::kernels::GroupTask& task) {
  const GroupIndex number = compiled_.layout.group_of[task.event.index];
  drop(task.event);
  begin_group(number, task.extents);
  forget_failure();
  planned_[number] = std::make_unique<GroupEvaluation>(*this, number, *groups_[number], task);
  Status status = failed;
  try {
    status = planned_[number]->plan();
  } catch (const std::bad_alloc&) {
    limit(backend::memory_refused(instance_, task.event));
  }
  if (status != done) throw_failure();
}

std::size_t Run::bytes(ir::EventId event) const {
  const Group* const of_event = group(compiled_.layout.group_of[event.index]);
  return of_event ? of_event->bytes : 0;
}

void Run::drop(ir::EventId event) {
  Group* const of_event = group(compiled_.layout.group_of[event.index]);
  if (!of_event) return;
  memory_.used -= std::exchange(of_event->bytes, 0);
  of_event->events.clear();
}

bool Run::evaluate(ir::EventId event, const ir::Exactness& exactness, std::size_t activations) {
  const Entry entry(*this, activations);
  const GroupIndex number = compiled_.layout.group_of[event.index];
  Status status = failed;
  try {
    status = planned_[number]->evaluate(exactness);
  } catch (const std::bad_alloc&) {
    limit(backend::memory_refused(instance_, event));
  }
  if (status == done)
    groups_[number]->header[1 + GroupHeader::done] = 1;
  else
    drop(event);
  return is_done(status);
}

// The same way as compiled code.
ir::Scalar Run::read(ir::EventId event, std::span<const std::int64_t> indices) {
  const GroupIndex number = compiled_.layout.group_of[event.index];
  const Word* const header = groups_[number]->header.data() + 1;
  const auto signed_word = [&](std::uint32_t place) { return static_cast<std::int64_t>(header[place]); };
  const auto rank = static_cast<std::uint32_t>(indices.size());
  const std::uint32_t position = compiled_.layout.position[event.index];
  Word word = 0;
  if (const Word base = header[GroupHeader::base(rank, position)]; base != 0) {
    std::int64_t words = 0;
    for (std::uint32_t axis = 0; axis < rank; ++axis) words += indices[axis] * signed_word(GroupHeader::stride(axis));
    if (const std::int64_t in_strips = signed_word(GroupHeader::in_strips); in_strips != 0) {
      const lanes::StripPlan& plan = compiled_.layout.strips[number];
      const std::uint32_t axis = plan.row_axis;
      const std::int64_t row = plan.rising[axis] ? indices[axis] - signed_word(GroupHeader::first(axis))
                                                 : signed_word(GroupHeader::last(axis)) - indices[axis];
      words += GroupHeader::words_to_row(row, in_strips, signed_word(GroupHeader::strip_words),
                                         signed_word(GroupHeader::skew_words));
    }
    word = reinterpret_cast<const Word*>(base)[words];
  } else if (read_kept(header, position, indices.data(), &word) != done) {
    throw_failure();
  }
  return to_scalar(instance_[event].type, word);
}

std::string Run::schedule(ir::EventId event) const {
  return planned_[compiled_.layout.group_of[event.index]]->schedule();
}

}  // namespace wave::jit
