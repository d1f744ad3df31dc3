#include "cli/text.h"

#include <catch2/catch.hpp>

using namespace wave::cli;

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
