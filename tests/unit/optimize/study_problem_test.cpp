// Models as problems: the engines solve random ones as brute force does, and bounds hold at every point of random
// boxes.
#include "analysis/optimize/study_problem.h"

#include "analysis/optimize/optimize.h"
#include "analysis/optimize/scan.h"
#include "frontend/check/program.h"
#include "random_problem.h"
#include "tests/unit/analysis/model.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

using namespace wave;
using namespace wave::analysis;
using namespace wave::test;

namespace {

// A model and the goals in it.
class AskedModel {
 public:
  AskedModel(const std::string& text, std::vector<std::string> vary, const std::vector<std::string>& early,
             const std::vector<std::string>& goals, const std::vector<std::string>& late = {}) {
    program_ = frontend::load("test.wave", {}, diagnostics_, &text);
    require_clear();
    const frontend::Item* model = nullptr;
    for (const auto& item : program_->main().items) {
      if (item->name.text == "M") model = item.get();
    }
    REQUIRE(model != nullptr);
    ProblemPart cheap, costly;
    std::vector<std::string> shows = goals;
    if (goals.empty()) shows.push_back(late.front());  // as ask_problem: says whether the model has values
    const std::size_t guarded = shows.size();
    shows.insert(shows.end(), late.begin(), late.end());
    if (!early.empty()) cheap.model = make(*model, vary, early, 0);
    for (std::size_t i = 0; i < early.size(); ++i) cheap.constraints.push_back({i, i, std::nullopt});
    costly.model = make(*model, vary, shows, guarded);
    for (std::size_t i = 0; i < goals.size(); ++i) costly.goals.push_back(i);
    for (std::size_t i = 0; i < late.size(); ++i)
      costly.constraints.push_back({early.size() + i, guarded + i, std::nullopt});
    problem = std::make_unique<StudyProblem>(cheap, costly, StudyProblem::Setting{});
    problem->maximize.assign(goals.size(), false);
  }

  std::unique_ptr<StudyProblem> problem;

 private:
  StudyModel* make(const frontend::Item& model, const std::vector<std::string>& vary,
                   const std::vector<std::string>& show, std::size_t guarded) {
    frontend::Asked asked;
    for (const auto& one : vary) asked.vary.push_back({"--over", one});
    for (const auto& one : show) asked.show.push_back({"--show", one});
    items_.push_back(frontend::ask(*program_, model, asked, diagnostics_));
    require_clear();
    frontend::StudyAsks asks = frontend::StudyAsks::results;
    asks.guarded = guarded;
    models_.push_back(StudyModel::make(*program_, *items_.back(), {}, interpreter, 1, {}, diagnostics_, asks));
    require_clear();
    REQUIRE(models_.back() != nullptr);
    return models_.back().get();
  }
  void require_clear() {
    for (const auto& one : diagnostics_.all()) UNSCOPED_INFO(frontend::code_of(one.kind) << ": " << one.message);
    REQUIRE_FALSE(diagnostics_.has_errors());
  }

  frontend::Diagnostics diagnostics_;
  std::unique_ptr<frontend::Program> program_;
  std::vector<std::unique_ptr<frontend::Item>> items_;
  std::vector<std::unique_ptr<StudyModel>> models_;
};

std::string list_text(const Domain& domain) {
  return fmt::format("{}=[{}]", domain.name, fmt::join(std::get<std::vector<std::int64_t>>(domain.values), ", "));
}

// The same problem as a model.
AskedModel as_model(const RandomProblem& problem) {
  std::vector<std::string> names, vary, early, late, goals;
  std::string text = "wave 1\nmodel M {\n";
  for (const Domain& domain : problem.domains) {
    names.push_back(domain.name);
    vary.push_back(list_text(domain));
    text += fmt::format("  param {}: int = 1\n", domain.name);
  }
  if (problem.failing) text += fmt::format("  require {} != 0, \"it fails here\"\n", problem.failing->text(names));
  for (std::size_t k = 0; k < problem.goals.size(); ++k) {
    // Some goals are quantities, so that large numbers appear in other units, too.
    const std::string goal = problem.goals[k]->text(names);
    text += fmt::format("  output goal{} = {}\n", k, k == 0 ? goal : fmt::format("1 ps * {}", goal));
    goals.push_back(fmt::format("goal{}", k));
  }
  for (const auto& one : problem.conditions) {
    (one.late ? late : early).push_back(fmt::format("{} <= {}", one.left->text(names), static_cast<int>(one.right)));
  }
  return AskedModel(text + "}\n", vary, early, goals, late);
}

void require_same_points(const std::vector<Candidate>& found, const std::vector<Candidate>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("place " << i);
    REQUIRE(found[i].costs == expected[i].costs);
    REQUIRE(found[i].at == expected[i].at);
  }
}

const std::string costs_text = std::string(machine_text) + R"(
model M {
  param n: int = 2
  param m: int = 2
  param k: int = 1
  param d: int = 1
  param kind: even | odd = even
  param W: time = 2 us
  param net: Net = Net()
  grid P[i: n, j: m]
  let half = W / 2
  let size = 40 B * k
  rec start[i, j] over P: time =
    max(start[i-1, j] + W + net.total(size), start[i, j-1] + half * i + net.send(size), start[i-1, j-1] + 9 us) else half
  process p on P using net {
    repeat k { compute(half) }
    sweep from [NW, SE] tiles k {
      recv size from upwind i
      compute(W / n)
      send size to downwind i
    }
    if i == 1 { compute(W) } else { compute(2 * W) }
    for q in 1..m { compute(1 us * q) }
    barrier()
  }
  fn steps(x: int): time = if x < 3 then 5 us * x else when { x < 7: 2 us; else: 1 us * x mod 4 us + 1 us }
  let measured = table { 1: 4 us, 2: 3 us, 5: 9 us, 12: 1 us } linear
  output recurrence = start[n, m]
  output early = start[1, m] + min(start[n, 1], 100 us)
  output process_time = p.time + half
  output sums = sum(i in 1..n, j in 1..m if i != j: W / (i + j)) + max(i in 1..n: steps(i * k)) - sum(i in k..n + 4: 1 us)
  output tables = measured(n) * (if k > 2 and n > 1 then 2 else 3) + 1 us * ceil(7 / m) + abs(W - 3 us)
  output whole = 1 us * ((n * 5 - 12) div (if d < 0 then d else d + 1)) + 1 us * ((n - 7 * d) mod (d - 4)) + 1 us * ((3 * m - d) mod (d + 5))
  output rounded = 1 us * (floor(W / 1 us * d / 3) + ceil(-0.3 * n * d) + round(d / 2)) + W * (d + 0.5) ^ 3 - W / (d - 0.25)
  output chosen = (if kind == even then W * d else when { d < -1: 2 * W; d * n > 3: W / 3; else: abs(d) * 1 us }) + max(W * d, -2 us, W - n * 1 us)
  output large = 1 us * (n * 1500000000000000000 div 3 - (n * 500000000000000000 - d)) + 1 us * min(d, 2, n - m) * sum(i in -2..d: i * 0.1)
  output power = 1 us * (n - 3) ^ 2 + sqrt(W * W / 4) + 1 us * log2(m * k) + round(W / 1 us) * 1 us
}
)";

}  // namespace

TEST_CASE("random models are optimised as brute force does it") {
  const std::uint64_t seed = test_seed();
  constexpr int models = 100;
  for (int i = 0; i < models; ++i) {
    INFO("WAVE_SEED=" << seed << ", model " << i);
    std::mt19937_64 random(seed + 5000 + static_cast<std::uint64_t>(i));
    RandomProblem problem(random, i % 4 == 0 ? 2 : 1, true);
    const auto all = brute_force(problem);
    const auto model = as_model(problem);
    model.problem->maximize = problem.maximize;
    for (const Method method : {Method::exhaustive, Method::bounds}) {
      SearchOptions options;
      options.method = method;
      options.seconds = std::numeric_limits<double>::infinity();
      const auto outcome = optimize(*model.problem, options);
      REQUIRE(outcome.proof != Proof::none);
      if (problem.goals.size() == 1) {
        auto expected = all;
        if (expected.size() > 10) expected.resize(10);
        require_same_points(outcome.best, expected);
      } else {
        require_same_points(outcome.best, front_of(all));
      }
    }
    // Where every point is evaluated, each failing point is counted once.
    if (problem.failing && problem.conditions.empty()) {
      SearchOptions options;
      options.method = Method::exhaustive;
      const auto outcome = optimize(*model.problem, options);
      REQUIRE(static_cast<double>(outcome.failed + all.size()) == outcome.points);
      if (outcome.failed > 0) {
        REQUIRE(model.problem->failed().size() == 1);
        REQUIRE(model.problem->failed()[0].message().find("it fails here") != std::string::npos);
      }
    }
  }
}

TEST_CASE("bounds hold at every point of random boxes, of recurrences, processes, tables and sums") {
  const std::vector<std::string> goals{"recurrence", "early", "process_time", "sums",   "tables",
                                       "power",      "whole", "rounded",      "chosen", "large"};
  const AskedModel model(costs_text,
                         {"n=1..5", "m=1..4", "k=[1, 2, 3, 7]", "W=[1 us, 2 us, 5 us]", "d=-3..3", "kind=[odd, even]"},
                         {}, goals, {"process_time <= 40 us", "recurrence > 60 us or tables == 9 us"});
  StudyProblem& problem = *model.problem;
  const std::uint64_t seed = test_seed();
  std::mt19937_64 random(seed);
  const Box whole = problem.whole();
  for (int round = 0; round < 200; ++round) {
    INFO("WAVE_SEED=" << seed << ", box " << round);
    Box box = whole;
    for (std::size_t i = 0; i < box.low.size(); ++i) {
      const auto draw = [&](double low, double high) {
        return static_cast<double>(
            std::uniform_int_distribution<int>(static_cast<int>(low), static_cast<int>(high))(random));
      };
      box.low[i] = draw(0, whole.high[i]);
      box.high[i] = round % 3 == 0 ? box.low[i] : draw(box.low[i], whole.high[i]);
    }
    const auto bounds = problem.bound(box);
    REQUIRE(bounds.has_value());
    Points points(box.low.size());
    for (std::vector<double> at = box.low;;) {
      points.add(at);
      std::size_t i = at.size();
      while (i-- > 0 && at[i] == box.high[i]) at[i] = box.low[i];
      if (i == static_cast<std::size_t>(-1)) break;
      at[i] += 1;
    }
    std::vector<double> found;
    std::vector<Violation> violations;
    problem.evaluate(points, found, violations);
    for (std::size_t row = 0; row < points.size(); ++row) {
      REQUIRE((bounds->violated & ~violations[row].constraints) == 0);
      for (std::size_t k = 0; k < goals.size(); ++k) {
        INFO(goals[k] << " = " << found[row * goals.size() + k] << " in " << bounds->goals[k].low << " .. "
                      << bounds->goals[k].high);
        if (!std::isfinite(found[row * goals.size() + k])) continue;
        REQUIRE_FALSE(bounds->fails);
        REQUIRE(found[row * goals.size() + k] >= bounds->goals[k].low);
        REQUIRE(found[row * goals.size() + k] <= bounds->goals[k].high);
      }
    }
  }
  // The bounds also say something.
  const auto bounds = problem.bound({{4, 3, 2, 2, 0, 0}, {4, 3, 3, 2, 6, 1}});
  REQUIRE(bounds->goals[0].low > 4 * 5e6);
  REQUIRE(std::isfinite(bounds->goals[0].high));
  REQUIRE(bounds->goals[2].low > 2 * 5e6);
}

TEST_CASE("machines and words are chosen, too, and a system that cannot be made fails") {
  const std::string text = std::string(machine_text) + R"(
model M {
  param net: Net = Net()
  param mode: slow | fast = slow
  param twice: bool = false
  param name: string = "a"
  param n: int = 2
  output t = net.total(10 B) / n * (if twice then 2 else 1) + (if mode == slow then 1 us else 0 us) + (if name == "b" then 3 us else 0 us)
}
)";
  const AskedModel model(
      text, {"net=[Net(), Net(L = 1 us)]", "mode=[slow, fast]", "twice=[true, false]", "name=[\"a\", \"b\"]", "n=1..4"},
      {}, {"t"});
  for (const Method method : {Method::exhaustive, Method::bounds, Method::search}) {
    SearchOptions options;
    options.method = method;
    const auto outcome = optimize(*model.problem, options);
    REQUIRE(outcome.best.front().at == std::vector<double>{1, 1, 1, 0, 3});
    REQUIRE((method == Method::search) == (outcome.proof == Proof::none));
  }
}

TEST_CASE("what limits a point") {
  const std::string text =
      "wave 1\nmodel M {\n  param n: int = 1\n  param m: int = 1\n  output t = 100 us / (n * m) + 1 us * m\n}\n";
  const AskedModel model(text, {"n=1..8", "m=1..16"}, {"n * m <= 40"}, {"t"});
  SearchOptions options;
  const auto outcome = optimize(*model.problem, options);
  const Candidate best = outcome.best.front();
  REQUIRE(best.at == std::vector<double>{7, 3});
  const auto limits = find_limits(*model.problem, best);
  REQUIRE(limits.constraints == 0);
  REQUIRE(limits.ends.size() == 1);
  REQUIRE(limits.ends[0].variable == 0);
  REQUIRE(limits.ends[0].upper);
  REQUIRE_FALSE(limits.has_better_neighbour);
  const AskedModel narrow(text, {"n=1..100", "m=[1]"}, {"n * m <= 40"}, {"t"});
  const auto other = optimize(*narrow.problem, options);
  REQUIRE(find_limits(*narrow.problem, other.best.front()).constraints == 1);
}

TEST_CASE("scanning finds every point at which conditions hold, in order") {
  const std::uint64_t seed = test_seed();
  for (int i = 0; i < 40; ++i) {
    INFO("WAVE_SEED=" << seed << ", model " << i);
    std::mt19937_64 random(seed + 9000 + static_cast<std::uint64_t>(i));
    RandomProblem problem(random, 0, true);
    for (auto& one : problem.conditions) one.late = true;
    auto expected = brute_force(problem);
    std::sort(expected.begin(), expected.end(), [](const Candidate& a, const Candidate& b) { return a.at < b.at; });
    if (problem.conditions.empty()) continue;
    const auto model = as_model(problem);
    ScanOptions options;
    options.most_kept = 1'000'000;
    const auto outcome = scan(*model.problem, options);
    REQUIRE(outcome.complete);
    REQUIRE(outcome.holding == expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) REQUIRE(outcome.points[k] == expected[k].at);
    if (expected.empty()) continue;
    REQUIRE(outcome.last == expected.back().at);
    if (problem.domains.size() == 1) {
      double held = 0;
      for (const auto& [first, last] : outcome.runs) held += last - first + 1;
      REQUIRE(held == static_cast<double>(expected.size()));
    }
    options.first = true;
    const auto first = scan(*model.problem, options);
    REQUIRE(first.points.size() == 1);
    REQUIRE(first.points[0] == expected[0].at);
  }
}

TEST_CASE("where a condition begins to hold in an interval") {
  const std::string text = "wave 1\nmodel M {\n  param W: time = 1 us\n  output t = 2 * W + 1 us\n}\n";
  const AskedModel model(text, {"W=[1 us, 5 us]"}, {}, {}, {"t > 4 us and t <= 7 us"});
  Domain& domain = model.problem->domains[0];
  domain.is_interval = true;
  domain.low = 1e6;
  domain.high = 5e6;
  const auto outcome = scan_interval(*model.problem, {}, 101);
  REQUIRE(outcome.runs.size() == 1);
  REQUIRE(outcome.runs[0].first == Approx(1.5e6).epsilon(1e-12));
  REQUIRE(outcome.runs[0].first > 1.5e6);
  REQUIRE(outcome.runs[0].second == 3e6);
}

TEST_CASE("a search that is stopped in the middle of a point ends there, and keeps what it has found") {
  // The last of the points takes hours.
  const std::string text =
      "wave 1\nmodel M {\n  param n: int = 1\n"
      "  output t = sum(i in 1..(if n == 40 then 10^13 else n): 1 us * (i mod 7))\n}\n";
  const AskedModel model(text, {"n=1..40"}, {}, {"t"});
  std::atomic<bool> stop = false;
  SearchOptions options;
  options.method = Method::exhaustive;
  options.seconds = std::numeric_limits<double>::infinity();
  options.stop = &stop;
  std::jthread thread([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    stop = true;
  });
  const SearchOutcome outcome = optimize(*model.problem, options);
  REQUIRE(outcome.ending == Ending::stopped);
  REQUIRE(outcome.failed == 0);
  REQUIRE(model.problem->failed().empty());
  REQUIRE_FALSE(outcome.best.empty());
  REQUIRE(outcome.best.front().at == std::vector<double>{0});
}

TEST_CASE("points that no constraint leaves out fail where the model does, and are counted by themselves",
          "[study_problem]") {
  const std::string text = R"(wave 1
model M {
  param n: int = 1
  param m: int = 1
  require n != 5, "no five"
  output g = 1 / (m - 2) + n
}
)";
  for (const bool has_early : {false, true}) {
    for (const bool has_late : {false, true}) {
      AskedModel asked(text, {"n=1..8", "m=1..4"},
                       has_early ? std::vector<std::string>{"n * m <= 20"} : std::vector<std::string>{}, {"g"},
                       has_late ? std::vector<std::string>{"n + m < 9"} : std::vector<std::string>{});
      std::uint64_t satisfying = 0, failed = 0;
      for (int n = 1; n <= 8; ++n) {
        for (int m = 1; m <= 4; ++m) {
          const bool is_in = (!has_early || n * m <= 20) && (!has_late || n + m < 9);
          if (is_in) ++(n == 5 || m == 2 ? failed : satisfying);
        }
      }
      SearchOptions options;
      options.method = Method::exhaustive;
      const SearchOutcome outcome = optimize(*asked.problem, options);
      INFO("early " << has_early << ", late " << has_late);
      CHECK(outcome.proof == Proof::all_points);
      CHECK(outcome.satisfying == satisfying);
      CHECK(outcome.failed == failed);
    }
  }
}
