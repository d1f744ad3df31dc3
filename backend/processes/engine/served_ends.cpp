// See served_ends.h.
#include "backend/processes/engine/served_ends.h"

#include "backend/processes/engine/channels.h"
#include "backend/processes/engine/recording.h"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

namespace wave::backend::processes::engine {

namespace {

using Kind = ir::Step::Kind;
using Steps = std::vector<ServedProtocol::Step>;

constexpr std::size_t most_steps = std::numeric_limits<std::int16_t>::max();
constexpr std::size_t most_numbers = std::numeric_limits<std::uint16_t>::max() - 1;

bool has_charge(const Steps& steps) {
  const auto first = std::ranges::find_if(steps, ir::is_awaiting, &ServedProtocol::Step::kind);
  return std::any_of(first, steps.end(),
                     [](const auto& step) { return step.kind == Kind::busy && step.is_charged_later; });
}

// What a step needs to know of those after it.
void look_back(Steps& steps) {
  bool is_last = true;
  std::uint16_t work = 0;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    step->is_charged_later = is_last;
    if (step->kind == Kind::emit) is_last = false;
    if (step->kind == Kind::busy) work = step->time;
    if (step->kind == Kind::acquire) step->time = work;
  }
}

// Calls visit(number of the time, time) in the order in which a protocol numbers them. Number 0 is no time.
template <class Visit>
void for_each_time(const ResolvedEnds& resolved, const Visit& visit) {
  std::size_t number = 0;
  for (const auto* const steps : {&resolved.sender, &resolved.receiver}) {
    for (const ResolvedStep& step : *steps) {
      if (step.has_time) visit(++number, step.time);
      for (const ResolvedUse& use : step.uses) visit(++number, use.occupied);
    }
  }
}

}  // namespace

std::size_t ServedProtocol::bytes() const {
  return sizeof(ServedProtocol) + (steps[0].size() + steps[1].size()) * sizeof(Step) +
         targets.size() * sizeof(targets[0]) + passes.size() * sizeof(ServedUse);
}

std::unique_ptr<ServedProtocol> AllServedEnds::make(const ResolvedEnds& resolved) const {
  auto protocol = std::make_unique<ServedProtocol>();
  protocol->machine = resolved.machine;
  protocol->number = resolved.protocol;
  const std::vector<ResolvedStep>* const sides[2] = {&resolved.sender, &resolved.receiver};
  if (std::max(sides[0]->size(), sides[1]->size()) > most_steps) return nullptr;
  std::size_t times = 0;
  const auto add_time = [&times] { return static_cast<std::uint16_t>(++times); };
  const auto find = [&](const ResolvedUse& use) {
    ServedUse found = find_(resolved.machine, use);
    found.occupied = add_time();
    return found;
  };
  for (std::size_t side = 0; side < 2; ++side) {
    for (const ResolvedStep& one : *sides[side]) {
      ServedProtocol::Step step;
      step.kind = one.kind;
      step.slot = static_cast<std::uint16_t>(one.slot);
      step.place = static_cast<std::int16_t>(protocol->steps[side].size());
      step.signal = one.signal;
      if (one.has_time) step.time = add_time();
      if (one.asks()) step.use = find(one.uses.front());
      step.next = static_cast<std::uint16_t>(protocol->passes.size());
      if (one.uses.size() > Service::most_uses) return nullptr;
      for (std::size_t i = 1; i < one.uses.size(); ++i) protocol->passes.push_back(find(one.uses[i]));
      step.last = static_cast<std::uint16_t>(protocol->passes.size());
      step.first = static_cast<std::uint16_t>(protocol->targets.size());
      for (std::size_t i = 0; one.kind == Kind::emit && i < sides[1 - side]->size(); ++i) {
        const ResolvedStep& there = (*sides[1 - side])[i];
        if ((there.kind != Kind::await && there.kind != Kind::arrival) || there.signal != one.signal) continue;
        protocol->targets.push_back(static_cast<std::uint16_t>(i));
        step.is_taken = step.is_taken || there.kind == Kind::arrival;
      }
      step.end = static_cast<std::uint16_t>(protocol->targets.size());
      step.is_watched = one.kind == Kind::emit && std::ranges::any_of(*sides[side], [&](const ResolvedStep& later) {
                          return later.kind == Kind::sent && later.signal == one.signal;
                        });
      protocol->steps[side].push_back(step);
      if (std::max({protocol->passes.size(), protocol->targets.size(), times}) > most_numbers) return nullptr;
    }
    look_back(protocol->steps[side]);
    protocol->is_charged[side] = has_charge(protocol->steps[side]);
  }
  protocol->times = static_cast<std::uint16_t>(times + 1);
  return protocol;
}

const ServedProtocol* AllServedEnds::protocol(const ResolvedEnds& resolved) {
  key_.assign({resolved.machine.index, resolved.protocol});
  for (const auto* const steps : {&resolved.sender, &resolved.receiver}) {
    for (const ResolvedStep& step : *steps) {
      for (const ResolvedUse& use : step.uses) key_.push_back(use.number);
    }
  }
  if (const auto found = protocols_.find(key_); found != protocols_.end()) return found->second.get();
  std::unique_ptr<ServedProtocol> made = make(resolved);
  if (!made) return nullptr;
  claim_(static_cast<std::int64_t>(made->bytes() + key_.size() * sizeof(key_[0]) + bytes_of_sorted_entry));
  return protocols_.emplace(key_, std::move(made)).first->second.get();
}

ServedEnds& AllServedEnds::place(const ServedProtocol& protocol) {
  const std::size_t bytes = sizeof(ServedEnds) + protocol.times * sizeof(double);
  if (chunks_.empty() || chunks_.back().size() - used_ < bytes) {
    // Each is twice as large as the one before, so that many lie in large pages.
    constexpr std::size_t least = std::size_t{1} << 14, most = std::size_t{1} << 25;
    const std::size_t next = chunks_.empty() ? least : std::min(2 * chunks_.back().size(), most);
    claim_(static_cast<std::int64_t>(std::max(next, bytes)));
    chunks_.emplace_back(std::max(next, bytes));
    used_ = 0;
  }
  auto* const made = new (chunks_.back().data() + used_) ServedEnds;
  used_ += bytes;
  return *made;
}

const ServedEnds* AllServedEnds::resolve(ir::EndsId machine, double size, const Route& route,
                                         const std::function<void(const ServedEnds&)>& made) {
  const std::uint64_t hash = hash_of(machine, size, route);
  const auto is_wanted = [&](std::uint32_t number) {
    const ServedEnds& one = *all_[number];
    return one.size == size && one.route == route && one.protocol->machine == machine;
  };
  if (const std::uint32_t known = index_.find(hash, is_wanted); known != HashIndex::none) return all_[known];
  const ResolvedEnds& resolved = resolver_.resolve_once(machine, size, route);
  const ServedProtocol* const protocol = this->protocol(resolved);
  if (!protocol) return nullptr;
  claim_(static_cast<std::int64_t>(HashIndex::bytes_of_entry + 3 * sizeof(all_[0])));
  ServedEnds& ends = place(*protocol);
  ends.protocol = protocol;
  ends.size = size;
  ends.route = route;
  ends.window = resolved.window;
  auto* const times = reinterpret_cast<double*>(&ends + 1);
  times[0] = 0;
  for_each_time(resolved, [&](std::size_t number, double time) { times[number] = time; });
  all_.push_back(&ends);
  index_.add(hash);
  made(ends);
  return &ends;
}

double lookahead_of(const ServedEnds& ends, const std::vector<bool>& is_at_once) {
  double least = std::numeric_limits<double>::infinity();
  for (const Steps& steps : ends.protocol->steps) {
    double since = 0;
    for (const ServedProtocol::Step& step : steps) {
      const bool asks = step.use.resource != none && !is_at_once[step.use.resource];
      if (step.kind == Kind::busy) since += ends.time(step);
      if (ir::is_awaiting(step.kind) || (step.kind == Kind::acquire && asks)) since = 0;
      if (step.kind == Kind::emit) least = std::min(least, ends.time(step) + (asks ? 0 : since));
    }
  }
  return least;
}

}  // namespace wave::backend::processes::engine
