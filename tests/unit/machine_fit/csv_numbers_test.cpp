// Numbers in tables with columns that a double hardly holds, and rows with which a table ends.
#include "tests/unit/machine_fit/benchmarks.h"

#include <catch2/catch.hpp>

using namespace wave::tests;
using fit::BenchmarkMeasure;
using fit::Tool;

namespace {

const fit::Series& latencies(const Read& read) {
  for (const auto& one : read.problems) UNSCOPED_INFO(one);
  REQUIRE(read.problems.empty());
  const auto* found = read.timings.find(BenchmarkMeasure::latency);
  REQUIRE(found != nullptr);
  return *found;
}

}  // namespace

TEST_CASE("a time with more digits than a double is read, and has no resolution") {
  const std::string digits = "1." + std::string(210, '0');
  for (const std::string& number : {digits, "+" + digits, digits + "e0"}) {
    INFO(number);
    const auto found = read(Tool::csv, "size [B],time [us]\n1," + number + "\n2,1.5\n");
    const auto& series = latencies(found);
    REQUIRE(series.samples.size() == 2);
    CHECK(series.samples[0].time == 1);
    CHECK(series.samples[0].resolution == 0);
    CHECK(series.samples[1].resolution == Approx(0.05));
  }
}

TEST_CASE("a time that is nearly zero is refused as zero is") {
  for (const char* row : {"us]\n1,0", "us]\n1,1e-330", "h]\n1,1e-330", "h]\n1,1e-322", "us]\n1,1e-310"}) {
    INFO(row);
    const auto found = read(Tool::csv, std::string("size [B],time [") + row + "\n");
    REQUIRE(found.problems.size() == 1);
    CHECK(found.problems.front().find("a time has to be a positive number") != std::string::npos);
  }
}

TEST_CASE("the last object of a table is whole without a line end, and the last number of a line may not be") {
  const auto objects = read(Tool::csv, R"({"size [B]": 1, "time [us]": 1.001}
{"size [B]": 2, "time [us]": 1.5})");
  CHECK(latencies(objects).samples.size() == 2);
  const auto lines = read(Tool::csv, "size [B],time [us]\n1,1.001\n2,1.5");
  CHECK(latencies(lines).samples.size() == 1);
}
