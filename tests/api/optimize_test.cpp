// The best of many points, through the C interface.
#include "tests/api/handles.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <string>
#include <thread>
#include <vector>

using namespace wave::test;

namespace {

constexpr const char* grid_text = R"(wave 1
model Grid {
  param n: int = 1 in 1..
  param m: int = 1 in 1..
  param L: time = 2 us
  param mode: fast | slow = fast
  require n <= 100, "too many"
  output total = 64 s / (n * m) + (n + m) * (if mode == slow then 2 s else 1 s) + L in ms
  output processors = n * m
  output word = if n > m then "wide" else "high"
  output is_square = n == m
}
)";
// Points that take the longer the larger n is, without a proof that spares that.
constexpr const char* slow_text =
    "wave 1\nmodel Slow { param n: int; param k: int = 1; output t = k + sum(i in 1..n: i * n mod 7) }";

struct Search : Loaded {
  Search(std::vector<const char*> over, std::vector<wave_goal> goals, std::vector<const char*> subject_to = {},
         std::vector<const char*> show = {}, const char* text = grid_text)
      : Loaded(text) {
    CHECK_OK(create(over, goals, subject_to, show));
  }
  wave_status create(const std::vector<const char*>& over, const std::vector<wave_goal>& goals,
                     const std::vector<const char*>& subject_to, const std::vector<const char*>& show = {}) {
    return wave_optimization_create(model, over.data(), over.size(), goals.data(), goals.size(), subject_to.data(),
                                    subject_to.size(), show.data(), show.size(), optimization.into(), error.into());
  }
  void look() { CHECK_OK(wave_optimization_run(optimization, nullptr, nullptr, best.into(), error.into())); }
  wave_optimum_info info() {
    wave_optimum_info info{};
    info.size = sizeof info;
    CHECK_OK(wave_optimization_outcome(optimization, &info, error.into()));
    return info;
  }
  std::size_t column(const std::string& name) const {
    wave_output_info table{};
    table.size = sizeof table;
    CHECK_OK(wave_result_output(best, 0, &table, nullptr));
    for (std::size_t i = 0; i < table.columns; ++i) {
      wave_column_info one{};
      one.size = sizeof one;
      CHECK_OK(wave_result_column(best, 0, i, &one, nullptr));
      if (one.name == name) return i;
    }
    return table.columns;
  }
  bool has(const std::string& name) const {
    wave_column_info one{};
    one.size = sizeof one;
    return wave_result_column(best, 0, column(name), &one, nullptr) == WAVE_OK;
  }
  std::vector<std::int64_t> whole(const std::string& name) const {
    const std::int64_t* values = nullptr;
    std::size_t count = 0;
    CHECK_OK(wave_result_integers(best, 0, column(name), &values, &count, nullptr));
    return {values, values + count};
  }
  std::vector<double> reals(const std::string& name, int unit = WAVE_SI) const {
    const double* values = nullptr;
    std::size_t count = 0;
    CHECK_OK(wave_result_reals(best, 0, column(name), unit, &values, &count, nullptr));
    return {values, values + count};
  }
  std::vector<std::string> texts(const std::string& name) const {
    const char* const* values = nullptr;
    std::size_t count = 0;
    CHECK_OK(wave_result_texts(best, 0, column(name), &values, &count, nullptr));
    return {values, values + count};
  }

  Optimization optimization;
  Result best;
};

struct StopsAfter {
  int left;
  std::uint64_t done = 0, all = 0;
  static int tell(std::uint64_t done, std::uint64_t all, void* data) {
    auto& its = *static_cast<StopsAfter*>(data);
    its.done = done;
    its.all = all;
    return --its.left < 0 ? 1 : 0;
  }
};

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

TEST_CASE("the best points have their goals, what was chosen and what is shown, and are proved") {
  Search search({"n=1..16", "m=1..16"}, {{"total", 0}}, {"n * m <= 32"}, {"word", "is_square"});
  CHECK_OK(wave_optimization_set_top(search.optimization, 3, search.error.into()));
  search.look();
  const auto n = search.whole("n"), m = search.whole("m");
  CHECK(n == std::vector<std::int64_t>{4, 4, 5});
  CHECK(m == std::vector<std::int64_t>{4, 5, 4});
  CHECK(search.whole("place") == std::vector<std::int64_t>{1, 2, 2});
  CHECK(search.texts("word") == std::vector<std::string>{"high", "high", "wide"});
  CHECK(search.whole("is_square") == std::vector<std::int64_t>{1, 0, 0});
  for (std::size_t i = 0; i < n.size(); ++i) {
    CHECK_OK(wave_model_set_integer(search.model, "n", n[i], search.error.into()));
    CHECK_OK(wave_model_set_integer(search.model, "m", m[i], search.error.into()));
    CHECK(search.run("total") == search.reals("total")[i]);
    CHECK(search.reals("total", WAVE_ASKED)[i] == search.reals("total")[i] * 1000);
  }
  const auto info = search.info();
  CHECK(info.proof == WAVE_PROOF_ALL_POINTS);
  CHECK(info.method == WAVE_METHOD_EXHAUSTIVE);
  CHECK(info.points == 256);
  CHECK(info.looked_at == 256);
  CHECK(info.has_bound == 1);
  CHECK(info.bound == search.reals("total")[0]);
  CHECK_THAT(info.says, Catch::Contains("the best is proved: all 256 points were looked at"));
}

TEST_CASE("every method finds the same, and says what keeps it from being better") {
  for (const int method : {WAVE_METHOD_EXHAUSTIVE, WAVE_METHOD_BOUNDS, WAVE_METHOD_SEARCH}) {
    Search search({"n=1..3", "m=1..64"}, {{"processors", 1}}, {"n * m <= 40"});
    CHECK_OK(wave_optimization_set_method(search.optimization, method, search.error.into()));
    CHECK_OK(wave_optimization_set_top(search.optimization, 1, search.error.into()));
    search.look();
    CAPTURE(method);
    CHECK(search.whole("processors") == std::vector<std::int64_t>{40});
    CHECK(search.texts("limited by") == std::vector<std::string>{"n * m <= 40"});
    const auto info = search.info();
    CHECK(info.method == method);
    CHECK((info.proof == WAVE_PROOF_NONE) == (method == WAVE_METHOD_SEARCH));
  }
}

TEST_CASE("several goals give their front, each point of which no other dominates") {
  Search search({"n=1..8", "m=1..8"}, {{"total", 0}, {"processors", 0}, {"n", 1}});
  search.look();
  const auto total = search.reals("total");
  const auto processors = search.whole("processors"), n = search.whole("n");
  REQUIRE(total.size() > 3);
  for (std::size_t i = 0; i < total.size(); ++i) {
    for (std::size_t k = 0; k < total.size(); ++k) {
      const bool is_as_good = total[k] <= total[i] && processors[k] <= processors[i] && n[k] >= n[i];
      CHECK((i == k || !is_as_good));
    }
  }
  CHECK(std::is_sorted(total.begin(), total.end()));
  CHECK(search.has("as good"));
  CHECK_FALSE(search.has("place"));
  CHECK(search.info().has_bound == 0);
}

TEST_CASE("an interval is searched, and words and limits of points are kept") {
  Search search({"L=1 us..5 us", "mode=[slow, fast]"}, {{"total", 0}});
  search.look();
  CHECK(search.reals("L")[0] == 1e-6);
  CHECK(search.texts("mode")[0] == "fast");
  CHECK(std::isinf(search.info().points));
  CHECK(search.info().proof != WAVE_PROOF_NONE);
}

TEST_CASE("a run that is stopped gives the best so far, and the next one goes to its end") {
  Search search({"n=1..300", "m=1..300"}, {{"total", 0}}, {}, {"word"});
  CHECK_OK(wave_optimization_set_method(search.optimization, WAVE_METHOD_EXHAUSTIVE, search.error.into()));
  StopsAfter at_once{0};
  CHECK_FAILS(
      WAVE_STOPPED, "stopped",
      wave_optimization_run(search.optimization, StopsAfter::tell, &at_once, search.best.into(), search.error.into()));
  CHECK_FALSE(search.best);
  StopsAfter later{3};
  CHECK_FAILS(
      WAVE_STOPPED, "stopped",
      wave_optimization_run(search.optimization, StopsAfter::tell, &later, search.best.into(), search.error.into()));
  REQUIRE(search.best);
  CHECK(search.whole("n").size() > 0);
  CHECK_FALSE(search.has("word"));
  CHECK(search.info().proof == WAVE_PROOF_NONE);
  StopsAfter never{1 << 30};
  CHECK_OK(
      wave_optimization_run(search.optimization, StopsAfter::tell, &never, search.best.into(), search.error.into()));
  CHECK(never.done == 90000);
  CHECK(never.all == 90000);
  CHECK(search.whole("n")[0] == 4);
  CHECK(search.has("word"));
}

TEST_CASE("another thread stops a search within a moment") {
  Search search({"n=1000000000..1000000100"}, {{"t", 0}}, {}, {}, slow_text);
  std::atomic<bool> is_over{false};
  std::thread stopper([&] {
    while (!is_over) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      wave_optimization_stop(search.optimization);
    }
  });
  wave_status status = WAVE_OK;
  const double seconds = seconds_of(
      [&] { status = wave_optimization_run(search.optimization, nullptr, nullptr, search.best.into(), nullptr); });
  is_over = true;
  stopper.join();
  CHECK(status == WAVE_STOPPED);
  CHECK(seconds < 20);
}

TEST_CASE("the budget and the number of points end a search, which then proves nothing") {
  Search search({"n=1..100", "m=1..100"}, {{"total", 0}});
  CHECK_OK(wave_optimization_set_method(search.optimization, WAVE_METHOD_EXHAUSTIVE, search.error.into()));
  CHECK_OK(wave_optimization_set_points(search.optimization, 50, search.error.into()));
  search.look();
  CHECK(search.info().evaluated <= 50);
  CHECK(search.info().proof == WAVE_PROOF_NONE);
  CHECK_THAT(search.info().says, Catch::Contains("the number of `points` is reached"));
  CHECK_OK(wave_optimization_set_points(search.optimization, 0, search.error.into()));
  CHECK_OK(wave_optimization_set_budget(search.optimization, 1e-9, search.error.into()));
  CHECK_FAILS(WAVE_FAILED, "the time of `budget` is over",
              wave_optimization_run(search.optimization, nullptr, nullptr, search.best.into(), search.error.into()));
  CHECK_OK(wave_optimization_set_budget(search.optimization, INFINITY, search.error.into()));
  search.look();
  CHECK(search.info().proof == WAVE_PROOF_ALL_POINTS);
}

TEST_CASE("the limits of a model are those of each point, and nothing is proved where one exceeds them") {
  Loaded loaded(slow_text);
  CHECK_OK(wave_context_set_shortcuts(loaded.context, 0, loaded.error.into()));
  CHECK_OK(wave_context_set_engine(loaded.context, WAVE_ENGINE_INTERPRETER, loaded.error.into()));
  CHECK_OK(wave_program_load_text(loaded.context, "slow.wave", slow_text, nullptr, 0, loaded.program.into(),
                                  loaded.error.into()));
  CHECK_OK(wave_model_open(loaded.program, nullptr, loaded.model.into(), loaded.error.into()));
  CHECK_OK(wave_model_set_limits(loaded.model, 0.2, std::uint64_t{1} << 30, loaded.error.into()));
  const char* const over[] = {"n=[1, 2, 2000000000]"};
  const wave_goal goals[] = {{"t", 1}};
  Optimization optimization;
  CHECK_OK(wave_optimization_create(loaded.model, over, 1, goals, 1, nullptr, 0, nullptr, 0, optimization.into(),
                                    loaded.error.into()));
  CHECK_OK(wave_optimization_set_method(optimization, WAVE_METHOD_EXHAUSTIVE, loaded.error.into()));
  Result best;
  CHECK_OK(wave_optimization_run(optimization, nullptr, nullptr, best.into(), loaded.error.into()));
  wave_optimum_info info{};
  info.size = sizeof info;
  CHECK_OK(wave_optimization_outcome(optimization, &info, loaded.error.into()));
  CHECK(info.failed == 1);
  CHECK(info.proof == WAVE_PROOF_NONE);
  CHECK_THAT(info.says, Catch::Contains("E0610"));
}

TEST_CASE("what cannot be asked of an optimization is a diagnostic that says which") {
  Search search({"n=1..8"}, {{"total", 0}});
  const auto refused = [&](const char* words, const std::vector<const char*>& over, const std::vector<wave_goal>& goals,
                           const std::vector<const char*>& subject_to = {}, const std::vector<const char*>& show = {}) {
    CAPTURE(words);
    CHECK_FAILS(WAVE_FAILED, words, search.create(over, goals, subject_to, show));
    CHECK_FALSE(search.optimization);
  };
  refused("`q`", {"q=1..8"}, {{"total", 0}});
  refused("`n`", {"n=8..1"}, {{"total", 0}});
  refused("`L` is given an interval that ends before it begins", {"L=5 us..1 us"}, {{"total", 0}});
  refused("`n` is given no values", {"n"}, {{"total", 0}});
  refused("of `bool` values none is the least", {"n=1..8"}, {{"is_square", 0}});
  refused("`totl`", {"n=1..8"}, {{"totl", 0}});
  refused("a condition holds or does not", {"n=1..8"}, {{"total", 0}}, {"n * m"});
  refused("one expression is expected", {"n=1..8"}, {{"total, processors", 0}});
  refused("`word2`", {"n=1..8"}, {{"total", 0}}, {}, {"word2"});
  const std::vector<const char*> many(63, "n > 0");
  refused("more than 62 conditions", {"n=1..8"}, {{"total", 0}}, many);
}

TEST_CASE("constraints that contradict each other are named, and so is where a model fails") {
  Search search({"n=1..8", "m=1..8"}, {{"total", 0}}, {"n > m", "m > n"});
  CHECK_FAILS(WAVE_FAILED, "`n > m` and `m > n` together exclude every point",
              wave_optimization_run(search.optimization, nullptr, nullptr, search.best.into(), search.error.into()));
  CHECK(code_of(search.error) == "E0730");
  CHECK_FALSE(search.best);
  CHECK(search.info().proof == WAVE_PROOF_ALL_POINTS);
  Search failing({"n=200..300"}, {{"total", 0}});
  CHECK_FAILS(WAVE_FAILED, "too many",
              wave_optimization_run(failing.optimization, nullptr, nullptr, failing.best.into(), failing.error.into()));
}

TEST_CASE("searches of one program run at the same time, and those of one handle one after the other") {
  Search search({"n=1..40", "m=1..40"}, {{"total", 0}}, {}, {"word"});
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      wave_model* model = nullptr;
      wave_optimization* own = nullptr;
      const char* const over[] = {"n=1..40", "m=[1, 2, 4]"};
      const wave_goal goal{"total", 0};
      if (wave_model_open(search.program, nullptr, &model, nullptr) != WAVE_OK) ++failures;
      if (wave_optimization_create(model, over, 2, &goal, 1, nullptr, 0, nullptr, 0, &own, nullptr) != WAVE_OK)
        ++failures;
      for (int i = 0; i < 3; ++i) {
        wave_result* result = nullptr;
        const std::int64_t* values = nullptr;
        std::size_t count = 0;
        if (wave_optimization_run(t % 2 ? own : search.optimization, nullptr, nullptr, &result, nullptr) != WAVE_OK ||
            wave_result_integers(result, 0, 1, &values, &count, nullptr) != WAVE_OK || values[0] != 4)
          ++failures;
        wave_result_close(result);
      }
      wave_optimization_close(own);
      wave_model_close(model);
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(failures == 0);
}
