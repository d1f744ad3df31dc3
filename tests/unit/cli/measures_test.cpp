#include "cli/limits.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace wave::cli;

TEST_CASE("time limits are numbers with units") {
  CHECK(parse_seconds("60s") == 60.0);
  CHECK_FALSE(parse_seconds("60"));
  CHECK(parse_seconds("500ms") == 0.5);
  CHECK(parse_seconds("2 min") == 120.0);
  CHECK(std::isinf(*parse_seconds("none")));
}

TEST_CASE("memory limits are numbers with units") {
  CHECK(parse_bytes("8GiB") == std::size_t{8} << 30);
  CHECK(parse_bytes("1.5 kB") == std::size_t{1500});
  CHECK(parse_bytes("4096 B") == std::size_t{4096});
}

TEST_CASE("malformed limits are refused") {
  for (const char* text : {"", "s", "-1s", "0", "0s", "1 parsec", "nan", "inf", "1e999", "0x10", "1s s", " 1s"}) {
    INFO(text);
    CHECK_FALSE(parse_seconds(text));
  }
  for (const char* text : {"", "B", "-1", "0", "0.5B", "1 GiBs", "1e30", "nan"}) {
    INFO(text);
    CHECK_FALSE(parse_bytes(text));
  }
}
