// See load.h.
#include "backend/processes/program/load.h"

#include "backend/processes/program/checks.h"
#include "backend/processes/thresholds.h"
#include "ir/walk.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wave::backend::processes {

namespace {

constexpr double rounds_of_geometric_loop = 64;  // the most that fit into an integer

}  // namespace

LoadWalk::LoadWalk(Scalars& scalars, const ir::Process& process, const Places& places, const ir::FreeBinders& binders,
                   std::function<void()> look_at_clock, double most_iterations)
    : scalars_(scalars),
      process_(process),
      places_(places),
      look_at_clock_(std::move(look_at_clock)),
      most_iterations_(most_iterations),
      values_(scalars),
      ends_(scalars, 0),
      uses_(scalars.system(), process, binders, ProgramUses::Of::all) {
  for (std::uint32_t binder = 0; binder < scalars.system().binders.size(); ++binder) scalars.release({binder});
}

struct LoadWalk::Statements {
  using Result = Load;
  using Program = ir::ProcessWalk<Statements>;
  LoadWalk& self;

  bool goes_on() const {
    self.look_at_clock();
    return true;
  }
  Load meet(const ir::Statement& statement, const ir::Compute& n) const { return self.weight(n.time, statement); }
  Load meet(const ir::Statement&, const ir::Message& n) const { return self.message(n); }
  Load meet(const ir::Statement&, const ir::Wait&) const { return {}; }
  Load meet(const ir::Statement& statement, const ir::Collective& n) const {
    const bool pays = n.root != ir::Collective::Root::to || self.is_root(n);
    return pays ? self.weight(n.cost, statement) : Load{};
  }
  Load phase(const ir::Phase& n, Program& program) const { return program.block(n.body); }
  Load branch(const ir::Branch& n, Program& program) const {
    return program.block(self.values_.boolean(n.condition) ? n.then_block : n.else_block);
  }
  Load level(const ir::Loop& loop, std::size_t number, Program& program) const;
  Load sweep(const ir::Sweep& sweep, Program& program) const;
};

Load LoadWalk::load(const std::vector<std::int64_t>& point) {
  const auto& axes = scalars_.system()[process_.space].axes;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (point_.empty() || point_[axis] != point[axis]) values_.bind(axes[axis].binder, point[axis]);
  }
  point_ = point;
  iterations_left_ = most_iterations_;
  Statements statements{*this};
  return Statements::Program(process_, statements).whole();
}

Load LoadWalk::Statements::level(const ir::Loop& loop, std::size_t number, Program& program) const {
  const ir::Level& level = loop.levels[number];
  BoundScalars& values = self.values_;
  const ir::LoopRange range{values.integer(level.first), values.integer(level.last), values.integer(level.step),
                            level.geometric};
  require_progress(range, level.site);
  const double distance =
      (static_cast<double>(range.last) - static_cast<double>(range.first)) / static_cast<double>(range.step);
  const double count = level.geometric ? rounds_of_geometric_loop : std::floor(distance) + 1;
  std::optional<std::int64_t> at;
  const auto next = [&] {
    at = at ? range.after(*at) : range.begin();
    if (at) values.bind(level.binder, *at);
    return at.has_value();
  };
  const bool is_same = !level.filter.valid() && !self.uses_.looks_at(loop, number);
  const Load load = self.iterations(count, is_same, next, [&] {
    return level.filter.valid() && !values.boolean(level.filter) ? Load{} : program.inside_of(loop, number);
  });
  self.scalars_.release(level.binder);
  return load;
}

// A front reaches the far corner after as many blocks as there are hops.
Load LoadWalk::Statements::sweep(const ir::Sweep& sweep, Program& program) const {
  const std::int64_t tiles = self.values_.integer(sweep.tiles);
  if (tiles <= 0) return {};
  double hops = 0;
  for (const std::int64_t extent : self.places_.extents) hops += static_cast<double>(extent - 1);
  const auto is_same = [&](const ir::Front& front) { return !self.uses_.looks_at(front.body, sweep.tile); };
  std::int64_t tile = 0;
  const auto next = [&] {
    if (tile == tiles) return false;
    self.values_.bind(sweep.tile, ++tile);
    return true;
  };
  const auto blocks = [&] {
    Load load;
    for (const ir::Front& front : sweep.fronts) load = load + program.block(front.body);
    return load;
  };
  const bool all_same = std::all_of(sweep.fronts.begin(), sweep.fronts.end(), is_same);
  Load load = self.iterations(static_cast<double>(tiles), all_same, next, blocks);
  self.scalars_.release(sweep.tile);
  load.time *= 1 + hops / static_cast<double>(tiles);
  return load;
}

Load LoadWalk::iterations(double count, bool is_same, const std::function<bool()>& next,
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

bool LoadWalk::is_root(const ir::Collective& collective) const {
  for (std::size_t axis = 0; axis < point_.size(); ++axis) {
    if ((!collective.along || *collective.along == axis) && point_[axis] != 1) return false;
  }
  return true;
}

Load LoadWalk::weight(ir::ValueId value, const ir::Statement& statement) {
  const ir::Scalar time = values_.value(value);
  if (std::isfinite(time.real)) return {time.real, 1};
  ir::Failure failure;
  failure.kind = ir::FailureKind::weight_not_finite;
  failure.site = statement.site;
  failure.values = {time};
  failure.location = statement.location;
  throw Failed{std::move(failure)};
}

Load LoadWalk::message(const ir::Message& message) {
  if (!find_peer(message.peer, places_, point_, values_).rank) return {};
  const double size = message.size.valid() ? values_.real(message.size) : 0;
  const Route route = route_of(values_, message);
  if (message.tag.valid()) values_.integer(message.tag);
  if (!message.size.valid()) return {};
  const ResolvedEnds& ends = ends_.resolve(message.ends, size, route);
  Load load;
  for (const auto* steps : {&ends.sender, &ends.receiver}) {
    for (const ResolvedStep& step : *steps) {
      double time = step.time;
      for (const ResolvedUse& use : step.uses) time += use.occupied;
      load = load + Load{time, static_cast<double>(2 + step.uses.size())};
    }
  }
  return load;
}

void LoadWalk::look_at_clock() {
  if (++ticks_ % walk_steps_between_clock_reads == 0) look_at_clock_();
}

}  // namespace wave::backend::processes
