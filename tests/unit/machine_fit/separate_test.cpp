// What the lines' values at size 0 say about latency and overheads.
#include "analysis/machine_fit/builder.h"
#include "analysis/machine_fit/regression.h"
#include "tests/unit/machine_fit/benchmarks.h"

#include <catch2/catch.hpp>

using namespace wave::tests;
using fit::ProtocolKind;

TEST_CASE("the three lines of section 3.3 of PPoPP'99 give latency and overheads") {
  struct Table1 {
    double first, second, third, L, o_s, o_l;
  };
  for (const auto& row : {Table1{69, 117, 232, 23, 23, 47}, Table1{55, 95, 189, 23, 16, 36}}) {
    const auto found = fit::separate({{row.first, 0.1}, {row.second, 0.1}, {row.third, 0.1}},
                                     {ProtocolKind::eager, ProtocolKind::eager, ProtocolKind::rendezvous}, {}, true);
    REQUIRE(found.all_determined);
    CHECK(found.plausible());
    CHECK(found.values[0] == Approx(row.L).epsilon(1e-10));
    CHECK(found.values[1] == Approx(row.o_s).epsilon(1e-10));
    CHECK(found.values[2] == Approx(row.o_l).epsilon(1e-10));
    CHECK(fit::sum_of(found.rows.row(0), found.names) == "2 o_1 + L");
    CHECK(fit::sum_of(found.rows.row(2), found.names) == "3 o_1 + 2 o_2 + 3 L");
  }
}

TEST_CASE("no equations determine nothing") {
  const auto found = fit::solve_linear(Eigen::MatrixXd(0, 2), Eigen::VectorXd(0), Eigen::VectorXd(0));
  CHECK(found.rank == 0);
  CHECK(found.values.size() == 2);
  CHECK(found.unscaled_covariance.rows() == 2);
  CHECK(found.determined == std::vector<bool>{false, false});
}

TEST_CASE("nor where parameters may not be negative") {
  const auto found = fit::solve_bounded(Eigen::MatrixXd(0, 2), Eigen::VectorXd(0), Eigen::VectorXd(0), 3);
  CHECK(found.rank == 0);
  CHECK(found.determined == std::vector<bool>{false, false});
}

TEST_CASE("errors of the lines go into those of the parameters") {
  // By hand: with a = 2 o_s + L, b = 2 o_l + L and c = 3 o_s + 3 L + 2 o_l, c - b - 1.5 a = 0.5 L, so L = 2 c - 2 b - 3
  // a.
  const auto found = fit::separate({{69, 1}, {117, 2}, {232, 3}},
                                   {ProtocolKind::eager, ProtocolKind::eager, ProtocolKind::rendezvous}, {}, true);
  CHECK(found.covariance(0, 0) == Approx(4.0 * (9 + 4 + 2.25 * 1)).epsilon(1e-9));
}

TEST_CASE("a ping-pong of eager messages does not tell overhead from latency") {
  const auto one = fit::separate({{69, 1}}, {ProtocolKind::eager}, {}, true);
  CHECK_FALSE(one.all_determined);
  CHECK(one.determined == std::vector<bool>{false, false});
  const auto two = fit::separate({{69, 1}, {117, 1}}, {ProtocolKind::eager, ProtocolKind::eager}, {}, true);
  CHECK(two.determined == std::vector<bool>{false, false, false});
  CHECK_FALSE(two.plausible());
}

TEST_CASE("one assumption separates the others") {
  const auto found =
      fit::separate({{69, 1}, {117, 1}}, {ProtocolKind::eager, ProtocolKind::eager}, {{"o_1", 23}}, true);
  REQUIRE(found.all_determined);
  CHECK(found.values[0] == Approx(23));
  CHECK(found.values[2] == Approx(47));
}

TEST_CASE("what is negative is not plausible") {
  // A handshake that takes less than three latencies.
  const auto found =
      fit::separate({{1.3, 0.01}, {1.4, 0.01}}, {ProtocolKind::eager, ProtocolKind::rendezvous}, {}, true);
  REQUIRE(found.all_determined);
  CHECK_FALSE(found.plausible());
}

TEST_CASE("what a design determines shows in its rank, whatever the units") {
  Eigen::MatrixXd design(3, 3);
  design << 1, 1e9, 0, 2, 2e9, 0, 0, 0, 1e-9;
  const auto found = fit::solve_linear(design, Eigen::Vector3d(1, 2, 3), Eigen::Vector3d::Ones());
  CHECK(found.rank == 2);
  CHECK(found.determined == std::vector<bool>{false, false, true});
  CHECK(found.values[2] == Approx(3e9));
  CHECK(found.sum_of_squares == Approx(0).margin(1e-20));
}
