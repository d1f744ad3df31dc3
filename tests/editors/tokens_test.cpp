// Semantic tokens: what each word is.
#include "tests/editors/client.h"

#include <catch2/catch.hpp>

#include <map>
#include <set>

using namespace wave::editors;
using testing::Client;

namespace {

struct Word {
  std::string type;
  std::set<std::string> modifiers;
};

// By the texts of tokens, the last one of each.
std::map<std::string, Word> words(Client& client, const char* name) {
  const Json data =
      client.request("textDocument/semanticTokens/full", {{"textDocument", {{"uri", Client::uri(name)}}}})["data"];
  REQUIRE(data.size() % 5 == 0);
  std::map<std::string, Word> all;
  int line = 0, character = 0;
  for (std::size_t i = 0; i < data.size(); i += 5) {
    const int lines = data[i], characters = data[i + 1], length = data[i + 2];
    line += lines;
    character = lines > 0 ? characters : character + characters;
    const Json range = {{"start", {{"line", line}, {"character", character}}},
                        {"end", {{"line", line}, {"character", character + length}}}};
    Word word{token_types().at(data[i + 3]), {}};
    for (std::size_t k = 0; k < token_modifiers().size(); ++k) {
      if (data[i + 4].get<unsigned>() >> k & 1) word.modifiers.insert(token_modifiers()[k]);
    }
    all[client.at(name, range)] = word;
  }
  return all;
}

}  // namespace

TEST_CASE("parameters, outputs, units, axes and the rest are told apart") {
  Client client;
  client.open("/p/a.wave", R"(wave 1
import std.comm { Machine }
import std.machines.ibm_sp2
/// documented
model M {
  param net: Machine = ibm_sp2.SP2()
  param n: int = 4   // plain
  grid P[i: n]
  rec at[i] over P: time = at[i-1] + 2 us/B * 8 B else 0
  fn scaled(x: real): real = sqrt(x)
  output t = at[n] in ms
}
)");
  REQUIRE(client.diagnostics("/p/a.wave").empty());
  client.open("/p/b.wave", "export import std.machines.ibm_sp2 { SP2 as Cluster }\nlet net = Cluster()\n");
  auto all = words(client, "/p/b.wave");
  CHECK(all["export"].type == "keyword");
  CHECK(all["as"].type == "keyword");
  CHECK(all["Cluster"].type == "class");
  all = words(client, "/p/a.wave");
  CHECK(all["net"].type == "parameter");
  CHECK(all["n"].type == "parameter");
  CHECK(all["n"].modifiers == std::set<std::string>{"readonly"});
  CHECK(all["t"].type == "output");
  CHECK(all["t"].modifiers.count("declaration") == 1);
  CHECK(all["i"].type == "axis");
  CHECK(all["P"].type == "grid");
  CHECK(all["us"].type == "unit");
  CHECK(all["B"].type == "unit");
  CHECK(all["ms"].type == "unit");
  CHECK(all["x"].type == "parameter");
  CHECK(all["x"].modifiers == std::set<std::string>{"local"});
  CHECK(all["Machine"].type == "interface");
  CHECK(all["Machine"].modifiers.count("defaultLibrary") == 1);
  CHECK(all["SP2"].type == "class");
  CHECK(all["ibm_sp2"].type == "namespace");
  CHECK(all["sqrt"].type == "function");
  CHECK(all["model"].type == "keyword");
  CHECK(all["time"].type == "type");
  CHECK(all["4"].type == "number");
  CHECK(all["// plain"].type == "comment");
  CHECK(all["/// documented"].modifiers == std::set<std::string>{"documentation"});
}

TEST_CASE("what has a syntax error still has its words, numbers and units") {
  Client client;
  client.open("/p/a.wave", "let a = (2 us +\nlet b = \"text\n");
  auto all = words(client, "/p/a.wave");
  CHECK(all["let"].type == "keyword");
  CHECK(all["us"].type == "unit");
  CHECK(all["2"].type == "number");
}
