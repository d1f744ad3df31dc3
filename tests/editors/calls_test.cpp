// Who uses what.
#include "tests/editors/client.h"

#include <catch2/catch.hpp>

#include <set>

using namespace wave::editors;
using testing::Client;

namespace {

constexpr const char* library = "fn ‹cost›cost(s: data): time = s / 1 GB/s\n";
constexpr const char* model = R"(import lib { cost }
fn twice(s: data): time = 2 * cost(s)
model ‹M›M {
  param W: time = 1 us
  fn step(): time = W + cost(8 B) + cost(9 B)
  output ‹t›t = step() + twice(1 B)
}
test "m" { expect M().t > 0 }
)";

std::set<std::string> names(const Json& calls, const char* end) {
  std::set<std::string> all;
  for (const Json& call : calls) all.insert(call[end]["name"]);
  return all;
}

}  // namespace

TEST_CASE("callers are found in all documents, with their calls") {
  Client client;
  client.open("/p/lib.wave", library);
  client.open("/p/m.wave", model);
  const Json items = client.ask("prepareCallHierarchy", "cost");
  REQUIRE(items.size() == 1);
  const Json calls = client.request("callHierarchy/incomingCalls", {{"item", items[0]}});
  CHECK(names(calls, "from") == std::set<std::string>{"twice", "step"});
  for (const Json& call : calls) CHECK(call["fromRanges"].size() == (call["from"]["name"] == "step" ? 2 : 1));
}

TEST_CASE("what a model calls is found") {
  Client client;
  client.open("/p/lib.wave", library);
  client.open("/p/m.wave", model);
  const Json items = client.ask("prepareCallHierarchy", "M");
  REQUIRE(items.size() == 1);
  const Json calls = client.request("callHierarchy/outgoingCalls", {{"item", items[0]}});
  CHECK(names(calls, "to") == std::set<std::string>{"cost", "twice", "step"});
}

TEST_CASE("an output calls, and is not called") {
  Client client;
  client.open("/p/lib.wave", library);
  client.open("/p/m.wave", model);
  CHECK(client.ask("prepareCallHierarchy", "t").is_null());
}

TEST_CASE("an item that the server did not make is refused") {
  Client client;
  CHECK(client.error("callHierarchy/incomingCalls", {{"item", {{"name", "x"}}}})["code"] == -32602);
}
