// Other names, in all files that know them, and what is refused.
#include "tests/editors/client.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

using namespace wave::editors;
using testing::Client;

namespace {

Json renamed(Client& client, const std::string& mark, const std::string& name) {
  return client.ask("rename", mark, {{"newName", name}});
}

std::string refused(Client& client, const std::string& mark, const std::string& name) {
  const testing::Place at = client.place(mark);
  return client.error(
      "textDocument/rename",
      {{"textDocument", {{"uri", at.uri}}}, {"position", client.position(mark)}, {"newName", name}})["message"];
}

}  // namespace

TEST_CASE("a name is changed in every document that knows it") {
  Client client;
  client.open("/p/mesh.wave", "let ‹1›cells = 4\nlet twice = 2 * cells\n");
  client.open("/p/a.wave",
              "import mesh { cells }\nimport mesh as g\nlet n = cells + g.‹2›cells\nfn f(cells: int): int = cells\n");
  for (const char* mark : {"1", "2"}) {
    const Json edit = renamed(client, mark, "points");
    CHECK(client.edited("/p/mesh.wave", edit) == "let points = 4\nlet twice = 2 * points\n");
    CHECK(client.edited("/p/a.wave", edit) ==
          "import mesh { points }\nimport mesh as g\nlet n = points + g.points\nfn f(cells: int): int = cells\n");
  }
}

TEST_CASE("files that are not open are changed, too") {
  const auto folder = std::filesystem::temp_directory_path() / ("wave-rename-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a.wave") << "import mesh\nlet n = mesh.cells\n";
  Client client(Json::object(), {folder.string()});
  client.open((folder / "mesh.wave").string(), "let ‹1›cells = 4\n");
  const Json edit = renamed(client, "1", "points");
  const Json changes = edit["changes"][Client::uri(std::filesystem::canonical(folder).string() + "/a.wave")];
  REQUIRE(changes.size() == 1);
  CHECK(changes[0]["range"]["start"]["character"] == 13);
  std::filesystem::remove_all(folder);
}

TEST_CASE("what an override replaces and what an interface asks for keep one name") {
  Client client;
  client.open("/p/a.wave",
              "interface Net { fn ‹1›cost(‹d›d: data): time }\n"
              "machine A : Net {\n  fn cost(d: data): time = d / 1 GB/s\n}\n"
              "machine B extends A {\n  override fn ‹2›cost(d: data): time = 2 * super.cost(d)\n}\n"
              "let t = B().cost(d = 8 B)\n");
  CHECK(client.diagnostics("/p/a.wave").empty());
  for (const char* mark : {"1", "2"}) {
    CHECK(client.edited("/p/a.wave", renamed(client, mark, "price")) ==
          "interface Net { fn price(d: data): time }\n"
          "machine A : Net {\n  fn price(d: data): time = d / 1 GB/s\n}\n"
          "machine B extends A {\n  override fn price(d: data): time = 2 * super.price(d)\n}\n"
          "let t = B().price(d = 8 B)\n");
  }
  CHECK(client.edited("/p/a.wave", renamed(client, "d", "size")) ==
        "interface Net { fn cost(size: data): time }\n"
        "machine A : Net {\n  fn cost(size: data): time = size / 1 GB/s\n}\n"
        "machine B extends A {\n  override fn cost(size: data): time = 2 * super.cost(size)\n}\n"
        "let t = B().cost(size = 8 B)\n");
}

TEST_CASE("signals, operations, axes and what studies vary are renamed") {
  Client client;
  client.open(
      "/p/a.wave",
      "model M {\n  param ‹n›n: int = 2\n  grid P[‹i›i: n]\n  rec at[i] over P: time = at[i-1] + 1 us else 0\n"
      "  output t = at[n]\n}\nstudy s of M {\n  vary n in 1..4\n  set n = default\n  show t, u = t / t[n = 1]\n}\n");
  const std::string text = client.edited("/p/a.wave", renamed(client, "n", "count_of"));
  CHECK(text.find("vary count_of in") != std::string::npos);
  CHECK(text.find("t[count_of = 1]") != std::string::npos);
  CHECK(text.find("= default") != std::string::npos);
  CHECK(text.find("P[i: count_of]") != std::string::npos);
}

TEST_CASE("a name that would mean something else is refused") {
  Client client;
  client.open("/p/a.wave", "let ‹a›a = 1\nlet b = 2\nfn ‹f›f(x: int): int =\n  let ‹y›y = 2\n  x + y + a\n");
  CHECK(refused(client, "a", "b").find("`b`") != std::string::npos);  // declared already
  CHECK(refused(client, "a", "x").find("`x`") != std::string::npos);  // hidden where it is used
  CHECK(refused(client, "y", "a").find("`a`") != std::string::npos);  // hides what is used
  CHECK(refused(client, "a", "model").find("word of the language") != std::string::npos);
  CHECK(refused(client, "a", "2x").find("digit") != std::string::npos);
  CHECK(refused(client, "a", "").find("name") != std::string::npos);
  CHECK(refused(client, "a", "a b").find("name") != std::string::npos);
  CHECK(client.edited("/p/a.wave", renamed(client, "a", "c")).find("x + y + c") != std::string::npos);
}

TEST_CASE("what the library declares, and words that stand for something, keep their names") {
  Client client;
  client.open(
      "/p/a.wave",
      "import std.‹path›comm { ‹1›Machine }\nimport std.comm\nmachine Wire { param L: time = 1 us }\n"
      "machine Slow extends Wire { let x = ‹2›super.L }\nlet a = ‹3›sqrt(4.0)\ntest ‹4›\"x\" { expect true }\n");
  CHECK(refused(client, "1", "Net").find("standard library") != std::string::npos);
  CHECK(refused(client, "2", "Base").find("stands for") != std::string::npos);
  CHECK(refused(client, "3", "root").find("no name") != std::string::npos);
}

TEST_CASE("the range of a name is given before it is changed") {
  Client client;
  client.open("/p/a.wave", "let abc = 1\nlet d = a‹1›bc\n");
  const Json found = client.ask("prepareRename", "1");
  CHECK(client.at("/p/a.wave", found["range"]) == "abc");
  CHECK(found["placeholder"] == "abc");
}

TEST_CASE("another name that an import gives is changed without the declaration, and the declaration without it") {
  Client client;
  client.open("/p/mesh.wave", "let ‹1›cells = 4\n");
  client.open("/p/all.wave", "export import mesh { cells as ‹2›points }\nlet a = points\n");
  client.open("/p/a.wave", "import all\nimport all { ‹3›points }\nlet n = points + all.‹4›points\n");
  CHECK(client.diagnostics("/p/a.wave").empty());
  const Json declared = renamed(client, "1", "count_of");
  CHECK(client.edited("/p/mesh.wave", declared) == "let count_of = 4\n");
  CHECK(client.edited("/p/all.wave", declared) == "export import mesh { count_of as points }\nlet a = points\n");
  CHECK(client.edited("/p/a.wave", declared) == client.text("/p/a.wave"));
  for (const char* mark : {"2", "3", "4"}) {
    const Json edit = renamed(client, mark, "nodes");
    CHECK(client.edited("/p/mesh.wave", edit) == "let cells = 4\n");
    CHECK(client.edited("/p/all.wave", edit) == "export import mesh { cells as nodes }\nlet a = nodes\n");
    CHECK(client.edited("/p/a.wave", edit) == "import all\nimport all { nodes }\nlet n = nodes + all.nodes\n");
  }
}

TEST_CASE("a name is changed through the modules that hand it on") {
  Client client;
  client.open("/p/mesh.wave", "let ‹1›cells = 4\n");
  client.open("/p/inner.wave", "export import mesh\n");
  client.open("/p/all.wave", "export import inner\n");
  client.open("/p/a.wave", "import all { cells }\nlet n = ‹2›cells\n");
  for (const char* mark : {"1", "2"}) {
    const Json edit = renamed(client, mark, "points");
    CHECK(client.edited("/p/mesh.wave", edit) == "let points = 4\n");
    CHECK(client.edited("/p/a.wave", edit) == "import all { points }\nlet n = points\n");
  }
}

TEST_CASE("a name of the library can have another name, which can be changed") {
  Client client;
  client.open("/p/a.wave", "import std.comm { Machine as ‹1›Net }\nfn f(net: Net): time = net.total(0 B)\n");
  CHECK(client.edited("/p/a.wave", renamed(client, "1", "Wire")) ==
        "import std.comm { Machine as Wire }\nfn f(net: Wire): time = net.total(0 B)\n");
}
