// Texts that take long to read and check: the server goes on answering, and gives up what nobody waits for.
#include "tests/editors/client.h"
#include "tests/random/environment.h"
#include "tests/texts.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>

using namespace wave::editors;
using testing::Client;
using wave::test::numbered;

namespace {

// It takes more than a moment: 2 MB of it, or less in a slow build.
constexpr int lines = wave::test::fewer(80'000);
const std::string& long_text() {
  static const std::string text = "let ‹long›first = 1 us\n" + numbered(lines, "let a{0} = {0} us + first\n");
  return text;
}

bool is_answered(const Client& client, int id) {
  return std::any_of(client.sent().begin(), client.sent().end(),
                     [&](const Json& message) { return message.contains("id") && message["id"] == id; });
}

double seconds_to_settle(Client& client) {
  const auto start = std::chrono::steady_clock::now();
  client.settle();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

constexpr double unlimited = 1000;
const Json without_values{{"evaluate", false}};

}  // namespace

TEST_CASE("a text that cannot be read in time says so, and what is asked about it is refused") {
  Client client(Json::object(), {}, Json::object(), 0.01);
  client.open("/p/a.wave", long_text());
  const Json found = client.diagnostics("/p/a.wave");
  REQUIRE(found.size() == 1);
  CHECK(found[0]["code"] == "E0610");
  CHECK(found[0]["message"].get<std::string>().find("within 0.1 s") != std::string::npos);
  const Json params{{"textDocument", {{"uri", Client::uri("/p/a.wave")}}}, {"position", client.position("long")}};
  CHECK(client.error("textDocument/hover", params)["code"] == -32803);
  client.type("/p/a.wave", "let a = b\n");
  CHECK(client.diagnostics("/p/a.wave")[0]["code"] == "E0201");
}

TEST_CASE("the next key stroke ends reading") {
  Client client(Json::object(), {}, without_values, unlimited);
  client.open("/p/a.wave", long_text());
  const double whole = seconds_to_settle(client);
  client.close("/p/a.wave");
  client.open("/p/a.wave", long_text());
  client.work_for(std::chrono::milliseconds(1));
  client.type("/p/a.wave", "let a = b\n");
  CHECK(seconds_to_settle(client) < whole / 2);
  CHECK(client.diagnostics("/p/a.wave")[0]["code"] == "E0201");
}

TEST_CASE("what is asked about a text that is being read waits for it, and other texts are answered") {
  Client client(Json::object(), {}, without_values, unlimited);
  client.open("/p/long.wave", long_text());
  client.open("/p/short.wave", "let ‹short›a = 1 us\n");
  const auto hover = [&](const char* name, const char* mark) {
    return client.begin("textDocument/hover",
                        {{"textDocument", {{"uri", Client::uri(name)}}}, {"position", client.position(mark)}});
  };
  const int about_long = hover("/p/long.wave", "long");
  CHECK_FALSE(is_answered(client, about_long));
  CHECK(is_answered(client, hover("/p/short.wave", "short")));
  client.settle();
  CHECK(is_answered(client, about_long));
  CHECK(client.diagnostics("/p/long.wave").empty());
  client.type("/p/long.wave", long_text() + "let last = missing\n");
  CHECK(client.diagnostics("/p/long.wave").size() == 1);
}

TEST_CASE("a change that has come meanwhile ends what the server's thread reads") {
  Client client(Json::object(), {}, without_values, unlimited);
  client.open("/p/a.wave", long_text());
  client.settle();
  client.has_change = true;
  const Json params{{"textDocument", {{"uri", Client::uri("/p/a.wave")}}}, {"position", client.position("long")}};
  CHECK(client.error("textDocument/completion", params)["code"] == -32801);
}

TEST_CASE("a long text is laid out in the background, and other texts are answered") {
  Client client(Json::object(), {}, without_values, unlimited);
  client.open("/p/long.wave", long_text() + "let   last = 1\n");
  client.open("/p/short.wave", "let ‹short›a =  1 us\n");
  client.settle();
  const auto lay_out = [&](const char* name) {
    return client.begin("textDocument/formatting", {{"textDocument", {{"uri", Client::uri(name)}}}});
  };
  const int of_long = lay_out("/p/long.wave");
  CHECK_FALSE(is_answered(client, of_long));
  CHECK(is_answered(client, lay_out("/p/short.wave")));
  CHECK(
      is_answered(client, client.begin("textDocument/hover", {{"textDocument", {{"uri", Client::uri("/p/short.wave")}}},
                                                              {"position", client.position("short")}})));
  client.settle();
  REQUIRE(is_answered(client, of_long));
  const auto found = std::find_if(client.sent().begin(), client.sent().end(), [&](const Json& message) {
    return message.contains("id") && message["id"] == of_long;
  });
  REQUIRE((*found)["result"].size() == 1);
  CHECK((*found)["result"][0]["newText"] == "let last = 1\n");
  // The next key stroke ends it.
  const int in_vain = lay_out("/p/long.wave");
  client.type("/p/long.wave", "let a = 1\n");
  client.settle();
  CHECK(std::any_of(client.sent().begin(), client.sent().end(), [&](const Json& message) {
    return message.contains("id") && message["id"] == in_vain && message.contains("error");
  }));
}

TEST_CASE("who waits for values is answered without them when the time of an evaluation is over") {
  constexpr int others = 20;
  Client client(Json::object(), {}, Json::object(), 0.3);
  const std::string slow = "model M { output o = sum(k in 1..2000000000: ln(k + 1)) }\n";
  // It is read last, since documents are read in the order of their addresses, and evaluated last, since values of what
  // was opened last come first.
  const std::string last = "/p/z.wave";
  client.open(last, slow);
  for (int i = 0; i < others; ++i) client.open("/p/other" + std::to_string(i) + ".wave", slow);
  const int lens = client.begin("textDocument/codeLens", {{"textDocument", {{"uri", Client::uri(last)}}}});
  const int run =
      client.begin("workspace/executeCommand", {{"command", "wave.run"}, {"arguments", {Client::uri(last), "M"}}});
  while (!is_answered(client, run) && client.step()) {}
  CHECK(is_answered(client, lens));
  for (const Json& message : client.sent()) {
    if (!message.contains("id") || message.contains("method"))
      continue;  // requests of the server's own have such ids, too
    if (message["id"] == lens) CHECK(message.contains("result"));
    if (message["id"] == run) CHECK(message.contains("error"));
  }
  client.settle();
}
