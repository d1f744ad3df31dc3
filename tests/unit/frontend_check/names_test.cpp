// Names: where they are known, duplicates, cycles.
#include "tests/unit/frontend_check/checked.h"

#include <catch2/catch.hpp>

namespace wave::frontend {

TEST_CASE("declarations may stand in any order") {
  CHECK(found_in("let a = b + c() let b = 3 fn c(): int = 4") == Found{});
}

TEST_CASE("unknown names suggest the nearest") {
  const Checked checked = check_text("let width = 3 let x = widht");
  REQUIRE(found_in(checked) == Found{"E0201 widht"});
  CHECK(checked.diagnostics.all().front().help == Found{"did you mean `width`?"});
}

TEST_CASE("two declarations in one place need two names") {
  CHECK(found_in("let a = 1 let a = 2") == Found{"E0202 a"});
  CHECK(found_in_model("param a: int = 1 let a = 2") == Found{"E0202 a"});
  CHECK(found_in("fn f(a: int, a: int): int = a") == Found{"E0202 a"});
  CHECK(found_in("type P { a: int, a: int }") == Found{"E0202 a"});
}

TEST_CASE("an inner name hides an outer one") {
  CHECK(found_in("let a = 1 us fn f(a: data): data = a + 1 B") == Found{});
  CHECK(found_in("let k = 1 us let x: int = sum(k in 1..3: k)") == Found{});
}

TEST_CASE("words of the grammar are names elsewhere") {
  CHECK(found_in_model("param time: int = 1 param order: int = time let tile = order + 1") == Found{});
}

TEST_CASE("values that need themselves are an error that prints the way") {
  const Checked checked = check_text("let a = b let b = c let c = a");
  REQUIRE(found_in(checked) == Found{"E0206 a"});
  CHECK(checked.diagnostics.all().front().message == "`a` is defined by itself: `a` needs `b` needs `c` needs `a`");
  CHECK(found_in_model("param a: int = b param b: int = a") == Found{"E0206 a"});
  CHECK(found_in("fn f(): int = a let a: int = f()") == Found{"E0206 a"});
  CHECK(found_in("fn f(n: int): int = if n == 0 then 0 else f(n - 1)") == Found{});
}

TEST_CASE("a name that is no value says what it is") {
  CHECK(found_in("type P { a: int } let x = P") == Found{"E0211 P"});
  CHECK(found_in("import std.comm let x = comm") == Found{"E0211 comm"});
  CHECK(found_in("import std.comm as c let x = c.round(4)") == Found{"E0203 round"});
  CHECK(found_in("let x = sqrt") == Found{"E0211 sqrt"});
  CHECK(found_in("let a = 1 fn f(x: a): int = 1") == Found{"E0210 a"});
}

TEST_CASE("studies know the parameters, outputs and varied names of their model") {
  const std::string model = "model M { param n: int = 1 param m: int = 1 output total = n * m }\n";
  CHECK(found_in(model + "study s of M { vary procs in 4..64 by *4 set n = int(sqrt(procs)), m = n show total, "
                         "speedup = total[procs = 4] / total plot total vs procs on log, log }") == Found{});
  CHECK(found_in(model + "study s of M { vary procs in 4..64 by *4 set q = procs show total }") == Found{"E0201 q"});
  CHECK(found_in(model + "study s of M { vary procs in 1..4 show total }") == Found{"E0201 procs"});
  CHECK(found_in(model + "study s of M { vary n in [1.5] show total }") == Found{"E0303 [1.5]"});
  CHECK(found_in(model + "study s of M { vary n in 1..3 show total[m = 3] }") == Found{"E0306 m"});
  CHECK(found_in(model +
                 "study s of M { vary p in 1..3 set n = argmin(d in 1..p: total(n = d, m = p div d)) show total }") ==
        Found{});
}

}  // namespace wave::frontend
