// Diagnostics of what is typed, in open documents and in those that import them.
#include "tests/editors/client.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

using namespace wave::editors;
using testing::Client;

namespace {

std::vector<std::string> codes(const Json& diagnostics) {
  std::vector<std::string> all;
  for (const Json& one : diagnostics) all.push_back(one.value("code", "imported"));
  return all;
}

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("an error has its place, its code, related places and help") {
  Client client;
  client.open("/p/a.wave", "wave 1\nmodel M {\n  param width: int = 4\n  output area = width * ‹1›widht\n}\n");
  const Json all = client.diagnostics("/p/a.wave");
  REQUIRE(all.size() == 1);
  CHECK(all[0]["code"] == "E0201");
  CHECK(all[0]["severity"] == 1);
  CHECK(client.at("/p/a.wave", all[0]["range"]) == "widht");
  CHECK(all[0]["range"]["start"] == client.position("1"));
  CHECK(all[0]["message"].get<std::string>().find("did you mean `width`?") != std::string::npos);
}

TEST_CASE("a name that is declared twice shows where it was first") {
  Client client;
  client.open("/p/a.wave", "let ‹1›a = 1\nlet a = 2\n");
  const Json all = client.diagnostics("/p/a.wave");
  REQUIRE(all.size() == 1);
  REQUIRE(all[0]["relatedInformation"].size() == 1);
  CHECK(all[0]["relatedInformation"][0]["location"]["range"]["start"] == client.position("1"));
}

TEST_CASE("what is typed takes the place of what was there") {
  Client client;
  client.open("/p/a.wave", "let a = b\n");
  CHECK(codes(client.diagnostics("/p/a.wave")) == Codes{"E0201"});
  client.type("/p/a.wave", "let a = 1\n");
  CHECK(codes(client.diagnostics("/p/a.wave")).empty());
  client.type("/p/a.wave", "let a = \n");
  CHECK(codes(client.diagnostics("/p/a.wave")).size() == 1);
}

TEST_CASE("changes of parts of a text add up") {
  Client client;
  client.open("/p/a.wave", "let a = 1\nlet é = 2\n");
  const auto range = [](int line, int begin, int end) {
    return Json{{"start", {{"line", line}, {"character", begin}}}, {"end", {{"line", line}, {"character", end}}}};
  };
  client.notify("textDocument/didChange",
                {{"textDocument", {{"uri", Client::uri("/p/a.wave")}, {"version", 9}}},
                 {"contentChanges", Json::array({{{"range", range(1, 4, 5)}, {"text", "b"}},
                                                 {{"range", range(0, 8, 9)}, {"text", "b"}}})}});
  CHECK(client.diagnostics("/p/a.wave").empty());
}

TEST_CASE("an import is what is typed in another document, saved or not") {
  Client client;
  client.open("/p/mesh.wave", "let cells = 4\n");
  client.open("/p/a.wave", "import mesh\nlet n = mesh.cells\n");
  CHECK(client.diagnostics("/p/a.wave").empty());
  client.type("/p/mesh.wave", "let rows = 4\n");
  CHECK(codes(client.diagnostics("/p/a.wave")) == Codes{"E0203"});
  client.type("/p/mesh.wave", "let cells = 4\n");
  CHECK(client.diagnostics("/p/a.wave").empty());
}

TEST_CASE("a document that is opened later is what an import has missed") {
  Client client;
  client.open("/p/a.wave", "import mesh\nlet n = mesh.cells\n");
  CHECK(codes(client.diagnostics("/p/a.wave")) == Codes{"E0204"});
  client.open("/p/mesh.wave", "let cells = 4\n");
  CHECK(client.diagnostics("/p/a.wave").empty());
  client.close("/p/mesh.wave");
  CHECK(codes(client.diagnostics("/p/a.wave")) == Codes{"E0204"});
}

TEST_CASE("errors of an imported file are told at its import") {
  Client client;
  client.open("/p/mesh.wave", "let cells = unknown\n");
  client.open("/p/a.wave", "import ‹1›mesh\nlet n = mesh.cells\n");
  const Json all = client.diagnostics("/p/a.wave");
  REQUIRE(all.size() == 1);
  CHECK(all[0]["range"]["start"] == client.position("1"));
  CHECK(all[0]["relatedInformation"][0]["location"]["uri"] == Client::uri("/p/mesh.wave"));
}

TEST_CASE("a document that is closed has no diagnostics any more") {
  Client client;
  client.open("/p/a.wave", "let a = b\n");
  CHECK(client.diagnostics("/p/a.wave").size() == 1);
  client.close("/p/a.wave");
  CHECK(client.diagnostics("/p/a.wave").empty());
}

TEST_CASE("a document without a file imports the library") {
  Client client;
  client.open("untitled:Untitled-1", "import std.comm { Machine }\nlet a = b\n");
  CHECK(codes(client.diagnostics("untitled:Untitled-1")) == Codes{"E0201"});
}

TEST_CASE("a file that changes on the disk is read again") {
  const auto folder = std::filesystem::temp_directory_path() / ("wave-editors-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* text) { std::ofstream(folder / "mesh.wave") << text; };
  write("let cells = 4\n");
  Client client;
  const std::string name = (folder / "a.wave").string();
  client.open(name, "import mesh\nlet n = mesh.cells\n");
  CHECK(client.diagnostics(name).empty());
  write("let rows = 4\n");
  client.notify("workspace/didChangeWatchedFiles",
                {{"changes", Json::array({{{"uri", Client::uri((folder / "mesh.wave").string())}, {"type", 2}}})}});
  CHECK(codes(client.diagnostics(name)) == Codes{"E0203"});
  std::filesystem::remove_all(folder);
}

TEST_CASE("the page of a diagnostic is a document of the program where the client reads such") {
  Client client(Json{{"workspace", {{"textDocumentContent", Json::object()}}}});
  client.open("/p/a.wave", "let a = b\n");
  const Json all = client.diagnostics("/p/a.wave");
  REQUIRE(all.size() == 1);
  const Json page = all[0]["codeDescription"]["href"];
  CHECK(page == "wave:/diagnostics/E0201.md");
  CHECK(client.request("workspace/textDocumentContent", {{"uri", page}})["text"] == "# E0201: unknown name\n");
}

TEST_CASE("modules come from the project of the text, and what is wrong with wave.toml is said until it is right") {
  const wave::test::Folder folder;
  const std::string toml = "[project]\nname = \"app\"\nversion = \"0.1.0\"\nfolders = [\"models\"]\n";
  folder.write("wave.toml", toml);
  folder.write("models/parts.wave", "wave 1\nlet size = 3\n");
  const std::string name = (folder.path() / "tests/a.wave").string();
  const auto changed = [&](Client& client, const std::string& text) {
    folder.write("wave.toml", text);
    const Json change = {{"uri", Client::uri((folder.path() / "wave.toml").string())}, {"type", 2}};
    client.notify("workspace/didChangeWatchedFiles", {{"changes", Json::array({change})}});
  };
  std::filesystem::create_directories(folder.path() / "tests");
  Client client;
  client.open(name, "wave 1\nimport app.parts { size }\nlet a = size\n");
  CHECK(codes(client.diagnostics(name)).empty());
  changed(client, toml + "[dependencies]\nb = 1\n");
  CHECK(codes(client.diagnostics(name)) == Codes{"E0217"});
  changed(client, toml);
  CHECK(codes(client.diagnostics(name)).empty());
}
