// Values beside the text: hints, hover, lenses, and when they are evaluated.
#include "tests/editors/client.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>

using namespace wave::editors;
using testing::Client;
using testing::has;

namespace {

using Texts = std::vector<std::string>;

Json hints_of(Client& client, const std::string& name) {
  return client.request(
      "textDocument/inlayHint",
      {{"textDocument", {{"uri", Client::uri(name)}}},
       {"range", {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 1000}, {"character", 0}}}}}});
}

Texts hints(Client& client, const std::string& name) {
  Texts all;
  for (const Json& one : hints_of(client, name)) all.push_back(one["label"]);
  return all;
}

Json lenses_of(Client& client, const std::string& name) {
  return client.request("textDocument/codeLens", {{"textDocument", {{"uri", Client::uri(name)}}}});
}

Texts titles(const Json& lenses) {
  Texts all;
  for (const Json& one : lenses) {
    if (one.contains("command")) all.push_back(one["command"]["title"]);
  }
  return all;
}

std::string hover(Client& client, const std::string& mark) {
  const Json answer = client.ask("hover", mark);
  return answer.is_null() ? "" : answer["contents"]["value"].get<std::string>();
}

constexpr const char* farm = R"(model Farm {
  param tasks: int = 8
  param ‹each›each: time = 2 ms
  let ‹rounds›rounds = tasks div 3
  let literal = 3 us
  output ‹total›total = rounds * each + literal
}
)";

// So much work that it takes minutes in any engine.
constexpr const char* slow = R"(fn step(x: int): int = if x mod 2 == 0 then x div 2 else 3 * x + 1
model Slow {
  param n: int = 2000000000
  output total = sum(i in 1..n: step(step(i mod 1000)))
}
)";

}  // namespace

TEST_CASE("what is computed has its value beside it, and what is written has none") {
  Client client;
  client.open("/p/a.wave", farm);
  CHECK(hints(client, "/p/a.wave") == Texts{"= 2", "= 4.003 ms"});
  const Json all = hints_of(client, "/p/a.wave");
  CHECK(all[0]["position"]["line"] == client.position("rounds")["line"]);
}

TEST_CASE("a hint stands in the range that was asked for") {
  Client client;
  client.open("/p/a.wave", farm);
  const Json range{{"start", {{"line", 0}, {"character", 0}}}, {"end", client.position("rounds")}};
  CHECK(client.request("textDocument/inlayHint", {{"textDocument", {{"uri", "file:///p/a.wave"}}}, {"range", range}})
            .empty());
}

TEST_CASE("hints follow what is typed") {
  Client client;
  client.open("/p/a.wave", "let a = 1 + 1\n");
  CHECK(hints(client, "/p/a.wave") == Texts{"= 2"});
  client.type("/p/a.wave", "let a = 1 + 2\n");
  CHECK(hints(client, "/p/a.wave") == Texts{"= 3"});
  client.type("/p/a.wave", "let a = 1 + \n");
  CHECK(hints(client, "/p/a.wave").empty());
}

TEST_CASE("while a text has errors, lines that are the same keep their last values, as from before") {
  Client client;
  const std::string text(farm);
  const auto with = [&](const std::string& line, const std::string& other) {
    std::string changed = text;
    return changed.replace(changed.find(line), line.size(), other);
  };
  client.open("/p/a.wave", text);
  CHECK(hints(client, "/p/a.wave") == Texts{"= 2", "= 4.003 ms"});
  client.type("/p/a.wave", with("  let literal = 3 us\n", "  let literal = 3 u\n"));
  CHECK(hints(client, "/p/a.wave") == Texts{"before: 2", "before: 4.003 ms"});
  CHECK(hover(client, "rounds").find("before the text had errors: value `2`") != std::string::npos);
  client.type("/p/a.wave", with("  let literal = 3 us\n", "  let literal = \n\n\n  let more = \n"));
  CHECK(hints_of(client, "/p/a.wave").back()["position"]["line"] == client.position("total")["line"]);
  client.type("/p/a.wave", with("tasks div 3", "tasks div "));
  CHECK(hints(client, "/p/a.wave") == Texts{"before: 4.003 ms"});
  client.type("/p/a.wave", with("tasks div 3", "tasks div 2"));
  CHECK(hints(client, "/p/a.wave") == Texts{"= 4", "= 8.003 ms"});
}

TEST_CASE("a declaration of which some line has changed keeps no value while the text has errors") {
  Client client;
  client.open("/p/a.wave", "let a = [1,\n  2 + 2]\nlet b = 1 + 1\n");
  CHECK(hints(client, "/p/a.wave") == Texts{"= [1, 4]", "= 2"});
  client.type("/p/a.wave", "let a = [1,\n  2 + c]\nlet b = 1 + 1\n");
  CHECK(hints(client, "/p/a.wave") == Texts{"before: 2"});
}

TEST_CASE("a text that never was without errors has no values") {
  Client client;
  client.open("/p/a.wave", "let a = 1 + 1\nlet b = c\n");
  CHECK(hints(client, "/p/a.wave").empty());
}

TEST_CASE("the lens of a model without changes says its last results while another one has errors") {
  Client client;
  const std::string other = "model Other {\n  output o = ";
  client.open("/p/a.wave", farm + other + "1\n}\n");
  client.settle();
  client.type("/p/a.wave", farm + other + "missing\n}\n");
  const Texts all = titles(lenses_of(client, "/p/a.wave"));
  CHECK(has(all, "before: total 4.003 ms"));
  CHECK(has(all, "run"));
  CHECK(client.request("workspace/executeCommand",
                       {{"command", "wave.run"}, {"arguments", {"file:///p/a.wave", "Farm"}}}) ==
        "the text has errors");
}

TEST_CASE("hints follow what is typed in a module that is imported") {
  Client client;
  client.open("/p/costs.wave", "let each = 2 ms\n");
  client.open("/p/a.wave", "import \"./costs.wave\" as costs\nlet all = 3 * costs.each\n");
  CHECK(hints(client, "/p/a.wave") == Texts{"= 6 ms"});
  client.type("/p/costs.wave", "let each = 3 ms\n");
  CHECK(hints(client, "/p/a.wave") == Texts{"= 9 ms"});
}

TEST_CASE("nothing is evaluated while a module that is imported has errors") {
  Client client;
  client.open("/p/costs.wave", "let each = 2 ms\nlet other = missing\n");
  client.open("/p/a.wave", "import \"./costs.wave\" as costs\nlet all = 3 * costs.each\n");
  CHECK(hints(client, "/p/a.wave").empty());
  client.type("/p/a.wave", "import \"./costs.wave\" as costs\nlet all = 4 * costs.each\n");
  CHECK(hints(client, "/p/a.wave").empty());
  client.type("/p/costs.wave", "let each = 2 ms\n");
  CHECK(hints(client, "/p/a.wave") == Texts{"= 8 ms"});
}

TEST_CASE("a comment gives parameters their values") {
  Client client;
  client.open("/p/a.wave", std::string("// wave: -D tasks=30 -D each=\"1 us\"\n") + farm);
  CHECK(hints(client, "/p/a.wave") == Texts{"= 30", "= 1 us", "= 10", "= 13 us"});
}

TEST_CASE("a value that no model takes says why") {
  Client client;
  client.open("/p/a.wave", std::string("// wave: -D taks=30\n") + farm);
  const Texts all = hints(client, "/p/a.wave");
  REQUIRE(all.size() == 3);
  CHECK(all[0].find("taks") != std::string::npos);
}

TEST_CASE("a command gives parameters their values, and they go before those of comments") {
  Client client(Json{{"workspace", {{"inlayHint", {{"refreshSupport", true}}}}}});
  client.open("/p/a.wave", std::string("// wave: -D tasks=30\n") + farm);
  client.settle();
  const auto refreshes = [&] {
    return std::count_if(client.sent().begin(), client.sent().end(),
                         [](const Json& one) { return one.value("method", "") == "workspace/inlayHint/refresh"; });
  };
  const auto before = refreshes();
  client.request("workspace/executeCommand",
                 {{"command", "wave.setParameters"}, {"arguments", {"file:///p/a.wave", {"tasks=60"}}}});
  CHECK(refreshes() == before + 1);
  CHECK(has(hints(client, "/p/a.wave"), "= 20"));
}

TEST_CASE("without a value for a parameter there is no hint and no error, and hover says so") {
  Client client;
  client.open("/p/a.wave", "model M {\n  param ‹n›n: int\n  output twice = 2 * n\n  output other = 1 + 1\n}\n");
  CHECK(hints(client, "/p/a.wave") == Texts{"= 2"});
  CHECK(hover(client, "n").find("// wave: -D n=") != std::string::npos);
  CHECK(client.diagnostics("/p/a.wave").empty());
}

TEST_CASE("what cannot be evaluated says why") {
  Client client;
  client.open("/p/a.wave",
              "model M {\n  param n: int = 8\n  require n < 4, \"too many\"\n  output ‹1›twice = 2 * n\n}\n");
  CHECK(hints(client, "/p/a.wave") == Texts{"no value: E0512"});
  CHECK(hover(client, "1").find("too many") != std::string::npos);
}

TEST_CASE("hover shows values of outputs, lets, parameters and members of machines") {
  Client client;
  client.open("/p/a.wave", R"(import std.comm { Machine }
import std.machines.ibm_sp2 { SP2 }
model M {
  param net: Machine { L: time } = SP2()
  param n: int = 4 * 2
  let ‹a›a = 2 * ‹n›n
  output ‹o›cost = a * net.‹L›L
}
)");
  client.settle();
  CHECK(hover(client, "a").find("value `16`") != std::string::npos);
  CHECK(hover(client, "n").find("value `8`") != std::string::npos);
  CHECK(hover(client, "o").find("value `") != std::string::npos);
  CHECK(hover(client, "L").find("in `M`") != std::string::npos);
}

TEST_CASE("hover over a machine shows what messages cost") {
  Client client;
  client.open("/p/a.wave",
              "import std.comm { Machine }\nimport std.machines.ibm_sp2 { SP2 }\nmodel M {\n  param net: Machine { L: "
              "time } = ‹1›SP2()\n  output L = net.L\n}\n");
  const std::string text = hover(client, "1");
  CHECK(text.find("| size | send | receive | total | protocol |") != std::string::npos);
  CHECK(text.find("| 64 KiB |") != std::string::npos);
}

TEST_CASE("messages have their protocols, orders their fills, recurrences and processes their sizes") {
  Client client;
  client.open("/p/a.wave", R"(import std.machines.ibm_sp2 { SP2 }
model M {
  param n: int = 3
  let corners = [NW, SE]
  grid P[i: n, j: n]
  rec a[k in 1..n]: time = k * 1 us
  process p on P using SP2() {
    sweep from corners tiles 2 {
      recv 4 KiB from upwind i
      ‹1›send 4 KiB to downwind i
      compute(1 us)
    }
  }
  output time = p.time + a[n]
}
)");
  const Json all = hints_of(client, "/p/a.wave");
  INFO(all.dump(1) << client.diagnostics("/p/a.wave").dump(1));
  const Texts labels = hints(client, "/p/a.wave");
  const auto holds = [&](const std::string& part) {
    return std::any_of(labels.begin(), labels.end(),
                       [&](const auto& one) { return one.find(part) != std::string::npos; });
  };
  CHECK(holds("2 sweeps, 2 full fills"));
  CHECK(holds("3 cells, closed form"));
  CHECK(holds("tile by tile"));
  CHECK(holds("rendezvous, 354.9 us"));
  CHECK(hover(client, "1").find("`send`") != std::string::npos);
}

TEST_CASE("lenses show results, and commands say them") {
  Client client;
  client.open("/p/a.wave",
              std::string(farm) + "test \"half\" { expect 1 + 1 == 2 }\ntest \"wrong\" { expect 1 + 1 == 3 }\n");
  const Json lenses = lenses_of(client, "/p/a.wave");
  CHECK(titles(lenses) == Texts{"total 4.003 ms", "breakdown", "1 of 2 tests pass", "passes", "fails"});
  const auto run = [&](const char* command, const Json& arguments) -> std::string {
    return client.request("workspace/executeCommand", {{"command", command}, {"arguments", arguments}});
  };
  CHECK(run("wave.run", {"file:///p/a.wave", "Farm"}) == "total: 4.003 ms");
  CHECK(client.sent()[client.sent().size() - 2]["params"]["message"] == "total: 4.003 ms");
  CHECK(run("wave.test", {"file:///p/a.wave", "wrong"}).find("right side: 3") != std::string::npos);
  CHECK(run("wave.breakdown", {"file:///p/a.wave", "Farm"}).find("99.9 % each") != std::string::npos);
}

TEST_CASE("a study has a lens where the client can plot it") {
  const char* text =
      "model M {\n  param n: int = 1\n  output t = n * 1 us\n}\nstudy s of M { vary n in 1..4; show t }\n";
  const auto has_plot = [&](bool plots) {
    Client client(Json::object(), {}, Json{{"plots", plots}});
    client.open("/p/a.wave", text);
    return has(titles(lenses_of(client, "/p/a.wave")), "plot");
  };
  CHECK(has_plot(true));
  CHECK(!has_plot(false));
}

TEST_CASE("a lens says who uses a declaration once somebody looks") {
  Client client;
  client.open("/p/a.wave",
              "model Twice {\n  param t: time = 1 us\n  output value = 2 * t\n}\nmodel A { output a = Twice().value "
              "}\nmodel B { output b = Twice(t = 2 us).value }\n");
  for (const Json& lens : lenses_of(client, "/p/a.wave")) {
    if (!lens.contains("data") || lens["data"]["name"] != "Twice") continue;
    const Json resolved = client.request("codeLens/resolve", lens);
    CHECK(resolved["command"]["title"] == "used by 2 models");
    return;
  }
  FAIL("there is no lens to resolve");
}

TEST_CASE("damaged lenses and commands are refused, and the server goes on") {
  Client client;
  client.open("/p/a.wave", farm);
  Json item;
  for (const Json& lens : lenses_of(client, "/p/a.wave")) {
    if (lens.contains("data")) item = lens["data"];
  }
  REQUIRE(item.contains("data"));
  for (const char* part : {"uri", "name", "selectionRange", "data"}) {
    Json damaged = item;
    damaged[part] = 7;
    client.begin("codeLens/resolve", {{"data", damaged}, {"range", 3}});
    client.begin("workspace/executeCommand", {{"command", "wave.uses"}, {"arguments", {1, 2, damaged}}});
  }
  for (const char* command : {"wave.run", "wave.test", "wave.breakdown", "wave.uses", "wave.setParameters", "wave"}) {
    client.error("workspace/executeCommand", {{"command", command}});
    client.error("workspace/executeCommand", {{"command", command}, {"arguments", {7, 7}}});
  }
  CHECK(hints(client, "/p/a.wave") == Texts{"= 2", "= 4.003 ms"});
}

TEST_CASE("nothing is evaluated where the client forbids it") {
  Client client(Json::object(), {}, Json{{"evaluate", false}});
  client.open("/p/a.wave", std::string(farm));
  CHECK(hints(client, "/p/a.wave").empty());
  CHECK(titles(lenses_of(client, "/p/a.wave")).empty());
  CHECK(hover(client, "total").find("value `") == std::string::npos);
  client.error("workspace/executeCommand", {{"command", "wave.run"}, {"arguments", {"file:///p/a.wave", "Farm"}}});
}

TEST_CASE("a long evaluation ends in time, and is said to") {
  Client client;
  client.open("/p/a.wave", slow);
  const auto begin = std::chrono::steady_clock::now();
  CHECK(hints(client, "/p/a.wave").empty());
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
  const std::string text = client.request("workspace/executeCommand",
                                          {{"command", "wave.run"}, {"arguments", {"file:///p/a.wave", "Slow"}}});
  CHECK(text.find("not evaluated in time") != std::string::npos);
}

TEST_CASE("the next key stroke ends an evaluation, and refuses who waits for it") {
  Client client(Json::object(), {}, Json::object(), 1000);
  client.open("/p/a.wave", slow);
  client.begin("textDocument/inlayHint",
               {{"textDocument", {{"uri", "file:///p/a.wave"}}},
                {"range", {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 9}, {"character", 0}}}}}});
  client.work_for(std::chrono::milliseconds(300));  // it is being evaluated
  CHECK(!client.sent().empty());
  const auto begin = std::chrono::steady_clock::now();
  client.type("/p/a.wave", "let a = 1 + 1\n");
  CHECK(hints(client, "/p/a.wave") == Texts{"= 2"});
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
  const auto refused = [](const Json& one) { return one.contains("error") && one["error"]["code"] == -32801; };
  CHECK(std::count_if(client.sent().begin(), client.sent().end(), refused) == 1);
}
