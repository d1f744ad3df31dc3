// Symbols, folds, selections and layout.
#include "frontend/format/formatter.h"
#include "tests/editors/client.h"

#include <catch2/catch.hpp>

using namespace wave::editors;
using testing::Client;

namespace {

constexpr const char* model = R"(wave 1
import std.comm
import std.machines.ibm_sp2

// Two lines
// of a comment.
model M {
  param n: int = 4
  output x = sum(k in 1..n:
    k * ‹1›n)
}
test "four" { expect M().x == 40 }
)";

Json document(const char* name) { return {{"textDocument", {{"uri", Client::uri(name)}}}}; }

}  // namespace

TEST_CASE("symbols of a document are its declarations with their members") {
  Client client;
  client.open("/p/a.wave", model);
  const Json all = client.request("textDocument/documentSymbol", document("/p/a.wave"));
  REQUIRE(all.size() == 2);
  CHECK(all[0]["name"] == "M");
  CHECK(all[0]["detail"] == "model");
  REQUIRE(all[0]["children"].size() == 2);
  CHECK(all[0]["children"][0]["name"] == "n");
  CHECK(client.at("/p/a.wave", all[0]["children"][1]["selectionRange"]) == "x");
  CHECK(all[1]["name"] == "four");
}

TEST_CASE("symbols of all documents are found by letters of their names") {
  Client client;
  client.open("/p/a.wave", "model Pipeline { param width: int = 1 }\n");
  client.open("/p/b.wave", "let other = 1\n");
  const auto names = [&](const char* query) {
    std::vector<std::string> all;
    for (const Json& one : client.request("workspace/symbol", {{"query", query}})) all.push_back(one["name"]);
    return all;
  };
  CHECK(names("pipe") == std::vector<std::string>{"Pipeline"});
  CHECK(names("wdt") == std::vector<std::string>{"width"});
  CHECK(names("").size() == 3);
  CHECK(names("nothing").empty());
}

TEST_CASE("blocks, comments and imports can be folded") {
  Client client;
  client.open("/p/a.wave", model);
  const Json all = client.request("textDocument/foldingRange", document("/p/a.wave"));
  const auto has = [&](int first, int last) {
    return std::any_of(all.begin(), all.end(),
                       [&](const Json& one) { return one["startLine"] == first && one["endLine"] == last; });
  };
  CHECK(has(1, 2));
  CHECK(has(4, 5));
  CHECK(has(6, 9));
}

TEST_CASE("a selection grows from a word to the document") {
  Client client;
  client.open("/p/a.wave", model);
  const Json all = client.request("textDocument/selectionRange", {{"textDocument", {{"uri", Client::uri("/p/a.wave")}}},
                                                                  {"positions", Json::array({client.position("1")})}});
  REQUIRE(all.size() == 1);
  std::vector<std::string> texts;
  for (Json one = all[0]; !one.is_null(); one = one.value("parent", Json()))
    texts.push_back(client.at("/p/a.wave", one["range"]));
  REQUIRE(texts.size() >= 5);
  CHECK(texts[0] == "n");
  CHECK(texts[1] == "k * n");
  CHECK(texts.back() == client.text("/p/a.wave"));
  for (std::size_t i = 1; i < texts.size(); ++i) CHECK(texts[i].find(texts[i - 1]) != std::string::npos);
}

TEST_CASE("a document is laid out as wave fmt does it") {
  const std::string messy = "wave 1\n\n\n\nmodel M{\n      param n:int=4   // a\n  output x=n*2\n\n}\n";
  Client client;
  client.open("/p/a.wave", messy);
  const Json edits = client.request("textDocument/formatting", document("/p/a.wave"));
  wave::frontend::Sources sources;
  wave::frontend::Diagnostics diagnostics;
  const auto expected = wave::frontend::format(sources, sources.add("a", messy), diagnostics);
  REQUIRE(expected);
  CHECK(client.edited("/p/a.wave", edits) == *expected);
  client.open("/p/b.wave", *expected);
  CHECK(client.request("textDocument/formatting", document("/p/b.wave")).empty());
}

TEST_CASE("only the lines of a range are laid out") {
  Client client;
  client.open("/p/a.wave", "let   a=1\n‹1›let   b=2‹2›\nlet   c=3\n");
  Json params = document("/p/a.wave");
  params["range"] = {{"start", client.position("1")}, {"end", client.position("2")}};
  const Json edits = client.request("textDocument/rangeFormatting", params);
  CHECK(client.edited("/p/a.wave", edits) == "let   a=1\nlet b = 2\nlet   c=3\n");
}

TEST_CASE("a document with syntax errors is not laid out") {
  Client client;
  client.open("/p/a.wave", "let   a = (\n");
  CHECK(client.request("textDocument/formatting", document("/p/a.wave")).is_null());
}
