// Threads: different handles at the same time, one handle by several, and a call that another thread stops.
#include "tests/api/handles.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using namespace wave::test;

namespace {

constexpr const char* sum_text = R"(wave 1
model M {
  param n: int = 10
  output x = sum(i in 1..n: i * 1 us)
}
)";

double run(wave_model* model, std::int64_t n, std::atomic<int>& failures) {
  double value = 0;
  wave_result* result = nullptr;
  if (wave_model_set_integer(model, "n", n, nullptr) != WAVE_OK) ++failures;
  if (wave_model_run(model, &result, nullptr) != WAVE_OK) ++failures;
  if (wave_result_real(result, "x", &value, nullptr) != WAVE_OK) ++failures;
  wave_result_close(result);
  return value;
}

}  // namespace

TEST_CASE("models of one program are evaluated by several threads at once") {
  Loaded all(sum_text);
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      wave_model* model = nullptr;
      if (wave_model_open(all.program, nullptr, &model, nullptr) != WAVE_OK) ++failures;
      for (std::int64_t n = 1; n <= 50; ++n) {
        const double value = run(model, n + t, failures);
        const double wanted = static_cast<double>((n + t) * (n + t + 1) / 2) / 1e6;
        if (value != wanted) ++failures;
        if (n % 10 == 0 && wave_model_set(model, "n", std::to_string(n + 100 * t).c_str(), nullptr) != WAVE_OK)
          ++failures;
      }
      wave_model_close(model);
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(failures == 0);
}

TEST_CASE("one model is used by several threads, each of whose calls is whole") {
  Loaded all(sum_text);
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (std::int64_t n = 1; n <= 50; ++n) run(all.model, n, failures);
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(failures == 0);
}

TEST_CASE("another thread stops a call, and closes the model that it is made on") {
  Loaded all(sum_text);
  CHECK_OK(wave_model_set_integer(all.model, "n", std::int64_t{1} << 40, all.error.into()));
  std::atomic<bool> is_over{false};
  std::thread stopper([&] {
    while (!is_over) {
      wave_model_stop(all.model);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  Result result;
  Error error;
  const wave_status status = wave_model_run(all.model, result.into(), error.into());
  is_over = true;
  stopper.join();
  CHECK(status == WAVE_STOPPED);
  CHECK_OK(wave_model_set_integer(all.model, "n", 4, all.error.into()));
  CHECK(all.run("x") == 1e-5);
}
