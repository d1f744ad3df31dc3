// How operations combine dimensions.
#include "tests/unit/frontend_check/checked.h"

#include <catch2/catch.hpp>

namespace wave::frontend {

TEST_CASE("dimensions follow products, quotients, powers and roots") {
  CHECK(type_of("4 KiB * 0.07 us/B") == "time");
  CHECK(type_of("4 KiB / 2 us") == "data/time");
  CHECK(type_of("1 / 2 us") == "1/time");
  CHECK(type_of("(3 us) ^ 2") == "time^2");
  CHECK(type_of("(3 us) ^ -1") == "1/time");
  CHECK(type_of("(3 us) ^ 0") == "real");
  CHECK(type_of("sqrt(4 us^2 * 9 B^2)") == "data*time");
  CHECK(type_of("cbrt(8 us^3 / 9 B^6)") == "time/data^2");
  CHECK(type_of("84 Mflop / 266 Mflop/s") == "time");
  CHECK(type_of("6 us / 2 us") == "real");
}

TEST_CASE("int arithmetic stays int, and / is real") {
  CHECK(type_of("2 + 3 * 4") == "int");
  CHECK(type_of("6 / 2") == "real");
  CHECK(type_of("7 div 2") == "int");
  CHECK(type_of("7.5 div 2") == "real");
  CHECK(type_of("9 us mod 2 us") == "time");
  CHECK(type_of("9 us div 2 us") == "real");
  CHECK(type_of("2 ^ 3") == "int");
  CHECK(type_of("2 ^ 0.5") == "real");
  CHECK(type_of("floor(2.5)") == "int");
  CHECK(type_of("max(1, 2.5)") == "real");
}

TEST_CASE("the literal 0 takes the dimension of what it meets, and no other number does") {
  CHECK(type_of("0 + 3 us") == "time");
  CHECK(type_of("if true then 0 else 3 us") == "time");
  CHECK(type_of("[0, 4 B]") == "[data]");
  CHECK(type_of("max(0, 2 us)") == "time");
  CHECK(type_of("0") == "int");
  CHECK(type_of("0.0 + 3 us") == "E0302 3 us");
  CHECK(type_of("z + 3 us", "let z = 0") == "E0302 3 us");
  CHECK(type_of("3 us + 4") == "E0302 4");
}

TEST_CASE("quantities of different dimensions do not meet") {
  CHECK(type_of("23 us + 4 KiB") == "E0301 4 KiB");
  CHECK(found_in("let x = 23 us < 4 KiB") == Found{"E0301 4 KiB"});
  CHECK(found_in("let x = if true then 1 us else 1 B") == Found{"E0301 1 B"});
  CHECK(found_in("let x = sum(k in 1..3: 1 us) + 1 B") == Found{"E0301 1 B"});
  CHECK(found_in("let x: data = 3 us") == Found{"E0301 3 us"});
  CHECK(found_in("let x = log2(4 KiB)") == Found{"E0301 4 KiB"});
  CHECK(found_in("let x = prod(k in 1..2: 1 us)") == Found{"E0301 1 us"});
}

TEST_CASE("a power of a quantity takes an integer literal") {
  CHECK(found_in("let k = 2 let x = (1 us) ^ k") == Found{"E0307 k"});
  CHECK(found_in("let x = 2 ^ (1 us)") == Found{"E0307 (1 us)"});
  CHECK(found_in("let x = sqrt(1 us)") == Found{"E0307 1 us"});
  CHECK(found_in("let x = cbrt(1 us^2)") == Found{"E0307 1 us^2"});
  CHECK(found_in("let x = (1 us) ^ 99999999") == Found{"E0307 (1 us) ^ 99999999"});
}

TEST_CASE("a unit error says where both dimensions come from") {
  const Checked checked = check_text("model M { param L: time = 1 us param s: data = 1 B output x = L + s }");
  REQUIRE(checked.diagnostics.all().size() == 1);
  const Diagnostic& d = checked.diagnostics.all().front();
  std::vector<std::string> labels;
  for (const Label& label : d.labels) labels.push_back(label.text);
  CHECK(labels ==
        Found{"this is `data`", "this is `time`", "`L` is declared as `time` here", "`s` is declared as `data` here"});
}

TEST_CASE("a unit that ends in the name of something is refused") {
  CHECK(found_in("fn f(s: data): real = 10 B/s / 1 B") == Found{"E0208 10 B/s"});
  CHECK(found_in("fn f(s: data): data/time = 10 s / 1 s * 10 B / 1 s") == Found{});
  CHECK(found_in("let x = 10 B/s") == Found{});
}

}  // namespace wave::frontend
