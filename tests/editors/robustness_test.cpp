// No request makes the server crash, hang or stop answering.
#include "tests/editors/client.h"
#include "tests/editors/requests.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

using namespace wave::editors;
using testing::Client;
using testing::document_requests;
using testing::everything_about;

namespace {

// From a place to the end of its line.
Json range_at(int line, int character) {
  return {{"start", {{"line", line}, {"character", character}}}, {"end", {{"line", line + 1}, {"character", 0}}}};
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// How many answers there were to these ids.
std::size_t answers(const Client& client) {
  return static_cast<std::size_t>(std::count_if(client.sent().begin(), client.sent().end(),
                                                [](const Json& message) { return message.contains("id"); }));
}

}  // namespace

TEST_CASE("every request about every kind of program is answered") {
  // Errors of all kinds, in whole programs: the front end has understood them in part.
  const auto folder = std::filesystem::path(WAVE_SOURCE_DIR) / "tests/language/errors";
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".wave" && entry.file_size() < 4000) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  REQUIRE(files.size() > 100);
  std::mt19937 random(1);
  Client client;
  for (std::size_t i = 0; i < files.size(); i += 9) {
    INFO(files[i].string());
    const std::string text = text_of(files[i]);
    const std::string uri = Client::uri(files[i].string());
    client.notify("textDocument/didOpen", {{"textDocument", {{"uri", uri}, {"version", 1}, {"text", text}}}});
    const auto lines = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
    for (const char* method : document_requests) {
      const std::size_t before = answers(client);
      client.handle({{"jsonrpc", "2.0"},
                     {"id", method},
                     {"method", std::string("textDocument/") + method},
                     {"params", everything_about(uri, range_at(static_cast<int>(random() % lines),
                                                               static_cast<int>(random() % 40)))}});
      client.settle();
      CHECK(answers(client) == before + 1);
    }
    client.notify("textDocument/didClose", {{"textDocument", {{"uri", uri}}}});
  }
}

TEST_CASE("a text that is typed letter by letter is answered at every step") {
  const std::string whole =
      "import std.machines.ibm_sp2 { SP2 }\nmodel M {\n  param net: SP2 = SP2(o_s = 2 us)\n"
      "  grid P[i: 4]\n  process w on P using net { send 8 B to [i+1]; recv from [i-1] }\n"
      "  output t = if true then w.time else net.total(8 B)\n}\n";
  Client client;
  client.open("/p/a.wave", "");
  int line = 0, character = 0;
  for (std::size_t end = 1; end <= whole.size(); ++end) {
    ++character;
    if (whole[end - 1] == '\n') ++line, character = 0;
    if (end % 7 != 0 && whole[end - 1] != '.' && whole[end - 1] != '(') continue;
    client.notify("textDocument/didChange",
                  {{"textDocument", {{"uri", Client::uri("/p/a.wave")}, {"version", static_cast<int>(end)}}},
                   {"contentChanges", Json::array({{{"text", whole.substr(0, end)}}})}});
    for (const char* method : {"completion", "signatureHelp", "hover", "semanticTokens/full"})
      client.request(std::string("textDocument/") + method,
                     everything_about(Client::uri("/p/a.wave"), range_at(line, character)));
  }
  client.type("/p/a.wave", whole);
  INFO(client.diagnostics("/p/a.wave").dump());
  CHECK(client.diagnostics("/p/a.wave").empty());
}

TEST_CASE("damaged parameters are answered with an error") {
  Client client;
  client.open("/p/a.wave", "let a = 1\n");
  const Json uri = {{"uri", Client::uri("/p/a.wave")}};
  for (const Json& params : std::vector<Json>{Json(),
                                              3,
                                              Json::array(),
                                              {{"textDocument", 3}},
                                              {{"textDocument", {{"uri", 3}}}},
                                              {{"textDocument", {{"uri", "file:///not/open.wave"}}}},
                                              {{"textDocument", uri}},
                                              {{"textDocument", uri}, {"position", "x"}},
                                              {{"textDocument", uri}, {"position", {{"line", -1}, {"character", 0}}}},
                                              {{"textDocument", uri}, {"position", {{"line", 0.5}, {"character", 0}}}}})
    CHECK(client.error("textDocument/hover", params)["code"] == -32602);
  const Json far = {{"line", 4294967295U}, {"character", 18446744073709551615ULL}};
  CHECK(client.request("textDocument/hover", {{"textDocument", uri}, {"position", far}}).is_null());
}

TEST_CASE("messages that make no sense are answered or passed over") {
  Client client;
  CHECK(client.error("textDocument/unknown", Json::object())["code"] == -32601);
  CHECK(client.error("initialize", Json::object())["code"] == -32600);
  for (const Json& message : std::vector<Json>{3,
                                               "x",
                                               Json::array({1}),
                                               Json::object(),
                                               {{"id", 1}},
                                               {{"method", 3}, {"id", 1}},
                                               {{"method", "x"}},
                                               {{"method", "x"}, {"id", Json::array()}}})
    client.handle(message);
  for (const char* method :
       {"textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "workspace/didChangeWatchedFiles",
        "workspace/didChangeWorkspaceFolders", "$/cancelRequest"}) {
    client.notify(method, Json());
    client.notify(method, {{"textDocument", {{"uri", "x"}}}, {"changes", 3}, {"event", 3}, {"id", {}}});
  }
  client.open("/p/a.wave", "let ‹1›a = 1\n");
  CHECK(client.ask("hover", "1").is_object());
}

TEST_CASE("a change whose range lies outside of the text changes its end") {
  Client client;
  client.open("/p/a.wave", "let a = 1\n");
  const Json far = {{"line", 1000}, {"character", 1000}};
  client.notify(
      "textDocument/didChange",
      {{"textDocument", {{"uri", Client::uri("/p/a.wave")}, {"version", 2}}},
       {"contentChanges", Json::array({{{"range", {{"start", far}, {"end", far}}}, {"text", "let b = c\n"}}})}});
  CHECK(client.diagnostics("/p/a.wave").size() == 1);
}

TEST_CASE("after shutdown nothing is answered but with errors") {
  Client client;
  client.request("shutdown", Json());
  CHECK(client.error("workspace/symbol", {{"query", ""}})["code"] == -32600);
  client.notify("exit", Json());
  CHECK(client.exit_code() == 0);
}

TEST_CASE("a document that is no model at all is survived") {
  Client client;
  for (const std::string& text :
       {std::string(100'000, '('), std::string("\0\x01\x02 let", 7), std::string(50'000, '{') + "let",
        std::string("let a = ") + std::string(20'000, '-') + "1"}) {
    client.notify("textDocument/didOpen", {{"textDocument", {{"uri", "untitled:x"}, {"version", 1}, {"text", text}}}});
    for (const char* method : document_requests)
      client.handle({{"jsonrpc", "2.0"},
                     {"id", 1},
                     {"method", std::string("textDocument/") + method},
                     {"params", everything_about("untitled:x", range_at(0, 30))}});
    CHECK_FALSE(client.diagnostics("untitled:x").empty());
  }
}
