// Which statements are met, for which processes and how often. What messages add is in count_messages.cpp.
#include "backend/processes/program/count_walk.h"

#include "backend/processes/program/checks.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <utility>

namespace wave::backend::processes {

struct CountWalk::In {
  In(CountWalk& walk, Region region, __int128 times)
      : walk_(walk),
        region_(std::exchange(walk.region_, std::move(region))),
        times_(std::exchange(walk.times_, times)) {}
  In(const In&) = delete;
  ~In() {
    walk_.region_ = std::move(region_);
    walk_.times_ = times_;
  }

 private:
  CountWalk& walk_;
  Region region_;
  __int128 times_;
};

CountWalk::CountWalk(Scalars& scalars, const ir::Process& process, const ir::FreeBinders& binders, const Places& places,
                     CountListener& listener, std::function<void()> look_at_clock)
    : process_(process),
      places_(places),
      listener_(listener),
      asks_(listener.asks()),
      look_at_clock_(std::move(look_at_clock)),
      scalars_(scalars, process, binders, look_at_clock_),
      uses_(scalars.system(), process, binders,
            asks_ == CountListener::Asks::classes ? ProgramUses::Of::classes : ProgramUses::Of::counts) {
  for (std::uint32_t binder = 0; binder < scalars.system().binders.size(); ++binder) scalars.release({binder});
}

void CountWalk::walk(const Region& region) {
  const In in(*this, region, 1);
  block(process_.body);
}

void CountWalk::walk_in_order(const std::vector<std::int64_t>& point) {
  Region region;
  for (const std::int64_t coordinate : point) region.axes.emplace_back(coordinate, coordinate);
  in_order_ = true;
  scalars_.stand_at(point);
  walk(region);
}

// --- blocks ---

void CountWalk::block(ir::BlockId id) { run(items_of(id)); }

CountWalk::Items CountWalk::items_of(ir::BlockId id) const {
  Items items;
  for (const ir::Statement& statement : process_.blocks[id.index]) items.push_back(&statement);
  return items;
}

void CountWalk::run(const Items& items) {
  for (const ir::Statement* const statement : items) run(*statement);
}

void CountWalk::run(const ir::Statement& statement) {
  if (++ticks_ % walk_steps_between_clock_reads == 0) look_at_clock_();
  if (statement.call.valid()) note_call(process_.calls[statement.call.index]);
  std::visit([&](const auto& node) { visit(statement, node); }, statement.node);
}

// A block that some of the rounds around it do not matter to waits until it is known in how many of them it is reached.
void CountWalk::enter(ir::BlockId id) {
  if (!id.valid() || region_.empty() || times_ == 0) return;
  const bool is_same =
      std::any_of(rounds_.begin(), rounds_.end(), [&](const auto& round) { return !uses_.looks_at(id, round.first); });
  if (is_same && !in_order_)
    put_off(id);
  else
    block(id);
}

void CountWalk::put_off(ir::BlockId id) {
  PutOff key{id, phases_, region_, {}};
  for (const auto& round : rounds_) {
    if (uses_.looks_at(id, round.first)) key.rounds.push_back(round);
  }
  put_off_[std::move(key)] += times_;
  if (put_off_.size() >= most_blocks_put_off) catch_up();
}

void CountWalk::catch_up() {
  const auto rounds = std::exchange(rounds_, {});
  const auto phases = std::exchange(phases_, {});
  while (!put_off_.empty()) {
    for (const auto& [what, times] : std::exchange(put_off_, {})) {
      for (const auto& [variable, value] : what.rounds) scalars_.bind(variable, value);
      rounds_ = what.rounds;
      phases_ = what.phases;
      const In in(*this, what.region, times);
      block(what.block);
    }
  }
  rounds_ = rounds;
  phases_ = phases;
  for (const auto& [variable, value] : rounds_) scalars_.bind(variable, value);
}

void CountWalk::visit(const ir::Statement&, const ir::Branch& node) {
  scalars_.for_each_part({&node.condition, 1}, region_, [&](const RegionScalars::Part& part) {
    const In in(*this, part.region, times_);
    enter(part.values.front() != 0 ? node.then_block : node.else_block);
  });
}

// Counted where the first of the participants comes to it.
void CountWalk::note_call(const ir::CollectiveCall& call) {
  if (asks_ == CountListener::Asks::totals || times_ == 0 || region_.empty()) return;
  if (asks_ == CountListener::Asks::places) return listener_.called_by(region_, times_);
  std::vector<Region> callers{region_};
  for (const ir::ValueId condition : call.is_first) {
    for (const Region& region : std::exchange(callers, {})) {
      scalars_.for_each_part({&condition, 1}, region, [&](const RegionScalars::Part& part) {
        if (part.values.front() != 0) callers.push_back(part.region);
      });
    }
  }
  for (const Region& region : callers) {
    scalars_.for_each_part({&call.participants, 1}, region,
                           [&](const RegionScalars::Part& alike) { note_callers(call, alike); });
  }
}

// Of calls with equally many participants.
void CountWalk::note_callers(const ir::CollectiveCall& call, const RegionScalars::Part& alike) {
  const auto note = [&](std::optional<double> size, __int128 callers) {
    listener_.called({call, size, alike.values.front()}, multiplied(callers));
  };
  if (!call.size.valid()) return note(std::nullopt, alike.region.count());
  const AxisSet axes = scalars_.axes_of(call.size);
  if (axes == 0) return note(scalars_.value(call.size).real, alike.region.count());
  __int128 others = 1;
  for (std::size_t axis = 0; axis < alike.region.axes.size(); ++axis) {
    if (!(axes >> axis & 1)) others *= alike.region.axes[axis].count();
  }
  scalars_.for_each_chunk(alike.region, axes, [&](RegionScalars::Chunk& chunk) {
    std::vector<double> sizes;
    for (const double size : chunk.reals(call.size, sizes)) note(size, others);
  });
}

void CountWalk::visit(const ir::Statement&, const ir::Phase& node) {
  phases_.push_back(node.phase);
  block(node.body);
  phases_.pop_back();
}

// --- loops ---

bool CountWalk::looks_at(const ir::Statement& statement, ir::BinderId variable) {
  const auto [known, is_new] = uses_of_statement_.try_emplace(&statement);
  if (is_new) known->second = uses_.of(std::span(&statement, 1)).binders;
  return known->second.contains(variable);
}

__int128 CountWalk::multiplied(__int128 count) const {
  __int128 times = 0;
  if (__builtin_mul_overflow(times_, count, &times) || times > most_messages) throw TooMany();
  return times;
}

void CountWalk::level(const ir::Loop& loop, std::size_t number, const Items& items) {
  if (items.empty()) return;
  if (number == loop.levels.size()) return run(items);
  const ir::Level& level = loop.levels[number];
  const ir::ValueId bounds[] = {level.first, level.last, level.step};
  scalars_.for_each_part(bounds, region_, [&](const RegionScalars::Part& part) {
    const In in(*this, part.region, times_);
    const ir::LoopRange range{part.values[0], part.values[1], part.values[2], level.geometric};
    require_progress(range, level.site);
    rounds(loop, number, range, items);
  });
}

// What does not look at the variable is met once, for as many times.
void CountWalk::rounds(const ir::Loop& loop, std::size_t number, const ir::LoopRange& range, const Items& items) {
  const ir::Level& level = loop.levels[number];
  if (!range.begin()) return;
  const bool all_vary = level.filter.valid() || uses_.levels_look_at(loop, number);
  Items same, other;
  for (const ir::Statement* const one : items) (all_vary || looks_at(*one, level.binder) ? other : same).push_back(one);
  if (in_order_ && !other.empty()) {
    other = items;
    same.clear();
  }
  if (!same.empty()) {
    const In in(*this, region_, multiplied(range.count()));
    this->level(loop, number + 1, same);
  }
  if (other.empty()) return;
  each_round(level.binder, range, [&] {
    if (!level.filter.valid()) return this->level(loop, number + 1, other);
    scalars_.for_each_part({&level.filter, 1}, region_, [&](const RegionScalars::Part& part) {
      const In in(*this, part.region, times_);
      if (part.values.front() != 0) this->level(loop, number + 1, other);
    });
  });
}

void CountWalk::each_round(ir::BinderId variable, const ir::LoopRange& range, const std::function<void()>& round) {
  rounds_.emplace_back(variable, 0);
  for (auto at = range.begin(); at; at = range.after(*at)) {
    if (++ticks_ % walk_steps_between_clock_reads == 0) look_at_clock_();
    rounds_.back().second = *at;
    scalars_.bind(variable, *at);
    round();
  }
  rounds_.pop_back();
  scalars_.release(variable);
  if (rounds_.empty()) catch_up();
}

void CountWalk::visit(const ir::Statement&, const ir::Sweep& node) {
  scalars_.for_each_part({&node.tiles, 1}, region_, [&](const RegionScalars::Part& part) {
    const In in(*this, part.region, times_);
    if (part.values.front() > 0) tiles(node, part.values.front());
  });
}

void CountWalk::tiles(const ir::Sweep& node, std::int64_t count) {
  const ir::LoopRange range{1, count, 1, false};
  const auto varies = [&](const ir::Front& front) { return uses_.looks_at(front.body, node.tile); };
  if (in_order_ && std::any_of(node.fronts.begin(), node.fronts.end(), varies)) {
    return each_round(node.tile, range, [&] {
      for (const ir::Front& front : node.fronts) block(front.body);
    });
  }
  for (const ir::Front& front : node.fronts) {
    Items same, other;
    for (const ir::Statement* const one : items_of(front.body))
      (looks_at(*one, node.tile) ? other : same).push_back(one);
    if (!same.empty()) {
      const In in(*this, region_, multiplied(count));
      run(same);
    }
    if (!other.empty()) each_round(node.tile, range, [&] { run(other); });
  }
}

}  // namespace wave::backend::processes
