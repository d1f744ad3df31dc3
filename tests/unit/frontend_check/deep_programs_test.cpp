// Long or deep programs are checked in good time, without an overflow of the stack.
#include "tests/unit/frontend_check/checked.h"

#include <catch2/catch.hpp>

namespace wave::frontend {
namespace {

std::string chain(int length, bool forward) {
  std::string text;
  for (int k = 0; k < length; ++k) {
    const int other = forward ? k + 1 : k - 1;
    const bool last = forward ? k == length - 1 : k == 0;
    text += "let a" + std::to_string(k) + " = " + (last ? "1" : "a" + std::to_string(other) + " + 1") + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("a long chain of definitions is checked") {
  CHECK(found_in(chain(3000, false)).empty());
  CHECK(found_in(chain(250, true)).empty());
}

TEST_CASE("a long chain that stands before what it uses asks for a type instead of overflowing") {
  const Found found = found_in(chain(3000, true));
  REQUIRE_FALSE(found.empty());
  for (const std::string& one : found) CHECK(one.substr(0, 5) == "E0311");
}

TEST_CASE("a long cycle is one error") {
  std::string text;
  for (int k = 0; k < 2000; ++k) {
    text += "let a" + std::to_string(k) + ": int = a" + std::to_string((k + 1) % 2000) + "\n";
  }
  CHECK(found_in(text) == Found{"E0206 a0"});
}

TEST_CASE("more machines than are followed extend each other") {
  std::string text = "machine M0 { protocol p(s: data) { sender { emit x after 1 us } receiver { await x } } }\n";
  for (int k = 1; k <= 3000; ++k)
    text += "machine M" + std::to_string(k) + " extends M" + std::to_string(k - 1) + " {}\n";
  const Found found = found_in(text);
  REQUIRE_FALSE(found.empty());
  CHECK(found.front() == "E0111 M99");
}

TEST_CASE("a function with too many local definitions is one error") {
  const auto function = [](int count) {
    std::string text = "fn f(x: int): int =\n  let a0 = x\n";
    for (int k = 1; k < count; ++k) text += "  let a" + std::to_string(k) + " = a" + std::to_string(k - 1) + " + 1\n";
    return text + "  a" + std::to_string(count - 1) + "\n";
  };
  CHECK(found_in(function(5000)).empty());
  CHECK(found_in(function(30000)) == Found{"E0111 a10000"});
}

TEST_CASE("many members are looked up quickly") {
  std::string members;
  for (int k = 0; k < 5000; ++k) {
    members += "let a" + std::to_string(k) + " = " + (k ? "a" + std::to_string(k - 1) : "1") + "\n";
  }
  CHECK(found_in_model(members).empty());
}

}  // namespace wave::frontend
