// See network_walk.h. Everything that the network evaluates is evaluated here, and nothing else.
#include "backend/processes/network_walk.h"

#include "backend/processes/checks.h"
#include "ir/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wave::backend::processes {

namespace {

Load operator+(Load a, Load b) { return {a.time + b.time, a.count + b.count}; }
Load operator*(double factor, Load a) { return {factor * a.time, factor * a.count}; }

constexpr std::uint64_t steps_between_clock_reads = 1024;

}  // namespace

ProgramWalk::ProgramWalk(Scalars& scalars, const ir::Process& process, const Places& places,
                         const ir::FreeBinders& binders, std::function<void()> look_at_clock, double most_iterations)
    : scalars_(scalars),
      process_(process),
      places_(places),
      binders_(binders),
      look_at_clock_(std::move(look_at_clock)),
      most_iterations_(most_iterations),
      values_(scalars, binders),
      ends_(scalars, 0) {
  for (std::uint32_t binder = 0; binder < scalars.system().binders.size(); ++binder) scalars.release({binder});
}

Load ProgramWalk::load(const std::vector<std::int64_t>& point) {
  const auto& axes = scalars_.system()[process_.space].axes;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (point_.empty() || point_[axis] != point[axis]) values_.bind(axes[axis].binder, point[axis]);
  }
  point_ = point;
  iterations_left_ = most_iterations_;
  return walk(process_.body);
}

struct ProgramWalk::Visit {
  ProgramWalk& self;
  const ir::Statement& statement;

  Load operator()(const ir::Compute& n) const { return self.weight(n.time, statement); }
  Load operator()(const ir::Message& n) const { return self.message(n); }
  Load operator()(const ir::Wait&) const { return {}; }
  Load operator()(const ir::Sweep& n) const { return self.sweep(n); }
  Load operator()(const ir::Loop& n) const { return self.levels(n.levels, n.body); }
  Load operator()(const ir::Branch& n) const {
    const ir::BlockId taken = self.values_.boolean(n.condition) ? n.then_block : n.else_block;
    return taken.valid() ? self.walk(taken) : Load{};
  }
  Load operator()(const ir::Phase& n) const { return self.walk(n.body); }
  Load operator()(const ir::Collective& n) const {
    bool is_root = true;
    for (std::size_t axis = 0; axis < self.point_.size(); ++axis) {
      if (!n.along || *n.along == axis) is_root = is_root && self.point_[axis] == 1;
    }
    const bool pays = n.root != ir::Collective::Root::to || is_root;
    return pays ? self.weight(n.cost, statement) : Load{};
  }
};

Load ProgramWalk::walk(ir::BlockId block) {
  Load load;
  for (const ir::Statement& statement : process_.blocks[block.index]) {
    look_at_clock();
    load = load + std::visit(Visit{*this, statement}, statement.node);
  }
  return load;
}

Load ProgramWalk::weight(ir::ValueId value, const ir::Statement& statement) {
  const ir::Scalar time = values_.value(value);
  if (std::isfinite(time.real)) return {time.real, 1};
  ir::Failure failure;
  failure.kind = ir::FailureKind::weight_not_finite;
  failure.site = statement.site;
  failure.values = {time};
  failure.place = statement.place;
  throw Failed{std::move(failure)};
}

Load ProgramWalk::message(const ir::Message& message) {
  if (!find_peer(message.peer, places_, point_, values_).rank) return {};
  const double size = message.size.valid() ? values_.real(message.size) : 0;
  const bool local = values_.boolean(message.local);
  if (message.tag.valid()) values_.integer(message.tag);
  if (!message.size.valid()) return {};
  const ResolvedEnds& ends = ends_.resolve(message.ends, size, local);
  Load load;
  for (const auto* steps : {&ends.sender, &ends.receiver}) {
    for (const ResolvedStep& step : *steps) load = load + Load{step.time + step.occupied, 2};
  }
  return load;
}

// A front reaches the far corner after as many blocks as there are hops.
Load ProgramWalk::sweep(const ir::Sweep& sweep) {
  const std::int64_t tiles = values_.integer(sweep.tiles);
  if (tiles <= 0) return {};
  double hops = 0;
  for (const std::int64_t extent : places_.extents) hops += static_cast<double>(extent - 1);
  const auto is_same = [&](const ir::Front& front) { return !looks_at(front.body, sweep.tile); };
  std::int64_t tile = 0;
  const auto next = [&] {
    if (tile == tiles) return false;
    bind(sweep.tile, ++tile);
    return true;
  };
  const auto blocks = [&] {
    Load load;
    for (const ir::Front& front : sweep.fronts) load = load + walk(front.body);
    return load;
  };
  const bool all_same = std::all_of(sweep.fronts.begin(), sweep.fronts.end(), is_same);
  Load load = iterations(static_cast<double>(tiles), all_same, next, blocks);
  scalars_.release(sweep.tile);
  load.time *= 1 + hops / static_cast<double>(tiles);
  return load;
}

Load ProgramWalk::iterations(double count, bool is_same, const std::function<bool()>& next,
                             const std::function<Load()>& body) {
  Load load;
  for (double done = 0; next(); ++done) {
    look_at_clock();
    const Load one = body();
    const bool is_enough = is_same || --iterations_left_ < 0;
    if (is_enough) return load + std::max(1.0, count - done) * one;
    load = load + one;
  }
  return load;
}

Load ProgramWalk::levels(std::span<const ir::Level> levels, ir::BlockId block) {
  if (levels.empty()) return walk(block);
  const ir::Level& level = levels.front();
  const ir::Scalar first = values_.value(level.first), last = values_.value(level.last),
                   step = values_.value(level.step);
  require_progress(level.geometric, first.integer, last.integer, step.integer, level.site);
  const auto is_inside = [&](std::int64_t at) { return step.integer > 0 ? at <= last.integer : at >= last.integer; };
  const double distance =
      (static_cast<double>(last.integer) - static_cast<double>(first.integer)) / static_cast<double>(step.integer);
  const double count = level.geometric ? 64 : std::floor(distance) + 1;
  bool has_begun = false;
  std::int64_t at = first.integer;
  const auto next = [&] {
    if (has_begun) {
      const auto moved =
          level.geometric ? ir::arithmetic::multiply(at, step.integer) : ir::arithmetic::add(at, step.integer);
      if (moved.failed) return false;
      at = moved.value;
    }
    has_begun = true;
    if (is_inside(at)) bind(level.binder, at);
    return is_inside(at);
  };
  const bool is_same = !level.filter.valid() && !looks_at(levels.subspan(1), block, level.binder);
  const Load load = iterations(count, is_same, next, [&] {
    if (level.filter.valid() && !values_.boolean(level.filter)) return Load{};
    return this->levels(levels.subspan(1), block);
  });
  scalars_.release(level.binder);
  return load;
}

void ProgramWalk::bind(ir::BinderId binder, std::int64_t value) { values_.bind(binder, value); }

bool ProgramWalk::looks_at(ir::BlockId block, ir::BinderId binder) { return uses(block).count(binder) != 0; }

bool ProgramWalk::looks_at(std::span<const ir::Level> levels, ir::BlockId body, ir::BinderId binder) {
  for (const ir::Level& level : levels) {
    for (const ir::ValueId value : {level.first, level.last, level.step, level.filter}) {
      if (!value.valid()) continue;
      const auto& free = binders_.of(value);
      if (std::find(free.begin(), free.end(), binder) != free.end()) return true;
    }
  }
  return looks_at(body, binder);
}

// Everything that a block looks at.
const std::set<ir::BinderId>& ProgramWalk::uses(ir::BlockId id) {
  if (const auto found = uses_.find(id); found != uses_.end()) return found->second;
  std::set<ir::BinderId> result;
  const auto add = [&](ir::ValueId used) {
    if (used.valid()) result.insert(binders_.of(used).begin(), binders_.of(used).end());
  };
  const auto add_block = [&](ir::BlockId inner) {
    if (!inner.valid()) return;
    const auto& of_inner = uses(inner);
    result.insert(of_inner.begin(), of_inner.end());
  };
  struct Collect {
    decltype(add)& value;
    decltype(add_block)& block;
    void operator()(const ir::Compute& n) const { value(n.time); }
    void operator()(const ir::Message& n) const {
      for (const ir::ValueId coordinate : n.peer.coordinates) value(coordinate);
      value(n.size), value(n.local), value(n.tag);
    }
    void operator()(const ir::Wait&) const {}
    void operator()(const ir::Sweep& n) const {
      value(n.tiles);
      for (const ir::Front& front : n.fronts) block(front.body);
    }
    void operator()(const ir::Loop& n) const {
      for (const ir::Level& level : n.levels)
        value(level.first), value(level.last), value(level.step), value(level.filter);
      block(n.body);
    }
    void operator()(const ir::Branch& n) const { value(n.condition), block(n.then_block), block(n.else_block); }
    void operator()(const ir::Phase& n) const { block(n.body); }
    void operator()(const ir::Collective& n) const { value(n.cost); }
  };
  for (const ir::Statement& statement : process_.blocks[id.index]) std::visit(Collect{add, add_block}, statement.node);
  return uses_.emplace(id, std::move(result)).first->second;
}

void ProgramWalk::look_at_clock() {
  if (++ticks_ % steps_between_clock_reads == 0) look_at_clock_();
}

}  // namespace wave::backend::processes
