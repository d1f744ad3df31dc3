// Small random problems with answers by brute force.
#pragma once

#include "analysis/optimize/optimize.h"

#include <functional>
#include <memory>
#include <random>
#include <string>

namespace wave::test {

// A formula over the variables, as a number, as an interval, and as text of the language.
struct Formula {
  enum class Kind { constant, variable, add, subtract, multiply, maximum, minimum, modulo } kind{};
  double constant = 0;
  std::size_t variable = 0;
  std::shared_ptr<const Formula> left, right;

  double value(const std::vector<double>& variables) const;
  ir::Interval range(const std::vector<ir::Interval>& variables) const;
  std::string text(const std::vector<std::string>& names) const;
};
using FormulaPtr = std::shared_ptr<const Formula>;
FormulaPtr random_formula(std::mt19937_64& random, std::size_t variables, int depth);

class RandomProblem final : public analysis::Problem {
 public:
  RandomProblem(std::mt19937_64& random, std::size_t goals, bool with_bounds);

  void constrain(const analysis::Points& points, std::vector<analysis::Violation>& violations) override;
  void evaluate(const analysis::Points& points, std::vector<double>& goals,
                std::vector<analysis::Violation>& violations) override;
  std::optional<analysis::BoxBounds> bound(const analysis::Box& box) override;

  std::vector<FormulaPtr> goals;
  struct Constraint {
    FormulaPtr left;
    double right = 0;
    bool late = false;
  };  // left <= right
  std::vector<Constraint> conditions;
  FormulaPtr failing;  // a point fails where this is 0; empty: no point fails
  bool with_bounds = true;
  std::uint64_t evaluated = 0;

  std::vector<double> values(std::span<const double> at) const;
};

// All points that satisfy the constraints and do not fail, sorted by cost and then by the order of the product.
std::vector<analysis::Candidate> brute_force(RandomProblem& problem);

// The points that no other point dominates, each with the number of others that have the same costs.
std::vector<analysis::Candidate> front_of(const std::vector<analysis::Candidate>& all);

std::uint64_t test_seed();

}  // namespace wave::test
