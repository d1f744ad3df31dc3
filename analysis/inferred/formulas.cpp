// See formulas.h.
#include "analysis/inferred/formulas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace wave::analysis::inferred {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// So many of `whole` has part `k` of `parts`, from 0.
std::int64_t part_of(std::int64_t whole, std::int64_t parts, std::int64_t k) {
  return whole / parts + (k < whole % parts ? 1 : 0);
}

// What `faces` of std.applications.npb.multipartition gives, in bytes.
double faces_of(std::int64_t points, std::size_t along, bool is_up, const Where& where) {
  constexpr double of_a_point = 80;
  const std::int64_t q = where.grid->extents[0], j = where.place[0], i = where.place[1], end = is_up ? q - 1 : 0;
  double sum = 0;
  for (std::int64_t c = 0; c < q; ++c) {
    const std::array<std::int64_t, 3> lies{(i + c) % q, (j - c + q) % q, c};
    if (lies[along] == end) continue;
    double face = 1;
    for (std::size_t other = 0; other < lies.size(); ++other) {
      if (other != along) face *= static_cast<double>(part_of(points, q, lies[other]));
    }
    sum += face;
  }
  return of_a_point * sum;
}

// What `lines_through` of std.applications.npb.multipartition gives for the cell that a line comes to in a turn: from
// the low end up, or from the high end down.
double lines_of(std::int64_t points, std::size_t along, bool is_up, const Where& where) {
  const std::int64_t q = where.grid->extents[0], j = where.place[0], i = where.place[1];
  const std::int64_t stage = is_up ? where.turn - 1 : q - where.turn;
  const std::int64_t cell = along == 0 ? stage - i : along == 1 ? j - stage : stage, c = ((cell % q) + q) % q;
  const std::array<std::int64_t, 3> lies{(i + c) % q, (j - c + q) % q, c};
  double lines = 1;
  for (std::size_t other = 0; other < lies.size(); ++other) {
    if (other != along)
      lines *= static_cast<double>(part_of(points, q, lies[other]) - (lies[other] == 0) - (lies[other] == q - 1));
  }
  return lines;
}

bool is_whole(double value) { return value == std::floor(value); }

// Numbers that programs have as sizes of what they send, plain ones first.
double cost_of_bytes(double factor) {
  constexpr double words = 0.3, other = 0.6, no_number = 3, many = 2.6, largest_point = 1024;
  if (!is_whole(factor) || factor <= 0) return no_number;
  if (factor > largest_point) return many;
  const bool is_words = std::fmod(factor, 4) == 0;
  return is_words ? words : other;
}

double cost_of_rounds(double factor) {
  constexpr double twice = 0.4, few = 0.8, many = 1.6, no_number = 4;
  if (!is_whole(factor) || factor <= 0) return no_number;
  return factor == 1 ? 0 : factor == 2 ? twice : factor <= 3 ? few : many;
}

}  // namespace

Formulas::Formulas(std::vector<std::string> parameters, std::size_t axes, std::vector<Where> rows)
    : parameters_(std::move(parameters)), rows_(std::move(rows)) {
  add_atoms(axes);
  for (const Atom& atom : atoms_) {
    std::vector<double> column;
    for (const Where& row : rows_) column.push_back(value_of(atom, row));
    columns_.push_back(std::move(column));
  }
}

void Formulas::add_atoms(std::size_t axes) {
  using Kind = Atom::Kind;
  constexpr double plain = 1, whole_grid = 1.2, part = 1.5, share = 2.6, faces = 3, lines = 2.5, turn = 1.2,
                   rounded = 1.8, inner = 2, shifted = 0.7, rest = 1.9, rounds = 1.9;
  const auto add = [&](Kind kind, std::size_t parameter, std::size_t other, std::size_t axis, double cost,
                       std::initializer_list<std::int64_t> more) {
    atoms_.push_back({kind, parameter, other, axis, 0, cost});
    for (const std::int64_t by : more) atoms_.push_back({kind, parameter, other, axis, by, cost + shifted});
  };
  // Whether an axis before it has the same extent in all rows.
  const auto is_as_long = [&](std::size_t axis) {
    for (std::size_t before = 0; before < axis; ++before) {
      const bool is_same = std::all_of(rows_.begin(), rows_.end(), [&](const Where& row) {
        return row.grid->extents[axis] == row.grid->extents[before];
      });
      if (is_same) return true;
    }
    return false;
  };
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    add(Kind::parameter, p, 0, 0, plain, {1, -1, 2, -2});
    for (std::size_t q = 0; q < parameters_.size(); ++q) {
      if (p == q) continue;
      add(Kind::quotient, p, q, 0, rounded, {});
      add(Kind::whole_quotient, p, q, 0, rounded, {});
      add(Kind::rest, p, q, 0, rest, {});
    }
    for (std::size_t axis = 0; axis < axes; ++axis) {
      add(Kind::part, p, 0, axis, part, {1, -1, 2, -2});
      add(Kind::inner, p, 0, axis, inner, {});
      if (!is_as_long(axis)) add(Kind::share, p, 0, axis, share, {1, -1});
    }
    const auto is_square = [](const Where& row) {
      return row.grid->extents.size() == 2 && row.grid->extents[0] == row.grid->extents[1] && row.grid->wraps[0] &&
             row.grid->wraps[1];
    };
    if (std::all_of(rows_.begin(), rows_.end(), is_square)) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        atoms_.push_back({Kind::faces, p, 0, axis, 0, faces});
        atoms_.push_back({Kind::faces, p, 0, axis, 1, faces});
        atoms_.push_back({Kind::lines, p, 0, axis, 0, lines});
        atoms_.push_back({Kind::lines, p, 0, axis, 1, lines});
      }
    }
  }
  for (std::size_t axis = 0; axis < axes; ++axis) {
    if (is_as_long(axis)) continue;
    add(Kind::extent, 0, 0, axis, plain, {1, -1});
    add(Kind::rounds, 0, 0, axis, rounds, {});
  }
  add(Kind::ranks, 0, 0, 0, whole_grid, {1, -1});
  add(Kind::rounds, 0, 0, axes, rounds, {});
  add(Kind::turn, 0, 0, 0, turn, {1, -1});
  add(Kind::turn_left, 0, 0, 0, turn, {1, -1});
  add(Kind::power, 0, 0, 0, turn, {1, 2});
}

std::size_t Formulas::add_row(const Where& where) {
  rows_.push_back(where);
  for (std::size_t atom = 0; atom < atoms_.size(); ++atom) columns_[atom].push_back(value_of(atoms_[atom], where));
  return rows_.size() - 1;
}

double Formulas::value_of(const Atom& atom, const Where& where) const {
  using Kind = Atom::Kind;
  const auto parameter = [&](std::size_t number) {
    const auto found = where.parameters->find(parameters_[number]);
    return found == where.parameters->end() ? std::optional<std::int64_t>() : found->second;
  };
  const auto more = static_cast<double>(atom.more);
  using Number = std::optional<std::int64_t>;
  const Number own = parameters_.empty() ? Number() : parameter(atom.parameter);
  const Number other = parameters_.empty() ? Number() : parameter(atom.other);
  const std::int64_t extent =
      atom.axis < where.grid->extents.size() ? where.grid->extents[atom.axis] : where.grid->count();
  switch (atom.kind) {
    case Kind::parameter: return own ? static_cast<double>(*own) + more : missing;
    case Kind::extent: return static_cast<double>(extent) + more;
    case Kind::ranks: return static_cast<double>(where.grid->count()) + more;
    case Kind::rounds: {
      const double value = std::log2(static_cast<double>(extent));
      return is_whole(value) ? value : missing;
    }
    case Kind::quotient:
      return own && other && *other > 0 ? std::ceil(static_cast<double>(*own) / static_cast<double>(*other)) : missing;
    case Kind::whole_quotient:
      return own && other && *other > 0 ? std::floor(static_cast<double>(*own) / static_cast<double>(*other)) : missing;
    case Kind::rest: return own && other && *other > 0 ? static_cast<double>(*own % *other) : missing;
    case Kind::turn: return where.turn > 0 ? static_cast<double>(where.turn) + more : missing;
    case Kind::turn_left: return where.turn > 0 ? static_cast<double>(where.turns - where.turn) + more : missing;
    case Kind::power:
      return where.turn > 0 && where.turn < 50 ? std::exp2(static_cast<double>(where.turn)) + more : missing;
    case Kind::lines: return own && where.turn > 0 ? lines_of(*own, atom.axis, atom.more > 0, where) : missing;
    case Kind::share: return own ? std::floor(static_cast<double>(*own) / static_cast<double>(extent)) + more : missing;
    case Kind::faces: return own ? faces_of(*own, atom.axis, atom.more > 0, where) : missing;
    case Kind::part:
    case Kind::inner: {
      if (!own || *own < extent) return missing;
      const std::int64_t k = where.place[atom.axis];
      const std::int64_t part = part_of(*own, extent, k);
      return atom.kind == Kind::part ? static_cast<double>(part) + more
                                     : static_cast<double>(part - (k == 0) - (k == extent - 1));
    }
  }
  return missing;
}

double Formulas::value_of(const Formula& formula, const Where& where) const {
  double value = formula.factor;
  for (const std::size_t atom : formula.above) value *= value_of(atoms_[atom], where);
  for (const std::size_t atom : formula.below) value /= value_of(atoms_[atom], where);
  return value + formula.added;
}

const Fit& Formulas::fit(const std::vector<Value>& values, What what, bool is_of_all) {
  std::vector<std::pair<std::size_t, double>> key;
  for (const Value& value : values) key.emplace_back(value.row, value.value);
  const auto [found, is_new] = known_.try_emplace({2 * static_cast<int>(what) + (is_of_all ? 1 : 0), std::move(key)});
  if (is_new) found->second = find(values, what, is_of_all);
  return found->second;
}

namespace {

// Looks through products for those that are exact.
class Search {
 public:
  Search(const std::vector<Atom>& atoms, const std::vector<std::vector<double>>& columns,
         const std::vector<Formulas::Value>& values, Formulas::What what, bool is_of_all,
         const std::vector<std::size_t>& runs)
      : atoms_(atoms), columns_(columns), values_(values), what_(what) {
    // Rows that tell most apart are looked at first.
    std::stable_sort(values_.begin(), values_.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
    for (std::size_t i = 0; i < values_.size(); i += std::max<std::size_t>(values_.size() / most_probes, 1))
      probes_.push_back(values_[i]);
    if (!values_.empty()) probes_.push_back(values_.back());
    for (std::size_t atom = 0; atom < atoms_.size(); ++atom) {
      const auto kind = atoms_[atom].kind;
      const bool is_of_one = kind == Atom::Kind::part || kind == Atom::Kind::inner || kind == Atom::Kind::faces ||
                             kind == Atom::Kind::lines;
      if ((!is_of_all || !is_of_one) && is_usable(atom)) usable_.push_back(atom);
    }
    std::set<std::pair<std::size_t, double>> seen;
    for (const auto& value : values_) seen.emplace(is_of_all ? runs[value.row] : 0, is_of_all ? 0 : value.value);
    evidence_ = std::max<std::size_t>(seen.size(), 1);
    std::stable_sort(usable_.begin(), usable_.end(), [&](auto a, auto b) { return atoms_[a].cost < atoms_[b].cost; });
  }

  Fit run() {
    if (values_.empty()) return {};
    const bool is_constant = values_.front().value == values_.back().value;
    if (is_constant) offer({values_.front().value, {}, {}, 0, constant});
    if (values_.front().value == 0 && values_.back().value == 0) return finish();
    Partial partial;
    multiply(partial, 0, most_above);
    if (found_.empty() || best_.front() > worth_dividing) divide();
    if (found_.empty()) add();
    return finish();
  }

 private:
  static constexpr std::size_t most_probes = 6, most_above = 3, most_tries = 8000000;
  static constexpr double constant = 0.9, next_plainest = 0.75, worth_dividing = 4.5;

  // Whether it has a value in all rows, and is no constant there: a constant is a factor.
  bool is_usable(std::size_t atom) const {
    bool changes = false;
    for (const auto& value : values_) {
      const double own = columns_[atom][value.row];
      if (std::isnan(own)) return false;
      changes = changes || own != columns_[atom][values_.front().row];
    }
    return changes;
  }

  double product(const std::vector<std::size_t>& above, const std::vector<std::size_t>& below, std::size_t row) const {
    double result = 1;
    for (const std::size_t atom : above) result *= columns_[atom][row];
    for (const std::size_t atom : below) result /= columns_[atom][row];
    return result;
  }

  double factor_cost(double factor) const {
    return what_ == Formulas::What::bytes ? cost_of_bytes(factor) : cost_of_rounds(factor);
  }

  bool is_exact(const Formula& formula, const std::vector<Formulas::Value>& values) const {
    return std::all_of(values.begin(), values.end(), [&](const auto& value) {
      const double own = formula.factor * product(formula.above, formula.below, value.row) + formula.added;
      return std::abs(own - value.value) <= 1e-9 * std::abs(value.value) + 1e-9;
    });
  }

  void offer(Formula formula) {
    if (!best_.empty() && formula.cost > best_.front() + next_plainest) return;
    // Few values are met by some formula or other.
    const std::size_t chosen = formula.above.size() + formula.below.size() + (formula.added != 0 ? 2 : 0);
    if (chosen > (what_ == Formulas::What::rounds ? std::max<std::size_t>(evidence_, 2) - 1 : evidence_)) return;
    if (!is_whole(8 * formula.factor) || (what_ == Formulas::What::rounds && !is_whole(formula.factor))) return;
    if (!is_exact(formula, probes_) || !is_exact(formula, values_)) return;
    best_.push_back(formula.cost);
    std::sort(best_.begin(), best_.end());
    found_.push_back(std::move(formula));
  }

  // A product so far, in the first and the last row: most products are seen to be wrong by these two.
  struct Partial {
    std::vector<std::size_t> above, below;
    double first = 1, last = 1, cost = 0;
  };

  void try_product(const Partial& partial) {
    const double left = partial.first * values_.back().value, right = partial.last * values_.front().value;
    if (std::abs(left - right) > 1e-9 * std::abs(right) || partial.last == 0) return;
    double factor = values_.back().value / partial.last;
    if (std::abs(factor - std::round(factor)) < 1e-9 * std::abs(factor)) factor = std::round(factor);
    offer({factor, partial.above, partial.below, 0, partial.cost + factor_cost(factor)});
  }

  // Multiplies with up to `left` further atoms, from the `from`-th on.
  void multiply(Partial& partial, std::size_t from, std::size_t left) {
    const Partial before{{}, {}, partial.first, partial.last, partial.cost};
    for (std::size_t i = from; i < usable_.size() && left > 0 && tries_ < most_tries; ++i, ++tries_) {
      const std::size_t atom = usable_[i];
      // Of two parameters that are the same in all rows, each is taken once.
      constexpr double again = 0.1;
      const bool is_again = !partial.above.empty() && partial.above.back() == atom;
      partial.cost = before.cost + atoms_[atom].cost + (is_again ? again : 0);
      if (!best_.empty() && partial.cost > best_.front() + next_plainest) break;  // atoms ascend by cost
      if (std::find(partial.below.begin(), partial.below.end(), atom) != partial.below.end()) continue;
      const bool is_whole_size = atoms_[atom].kind == Atom::Kind::faces;  // no factor
      if (is_whole_size && (!partial.above.empty() || !partial.below.empty())) continue;
      partial.first = before.first * columns_[atom][values_.front().row];
      partial.last = before.last * columns_[atom][values_.back().row];
      partial.above.push_back(atom);
      try_product(partial);
      if (!is_whole_size) multiply(partial, i, left - 1);
      partial.above.pop_back();
    }
    partial.first = before.first;
    partial.last = before.last;
    partial.cost = before.cost;
  }

  void divide() {
    constexpr double below_the_line = 0.3;
    std::vector<std::size_t> divisors;
    for (const std::size_t atom : usable_) {
      const auto kind = atoms_[atom].kind;
      const bool is_plain = kind == Atom::Kind::parameter || kind == Atom::Kind::extent || kind == Atom::Kind::ranks;
      const bool is_zero = std::any_of(values_.begin(), values_.end(),
                                       [&](const auto& value) { return columns_[atom][value.row] == 0; });
      if (is_plain && atoms_[atom].more == 0 && !is_zero) divisors.push_back(atom);
    }
    const auto with = [&](const std::vector<std::size_t>& below) {
      Partial partial;
      partial.below = below;
      for (const std::size_t atom : below) {
        partial.first /= columns_[atom][values_.front().row];
        partial.last /= columns_[atom][values_.back().row];
        partial.cost += atoms_[atom].cost + below_the_line;
      }
      try_product(partial);
      multiply(partial, 0, most_above);
    };
    for (std::size_t i = 0; i < divisors.size(); ++i) {
      with({divisors[i]});
      for (std::size_t j = i; j < divisors.size(); ++j) with({divisors[i], divisors[j]});
    }
  }

  // A multiple of a product of up to two, and a number.
  void add() {
    constexpr double sum = 1.2;
    const auto try_sum = [&](const std::vector<std::size_t>& above, double cost) {
      const auto& first = values_.front();
      const auto& last = values_.back();
      const double low = product(above, {}, first.row), high = product(above, {}, last.row);
      if (low == high) return;
      const double factor = (last.value - first.value) / (high - low);
      const double added = first.value - factor * low;
      if (!is_whole(factor) || !is_whole(added) || factor <= 0) return;
      offer({factor, above, {}, added, cost + sum + factor_cost(factor) + factor_cost(std::abs(added))});
    };
    for (std::size_t i = 0; i < usable_.size(); ++i) {
      if (atoms_[usable_[i]].kind == Atom::Kind::faces) continue;
      try_sum({usable_[i]}, atoms_[usable_[i]].cost);
      for (std::size_t j = i; j < usable_.size(); ++j)
        if (atoms_[usable_[j]].kind != Atom::Kind::faces)
          try_sum({usable_[i], usable_[j]}, atoms_[usable_[i]].cost + atoms_[usable_[j]].cost);
    }
  }

  Fit finish() {
    std::stable_sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.cost < b.cost; });
    Fit fit;
    if (found_.empty()) return fit;
    fit.best = found_.front();
    for (std::size_t i = 1; i < found_.size(); ++i) {
      if (found_[i].cost <= found_.front().cost + next_plainest) fit.others.push_back(found_[i]);
    }
    return fit;
  }

  const std::vector<Atom>& atoms_;
  const std::vector<std::vector<double>>& columns_;
  std::vector<Formulas::Value> values_, probes_;
  const Formulas::What what_;
  std::size_t evidence_ = 1;  // runs; of sizes that depend on the place, different values
  std::size_t tries_ = 0;
  std::vector<std::size_t> usable_;
  std::vector<Formula> found_;
  std::vector<double> best_;  // costs of what was found
};

}  // namespace

Fit Formulas::find(const std::vector<Value>& values, What what, bool is_of_all) const {
  // Rows of one run have one grid.
  std::map<const RankGrid*, std::size_t> numbers;
  std::vector<std::size_t> runs;
  for (const Where& row : rows_) runs.push_back(numbers.try_emplace(row.grid, numbers.size()).first->second);
  return Search(atoms_, columns_, values, what, is_of_all, runs).run();
}

}  // namespace wave::analysis::inferred
