// What names mean: definitions, references, highlights, and what is shown of them.
#include "tests/editors/client.h"

#include <catch2/catch.hpp>

using namespace wave::editors;
using testing::Client;

namespace {

constexpr const char* machines = R"(wave 1
import std.comm { Machine }
/// Two processors and a wire.
machine ‹Wire›Wire : Machine {
  param ‹L›L: time = 10 us from "the manual, table 3"   /// latency
  param o: time = 2 us
  resource ‹nic›nic of process
  protocol eager(‹s›s: data) {
    sender   { busy o; emit ‹payload›payload via ‹use_nic›nic for o after ‹use_L›L }
    receiver { await ‹use_payload›payload; busy o }
  }
  collective ‹allreduce›allreduce(s: data, p: int): time = 50 us
}
machine Slow extends ‹base›Wire {
  override param ‹override_L›L: time = 20 us
  fn twice(): time = 2 * ‹inherited_L›L
  let total_twice = 2 * ‹super›super.‹super_total›total(8 B)
}
)";

constexpr const char* model = R"(wave 1
import std.comm { Machine }
import ‹machines_path›machines { ‹imported›Wire }
import machines as ‹alias›m
type Block { ‹field›size: data }
let ‹global›global = 3
fn ‹double›double(‹x›x) = 2 * ‹use_x›x
model ‹Halo›Halo {
  param ‹net›net: ‹Machine›Machine = ‹construct›Wire(‹named›L = 5 us)
  param other: ‹qualified›Wire = ‹use_alias›m.‹member_of_module›Wire()
  param n: int = ‹use_global›global
  grid ‹P›P[‹axis›i: n]
  procedure ‹halo›halo(s: data) on ‹use_P›P {
    irecv s from [‹use_axis›i-1] as ‹operation›received
    isend s to [i+1]
    wait ‹use_operation›received
  }
  process ‹work›work on P using net {
    ‹call_halo›halo(8 B)
    ‹call_allreduce›allreduce(8 B)
    for ‹k›k in 1..2 { compute(‹use_k›k * 1 us) }
  }
  let ‹block›block = Block(‹use_field›size = 1 KiB)
  let ‹doubled›doubled = ‹call_double›double(2 us)
  output ‹time›time = ‹use_work›work.time + ‹use_net›net.‹member_total›total(‹use_block›block.‹read_field›size)
  output latency = other.‹read_L›L
}
study scaling of ‹study_of›Halo {
  vary ‹varied›n in 1..4
  show t = ‹shown›time, u = t[‹point›n = 1]
  plot time vs n
}
)";

void open_models(Client& client) {
  client.open("/p/machines.wave", machines);
  client.open("/p/halo.wave", model);
}

void check_leads(Client& client, const std::string& from, const std::string& to, const char* method = "definition") {
  INFO(from << " means " << to);
  const Json found = client.ask(method, from);
  REQUIRE(found.is_object());
  CHECK(found["uri"] == client.place(to).uri);
  CHECK(found["range"]["start"] == client.position(to));
}

std::string shown(Client& client, const std::string& mark) {
  const Json hover = client.ask("hover", mark);
  INFO(mark);
  REQUIRE(hover.is_object());
  return hover["contents"]["value"];
}

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  INFO(part);
  CHECK(text.find(part) != std::string::npos);
  return true;
}

}  // namespace

TEST_CASE("the models of these tests have no errors") {
  Client client;
  open_models(client);
  CHECK(client.diagnostics("/p/machines.wave").empty());
  CHECK(client.diagnostics("/p/halo.wave").empty());
}

TEST_CASE("a name leads to its declaration") {
  Client client;
  open_models(client);
  const std::vector<std::pair<const char*, const char*>> pairs{{"use_x", "x"},
                                                               {"construct", "Wire"},
                                                               {"qualified", "Wire"},
                                                               {"imported", "Wire"},
                                                               {"member_of_module", "Wire"},
                                                               {"named", "L"},
                                                               {"use_global", "global"},
                                                               {"use_P", "P"},
                                                               {"use_axis", "axis"},
                                                               {"use_operation", "operation"},
                                                               {"call_halo", "halo"},
                                                               {"use_k", "k"},
                                                               {"use_field", "field"},
                                                               {"read_field", "field"},
                                                               {"call_double", "double"},
                                                               {"use_work", "work"},
                                                               {"use_net", "net"},
                                                               {"use_block", "block"},
                                                               {"study_of", "Halo"},
                                                               {"shown", "time"},
                                                               {"read_L", "L"},
                                                               {"use_L", "L"},
                                                               {"use_nic", "nic"},
                                                               {"use_payload", "payload"},
                                                               {"base", "Wire"},
                                                               {"super", "Wire"},
                                                               {"override_L", "L"}};
  for (const auto& [from, to] : pairs) check_leads(client, from, to);
}

TEST_CASE("an inherited member is the last one that is declared") {
  Client client;
  open_models(client);
  check_leads(client, "inherited_L", "override_L");
  check_leads(client, "inherited_L", "L", "declaration");
}

TEST_CASE("the name of a module and the path of an import lead into it") {
  Client client;
  open_models(client);
  for (const char* from : {"use_alias", "machines_path"}) {
    const Json found = client.ask("definition", from);
    REQUIRE(found.is_object());
    CHECK(found["uri"] == Client::uri("/p/machines.wave"));
  }
}

TEST_CASE("a name of the standard library leads into it, and its text can be read") {
  Client client(Json{{"workspace", {{"textDocumentContent", Json::object()}}}});
  open_models(client);
  const Json found = client.ask("definition", "Machine");
  REQUIRE(found.is_object());
  CHECK(found["uri"] == "wave:/std/comm.wave");
  const std::string text = client.request("workspace/textDocumentContent", {{"uri", found["uri"]}})["text"];
  client.open("wave:/std/comm.wave", text);
  CHECK(client.at("wave:/std/comm.wave", found["range"]) == "Machine");
  CHECK(client.diagnostics("wave:/std/comm.wave").empty());
}

TEST_CASE("the type of a value leads to where it is declared") {
  Client client;
  open_models(client);
  const Json found = client.ask("typeDefinition", "use_block");
  REQUIRE(found.is_object());
  CHECK(client.at("/p/halo.wave", found["range"]) == "Block");
}

TEST_CASE("references are in all documents, with the declaration where it is asked for") {
  Client client;
  open_models(client);
  const auto count = [&](const char* mark, bool with_declaration) {
    return client.ask("references", mark, {{"context", {{"includeDeclaration", with_declaration}}}}).size();
  };
  CHECK(count("Wire", true) == 7);  // declared, extended, as `super`, imported, a type, a value, in `m.Wire`
  CHECK(count("Wire", false) == 6);
  CHECK(count("qualified", false) == 6);
  CHECK(count("axis", true) == 3);
  CHECK(count("L", true) == 6);  // with that of Slow, which is the same parameter
}

TEST_CASE("another name that an import gives leads to the declaration, whose references are under all names") {
  Client client;
  client.open("/p/mesh.wave", "let ‹cells›cells = 4\n");
  client.open("/p/all.wave", "export import mesh { cells as ‹renamed›points }\n");
  client.open("/p/a.wave", "import all { points }\nlet n = ‹used›points\n");
  for (const char* from : {"renamed", "used"}) {
    const Json found = client.ask("definition", from);
    CHECK(found["uri"] == Client::uri("/p/mesh.wave"));
    CHECK(client.at("/p/mesh.wave", found["range"]) == "cells");
  }
  for (const char* mark : {"cells", "renamed", "used"})
    CHECK(client.ask("references", mark, {{"context", {{"includeDeclaration", true}}}}).size() == 5);
}

TEST_CASE("highlights tell declarations from uses") {
  Client client;
  open_models(client);
  const Json found = client.ask("documentHighlight", "use_k");
  REQUIRE(found.size() == 2);
  CHECK(found[0]["range"]["start"] == client.position("k"));
  CHECK(found[0]["kind"] == 3);
  CHECK(found[1]["range"]["start"] == client.position("use_k"));
  CHECK(found[1]["kind"] == 2);
}

TEST_CASE("what is shown of a name is its declaration, documentation and source") {
  Client client;
  open_models(client);
  const std::string latency = shown(client, "use_L");
  has(latency, "param L: time = 10 us");
  has(latency, "latency");
  has(latency, "the manual, table 3");
  has(shown(client, "construct"), "Two processors and a wire.");
  has(shown(client, "use_k"), "k: int");
  has(shown(client, "doubled"), "time");
  has(shown(client, "use_x"), "x");
  has(shown(client, "call_halo"), "procedure halo(s: data) on P");
  has(shown(client, "use_axis"), "axis i: int");
  has(shown(client, "read_field"), "size: data");
}

TEST_CASE("a number shows its dimension") {
  Client client;
  client.open("/p/a.wave", "let rate = ‹1›2.5 GB/s\nlet root = sqrt‹2›(4.0)\n");
  has(shown(client, "1"), "data/time");
  has(shown(client, "2"), "function of the language");
}

TEST_CASE("where there is no name, nothing is found") {
  Client client;
  client.open("/p/a.wave", "‹1›wave 1\n// a ‹2›comment\nlet a = ‹3›unknown\n");
  for (const char* mark : {"1", "2", "3"}) {
    CHECK(client.ask("definition", mark).is_null());
    CHECK(client.ask("references", mark, {{"context", {{"includeDeclaration", true}}}}).empty());
  }
}

TEST_CASE("names behind a syntax error are still found") {
  Client client;
  client.open("/p/a.wave", "let ‹a›a = 1\nlet b = (\nlet c = ‹use›a\n");
  check_leads(client, "use", "a");
}
