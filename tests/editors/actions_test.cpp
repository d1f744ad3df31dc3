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
