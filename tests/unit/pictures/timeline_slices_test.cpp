// What is seen of slices that are too short for a picture.
#include "analysis/pictures/timeline_slices.h"

#include <catch2/catch.hpp>

using namespace wave::analysis::pictures;

TEST_CASE("slices too short to be seen are one, named as what takes longest of them") {
  const auto shown = merged({{0, 1, "overhead"}, {1, 4, "compute"}, {4, 5, "overhead"}, {5, 25, "wait"}}, 10);
  REQUIRE(shown.size() == 2);
  CHECK(shown[0].name == "compute");
  CHECK(shown[0].begin == 0);
  CHECK(shown[0].end == 5);
  CHECK(shown[1].name == "wait");
}

TEST_CASE("neighbours of one name are one, whatever their length") {
  const auto shown = merged({{0, 20, "compute"}, {20, 40, "compute"}, {50, 70, "compute"}}, 1);
  REQUIRE(shown.size() == 2);
  CHECK(shown[0].end == 40);
  CHECK(shown[1].begin == 50);
}
