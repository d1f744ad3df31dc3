// Threads: different handles at the same time, one handle by several, and a call that another thread stops.
#include "tests/api/handles.h"

#include <atomic>
#include <chrono>
#include <pthread.h>
#include <thread>
#include <vector>

using namespace wave::test;

namespace {

constexpr const char* sum_text = R"(wave 1
model M {
  param n: int = 10
  param m: int = 1
  output x = sum(i in 1..n: i * m * 1 us)
}
)";

double run(wave_model* model, std::int64_t n, std::atomic<int>& failures) {
  double value = 0;
  wave_result* result = nullptr;
  if (wave_model_set_integer(model, "n", n, nullptr) != WAVE_OK) ++failures;
  if (wave_model_run(model, &result, nullptr) != WAVE_OK) ++failures;
  if (wave_result_value(result, "x", WAVE_REAL, &value, nullptr) != WAVE_OK) ++failures;
  wave_close(result);
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
      wave_close(model);
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

namespace {

// Makes a call while another thread stops it again and again: `stop` may come before the call has begun.
template <class Call, class Stop>
wave_status stopped(const Call& call, const Stop& stop) {
  std::atomic<bool> is_over{false};
  std::thread stopper([&] {
    while (!is_over) {
      stop();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  const wave_status status = call();
  is_over = true;
  stopper.join();
  return status;
}

}  // namespace

TEST_CASE("another thread stops a call") {
  Loaded all(sum_text);
  CHECK_OK(wave_model_set_integer(all.model, "n", std::int64_t{1} << 40, all.error.into()));
  Result result;
  Error error;
  CHECK(stopped([&] { return wave_model_run(all.model, result.into(), error.into()); },
                [&] { wave_stop(all.model); }) == WAVE_STOPPED);
  CHECK_OK(wave_model_set_integer(all.model, "n", 4, all.error.into()));
  CHECK(all.run("x") == 1e-5);
}

TEST_CASE("another thread stops a study within a point") {
  Loaded all(sum_text);
  const Question study = sweep_of(all.model, {{"vary", "n=1000000000000..1000000000003"}});
  Result result;
  Error error;
  CHECK(stopped([&] { return wave_question_run(study, nullptr, nullptr, result.into(), error.into()); },
                [&] { wave_stop(study); }) == WAVE_STOPPED);
}

// Whatever it is doing then: it opens, goes over points, begins another pass.
TEST_CASE("a sweep that is stopped once by its callback ends, at whatever call") {
  Loaded all(sum_text);
  for (const char* const reduction : {"", "median of x exact"}) {
    for (int at = 1; at < 8; ++at) {
      const Question study = sweep_of(all.model, {{"vary", "n=1..40"}, {"vary", "m=1..2"}});
      if (*reduction != 0) CHECK_OK(wave_set(study, "reduce", reduction, all.error.into()));
      struct Stops {
        const wave_question* study;
        int left;
      } stops{study, at};
      const wave_progress stop = [](std::uint64_t, std::uint64_t, void* data) {
        auto& its = *static_cast<Stops*>(data);
        if (--its.left == 0) wave_stop(its.study);
        return 0;
      };
      Result result;
      Error error;
      const wave_status status = wave_question_run(study, stop, &stops, result.into(), error.into());
      CHECK(status == (stops.left > 0 ? WAVE_OK : WAVE_STOPPED));
    }
  }
}

TEST_CASE("another thread stops a batch within a row") {
  Loaded all(sum_text);
  std::vector<std::int64_t> n(100, std::int64_t{1} << 40);
  std::vector<double> x(n.size());
  const wave_column column{"n", n.data(), n.size(), WAVE_INTEGER, 0};
  const wave_target target{"x", x.data(), x.size(), WAVE_REAL, 0, WAVE_SI};
  Batch batch;
  Error error;
  CHECK_OK(wave_batch_create(all.model, batch.into(), all.error.into()));
  const auto run = [&] {
    return wave_batch_run(batch, n.size(), &column, 1, &target, 1, nullptr, nullptr, nullptr, nullptr, error.into());
  };
  CHECK(stopped(run, [&] { wave_stop(batch); }) == WAVE_STOPPED);
  n.assign(n.size(), 4);
  CHECK_OK(run());
  CHECK(x.back() == 1e-5);
}

TEST_CASE("a model may be closed while another thread evaluates it") {
  Loaded all(sum_text);
  CHECK_OK(wave_model_set_integer(all.model, "n", std::int64_t{1} << 40, all.error.into()));
  CHECK_OK(wave_set(all.model, "time-limit", "0.3 s", all.error.into()));
  CHECK_OK(wave_set(all.model, "memory-limit", "1 GiB", all.error.into()));
  wave_model* const model = all.model;
  std::atomic<int> status{-1};
  std::thread evaluating([&] {
    wave_result* result = nullptr;
    status = wave_model_run(model, &result, nullptr);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  all.model = Model();
  evaluating.join();
  CHECK((status == WAVE_LIMIT || status == WAVE_MISUSE));  // misuse: it was closed before the call began
}

TEST_CASE("a thread with a small stack reads and evaluates models that nest deeply") {
  std::string deep = "1";
  for (int i = 0; i < 150; ++i) deep = "(" + deep + " + 1)";
  std::string text = "wave 1\nmodel M { output x = " + deep + " }\n";
  struct Work {
    const std::string& text;
    double value;
  } work{text, 0};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  REQUIRE(pthread_attr_setstacksize(&attributes, 256 << 10) == 0);
  pthread_t thread;
  const auto start = [](void* argument) -> void* {
    auto& its = *static_cast<Work*>(argument);
    wave_context* context = nullptr;
    wave_program* program = nullptr;
    wave_model* model = nullptr;
    wave_result* result = nullptr;
    wave_context_create(&context, nullptr);
    wave_program_load(context, "deep.wave", its.text.c_str(), nullptr, 0, &program, nullptr);
    wave_model_open(program, nullptr, &model, nullptr);
    wave_model_run(model, &result, nullptr);
    wave_result_value(result, "x", WAVE_REAL, &its.value, nullptr);
    wave_close(result);
    wave_close(model);
    wave_close(program);
    wave_close(context);
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, start, &work) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  CHECK(work.value == 151);
}
