#include "base/terminal_text.h"

#include <catch2/catch.hpp>

using namespace wave;

TEST_CASE("wide characters take two columns, combining ones none") {
  CHECK(display_width("abc") == 3);
  CHECK(display_width("\xe6\xbc\xa2") == 2);  // a Han character
  CHECK(display_width("e\xcc\x81") == 1);     // e and an acute accent
  CHECK(display_width("\xc2\xb1") == 1);      // the plus-minus sign
}

TEST_CASE("tabs go to the next stop") {
  CHECK(display("\tx").text == "    x");
  CHECK(display("ab\tx").text == "ab  x");
  CHECK(display("ab\tx").columns[3] == 4);
}

TEST_CASE("nothing that a terminal would obey is shown") {
  CHECK(display("a\x1b[31mb").text == "a\xef\xbf\xbd[31mb");
  CHECK(sanitize("a\x07\nb") == "a\xef\xbf\xbd\nb");
  CHECK(display("\xe2\x80\xae").text == "\xef\xbf\xbd");  // right-to-left override
}

TEST_CASE("long texts keep tabs, ends of lines and every character that is only shown") {
  CHECK(sanitize("a\tb\n\xc3\xa4\xe6\xbc\xa2") == "a\tb\n\xc3\xa4\xe6\xbc\xa2");
  for (const char* const command : {"\x1b", "\r", "\x7f", "\xc2\x9b", "\xe2\x80\xae", "\xe2\x81\xa6", "\x9b"})
    CHECK(sanitize(std::string("a") + command + "z") == "a\xef\xbf\xbdz");
}

TEST_CASE("a coloured text without its colours is the text, and nothing else is taken from it") {
  const Palette coloured(true), plain(false);
  const auto written = [](const Palette& palette) {
    return palette(Style::error, "error") + ": " + palette(Style::strong, "no\ttext") + "\n" + palette(Style::good, "");
  };
  CHECK(without_colours(written(coloured)) == written(plain));
  CHECK(without_colours("") == "");
  for (const char* const kept : {"\x1b", "a\x1b[", "\x1b[2J", "\x1b]0;title\x07", "\x1b[31", "m[0m"})
    CHECK(without_colours(kept) == kept);
}

TEST_CASE("colours stay where there are to be any, and nothing else that begins as they do") {
  CHECK(sanitize_coloured("\x1b[1;31merror\x1b[0m") == "\x1b[1;31merror\x1b[0m");
  CHECK(sanitize("\x1b[31m") == "\xef\xbf\xbd[31m");
  for (const char* const command : {"\x1b[2J", "\x1b]0;title", "\x1b[", "\x1b[31", "\x1b", "\x1b[?25l"})
    CHECK(sanitize_coloured(command) == "\xef\xbf\xbd" + std::string(command + 1));
}

TEST_CASE("malformed UTF-8 is shown as replacement characters, one a byte") {
  CHECK(display("\xff\xfe").width() == 2);
  CHECK(display("\xc3").width() == 1);
  CHECK(display("\xe2\x82").width() == 2);
  CHECK(display("\xc0\xaf").width() == 2);      // overlong
  CHECK(display("\xed\xa0\x80").width() == 3);  // a surrogate
}

TEST_CASE("texts are filled up by their width, not their bytes") {
  CHECK(pad_right("\xc3\xa4", 3) == "\xc3\xa4  ");
  CHECK(pad_left("\xc3\xa4", 3) == "  \xc3\xa4");
  CHECK(pad_left("long", 2) == "long");
}
