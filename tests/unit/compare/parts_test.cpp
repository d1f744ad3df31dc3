// The parts of two sides, matched by name, add up to the difference.
#include "analysis/compare/changes.h"
#include "tests/unit/analysis/model.h"

#include <catch2/catch.hpp>

using namespace wave;
using namespace wave::test;
using analysis::PartsOfBoth;

namespace {

PartsOfBoth match_texts(const std::string& first, const std::string& second) {
  const auto a = AnalysedModel(first).breakdown("t"), b = AnalysedModel(second).breakdown("t");
  const auto both = analysis::match(a, b);
  double sum = both.rest;
  for (const auto& part : both.parts) sum += part.difference;
  CHECK(sum == b.total - a.total);
  return both;
}

const analysis::PartOfBoth& part(const PartsOfBoth& both, const std::string& name) {
  for (const auto& one : both.parts) {
    if (one.of.name == name) return one;
  }
  FAIL("no part " << name);
  return both.parts.front();
}

const std::string head = "wave 1\nmodel M { param n: int = ";
const std::string tail =
    "; param W: time = 10 us; param L: time = 7 us; output t = n * W + (if n > 5 then 2 * L else L) + 5 us }";

}  // namespace

TEST_CASE("parameters and literals meet by name, and what differs most comes first") {
  const auto both = match_texts(head + "3" + tail, head + "9" + tail);
  REQUIRE(both.parts.size() == 3);
  CHECK(both.parts[0].of.name == "W");
  CHECK(both.parts[0].first == 30e6);
  CHECK(both.parts[0].second == 90e6);
  CHECK(both.parts[0].difference == 60e6);
  CHECK(part(both, "L").difference == 7e6);
  CHECK(part(both, "5 us").difference == 0);
  CHECK(both.rest == 0);
}

TEST_CASE("what one side alone has is a part, too") {
  const auto both = match_texts("wave 1\nmodel M { param a: time = 3 us; param b: time = 4 us; output t = a }",
                                "wave 1\nmodel M { param a: time = 3 us; param b: time = 4 us; output t = b }");
  CHECK(part(both, "a").in_first);
  CHECK_FALSE(part(both, "a").in_second);
  CHECK(part(both, "a").difference == -3e6);
  CHECK(part(both, "b").difference == 4e6);
}

TEST_CASE("jumps are in the rest") {
  const std::string text = "wave 1\nmodel M { param a: time = 3 us; param s: time = ";
  const auto both =
      match_texts(text + "2.5 us; output t = a * (s div 1 us) }", text + "4.5 us; output t = a * (s div 1 us) }");
  CHECK(part(both, "a").difference == 6e6);
}

TEST_CASE("kinds of time along critical paths are held against each other") {
  const std::string model = std::string(machine_text) +
                            "model M { param net: Net = Net() grid P[i: 4]\n"
                            "process p on P using net { compute(";
  const std::string rest = ") send 8 B to [i+1] recv 8 B from [i-1] } output t = p.time }";
  const auto a = AnalysedModel(model + "1 us" + rest).breakdown("t"),
             b = AnalysedModel(model + "5 us" + rest).breakdown("t");
  const auto kinds = analysis::match_paths(a, b);
  double difference = 0;
  for (const auto& one : kinds) {
    CHECK(one.process == "p");
    difference += one.second - one.first;
    if (one.kind.first == backend::processes::Cause::Kind::compute) CHECK(one.second - one.first == 4e6);
  }
  CHECK(difference == b.total - a.total);
}
