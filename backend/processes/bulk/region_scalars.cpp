// See region_scalars.h.
#include "backend/processes/bulk/region_scalars.h"

#include "backend/processes/thresholds.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace wave::backend::processes {

RegionScalars::RegionScalars(Scalars& scalars, const ir::Process& process, const ir::FreeBinders& binders,
                             std::function<void()> look_at_clock)
    : scalars_(scalars),
      binders_(binders),
      look_at_clock_(std::move(look_at_clock)),
      indices_([&] {
        std::vector<ir::BinderId> indices;
        for (const ir::Axis& axis : scalars.system()[process.space].axes) indices.push_back(axis.binder);
        return indices;
      }()),
      values_(scalars),
      bulk_(scalars, binders, indices_) {}

void RegionScalars::stand_at(const std::vector<std::int64_t>& point) {
  for (std::size_t axis = 0; axis < indices_.size(); ++axis) values_.bind(indices_[axis], point[axis]);
  stands_ = true;
}

void RegionScalars::leave() { stands_ = false; }

void RegionScalars::bind(ir::BinderId binder, std::int64_t value) { values_.bind(binder, value); }

AxisSet RegionScalars::axes_of(ir::ValueId value) {
  if (stands_ || !value.valid()) return 0;
  const auto [known, is_new] = axes_.try_emplace(value, 0);
  if (is_new) {
    for (const ir::BinderId binder : binders_.of(value)) {
      const auto found = std::find(indices_.begin(), indices_.end(), binder);
      if (found != indices_.end()) known->second |= AxisSet{1} << (found - indices_.begin());
    }
  }
  return known->second;
}

// --- columns ---

std::vector<std::int64_t>& RegionScalars::Chunk::integers(ir::ValueId value, std::vector<std::int64_t>& into) {
  into.resize(count_);
  if (!scalars_.bulk_.evaluate(value, count_, into.data())) throw NoValue();
  return into;
}

std::vector<double>& RegionScalars::Chunk::reals(ir::ValueId value, std::vector<double>& into) {
  into.resize(count_);
  if (!scalars_.bulk_.evaluate(value, count_, into.data())) throw NoValue();
  return into;
}

void RegionScalars::Chunk::keep(std::span<const std::size_t> rows) {
  for (std::size_t axis = 0; axis < places().size(); ++axis) {
    if (!(axes_ >> axis & 1)) continue;
    std::vector<std::int64_t>& along = places()[axis];
    for (std::size_t k = 0; k < rows.size(); ++k) along[k] = along[rows[k]];
  }
  count_ = rows.size();
}

void RegionScalars::for_each_chunk(const Region& region, AxisSet axes, const std::function<void(Chunk&)>& use) {
  Chunk chunk(*this, axes);
  std::vector<std::vector<std::int64_t>>& places = chunk.places();
  for (std::size_t axis = 0; axis < places.size(); ++axis)
    places[axis].resize(axes >> axis & 1 ? processes_in_bulk : 0);
  const auto hand_over = [&] {
    look_at_clock_();
    if (chunk.count_ > 0) use(chunk);
    chunk.count_ = 0;
  };
  std::vector<std::int64_t> point(places.size(), 0);
  for_each_point(region, axes, point, [&] {
    for (std::size_t axis = 0; axis < places.size(); ++axis) {
      if (axes >> axis & 1) places[axis][chunk.count_] = point[axis];
    }
    if (++chunk.count_ == processes_in_bulk) hand_over();
  });
  hand_over();
}

// --- parts ---

LineScalars& RegionScalars::lines(AxisSet axes) {
  Lines& lines = lines_[axes];
  if (!lines.scalars) {
    for (std::size_t axis = 0; axis < indices_.size(); ++axis) {
      if (axes >> axis & 1) lines.indices.push_back(indices_[axis]);
    }
    lines.scalars.emplace(scalars_, binders_, lines.indices);
  }
  return *lines.scalars;
}

bool RegionScalars::is_long(const Region& region, AxisSet axes) {
  const auto last = static_cast<std::size_t>(std::bit_width(axes)) - 1;
  return region.axes[last].count() >= static_cast<std::int64_t>(processes_in_bulk);
}

// Halves begin where more of the last bits are 0, since that is where choices by bits change.
void RegionScalars::in_halves(const Coordinates::Interval& interval, const TakeInterval& take) {
  look_at_clock_();
  if (take(interval)) return;
  const auto first = static_cast<std::uint64_t>(interval.first - 1),
             last = static_cast<std::uint64_t>(interval.last - 1);
  const int bit = std::bit_width(first ^ last) - 1;
  const auto middle = static_cast<std::int64_t>(last >> bit << bit) + 1;
  in_halves({interval.first, middle - 1}, take);
  in_halves({middle, interval.last}, take);
}

bool RegionScalars::all_within(ir::ValueId value, const Region& region, std::int64_t least, std::int64_t most) {
  const AxisSet axes = axes_of(value);
  if (!is_long(region, axes)) return false;
  const auto last = static_cast<std::size_t>(std::bit_width(axes)) - 1;
  const auto require = [&](std::int64_t x) {
    if (x < least || x > most) throw NoValue();
  };
  LineScalars& along = lines(axes);
  along.begin();
  std::vector<std::int64_t> point(region.axes.size()), first, column;
  const auto take = [&](const Coordinates::Interval& interval) {
    point[last] = interval.first;
    first.clear();
    for (std::size_t axis = 0; axis < point.size(); ++axis) {
      if (axes >> axis & 1) first.push_back(point[axis]);
    }
    if (const auto line = along.line(value, first, interval.count())) {
      require(line->first);
      require(line->first + line->step * (interval.count() - 1));
      return true;
    }
    if (interval.count() > static_cast<std::int64_t>(processes_in_bulk)) return false;
    Region stretch;
    for (const std::int64_t at : point) stretch.axes.emplace_back(at, at);
    stretch.axes[last] = {interval.first, interval.last};
    for_each_chunk(stretch, axes, [&](Chunk& chunk) {
      for (const std::int64_t x : chunk.integers(value, column)) require(x);
    });
    return true;
  };
  for_each_point(region, axes & ~(AxisSet{1} << last), point, [&] {
    for (const Coordinates::Interval& interval : region.axes[last].intervals()) in_halves(interval, take);
  });
  return true;
}

// Goes over the combinations of indices along some axes, and puts together which have the same values: first along the
// last axis, then those indices along the one before for which that is the same, and so on.
class RegionScalars::Grouping {
 public:
  Grouping(RegionScalars& scalars, std::span<const ir::ValueId> values, AxisSet axes, const Region& region)
      : scalars_(scalars), values_(values), set_(axes), region_(region), lines_(scalars.lines(axes)) {
    for (std::size_t axis = 0; axis < region.axes.size(); ++axis) {
      if (axes >> axis & 1) axes_.push_back(axis);
    }
    point_.resize(axes_.size());
  }

  // Throws TooMany.
  std::vector<Part> run() {
    is_on_lines_ = is_long(region_, set_);
    lines_.begin();
    if (!is_on_lines_) evaluate(region_, results_);
    std::vector<Part> parts;
    for (const auto& [key, products] : group(0)) {
      for (const Product& product : products) {
        Part part{key, region_};
        for (std::size_t k = 0; k < axes_.size(); ++k) part.region.axes[axes_[k]] = product[k];
        parts.push_back(std::move(part));
      }
    }
    return parts;
  }

 private:
  using Key = std::vector<std::int64_t>;
  using Product = std::vector<Coordinates>;  // by axis, from one of them on
  using Groups = std::map<Key, std::vector<Product>>;

  // The values of all combinations, one after the other.
  void evaluate(const Region& region, std::vector<std::int64_t>& into) {
    into.clear();
    scalars_.for_each_chunk(region, set_, [&](Chunk& chunk) {
      evaluated_ += chunk.count();
      if (evaluated_ > most_combinations) throw TooMany();
      const std::size_t begin = into.size();
      into.resize(begin + chunk.count() * values_.size());
      for (std::size_t k = 0; k < values_.size(); ++k) {
        chunk.integers(values_[k], column_);
        for (std::size_t row = 0; row < chunk.count(); ++row) into[begin + row * values_.size() + k] = column_[row];
      }
    });
  }

  Groups group(std::size_t k) {
    if (k + 1 == axes_.size()) return along_last();
    std::map<std::pair<Key, std::vector<Product>>, Coordinates> found;
    for (const Coordinates::Interval& interval : region_.axes[axes_[k]].intervals()) {
      for (point_[k] = interval.first; point_[k] <= interval.last; ++point_[k]) {
        for (auto& [key, products] : group(k + 1)) found[{key, std::move(products)}].add(point_[k], point_[k]);
      }
    }
    Groups groups;
    for (const auto& [same, coordinates] : found) {
      for (const Product& inner : same.second) {
        Product product{coordinates};
        product.insert(product.end(), inner.begin(), inner.end());
        groups[same.first].push_back(std::move(product));
      }
    }
    return groups;
  }

  Groups along_last() {
    std::map<Key, Coordinates> found;
    for (const Coordinates::Interval& interval : region_.axes[axes_.back()].intervals()) {
      if (is_on_lines_)
        scalars_.in_halves(interval, [&](const Coordinates::Interval& part) { return add_line(part, found); });
      else
        add(interval, results_, at_, found);
    }
    Groups groups;
    for (auto& [key, coordinates] : found) groups[key].push_back({std::move(coordinates)});
    return groups;
  }

  void add(const Coordinates::Interval& interval, const std::vector<std::int64_t>& results, std::size_t& at,
           std::map<Key, Coordinates>& found) {
    const std::size_t size = values_.size();
    const auto same = [&](std::size_t a, std::size_t b) {
      return std::equal(results.begin() + static_cast<std::ptrdiff_t>(a * size),
                        results.begin() + static_cast<std::ptrdiff_t>((a + 1) * size),
                        results.begin() + static_cast<std::ptrdiff_t>(b * size));
    };
    for (std::int64_t x = interval.first; x <= interval.last;) {
      const std::size_t first = at;
      std::int64_t end = x;
      while (end <= interval.last && same(first, at)) ++end, ++at;
      const auto begin = results.begin() + static_cast<std::ptrdiff_t>(first * size);
      found[Key(begin, begin + static_cast<std::ptrdiff_t>(size))].add(x, end - 1);
      x = end;
    }
  }

  // All values are the same on a line, or there are few enough to be evaluated.
  bool add_line(const Coordinates::Interval& interval, std::map<Key, Coordinates>& found) {
    if (++evaluated_ > most_combinations) throw TooMany();
    point_.back() = interval.first;
    Key key;
    for (const ir::ValueId value : values_) {
      const auto line = lines_.line(value, point_, interval.count());
      if (!line || line->step != 0) break;
      key.push_back(line->first);
    }
    if (key.size() == values_.size()) return found[key].add(interval.first, interval.last), true;
    if (interval.count() > static_cast<std::int64_t>(processes_in_bulk)) return false;
    Region stretch = region_;
    for (std::size_t k = 0; k + 1 < axes_.size(); ++k) stretch.axes[axes_[k]] = {point_[k], point_[k]};
    stretch.axes[axes_.back()] = {interval.first, interval.last};
    std::size_t at = 0;
    evaluate(stretch, stretch_);
    return add(interval, stretch_, at, found), true;
  }

  RegionScalars& scalars_;
  std::span<const ir::ValueId> values_;
  const AxisSet set_;
  const Region& region_;
  LineScalars& lines_;
  std::vector<std::size_t> axes_;
  std::vector<std::int64_t> point_;  // along these
  bool is_on_lines_ = false;
  std::vector<std::int64_t> results_, stretch_, column_;
  std::size_t at_ = 0;  // of results_
  std::size_t evaluated_ = 0;
};

void RegionScalars::for_each_part(std::span<const ir::ValueId> values, const Region& region, const UsePart& use) {
  AxisSet axes = 0;
  for (const ir::ValueId value : values) axes |= axes_of(value);
  if (axes == 0) {
    std::vector<std::int64_t> same;
    for (const ir::ValueId one : values) {
      const ir::Scalar scalar = value(one);
      same.push_back(scalar.type == ir::ScalarType::boolean ? scalar.boolean : scalar.integer);
    }
    return use({std::move(same), region});
  }
  if (region.empty()) return;
  std::vector<Part> parts;
  try {
    parts = Grouping(*this, values, axes, region).run();
  } catch (const TooMany&) {
    for (const Region& half : halves(region, axes)) for_each_part(values, half, use);
    return;
  }
  for (const Part& part : parts) use(part);
}

}  // namespace wave::backend::processes
