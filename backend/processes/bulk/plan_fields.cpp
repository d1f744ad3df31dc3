// Evaluation and combination of fields.
#include "backend/processes/bulk/plan_fields.h"

#include "backend/processes/bulk/services.h"
#include "backend/processes/claimed.h"
#include "backend/processes/thresholds.h"
#include "ir/arithmetic.h"
#include "ir/visit.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace wave::backend::processes {

namespace {

std::int64_t key_of(const std::shared_ptr<const void>& made) {
  return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(made.get()));
}

double both_true(double a, double b) { return a != 0 && b != 0 ? 1 : 0; }
double first_true_only(double a, double b) { return a != 0 && b == 0 ? 1 : 0; }
double value_where(double value, double mask) { return mask != 0 ? value : 0; }
double closed_where_not(double mask, double) { return mask != 0 ? 0 : -std::numeric_limits<double>::infinity(); }

}  // namespace

// --- evaluation ---

static std::vector<ir::BinderId> index_binders(const ir::System& system, const ir::Process& process) {
  std::vector<ir::BinderId> result;
  for (const ir::Axis& axis : system[process.space].axes) result.push_back(axis.binder);
  return result;
}

Fields::Fields(const ir::Process& process, const PlanGrid& grid, Host host)
    : grid_(grid),
      host_(std::move(host)),
      indices_(index_binders(host_.scalars.system(), process)),
      origin_(indices_.size(), 1),
      bulk_(host_.scalars, host_.binders, indices_),
      lines_(host_.scalars, host_.binders, indices_) {}

void Fields::bind(ir::BinderId binder, std::int64_t value) {
  if (binder == tile_) {
    std::erase_if(known_for_tile_, [&](const auto& known) { return known.second.used < tiles_; });
    ++tiles_;
  }
  bound_[binder] = value;
  host_.scalars.bind(binder, value);
}

std::vector<std::int64_t> Fields::bound(const std::set<ir::BinderId>& binders) const {
  std::vector<std::int64_t> values;
  for (const ir::BinderId binder : binders) {
    if (const auto found = bound_.find(binder); found != bound_.end())
      values.insert(values.end(), {binder.index, found->second});
  }
  return values;
}

AxisSet Fields::axes_of(ir::ValueId value) const {
  AxisSet result = 0;
  for (const ir::BinderId binder : host_.binders.of(value)) {
    const auto found = std::find(indices_.begin(), indices_.end(), binder);
    if (found != indices_.end()) result |= AxisSet{1} << (found - indices_.begin());
  }
  return result;
}

double Fields::number(ir::ValueId value) {
  const ir::Scalar result = host_.scalars.value(value);
  switch (result.type) {
    case ir::ScalarType::real: return result.real;
    case ir::ScalarType::integer: return static_cast<double>(result.integer);
    case ir::ScalarType::boolean: return result.boolean ? 1 : 0;
  }
  return 0;
}

std::optional<ir::Scalar> Fields::uniform(ir::ValueId value) {
  if (axes_of(value) != 0) return std::nullopt;
  const std::vector<ir::BinderId>& free = host_.binders.of(value);
  if (std::find(free.begin(), free.end(), tile_) != free.end()) tile_seen = true;
  const ir::Scalar result = host_.scalars.value(value);
  if (steps_) note_uniform(value, result);
  return result;
}

std::optional<FieldPtr> Fields::evaluate(ir::ValueId value, const Domain& domain) {
  if (domain.box.empty()) return FieldPtr{};
  Key key{0, value.index, key_of(domain.mask)};
  bool of_tile = false;
  add_surroundings(value, key, of_tile);
  tile_seen = tile_seen || of_tile;
  const AxisSet axes = axes_of(value);
  for (std::size_t axis = 0; axis < grid_.axes(); ++axis) {
    if (axes >> axis & 1) key.insert(key.end(), {domain.box.first[axis], domain.box.last[axis]});
  }
  const Known* const known = recall(key);
  std::optional<FieldPtr> field = known ? known->field : compute(value, axes, domain);
  if (!field) return std::nullopt;
  if (!known) remember(std::move(key), *field, {domain.mask}, of_tile);
  if (steps_) note_value(value, axes, domain, *field);
  return field;
}

std::optional<PeerMapPtr> Fields::named(std::span<const ir::ValueId> coordinates, bool by_rank, const FieldPtr& mask) {
  if (grid_.count() > PeerMap::most_processes) return std::nullopt;
  Key key{by_rank, key_of(mask)};
  bool of_tile = false;
  for (const ir::ValueId coordinate : coordinates) {
    key.push_back(coordinate.index);
    add_surroundings(coordinate, key, of_tile);
  }
  tile_seen = tile_seen || of_tile;
  const auto found = known_peers_.find(key);
  const bool is_known = found != known_peers_.end();
  const std::optional<PeerMapPtr> peers = is_known ? found->second.peers : find_named(coordinates, by_rank, mask);
  if (peers && !is_known && !of_tile && !is_of_tile(mask))
    known_peers_.emplace(std::move(key), KnownPeers{*peers, mask});
  if (steps_ && peers) note_named(coordinates, by_rank, mask, *peers);
  return peers;
}

PeerMapPtr Fields::at_offset(const std::vector<std::int64_t>& offset, const std::vector<bool>& wrap) {
  Key key{-1};
  key.insert(key.end(), offset.begin(), offset.end());
  KnownPeers& known = known_peers_[key];
  if (!known.peers) known.peers = make(PeerMap::at_offset(grid_, offset, wrap));
  return known.peers;
}

std::optional<PeerMapPtr> Fields::find_named(ir::ValueId coordinate, std::int64_t extent, const FieldPtr& mask) {
  PeerMap::Builder peers(grid_.count());
  const std::size_t last = grid_.axes() - 1;
  const std::int64_t row = grid_.extents()[last];
  lines_.begin();
  const auto add_row = [&](const std::vector<std::int64_t>& point) {
    return add_lines(coordinate, extent, point, row, peers);
  };
  const auto add = [&](std::size_t at, std::int64_t x) {
    if (x < 1 || x > extent) return false;
    peers.add(static_cast<std::int64_t>(at), 1, x - 1);
    return true;
  };
  const bool is_done = !mask && row >= static_cast<std::int64_t>(processes_in_bulk)
                           ? grid_.for_each(grid_.all() & ~(AxisSet{1} << last), grid_.whole(), add_row)
                           : for_each_value<std::int64_t>(coordinate, grid_.all(), {grid_.whole(), mask}, add);
  return is_done ? std::optional(make(peers.finish())) : std::nullopt;
}

// The places behind the first along the last axis, in halves until they are on a line, or few enough to be evaluated.
// Halves begin where more of the last bits of ranks are 0, since that is where choices by bits change.
bool Fields::add_lines(ir::ValueId coordinate, std::int64_t extent, const std::vector<std::int64_t>& first,
                       std::int64_t count, PeerMap::Builder& peers) {
  const std::size_t last = grid_.axes() - 1;
  const auto begin = static_cast<std::int64_t>(place(first, grid_.strides(grid_.all())));
  std::vector<std::int64_t> indices = first;
  for (std::size_t axis = 0; axis <= last; ++axis) indices[axis] += origin_[axis];
  const std::optional<LineScalars::Line> line = lines_.line(coordinate, indices, count);
  const auto is_on = [&](std::int64_t x) { return x >= 1 && x <= extent; };
  if (line && (line->step == 1 || count == 1)) {
    if (!is_on(line->first) || !is_on(line->first + count - 1)) return false;
    peers.add(begin, count, line->first - 1);
    return true;
  }
  if (count <= static_cast<std::int64_t>(processes_in_bulk)) {
    GridBox box{first, first};
    box.last[last] += count - 1;
    return for_each_value<std::int64_t>(coordinate, grid_.all(), {box, nullptr}, [&](std::size_t at, std::int64_t x) {
      if (!is_on(x)) return false;
      peers.add(static_cast<std::int64_t>(at), 1, x - 1);
      return true;
    });
  }
  host_.look_at_clock();
  const auto end = static_cast<std::uint64_t>(first[last] + count), from = static_cast<std::uint64_t>(first[last]);
  const int bit = std::bit_width(from ^ (end - 1)) - 1;
  const auto middle = static_cast<std::int64_t>((end - 1) >> bit << bit);
  std::vector<std::int64_t> second = first;
  second[last] = middle;
  return add_lines(coordinate, extent, first, middle - first[last], peers) &&
         add_lines(coordinate, extent, second, first[last] + count - middle, peers);
}

std::optional<PeerMapPtr> Fields::find_named(std::span<const ir::ValueId> coordinates, bool by_rank,
                                             const FieldPtr& mask) {
  const Recording nowhere(*this, nullptr);  // the peers are a step as a whole
  const Domain domain{grid_.whole(), mask};
  if (!any(domain)) return PeerMapPtr{};
  if (coordinates.size() == 1 && axes_of(coordinates[0]) == grid_.all())
    return find_named(coordinates[0], by_rank ? static_cast<std::int64_t>(grid_.count()) : grid_.extents()[0], mask);
  PeerMap::Builder builder(grid_.count());
  const auto is_on = [](double coordinate, std::int64_t extent) {
    return coordinate >= 1 && coordinate <= static_cast<double>(extent);
  };
  std::vector<FieldPtr> fields;
  std::vector<std::vector<std::int64_t>> of_field;
  for (const ir::ValueId coordinate : coordinates) {
    const std::optional<FieldPtr> field = evaluate(coordinate, domain);
    if (!field) return std::nullopt;
    fields.push_back(*field);
    of_field.push_back(grid_.strides(fields.back()->axes));
  }
  const FieldPtr where = mask ? mask : everywhere();
  const auto of_mask = grid_.strides(where->axes), strides = grid_.strides(grid_.all());
  const auto take = [&](const std::vector<std::int64_t>& point) {
    if (where->values[place(point, of_mask)] == 0) return true;
    std::int64_t rank = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const double x = fields[i]->values[place(point, of_field[i])];
      const std::int64_t extent = by_rank ? static_cast<std::int64_t>(grid_.count()) : grid_.extents()[i];
      if (!is_on(x, extent)) return false;
      rank += (static_cast<std::int64_t>(x) - 1) * (by_rank ? 1 : strides[i]);
    }
    builder.add(static_cast<std::int64_t>(place(point, strides)), 1, rank);
    return true;
  };
  if (!grid_.for_each(grid_.all(), grid_.whole(), take)) return std::nullopt;
  return make(builder.finish());
}

// What of the loop variables around it the value depends on: the values of its parts that look at no index, so that
// `if tile == last then ... else ...` is the same in all tiles but one; or the variables themselves.
void Fields::add_surroundings(ir::ValueId value, Key& key, bool& of_tile) {
  const std::size_t begin = key.size();
  bool is_bound = false;
  for (const ir::BinderId binder : host_.binders.of(value)) {
    const auto found = bound_.find(binder);
    if (found == bound_.end()) continue;
    key.insert(key.end(), {binder.index, found->second});
    is_bound = true;
    of_tile = of_tile || binder == tile_;
  }
  const std::vector<ir::ValueId>* const of_value = is_bound ? parts(value) : nullptr;
  if (!of_value) return;
  Key by_parts(key.begin(), key.begin() + static_cast<std::ptrdiff_t>(begin));
  by_parts.push_back(-1);
  try {
    for (const ir::ValueId part : *of_value) by_parts.push_back(std::bit_cast<std::int64_t>(number(part)));
  } catch (const Failed& failed) {
    if (failed.failure.is_limit()) throw;
    return;  // it may not be needed
  }
  key = std::move(by_parts);
}

// Null where the variables themselves are wanted.
const std::vector<ir::ValueId>* Fields::parts(ir::ValueId value) {
  const auto [entry, is_new] = parts_.try_emplace(value);
  if (is_new) {
    std::vector<ir::ValueId> found;
    std::set<ir::ValueId> seen;
    if (find_parts(value, found, seen)) entry->second = std::move(found);
  }
  return entry->second ? &*entry->second : nullptr;
}

bool Fields::find_parts(ir::ValueId value, std::vector<ir::ValueId>& parts, std::set<ir::ValueId>& seen) const {
  if (host_.binders.of(value).empty() || !seen.insert(value).second) return true;
  if (axes_of(value) == 0) parts.push_back(value);
  if (parts.size() > most_parts_of_value || seen.size() > most_nodes_of_parts) return false;
  if (axes_of(value) == 0) return true;
  const ir::Node& node = system()[value].node;
  if (std::holds_alternative<ir::Index>(node)) return true;
  const bool is_plain = std::holds_alternative<ir::Unary>(node) || std::holds_alternative<ir::Binary>(node) ||
                        std::holds_alternative<ir::Maximum>(node) || std::holds_alternative<ir::Minimum>(node) ||
                        std::holds_alternative<ir::Select>(node) || std::holds_alternative<ir::Check>(node);
  if (!is_plain) {  // one that binds variables itself, say
    const std::vector<ir::BinderId>& free = host_.binders.of(value);
    return std::none_of(free.begin(), free.end(), [&](ir::BinderId binder) { return bound_.contains(binder); });
  }
  bool all = true;
  ir::for_each_operand(node, [&](ir::ValueId operand) { all = all && find_parts(operand, parts, seen); });
  return all;
}

template <class Number, class Take>
bool Fields::for_each_value(ir::ValueId value, AxisSet axes, const Domain& domain, Take&& take) {
  const std::vector<bool> wanted = needed(axes, domain);
  const std::vector<std::int64_t> strides = grid_.strides(axes);
  const auto some = std::make_unique_for_overwrite<Number[]>(processes_in_bulk);
  // Where they stand in an array over `axes`.
  const auto waiting = std::make_unique_for_overwrite<std::size_t[]>(processes_in_bulk);
  std::size_t count = 0;
  std::vector<std::vector<std::int64_t>>& places = bulk_.places();
  for (std::size_t axis = 0; axis < grid_.axes(); ++axis) places[axis].resize(axes >> axis & 1 ? processes_in_bulk : 0);
  const auto evaluate_waiting = [&] {
    if (count > 0 && !bulk_.evaluate(value, count, some.get())) return false;
    for (std::size_t i = 0; i < count; ++i) {
      if (!take(waiting[i], some[i])) return false;
    }
    count = 0;
    host_.look_at_clock();
    return true;
  };
  const std::size_t inner = static_cast<std::size_t>(std::bit_width(axes)) - 1;
  const auto take_row = [&](const std::vector<std::int64_t>& point) {
    std::size_t at = place(point, strides);
    for (std::int64_t x = domain.box.first[inner]; x <= domain.box.last[inner]; ++x, ++at) {
      if (!wanted.empty() && !wanted[at]) continue;
      waiting[count] = at;
      for (std::size_t axis = 0; axis < inner; ++axis) {
        if (axes >> axis & 1) places[axis][count] = origin_[axis] + point[axis];
      }
      places[inner][count] = origin_[inner] + x;
      if (++count == processes_in_bulk && !evaluate_waiting()) return false;
    }
    return true;
  };
  return grid_.for_each(axes & ~(AxisSet{1} << inner), domain.box, take_row) && evaluate_waiting();
}

// Of processes in a line, where it is seen at once that all have the same.
std::optional<double> Fields::only_value(ir::ValueId value, const Domain& domain) {
  if (grid_.axes() != 1 || domain.mask) return std::nullopt;
  lines_.begin();
  const std::int64_t first = domain.box.first[0];
  const auto line = lines_.line(value, {first + origin_[0]}, domain.box.last[0] - first + 1);
  if (!line || line->step != 0) return std::nullopt;
  return static_cast<double>(line->first);
}

std::optional<FieldPtr> Fields::compute(ir::ValueId value, AxisSet axes, const Domain& domain) {
  if (!any(domain)) return FieldPtr{};
  if (axes == 0) return constant(number(value));
  if (const auto one = only_value(value, domain)) return constant(*one);
  std::vector<double> values = zeros(grid_.size(axes));
  std::optional<double> first;
  bool alike = true;
  const auto take = [&](std::size_t at, double x) {
    if (!first) first = x;
    alike = alike && std::bit_cast<std::uint64_t>(*first) == std::bit_cast<std::uint64_t>(x);
    values[at] = x;
    return true;
  };
  if (!for_each_value<double>(value, axes, domain, take)) return std::nullopt;
  return alike ? constant(*first) : make(axes, std::move(values));
}

// Which combinations of the indices along `axes` belong to a process of the domain; empty: all of the box.
std::vector<bool> Fields::needed(AxisSet axes, const Domain& domain) const {
  if (!domain.mask) return {};
  std::vector<bool> result(grid_.size(axes), false);
  if (axes == domain.mask->axes && domain.box == grid_.whole()) {
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = domain.mask->values[i] != 0;
    return result;
  }
  const std::vector<std::int64_t> to = grid_.strides(axes), from = grid_.strides(domain.mask->axes);
  grid_.for_each(axes | domain.mask->axes, domain.box, [&](const std::vector<std::int64_t>& point) {
    if (domain.mask->values[place(point, from)] != 0) result[place(point, to)] = true;
  });
  return result;
}

bool Fields::any(const Domain& domain) const {
  if (domain.box.empty()) return false;
  if (!domain.mask) return true;
  const auto is_set = [](double mask) { return mask != 0; };
  if (domain.box == grid_.whole()) return std::any_of(domain.mask->values.begin(), domain.mask->values.end(), is_set);
  const std::vector<bool> found = needed(0, domain);
  return found[0];
}

bool Fields::same(const FieldPtr& a, const FieldPtr& b, const Domain& domain) {
  if (a == b) return true;
  if (steps_) note_same(a, b, domain);
  const AxisSet masked = domain.mask ? domain.mask->axes : 0;
  const auto strides_a = grid_.strides(a->axes), strides_b = grid_.strides(b->axes), strides_m = grid_.strides(masked);
  bool equal = true;
  grid_.for_each(a->axes | b->axes | masked, domain.box, [&](const std::vector<std::int64_t>& point) {
    if (domain.mask && domain.mask->values[place(point, strides_m)] == 0) return;
    equal = equal && a->values[place(point, strides_a)] == b->values[place(point, strides_b)];
  });
  return equal;
}

// --- made from others ---

template <class Made>
std::shared_ptr<const Made> Fields::counted(Made made, std::size_t size) {
  if (size < large_field * sizeof(double)) return std::make_shared<Made>(std::move(made));
  const auto bytes = static_cast<std::int64_t>(size);
  host_.claim_memory(bytes);
  *held_ += bytes;
  const auto release = [held = held_, claim = host_.claim_memory, bytes](const Made* it) {
    delete it;
    *held -= bytes;
    claim(-bytes);
  };
  return std::shared_ptr<const Made>(new Made(std::move(made)), release);
}

// Refused before the memory is taken that `make` then claims.
std::vector<double> Fields::zeros(std::size_t size) const {
  if (size >= large_field) const Claimed fits(host_.claim_memory, static_cast<std::int64_t>(size * sizeof(double)));
  return std::vector<double>(size, 0);
}

FieldPtr Fields::make(AxisSet axes, std::vector<double> values) {
  const std::size_t bytes = values.size() * sizeof(double);
  return counted(Field{axes, std::move(values)}, bytes);
}

PeerMapPtr Fields::make(PeerMap peers) {
  const std::size_t bytes = peers.bytes();
  return counted(std::move(peers), bytes);
}

PlusRunsPtr Fields::make(PlusRuns runs) {
  const std::size_t bytes = runs.bytes();
  return counted(std::move(runs), bytes);
}

std::shared_ptr<const ServiceOrder> Fields::make(ServiceOrder order) {
  const std::size_t bytes = order.bytes();
  return counted(std::move(order), bytes);
}

const Fields::Known* Fields::recall(const Key& key) {
  for (auto* map : {&known_, &known_for_tile_}) {
    const auto found = map->find(key);
    if (found == map->end()) continue;
    found->second.used = tiles_;
    return &found->second;
  }
  return nullptr;
}

bool Fields::is_of_tile(const Argument& argument) const {
  return argument && std::any_of(known_for_tile_.begin(), known_for_tile_.end(),
                                 [&](const auto& known) { return known.second.field == argument; });
}

FieldPtr Fields::remember(Key key, FieldPtr field, std::vector<Argument> arguments, bool of_tile) {
  of_tile = of_tile || std::any_of(arguments.begin(), arguments.end(),
                                   [&](const Argument& argument) { return is_of_tile(argument); });
  (of_tile ? known_for_tile_ : known_).emplace(std::move(key), Known{field, std::move(arguments), tiles_});
  return field;
}

template <class Make>
FieldPtr Fields::remembered(Key key, std::vector<Argument> arguments, Make&& make) {
  const Known* const known = recall(key);
  FieldPtr field = known ? known->field : make(*this);
  if (steps_ && varies(arguments)) note_made(field, make);
  return known ? field : remember(std::move(key), std::move(field), std::move(arguments), false);
}

FieldPtr Fields::combine(const FieldPtr& a, const FieldPtr& b, Combine f) {
  Key key{1, static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(f)), key_of(a), key_of(b)};
  return remembered(std::move(key), {a, b}, [a, b, f](Fields& in) {
    const PlanGrid& grid = in.grid_;
    const AxisSet axes = a->axes | b->axes;
    const auto of_a = grid.strides(a->axes), of_b = grid.strides(b->axes);
    std::vector<double> values;
    values.reserve(grid.size(axes));
    in.look_at_clock();
    if ((a->axes == axes || a->uniform()) && (b->axes == axes || b->uniform())) {
      const std::size_t step_of_a = a->axes == axes, step_of_b = b->axes == axes;
      for (std::size_t i = 0; i < grid.size(axes); ++i)
        values.push_back(f(a->values[i * step_of_a], b->values[i * step_of_b]));
      return in.make(axes, std::move(values));
    }
    grid.for_each(axes, grid.whole(), [&](const std::vector<std::int64_t>& point) {
      values.push_back(f(a->values[place(point, of_a)], b->values[place(point, of_b)]));
    });
    return in.make(axes, std::move(values));
  });
}

FieldPtr Fields::both(const FieldPtr& a, const FieldPtr& b) {
  if (!a || !b) return a ? a : b;
  return combine(a, b, both_true);
}

FieldPtr Fields::first_only(const FieldPtr& a, const FieldPtr& b) {
  return combine(a ? a : everywhere(), b, first_true_only);
}

FieldPtr Fields::everywhere() {
  return remembered({2}, {}, [](Fields& in) { return in.constant(1); });
}

FieldPtr Fields::rounded(const FieldPtr& field, double quantum) {
  Key key{5, key_of(field)};
  if (const Known* const known = recall(key)) {
    if (steps_) note_rounded(field, known->field);
    return known->field;
  }
  std::vector<double> values = field->values;
  for (double& value : values) {
    const auto result = ir::arithmetic::quantize(value, quantum);
    if (result.failed) return nullptr;
    rounding.add(value, result.value);
    value = result.value;
  }
  const FieldPtr made = remember(std::move(key), make(field->axes, std::move(values)), {field}, false);
  if (steps_) note_rounded(field, made);
  return made;
}

FieldPtr Fields::where(const FieldPtr& value, const FieldPtr& mask) {
  return mask ? combine(value, mask, value_where) : value;
}

FieldPtr Fields::guard(const FieldPtr& mask) { return combine(mask, mask, closed_where_not); }

FieldPtr Fields::shifted(const FieldPtr& field, std::span<const std::int64_t> offset, const std::vector<bool>& wrap) {
  if (!field || field->uniform()) return field;
  Key key{3, key_of(field)};
  key.insert(key.end(), offset.begin(), offset.end());
  const std::vector<std::int64_t> by(offset.begin(), offset.end());
  return remembered(std::move(key), {field}, [field, by, wrap](Fields& in) {
    const PlanGrid& grid = in.grid_;
    const auto strides = grid.strides(field->axes);
    std::vector<double> values;
    values.reserve(field->values.size());
    std::vector<std::int64_t> from(grid.axes(), 0);
    grid.for_each(field->axes, grid.whole(), [&](const std::vector<std::int64_t>& point) {
      bool on_grid = true;
      for (std::size_t axis = 0; axis < from.size(); ++axis) {
        if (!(field->axes >> axis & 1)) continue;
        const std::int64_t extent = grid.extents()[axis];
        from[axis] = point[axis] - by[axis] % extent;
        if (wrap[axis]) from[axis] = (from[axis] + extent) % extent;
        on_grid = on_grid && (wrap[axis] || (by[axis] > -extent && by[axis] < extent)) && from[axis] >= 0 &&
                  from[axis] < extent;
      }
      values.push_back(on_grid ? field->values[place(from, strides)] : 0);
    });
    return in.make(field->axes, std::move(values));
  });
}

FieldPtr Fields::gathered(const FieldPtr& field, const PeerMapPtr& peers) {
  if (!field || field->uniform()) return field;
  return remembered({6, key_of(field), key_of(peers)}, {field, peers}, [field, peers](Fields& in) {
    const Recording nowhere(in, nullptr);
    const FieldPtr all = in.expanded(field);
    std::vector<double> values = in.zeros(in.grid_.count());
    peers->for_each_run(0, peers->processes(), [&](const PeerMap::Run& run) {
      std::copy_n(all->values.begin() + run.peer, run.count, values.begin() + run.first);
    });
    return in.make(in.grid_.all(), std::move(values));
  });
}

FieldPtr Fields::with_peer(const PeerMapPtr& peers) {
  if (peers->everywhere()) return nullptr;
  return remembered({7, key_of(peers)}, {peers}, [peers](Fields& in) {
    std::vector<double> values = in.zeros(in.grid_.count());
    peers->for_each_run(0, peers->processes(),
                        [&](const PeerMap::Run& run) { std::fill_n(values.begin() + run.first, run.count, 1.0); });
    return in.make(in.grid_.all(), std::move(values));
  });
}

FieldPtr Fields::expanded(const FieldPtr& field) {
  if (field->axes == grid_.all()) return field;
  return remembered({4, key_of(field)}, {field}, [field](Fields& in) {
    const auto strides = in.grid_.strides(field->axes);
    std::vector<double> values;
    values.reserve(in.grid_.count());
    in.grid_.for_each(in.grid_.all(), in.grid_.whole(), [&](const std::vector<std::int64_t>& point) {
      values.push_back(field->values[place(point, strides)]);
    });
    return in.make(in.grid_.all(), std::move(values));
  });
}

bool Fields::trim() {
  if (*held_ < most_bytes_of_fields && known_.size() + known_peers_.size() < most_fields_known) return false;
  known_.clear();
  known_for_tile_.clear();
  known_peers_.clear();
  step_of_.clear();
  asked_.clear();
  return true;
}

}  // namespace wave::backend::processes
