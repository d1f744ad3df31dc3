// See program_host.h.
#include "backend/processes/engine/program_host.h"

#include "backend/processes/program/checks.h"
#include "backend/processes/program/peers.h"
#include "backend/processes/thresholds.h"
#include "base/large_array.h"
#include "ir/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace wave::backend::processes::engine {

ProgramHost::ProgramHost(const ProgramInput& input, const program::Bytecode& program, const Calls& calls,
                         Recording* recording)
    : Shared{calls, input.places.extents.data(), nullptr, nullptr, input.quantum, 0},
      input_(input),
      program_(program),
      recording_(recording),
      homes_(kinds_at_home(input, program)),
      point_(input.places.extents.size()) {
  for (const ir::MessageEnds& ends : input.scalars.system().ends) waits_for_size_.push_back(is_late(ends));
  const bool waits = std::ranges::any_of(program.code, [](const program::Instruction& instruction) {
    const auto* const n = std::get_if<program::Communicate>(&instruction);
    return n && n->is_awaited;
  });
  const bool has_tasks = std::ranges::any_of(program.code, [](const program::Instruction& instruction) {
    return std::holds_alternative<program::TakeTask>(instruction);
  });
  if (has_tasks) tasks_.resize(static_cast<std::size_t>(input.places.count()));
  lists_ = waits ? input.process.handles.size() + 1 : 0;
  pending_at_ = sizeof(Standing) + 8 * (point_.size() + program.slots);
  rest_at_ = pending_at_ + lists_ * sizeof(Pending);
}

void ProgramHost::reserve(std::size_t rest, std::size_t count) {
  stride_ = rounded_up(rest_at_ + rest, line);
  const std::size_t bytes = rounded_up(count * stride_, line);
  claim(static_cast<std::int64_t>(bytes));
  const auto memory = std::make_shared<LargeArray<std::byte>>(bytes);
  standings_ = {memory, memory->data()};
}

void ProgramHost::place(Standing& at, Number rank) {
  Standing& me = *new (&at) Standing;
  me.rank = rank;
  const std::vector<std::int64_t>& extents = input_.places.extents;
  for (std::size_t axis = extents.size(), rest = rank; axis-- > 0;) {
    const auto extent = static_cast<std::size_t>(extents[axis]);
    coordinates(me)[axis] = static_cast<std::int64_t>(rest % extent) + 1;
    rest /= extent;
  }
  std::fill_n(coordinates(me) + extents.size(), program_.slots, 0);
  std::fill_n(pending(me), lists_, Pending{none, none});
}

void ProgramHost::place_all(const std::function<void(Standing&)>& then) {
  const auto count = static_cast<std::size_t>(input_.places.count());
  for (std::size_t rank = 0; rank < count; ++rank) {
    if (rank % turns_between_clock_reads == 0) input_.look_at_clock();
    place(standing(rank), static_cast<Number>(rank));
    then(standing(rank));
  }
}

bool ProgramHost::is_late(const ir::MessageEnds& ends) {
  using Kind = ir::Step::Kind;
  return std::ranges::any_of(ends.protocols, [](const ir::Protocol& protocol) {
    const auto first =
        std::ranges::find_if(protocol.receiver, [](const ir::Step& one) { return one.kind != Kind::arrival; });
    return first != protocol.receiver.end() && first->kind != Kind::await;
  });
}

bool ProgramHost::has_receives_without_size() const {
  return std::ranges::any_of(program_.code, [](const program::Instruction& instruction) {
    const auto* const n = std::get_if<program::Communicate>(&instruction);
    return n && n->size == program::no_operand;
  });
}

MessageSite ProgramHost::site(std::size_t instruction) const {
  MessageSite site;
  const auto* const n = std::get_if<program::Communicate>(&program_.code[instruction]);
  if (!n) return site;
  const auto is_fixed = [&](program::OperandId id) {
    return id == program::no_operand || program_.operands[id].sources.empty();
  };
  site.call = n;
  site.is_fixed = is_fixed(n->tag) && std::ranges::all_of(n->coordinates, is_fixed);
  site.list =
      n->message->handle.valid() ? n->message->handle.index : static_cast<Number>(input_.process.handles.size());
  return site;
}

std::int64_t ProgramHost::find_peer(Standing& me, std::uint32_t instruction, const std::int64_t* key) {
  const ir::Peer& peer = std::get<program::Communicate>(program_.code[instruction]).message->peer;
  written_.assign(key + 1, key + 1 + peer.coordinates.size());
  point_.assign(coordinates(me), coordinates(me) + point_.size());
  const auto found = peer_rank(peer, input_.places, point_, written_, target_);
  return found ? *found : -1;
}

namespace {

ir::Failure too_many_tasks(const ir::Statement& statement) {
  ir::Failure failure;
  failure.kind = ir::FailureKind::memory_limit;
  failure.location = statement.location;
  failure.detail = fmt::format("a list of more than {} tasks", most_tasks_of_list);
  return failure;
}

}  // namespace

Outcome ProgramHost::begin_task(Standing& me, std::uint32_t site, double priority, const std::int64_t* slots) {
  const auto& n = std::get<program::BeginTask>(program_.code[site]);
  Tasks& mine = tasks_[me.rank];
  if (mine.list.size() >= most_tasks_of_list) throw Failed{too_many_tasks(*n.statement)};
  if (std::isnan(priority)) priority = -std::numeric_limits<double>::infinity();
  const std::int64_t before = mine.bytes();
  mine.list.push_back({priority, n.body, mine.slots.size(), n.slots});
  mine.slots.insert(mine.slots.end(), slots, slots + n.slots);
  if (mine.bytes() != before) claim(mine.bytes() - before);
  return Outcome::goes_on;
}

void ProgramHost::go_to_task(const Standing& me, const program::TakeTask& list, std::uint32_t number,
                             std::int64_t* slots) const {
  const Tasks& mine = tasks_[me.rank];
  const Task& task = mine.list[number];
  std::copy_n(mine.slots.data() + task.first_slot, task.slots, slots);
  slots[list.slot] = task.body;
}

// What the list has taken is kept for the next one.
void ProgramHost::leave_tasks(Standing& me, const program::TakeTask& list, std::int64_t* slots) {
  tasks_[me.rank].list.clear();
  tasks_[me.rank].slots.clear();
  slots[list.slot] = list.exit;
}

bool ProgramHost::has_late_receives() const {
  return std::ranges::any_of(program_.code, [&](const program::Instruction& instruction) {
    const auto* const n = std::get_if<program::Communicate>(&instruction);
    return n && n->size == program::no_operand && waits_for_size_[n->message->ends.index];
  });
}

void ProgramHost::leave_phase(Standing& me, std::uint32_t number, double entered) {
  ProcessState::PhaseClocks& phase = state_->phases[number];
  if (!phase.wanted()) return;
  phase.spent[me.rank] += me.clock - entered;
  phase.left[me.rank] = me.clock;
  if (recording_) recording_->leave_phase(me, number, entered);
}

std::optional<double> ProgramHost::cost_on_quantum(const Standing& me, double cost) {
  const auto rounded = ir::arithmetic::quantize(cost, input_.quantum);
  if (rounded.failed) return std::nullopt;
  rounding_.add(cost, rounded.value);
  if (recording_) recording_->pay(me, rounded.value);
  return rounded.value;
}

Calls ProgramHost::calls_of_loops() {
  Calls calls{};
  calls.enter_loop = [](Shared*, Standing*, std::int64_t* slots, std::int32_t geometric) -> std::int32_t {
    const ir::LoopRange range{slots[0], slots[1], slots[2], geometric != 0};
    if (!range.makes_progress()) return -1;
    return range.begin().has_value() ? 1 : 0;
  };
  calls.next_iteration = [](Shared*, Standing*, std::int64_t* slots, std::int32_t geometric) -> std::int32_t {
    const auto next = ir::LoopRange{slots[0], slots[1], slots[2], geometric != 0}.after(slots[0]);
    if (next) slots[0] = *next;
    return next.has_value() ? 1 : 0;
  };
  return calls;
}

}  // namespace wave::backend::processes::engine
