// Whether a change of a library breaks those who use it.
#include "analysis/compare/api.h"

#include <catch2/catch.hpp>

using namespace wave;
using analysis::Api;
using analysis::ApiChange;
using Effect = ApiChange::Effect;

namespace {

struct Loaded {
  explicit Loaded(const std::string& text) {
    frontend::Diagnostics diagnostics;
    program = frontend::load("<test>", {}, diagnostics, &text);
    for (const auto& d : diagnostics.all()) UNSCOPED_INFO(d.message);
    REQUIRE(!diagnostics.has_errors());
  }
  Api api() const { return {program.get(), {{"", &program->main()}}}; }
  std::unique_ptr<frontend::Program> program;
};

using Short = std::vector<std::pair<Effect, std::string>>;

Short changes(const std::string& before, const std::string& after) {
  const Loaded old(before), now(after);
  Short all;
  for (const ApiChange& one : compare_apis(old.api(), now.api())) all.emplace_back(one.effect, one.what);
  return all;
}

std::string step(const std::string& before, const std::string& after) {
  const Loaded old(before), now(after);
  return std::string(to_string(step_of(compare_apis(old.api(), now.api()), old.api(), now.api())));
}

std::string model(const std::string& members) { return "model M {\n" + members + "\noutput x = 1\n}\n"; }

// The effect of a change within a model, of which there is one.
Effect effect(const std::string& before, const std::string& after) {
  const Short all = changes(model(before), model(after));
  CAPTURE(before, after);
  REQUIRE(all.size() == 1);
  return all.front().first;
}

}  // namespace

TEST_CASE("a name that is gone breaks, a new one is added, and the same text changes nothing") {
  CHECK(changes("let a = 1\nlet b = 2\n", "let b = 2\nlet c = 3\n") ==
        Short{{Effect::breaks, "a"}, {Effect::adds, "c"}});
  CHECK(changes("let a = 1\n", "fn a(): int = 1\n") == Short{{Effect::breaks, "a"}});
  CHECK(changes("let a = 1\n", "let a = 2\n") == Short{{Effect::other, "a"}});
  CHECK(step("let a = 1\n", "let a = 1\n") == "none");
  CHECK(step("let a = 1\n", "let a = 1  // the same\n") == "patch");
  CHECK(step("let a = 1\n", "let a = 1\nlet b = 2\n") == "minor");
  CHECK(step("let a = 1\n", "let b = 2\n") == "major");
}

TEST_CASE("tests and studies are no part of what is offered") {
  CHECK(changes("test \"t\" { expect true }\n", "let a = 1\n") == Short{{Effect::adds, "a"}});
  CHECK(changes(model("param n: int = 1") + "study s of M { vary n in 1..2 }\n", model("param n: int = 1")).empty());
}

TEST_CASE("parameters of models") {
  CHECK(effect("", "param n: int") == Effect::breaks);
  CHECK(effect("", "param n: int = 1") == Effect::adds);
  CHECK(effect("param n: int = 1", "") == Effect::breaks);
  CHECK(effect("param n: int = 1", "param n: int") == Effect::breaks);
  CHECK(effect("param n: int", "param n: int = 1") == Effect::adds);
  CHECK(effect("param n: int = 1", "param n: int = 2") == Effect::other);
  CHECK(effect("param t: time = 0", "param t: data = 0") == Effect::breaks);
  CHECK(effect("param o: a | b | c = a", "param o: a | b = a") == Effect::breaks);
  CHECK(effect("param o: a | b = a", "param o: a | b | c = a") == Effect::adds);
}

TEST_CASE("ranges, by their numbers") {
  CHECK(effect("param n: int = 1 in 1..9", "param n: int = 1 in 1..8") == Effect::breaks);
  CHECK(effect("param n: int = 1 in 1..9", "param n: int = 1 in 1..10") == Effect::adds);
  CHECK(effect("param n: int = 1 in -3..", "param n: int = 1 in -2..") == Effect::breaks);
  CHECK(effect("param n: int = 1 in -2..", "param n: int = 1 in -3..") == Effect::adds);
  CHECK(effect("param n: int = 1", "param n: int = 1 in 1..") == Effect::breaks);
  CHECK(effect("param n: int = 1 in 1..", "param n: int = 1") == Effect::adds);
  CHECK(changes(model("param t: time = 1 s in 1 ms.."), model("param t: time = 1 s in 1000 us..")).empty());
  CHECK(effect("param n: int = 1 in 1..9", "param n: int = 1 in 1..2 * 5") ==
        Effect::breaks);  // not known before the run
  CHECK(effect("", "require 1 < 2, \"no\"") == Effect::breaks);
  CHECK(effect("require 1 < 2, \"no\"", "") == Effect::adds);
}

TEST_CASE("functions are called by the names and by the order of what they take") {
  const std::string f = "fn f(a: int, b: int = 2): int = a + b\n";
  CHECK(changes(f, "fn f(a: int, b: int = 2, c: int = 3): int = a + b + c\n") == Short{{Effect::adds, "f"}});
  CHECK(changes(f, "fn f(a: int, b: int = 2, c: int): int = a + b + c\n") == Short{{Effect::breaks, "f"}});
  CHECK(changes(f, "fn f(a: int, b: int): int = a + b\n") == Short{{Effect::breaks, "f"}});
  CHECK(changes(f, "fn f(b: int = 2, a: int): int = a + b\n") == Short{{Effect::breaks, "f"}});
  CHECK(changes(f, "fn f(a: int, c: int = 2): int = a + c\n").size() == 2);  // without `b`, and with `c`
  CHECK(changes(f, "fn f(a: int, b: int = 3): int = a + b\n") == Short{{Effect::other, "f"}});
  CHECK(changes(f, "fn f(a: int, b: int = 2): real = a + b\n") == Short{{Effect::breaks, "f"}});
  CHECK(changes(f, "fn f(a: real, b: int = 2): int = b\n") == Short{{Effect::breaks, "f"}});
  CHECK(changes(f, "fn f(a: int, b: int = 2): int = a * b\n").empty());
}

TEST_CASE("records and interfaces ask for all that they have, machines offer what they inherit") {
  CHECK(changes("type R { a: int }\n", "type R { a: int, b: int }\n") == Short{{Effect::breaks, "R.b"}});
  CHECK(changes("interface I { fn f(): int }\n", "interface I { fn f(): int\nfn g(): int }\n") ==
        Short{{Effect::breaks, "I.g"}});
  CHECK(changes("interface I { fn f(): int }\n", "interface I { fn f(): int\nfn g(): int = 1 }\n") ==
        Short{{Effect::adds, "I.g"}});
  CHECK(changes("machine A { param L: time = 1 us }\n",
                "machine B { param L: time = 1 us }\nmachine A extends B { }\n") == Short{{Effect::adds, "B"}});
  CHECK(changes("machine B { param L: time = 1 us }\nmachine A extends B { }\n",
                "machine B { param L: time = 1 us }\nmachine A { }\n") == Short{{Effect::breaks, "A.L"}});
}

TEST_CASE("outputs and other members of models") {
  CHECK(changes("model M { output x = 1\noutput y = 1 us }\n", "model M { output x = 1\noutput y = 1 us in ms }\n") ==
        Short{{Effect::other, "M.y"}});
  CHECK(changes("model M { output x = 1\noutput y = 1 us }\n", "model M { output x = 1\noutput y = 1 B }\n") ==
        Short{{Effect::breaks, "M.y"}});
  CHECK(effect("let a = 1", "") == Effect::breaks);
}
