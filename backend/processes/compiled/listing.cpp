// See listing.h.
#include "backend/processes/compiled/listing.h"

#include "backend/processes/compiled/runtime.h"

#include <algorithm>

namespace wave::backend::processes::compiled {

namespace {

using Kind = ir::Step::Kind;

std::uint32_t first_await(const std::vector<ResolvedStep>& steps) {
  const auto is_await = [](const ResolvedStep& step) { return step.kind == Kind::await; };
  return static_cast<std::uint32_t>(std::ranges::find_if(steps, is_await) - steps.begin());
}

}  // namespace

Listing::Listing(const NetworkInput& input, std::int64_t rank)
    : input_(input), rank_(rank), point_(input.places.point(rank)) {}

void Listing::compute(const ir::Statement& statement, double time) {
  items.push_back({Item::Kind::compute, 0, 0, time, no_choice, &statement});
}

void Listing::message(const ProgramListener::Call& told) {
  const auto number = static_cast<std::uint32_t>(calls.size());
  Call call;
  call.statement = &told.statement;
  call.ends = &input_.resolver.resolve(told.message.ends, told.size, told.local);
  call.side = told.message.side;
  call.peer = told.peer;
  call.channel = told.channel;
  std::vector<std::uint32_t>& before = by_channel_[{call.peer, call.channel, call.side}];
  call.ordinal = static_cast<std::uint32_t>(before.size());
  before.push_back(number);
  if (call.ends->window > 0) {
    std::vector<std::uint32_t>& alike = by_window_[{call.peer, call.channel, call.side, call.ends->protocol}];
    call.ordinal_in_window = static_cast<std::uint32_t>(alike.size());
    alike.push_back(number);
    if (call.side == Side::send && call.ordinal_in_window >= call.ends->window)
      items.push_back({Item::Kind::window, number, 0, 0, choices_++, nullptr});
  }
  call.first_item = items.size();
  const std::vector<ResolvedStep>& steps = call.steps();
  call.background_from = told.message.background ? first_await(steps) : static_cast<std::uint32_t>(steps.size());
  for (std::uint32_t step = 0; step < call.background_from; ++step) {
    if (steps[step].kind == Kind::busy) items.push_back({Item::Kind::busy, number, step, 0, no_choice, nullptr});
    if (steps[step].kind == Kind::await) items.push_back({Item::Kind::signal, number, step, 0, choices_++, nullptr});
  }
  if (call.background_from < steps.size()) {
    pending_[told.message.handle.valid() ? told.message.handle.index : ir::HandleId::none].push_back(number);
    std::vector<std::int64_t> key{told.tag};
    key.insert(key.end(), told.written.begin(), told.written.end());
    unawaited[number] = key_of(told.message, key);
  }
  calls.push_back(std::move(call));
}

// As in the network: all that are meant, in the order of their calls.
void Listing::wait(ir::HandleId handle) {
  std::vector<std::uint32_t> meant;
  for (auto& [of, numbers] : pending_) {
    if (handle.valid() && of != handle.index) continue;
    meant.insert(meant.end(), numbers.begin(), numbers.end());
    numbers.clear();
  }
  std::ranges::sort(meant);
  for (const std::uint32_t number : meant) {
    Call& call = calls[number];
    unawaited.erase(number);
    const std::vector<ResolvedStep>& steps = call.steps();
    call.choices_from = choices_;
    double charged = 0;
    for (std::size_t step = call.background_from; step < steps.size(); ++step) {
      if (steps[step].kind == Kind::await) ++choices_;
      if (steps[step].kind == Kind::busy && is_charged_at_wait(steps, step)) charged += steps[step].time;
    }
    items.push_back({Item::Kind::pending, number, 0, 0, choices_++, nullptr});
    if (charged > 0) items.push_back({Item::Kind::charge, number, 0, charged, no_choice, nullptr});
    call.waited_item = items.size();
  }
}

void Listing::collective(const ir::Statement& statement, const ir::Collective& collective) {
  using Root = ir::Collective::Root;
  Gathering gathering{&statement, &collective, 0, items.size(), 0};
  if (collective.along) {
    std::vector<std::int64_t> first = point_;
    first[*collective.along] = 1;
    gathering.root = input_.places.rank(first);
  }
  const auto number = static_cast<std::uint32_t>(gatherings.size());
  if (collective.root != Root::to || gathering.root == rank_) {
    gathering.paid = paid_++;
    items.push_back({Item::Kind::collective, number, 0, 0, choices_++, nullptr});
  }
  gatherings.push_back(gathering);
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

std::size_t Listing::item_of_step(const Call& call, std::uint32_t step) {
  std::size_t item = call.first_item;
  for (std::uint32_t before = 0; before < step; ++before) {
    if (call.steps()[before].kind != Kind::emit) ++item;
  }
  return item;
}

std::int64_t Listing::bytes() const {
  return static_cast<std::int64_t>(items.capacity() * sizeof(Item) + calls.capacity() * sizeof(Call) +
                                   gatherings.capacity() * sizeof(Gathering) +
                                   2 * calls.size() * sizeof(std::uint32_t));
}

}  // namespace wave::backend::processes::compiled
