// What is offered while a text is typed, and the parameters of the call around the cursor.
#include "tests/editors/client.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace wave::editors;
using testing::Client;
using testing::has;
using testing::labels;

namespace {

std::vector<std::string> offered(const std::string& marked, Client& client) {
  client.open("/p/a.wave", marked);
  return labels(client.ask("completion", "1"));
}

std::vector<std::string> offered(const std::string& marked) {
  Client client;
  return offered(marked, client);
}

std::size_t rank(const std::vector<std::string>& all, const std::string& label) {
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), label) - all.begin());
}

constexpr const char* machine =
    "machine Wire {\n  param L: time = 1 us   /// latency\n  param o: time = 2 us\n"
    "  fn cost(s: data): time = L + s / 1 GB/s\n}\n";

}  // namespace

TEST_CASE("names in scope are offered, those that fit first") {
  const auto all =
      offered("let duration = 2 us\nlet count_of = 3\nfn f(x: int): time =\n  let local_time = 1 us\n  ‹1›\n");
  for (const char* name : {"duration", "count_of", "x", "local_time", "f", "sqrt", "if"}) CHECK(has(all, name));
  CHECK(rank(all, "duration") < rank(all, "count_of"));
  CHECK(rank(all, "local_time") < rank(all, "x"));
}

TEST_CASE("a name that has been begun is replaced") {
  Client client;
  offered("let duration = 2 us\nlet a = dur‹1›ation\n", client);
  const Json answer = client.ask("completion", "1");
  for (const Json& item : answer["items"]) {
    if (item["label"] == "duration") CHECK(client.at("/p/a.wave", item["textEdit"]["range"]) == "duration");
  }
}

TEST_CASE("members of machines, models, modules, records and processes are offered after a dot") {
  const auto members = offered(std::string(machine) + "let a = Wire().‹1›\nlet b = 1\n");
  CHECK(members == std::vector<std::string>{"L", "cost", "o"});
  CHECK(has(offered("import std.machines.ibm_sp2\nlet a = ibm_sp2.‹1›\n"), "SP2"));
  CHECK(offered("type T { size: data, rank: int }\nfn f(t: T): data = t.‹1›\n") ==
        std::vector<std::string>{"rank", "size"});
  const auto of_process = offered(
      "import std.comm { Machine }\nmodel M {\n  param net: Machine\n  grid P[i: 2]\n"
      "  process work on P using net { compute(1 us) }\n  output t = work.‹1›\n}\n");
  CHECK(has(of_process, "time"));
  CHECK(has(of_process, "phase"));
}

TEST_CASE("what could be read of a machine because its default has it is offered, too") {
  const std::string imports = "import std.comm { Machine }\nimport std.machines.loggp { LogGP }\n";
  const auto all = offered(imports + "model M {\n  param net: Machine = LogGP(L = 1 us, o = 1 us, g = 0, G = 0)\n" +
                           "  output t = net.‹1›\n}\n");
  for (const char* name : {"L", "o", "g", "G", "total"}) CHECK(has(all, name));
  CHECK_FALSE(has(offered(imports + "model M {\n  param net: Machine\n  output t = net.‹1›\n}\n"), "L"));
}

TEST_CASE("members are offered with their documentation") {
  Client client;
  offered(std::string(machine) + "let a = Wire().‹1›\n", client);
  const Json answer = client.ask("completion", "1");
  for (const Json& item : answer["items"]) {
    if (item["label"] == "L")
      CHECK(item["documentation"]["value"].get<std::string>().find("latency") != std::string::npos);
  }
}

TEST_CASE("arguments that are missing are offered by name") {
  const auto all = offered(std::string(machine) + "let a = Wire(L = 2 us, ‹1›)\n");
  CHECK(rank(all, "o =") == 0);
  CHECK_FALSE(has(all, "L ="));
  CHECK(rank(offered(std::string(machine) + "let a = Wire(‹1›\n"), "L =") == 0);
}

TEST_CASE("after a number come units, those of the wanted dimension first") {
  const auto all = offered("let a: time = 3 ‹1›\n");
  CHECK(rank(all, "us") < rank(all, "KiB"));
  CHECK(has(all, "GB"));
  CHECK(rank(offered("fn f(size: data): data = size\nlet a = f(3 ‹1›)\n"), "KiB") <
        rank(offered("fn f(size: data): data = size\nlet a = f(3 ‹1›)\n"), "us"));
  CHECK(has(offered("let a = 3 GB/‹1›\n"), "s"));
}

TEST_CASE("modules are offered after import, and what they declare between braces") {
  const auto modules = offered("import ‹1›\n");
  CHECK(has(modules, "std.comm"));
  CHECK(has(modules, "std"));
  CHECK(has(offered("import std.‹1›\n"), "machines"));
  CHECK(has(offered("import std.machines.‹1›\n"), "ibm_sp2"));
  CHECK(has(offered("import std.machines.ibm_sp2 { ‹1› }\n"), "SP2"));
  CHECK(has(offered("export import std.‹1›\n"), "machines"));
  CHECK(has(offered("export import std.machines.ibm_sp2 { ‹1› }\n"), "SP2"));
  CHECK(offered("import std.machines.ibm_sp2 { SP2 as ‹1› }\n").empty());
}

TEST_CASE("what a module hands on is offered as what it declares") {
  Client client;
  client.open("/p/mesh.wave", "let cells = 4\n");
  client.open("/p/all.wave", "export import mesh { cells as points }\n");
  client.open("/p/a.wave", "import all\nlet n = all.‹1›\n");
  CHECK(has(testing::labels(client.ask("completion", "1")), "points"));
}

TEST_CASE("words of choices are offered where one is expected") {
  const std::string model = "model M {\n  param s: fixed | dynamic = fixed\n";
  const auto compared = offered(model + "  output t = if s == ‹1› then 1 us else 2 us\n}\n");
  CHECK(rank(compared, "dynamic") < 2);
  const auto given = offered(model + "  output t = 1 us\n}\nlet a = M(s = ‹1›)\n");
  CHECK(rank(given, "fixed") < 2);
}

TEST_CASE("types are offered where one stands") {
  const auto all = offered("type Block { size: data }\nimport std.comm { Machine }\nfn f(x: ‹1›): time = 1 us\n");
  for (const char* name : {"time", "int", "Block", "Machine"}) CHECK(has(all, name));
}

TEST_CASE("statements, procedures and collectives are offered in a process") {
  const auto all = offered(
      "import std.comm { Machine }\nmodel M {\n  param net: Machine\n  grid P[i: 2]\n"
      "  procedure halo(s: data) on P { }\n"
      "  process work on P using net {\n    compute(1 us)\n    ‹1›\n  }\n}\n");
  for (const char* name : {"compute", "send", "sweep", "halo", "allreduce"}) CHECK(has(all, name));
}

TEST_CASE("the axes around are offered where an axis is expected, and that of a parameter among them") {
  const auto in_procedure = [](const std::string& statement) {
    return offered(
        "model M {\n  grid P[east: 2, south: 2]\n  procedure inner(a: axis) on P { }\n"
        "  procedure outer(line: axis, s: data) on P {\n    " +
        statement + "\n  }\n}\n");
  };
  for (const char* statement : {"inner(‹1›east)", "compute(extent(‹1›east) * 1 us)", "barrier() along ‹1›east"}) {
    const auto all = in_procedure(statement);
    for (const char* name : {"east", "south", "line"}) CHECK(has(all, name));
  }
  CHECK_FALSE(has(in_procedure("barrier() along ‹1›east"), "s"));
  CHECK(has(in_procedure("compute(1 us * ‹1›)"), "line"));
  CHECK(has(offered("model M {\n  grid P[i: 2]\n  procedure f(a: ‹1›) on P { }\n}\n"), "axis"));
}

TEST_CASE("places and machines are offered where a process has its machine by place") {
  const auto chosen = [](const std::string& net) {
    return offered(
        std::string(machine) +
        "model M {\n  let fast = Wire()\n  let slow = Wire(L = 3 us)\n  grid P[east: 2]\n  process work on P using " +
        net + " { compute(1 us) }\n  output t = work.time\n}\n");
  };
  CHECK(has(chosen("if ‹1›east <= 1 then fast else slow"), "east"));
  for (const char* net : {"if east <= 1 then ‹1›fast else slow", "if east <= 1 then fast else ‹1›slow",
                          "when { east == 1: fast; else: ‹1›slow }", "[fast, ‹1›slow][east]"}) {
    const auto all = chosen(net);
    for (const char* name : {"fast", "slow", "Wire"}) CHECK(has(all, name));
  }
}

TEST_CASE("what a message costs is asked with the machines of its ends") {
  const auto all = offered(
      "machine Net {\n  protocol eager(s: data) { sender { emit x after 1 us } receiver { await x } }\n}\n"
      "let a = Net().total(8 B, ‹1›)\n");
  for (const char* name : {"within =", "sharing =", "from =", "to ="}) CHECK(has(all, name));
}

TEST_CASE("the columns of a file are offered of its rows") {
  const auto folder =
      std::filesystem::canonical(std::filesystem::temp_directory_path()) / ("wave-rows-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "halo.csv") << "rank, neighbour, bytes [B]\n1, 2, 100\n";
  Client client(Json::object(), {folder.string()});
  client.open(
      (folder / "a.wave").string(),
      "let halo = table \"halo.csv\" key rank value [neighbour, bytes]\nmachine Net {\n  protocol eager(s: data) { "
      "sender { emit x after 1 us } receiver { await x } }\n}\nmodel M {\n  grid P[i: 2]\n  process p on P "
      "using Net() { for row in halo(i) { isend row.‹1›bytes to P[row.neighbour] } }\n}\n");
  CHECK(labels(client.ask("completion", "1")) == std::vector<std::string>{"bytes", "neighbour"});
  std::filesystem::remove_all(folder);
}

TEST_CASE("what can be asked of a phase, of one process and over all processes is offered") {
  const auto asked = [](const std::string& of) {
    return offered(
        std::string(machine) +
        "model M {\n  grid P[i: 2]\n  process work on P using Wire() { phase \"x\" { compute(1 us) } }\n  output t = " +
        of + "\n}\n");
  };
  CHECK(has(asked("work.‹1›time"), "phase"));
  const auto of_phase = asked("work.phase(\"x\").‹1›max");
  for (const char* name : {"max", "mean", "min", "wait", "messages"}) CHECK(has(of_phase, name));
  CHECK_FALSE(has(of_phase, "phase"));
  const auto of_one = asked("work.phase(\"x\")[1].‹1›wait");
  CHECK(has(of_one, "wait"));
  CHECK_FALSE(has(of_one, "max"));
  CHECK(asked("work.compute.‹1›max") == std::vector<std::string>{"max", "mean", "min"});
  CHECK(asked("work.phase(\"x\").wait.‹1›max") == std::vector<std::string>{"max", "mean", "min"});
}

TEST_CASE("words that begin a declaration are offered where one may stand") {
  CHECK(has(offered("mod‹1›\n"), "model"));
  CHECK(has(offered("model M {\n  ‹1›\n}\n"), "param"));
  CHECK_FALSE(has(offered("model M {\n  ‹1›\n}\n"), "machine"));
}

TEST_CASE("nothing is offered in comments, strings and numbers") {
  CHECK(offered("// a ‹1›\n").empty());
  CHECK(offered("test \"a ‹1›\" { expect true }\n").empty());
  CHECK(offered("let a = 12‹1›\n").empty());
}

TEST_CASE("a text that is asked about with another word is what it was afterwards") {
  Client client;
  client.open("/p/a.wave", "let a = ‹1›b\n");
  client.ask("completion", "1");
  client.notify("workspace/didChangeWatchedFiles", {{"changes", Json::array()}});
  const Json all = client.diagnostics("/p/a.wave");
  REQUIRE(all.size() == 1);
  CHECK(all[0]["message"].get<std::string>().find("`b`") != std::string::npos);
  CHECK(client.ask("hover", "1").is_null());
}

TEST_CASE("the parameters of a call are shown, and which is being given") {
  Client client;
  client.open("/p/a.wave",
              "/// What it costs.\nfn cost(s: data, n: int = 1): time = n * s / 1 GB/s\n"
              "let a = cost(8 B, ‹1›2)\nlet b = cost(‹2›\nlet c = max(cost(n = ‹3›1), 1 us)\n");
  Json help = client.ask("signatureHelp", "1");
  REQUIRE(help.is_object());
  CHECK(help["signatures"][0]["label"] == "cost(s: data, [n: int]): time");
  CHECK(help["signatures"][0]["documentation"]["value"] == "What it costs.");
  CHECK(help["activeParameter"] == 1);
  help = client.ask("signatureHelp", "2");
  REQUIRE(help.is_object());
  CHECK(help["activeParameter"] == 0);
  help = client.ask("signatureHelp", "3");
  REQUIRE(help.is_object());
  CHECK(help["activeParameter"] == 1);
}

TEST_CASE("outside of calls there are no parameters to show") {
  Client client;
  client.open("/p/a.wave", "let a = ‹1›1 + (2 * ‹2›3)\n");
  CHECK(client.ask("signatureHelp", "1").is_null());
  CHECK(client.ask("signatureHelp", "2").is_null());
}
