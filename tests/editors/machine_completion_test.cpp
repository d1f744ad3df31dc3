// Machines are offered where one is wanted, with the import that they need, and what is inserted means that machine.
#include "tests/editors/client.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <optional>
#include <unistd.h>

using namespace wave::editors;
using testing::Client;
using testing::has;
using testing::labels;

namespace {

constexpr const char* path = "/p/a.wave";

std::optional<Json> offer(Client& client, const std::string& label) {
  const Json answer = client.ask("completion", "1");
  for (const Json& item : answer["items"]) {
    if (item["label"] == label) return item;
  }
  return std::nullopt;
}

// The document once an offer is taken.
std::string taken(Client& client, const std::string& name, const std::string& label) {
  const auto item = offer(client, label);
  INFO(label);
  REQUIRE(item);
  Json edits = item->value("additionalTextEdits", Json::array());
  edits.push_back((*item)["textEdit"]);
  return client.edited(name, edits);
}

// The same, once the place has been marked.
std::string taken_from(const std::string& marked, const std::string& label) {
  Client client;
  client.open(path, marked);
  std::string text = taken(client, path, label);
  client.type(path, text);
  client.settle();
  CHECK(client.diagnostics(path).empty());
  return text;
}

const std::string machine_model =
    "wave 1\nimport std.comm { Machine }\nmodel M {\n  param net: Machine = 1\n  grid P[i: 2]\n"
    "  process w on P using net { compute(1 us) }\n  output t = net.total(8 B)\n}\n";

std::string with(const std::string& before, const std::string& after) {
  std::string text = machine_model;
  return text.replace(text.find(before), before.size(), after);
}

const std::string imported = "import std.machines.ibm_sp2 { SP2 }\n";

}  // namespace

TEST_CASE("the machines of the library are offered as the default of a parameter, with their import") {
  for (const char* typed : {"param net: Machine = ‹1›", "param net: Machine = SP‹1›"}) {
    const std::string text = taken_from(with("param net: Machine = 1", typed), "SP2");
    CHECK(text.find("import std.comm { Machine }\n" + imported) != std::string::npos);
    CHECK(text.find("param net: Machine = SP2()\n") != std::string::npos);
  }
}

TEST_CASE("machines of the library are offered for a process, an argument, a function and what a machine extends") {
  const std::string whole = with("Machine = 1", "Machine");
  std::string text = whole;
  text.replace(text.find("using net"), 9, "using ‹1›");
  CHECK(taken_from(text, "SP2").find("using SP2() {") != std::string::npos);
  CHECK(taken_from(with("Machine = 1", "Machine") + "let t = M(net = ‹1›).t\n", "SP2").find("net = SP2())") !=
        std::string::npos);
  CHECK(taken_from("import std.comm { Machine }\nfn f(net: Machine): time = net.total(8 B)\nlet t = f(‹1›)\n", "SP2")
            .find("f(SP2())") != std::string::npos);
  CHECK(taken_from("machine Slow extends ‹1› {\n}\n", "SP2") == imported + "machine Slow extends SP2 {\n}\n");
  Client client;
  client.open(path, "machine Slow extends ‹1›");
  CHECK(taken(client, path, "SP2") == imported + "machine Slow extends SP2");
}

TEST_CASE("a machine that is imported already needs no import, and one whose module is gets its name with it") {
  Client client;
  client.open(path, imported + "import std.comm { Machine }\nlet net: Machine = ‹1›\n");
  CHECK(!offer(client, "SP2")->contains("additionalTextEdits"));
  const std::string whole =
      taken_from("import std.machines.ibm_sp2\nimport std.comm { Machine }\nlet net: Machine = ‹1›\n", "SP2");
  CHECK(whole.find("Machine = ibm_sp2.SP2()") != std::string::npos);
  CHECK(whole.find("{ SP2 }") == std::string::npos);
}

TEST_CASE("no machine is offered where none is wanted, or where it lacks what the interface asks for") {
  Client client;
  client.open(path, "let a: time = ‹1›\n");
  CHECK(!has(labels(client.ask("completion", "1")), "SP2"));
  client.open(
      path, "interface Disk {\n  fn read(d: data): time\n}\nfn f(disk: Disk): time = disk.read(8 B)\nlet t = f(‹1›)\n");
  CHECK(!has(labels(client.ask("completion", "1")), "SP2"));
}

TEST_CASE("machines of other modules of the project are offered, but not of those that import this one") {
  const auto folder = std::filesystem::canonical(std::filesystem::temp_directory_path()) /
                      ("wave-machines-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "sub");
  std::ofstream(folder / "clusters.wave") << "import std.machines.ibm_sp2 { SP2 }\nmachine Own extends SP2 { }\n";
  std::ofstream(folder / "sub/far.wave") << "import std.machines.ibm_sp2 { SP2 }\nmachine Far extends SP2 { }\n";
  std::ofstream(folder / "user.wave")
      << "import a\nimport std.machines.ibm_sp2 { SP2 }\nmachine User extends SP2 { }\n";
  const std::string text = "import std.comm { Machine }\nlet net: Machine = ‹1›\n";
  const auto check = [&](const std::string& file, const std::string& label, const std::string& import) {
    Client client(Json::object(), {folder.string()});
    client.open(file, text);
    CHECK(!offer(client, "User"));
    const std::string result = taken(client, file, label);
    CHECK(result == "import std.comm { Machine }\n" + import + "\nlet net: Machine = " + label + "()\n");
    client.type(file, result);
    client.settle();
    CHECK(client.diagnostics(file).empty());
  };
  const std::string here = (folder / "a.wave").string();
  std::ofstream(folder / "a.wave") << "";
  check(here, "Own", "import clusters { Own }");
  check(here, "Far", "import sub.far { Far }");
  std::filesystem::remove(folder / "user.wave");
  check((folder / "sub/b.wave").string(), "Own", "import \"../clusters.wave\" { Own }");
  std::filesystem::remove_all(folder);
}
