// See random_problem.h.
#include "random_problem.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace wave::test {
namespace {

using namespace wave::analysis;

int draw(std::mt19937_64& random, int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }

double modulo(double a, double b) { return a - b * std::floor(a / b); }

}  // namespace

double Formula::value(const std::vector<double>& variables) const {
  switch (kind) {
    case Kind::constant: return constant;
    case Kind::variable: return variables[variable];
    case Kind::add: return left->value(variables) + right->value(variables);
    case Kind::subtract: return left->value(variables) - right->value(variables);
    case Kind::multiply: return left->value(variables) * right->value(variables);
    case Kind::maximum: return std::max(left->value(variables), right->value(variables));
    case Kind::minimum: return std::min(left->value(variables), right->value(variables));
    case Kind::modulo: return modulo(left->value(variables), right->constant);
  }
  return 0;
}

ir::Interval Formula::range(const std::vector<ir::Interval>& variables) const {
  if (kind == Kind::constant) return {constant, constant};
  if (kind == Kind::variable) return variables[variable];
  const ir::Interval a = left->range(variables), b = right->range(variables);
  const auto corners = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  switch (kind) {
    case Kind::add: return {a.low + b.low, a.high + b.high};
    case Kind::subtract: return {a.low - b.high, a.high - b.low};
    case Kind::multiply: return {std::min(corners), std::max(corners)};
    case Kind::maximum: return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case Kind::minimum: return {std::min(a.low, b.low), std::min(a.high, b.high)};
    default: break;
  }
  if (a.low == a.high) return {modulo(a.low, right->constant), modulo(a.low, right->constant)};
  return {0, right->constant};
}

std::string Formula::text(const std::vector<std::string>& names) const {
  const auto both = [&](const char* op) { return "(" + left->text(names) + op + right->text(names) + ")"; };
  const auto call = [&](const char* function) {
    return std::string(function) + "(" + left->text(names) + ", " + right->text(names) + ")";
  };
  switch (kind) {
    case Kind::constant:
      return constant < 0 ? "(0 - " + std::to_string(static_cast<int>(-constant)) + ")"
                          : std::to_string(static_cast<int>(constant));
    case Kind::variable: return names[variable];
    case Kind::add: return both(" + ");
    case Kind::subtract: return both(" - ");
    case Kind::multiply: return both(" * ");
    case Kind::maximum: return call("max");
    case Kind::minimum: return call("min");
    case Kind::modulo: return both(" mod ");
  }
  return "";
}

FormulaPtr random_formula(std::mt19937_64& random, std::size_t variables, int depth) {
  Formula formula;
  using Kind = Formula::Kind;
  if (depth == 0) {
    formula.kind = draw(random, 0, 3) == 0 ? Kind::constant : Kind::variable;
    formula.constant = draw(random, -5, 9);
    formula.variable = static_cast<std::size_t>(draw(random, 0, static_cast<int>(variables) - 1));
    return std::make_shared<Formula>(formula);
  }
  formula.kind = static_cast<Kind>(draw(random, static_cast<int>(Kind::add), static_cast<int>(Kind::modulo)));
  formula.left = random_formula(random, variables, depth - 1);
  if (formula.kind == Kind::modulo) {
    Formula divisor;
    divisor.constant = draw(random, 2, 7);
    formula.right = std::make_shared<Formula>(divisor);
  } else {
    formula.right = random_formula(random, variables, depth - 1);
  }
  return std::make_shared<Formula>(formula);
}

RandomProblem::RandomProblem(std::mt19937_64& random, std::size_t count, bool bounds) : with_bounds(bounds) {
  const int variables = draw(random, 1, 4);
  for (int i = 0; i < variables; ++i) {
    Domain domain;
    domain.name = std::string(1, static_cast<char>('a' + i));
    const int kind = draw(random, 0, 3);
    const int size = draw(random, 1, variables > 2 ? 9 : 40);
    if (kind == 0) {  // in random order, with repetitions
      std::vector<std::int64_t> list;
      for (int k = 0; k < size; ++k) list.push_back(draw(random, -6, 12));
      domain.values = list;
    } else if (kind == 1) {  // words, whose neighbours mean nothing
      std::vector<std::int64_t> list;
      for (int k = 0; k < std::min(size, 5); ++k) list.push_back(k);
      domain.values = list;
      domain.is_number = false;
    } else {
      std::vector<std::int64_t> list;
      const int first = draw(random, -3, 3), step = draw(random, 1, 3);
      for (int k = 0; k < size; ++k) list.push_back(first + k * step);
      if (draw(random, 0, 3) == 0) std::reverse(list.begin(), list.end());
      domain.values = list;
    }
    domains.push_back(std::move(domain));
  }
  for (std::size_t k = 0; k < count; ++k) {
    goals.push_back(random_formula(random, domains.size(), draw(random, 1, 3)));
    maximize.push_back(draw(random, 0, 1) == 1);
  }
  constraints = static_cast<std::size_t>(draw(random, 0, 3));
  for (std::size_t i = 0; i < constraints; ++i) {
    conditions.push_back({random_formula(random, domains.size(), draw(random, 1, 2)),
                          static_cast<double>(draw(random, -4, 20)), draw(random, 0, 3) == 0});
  }
  if (draw(random, 0, 2) == 0) failing = random_formula(random, domains.size(), 1);
}

std::vector<double> RandomProblem::values(std::span<const double> at) const {
  std::vector<double> result;
  for (std::size_t i = 0; i < at.size(); ++i) result.push_back(domains[i].value(at[i]));
  return result;
}

void RandomProblem::constrain(const Points& points, std::vector<Violation>& violations) {
  violations.assign(points.size(), {});
  for (std::size_t row = 0; row < points.size(); ++row) {
    const auto x = values(points[row]);
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      const double over = conditions[i].left->value(x) - conditions[i].right;
      if (conditions[i].late || over <= 0) continue;
      violations[row].constraints |= std::uint64_t{1} << i;
      violations[row].amount += over;
    }
  }
}

void RandomProblem::evaluate(const Points& points, std::vector<double>& results, std::vector<Violation>& violations) {
  results.clear();
  violations.assign(points.size(), {});
  evaluated += points.size();
  for (std::size_t row = 0; row < points.size(); ++row) {
    const auto x = values(points[row]);
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      const double over = conditions[i].left->value(x) - conditions[i].right;
      if (!conditions[i].late || over <= 0) continue;
      violations[row].constraints |= std::uint64_t{1} << i;
      violations[row].amount += over;
    }
    const bool fails = failing && failing->value(x) == 0;
    for (const auto& goal : goals) results.push_back(fails ? std::nan("") : goal->value(x));
  }
}

std::optional<BoxBounds> RandomProblem::bound(const Box& box) {
  if (!with_bounds) return std::nullopt;
  std::vector<ir::Interval> ranges;
  for (std::size_t i = 0; i < domains.size(); ++i) {
    ir::Interval range{domains[i].value(box.low[i]), domains[i].value(box.low[i])};
    for (double at = box.low[i]; at <= box.high[i]; ++at) {
      range = {std::min(range.low, domains[i].value(at)), std::max(range.high, domains[i].value(at))};
    }
    ranges.push_back(range);
  }
  BoxBounds bounds;
  for (const auto& goal : goals) bounds.goals.push_back(goal->range(ranges));
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    if (conditions[i].left->range(ranges).low > conditions[i].right) bounds.violated |= std::uint64_t{1} << i;
  }
  if (failing) {
    const ir::Interval zero = failing->range(ranges);
    bounds.fails = zero.low == 0 && zero.high == 0;
  }
  return bounds;
}

std::vector<Candidate> brute_force(RandomProblem& problem) {
  std::vector<Candidate> all;
  Points points(problem.domains.size());
  const Box box = problem.whole();
  std::vector<double> at = box.low;
  while (true) {
    points.add(at);
    std::size_t i = at.size();
    while (i-- > 0 && at[i] == box.high[i]) at[i] = 0;
    if (i == static_cast<std::size_t>(-1)) break;
    at[i] += 1;
  }
  for (std::size_t row = 0; row < points.size(); ++row) {
    const auto x = problem.values(points[row]);
    bool good = !(problem.failing && problem.failing->value(x) == 0);
    for (const auto& one : problem.conditions) good = good && one.left->value(x) <= one.right;
    if (!good) continue;
    Candidate candidate{{points[row].begin(), points[row].end()}, {}, 0};
    for (std::size_t k = 0; k < problem.goals.size(); ++k) {
      const double goal = problem.goals[k]->value(x);
      candidate.costs.push_back((problem.maximize[k] ? -goal : goal) + 0.0);
    }
    all.push_back(std::move(candidate));
  }
  std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return a.costs != b.costs ? a.costs < b.costs : a.at < b.at;
  });
  return all;
}

// Every point that dominates another comes before it.
std::vector<Candidate> front_of(const std::vector<Candidate>& all) {
  std::vector<Candidate> front;
  for (const Candidate& one : all) {
    bool dominated = false, known = false;
    for (Candidate& other : front) {
      dominated = dominated || dominates(other.costs, one.costs);
      if (other.costs != one.costs) continue;
      known = true;
      ++other.equals;
    }
    if (!dominated && !known) front.push_back(one);
  }
  return front;
}

std::uint64_t test_seed() {
  const char* given = std::getenv("WAVE_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 20251;
}

}  // namespace wave::test
