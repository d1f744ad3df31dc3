// How the right side of a recurrence becomes constraints or a body.
#include "tests/unit/frontend_lower/lowered.h"

#include <catch2/catch.hpp>

using wave::tests::Model;

TEST_CASE("max of sums becomes constraints, a summand as written is one weight") {
  Model model(R"(
model M {
  param n: int = 3
  param W: time = 5 us
  let pair = W + 2 us
  grid P[i: n, j: n]
  rec s[i, j] over P: time = max(s[i-1, j] + W + 1 us + pair, W + (s[i, j-1] - 1 us)) else W + pair
  output corner = s[n, n]
})");
  const auto& event = model.event("s");
  REQUIRE(event.exact);
  REQUIRE(event.constraints.size() == 2);
  CHECK(event.constraints[0].weights.size() == 3);
  CHECK(event.constraints[0].offset == std::vector<std::int32_t>{-1, 0});
  CHECK(event.constraints[1].weights.size() == 2);
  CHECK(event.constraints[1].offset == std::vector<std::int32_t>{0, -1});
  CHECK(event.otherwise.size() == 2);
  // (1,1) = 12 us; four steps of 5 + 1 + 7 us along the costlier direction where it can be taken: two of them.
  CHECK(model.real("corner") == (12 + 2 * 13 + 2 * 4) * 1e6);
}

TEST_CASE("an if on indices becomes guards") {
  Model model(R"(
model M {
  rec s[k in 1..6]: time = if k mod 2 == 0 then s[k-1] + 1 us else s[k-1] + 10 us else 0
  output last = s[6]
})");
  const auto& event = model.event("s");
  REQUIRE(event.constraints.size() == 2);
  CHECK(event.constraints[0].guard.valid());
  CHECK(model.real("last") == 23e6);
}

TEST_CASE("min beside max is a body over rounded summands") {
  Model model(R"(
model M {
  rec s[k in 1..4]: time = min(s[k-1] + 3 us, max(s[k-2], s[k-1]) + 2 us) else 1 us
  output last = s[4]
})");
  const auto& event = model.event("s");
  CHECK(event.general());
  CHECK(event.exact);
  CHECK(model.real("last") == 7e6);
}

TEST_CASE("a product of values is evaluated as written") {
  Model model(R"(
model M {
  rec s[k in 1..5]: real = s[k-1] * s[k-1] + 1 else 1
  output last = s[5]
})");
  CHECK(model.event("s").general());
  CHECK_FALSE(model.event("s").exact);
  CHECK(model.real("last") == 677);
}

TEST_CASE("recurrences defined together are neighbours of each other") {
  Model model(R"(
model M {
  grid P[r: 5]
  rec a[r] over P: time = b[r-1] + 1 us else 0
  rec b[r] over P: time = a[r] + 10 us
  output last = b[5]
})");
  CHECK(model.real("last") == 54e6);
  CHECK(model.event("a").space == model.event("b").space);
  CHECK(model.event("b").constraints.size() == 1);
}

TEST_CASE("a finished recurrence is a weight of the next") {
  Model model(R"(
model M {
  grid P[r: 4]
  rec work[r] over P: time = r * 1 us
  rec done[r] over P: time = done[r-1] + work[r] else work[r]
  output last = done[4]
})");
  CHECK(model.event("done").exact);
  CHECK(model.event("done").constraints.size() == 1);
  CHECK(model.real("last") == 10e6);
}

TEST_CASE("local lets are looked through") {
  Model model(R"(
model M {
  rec s[k in 1..4]: time =
    let cost = k * 1 us
    let before = s[k-1]
    before + cost
    else 1 us
  output last = s[4]
})");
  CHECK(model.event("s").constraints.size() == 1);
  CHECK(model.real("last") == 10e6);
}

TEST_CASE("integers count without quantum") {
  Model model(R"(
model M {
  rec fib[k in 1..50]: int = fib[k-1] + fib[k-2] else 1
  output last = fib[50]
})");
  CHECK_FALSE(model.event("fib").exact);
  CHECK(model.integer("last") == 12586269025);
}

namespace {

// A recurrence with `count` `let`s, each of which has the form with the one before it as `@`.
std::string chain_of_lets(const std::string& form, int count) {
  std::string text = "model M {\n  param n: int = 9\n  rec f[i in 1..n]: time =\n    let a0 = f[i-1] + 1 us\n";
  for (int k = 1; k < count; ++k) {
    std::string body = form;
    for (std::size_t at = body.find('@'); at != std::string::npos; at = body.find('@'))
      body.replace(at, 1, "a" + std::to_string(k - 1));
    text += "    let a" + std::to_string(k) + " = " + body + "\n";
  }
  return text + "    a" + std::to_string(count - 1) + " else 0 us\n  output t = f[n]\n}\n";
}

std::size_t nodes_of_lets(const std::string& form, int count) {
  return Model(chain_of_lets(form, count)).system().values.size();
}

}  // namespace

TEST_CASE("lets that read each other twice take nodes in proportion to their number") {
  for (const std::string form :
       {"max(@, @ + 1 us)", "min(@, @ + 1 us)", "if i > 3 then @ + 1 us else @ + 2 us",
        "if i > 3 then max(@, @ + 1 us) else @", "max(2 * @, @ + 1 us)", "if @ > 3 us then @ + 1 us else @"}) {
    CAPTURE(form);
    const std::size_t some = nodes_of_lets(form, 30), more = nodes_of_lets(form, 60), many = nodes_of_lets(form, 90);
    CHECK(many - more == more - some);
  }
}

TEST_CASE("maxima inside each other are multiplied out as long as there are few, and mean the same beyond") {
  const auto chain = [](int count) { return Model(chain_of_lets("max(@, 1 us) + 1 us", count)); };
  Model few = chain(20), many = chain(300);  // some 300 * 300 / 2 summands
  CHECK(few.event("f").constraints.size() == 20);
  CHECK(many.event("f").constraints.empty());
  CHECK(few.real("t") == 9 * 20e6);
  CHECK(many.real("t") == 9 * 300e6);
}
