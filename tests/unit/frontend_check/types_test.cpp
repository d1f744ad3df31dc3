// The types of expressions, and type errors.
#include "tests/unit/frontend_check/checked.h"

#include <catch2/catch.hpp>

namespace wave::frontend {

TEST_CASE("lists, ranges and comprehensions have the type of their elements") {
  CHECK(type_of("[1, 2, 4]") == "[int]");
  CHECK(type_of("[1, 2.5]") == "[real]");
  CHECK(type_of("1 B..1 MiB by *2") == "[data]");
  CHECK(type_of("[k * 1 us for k in 1..3 if k > 1]") == "[time]");
  CHECK(type_of("[[1], [2, 3]][2][1]") == "int");
  CHECK(type_of("argmin(d in 1..8: d * 1 us)") == "int");
  CHECK(type_of("count([1, 2])") == "int");
  CHECK(type_of("1 us..3 us") == "E0303 1 us..3 us");
  CHECK(type_of("[1, 2 us]") == "E0302 2 us");
  CHECK(type_of("sum(k in 3: k)") == "E0303 3");
  CHECK(type_of("(3)[1]") == "E0306 (3)[1]");
}

TEST_CASE("a list of corners is an order") {
  CHECK(type_of("[NW, SE]") == "order");
  CHECK(type_of("[(+,+), (-,+)]") == "order");
  CHECK(type_of("full_fills([NW, SE])") == "int");
  CHECK(type_of("[1, 2]", "fn f(o: order): int = sweeps(o)") == "[int]");
  CHECK(found_in("let x = sweeps([1])") == Found{"E0303 [1]"});
}

TEST_CASE("a word of a choice is known where the choice is expected") {
  const std::string model = "param mode: none | cells = none\n";
  CHECK(found_in_model(model + "output x = if mode == cells then 1 else 2") == Found{});
  CHECK(found_in_model(model + "output x = if cells == mode then 1 else 2") == Found{});
  CHECK(found_in_model(model + "output x = if mode == cels then 1 else 2") == Found{"E0308 cels"});
  CHECK(found_in_model("param mode: none | cells = cels") == Found{"E0308 cels"});
  CHECK(found_in("let x = none") == Found{"E0201 none"});
}

TEST_CASE("tables are read like functions of their keys") {
  const std::string table = "let t = table { 1 KiB: 101 us, 64 KiB: 1969 us } linear";
  CHECK(type_of("t(2 KiB)", table) == "time");
  CHECK(type_of("t(2 us)", table) == "E0301 2 us");
  CHECK(type_of("t[1]", table) == "E0306 t[1]");
  CHECK(found_in("let t = table { 1 KiB: 1 us, 2 us: 2 us } linear") == Found{"E0301 2 us"});
  CHECK(found_in("let t: table(data): time = table { 1 KiB: 1 us } step") == Found{});
}

TEST_CASE("records are built with named arguments and read by field") {
  const std::string record = "type P { w: work, n: int }";
  CHECK(type_of("P(w = 1 Mflop, n = 2).w", record) == "work");
  CHECK(type_of("P(1 Mflop, n = 2)", record) == "E0304 1 Mflop");
  CHECK(type_of("P(w = 1 Mflop)", record) == "E0304 P(w = 1 Mflop)");
  CHECK(type_of("P(w = 1 Mflop, n = 2).m", record) == "E0203 m");
}

TEST_CASE("functions without parameter types are checked anew at each call") {
  CHECK(type_of("double(3 us)", "fn double(x) = x * 2") == "time");
  CHECK(type_of("double(3)", "fn double(x) = x * 2") == "int");
  CHECK(type_of("twice(double, 3 us)", "fn double(x) = x * 2 fn twice(f, x) = f(f(x))") == "time");
  CHECK(type_of("add(1 us, 2 B)", "fn add(a, b) = a + b") == "E0301 b");
  CHECK(type_of("f(1)", "fn f(x): int = f([x])") == "E0312 f");
  CHECK(type_of("f(3)", "fn f(n: int) = if n == 0 then 0 else f(n - 1)") == "E0311 f");
}

TEST_CASE("functions are values where one is expected") {
  const std::string apply = "fn apply(f: fn(n: int): time, n: int): time = f(n)\n";
  CHECK(type_of("apply(cost, 3)", apply + "fn cost(n: int): time = n * 1 us") == "time");
  CHECK(type_of("apply(cost, 3)", apply + "fn cost(n) = n * 1 us") == "time");
  CHECK(type_of("apply(cost, 3)", apply + "fn cost(n: int, by: time = 1 us): time = n * by") == "time");
  CHECK(type_of("apply(cost, 3)", apply + "fn cost(n: int): data = n * 1 B") == "E0303 cost");
}

TEST_CASE("five independent errors are five diagnostics, and none follows from another") {
  CHECK(found_in_model("param L: time = 23\noutput a = L + 4 KiB\noutput b = wdth * 2 + 3 us\n"
                       "output c = SP2().totl(4)\nrequire L, \"text\"") ==
        Found{"E0302 23", "E0301 4 KiB", "E0201 wdth", "E0203 totl", "E0303 L"});
}

TEST_CASE("tolerances have the dimension of what is compared") {
  CHECK(found_in("test \"t\" { expect 1 us == 2 us within 3 us }") == Found{});
  CHECK(found_in("test \"t\" { expect [1, 2] == [1, 2] }") == Found{});
  CHECK(found_in("test \"t\" { expect 1 us == 2 us within 3 }") == Found{"E0302 3"});
  CHECK(found_in("test \"t\" { expect 1 us < 2 us within 3 us }") == Found{"E0303 3 us"});
}

TEST_CASE("a unit after an output measures its dimension") {
  CHECK(found_in_model("output x = 3 us in ms") == Found{});
  CHECK(found_in_model("output x = 3 us in KiB") == Found{"E0301 KiB"});
}

TEST_CASE("recurrences refer to themselves at constant offsets") {
  CHECK(found_in_model("rec f[i in 1..9]: time = f[i-1] + 1 us else 0") == Found{});
  CHECK(found_in_model("param k: int = 1\nrec f[i in 1..9]: time = f[i-k] + 1 us else 0") == Found{"E0313 i-k"});
  CHECK(found_in_model("rec f[i in 1..9, j in 1..9]: time = f[j, i] else 0") == Found{"E0313 j", "E0313 i"});
  CHECK(found_in_model("grid P[i: 3, j: 3] rec f[i] over P: time = 0") == Found{"E0306 f"});
}

}  // namespace wave::frontend
