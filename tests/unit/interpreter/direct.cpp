// Evaluates by recursion, and translates into nodes.
#include "tests/unit/interpreter/direct.h"

#include <cmath>

namespace wave::test {

std::optional<std::vector<std::int64_t>> Direct::move(const std::vector<std::int64_t>& point,
                                                      const std::vector<std::int32_t>& offset) const {
  std::vector<std::int64_t> result = point;
  for (std::size_t axis = 0; axis < point.size(); ++axis) {
    const std::int64_t extent = last[axis] - first[axis] + 1;
    result[axis] += offset[axis];
    while (wrap[axis] && result[axis] < first[axis]) result[axis] += extent;
    while (wrap[axis] && result[axis] > last[axis]) result[axis] -= extent;
    if (result[axis] < first[axis] || result[axis] > last[axis]) return std::nullopt;
  }
  return result;
}

Direct::Wide Direct::value(int event, const std::vector<std::int64_t>& point) {
  const auto key = std::make_pair(event, point);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  std::optional<Wide> best;
  for (const DirectConstraint& constraint : events[static_cast<std::size_t>(event)].constraints) {
    if (constraint.guard_axis >= 0 && point[static_cast<std::size_t>(constraint.guard_axis)] < constraint.guard_from)
      continue;
    Wide sum = 0;
    if (constraint.source >= 0) {
      const auto from = move(point, constraint.offset);
      if (!from) continue;
      sum = value(constraint.source, *from);
    }
    for (std::size_t w = 0; w < constraint.base.size(); ++w) {
      sum += constraint.base[w];
      for (std::size_t axis = 0; axis < point.size(); ++axis) sum += Wide{constraint.slope[w][axis]} * point[axis];
    }
    if (!best || sum > *best) best = sum;
  }
  return known_[key] = best.value_or(events[static_cast<std::size_t>(event)].otherwise);
}

std::vector<ir::EventId> Direct::build(Fixture& f) const {
  ir::Space space{"P", Fixture::root, {}};
  for (std::size_t axis = 0; axis < first.size(); ++axis) {
    const std::string name(1, static_cast<char>('i' + axis));
    space.axes.push_back({name,
                          f.b.binder(name),
                          f.b.integer(first[axis]),
                          f.b.integer(last[axis]),
                          wrap[axis],
                          {},
                          f.site(ir::FailureKind::extent_not_positive)});
  }
  const ir::SpaceId id = f.b.space(space);
  const auto real = [&](std::int64_t units) { return f.b.real(std::ldexp(static_cast<double>(units), -bits)); };
  std::vector<ir::EventId> ids;
  for (std::size_t e = 0; e < events.size(); ++e) ids.push_back(f.event("e" + std::to_string(e), id));
  for (std::size_t e = 0; e < events.size(); ++e) {
    for (const DirectConstraint& constraint : events[e].constraints) {
      std::vector<ir::ValueId> weights;
      for (std::size_t w = 0; w < constraint.base.size(); ++w) {
        ir::ValueId weight = real(constraint.base[w]);
        for (std::size_t axis = 0; axis < first.size(); ++axis) {
          if (constraint.slope[w][axis] == 0) continue;
          weight = f.b.add(weight, f.b.multiply(real(constraint.slope[w][axis]), f.b.to_real(f.axis(id, axis))));
        }
        weights.push_back(weight);
      }
      ir::ValueId guard;
      if (constraint.guard_axis >= 0) {
        guard = f.b.less_equal(f.b.integer(constraint.guard_from),
                               f.axis(id, static_cast<std::size_t>(constraint.guard_axis)));
      }
      const bool has_source = constraint.source >= 0;
      f.constrain(ids[e], has_source ? ids[static_cast<std::size_t>(constraint.source)] : ir::EventId{},
                  has_source ? constraint.offset : std::vector<std::int32_t>{}, weights, guard);
    }
    f.system[ids[e]].otherwise = {real(events[e].otherwise)};
  }
  return ids;
}

namespace {

// An offset that points back along the first axis on which it is not zero, in a fixed direction per axis. It moves
// along a wrapped axis only after it has moved along another one.
std::vector<std::int32_t> back(Choices& choose, const Direct& direct, const std::vector<bool>& rising) {
  std::vector<std::int32_t> offset(direct.first.size(), 0);
  bool has_moved = false;
  for (std::size_t axis = 0; axis < offset.size(); ++axis) {
    const auto distance = static_cast<std::int32_t>(choose.between(1, 2));
    if (has_moved) {
      offset[axis] = static_cast<std::int32_t>(choose.between(-2, 2));
    } else if (!direct.wrap[axis] && choose.chance(0.6)) {
      offset[axis] = rising[axis] ? -distance : distance;
      has_moved = true;
    }
  }
  if (!has_moved) offset[0] = rising[0] ? -1 : 1;  // the first axis never wraps
  return offset;
}

DirectConstraint random_constraint(Choices& choose, const Direct& direct, bool slopes) {
  DirectConstraint constraint;
  for (std::int64_t w = choose.between(0, 3); w > 0; --w) {
    constraint.base.push_back(slopes ? choose.between(-2000, 40'000) : choose.between(0, (std::int64_t{1} << 53) - 1));
    constraint.slope.emplace_back();
    for (std::size_t axis = 0; axis < direct.first.size(); ++axis) {
      constraint.slope.back().push_back(slopes && choose.chance(0.3) ? choose.between(-500, 5000) : 0);
    }
  }
  if (choose.chance(0.25)) {
    constraint.guard_axis = static_cast<int>(choose.below(direct.first.size()));
    constraint.guard_from = choose.between(0, 4);
  }
  return constraint;
}

}  // namespace

Direct random_direct(std::uint64_t seed, bool slopes) {
  Choices choose(seed);
  Direct direct;
  direct.bits = slopes ? 10 : 44;
  std::vector<bool> rising;
  for (std::int64_t axes = choose.between(1, 3); axes > 0; --axes) {
    direct.first.push_back(choose.chance(0.7) ? 1 : choose.between(-3, 3));
    direct.last.push_back(direct.first.back() + choose.between(0, 6));
    direct.wrap.push_back(!rising.empty() && choose.chance(0.25));
    rising.push_back(choose.chance(0.7));
  }
  const int count = static_cast<int>(choose.between(1, 3));
  for (int e = 0; e < count; ++e) {
    DirectEvent event;
    event.otherwise = choose.between(0, 5000);
    for (std::int64_t k = choose.between(1, 4); k > 0; --k) {
      DirectConstraint constraint = random_constraint(choose, direct, slopes);
      const double kind = choose.chance(0.15) ? 0 : choose.chance(0.25) && e > 0 ? 1 : 2;
      if (kind == 1) {  // an earlier event at the same point
        constraint.source = static_cast<int>(choose.below(static_cast<std::size_t>(e)));
        constraint.offset.assign(direct.first.size(), 0);
      } else if (kind == 2) {
        constraint.source = static_cast<int>(choose.below(static_cast<std::size_t>(count)));
        constraint.offset = back(choose, direct, rising);
      } else if (constraint.base.empty()) {
        continue;
      }
      event.constraints.push_back(constraint);
    }
    direct.events.push_back(event);
  }
  return direct;
}

}  // namespace wave::test
