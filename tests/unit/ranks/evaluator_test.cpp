// Computes on a thread, in parts.
#include "analysis/study/ranks/evaluator.h"

#include <catch2/catch.hpp>

#include <new>

using wave::PointRange;
using namespace wave::ranks;
using namespace std::chrono_literals;

namespace {

Evaluator::Result evaluate(PointRange range, const Work& work, double seconds = 1000) {
  Evaluator evaluator(work, seconds);
  CHECK(evaluator.is_idle());
  evaluator.start(range);
  CHECK_FALSE(evaluator.is_idle());
  for (;;) {
    if (auto result = evaluator.wait(1ms)) {
      CHECK(evaluator.is_idle());
      return std::move(*result);
    }
  }
}

}  // namespace

TEST_CASE("a range is computed whole, in parts that grow") {
  const auto result = evaluate({100, 1'000'100}, {[](PointRange range) { return std::to_string(range.begin); }});
  CHECK_FALSE(result.trouble);
  CHECK(result.range == PointRange{100, 1'000'100});
  CHECK(result.parts.size() < 12);
  CHECK(result.parts.front().range.size() < 1000);
  std::uint64_t at = 100;
  for (const ComputedRange& part : result.parts) {
    CHECK(part.range.begin == at);
    CHECK(part.bytes == std::to_string(at));
    at = part.range.end;
  }
  CHECK(at == 1'000'100);
}

TEST_CASE("what takes too long is left unfinished") {
  const auto result = evaluate({0, 1000}, {[](PointRange range) {
                                 std::this_thread::sleep_for(5ms * range.size());
                                 return std::string();
                               }},
                               0.01);
  CHECK_FALSE(result.trouble);
  REQUIRE_FALSE(result.parts.empty());
  CHECK(result.parts.back().range.end < 1000);
}

TEST_CASE("one point is computed however long it takes") {
  const auto result = evaluate({7, 8}, {[](PointRange) {
                                 std::this_thread::sleep_for(20ms);
                                 return std::string("x");
                               }},
                               1e-6);
  CHECK(result.parts.size() == 1);
  CHECK(result.seconds >= 0.02);
}

TEST_CASE("trouble leaves what was done before it") {
  const auto work = [](auto trouble) {
    return Work{[trouble](PointRange range) -> std::variant<std::string, Trouble> {
      if (range.end > 50) return trouble();
      return std::string("x");
    }};
  };
  const auto told = evaluate({0, 100}, work([] { return Trouble{"enough"}; }));
  CHECK(told.trouble->text == "enough");
  CHECK(told.parts.back().range.end <= 50);
  CHECK(evaluate({0, 100}, work([]() -> Trouble { throw std::runtime_error("odd"); })).trouble->text == "odd");
  CHECK(evaluate({0, 100}, work([]() -> Trouble { throw std::bad_alloc(); })).trouble->text.find("memory") !=
        std::string::npos);
}

TEST_CASE("an evaluator that is not wanted any more stops") {
  auto told = std::make_shared<std::atomic<bool>>(false);
  Evaluator evaluator({[told](PointRange) -> std::variant<std::string, Trouble> {
                         while (!*told) std::this_thread::sleep_for(1ms);
                         return Trouble{"stopped"};
                       },
                       [told] { *told = true; }},
                      1);
  evaluator.start({0, 10});
}
