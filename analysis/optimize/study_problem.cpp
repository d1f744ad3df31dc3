// See study_problem.h.
#include "analysis/optimize/study_problem.h"

#include "analysis/batch.h"
#include "analysis/optimize/problem.h"
#include "backend/limits.h"

#include <algorithm>
#include <cmath>

namespace wave::analysis {
namespace {

using ir::Interval;

Domain domain_of(const Variable& variable) {
  Domain domain;
  domain.name = variable.name;
  if (variable.listed) domain.values = *variable.listed;
  const auto& kind = variable.type->kind;
  domain.is_number = !variable.shapes && (std::holds_alternative<frontend::types::Int>(kind) ||
                                          std::holds_alternative<frontend::types::Real>(kind));
  return domain;
}

double number_at(const ColumnValues& column, std::size_t row) {
  return std::visit([&](const auto& values) { return static_cast<double>(values[row]); }, column);
}

backend::Limits limits_of(const StudyProblem::Setting& setting, const std::atomic<bool>* stop) {
  backend::Limits limits;
  limits.stop = stop;
  limits.memory_bytes = setting.memory_bytes;
  backend::set_time_limit(limits, setting.seconds_per_point);
  return limits;
}

// The values that a variable can have between two places of its list.
Interval values_in(const Domain& domain, const Variable& variable, double low, double high,
                   const std::vector<std::string>& words) {
  if (domain.is_interval) return low == high ? Interval::of(ir::Scalar::of(low)) : Interval{low, high};
  const auto at = static_cast<std::size_t>(low);
  if (std::holds_alternative<frontend::types::String>(variable.type->kind)) {
    const auto ordinal = static_cast<std::size_t>(domain.value(low));
    if (low != high || ordinal >= variable.labels.size()) return {};
    const auto word = std::find(words.begin(), words.end(), variable.labels[ordinal]);
    return word == words.end() ? Interval{}
                               : Interval::of(ir::Scalar::of(static_cast<std::int64_t>(word - words.begin())));
  }
  if (low == high) {
    if (const auto* real = std::get_if<std::vector<double>>(&domain.values))
      return Interval::of(ir::Scalar::of((*real)[at]));
    const std::int64_t value = std::get<std::vector<std::int64_t>>(domain.values)[at];
    const bool is_truth = std::holds_alternative<frontend::types::Bool>(variable.type->kind);
    return Interval::of(is_truth ? ir::Scalar::of(value != 0) : ir::Scalar::of(value));
  }
  return std::visit(
      [&](const auto& list) {
        const auto begin = list.begin() + static_cast<std::ptrdiff_t>(low),
                   end = list.begin() + static_cast<std::ptrdiff_t>(high) + 1;
        const auto [least, most] = std::minmax_element(begin, end);
        return Interval{static_cast<double>(*least), static_cast<double>(*most)};
      },
      domain.values);
}

// Replaces the rows from `at` on by those of `part`.
void put(ResultTable& table, const ResultTable& part, std::size_t at) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::visit(
        [&](auto& to) {
          const auto& from = std::get<std::remove_cvref_t<decltype(to)>>(part.columns[i].values);
          to.insert(to.end(), from.begin(), from.end());
        },
        table.columns[i].values);
    table.columns[i].labels = part.columns[i].labels;
    for (const std::size_t row : part.columns[i].missing) table.columns[i].missing.push_back(at + row);
  }
  append_failed(table.failed, part.failed, at);
  table.rows += part.rows;
}

}  // namespace

StudyProblem::StudyProblem(ProblemPart cheap, ProblemPart costly, Setting setting)
    : cheap_(std::move(cheap)), costly_(std::move(costly)), setting_(std::move(setting)) {
  for (const Variable& variable : costly_.model->variables()) domains.push_back(domain_of(variable));
  constraints = cheap_.constraints.size() + costly_.constraints.size() + 1;
  failing = constraints - 1;
}

std::vector<ColumnValues> StudyProblem::columns(const Points& points) const {
  std::vector<ColumnValues> result;
  for (std::size_t i = 0; i < domains.size(); ++i) {
    const Domain& domain = domains[i];
    if (domain.is_interval) {
      std::vector<double> column;
      column.reserve(points.size());
      for (std::size_t row = 0; row < points.size(); ++row) column.push_back(points[row][i]);
      result.emplace_back(std::move(column));
      continue;
    }
    result.push_back(std::visit(
        [&](const auto& list) -> ColumnValues {
          std::remove_cvref_t<decltype(list)> column;
          column.reserve(points.size());
          for (std::size_t row = 0; row < points.size(); ++row)
            column.push_back(list[static_cast<std::size_t>(points[row][i])]);
          return column;
        },
        domain.values));
  }
  return result;
}

// Points that take too long together are tried in halves. A single point that takes too long fails.
ResultTable StudyProblem::evaluate(StudyModel& model, const Points& points) {
  auto outcome = model.evaluate(columns(points), limits_of(setting_, stop));
  if (auto* table = std::get_if<ResultTable>(&outcome)) return std::move(*table);
  if (points.size() > 1 && !is_stopped()) {
    const std::size_t half = points.size() / 2;
    ResultTable first = evaluate(model, points.part(0, half));
    put(first, evaluate(model, points.part(half, points.size())), half);
    return first;
  }
  const auto& failure = std::get<ir::Failure>(outcome);
  ResultTable table;
  table.rows = points.size();
  const auto values = columns(points);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Variable& one = model.variables()[i];
    table.columns.push_back({{values[i], {}, one.labels}, one.name, one.type, one.unit, one.doc, true});
  }
  for (const Shown& one : model.shown()) {
    const bool is_real = std::holds_alternative<frontend::types::Real>(one.type->kind);
    ColumnValues nothing = is_real ? ColumnValues(std::vector<double>(points.size(), std::nan("")))
                                   : ColumnValues(std::vector<std::int64_t>(points.size(), 0));
    table.columns.push_back({{std::move(nothing), {}, {}}, one.name, one.type, one.unit, one.doc, false});
    if (!points.empty()) table.columns.back().missing.push_back(0);
  }
  if (!points.empty()) table.failed.push_back({explain(model.lowered(), failure), {0}});
  return table;
}

// Keeps the first failure of each kind in the order of the product, in whatever order they are met.
void StudyProblem::note_failures(const Points& points, const ResultTable& table,
                                 const std::vector<Violation>& violations) {
  if (is_stopped()) return;
  for (const FailedRows& one : table.failed) {
    for (const std::uint64_t row : one.rows) {
      if ((violations[row].constraints >> *failing & 1) == 0) continue;
      auto& known = failed_[one.kind()];
      const auto at = points[row];
      const bool is_first =
          known.count++ == 0 || std::lexicographical_compare(at.begin(), at.end(), known.at.begin(), known.at.end());
      if (!is_first) continue;
      static_cast<RowFailure&>(known) = one;
      known.at.assign(at.begin(), at.end());
    }
  }
}

void StudyProblem::add_constraints(const ProblemPart& part, const ResultTable& table,
                                   std::vector<Violation>& violations) const {
  const std::size_t first = domains.size();
  for (const auto& constraint : part.constraints) {
    const ResultColumn& column = table.columns[first + constraint.column];
    const auto& holds = std::get<std::vector<std::int64_t>>(column.values);
    for (std::size_t row = 0; row < table.rows; ++row) {
      if (holds[row] != 0 || std::ranges::binary_search(column.missing, row)) continue;
      violations[row].constraints |= std::uint64_t{1} << constraint.number;
      double amount = 1;
      if (constraint.sides) {
        const double left = number_at(table.columns[first + constraint.sides->left].values, row);
        const double right = number_at(table.columns[first + constraint.sides->right].values, row);
        const double relative = std::fabs(left - right) / std::max({std::fabs(left), std::fabs(right), 1e-300});
        // If both sides are equal, as in `<`, the constraint is broken all the same.
        amount = std::isfinite(relative) ? std::max(relative, 1e-12) : 1;
      }
      violations[row].amount += amount;
    }
  }
  for (const FailedRows& one : table.failed) {
    for (const std::uint64_t row : one.rows) {
      if (violations[row].constraints == 0) violations[row] = {std::uint64_t{1} << *failing, 100};
    }
  }
}

void StudyProblem::constrain(const Points& points, std::vector<Violation>& violations) {
  violations.assign(points.size(), {});
  if (cheap_.model == nullptr || points.empty()) return;
  const ResultTable table = evaluate(*cheap_.model, points);
  add_constraints(cheap_, table, violations);
  note_failures(points, table, violations);
}

void StudyProblem::evaluate(const Points& points, std::vector<double>& goals, std::vector<Violation>& violations) {
  goals.assign(points.size() * costly_.goals.size(), std::nan(""));
  violations.assign(points.size(), {});
  if (points.empty()) return;
  const ResultTable table = evaluate(*costly_.model, points);
  add_constraints(costly_, table, violations);
  note_failures(points, table, violations);
  std::vector<bool> has_failed(points.size(), false);
  for (const FailedRows& one : table.failed) {
    for (const std::uint64_t row : one.rows) {
      has_failed[row] = true;
      // If there are goals, they show that the point failed.
      const bool is_left_out = (violations[row].constraints >> *failing & 1) == 0;
      if (!costly_.goals.empty() && !is_left_out) violations[row] = {};
    }
  }
  for (std::size_t k = 0; k < costly_.goals.size(); ++k) {
    const auto& column = table.columns[domains.size() + costly_.goals[k]].values;
    for (std::size_t row = 0; row < points.size(); ++row) {
      if (!has_failed[row]) goals[row * costly_.goals.size() + k] = number_at(column, row);
    }
  }
}

ResultTable StudyProblem::show(StudyModel& model, const Points& points) { return evaluate(model, points); }

// False if each point of the box fails.
bool StudyProblem::add_bounds(const ProblemPart& part, const Box& box, BoxBounds& result) const {
  const auto& variables = part.model->variables();
  std::vector<std::size_t> choices;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (!variables[i].shapes) continue;
    if (box.low[i] != box.high[i]) return true;  // several systems, so nothing is known
    choices.push_back(static_cast<std::size_t>(domains[i].value(box.low[i])));
  }
  const frontend::LoweredStudy* study = part.model->system(choices);
  if (study == nullptr) return false;
  std::vector<ir::DefinitionId> definitions;
  std::vector<Interval> values;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].shapes) continue;
    definitions.push_back(study->variables[i].definition);
    if (!definitions.back().valid()) return true;
    values.push_back(values_in(domains[i], variables[i], box.low[i], box.high[i], study->model.words));
  }
  // Bounds only the goals and constraints, each of which is one column.
  std::vector<ir::RootId> roots;
  for (const std::size_t goal : part.goals) roots.push_back(study->model.outputs[goal].root);
  for (const auto& constraint : part.constraints) roots.push_back(study->model.outputs[constraint.column].root);
  if (std::any_of(roots.begin(), roots.end(), [](ir::RootId root) { return !root.valid(); })) return true;
  const auto columns = SystemBounds(study->model.system, std::move(definitions), std::move(roots)).bound(values);
  if (std::any_of(columns.begin(), columns.end(), [](const Interval& one) { return one.is_empty(); })) return false;
  for (std::size_t k = 0; k < part.goals.size(); ++k) result.goals[k] = columns[k];
  for (std::size_t i = 0; i < part.constraints.size(); ++i) {
    if (columns[part.goals.size() + i].high == 0) result.violated |= std::uint64_t{1} << part.constraints[i].number;
  }
  return true;
}

std::optional<BoxBounds> StudyProblem::bound(const Box& box) {
  BoxBounds result;
  result.goals.assign(costly_.goals.size(), {-infinity, infinity});
  if (cheap_.model != nullptr && !add_bounds(cheap_, box, result)) result.violated |= std::uint64_t{1} << *failing;
  if (result.violated == 0) result.fails = !add_bounds(costly_, box, result);
  return result;
}

std::uint64_t StudyProblem::given_up() const {
  std::uint64_t count = 0;
  for (const auto& [kind, one] : failed_) count += one.was_given_up() ? one.count : 0;
  return count;
}

std::vector<StudyProblem::FailedPoints> StudyProblem::failed() const {
  std::vector<FailedPoints> result;
  for (const auto& [kind, one] : failed_) result.push_back(one);
  return result;
}

}  // namespace wave::analysis
