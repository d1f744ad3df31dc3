// Where resources that processes share cost time, in small processes checked by hand.
#include "backend/processes/path/recorded_path.h"
#include "backend/processes/path/resource_load.h"
#include "backend/processes/path/resource_names.h"
#include "backend/processes/path/timeline.h"
#include "tests/unit/analysis/microseconds.h"
#include "tests/unit/analysis/model.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

using namespace wave;
using namespace wave::test;
using namespace wave::backend::processes;

namespace {

// Messages between nodes occupy the interface of the sender's node for 1 us a byte, and a link for 2 us.
std::string model_text(const std::string& body, const std::string& nic = "resource nic of node",
                       const std::string& levels = " levels { node: rank div 2 }") {
  return "wave 1\nimport std.comm { Machine }\nmachine Net : Machine {\n  levels node\n  " + nic + R"(
  resource link[k: 2] of process
  protocol inside(s: data) when within node { sender { busy 1 us; emit payload after 0 } receiver { await payload } }
  protocol between(s: data) {
    sender   { busy 1 us; emit payload via nic for s * 1 us/B via link[1] for 2 us after 5 us }
    receiver { await payload }
  }
}
model M {
  grid P[i: 4])" +
         levels + "\n  process p on P using Net() {\n" + body + "\n  }\n  output t = p.time\n}\n";
}
const char* const both_at_once =
    "if i <= 2 { send 8 B to [i+2] tag 7 }; if i > 2 { recv 8 B from [i-2] tag 7 }; if i == 1 { send 3 B to [i+1] }; "
    "if i == 2 { recv 3 B from [i-1] }";

double time_of(const CriticalPath& path, const std::string& word) {
  double sum = 0;
  for (const PathTerm& term : path.terms) {
    if (analysis::word_of(analysis::kind_of(term)) == word) sum += term.sum;
  }
  return sum;
}

}  // namespace

TEST_CASE("what waits for a shared resource is called after it on the critical path") {
  const auto breakdown = AnalysedModel(model_text(both_at_once)).breakdown("t");
  REQUIRE(breakdown.paths.size() == 1);
  const CriticalPath& path = breakdown.paths.front().path;
  // The second message leaves when the first one has passed: 1 us of overhead, 8 us in the queue, 5 us on its way.
  CHECK(path.total == us(14));
  CHECK(time_of(path, "waiting at nic of node") == us(8));
  CHECK(time_of(path, "gap") == 0);
  CHECK(breakdown.total == us(14));
}

TEST_CASE("what waits for a resource of its own process is a gap") {
  const auto breakdown = AnalysedModel(model_text("if i == 1 { isend 8 B to [i+2]; isend 8 B to [i+2]; waitall }; "
                                                  "if i == 3 { recv 8 B from [i-2]; recv 8 B from [i-2] }",
                                                  "resource nic of process"))
                             .breakdown("t");
  const CriticalPath& path = breakdown.paths.front().path;
  CHECK(path.total == us(14));
  CHECK(time_of(path, "gap") == us(8));
}

TEST_CASE("weights that are added up without detail are apart by resource") {
  AnalysedModel m(model_text(both_at_once));
  m.with_process([&](Run& run) {
    run.use_program([&](const ProgramInput& input) {
      const CriticalPath path = engine::find_critical_path(input, nullptr, {}, false);
      const auto waits =
          std::ranges::find_if(path.terms, [](const PathTerm& term) { return term.resource.has_value(); });
      REQUIRE(waits != path.terms.end());
      CHECK(resource_name(m.lowered.system, *waits->resource) == "nic of node");
      CHECK(waits->sum == us(8));
    });
  });
}

TEST_CASE("services and bytes of resources are counted without a time") {
  AnalysedModel m(model_text(both_at_once));
  m.with_process([&](Run& run) {
    const auto traffic = find_traffic(m.lowered.system, run.counts().tallies().messages);
    CHECK_FALSE(run.is_evaluated());
    REQUIRE(traffic.size() == 2);
    for (const auto& [key, through] : traffic) {
      CHECK(through.services == 2);
      CHECK(through.bytes.rounded() == 16);
    }
  });
}

TEST_CASE("a message that asks twice is two services and its bytes once") {
  AnalysedModel m(R"(wave 1
import std.comm { Machine }
machine Net : Machine {
  levels node
  resource nic of node
  protocol p(s: data) {
    sender   { busy 1 us; emit header via nic for 1 us after 2 us; emit payload via nic for 1 us after 2 us }
    receiver { await header; await payload via nic for 1 us }
  }
}
model M {
  grid P[i: 2] nodes (1)
  process p on P using Net() { if i == 1 { send 8 B to [i+1] }; if i == 2 { recv 8 B from [i-1] } }
  output t = p.time
}
)");
  m.with_process([&](Run& run) {
    const ResourceTraffic through = find_traffic(m.lowered.system, run.counts().tallies().messages).begin()->second;
    CHECK(through.services == 3);
    CHECK(through.bytes.rounded() == 16);  // once for each end
  });
}

TEST_CASE("the busiest instance is busy up to the end of the program") {
  AnalysedModel m(model_text(both_at_once));
  m.with_process([&](Run& run) {
    run.use_program([&](const ProgramInput& input) {
      std::string names;
      for (const auto& [key, found] : find_busiest(input, us(14))) {
        names += instance_name(input, found.instance) + "; ";
        if (resource_of(m.lowered.system, key).name == "link") continue;
        // From 1 us to 17 us, but the program has ended by then.
        CHECK(found.busy == us(13));
        CHECK(found.servers == 1);
      }
      CHECK(names == "nic of node 0; link[1] of P[1]; ");
    });
  });
}

TEST_CASE("a timeline has what shared resources do, with its message") {
  AnalysedModel m(model_text(both_at_once));
  m.with_process([&](Run& run) {
    run.use_program([&](const ProgramInput& input) {
      const Timeline timeline = record_timeline(input, [](std::uint32_t, std::size_t) { return true; });
      REQUIRE(timeline.services.size() == 2);  // the links are of a process each
      const Service &first = timeline.services[0], &second = timeline.services[1];
      CHECK(instance_name(input, first.by) == "nic of node 0");
      CHECK((first.begin == us(1) && first.end == us(9)));
      CHECK((second.begin == us(9) && second.end == us(17)));
      CHECK((second.sender == 1 && second.receiver == 3 && second.size == 8 && second.tag == 7));
      // Where nobody who shares it is wanted, it is not shown.
      const auto other_node = [](std::uint32_t rank, std::size_t) { return rank >= 2; };
      CHECK(record_timeline(input, other_node).services.empty());
    });
  });
}

TEST_CASE("servers of one resource serve side by side") {
  AnalysedModel m(model_text(both_at_once, "resource nic of node servers 2"));
  m.with_process([&](Run& run) {
    run.use_program([&](const ProgramInput& input) {
      const Timeline timeline = record_timeline(input, [](std::uint32_t, std::size_t) { return true; });
      REQUIRE(timeline.services.size() == 2);
      CHECK((timeline.services[0].server == 0 && timeline.services[1].server == 1));
      CHECK((timeline.services[0].begin == us(1) && timeline.services[1].begin == us(1)));
      CHECK(find_busiest(input, us(6)).begin()->second.busy == us(10));  // of both, 5 us each
    });
  });
}

TEST_CASE("on a grid without levels every process has its own") {
  AnalysedModel m(
      model_text("if i <= 2 { send 8 B to [i+2] }; if i > 2 { recv 8 B from [i-2] }", "resource nic of node", ""));
  m.with_process([&](Run& run) {
    run.use_program([&](const ProgramInput& input) {
      const Timeline timeline = record_timeline(input, [](std::uint32_t rank, std::size_t) { return rank == 1; });
      REQUIRE(timeline.services.size() == 1);
      CHECK(instance_name(input, timeline.services[0].by) == "nic of P[2]");
    });
  });
}
