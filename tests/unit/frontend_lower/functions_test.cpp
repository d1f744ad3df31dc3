// Functions: those on numbers become frames, those on lists are written out.
#include "tests/unit/frontend_lower/lowered.h"

#include <catch2/catch.hpp>

using wave::tests::codes_of_lowering;
using wave::tests::Model;

TEST_CASE("recursion happens at run time") {
  Model model(R"(
fn gcd(a: int, b: int): int = if b == 0 then a else gcd(b, a mod b)
fn even(n: int): bool = if n == 0 then true else odd(n - 1)
fn odd(n: int): bool = if n == 0 then false else even(n - 1)
model M {
  param a: int = 1071
  output g = gcd(a, 462)
  output e = if even(10) then 1 else 0
})");
  CHECK(model.integer("g") == 21);
  CHECK(model.integer("e") == 1);
}

TEST_CASE("records travel, and come back") {
  Model model(R"(
type Pair { a: int, b: time }
fn swap(p: Pair, k: int): Pair = Pair(a = p.a + k, b = p.b * k)
fn again(p: Pair, k: int): Pair = if k == 0 then p else again(swap(p, 2), k - 1)
model M {
  param k: int = 3
  output a = again(Pair(a = 1, b = 1 us), k).a
  output b = again(Pair(a = 1, b = 1 us), k).b
})");
  CHECK(model.integer("a") == 7);
  CHECK(model.real("b") == 8e6);
}

TEST_CASE("functions are values, and lists are written out") {
  Model model(R"(
fn twice(f, x) = f(f(x))
fn square(x) = x * x
fn mean(xs: [real]): real = sum(x in xs: x) / count(xs)
model M {
  param n: int = 4
  let s_is: int = twice(square, 3)
  output s = s_is
  output m = mean([k * 1.0 for k in 1..n])
  output w = mean([1, 2, 6])
})");
  CHECK(model.integer("s") == 81);
  CHECK(model.real("m") == 2.5);
  CHECK(model.real("w") == 3);
}

TEST_CASE("a function of lists without end is reported, not followed") {
  CHECK(codes_of_lowering(R"(
fn f(xs: [int]): int = f([x + 1 for x in xs])
model M { output x = f([1]) })") == std::vector<std::string>{"E0404"});
}

TEST_CASE("a record with a list is written out") {
  Model model(R"(
type Row { k: int, xs: [int] }
fn make(k: int): Row = Row(k = k, xs = [k, k + 1])
model M {
  param n: int = 3
  output x = sum(k in 1..n: make(k).xs[2])
  output y = make(n).k
})");
  CHECK(model.integer("x") == 9);
  CHECK(model.integer("y") == 3);
}
