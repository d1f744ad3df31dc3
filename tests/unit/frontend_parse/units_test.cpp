#include "frontend/parse/units.h"

#include "support.h"

#include <catch2/catch.hpp>

using namespace wave::frontend;
using namespace wave::frontend::test;

namespace {

const expr::Number& number(const Parsed& parsed) {
  return std::get<expr::Number>(std::get<item::Let>(parsed.module->items.at(0)->node).value->node);
}

double value(const std::string& text) {
  const Parsed parsed("let x = " + text);
  REQUIRE(parsed.errors() == "");
  return number(parsed).value;
}

}  // namespace

TEST_CASE("literals are counted in picoseconds, bytes and flop") {
  CHECK(value("23 us") == 23e6);
  CHECK(value("1 min") == 60e12);
  CHECK(value("2 h") == 7200e12);
  CHECK(value("4 KiB") == 4096);
  CHECK(value("1 TiB") == 1099511627776.0);
  CHECK(value("8 bit") == 1);
  CHECK(value("1 Gbit") == 125e6);
  CHECK(value("84 Mflop") == 84e6);
  CHECK(value("1 GHz") == 1e-3);
  CHECK(value("2.5 GB/s") == 2.5e-3);
  CHECK(value("0.07 us/B") == 70000);
  CHECK(value("0.7 us") == 700000);
  CHECK(value("3 us^2") == 3e12);
  CHECK(value("1e-3 s") == 1e9);
}

TEST_CASE("a literal has the dimension of its unit") {
  const Parsed parsed("let x = 266 Mflop/s*B^-2");
  REQUIRE(parsed.errors() == "");
  CHECK(number(parsed).dimension == Dimension{-1, -2, 1});
  REQUIRE(number(parsed).unit);
  CHECK(number(parsed).unit->text == "Mflop/s*B^-2");
  CHECK(number(parsed).unit->factors.size() == 3);
  CHECK(number(Parsed("let x = 3 GHz")).dimension == Dimension{-1, 0, 0});
}

TEST_CASE("an unknown unit is reported with its place and the nearest one") {
  const Parsed parsed("let x = 23 usec");
  CHECK(parsed.errors() == "E0110 at `usec`");
  const Parsed micro("let x = 23 \u00B5s");
  REQUIRE(micro.errors() == "E0110 at `\u00B5s`");
  CHECK(micro.diagnostics.all()[0].help[0] == "did you mean `us`?");
  CHECK(Parsed("let x = 8 B*n/m").errors() == "E0110 at `n`");
  CHECK(Parsed("let x = 0x10").errors() == "E0110 at `x10`");
}

TEST_CASE("exponents of units are bounded") {
  CHECK(Parsed("let x = 1 s^9").errors() == "");
  CHECK(Parsed("let x = 1 s^10").errors() == "E0109 at `s^10`");
  CHECK(Parsed("let x = 1 s^99999999999999999999").errors() == "E0109 at `s^99999999999999999999`");
  CHECK(Parsed("let x = 1 s^9*s^9*s^9*s^9*s^9").errors() == "E0109 at `s^9`");
}

TEST_CASE("numbers out of range are errors") {
  CHECK(Parsed("let x = 9223372036854775807").errors() == "");
  CHECK(Parsed("let x = 9223372036854775808").errors() == "E0109 at `9223372036854775808`");
  CHECK(Parsed("let x = 1e308").errors() == "");
  CHECK(Parsed("let x = 1e309").errors() == "E0109 at `1e309`");
  CHECK(Parsed("let x = 1e300 s").errors() == "E0109 at `1e300 s`");
  CHECK(Parsed("let x = 1e99999999999999999999999").errors() == "E0109 at `1e99999999999999999999999`");
  CHECK(Parsed("let x = 1e-99999999999999999999999").errors() == "");
}
