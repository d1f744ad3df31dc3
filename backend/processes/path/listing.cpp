// See listing.h.
#include "backend/processes/path/listing.h"

#include "backend/processes/engine/runtime.h"

#include <algorithm>
#include <utility>

namespace wave::backend::processes::engine {

namespace {

using Kind = ir::Step::Kind;

std::uint32_t first_await(const std::vector<ResolvedStep>& steps) {
  const auto is_await = [](const ResolvedStep& step) { return ir::is_awaiting(step.kind); };
  return static_cast<std::uint32_t>(std::ranges::find_if(steps, is_await) - steps.begin());
}

}  // namespace

Listing::Listing(const ProgramInput& input, const ServedResources* resources, std::int64_t rank, ir::PhaseId marked)
    : input_(input), resources_(resources), rank_(rank), marked_(marked), point_(input.places.point(rank)) {}

void Listing::compute(const ir::Statement& statement, double time) {
  items.push_back({Item::Kind::compute, 0, 0, use(), time, no_choice, &statement, inside});
}

void Listing::message(const ProgramListener::Call& told) {
  const auto number = static_cast<std::uint32_t>(calls.size());
  Call call;
  call.statement = &told.statement;
  call.side = told.message.side;
  Route route{told.within};
  if (input_.scalars.system()[told.message.ends].reads_ranks) {
    route.sender = call.side == Side::send ? rank_ : told.peer;
    route.receiver = call.side == Side::send ? told.peer : rank_;
  }
  call.ends = &input_.resolver.resolve(told.message.ends, told.size, route);
  call.peer = told.peer;
  call.channel = told.channel;
  call.inside = inside;
  std::vector<std::uint32_t>& before = by_channel_[{call.peer, call.channel, call.side}];
  call.ordinal = static_cast<std::uint32_t>(before.size());
  before.push_back(number);
  if (call.ends->window > 0) {
    std::vector<std::uint32_t>& alike = by_window_[{call.peer, call.channel, call.side, call.ends->protocol}];
    call.ordinal_in_window = static_cast<std::uint32_t>(alike.size());
    alike.push_back(number);
    if (call.side == Side::send && call.ordinal_in_window >= call.ends->window)
      items.push_back({Item::Kind::window, number, 0, none, 0, choices_++, nullptr});
  }
  call.first_item = items.size();
  const std::vector<ResolvedStep>& steps = call.steps();
  call.background_from = told.message.background ? first_await(steps) : static_cast<std::uint32_t>(steps.size());
  bool has_processor = false;
  for (std::uint32_t step = 0; step < call.background_from; ++step) list_step(number, call, step, has_processor);
  if (call.background_from < steps.size()) {
    std::vector<std::int64_t> key{told.tag};
    key.insert(key.end(), told.written.begin(), told.written.end());
    unawaited[number] = key_of(told.message, key);
  }
  calls.push_back(std::move(call));
}

// One that the program takes. `has_processor`: an `acquire` has got it for the `busy` that comes.
void Listing::list_step(std::uint32_t number, const Call& call, std::uint32_t at, bool& has_processor) {
  const ResolvedStep& step = call.steps()[at];
  Item item{Item::Kind::busy, number, at, none, 0, no_choice, nullptr};
  switch (step.kind) {
    case Kind::busy:
      if (!std::exchange(has_processor, false)) item.use = use();
      break;
    case Kind::await:
    case Kind::sent:
      item.kind = Item::Kind::signal;
      item.choice = choices_++;
      break;
    case Kind::acquire:
      item.kind = Item::Kind::acquire;
      if (is_served_at_once(call, step)) item.choice = choices_++;
      has_processor = processor_serves();
      break;
    case Kind::emit:
      if (!is_served_at_once(call, step)) return;
      item.kind = Item::Kind::emit;
      item.choice = choices_++;
      break;
    case Kind::arrival: return;
  }
  items.push_back(item);
}

void Listing::wait(const ir::Statement&, std::span<const std::uint32_t> numbers) {
  for (const std::uint32_t number : numbers) {
    Call& call = calls[number];
    const std::vector<ResolvedStep>& steps = call.steps();
    if (call.background_from == steps.size()) continue;  // nothing was left to the background
    unawaited.erase(number);
    call.choices_from = choices_;
    bool is_charged = false;
    for (std::size_t step = call.background_from; step < steps.size(); ++step) {
      if (ir::is_awaiting(steps[step].kind)) ++choices_;
      if (steps[step].kind == Kind::busy && is_charged_at_wait(steps, step))
        is_charged = is_charged || steps[step].time > 0;
    }
    items.push_back({Item::Kind::pending, number, 0, none, 0, choices_++, nullptr});
    if (is_charged || (processor_serves() && has_charge_at_wait(steps)))
      items.push_back({Item::Kind::charge, number, 0, use(), 0, no_choice, nullptr});
    call.waited_item = items.size();
  }
}

void Listing::choose(const ir::Statement&) {
  if (processor_serves()) items.push_back({Item::Kind::enter, 0, 0, use(), 0, no_choice, nullptr});
}

void Listing::collective(const ir::Statement& statement, const ir::Collective& collective) {
  using Root = ir::Collective::Root;
  if (processor_serves()) items.push_back({Item::Kind::enter, 0, 0, use(), 0, no_choice, nullptr});
  Gathering gathering{&statement, &collective, 0, items.size(), 0, inside};
  if (collective.along) {
    std::vector<std::int64_t> first = point_;
    first[*collective.along] = 1;
    gathering.root = input_.places.rank(first);
  }
  const auto number = static_cast<std::uint32_t>(gatherings.size());
  if (collective.root != Root::to || gathering.root == rank_) {
    gathering.paid = paid_++;
    items.push_back({Item::Kind::collective, number, 0, none, 0, choices_++, nullptr});
  }
  gatherings.push_back(gathering);
}

void Listing::enter_phase(ir::PhaseId phase) {
  if (phase == marked_) entered_.push_back(items.size());
}

void Listing::leave_phase(ir::PhaseId phase) {
  if (phase != marked_) return;
  marks.push_back({entered_.back(), items.size()});
  entered_.pop_back();
}

const Listing::Call* Listing::find(std::int64_t peer, std::int64_t channel, Side side, std::uint32_t ordinal) const {
  const auto found = by_channel_.find({peer, channel, side});
  return found == by_channel_.end() || ordinal >= found->second.size() ? nullptr : &calls[found->second[ordinal]];
}

const Listing::Call* Listing::find_in_window(std::int64_t peer, std::int64_t channel, std::uint32_t protocol,
                                             std::uint32_t ordinal) const {
  const auto found = by_window_.find({peer, channel, Side::receive, protocol});
  return found == by_window_.end() || ordinal >= found->second.size() ? nullptr : &calls[found->second[ordinal]];
}

std::size_t Listing::item_of_step(const Call& call, std::uint32_t step) const {
  std::size_t item = call.first_item;
  for (std::uint32_t before = 0; before < step; ++before) {
    const ResolvedStep& one = call.steps()[before];
    if (one.kind != Kind::arrival && (one.kind != Kind::emit || is_served_at_once(call, one))) ++item;
  }
  return item;
}

std::int64_t Listing::bytes() const {
  return static_cast<std::int64_t>(items.capacity() * sizeof(Item) + calls.capacity() * sizeof(Call) +
                                   gatherings.capacity() * sizeof(Gathering) + uses.capacity() * sizeof(std::size_t) +
                                   marks.capacity() * sizeof(Marks) + 2 * calls.size() * sizeof(std::uint32_t));
}

}  // namespace wave::backend::processes::engine
