// Code actions: the help of diagnostics as edits, and changes that keep what a model means.
#include "tests/editors/client.h"

#include <catch2/catch.hpp>

using namespace wave::editors;
using testing::Client;

namespace {

// The text after the action of this title, from ‹1› to ‹2› or at ‹1›.
std::string done(const std::string& marked, const std::string& title) {
  Client client;
  client.open("/p/a.wave", marked);
  const bool is_range = marked.find("‹2›") != std::string::npos;
  const Json range = {{"start", client.position("1")}, {"end", client.position(is_range ? "2" : "1")}};
  const Json all = client.request("textDocument/codeAction", {{"textDocument", {{"uri", Client::uri("/p/a.wave")}}},
                                                              {"range", range},
                                                              {"context", {{"diagnostics", Json::array()}}}});
  std::string titles;
  for (const Json& action : all) {
    titles += action["title"].get<std::string>() + "\n";
    if (action["title"] == title) {
      const std::string text = client.edited("/p/a.wave", action["edit"]);
      client.type("/p/a.wave", text);
      INFO(text);
      for (const Json& one : client.diagnostics("/p/a.wave")) CHECK(one["severity"] != 1);  // it helps
      return text;
    }
  }
  INFO(titles);
  CHECK(title == "");
  return "";
}

}  // namespace

TEST_CASE("a name that is nearly right is replaced") {
  CHECK(done("let width = 1\nlet a = ‹1›widht\n", "Replace `widht` by `width`") == "let width = 1\nlet a = width\n");
  CHECK(done("let a = 3 ‹1›sec\n", "Replace `sec` by `s`") == "let a = 3 s\n");
}

TEST_CASE("a name of the library is imported") {
  CHECK(done("wave 1\nlet a = ‹1›SP2()\n", "Import `SP2` from `std.machines.ibm_sp2`") ==
        "wave 1\nimport std.machines.ibm_sp2 { SP2 }\nlet a = SP2()\n");
}

TEST_CASE("a missing else is added") {
  CHECK(done("let a = if true then 1‹1›\nlet b = 2\n", "Insert `else 0`") ==
        "let a = if true then 1 else 0\nlet b = 2\n");
}

TEST_CASE("a missing override is added") {
  CHECK(done("machine A { param L: time = 1 us }\nmachine B extends A {\n  param ‹1›L: time = 2 us\n}\n",
             "Insert `override`") ==
        "machine A { param L: time = 1 us }\nmachine B extends A {\n  override param L: time = 2 us\n}\n");
}

TEST_CASE("operators of other languages become Wave's") {
  CHECK(done("let a = true ‹1›&& false\n", "Replace `&&` by `and`") == "let a = true  and  false\n");
}

TEST_CASE("an operator for which the help names no other one is not replaced") {
  Client client;
  client.open("/p/a.wave", "let ‹1›a = 1 += 2\n");
  const Json all =
      client.request("textDocument/codeAction",
                     {{"textDocument", {{"uri", Client::uri("/p/a.wave")}}},
                      {"range", {{"start", client.position("1")}, {"end", {{"line", 1}, {"character", 0}}}}},
                      {"context", {{"diagnostics", Json::array()}}}});
  REQUIRE_FALSE(client.diagnostics("/p/a.wave").empty());
  for (const Json& action : all) CHECK(action["kind"] != "quickfix");
}

TEST_CASE("an assignment becomes a comparison, and a chain of comparisons two") {
  CHECK(done("let n = 4\nlet a = if n ‹1›= 4 then 1 else 2\n", "Replace `=` by `==`") ==
        "let n = 4\nlet a = if n == 4 then 1 else 2\n");
  CHECK(done("let n = 4\nlet a = 1 < n ‹1›< 9\n", "Insert `and n`") == "let n = 4\nlet a = 1 < n and n < 9\n");
}

TEST_CASE("what is read as one number or as one value is taken apart") {
  CHECK(done("let x = 4\nlet a = 3 ‹1›x\n", "Insert `*`") == "let x = 4\nlet a = 3 * x\n");
  CHECK(done("let s = 4.0\nlet a = ‹1›5 us/s\n", "Replace `/s` by `/ s`") == "let s = 4.0\nlet a = 5 us / s\n");
  CHECK(done("fn f(x: real): real =\n  let ‹1›y = x * 2\n  (y + 1)\n", "Insert `;`") ==
        "fn f(x: real): real =\n  let y = x * 2;\n  (y + 1)\n");
}

TEST_CASE("a number takes the form that the help names") {
  CHECK(done("let a = ‹1›99999999999999999999\n", "Replace `99999999999999999999` by `99999999999999999999.0`") ==
        "let a = 99999999999999999999.0\n");
  CHECK(done("let a = 5 us ± ‹1›-1 us\n", "Remove `-`") == "let a = 5 us ± 1 us\n");
  CHECK(done("let n = 4\nlet a = [k for k in ‹1›n]\n", "Insert `1..`") == "let n = 4\nlet a = [k for k in 1..n]\n");
  CHECK(done("wave ‹1›2\nlet a = 1\n", "Replace `2` by `1`") == "wave 1\nlet a = 1\n");
}

TEST_CASE("a module of the library that is nearly right is replaced") {
  CHECK(done("import ‹1›std.machines.ibm_sp3 { SP2 }\nlet a = SP2()\n",
             "Replace `std.machines.ibm_sp3` by `std.machines.ibm_sp2`") ==
        "import std.machines.ibm_sp2 { SP2 }\nlet a = SP2()\n");
}

TEST_CASE("an override of nothing, and a super that is the member itself, are taken away") {
  CHECK(done("machine A { param L: time = 1 us }\nmachine B extends A {\n  override param ‹1›M: time = 2 us\n}\n",
             "Remove `override`") ==
        "machine A { param L: time = 1 us }\nmachine B extends A {\n  param M: time = 2 us\n}\n");
  CHECK(done("machine A { param L: time = 1 us }\nmachine B extends A {\n  let t = super.‹1›L * 2\n}\n",
             "Replace `super.L` by `L`") ==
        "machine A { param L: time = 1 us }\nmachine B extends A {\n  let t = L * 2\n}\n");
}

TEST_CASE("a comment that was meant as a division becomes one") {
  CHECK(done("let n = 4\nlet a = n ‹1›// 2\n", "Replace `// 2` by `div 2`") == "let n = 4\nlet a = n div 2\n");
}

TEST_CASE("an unknown name becomes a parameter of the type that is expected") {
  CHECK(done("model M {\n  param n: int = 1\n  output t = n * 1 us + ‹1›wait_for\n}\n",
             "Declare the parameter `wait_for`") ==
        "model M {\n  param n: int = 1\n  param wait_for: time = 0\n  output t = n * 1 us + wait_for\n}\n");
}

TEST_CASE("an expression becomes a let, with nothing that is known only inside") {
  CHECK(done("model M {\n  param n: int = 4\n  /// Doc.\n  output t = 2 us * ‹1›(n + 1)‹2›\n}\n",
             "Extract into `let value`") ==
        "model M {\n  param n: int = 4\n  let value = (n + 1)\n  /// Doc.\n  output t = 2 us * value\n}\n");
}

TEST_CASE("a number becomes a parameter") {
  CHECK(done("model M {\n  output t = ‹1›2 us\n}\n", "Turn `2 us` into a parameter") ==
        "model M {\n  param parameter: time = 2 us\n  output t = parameter\n}\n");
}

TEST_CASE("the type of a let is written down") {
  CHECK(done("let ‹1›rate = 1 GB / 2 s\n", "Write the type `data/time`") == "let rate: data/time = 1 GB / 2 s\n");
}
