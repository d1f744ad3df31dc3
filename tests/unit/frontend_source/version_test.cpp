// Ranges of versions take what semver.org calls compatible.
#include "frontend/project/version.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using wave::frontend::parse_version;
using wave::frontend::VersionRange;

TEST_CASE("ranges take the versions that they describe, and no others") {
  struct Case {
    std::string range;
    std::vector<std::string> taken, left;
  };
  const std::vector<Case> cases = {
      {"*", {"0.0.0", "1.2.3", "999999.0.0"}, {}},
      {"1.2", {"1.2.0", "1.2.7", "1.9.0"}, {"1.1.9", "2.0.0"}},
      {"^1.2.3", {"1.2.3", "1.3.0"}, {"1.2.2", "2.0.0"}},
      {"1", {"1.0.0", "1.99.0"}, {"0.9.9", "2.0.0"}},
      {"0.2", {"0.2.0", "0.2.9"}, {"0.1.9", "0.3.0", "1.0.0"}},
      {"0.0.3", {"0.0.3"}, {"0.0.2", "0.0.4"}},
      {"0", {"0.0.0", "0.9.0"}, {"1.0.0"}},
      {"0.0", {"0.0.0", "0.0.9"}, {"0.1.0"}},
      {"~1.2", {"1.2.0", "1.2.9"}, {"1.1.0", "1.3.0"}},
      {"~1.2.3", {"1.2.3", "1.2.9"}, {"1.2.2", "1.3.0"}},
      {"~1", {"1.0.0", "1.9.0"}, {"2.0.0"}},
      {"=1.2.3", {"1.2.3"}, {"1.2.2", "1.2.4"}},
      {"=1.2", {"1.2.0", "1.2.9"}, {"1.3.0"}},
      {">=1.0, <1.5", {"1.0.0", "1.4.9"}, {"0.9.9", "1.5.0"}},
      {">1.2, <=1.4", {"1.3.0", "1.4.9"}, {"1.2.9", "1.5.0"}},
      {">1.2.3", {"1.2.4", "5.0.0"}, {"1.2.3"}},
  };
  for (const Case& one : cases) {
    const auto range = VersionRange::parse(one.range);
    INFO(one.range);
    REQUIRE(range);
    for (const auto& version : one.taken) CHECK(range->contains(*parse_version(version)));
    for (const auto& version : one.left) CHECK_FALSE(range->contains(*parse_version(version)));
  }
}

TEST_CASE("what is no version and no range is not taken for one") {
  for (const char* const text :
       {"", "1", "1.2", "1.2.3.4", "1.2.x", "-1.2.3", "1.2.3-rc", " 1.2.3", "1..3", "9999999.0.0"})
    CHECK_FALSE(parse_version(text));
  for (const char* const text : {"", "latest", ">=", "1.2.3.4", "1.2,", "=>1", "1.2 1.3", "!1.0", "1.x"})
    CHECK_FALSE(VersionRange::parse(text));
}

TEST_CASE("what changes asks for a version, and before 1.0 the second number plays the first") {
  using wave::frontend::may_have;
  using wave::frontend::next;
  using wave::frontend::Step;
  struct Case {
    std::string before;
    Step step;
    std::string next;
  };
  const std::vector<Case> cases = {
      {"1.2.3", Step::none, "1.2.3"},  {"1.2.3", Step::patch, "1.2.4"}, {"1.2.3", Step::minor, "1.3.0"},
      {"1.2.3", Step::major, "2.0.0"}, {"0.2.3", Step::patch, "0.2.4"}, {"0.2.3", Step::minor, "0.2.4"},
      {"0.2.3", Step::major, "0.3.0"}, {"0.0.3", Step::major, "0.1.0"},
  };
  for (const auto& one : cases) {
    const auto before = *parse_version(one.before), after = *parse_version(one.next);
    CAPTURE(one.before, one.next);
    CHECK(to_string(next(before, one.step)) == one.next);
    CHECK(may_have(after, before, one.step));
    CHECK(may_have(*parse_version("3.0.0"), before, one.step));
    CHECK(may_have(before, before, one.step) == (one.step == Step::none));
  }
  CHECK_FALSE(may_have(*parse_version("1.9.0"), *parse_version("1.2.3"), Step::major));
}
