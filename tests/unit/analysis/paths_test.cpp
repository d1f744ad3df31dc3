// Which processes a time consists of: those that the evaluation came to and that count, not those that the text names.
#include "analysis/parts_of_time.h"
#include "tests/unit/analysis/microseconds.h"
#include "tests/unit/analysis/model.h"

#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace wave;
using namespace wave::test;

namespace {

// Processes of 10, 1 and 20 us, one that fails, and the same again in a model inside.
std::string model_text(const std::string& output) {
  return std::string(machine_text) + R"(
model Inside {
  param net: Net = Net()
  param kind: a | b | c = b
  grid P[i: 2]
  process pa on P using net { compute(10 us) }
  process pb on P using net { compute(1 us) }
  output step = when { kind == a: pa.time; else: pb.time }
}
model M {
  param net: Net = Net()
  param kind: a | b | c = b
  param k: int = 3
  grid P[i: 2]
  process pa on P using net { compute(10 us) }
  process pb on P using net { compute(if i == 2 then 1 us else 0.5 us) }
  process pc on P using net { compute(20 us) }
  process stuck on P using net { compute(if i > 1 then error("stuck") else 1 us) }
  process asks on P using net { compute(pb.time) }
  let times = [pa.time, pb.time, pc.time]
  let inner = Inside(kind = b)
  fn chosen(n: int): time = when { n == 1: pa.time; n == 2: pb.time; n == 3: pc.time; else: stuck.time }
  output t = )" +
         output + "\n}\n";
}

using Paths = std::map<std::string, double>;  // how often each counts

Paths paths_of(const analysis::Breakdown& breakdown) {
  Paths paths;
  for (const analysis::PathOfProcess& one : breakdown.paths) paths[one.process] = one.times;
  return paths;
}

struct Case {
  const char* output;
  Paths paths;
};

const std::vector<Case> cases{
    {"pb.time", {{"pb", 1}}},
    {"when { kind == a: pa.time; kind == b: pb.time; else: pc.time }", {{"pb", 1}}},
    {"when { kind == a: stuck.time; else: pb.time }", {{"pb", 1}}},
    {"if kind == b then pa.time else pc.time", {{"pa", 1}}},
    {"if k > 2 then (if k > 3 then pa.time else pb.time) else stuck.time", {{"pb", 1}}},
    {"max(pa.time, pb.time, pc.time)", {{"pc", 1}}},
    {"min(pa.time, pb.time, pc.time)", {{"pb", 1}}},
    {"max(pa.time, 15 us)", {}},
    {"pa.time + pb.time", {{"pa", 1}, {"pb", 1}}},
    {"pa.time + when { k == 3: pc.time; else: stuck.time }", {{"pa", 1}, {"pc", 1}}},
    {"2 * pa.time + pb.time / 4", {{"pa", 2}, {"pb", 0.25}}},
    {"pa.time + pb.time - pa.time", {{"pb", 1}}},
    {"times[k]", {{"pc", 1}}},
    {"times[1] + times[2]", {{"pa", 1}, {"pb", 1}}},
    {"[pa.time, stuck.time, pc.time][k]", {{"pc", 1}}},
    {"max(x in times: x)", {{"pc", 1}}},
    {"sum(x in times: x)", {{"pa", 1}, {"pb", 1}, {"pc", 1}}},
    {"sum(n in 1..2: chosen(n))", {{"pa", 1}, {"pb", 1}}},
    {"chosen(k)", {{"pc", 1}}},
    {"chosen(2) + chosen(3)", {{"pb", 1}, {"pc", 1}}},
    {"if pa.time > 5 us and pb.time > 5 us then stuck.time else pc.time", {{"pc", 1}}},
    {"if pa.time > 5 us or stuck.time > 5 us then pb.time else stuck.time", {{"pb", 1}}},
    {"if k == 4 and stuck.time > 5 us then pa.time else pb.time", {{"pb", 1}}},
    {"when { k == 3: pc.time; else: pa.finish.mean }", {{"pc", 1}}},
    {"inner.step", {{"inner.pb", 1}}},
    {"inner.step + pb.time", {{"inner.pb", 1}, {"pb", 1}}},
    {"pb.finish[1] + pb.finish[2]", {{"pb (1)", 1}, {"pb (2)", 1}}},
    {"max(i in 1..2: pb.finish[i])", {{"pb (2)", 1}}},
    {"asks.time", {{"asks", 1}}},
    {"asks.time + pb.time", {{"asks", 1}, {"pb", 1}}},
    {"sqrt(pa.time * pa.time)", {{"pa", 1}}},
};

}  // namespace

TEST_CASE("a time consists of the processes that its evaluation came to") {
  for (const Case& one : cases) {
    INFO(one.output);
    AnalysedModel model(model_text(one.output));
    const auto breakdown = model.breakdown("t");
    auto expected = one.paths;
    Paths found = paths_of(breakdown);
    for (auto& [name, times] : found) {
      // With several times of a process that are asked for, only one of which counts, its place is said.
      INFO(name);
      CHECK(expected.count(name) == 1);
      CHECK(times == Approx(expected[name]));
      expected.erase(name);
    }
    CHECK(expected.empty());
    double sum = 0;
    for (const auto& path : breakdown.paths) sum += path.times * path.path.total;
    if (!one.paths.empty()) CHECK(sum == Approx(breakdown.total));
  }
}

TEST_CASE("another point chooses another process") {
  for (const auto& [kind, process] : std::map<std::string, std::string>{{"a", "pa"}, {"b", "pb"}, {"c", "pc"}}) {
    const std::string output = "(when { kind == a: pa.time; kind == b: pb.time; else: pc.time })";
    std::string text = model_text(output);
    text.replace(text.rfind("a | b | c = b"), 13, "a | b | c = " + kind);
    CHECK(paths_of(AnalysedModel(text).breakdown("t")) == Paths{{process, 1}});
  }
}

TEST_CASE("outputs that read different processes of one text have each their own paths") {
  const auto text = model_text("when { kind == a: pa.time; else: pb.time }");
  std::string two = text;
  two.insert(two.rfind("\n}"),
             "\n  output u = when { kind == b: pa.time; else: pb.time }\n  output v = pa.time + pc.time");
  AnalysedModel model(two);
  CHECK(paths_of(model.breakdown("t")) == Paths{{"pb", 1}});
  CHECK(paths_of(AnalysedModel(two).breakdown("u")) == Paths{{"pa", 1}});
  CHECK(paths_of(AnalysedModel(two).breakdown("v")) == Paths{{"pa", 1}, {"pc", 1}});
}

TEST_CASE(
    "times at points are taken apart by kind if processes are all there is to them, else by what carries the time") {
  const auto parts = [](const std::string& output) {
    AnalysedModel model(model_text(output));
    const auto found = analysis::parts_of_time(model.lowered, "t", interpreter, {});
    REQUIRE(found);
    double sum = 0;
    for (const auto& part : found->parts()) sum += part.second;
    CHECK(sum == Approx(found->total));
    return found->kinds.empty() ? std::string("shares") : found->kinds.front().first;
  };
  CHECK(parts("pb.time") == "compute");
  CHECK(parts("2 * pa.time + pb.time") == "compute");
  CHECK(parts("when { kind == a: stuck.time; else: pb.time }") == "compute");
  CHECK(parts("max(pa.time, 15 us)") == "shares");
  CHECK(parts("pa.time + 15 us") == "shares");
}
