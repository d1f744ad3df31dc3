// Where the time of outputs goes: every share is checked by hand, and all of them add up exactly to the total.
#include "tests/unit/analysis/microseconds.h"
#include "tests/unit/analysis/model.h"

#include <catch2/catch.hpp>

using namespace wave;
using namespace wave::test;

namespace {

struct Shares {
  analysis::Breakdown breakdown;
  double operator[](const std::string& name) const { return AnalysedModel::share(breakdown, name); }
};

Shares shares(const std::string& text, const std::string& output = "t") {
  return {AnalysedModel(text).breakdown(output)};
}

}  // namespace

TEST_CASE("a sum is broken down into parameters and literals") {
  const auto of =
      shares("wave 1\nmodel M { param W: time = 10 us; param L: time = 7 us; output t = 3 * W + L + 5 us }");
  CHECK(of["W"] == us(30));
  CHECK(of["L"] == us(7));
  CHECK(of["5 us"] == us(5));
  CHECK(of.breakdown.rest == 0);
}

TEST_CASE("a parameter that is made of others is not a share") {
  const auto of = shares("wave 1\nmodel M { param Wg: time = 2 us; param W: time = Wg * 4; output t = W }");
  CHECK(of["Wg"] == us(8));
  CHECK(of["W"] == 0);
}

TEST_CASE("a maximum follows its first largest operand") {
  const auto of = shares(
      "wave 1\nmodel M { param a: time = 3 us; param b: time = 3 us; param c: time = 2 us; output t = max(c, a, b) }");
  CHECK(of["a"] == us(3));
  CHECK(of["b"] == 0);
  CHECK(of["c"] == 0);
}

TEST_CASE("exponents of time count") {
  // The output is 1/time, so the share is negative.
  const auto of =
      shares("wave 1\nmodel M { param rate: 1/time = 4 MHz; param L: time = 1 us; output t = 2 / rate + L }");
  CHECK(of["rate"] == Approx(us(0.5)));
  CHECK(of["L"] == us(1));
  const auto root = shares("wave 1\nmodel M { param a: time = 4 us; param b: time = 9 us; output t = sqrt(a * b) }");
  CHECK(root["a"] == Approx(us(3)));
  CHECK(root["b"] == Approx(us(3)));
}

TEST_CASE("a recurrence is broken down along the constraints that count") {
  const std::string text =
      "wave 1\nmodel M { param W: time = 5 us; param a: time = 3 us; param b: time = 1 us; param n: int = 4; grid P[i: "
      "n, j: n]\n"
      "rec s[i, j] over P: time = max(s[i-1, j] + W + a, s[i, j-1] + W + b) else 2 us\n output t = s[n, n] }";
  const auto of = shares(text);
  CHECK(of["W"] == us(30));
  CHECK(of["a"] == us(9));
  CHECK(of["b"] == us(3));
  CHECK(of["2 us"] == us(2));
}

TEST_CASE("a general recurrence is broken down too") {
  const std::string text =
      "wave 1\nmodel M { param W: time = 5 us; param n: int = 4\n"
      "rec s[i in 1..n]: time = (if i == 1 then 1 us else 2 * s[i-1] + W) \n output t = s[n] }";
  const auto of = shares(text);
  CHECK(of["1 us"] == us(8));
  CHECK(of["W"] == us(35));
}

TEST_CASE("functions and sums are looked through") {
  const std::string text =
      "wave 1\nmodel M { param L: time = 4 us; param G: time/data = 2 us/B\n"
      "fn cost(s: data): time = L + s * G\n output t = sum(k in 1..3: cost(k * 1 B)) + max(k in 1..3: cost(k * 1 B)) }";
  const auto of = shares(text);
  CHECK(of["L"] == us(16));
  CHECK(of["G"] == us(18));
}

TEST_CASE("a table of times is a share") {
  const auto of =
      shares("wave 1\nmodel M { let w = table { 1 B: 10 us, 3 B: 30 us } linear\n output t = w(2 B) + 1 us }");
  CHECK(of["table"] == us(20));
  CHECK(of["1 us"] == us(1));
}

TEST_CASE("a process is broken down along its critical path") {
  const std::string text =
      std::string(machine_text) +
      "model M {\n  param net: Net = Net()\n  param W: time = 50 us\n  grid P[i: 4]\n  process p on P using net {\n"
      "  sweep from [(+)] tiles 3 { recv 8 B from upwind i; compute(W); send 8 B to downwind i }\n }\n  output t = 2 * "
      "p.time }\n";
  const auto of = shares(text);
  const double total = of.breakdown.total;
  CHECK(of["W"] + of["net.o"] + of["net.L"] + of["net.G"] == total);
  CHECK(of["W"] == us(2 * 6 * 50));  // three tiles here and three hops, or the like
  CHECK(of["net.L"] == us(2 * 3 * 10));
  CHECK(of["net.G"] == us(2 * 3 * 8));
}

TEST_CASE("a computation that varies over the grid is taken apart where it is on the path") {
  const std::string text =
      std::string(machine_text) +
      "model M {\n  param net: Net = Net()\n  param W: time = 50 us\n  grid P[i: 4]\n  process p on P using net {\n"
      "  compute(i * W + 1 us); barrier()\n }\n  output t = p.time\n  output second = p.finish[2] }\n";
  const auto of = shares(text);
  CHECK(of["W"] == us(200));
  CHECK(of["1 us"] == us(1));
  CHECK(of["5 us"] == us(5));
  const auto second = shares(text, "second");
  CHECK(second["W"] == us(200));
}

TEST_CASE("a processor that is busy with what an `acquire` asked for counts as the `busy` behind it") {
  // Process 2 is busy with its own message until 3 us. Only then it takes in the one that came at 1 us.
  const auto of = shares(
      "wave 1\nmachine Net {\n  resource tx of process\n  protocol p(s: data) {\n"
      "    sender { acquire tx for 7 us; emit payload after 1 us; busy 3 us }\n"
      "    receiver { on arrival of payload busy 2 us; await payload }\n  }\n}\n"
      "model M {\n  grid P[i: 2]\n  process p on P using Net() {\n    if i == 1 { isend 8 B to [i+1]; recv from [i+1] "
      "}\n"
      "    if i == 2 { isend 8 B to [i-1]; recv from [i-1] }\n  }\n  output t = p.finish[2]\n}\n");
  CHECK(of.breakdown.total == us(5));
  CHECK(of["3 us"] == us(3));
  CHECK(of["2 us"] == us(2));
  CHECK(of["7 us"] == 0);
  CHECK(of.breakdown.rest == 0);
}

TEST_CASE("a computation that varies by tile is in the share of what it is made of") {
  const std::string text =
      std::string(machine_text) +
      "model M {\n  param net: Net = Net()\n  param W: time = 50 us\n  grid P[i: 4]\n  process p on P using net {\n"
      "  sweep from [(+)] tiles 3 { compute(tile * W) }\n }\n  output t = p.time }\n";
  const auto of = shares(text);
  CHECK(of["W"] == us(300));
  CHECK(of["p: compute"] == 0);
}

namespace {

// Process 2 computes for 2 us, and waits for a message: 1 + 2 + 18 us until it is there, and 2 us more.
Shares shares_of_exchange(const std::string& output, const std::string& around = "") {
  return shares(std::string(machine_text) +
                "model M {\n  param net: Net = Net()\n  grid P[i: 2]\n  process p on P using net {\n" + around +
                " {\n    phase \"work\" { compute(i * 1 us) }\n    phase \"exchange\" {\n"
                "      if i == 1 { send 8 B to [i+1] }\n      if i == 2 { recv 8 B from [i-1] }\n    }\n  }\n"
                "  }\n  output t = " +
                output + "\n}\n");
}

double sum_of(const analysis::Breakdown& breakdown) {
  double sum = breakdown.rest;
  for (const auto& share : breakdown.shares) sum += share.time;
  return sum;
}

}  // namespace

TEST_CASE("the computation and overhead of a process are what its own program spends") {
  const auto compute = shares_of_exchange("p.compute", "repeat 3"),
             overhead = shares_of_exchange("p.overhead", "repeat 3");
  CHECK(compute["1 us"] == us(6));
  CHECK(compute.breakdown.total == us(6));
  CHECK(overhead["net.o"] == us(6));
  CHECK(overhead["1 us"] == 0);
  CHECK(shares_of_exchange("p.compute[1]", "repeat 3")["1 us"] == us(3));
  CHECK(compute.breakdown.paths.front().path.of == backend::processes::CriticalPath::Of::program);
}

TEST_CASE("waiting is the critical path without what the process does itself, whose shares may be negative") {
  const auto wait = shares_of_exchange("p.wait", "repeat 1");
  CHECK(wait.breakdown.total == us(19));
  CHECK(wait["1 us"] == us(-1));
  CHECK(wait["net.o"] == us(2));
  CHECK(wait["net.L"] == us(10));
  CHECK(sum_of(wait.breakdown) == us(19));
}

TEST_CASE("the time in a phase is the difference of the paths to its ends") {
  const auto exchange = shares_of_exchange("p.phase(\"exchange\")", "repeat 1");
  CHECK(exchange.breakdown.total == us(21));
  CHECK(exchange["1 us"] == us(-1));
  CHECK(exchange["net.o"] == us(4));
  CHECK(exchange["net.L"] == us(10));
  CHECK(sum_of(exchange.breakdown) == us(21));
  CHECK(shares_of_exchange("p.phase(\"work\")", "repeat 3")["1 us"] == us(6));
  for (const char* const times : {"repeat 2", "repeat 7"}) {
    for (const char* const phase : {"work", "exchange"}) {
      for (const char* const of : {"", ".compute", ".overhead", ".wait"}) {
        const auto part = shares_of_exchange("p.phase(\"" + std::string(phase) + "\")" + of, times);
        INFO(times << ", " << phase << of);
        CHECK(part.breakdown.why_not == "");
        CHECK(sum_of(part.breakdown) == part.breakdown.total);
      }
    }
  }
}

TEST_CASE("a collective that is an algorithm is taken apart in a formula, too, for each of its arguments") {
  const std::string text =
      "wave 1\nmachine Tree {\n  param L: time = 10 us\n  protocol eager(s: data) {\n"
      "    sender { emit payload after L + s * 1 us/B }\n    receiver { await payload; busy 2 us }\n  }\n"
      "  collective pass(s: data) on R[r: p] {\n    recv s from [r-1]\n    send s to [r+1]\n  }\n}\n"
      "model M {\n  param net: Tree = Tree()\n  param W: time = 5 us\n"
      "  fn both(n: int): time = W + net.pass(8 B, n) + net.pass(16 B, n)\n"
      "  output t = 1 s + both(4)\n  output one = net.pass(8 B, 4)\n  output many = sum(n in "
      "2..5: net.pass(8 B, n)) }\n";
  for (const char* const output : {"t", "one", "many"}) {
    const auto of = shares(text, output);
    INFO(output);
    CHECK(of.breakdown.why_not == "");
    CHECK(sum_of(of.breakdown) == Approx(of.breakdown.total).epsilon(1e-15));
    CHECK(of["net.L"] > 0);
  }
  const auto one = shares(text, "one"), both = shares(text, "t");
  CHECK(one["net.L"] == us(3 * 10));  // three hops
  CHECK(both["net.L"] == us(2 * 3 * 10));
  CHECK(both["W"] == us(5));
  REQUIRE(one.breakdown.paths.size() == 1);
  CHECK(one.breakdown.paths.front().path.total == one.breakdown.total);
}

TEST_CASE("the greatest and the least time of all processes is taken apart where that process is") {
  CHECK(shares_of_exchange("p.compute.max", "repeat 3")["1 us"] == us(6));
  CHECK(shares_of_exchange("p.compute.min", "repeat 3")["1 us"] == us(3));
}
