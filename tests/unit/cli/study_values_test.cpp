// What is said of points that failed, and points as `-D` takes them.
#include "cli/studies/evaluated_points.h"
#include "cli/studies/point_table.h"

#include <catch2/catch.hpp>

namespace wave::test {
namespace {

using analysis::ResultColumn;
namespace types = frontend::types;

frontend::TypeRef type_of(frontend::Type type) { return std::make_shared<const frontend::Type>(std::move(type)); }

TEST_CASE("others that failed in one way are counted without the first") {
  CHECK(analysis::and_others(1).empty());
  CHECK(analysis::and_others(2) == ", and in another one");
  CHECK(analysis::and_others(3, "at") == ", and at 2 others");
}

TEST_CASE("a value that varies is given to -D to the last bit, or not at all") {
  const double third = 1.0 / 3;
  const auto time = type_of({types::Real{{1, 0, 0}}}), work = type_of({types::Real{{0, 0, 1}}});
  const ResultColumn n{{std::vector<std::int64_t>{4, 8}, {}, {}}, "n", type_of({types::Int{}}), {}, "", true};
  const ResultColumn wait{{std::vector<double>{third}, {}, {}}, "wait", time, {}, "", true};
  const ResultColumn flops{{std::vector<double>{third}, {}, {}}, "flops", work, {}, "", true};
  const ResultColumn net{{std::vector<std::int64_t>{1}, {}, {"SP2()", "SP2_C()"}}, "net", nullptr, {}, "", true};
  const ResultColumn name{{std::vector<std::int64_t>{0}, {}, {"a"}}, "name", type_of({types::String{}}), {}, "", true};
  CHECK(cli::override_text(n, 1) == "n=8");
  CHECK(cli::override_text(wait, 0) == "wait=0.3333333333333333 ps");
  CHECK(cli::override_text(flops, 0) == "flops=0.3333333333333333 flop");
  CHECK(cli::override_text(net, 0) == "net=SP2_C()");
  CHECK_FALSE(cli::override_text(name, 0));
}

}  // namespace
}  // namespace wave::test
