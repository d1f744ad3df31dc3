// Evaluation and combination of fields.
#include "backend/processes/plan_fields.h"

#include "backend/processes/thresholds.h"
#include "ir/arithmetic.h"
#include "ir/visit.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace wave::backend::processes {

namespace {

std::int64_t key_of(const FieldPtr& field) {
  return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(field.get()));
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
      bulk_(host_.scalars, host_.binders, indices_) {}

void Fields::bind(ir::BinderId binder, std::int64_t value) {
  if (binder == tile_) {
    std::erase_if(known_for_tile_, [&](const auto& known) { return known.second.used < tiles_; });
    ++tiles_;
  }
  bound_[binder] = value;
  host_.scalars.bind(binder, value);
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
  return host_.scalars.value(value);
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
  if (const Known* const known = recall(key)) return known->field;
  std::optional<FieldPtr> field = compute(value, axes, domain);
  if (!field) return std::nullopt;
  return remember(std::move(key), std::move(*field), {domain.mask}, of_tile);
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

std::optional<FieldPtr> Fields::compute(ir::ValueId value, AxisSet axes, const Domain& domain) {
  if (!any(domain)) return FieldPtr{};
  if (axes == 0) return constant(number(value));
  const std::vector<bool> wanted = needed(axes, domain);
  const std::vector<std::int64_t> strides = grid_.strides(axes);
  std::vector<double> values(grid_.size(axes), 0), some(processes_in_bulk);
  std::vector<std::size_t> waiting;  // their places in `values`
  std::vector<std::vector<std::int64_t>>& places = bulk_.places();
  for (auto& along_axis : places) along_axis.clear();
  const auto evaluate_waiting = [&] {
    if (!bulk_.evaluate(value, waiting.size(), some.data())) return false;
    for (std::size_t i = 0; i < waiting.size(); ++i) values[waiting[i]] = some[i];
    waiting.clear();
    for (auto& along_axis : places) along_axis.clear();
    host_.look_at_clock();
    return true;
  };
  const auto take = [&](const std::vector<std::int64_t>& point) {
    const std::size_t at = place(point, strides);
    if (!wanted.empty() && !wanted[at]) return true;
    waiting.push_back(at);
    for (std::size_t axis = 0; axis < point.size(); ++axis) {
      if (axes >> axis & 1) places[axis].push_back(origin_[axis] + point[axis]);
    }
    return waiting.size() < processes_in_bulk || evaluate_waiting();
  };
  if (!grid_.for_each(axes, domain.box, take) || !evaluate_waiting()) return std::nullopt;
  const auto is_wanted = [&](std::size_t at) { return wanted.empty() || wanted[at]; };
  if (const auto one = only_value(values, is_wanted, axes, domain)) return constant(*one);
  return make(axes, std::move(values));
}

// The value that all processes of the domain have; nothing where they differ.
std::optional<double> Fields::only_value(const std::vector<double>& values,
                                         const std::function<bool(std::size_t)>& is_wanted, AxisSet axes,
                                         const Domain& domain) const {
  const std::vector<std::int64_t> strides = grid_.strides(axes);
  std::optional<double> first;
  bool alike = true;
  grid_.for_each(axes, domain.box, [&](const std::vector<std::int64_t>& point) {
    const std::size_t at = place(point, strides);
    if (!alike || !is_wanted(at)) return;
    if (!first) first = values[at];
    alike = std::bit_cast<std::uint64_t>(*first) == std::bit_cast<std::uint64_t>(values[at]);
  });
  return alike ? first : std::nullopt;
}

// Which combinations of the indices along `axes` belong to a process of the domain; empty: all of the box.
std::vector<bool> Fields::needed(AxisSet axes, const Domain& domain) const {
  if (!domain.mask) return {};
  std::vector<bool> result(grid_.size(axes), false);
  const std::vector<std::int64_t> to = grid_.strides(axes), from = grid_.strides(domain.mask->axes);
  grid_.for_each(axes | domain.mask->axes, domain.box, [&](const std::vector<std::int64_t>& point) {
    if (domain.mask->values[place(point, from)] != 0) result[place(point, to)] = true;
  });
  return result;
}

bool Fields::any(const Domain& domain) const {
  if (domain.box.empty()) return false;
  if (!domain.mask) return true;
  const std::vector<bool> found = needed(0, domain);
  return found[0];
}

bool Fields::same(const FieldPtr& a, const FieldPtr& b, const Domain& domain) const {
  if (a == b) return true;
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

FieldPtr Fields::make(AxisSet axes, std::vector<double> values) {
  const auto bytes = static_cast<std::int64_t>(values.size() * sizeof(double));
  if (values.size() < large_field) return std::make_shared<Field>(Field{axes, std::move(values)});
  host_.claim_memory(bytes);
  *held_ += bytes;
  const auto release = [held = held_, claim = host_.claim_memory, bytes](const Field* field) {
    delete field;
    *held -= bytes;
    claim(-bytes);
  };
  return FieldPtr(new Field{axes, std::move(values)}, release);
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

FieldPtr Fields::remember(Key key, FieldPtr field, std::vector<FieldPtr> arguments, bool of_tile) {
  const auto is_of_tile = [&](const FieldPtr& argument) {
    return argument && std::any_of(known_for_tile_.begin(), known_for_tile_.end(),
                                   [&](const auto& known) { return known.second.field == argument; });
  };
  of_tile = of_tile || std::any_of(arguments.begin(), arguments.end(), is_of_tile);
  (of_tile ? known_for_tile_ : known_).emplace(std::move(key), Known{field, std::move(arguments), tiles_});
  return field;
}

template <class Make>
FieldPtr Fields::remembered(Key key, std::vector<FieldPtr> arguments, Make&& make) {
  if (const Known* const known = recall(key)) return known->field;
  return remember(std::move(key), make(), std::move(arguments), false);
}

FieldPtr Fields::combine(const FieldPtr& a, const FieldPtr& b, Combine f) {
  Key key{1, static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(f)), key_of(a), key_of(b)};
  return remembered(std::move(key), {a, b}, [&] {
    const AxisSet axes = a->axes | b->axes;
    const auto of_a = grid_.strides(a->axes), of_b = grid_.strides(b->axes);
    std::vector<double> values;
    values.reserve(grid_.size(axes));
    grid_.for_each(axes, grid_.whole(), [&](const std::vector<std::int64_t>& point) {
      values.push_back(f(a->values[place(point, of_a)], b->values[place(point, of_b)]));
    });
    return make(axes, std::move(values));
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
  return remembered({2}, {}, [&] { return constant(1); });
}

FieldPtr Fields::rounded(const FieldPtr& field, double quantum) {
  Key key{5, key_of(field)};
  if (const Known* const known = recall(key)) return known->field;
  std::vector<double> values = field->values;
  for (double& value : values) {
    const auto result = ir::arithmetic::quantize(value, quantum);
    if (result.failed) return nullptr;
    rounding.add(value, result.value);
    value = result.value;
  }
  return remember(std::move(key), make(field->axes, std::move(values)), {field}, false);
}

FieldPtr Fields::where(const FieldPtr& value, const FieldPtr& mask) {
  return mask ? combine(value, mask, value_where) : value;
}

FieldPtr Fields::guard(const FieldPtr& mask) { return combine(mask, mask, closed_where_not); }

FieldPtr Fields::shifted(const FieldPtr& field, std::span<const std::int64_t> offset, const std::vector<bool>& wrap) {
  if (!field || field->uniform()) return field;
  Key key{3, key_of(field)};
  key.insert(key.end(), offset.begin(), offset.end());
  return remembered(std::move(key), {field}, [&] {
    const auto strides = grid_.strides(field->axes);
    std::vector<double> values;
    values.reserve(field->values.size());
    std::vector<std::int64_t> from(grid_.axes(), 0);
    grid_.for_each(field->axes, grid_.whole(), [&](const std::vector<std::int64_t>& point) {
      bool on_grid = true;
      for (std::size_t axis = 0; axis < from.size(); ++axis) {
        if (!(field->axes >> axis & 1)) continue;
        const std::int64_t extent = grid_.extents()[axis];
        from[axis] = point[axis] - offset[axis] % extent;
        if (wrap[axis]) from[axis] = (from[axis] + extent) % extent;
        on_grid = on_grid && (wrap[axis] || (offset[axis] > -extent && offset[axis] < extent)) && from[axis] >= 0 &&
                  from[axis] < extent;
      }
      values.push_back(on_grid ? field->values[place(from, strides)] : 0);
    });
    return make(field->axes, std::move(values));
  });
}

FieldPtr Fields::gathered(const FieldPtr& field, const FieldPtr& ranks) {
  if (!field || field->uniform()) return field;
  return remembered({6, key_of(field), key_of(ranks)}, {field, ranks}, [&] {
    const FieldPtr all = expanded(field);
    std::vector<double> values(ranks->values.size(), 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (ranks->values[i] >= 0) values[i] = all->values[static_cast<std::size_t>(ranks->values[i])];
    }
    return make(grid_.all(), std::move(values));
  });
}

FieldPtr Fields::expanded(const FieldPtr& field) {
  if (field->axes == grid_.all()) return field;
  return remembered({4, key_of(field)}, {field}, [&] {
    const auto strides = grid_.strides(field->axes);
    std::vector<double> values;
    values.reserve(grid_.count());
    grid_.for_each(grid_.all(), grid_.whole(), [&](const std::vector<std::int64_t>& point) {
      values.push_back(field->values[place(point, strides)]);
    });
    return make(grid_.all(), std::move(values));
  });
}

bool Fields::trim() {
  if (*held_ < most_bytes_of_fields && known_.size() < most_fields_known) return false;
  known_.clear();
  known_for_tile_.clear();
  return true;
}

}  // namespace wave::backend::processes
