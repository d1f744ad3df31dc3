#include "frontend/source/sources.h"

#include <catch2/catch.hpp>

#include <random>

using namespace wave::frontend;

TEST_CASE("lines and columns count from 1, columns in code points") {
  Sources sources;
  const auto file = sources.add("a.wave",
                                "ab\nc\xc3\xa4"
                                "d\n");
  CHECK(sources.line_column(file, 0).line == 1);
  CHECK(sources.line_column(file, 0).column == 1);
  CHECK(sources.line_column(file, 3).line == 2);
  CHECK(sources.line_column(file, 6).column == 3);  // d, after a letter of two bytes
  CHECK(sources.line_column(file, 8).line == 3);
  CHECK(sources.line_column(file, 1000).line == 3);  // an offset past the end counts as the end
}

TEST_CASE("lines come without their ends, \\r\\n included") {
  Sources sources;
  const auto file = sources.add("a.wave", "one\r\ntwo\nthree");
  CHECK(sources.line(file, 1) == "one");
  CHECK(sources.line(file, 2) == "two");
  CHECK(sources.line(file, 3) == "three");
  CHECK(sources.line(file, 4).empty());
  CHECK(sources.line(file, 0).empty());
}

TEST_CASE("an empty text has one empty line") {
  Sources sources;
  const auto file = sources.add("a.wave", "");
  CHECK(sources.line(file, 1).empty());
  CHECK(sources.line_column(file, 0).line == 1);
}

TEST_CASE("a text of a place outside the file is cut") {
  Sources sources;
  const auto file = sources.add("a.wave", "abc");
  CHECK(sources.text({file, 1, 2}) == "b");
  CHECK(sources.text({file, 1, 99}) == "bc");
  CHECK(sources.text({file, 98, 99}).empty());
  CHECK(sources.text({7, 0, 1}).empty());
}

TEST_CASE("lines and columns agree with counting from the start") {
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  std::string text;
  for (int i = 0; i < 300; ++i) text += random() % 7 == 0 ? "\n" : random() % 5 == 0 ? "\xe2\x82\xac" : "x";
  Sources sources;
  const auto file = sources.add("a.wave", text);
  LineColumn expected;
  for (std::uint32_t i = 0; i < text.size(); ++i) {
    const bool continues = (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80;
    if (continues) continue;
    const auto actual = sources.line_column(file, i);
    CHECK(actual.line == expected.line);
    CHECK(actual.column == expected.column);
    ++expected.column;
    if (text[i] == '\n') expected = {expected.line + 1, 1};
  }
}
