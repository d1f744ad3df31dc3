// Takes weights apart by the indices that they read. A part that reads several indices is tabulated over classes of
// indices. Two indices are of one class if every part that reads only this index has the same value for both.
#include "backend/closed_form/cell_function.h"

#include "backend/closed_form/periods.h"
#include "backend/closed_form/thresholds.h"
#include "ir/arithmetic.h"
#include "ir/operations.h"
#include "ir/visit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_set>

namespace wave::backend::closed_form {

namespace {

constexpr double most_quanta = 0x1p53;

// The first place of each class.
std::vector<std::int64_t> representatives(const IndexFunction& classes, std::size_t count) {
  std::vector<std::int64_t> result(count, -1);
  for (const Piece& piece : classes.pieces()) {
    for (std::size_t i = 0; i < piece.values.size(); ++i) {
      std::int64_t& place = result[static_cast<std::size_t>(piece.values[i])];
      if (place < 0) place = piece.first + static_cast<std::int64_t>(i);
    }
  }
  return result;
}

// An index itself, as one number or another: no two indices are of a class.
bool is_index(const ir::System& system, ir::ValueId value) {
  const ir::Node& node = system[value].node;
  if (const auto* n = std::get_if<ir::Unary>(&node)) {
    return (n->op == ir::UnaryOp::to_real || n->op == ir::UnaryOp::negate) && is_index(system, n->operand);
  }
  if (const auto* n = std::get_if<ir::Check>(&node)) return is_index(system, n->value);
  return std::holds_alternative<ir::Index>(node);
}

}  // namespace

double Box::count() const {
  double result = 1;
  for (std::size_t axis = 0; axis < first.size(); ++axis) result *= static_cast<double>(last[axis] - first[axis] + 1);
  return result;
}

std::int64_t ClassTable::of_classes(const std::vector<std::int64_t>& numbers) const {
  std::int64_t cell = 0;
  for (std::size_t axis = 0; axis < counts.size(); ++axis) cell = cell * counts[axis] + numbers[axis];
  return values[static_cast<std::size_t>(cell)];
}

std::int64_t ClassTable::at(const Places& places) const {
  std::int64_t cell = 0;
  for (std::size_t axis = 0; axis < counts.size(); ++axis) {
    cell = cell * counts[axis] + (counts[axis] == 1 ? 0 : classes[axis].at(places[axis]));
  }
  return values[static_cast<std::size_t>(cell)];
}

std::int64_t CellFunction::at(const Places& places) const {
  std::int64_t sum = table ? table->at(places) : 0;
  for (std::size_t axis = 0; axis < parts.size(); ++axis) sum += parts[axis].at(places[axis]);
  return sum;
}

CellFunctions::CellFunctions(const Problem& problem, const std::vector<CellAxis>& axes)
    : system_(problem.system),
      around_(problem.surroundings),
      axes_(axes),
      quantum_(problem.quantum),
      shortest_(problem.shortest),
      most_values_(static_cast<std::int64_t>(std::min(most_values * 1.0, problem.memory_bytes / bytes_per_value))),
      looks_at_(problem.system) {}

std::optional<std::vector<std::size_t>> CellFunctions::axes_of(ir::ValueId value) {
  const std::vector<ir::BinderId>* const binders = looks_at_.binders(value);
  if (!binders) return std::nullopt;
  std::vector<std::size_t> result;
  for (const ir::BinderId binder : *binders) {
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
      if (axes_[axis].binder == binder) result.push_back(axis);
    }
  }
  return result;
}

std::optional<std::int64_t> CellFunctions::quanta(double weight, bool negated) const {
  const auto rounded = ir::arithmetic::quantize(weight, quantum_);
  if (rounded.failed || !(std::fabs(rounded.value / quantum_) < most_quanta)) return std::nullopt;
  const auto count = static_cast<std::int64_t>(rounded.value / quantum_);
  return negated ? -count : count;
}

CellFunction CellFunctions::zero(const Box& domain) const {
  CellFunction result{domain, {}, {}};
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    result.parts.emplace_back(domain.first[axis], domain.last[axis], 0);
  }
  return result;
}

std::optional<CellFunction> CellFunctions::sum(const std::vector<Summand>& summands, const Box& domain) {
  CellFunction result = zero(domain);
  std::vector<Summand> mixed;
  for (const Summand& summand : summands) {
    const auto axes = axes_of(summand.value);
    if (!axes) return std::nullopt;
    if (axes->size() > 1) {
      mixed.push_back(summand);
      continue;
    }
    const std::size_t axis = axes->empty() ? 0 : axes->front();
    std::optional<IndexFunction> one;
    if (!axes->empty()) {
      one = one_index(summand, axis, domain);
    } else if (const auto number = constant(summand)) {
      one = IndexFunction(domain.first[0], domain.last[0], *number);
    }
    auto all = one ? add(result.parts[axis], *one) : std::nullopt;
    if (!all) return std::nullopt;
    result.parts[axis] = *std::move(all);
  }
  if (!mixed.empty()) {
    result.table = greatest({{ir::ValueId{}, std::move(mixed)}}, domain);
    if (!result.table) return std::nullopt;
  }
  return result;
}

std::optional<std::int64_t> CellFunctions::constant(const Summand& summand) {
  const auto known = around_.hoisted ? around_.hoisted(summand.value) : std::nullopt;
  if (known) return quanta(*known, summand.negated);
  Scalars scalars(system_, around_);
  const LaneValues* const weight = scalars.evaluate(summand.value);
  if (!weight || weight->any_failed()) return std::nullopt;
  return quanta(weight->at(0).real, summand.negated);
}

// --- one index ---

// The pieces without their values. A weight may grow from period to period if rounding to the quantum does not disturb
// that: if all values are multiples of the quantum, or if the growth is an even number of quanta (a tie goes to the
// even one).
std::optional<std::vector<Piece>> CellFunctions::outline(ir::ValueId value, std::size_t axis, const Box& domain,
                                                         bool is_weight) {
  const std::int64_t a = index(axis, domain.first[axis]), b = index(axis, domain.last[axis]);
  const auto parts =
      repetitions(system_, around_, looks_at_, value, axes_[axis].binder, std::min(a, b), std::max(a, b), shortest_);
  if (!parts) return std::nullopt;
  std::vector<Piece> pieces;
  std::int64_t kept = 0;
  for (const Repetition& part : *parts) {
    const std::int64_t edge = axes_[axis].direction > 0 ? part.first : part.last;
    const std::int64_t length = part.last - part.first + 1;
    Piece piece{(edge - axes_[axis].origin) * axes_[axis].direction, 0, 0, {}};
    piece.last = piece.first + length - 1;
    std::int64_t period = part.period;
    if (part.increment != 0 && period < length) {
      const double growth = part.increment / quantum_;  // exact: by a power of two
      double factor = 1;
      if (!is_weight) {
        if (length / period > static_cast<std::int64_t>(most_classes)) return std::nullopt;
        factor = static_cast<double>(length);
      }
      while (is_weight && part.granularity < quantum_ && factor < static_cast<double>(most_values) &&
             std::fmod(growth * factor, 2) != 0) {
        factor *= 2;
      }
      // If not even that many periods grow by whole quanta, none do.
      const bool is_seen = is_weight && part.granularity < quantum_ && std::fmod(growth * factor, 2) != 0;
      const double all = is_seen ? static_cast<double>(length) : static_cast<double>(period) * factor;
      period = all < static_cast<double>(length) ? static_cast<std::int64_t>(all) : length;
      const double increment = growth * factor * static_cast<double>(axes_[axis].direction);
      if (period < length && !(std::fabs(increment) < most_quanta)) return std::nullopt;
      if (period < length) piece.increment = static_cast<std::int64_t>(increment);
    }
    kept += period;
    kept_ += period;
    if (kept > most_values_ || kept_ > most_functions * most_values_) return std::nullopt;
    piece.values.resize(static_cast<std::size_t>(period));
    pieces.push_back(std::move(piece));
  }
  std::sort(pieces.begin(), pieces.end(), [](const Piece& x, const Piece& y) { return x.first < y.first; });
  return pieces;
}

std::optional<IndexFunction> CellFunctions::filled(std::vector<Piece> pieces, std::size_t axis, const Number& number,
                                                   ir::ValueId value) {
  Scalars scalars(system_, around_);
  std::vector<std::int64_t> indices;
  std::vector<std::int64_t*> targets;
  const auto flush = [&] {
    if (indices.empty()) return true;
    scalars.bind(axes_[axis].binder, indices);
    const LaneValues* const lanes = scalars.evaluate(value);
    if (!lanes || lanes->any_failed()) return false;
    for (std::size_t lane = 0; lane < targets.size(); ++lane) {
      const auto known = number(*lanes, lane);
      if (!known) return false;
      *targets[lane] = *known;
    }
    indices.clear(), targets.clear();
    return true;
  };
  for (Piece& piece : pieces) {
    for (std::size_t i = 0; i < piece.values.size(); ++i) {
      indices.push_back(index(axis, piece.first + static_cast<std::int64_t>(i)));
      targets.push_back(&piece.values[i]);
      if (indices.size() == lanes_at_once && !flush()) return std::nullopt;
    }
  }
  if (!flush()) return std::nullopt;
  return IndexFunction(std::move(pieces));
}

std::optional<IndexFunction> CellFunctions::one_index(const Summand& summand, std::size_t axis, const Box& domain) {
  auto pieces = outline(summand.value, axis, domain, true);
  if (!pieces) return std::nullopt;
  if (summand.negated) {
    for (Piece& piece : *pieces) piece.increment = -piece.increment;
  }
  return filled(
      *std::move(pieces), axis,
      [&](const LaneValues& lanes, std::size_t lane) { return quanta(lanes.at(lane).real, summand.negated); },
      summand.value);
}

// --- several indices ---

// The largest parts that look at one axis alone.
bool CellFunctions::collect_atoms(ir::ValueId value, std::vector<std::vector<ir::ValueId>>& atoms) {
  std::vector<ir::ValueId> pending{value};
  std::unordered_set<ir::ValueId> seen;
  while (!pending.empty()) {
    const ir::ValueId at = pending.back();
    pending.pop_back();
    if (!seen.insert(at).second) continue;
    const auto axes = axes_of(at);
    if (!axes) return false;
    if (axes->empty()) continue;
    if (axes->size() == 1 && looks_at_.binders(at)->size() == 1) {
      std::vector<ir::ValueId>& list = atoms[axes->front()];
      if (std::find(list.begin(), list.end(), at) == list.end()) list.push_back(at);
      continue;
    }
    ir::for_each_operand(system_[at].node, [&](ir::ValueId operand) { pending.push_back(operand); });
  }
  return true;
}

// Gives up before anything is evaluated if there are clearly more classes than a table may have.
std::optional<CellFunctions::Outlines> CellFunctions::outlines(const std::vector<std::vector<ir::ValueId>>& atoms,
                                                               const Box& domain, double most_cells) {
  Outlines result(axes_.size());
  double cells = 1;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    std::int64_t classes = 1;
    for (const ir::ValueId atom : atoms[axis]) {
      const std::int64_t length = domain.last[axis] - domain.first[axis] + 1;
      // An index itself has a class for each of its values.
      if (is_index(system_, atom)) classes = length;
      if (classes > static_cast<std::int64_t>(most_classes)) return std::nullopt;
    }
    cells *= static_cast<double>(classes);
    if (cells > most_cells) return std::nullopt;
  }
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    for (const ir::ValueId atom : atoms[axis]) {
      auto pieces = outline(atom, axis, domain, false);
      if (!pieces) return std::nullopt;
      result[axis].push_back(*std::move(pieces));
    }
  }
  return result;
}

std::optional<ClassTable> CellFunctions::table(const std::vector<ir::ValueId>& values, const Box& domain,
                                               const Compute& compute) {
  std::vector<std::vector<ir::ValueId>> atoms(axes_.size());
  for (const ir::ValueId value : values) {
    if (!collect_atoms(value, atoms)) return std::nullopt;
  }
  const double most_cells =
      std::min(most_table_cells, std::max(most_classes * 1.0, domain.count() / cells_per_table_cell));
  auto pieces = outlines(atoms, domain, most_cells);
  if (!pieces) return std::nullopt;
  ClassTable result;
  std::vector<std::vector<std::int64_t>> places;
  double cells = 1;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    std::vector<IndexFunction> functions;
    for (std::size_t i = 0; i < atoms[axis].size(); ++i) {
      auto one = filled(
          std::move((*pieces)[axis][i]), axis,
          [](const LaneValues& lanes, std::size_t lane) { return std::bit_cast<std::int64_t>(lanes.at(lane)); },
          atoms[axis][i]);
      if (!one) return std::nullopt;
      functions.push_back(*std::move(one));
    }
    if (functions.empty()) functions.emplace_back(domain.first[axis], domain.last[axis], 0);
    std::vector<const IndexFunction*> pointers;
    for (const IndexFunction& function : functions) pointers.push_back(&function);
    auto joint = join(pointers, most_classes);
    if (!joint) return std::nullopt;
    result.counts.push_back(static_cast<std::int64_t>(joint->tuples.size()));
    places.push_back(representatives(joint->number, joint->tuples.size()));
    result.classes.push_back(std::move(joint->number));
    cells *= static_cast<double>(result.counts.back());
    if (cells > most_cells) return std::nullopt;
  }
  const auto count = static_cast<std::size_t>(cells);
  Scalars scalars(system_, around_);
  for (std::size_t from = 0; from < count; from += lanes_at_once) {
    const std::size_t lanes = std::min(lanes_at_once, count - from);
    std::size_t stride = count;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
      stride /= places[axis].size();
      std::vector<std::int64_t> indices;
      indices.reserve(lanes);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        indices.push_back(index(axis, places[axis][(from + lane) / stride % places[axis].size()]));
      }
      scalars.bind(axes_[axis].binder, std::move(indices));
    }
    const auto some = compute(scalars, lanes);
    if (!some) return std::nullopt;
    result.values.insert(result.values.end(), some->begin(), some->end());
  }
  return result;
}

std::optional<ClassTable> CellFunctions::greatest(const std::vector<Guarded>& bounds, const Box& domain) {
  std::vector<ir::ValueId> values;
  for (const Guarded& bound : bounds) {
    if (bound.guard.valid()) values.push_back(bound.guard);
    for (const Summand& summand : bound.summands) values.push_back(summand.value);
  }
  return table(values, domain, [&](Scalars& scalars, std::size_t count) -> std::optional<std::vector<std::int64_t>> {
    std::vector<std::int64_t> result(count, absent);
    for (const Guarded& bound : bounds) {
      std::vector<std::uint8_t> present(count, 1);
      if (bound.guard.valid()) {
        const LaneValues* const guard = scalars.evaluate(bound.guard);
        if (!guard) return std::nullopt;
        for (std::size_t lane = 0; lane < count; ++lane) {
          if (guard->has_failed(lane)) return std::nullopt;
          present[lane] = guard->at(lane).integer != 0;
        }
      }
      std::vector<std::int64_t> sums(count, 0);
      for (const Summand& summand : bound.summands) {
        const LaneValues* const weight = scalars.evaluate(summand.value);
        if (!weight) return std::nullopt;
        for (std::size_t lane = 0; lane < count; ++lane) {
          if (!present[lane]) continue;
          const auto more = weight->has_failed(lane) ? std::nullopt : quanta(weight->at(lane).real, summand.negated);
          if (!more) return std::nullopt;
          sums[lane] += *more;
        }
      }
      for (std::size_t lane = 0; lane < count; ++lane) {
        if (present[lane]) result[lane] = std::max(result[lane], sums[lane]);
      }
    }
    return result;
  });
}

std::optional<bool> CellFunctions::holds_everywhere(ir::ValueId condition, const Box& domain) {
  using Values = std::optional<std::vector<std::int64_t>>;
  const auto truth = table({condition}, domain, [&](Scalars& scalars, std::size_t count) -> Values {
    const LaneValues* const lanes = scalars.evaluate(condition);
    if (!lanes) return std::nullopt;
    std::vector<std::int64_t> result;
    for (std::size_t lane = 0; lane < count; ++lane) {
      if (lanes->has_failed(lane)) return std::nullopt;
      result.push_back(lanes->at(lane).integer);
    }
    return result;
  });
  if (!truth) return std::nullopt;
  return std::all_of(truth->values.begin(), truth->values.end(), [](std::int64_t value) { return value != 0; });
}

}  // namespace wave::backend::closed_form
