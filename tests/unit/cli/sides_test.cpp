// How the sides of a comparison are written.
#include "cli/studies/sides.h"

#include <catch2/catch.hpp>

using namespace wave::cli;

namespace {

Side side_of(const std::string& name, std::vector<Given> given) { return {name, std::move(given)}; }

std::optional<Side> read(const std::string& with, const std::vector<std::string>& shared = {}) {
  const CommonOptions options;
  Console console(options);
  Session session(console, options);
  REQUIRE(session.load("test.wave", "model M { param n: int = 1 output x = n }"));
  return read_side(session, with, shared);
}

}  // namespace

TEST_CASE("a list is split at commas that stand in no bracket and no string") {
  CHECK(split_list("net=SP2(L = 5 us, o_s=1 us), mk=[1, 2]") ==
        std::vector<std::string>{"net=SP2(L = 5 us, o_s=1 us)", "mk=[1, 2]"});
  CHECK(split_list("title=\"a, b\", n=4") == std::vector<std::string>{"title=\"a, b\"", "n=4"});
  CHECK(split_list("title=\"a\\\", b\", n=4").size() == 2);
  CHECK(split_list("n=4") == std::vector<std::string>{"n=4"});
  CHECK(split_list("n=4,") == std::vector<std::string>{"n=4", ""});
}

TEST_CASE("a side keeps what is shared, unless it gives that itself") {
  const auto side = read("net=A(), n=4", {"n=8", "k = 3"});
  REQUIRE(side);
  CHECK(side->overrides() == std::vector<std::string>{"net=A()", "n=4", "k=3"});
}

TEST_CASE("a name with a colon may come first, and only there") {
  CHECK(read("new machine: net=A()")->name == "new machine");
  CHECK(read("net=A()")->name.empty());
  CHECK(read("plain:")->given.empty());
  CHECK(read("plain:")->name == "plain");
  CHECK(read("t=table { 1 B: 2 us } linear")->name.empty());
}

TEST_CASE("what gives no value, or a value twice, is no side") {
  CHECK_FALSE(read("n"));
  CHECK_FALSE(read("n="));
  CHECK_FALSE(read("=4"));
  CHECK_FALSE(read("n=4, n=5"));
  CHECK_FALSE(read("n=4,"));
}

TEST_CASE("what differs between two sides, by name") {
  const auto changes = changes_between(side_of("a", {{"n", "4"}, {"k", "1"}, {"x", "2"}}),
                                       side_of("b", {{"n", "4"}, {"k", "2"}, {"y", "3"}}));
  REQUIRE(changes.size() == 3);
  CHECK(text_of(changes[0]) == "k: 1 → 2");
  CHECK(text_of(changes[1]) == "x: 2 → as it is");
  CHECK(text_of(changes[2]) == "y: as it is → 3");
}
