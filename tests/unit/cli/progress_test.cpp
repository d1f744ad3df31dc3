#include "cli/progress.h"

#include <catch2/catch.hpp>

using namespace wave::cli;

TEST_CASE("progress says how much is done, how fast, and how long the rest takes") {
  CHECK(progress_text("rows", 0, 1e6, 0) == "0 of 1 000 000 rows");
  CHECK(progress_text("rows", 5e5, 1e6, 0.25) == "500 000 of 1 000 000 rows, 2 million a second, 0.2 s left");
  CHECK(progress_text("rows", 100, 1000, 50) == "100 of 1 000 rows, 2 a second, 8 minutes left");
  CHECK(progress_text("rows", 100, 1000, 5) == "100 of 1 000 rows, 20 a second, 45 s left");
  CHECK(progress_text("rows", 1, 1000, 50) == "1 of 1 000 rows, 0.02 a second, 14 hours left");
}

TEST_CASE("a bar is filled as far as things are done, and is full only at the end") {
  CHECK(progress_bar(0) == "[........................]   0 %");
  CHECK(progress_bar(0.5) == "[############............]  50 %");
  CHECK(progress_bar(0.999) == "[#######################.]  99 %");
  CHECK(progress_bar(1) == "[########################] 100 %");
}

TEST_CASE("numbers are grouped by thousands") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1 000");
  CHECK(grouped(1234567) == "1 234 567");
}
