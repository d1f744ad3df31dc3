// See formula_text.h.
#include "analysis/inferred/formula_text.h"

#include "analysis/inferred/lines.h"
#include "base/text.h"
#include "frontend/parse/tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace wave::analysis::inferred {

namespace {

// A factor up to this is a number of the text, a larger one a parameter.
constexpr double largest_number = 3;

}  // namespace

std::string number_text(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{}", static_cast<std::int64_t>(value))
                                                              : fmt::format("{}", value);
}

Taken::Taken() {
  for (const char* word : {"P",
                           "d",
                           "net",
                           "time",
                           "messages",
                           "bytes",
                           "run",
                           "rank",
                           "of_rank",
                           "recorded",
                           "differing",
                           turn_variable,
                           "from",
                           "to",
                           "all",
                           "one",
                           "bit",
                           "log2",
                           "ceil",
                           "round",
                           "sqrt",
                           "int",
                           "sum",
                           "count",
                           "max",
                           "min",
                           "Machine",
                           "Counting",
                           "LogGOPSim",
                           "balanced_extents",
                           "by_whole_cells",
                           "cell_at",
                           "faces",
                           "lines_through"})
    names_.insert(word);
  names_.insert(known_collectives.begin(), known_collectives.end());
}

std::string Taken::take(const std::string& wanted) {
  std::string name = wanted;
  for (int k = 2; frontend::is_keyword(name) || !names_.insert(name).second; ++k)
    name = fmt::format("{}_{}", wanted, k);
  return name;
}

FormulaText::FormulaText(const Structure& structure, const Runs& runs, const Formulas& formulas,
                         const std::vector<std::string>& given_extents)
    : structure_(structure), runs_(runs), formulas_(formulas), given_extents_(given_extents) {
  name_parameters();
  name_axes();
}

void FormulaText::name_parameters() {
  for (const auto& parameter : formulas_.parameters()) parameter_names_.push_back(taken_.take(parameter));
}

void FormulaText::name_axes() {
  const std::vector<std::vector<std::string>> choices{
      {"x", "y", "z", "w", "v"}, {"i", "j", "k", "l", "m"}, {"a1", "a2", "a3", "a4", "a5"}};
  const auto is_free = [&](const std::vector<std::string>& letters) {
    return std::none_of(letters.begin(), letters.begin() + static_cast<std::ptrdiff_t>(axes()),
                        [&](const std::string& letter) { return taken_.has(letter); });
  };
  const auto chosen = std::find_if(choices.begin(), choices.end(), is_free);
  const auto& letters = chosen == choices.end() ? choices.back() : *chosen;
  for (std::size_t axis = 0; axis < axes(); ++axis) axis_names_.push_back(taken_.take(letters[axes() - 1 - axis]));
  name_extents();
}

void FormulaText::name_extents() {
  const bool any_given =
      std::any_of(given_extents_.begin(), given_extents_.end(), [](const std::string& name) { return !name.empty(); });
  if (!any_given && axes() == 1) {
    extent_names_.push_back(taken_.take("ranks"));
    return;
  }
  const bool are_equal = axes() > 1 && !any_given && for_all_grids([](const RankGrid& grid) {
                           return std::count(grid.extents.begin(), grid.extents.end(), grid.extents[0]) ==
                                  static_cast<std::ptrdiff_t>(grid.extents.size());
                         });
  if (are_equal) {
    ranks_name_ = taken_.take("ranks");
    extent_names_.assign(axes(), taken_.take("p"));
    extent_rules_.assign(axes(), axes() == 2 ? fmt::format("round(sqrt({}))", ranks_name_)
                                             : fmt::format("round({} ^ (1 / {}))", ranks_name_, axes()));
    return;
  }
  for (std::size_t axis = 0; axis < axes(); ++axis)
    extent_names_.push_back(taken_.take(given_extents_[axis].empty() ? "p" + axis_names_[axis] : given_extents_[axis]));
  if (!any_given) find_extent_rules();
}

void FormulaText::find_extent_rules() {
  std::vector<std::size_t> order(axes());
  std::iota(order.begin(), order.end(), 0);
  do {
    const bool is_right = for_all_grids([&](const RankGrid& grid) {
      const auto balanced = balanced_extents(grid.count(), axes());
      for (std::size_t axis = 0; axis < axes(); ++axis) {
        if (grid.extents[axis] != balanced[order[axis]]) return false;
      }
      return true;
    });
    if (!is_right) continue;
    ranks_name_ = taken_.take("ranks");
    for (std::size_t axis = 0; axis < axes(); ++axis)
      extent_rules_.push_back(fmt::format("balanced_extents({}, {})[{}]", ranks_name_, axes(), order[axis] + 1));
    return;
  } while (std::next_permutation(order.begin(), order.end()));
}

std::vector<std::int64_t> FormulaText::balanced_extents(std::int64_t ranks, std::size_t axes) {
  std::vector<std::int64_t> best;
  for (std::vector<std::int64_t>& extents : extents_of(ranks, axes)) {
    if (!std::is_sorted(extents.begin(), extents.end(), std::greater<>())) continue;
    const auto key = [](const std::vector<std::int64_t>& of) {
      std::vector<std::int64_t> result{of.front() - of.back()};
      for (auto extent = of.rbegin(); extent != of.rend(); ++extent) result.push_back(-*extent);
      return result;
    };
    if (best.empty() || key(extents) < key(best)) best = extents;
  }
  return best;
}

std::string FormulaText::all_ranks_text() const { return join_texts(extent_names_, " * "); }

std::string FormulaText::ranks_text() const {
  if (!ranks_name_.empty()) return ranks_name_;
  std::vector<std::string> factors;
  for (const auto& extent : extent_names_) factors.push_back(extent);
  return factors.size() == 1 ? factors[0] : fmt::format("({})", join_texts(factors, " * "));
}

std::string FormulaText::atom_text(const Atom& atom) {
  using Kind = Atom::Kind;
  const auto shifted = [&](const std::string& text) {
    return atom.more == 0 ? text : fmt::format("({} {} {})", text, atom.more > 0 ? "+" : "-", std::abs(atom.more));
  };
  const auto parameter = [&](std::size_t number) { return parameter_names_[number]; };
  switch (atom.kind) {
    case Kind::parameter: return shifted(parameter(atom.parameter));
    case Kind::extent: return shifted(extent_names_[atom.axis]);
    case Kind::ranks: return shifted(ranks_text());
    case Kind::rounds:
      return fmt::format("round(log2({}))", atom.axis < axes() ? extent_names_[atom.axis] : ranks_text());
    case Kind::turn: return shifted(turn_name());
    case Kind::turn_left: return shifted(fmt::format("({} - {})", turns_.back().text, turn_name()));
    case Kind::power: return shifted(fmt::format("2 ^ {}", turn_name()));
    case Kind::lines: return lines_text(atom);
    case Kind::share: return shifted(fmt::format("({} div {})", parameter(atom.parameter), extent_names_[atom.axis]));
    case Kind::faces:
      uses_faces_ = true;
      return fmt::format("faces({}, {}, {}, {}, {}, {})", atom.axis + 1, atom.more > 0, axis_names_[1], axis_names_[0],
                         parameter(atom.parameter), extent_names_[0]);
    case Kind::quotient: return fmt::format("ceil({} / {})", parameter(atom.parameter), parameter(atom.other));
    case Kind::whole_quotient: return fmt::format("({} div {})", parameter(atom.parameter), parameter(atom.other));
    case Kind::rest: return fmt::format("({} mod {})", parameter(atom.parameter), parameter(atom.other));
    case Kind::part:
    case Kind::inner: return shifted(fmt::format("{}({})", part_name(atom), axis_names_[atom.axis]));
  }
  return "";
}

std::string FormulaText::turn_name() {
  turns_.back().is_used = true;
  return turn_variable;
}

std::string FormulaText::lines_text(const Atom& atom) {
  uses_lines_ = true;
  const std::string turn = turn_name(), q = extent_names_[0];
  const std::string place = fmt::format("{}, {}, {}, {}, {}", atom.axis + 1, axis_names_[1], axis_names_[0],
                                        atom.more > 0 ? turn + " - 1" : fmt::format("{} - {}", q, turn), q);
  return fmt::format("lines_through({}, {}, {}, cell_at({}), {}, {})", atom.axis + 1, axis_names_[1], axis_names_[0],
                     place, parameter_names_[atom.parameter], q);
}

std::string FormulaText::part_name(const Atom& atom) {
  const bool is_inner = atom.kind == Atom::Kind::inner;
  if (is_inner) {
    Atom whole = atom;
    whole.kind = Atom::Kind::part;
    part_name(whole);
  }
  std::string& name = parts_[{atom.parameter, atom.axis, is_inner}];
  if (name.empty())
    name = taken_.take(fmt::format("{}_{}{}", is_inner ? "inner" : "own", parameter_names_[atom.parameter],
                                   axes() > 1 ? "_" + axis_names_[atom.axis] : ""));
  return name;
}

std::string FormulaText::product_text(const std::vector<std::size_t>& atoms, const std::string& between) {
  std::vector<std::string> factors;
  for (std::size_t i = 0; i < atoms.size();) {
    std::size_t power = 1;
    while (i + power < atoms.size() && atoms[i + power] == atoms[i]) ++power;
    const std::string text = atom_text(formulas_.atoms()[atoms[i]]);
    const bool is_power = power > 1 && between == " * ";
    if (is_power)
      factors.push_back(fmt::format("{} ^ {}", text, power));
    else
      factors.insert(factors.end(), power, text);
    i += power;
  }
  return join_texts(factors, between);
}

std::string FormulaText::bytes_text(const Formula& formula) {
  const bool is_faces = formula.above.size() == 1 && formulas_.atoms()[formula.above[0]].kind == Atom::Kind::faces;
  if (is_faces) {
    const std::string faces = atom_text(formulas_.atoms()[formula.above[0]]);
    return formula.factor == 1 ? faces : number_text(formula.factor) + " * " + faces;
  }
  std::string text = number_text(formula.factor) + " B";
  if (!formula.above.empty()) text += " * " + product_text(formula.above, " * ");
  if (!formula.below.empty()) text += " / " + product_text(formula.below, " / ");
  if (formula.added != 0)
    text += fmt::format(" {} {} B", formula.added > 0 ? "+" : "-", number_text(std::abs(formula.added)));
  return text;
}

std::string FormulaText::constant(double value) {
  for (std::size_t k = 0; k < formulas_.parameters().size() && value > 1; ++k) {
    const bool is_own = std::all_of(formulas_.rows().begin(), formulas_.rows().end(), [&](const Where& row) {
      return static_cast<double>(row.parameters->at(formulas_.parameters()[k])) == value;
    });
    if (is_own) return parameter_names_[k];
  }
  if (std::abs(value) <= largest_number) return number_text(value);
  std::string& name = constants_[value];
  if (name.empty()) name = taken_.take(fmt::format("rounds_{}", constants_.size()));
  return name;
}

std::string FormulaText::rounds_text(const Formula& formula) {
  const bool is_product = !formula.above.empty();
  std::string text = is_product ? product_text(formula.above, " * ") : "";
  if (!is_product || formula.factor != 1) text = constant(formula.factor) + (is_product ? " * " : "") + text;
  if (!formula.below.empty()) text += " div " + product_text(formula.below, " div ");
  if (formula.added != 0)
    text += fmt::format(" {} {}", formula.added > 0 ? "+" : "-", constant(std::abs(formula.added)));
  return text;
}

std::string FormulaText::rank_text() {
  if (axes() == 1) return axis_names_[0];
  uses_rank_ = true;
  return fmt::format("rank({})", join_texts(axis_names_, ", "));
}

std::string FormulaText::rank_formula() const {
  std::string text;
  for (std::size_t axis = 0; axis < axes(); ++axis) {
    if (axis > 0) text = (axis > 1 ? "(" + text + ")" : text) + " * " + extent_names_[axis] + " + ";
    text += axis + 1 < axes() ? fmt::format("({} - 1)", axis_names_[axis]) : axis_names_[axis];
  }
  return text;
}

std::string FormulaText::table_text(const std::vector<std::vector<double>>& seen, const std::string& rank) {
  const bool is_of_all = std::all_of(seen.begin(), seen.end(), [](const auto& row) {
    return std::count(row.begin(), row.end(), row.empty() ? 0 : row[0]) == static_cast<std::ptrdiff_t>(row.size());
  });
  if (is_of_all) {
    std::vector<std::string> cells;
    for (const auto& row : seen) {
      if (!row.empty()) cells.push_back(number_text(std::round(row[0])));
    }
    std::string& name = tables_["[" + join_texts(cells, ", ") + "]"];
    if (name.empty()) name = taken_.take(fmt::format("recorded_{}", tables_.size()));
    return name + "[recorded]";
  }
  uses_ranks_ = true;
  std::vector<std::string> rows;
  for (const auto& row : seen) {
    std::vector<std::string> cells;
    for (const double cell : row) cells.push_back(number_text(std::round(cell)));
    if (!cells.empty()) rows.push_back("[" + join_texts(cells, ", ") + "]");
  }
  std::string& name = tables_["[" + join_texts(rows, ", ") + "]"];
  if (name.empty()) name = taken_.take(fmt::format("recorded_{}", tables_.size()));
  return fmt::format("of_rank({}[recorded], {})", name, rank);
}

std::string FormulaText::size_text(const Amount& amount) {
  return amount.formula ? bytes_text(*amount.formula) : fmt::format("1 B * {}", table_text(amount.seen, rank_text()));
}

std::vector<std::size_t> FormulaText::matched_runs() const {
  std::vector<std::size_t> matched;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    if (structure_.runs[run]) matched.push_back(run);
  }
  return matched;
}

}  // namespace wave::analysis::inferred
