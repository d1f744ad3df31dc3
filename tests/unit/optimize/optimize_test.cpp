// Exhaustive evaluation, branch and bound, and search, compared with brute force on random problems.
#include "random_problem.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <set>

using namespace wave::analysis;
using namespace wave::test;

namespace {

constexpr int problems = 150;

SearchOptions options(Method method, std::size_t top = 10) {
  SearchOptions result;
  result.method = method;
  result.top = top;
  result.seconds = std::numeric_limits<double>::infinity();
  return result;
}

void require_same(const std::vector<Candidate>& found, const std::vector<Candidate>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("place " << i);
    REQUIRE(found[i].costs == expected[i].costs);
    REQUIRE(found[i].at == expected[i].at);
    REQUIRE(found[i].equals == expected[i].equals);
  }
}

void check_one_goal(Method method, bool with_bounds) {
  const std::uint64_t seed = test_seed();
  for (int i = 0; i < problems; ++i) {
    INFO("WAVE_SEED=" << seed << ", problem " << i);
    std::mt19937_64 random(seed + static_cast<std::uint64_t>(i));
    RandomProblem problem(random, 1, with_bounds);
    const auto all = brute_force(problem);
    const auto outcome = optimize(problem, options(method));
    auto expected = all;
    std::uint64_t equals = 0;
    if (expected.size() > 10) {
      expected.resize(10);
      for (std::size_t k = 10; k < all.size(); ++k) equals += all[k].costs == expected.back().costs ? 1 : 0;
    }
    require_same(outcome.best, expected);
    REQUIRE(outcome.more_equals == equals);
    REQUIRE(outcome.proof != Proof::none);
    REQUIRE(outcome.ending == Ending::complete);
    if (all.empty() && !problem.conditions.empty() && !problem.failing) REQUIRE(outcome.nearest.has_value());
  }
}

}  // namespace

TEST_CASE("evaluating all points finds what brute force finds, in its order, with ties counted") {
  check_one_goal(Method::exhaustive, false);
}

TEST_CASE("branch and bound finds what brute force finds, in its order, with ties counted") {
  check_one_goal(Method::bounds, true);
}

TEST_CASE("branch and bound without bounds comes down to all points") { check_one_goal(Method::bounds, false); }

TEST_CASE("what is chosen by itself is right") {
  check_one_goal(Method::automatic, true);
  check_one_goal(Method::automatic, false);
}

TEST_CASE("the front of two and three goals is that of brute force") {
  const std::uint64_t seed = test_seed();
  for (const std::size_t goals : {2, 3}) {
    for (const Method method : {Method::exhaustive, Method::bounds}) {
      for (int i = 0; i < problems; ++i) {
        INFO("WAVE_SEED=" << seed << ", problem " << i << ", " << goals << " goals");
        std::mt19937_64 random(seed + 1000 + static_cast<std::uint64_t>(i));
        RandomProblem problem(random, goals, true);
        const auto expected = front_of(brute_force(problem));
        const auto outcome = optimize(problem, options(method));
        require_same(outcome.best, expected);
        REQUIRE(outcome.proof != Proof::none);
      }
    }
  }
}

TEST_CASE("a search proves nothing, finds only what is there, and mostly the best") {
  const std::uint64_t seed = test_seed();
  int solvable = 0, best_found = 0;
  for (int i = 0; i < problems; ++i) {
    INFO("WAVE_SEED=" << seed << ", problem " << i);
    std::mt19937_64 random(seed + 2000 + static_cast<std::uint64_t>(i));
    RandomProblem problem(random, 1, false);
    const auto all = brute_force(problem);
    const auto outcome = optimize(problem, options(Method::search));
    REQUIRE(outcome.proof == Proof::none);
    std::set<std::pair<std::vector<double>, std::vector<double>>> known;
    for (const Candidate& one : all) known.insert({one.costs, one.at});
    for (const Candidate& one : outcome.best) REQUIRE(known.count({one.costs, one.at}) == 1);
    if (all.empty()) continue;
    ++solvable;
    best_found += !outcome.best.empty() && outcome.best.front().costs == all.front().costs ? 1 : 0;
  }
  REQUIRE(solvable > problems / 2);
  REQUIRE(best_found >= solvable * 9 / 10);
}

TEST_CASE("the same seed searches the same points") {
  std::mt19937_64 random(7);
  RandomProblem problem(random, 1, false);
  auto given = options(Method::search);
  given.seed = 5;
  const auto first = optimize(problem, given), second = optimize(problem, given);
  REQUIRE(first.evaluated == second.evaluated);
  require_same(first.best, second.best);
}

namespace {

// There are 3 * 10^10 points, whose costs rise with each variable. Only bounds find the least of them in good time.
class Large final : public Problem {
 public:
  Large() {
    for (int i = 0; i < 4; ++i) {
      Domain domain;
      std::vector<std::int64_t> list;
      for (int k = 1; k <= 416; ++k) list.push_back(k);
      domain.values = list;
      domains.push_back(domain);
    }
    maximize = {false};
    constraints = 1;
  }
  // The cost is work divided by a * b, and a cost for each of c and d; a * b * c * d must be at least 10^6.
  static double cost(double a, double b, double c, double d) { return 1e9 / (a * b) + 1e3 * (a + b) + 20 * c * d; }
  void constrain(const Points& points, std::vector<Violation>& violations) override {
    violations.assign(points.size(), {});
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto x = points[i];
      const double product = (x[0] + 1) * (x[1] + 1) * (x[2] + 1) * (x[3] + 1);
      if (product < 1e6) violations[i] = {1, 1e6 - product};
    }
  }
  void evaluate(const Points& points, std::vector<double>& goals, std::vector<Violation>& violations) override {
    violations.assign(points.size(), {});
    goals.clear();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto x = points[i];
      goals.push_back(cost(x[0] + 1, x[1] + 1, x[2] + 1, x[3] + 1));
    }
  }
  std::optional<BoxBounds> bound(const Box& box) override {
    BoxBounds bounds;
    double most = 1;
    for (const double high : box.high) most *= high + 1;
    if (most < 1e6) bounds.violated = 1;
    const auto low = [&](std::size_t i) { return box.low[i] + 1; };
    const auto high = [&](std::size_t i) { return box.high[i] + 1; };
    bounds.goals.push_back({1e9 / (high(0) * high(1)) + 1e3 * (low(0) + low(1)) + 20 * low(2) * low(3),
                            1e9 / (low(0) * low(1)) + 1e3 * (high(0) + high(1)) + 20 * high(2) * high(3)});
    return bounds;
  }
};

}  // namespace

TEST_CASE("bounds prove the best of 3 * 10^10 points") {
  Large problem;
  const auto outcome = optimize(problem, options(Method::automatic, 1));
  REQUIRE(outcome.proof == Proof::bounds);
  REQUIRE(outcome.points == std::pow(416.0, 4));
  // Without the constraint, the best would be a = b = 100. There the constraint asks for c * d >= 100, so the best
  // point is close to it.
  double least = std::numeric_limits<double>::infinity();
  for (double a = 80; a <= 130; ++a) {
    for (double b = 80; b <= 130; ++b) least = std::min(least, Large::cost(a, b, 1, std::ceil(1e6 / (a * b))));
  }
  REQUIRE(outcome.best.front().costs[0] == least);
}

TEST_CASE("a number of points ends a search, with what was found") {
  Large problem;
  auto given = options(Method::bounds, 3);
  given.most_points = 500;
  const auto outcome = optimize(problem, given);
  REQUIRE(outcome.proof == Proof::none);
  REQUIRE(outcome.ending == Ending::out_of_points);
  REQUIRE(outcome.evaluated <= 500);
  REQUIRE(outcome.best.size() == 3);
  REQUIRE(outcome.lower.has_value());
  REQUIRE(*outcome.lower <= outcome.best.front().costs[0]);
}

TEST_CASE("told to stop, it keeps what it has") {
  Large problem;
  for (const Method method : {Method::exhaustive, Method::bounds, Method::search}) {
    std::atomic<bool> stop{false};
    auto given = options(method, 3);
    given.stop = &stop;
    given.progress = [&](const SearchProgress& progress) {
      if (progress.best < std::numeric_limits<double>::infinity()) stop = true;
    };
    const auto outcome = optimize(problem, given);
    REQUIRE(outcome.ending == Ending::stopped);
    REQUIRE(outcome.proof == Proof::none);
    REQUIRE(!outcome.best.empty());
  }
}

TEST_CASE("lists without values have no best, which is proved") {
  Large problem;
  problem.domains[2].values = std::vector<std::int64_t>{};
  const auto outcome = optimize(problem, options(Method::automatic));
  REQUIRE(outcome.best.empty());
  REQUIRE(outcome.proof == Proof::all_points);
}

TEST_CASE("constraints that exclude everything alone, and in pairs") {
  Exclusion none(3);
  REQUIRE(none.alone().empty());
  none.add(0b001);
  none.add(0b011);
  REQUIRE(none.alone() == std::vector<std::size_t>{0});
  none.add(0b010);
  REQUIRE(none.alone().empty());
  REQUIRE(none.pair() == std::pair<std::size_t, std::size_t>(0, 1));
  none.add(0b100);
  REQUIRE(!none.pair());
}

TEST_CASE("nothing is proved where a point was given up") {
  // The costs of four points, one of which takes too long.
  class Impatient final : public Problem {
   public:
    Impatient() {
      domains.push_back({"n", ColumnValues(std::vector<std::int64_t>{1, 2, 3, 4})});
      maximize = {false};
    }
    void constrain(const Points& points, std::vector<Violation>& violations) override {
      violations.assign(points.size(), {});
    }
    void evaluate(const Points& points, std::vector<double>& goals, std::vector<Violation>& violations) override {
      violations.assign(points.size(), {});
      goals.clear();
      for (std::size_t i = 0; i < points.size(); ++i) {
        goals.push_back(points[i][0] == 2 ? std::nan("") : points[i][0]);
        given_up_ += points[i][0] == 2 ? 1 : 0;
      }
    }
    std::uint64_t given_up() const override { return given_up_; }

   private:
    std::uint64_t given_up_ = 0;
  } problem;
  const auto outcome = optimize(problem, options(Method::exhaustive));
  CHECK(outcome.best.size() == 3);
  CHECK(outcome.proof == Proof::none);
  CHECK(outcome.ending == Ending::given_up);
}
