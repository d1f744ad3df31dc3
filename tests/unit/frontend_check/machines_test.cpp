// Machines: interfaces, extension, protocols, models as values.
#include "tests/unit/frontend_check/checked.h"

#include <catch2/catch.hpp>

namespace wave::frontend {
namespace {

const std::string eager =
    "protocol eager(s: data) { sender { busy 1 us; emit x after 1 us } receiver { await x; busy 1 us } }\n";

Found in_machine(const std::string& members) { return found_in("machine A {\n" + members + "\n}"); }

Found protocol(const std::string& sender, const std::string& receiver) {
  return in_machine("resource tx of process resource rx of process protocol p(s: data) { sender { " + sender +
                    " } receiver { " + receiver + " } }");
}

}  // namespace

TEST_CASE("a machine with a protocol has send, recv and total") {
  CHECK(found_in("machine A {\nlevels node\n" + eager +
                 "}\nlet x: time = A().total(1 B) + A().send(1 B, within = node)") == Found{});
  CHECK(found_in("machine A { param L: time = 1 us }\nlet x = A().total(1 B)") == Found{"E0203 total"});
}

TEST_CASE("a machine offers every member of its interface") {
  const std::string interface = "interface I { fn f(n: int): time fn g(): int = 3 }\n";
  CHECK(found_in(interface + "machine A : I { fn f(n: int): time = n * 1 us }") == Found{});
  CHECK(found_in(interface + "machine A : I { }") == Found{"E0309 A"});
  CHECK(found_in(interface + "machine A : I { fn f(n: int): data = n * 1 B }") == Found{"E0309 f"});
  CHECK(found_in(interface + "machine A : I { fn f(n: data): time = 1 us }") == Found{"E0309 f"});
}

TEST_CASE("any machine that has what an interface lists can be given for it") {
  const std::string before =
      "interface I { fn f(): time }\nmachine A { fn f(): time = 1 us param L: time = 1 us }\nmachine B { }\n";
  CHECK(found_in(before + "model M { param net: I { L: time } = A() output x = net.L + net.f() }") == Found{});
  CHECK(found_in(before + "model M { param net: I = B() }") == Found{"E0309 B()"});
  CHECK(found_in(before + "model M { param net: I { g: time } = A() }") == Found{"E0309 A()"});
  CHECK(found_in(before + "model M { param net: I output x = net.L }") == Found{"E0203 L"});
  CHECK(found_in(before + "model M { param net: I = A() output x = net.L }") == Found{});
}

TEST_CASE("what is inherited is replaced with `override` only, by its like") {
  const std::string base = "machine A { param L: time = 1 us fn o(s: data): time = L }\n";
  CHECK(found_in(base + "machine B extends A { override param L: time = 2 us fn more(): time = L }") == Found{});
  CHECK(found_in(base + "machine B extends A { param L: time = 2 us }") == Found{"E0212 L"});
  CHECK(found_in(base + "machine B extends A { override param M: time = 2 us }") == Found{"E0213 M"});
  CHECK(found_in(base + "machine B extends A { override fn o(s: data): data = s }") == Found{"E0310 o"});
  CHECK(in_machine(eager + "fn send(s: data, within: level = none, sharing: int = 1): time = 1 us") ==
        Found{"E0212 send"});
  CHECK(in_machine(eager + "override fn send(s: data, within: level = none, sharing: int = 1): time = 1 us") ==
        Found{});
  CHECK(found_in("machine A extends B { } machine B extends A { }") == Found{"E0206 B"});
}

TEST_CASE("`super` gives functions, collectives, lets and derived costs of the extended machine") {
  const std::string base =
      "machine A { param L: time = 1 us let l = L fn f(n: int): time = n * L resource r of process\n" + eager +
      "collective c(p: int): time = p * L }\n";
  const auto in_extension = [&](const std::string& members) {
    return found_in(base + "machine B extends A { " + members + " }");
  };
  CHECK(in_extension("override fn f(n: int): time = 2 * super.f(n = n) + super.l + super.total(1 B) + super.c(4)") ==
        Found{});
  CHECK(in_extension("override fn f(n: int): time = super.g(n)") == Found{"E0203 g"});
  CHECK(in_extension("override fn f(n: int): time = super.f(1 us)") == Found{"E0301 1 us"});
  CHECK(in_extension("override fn f(n: int): time = super.f()") == Found{"E0304 super.f()"});
  CHECK(in_extension("fn g(): time = super.L") == Found{"E0215 L"});
  CHECK(in_extension("fn g(): time = super.eager(1 B)") == Found{"E0215 eager"});
  CHECK(in_extension("fn g(): time = super.r") == Found{"E0215 r"});
  CHECK(in_extension("let all = super") == Found{"E0215 super"});
  CHECK(in_extension("fn g(): time = super()") == Found{"E0215 super"});
  CHECK(in_extension("fn g(): time = super[1]") == Found{"E0215 super"});
}

TEST_CASE("`super` stands in a machine that extends another, and is a name where one is declared") {
  CHECK(in_machine("fn f(): time = super.f()") == Found{"E0215 super"});
  CHECK(found_in("fn f(): time = super.f()") == Found{"E0215 super"});
  CHECK(found_in("model M { let x = super.f() }") == Found{"E0215 super"});
  CHECK(found_in("machine A { } machine B extends A { fn f(super: int): int = super + 1 }") == Found{});
  CHECK(found_in("let super = 3\nmachine A { } machine B extends A { fn f(): int = super }") == Found{});
  CHECK(found_in("machine B extends Missing { fn f(): time = super.f() }") == Found{"E0201 Missing"});
}

TEST_CASE("a definition must not need itself through `super`") {
  CHECK(found_in("machine A { " + eager +
                 " }\nmachine B extends A { let r = c() fn c(): time = super.total(1 B) + r }") == Found{"E0206 r"});
  CHECK(found_in("machine A { let x = 1 us }\nmachine B extends A { override let x = super.x + 1 us }") == Found{});
}

TEST_CASE("the signals of a protocol meet") {
  CHECK(protocol("emit x after 1 us", "await x") == Found{});
  CHECK(protocol("emit x after 1 us", "await y") == Found{"E0314 y"});
  CHECK(protocol("emit x after 1 us; emit x after 2 us", "await x") == Found{"E0314 x"});
  CHECK(protocol("await a; emit x after 1 us", "await x; emit a after 1 us") == Found{"E0314 p"});
  CHECK(protocol("emit x after 1 us", "busy 1 us") == Found{"E0314 p"});
  CHECK(protocol("emit x via tx for 1 us after s", "await x via rx for 1 us") == Found{"E0301 s"});
}

TEST_CASE("a machine declares its levels and what its steps ask for") {
  const std::string ends = "{ sender { emit x via nic for 1 us after 1 us } receiver { await x } }";
  const std::string node = "levels socket, node resource nic of node servers 2 protocol p(s: data) " + ends;
  CHECK(in_machine(node) == Found{});
  CHECK(in_machine("protocol p(s: data) " + ends) == Found{"E0201 nic"});
  CHECK(in_machine("param nic: int = 1 protocol p(s: data) " + ends) == Found{"E0201 nic"});
  CHECK(in_machine("levels node resource nic of rack protocol p(s: data) " + ends) == Found{"E0408 rack"});
  CHECK(in_machine("resource nic[k: 4] of process protocol p(s: data) " + ends) == Found{"E0306 nic"});
  CHECK(in_machine("levels node, node") == Found{"E0202 node"});
  CHECK(in_machine("levels none") == Found{"E0202 none"});
  CHECK(in_machine("levels node levels socket") == Found{"E0123 levels socket"});
  CHECK(in_machine("fn f(within: level): bool = within node") == Found{"E0408 node"});
  CHECK(in_machine("levels node fn f(within: level): bool = within node") == Found{});
  CHECK(found_in("machine A { " + node + " }\nmachine B extends A { levels node, switch }") == Found{"E0310 node"});
  CHECK(found_in("machine A { " + node + " }\nmachine B extends A { levels socket, node, switch }") == Found{});
  CHECK(found_in("machine A { " + node + " }\nmachine B extends A { override resource nic of socket }") == Found{});
  CHECK(found_in("machine A { " + node + " }\nmachine B extends A { resource nic of socket }") == Found{"E0212 nic"});
  CHECK(found_in("machine A { " + node + " }\nlet x = A().total(1 B, within = sockets)") == Found{"E0408 sockets"});
  CHECK(found_in("fn f(within: level): bool = within node") == Found{"E0316 within node"});
}

TEST_CASE("the last protocol has no condition, the others have one") {
  const std::string small =
      "protocol small(s: data) when s < 1 KiB { sender { emit x after 1 us } receiver { await x } }\n";
  CHECK(in_machine(small + eager) == Found{});
  CHECK(in_machine(small) == Found{"E0315 small"});
  CHECK(in_machine(eager + small) == Found{"E0315 eager", "E0315 small"});
  CHECK(found_in("machine A { " + eager + " }\nmachine B extends A { " + small + " }") == Found{});
  CHECK(in_machine("protocol p(s: data) when total(s) > 1 us { sender { emit x after 1 us } receiver { await x } }\n" +
                   eager) == Found{"E0206 p"});
}

TEST_CASE("models and machines are values whose parameters can be replaced") {
  const std::string model = "model M { param n: int = 1 param W: time output x = n * W }\n";
  CHECK(found_in(model + "let m = M(W = 1 us) let y: time = m(n = 3).x + [M(n = k, W = 1 us).x for k in 1..3][1]") ==
        Found{});
  CHECK(found_in(model + "let m = M(n = 2)") == Found{"E0304 M(n = 2)"});
  CHECK(found_in(model + "let m = M(W = 1 us, k = 2)") == Found{"E0304 k"});
  CHECK(found_in(model + "let m = M(W = 1 B)") == Found{"E0301 1 B"});
  CHECK(found_in(model + "let m = M(2, W = 1 us)") == Found{"E0304 2"});
}

}  // namespace wave::frontend
