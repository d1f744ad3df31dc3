// How processes enter the system: the decisions of the lowering, as its results show them.
#include "ir/printer.h"
#include "ir/verify.h"
#include "tests/unit/frontend_lower/lowered.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

using wave::tests::codes_of_lowering;
using wave::tests::Model;
namespace ir = wave::ir;

namespace {

const std::string plain = R"(
machine Plain {
  protocol eager(s: data) { sender { busy 1 us; emit payload after 10 us } receiver { await payload; busy 2 us } }
  collective ring(s: data, p: int) on R[r: p] { send s to [r+1]; recv from [r-1] }
  collective twice(s: data, p: int) on R[r: p] { ring(s); ring(s) }
  collective star(s: data, p: int) on R[r: p] { if r == 1 { for k in 2..p { send s to R[k] } } else { recv from R[1] } }
  collective barrier(p: int): time = p * 1 us
}
)";

template <class Node>
std::vector<Node> all(const ir::Process& process) {
  std::vector<Node> found;
  for (const ir::Block& block : process.blocks) {
    for (const ir::Statement& statement : block) {
      if (const auto* node = std::get_if<Node>(&statement.node)) found.push_back(*node);
    }
  }
  return found;
}

const ir::Process& process_of(const Model& model, const std::string& name) {
  for (const ir::Process& process : model.system().processes) {
    if (process.name == name) return process;
  }
  FAIL("no process " << name);
  return model.system().processes.front();
}

std::int64_t number(const Model& model, ir::ValueId value) {
  return std::get<ir::Constant>(model.system()[value].node).value.integer;
}

}  // namespace

TEST_CASE("every program of the corpus lowers to processes that the verifier accepts") {
  std::size_t processes = 0;
  for (const auto& file : std::filesystem::directory_iterator(WAVE_PROGRAMS)) {
    if (!file.path().filename().string().starts_with("processes")) continue;
    std::stringstream text;
    text << std::ifstream(file.path()).rdbuf();
    const std::string source = text.str();
    wave::frontend::Diagnostics diagnostics;
    const auto program = wave::frontend::load("test.wave", {}, diagnostics, &source);
    const auto lowered = wave::frontend::lower_tests(*program, diagnostics);
    INFO(file.path());
    CHECK_FALSE(diagnostics.has_errors());
    CHECK(ir::verify(lowered.system) == std::vector<std::string>{});
    CHECK_FALSE(ir::print(lowered.system).empty());
    processes += lowered.system.processes.size();
  }
  CHECK(processes > 40);
}

TEST_CASE("the wind becomes offsets, and sweeps from one corner share their body") {
  const Model model(plain + R"(
model M {
  grid P[i: 2, j: 3]
  process p on P using Plain() {
    sweep from [NW, SE, NW] tiles 2 { recv from upwind i; send 8 B to downwind i; recv from upwind (i, j); send 8 B to downwind (i, j) }
  }
  output t = p.time
})");
  const ir::Process& process = process_of(model, "p");
  const auto sweeps = all<ir::Sweep>(process);
  REQUIRE(sweeps.size() == 3);
  CHECK(sweeps[0].fronts[0].body == sweeps[2].fronts[0].body);
  CHECK(sweeps[0].fronts[0].body != sweeps[1].fronts[0].body);
  const auto offset = [&](const ir::Sweep& sweep, std::size_t statement, std::size_t axis) {
    const ir::Block& body = process.blocks[sweep.fronts[0].body.index];
    return number(model, std::get<ir::Message>(body[statement].node).peer.coordinates[axis]);
  };
  CHECK(offset(sweeps[0], 0, 0) == -1);
  CHECK(offset(sweeps[0], 0, 1) == 0);
  CHECK(offset(sweeps[0], 3, 1) == 1);
  CHECK(offset(sweeps[1], 0, 0) == 1);
  CHECK(offset(sweeps[1], 3, 0) == -1);
}

TEST_CASE("all corners at once are one sweep with a front each") {
  const Model model(plain + R"(
model M {
  param back: bool = false
  grid P[i: 2, j: 2]
  process p on P using Plain() { sweep from {NW, if back then NE else SW} tiles 2 { compute(if corner == NW then 1 us else 2 us) } }
  output t = p.time
})");
  const auto sweeps = all<ir::Sweep>(process_of(model, "p"));
  REQUIRE(sweeps.size() == 2);  // one for each choice
  CHECK(sweeps[0].fronts.size() == 2);
  CHECK(all<ir::Branch>(process_of(model, "p")).size() == 1);
}

TEST_CASE("messages of an algorithm are kept apart from the program's own and from other algorithms'") {
  const Model model(plain + R"(
model M {
  grid P[i: 2, j: 2]
  process p on P using Plain() { isend 8 B to [i+1, j]; recv from [i-1, j]; twice(8 B); star(8 B) along j; twice(8 B) along i }
  output t = p.time
})");
  std::set<std::uint32_t> contexts;
  std::size_t by_rank = 0;
  for (const auto& message : all<ir::Message>(process_of(model, "p"))) {
    contexts.insert(message.context);
    by_rank += message.peer.by_rank;
  }
  CHECK(contexts.size() == 3);  // the program, ring, star
  CHECK(by_rank == 4);          // the two rings are over the whole grid
}

TEST_CASE("an own grid has ends where the axis beneath it goes round") {
  Model model(plain + R"(
model M {
  grid P[i: 3 wrap, j: 2]
  process p on P using Plain() { ring(8 B) along i }
  output messages = p.messages
})");
  CHECK(model.integer("messages") == 4);
}

TEST_CASE("a constant condition leaves one branch, and its phases are known all the same") {
  Model model(plain + R"(
model M {
  grid P[i: 2]
  process p on P using Plain() { if 1 < 0 { phase "never" { compute(1 ms) } } else { compute(1 us) } }
  output t = p.time
  output never = p.phase("never")
})");
  CHECK(all<ir::Branch>(process_of(model, "p")).empty());
  CHECK(model.real("t") == 1e6);
  CHECK(model.real("never") == 0);
}

TEST_CASE("collectives know how many take part") {
  const Model model(plain + R"(
model M {
  grid P[i: 2, j: 3]
  process p on P using Plain() { barrier(); barrier() along i; barrier() along j }
  output t = p.time
})");
  const auto collectives = all<ir::Collective>(process_of(model, "p"));
  REQUIRE(collectives.size() == 3);
  CHECK_FALSE(collectives[0].along);
  CHECK(collectives[1].along == 0u);
  CHECK(collectives[2].along == 1u);
}

TEST_CASE("requirements of the machine come before what its process gives") {
  Model model(R"(
machine Fast {
  param L: time = 10 us
  require L < 5 us, "too slow"
  protocol eager(s: data) { sender { emit payload after L } receiver { await payload } }
}
model M {
  param other: bool = true
  let net = if other then Fast(L = 1 us) else Fast()
  grid P[i: 2]
  process p on P using net { send 8 B to [i+1]; recv from [i-1] }
  output t = p.time
})");
  CHECK(model.real("t") == 1e6);
  Model slow(R"(
machine Fast {
  param L: time = 10 us
  require L < 5 us, "too slow"
  protocol eager(s: data) { sender { emit payload after L } receiver { await payload } }
}
model M {
  grid P[i: 2]
  process p on P using Fast() { compute(1 us) }
  output t = p.time
})");
  const auto outcome = slow.outcome("t");
  REQUIRE(std::holds_alternative<ir::Failure>(outcome));
  CHECK(std::get<ir::Failure>(outcome).kind == ir::FailureKind::require_failed);
}

TEST_CASE("what no statement can answer is found before anything runs") {
  const auto codes = [](const std::string& statements) {
    return codes_of_lowering(plain + "model M { param n: int = 3 grid P[i: n] process p on P using Plain() { " +
                             statements + " } output t = p.time }");
  };
  const std::vector<std::string> found{"E0523"}, none;
  CHECK(codes("send 8 B to [i+1]") == found);
  CHECK(codes("recv from [i+1]") == found);
  CHECK(codes("send 8 B to [i+1]; recv from [i+1]") == found);
  CHECK(codes("send 8 B to [i+1] tag 1; recv from [i-1]") == found);
  CHECK(codes("send 8 B to P[1]; recv from [i-1]") == found);
  CHECK(codes("repeat n { send 8 B to [i+1] }") == found);
  CHECK(codes("send 8 B to [i+1]; recv from [i-1]") == none);
  CHECK(codes("send 8 B to [i+n]; recv from [i-2]") == none);  // the extent is not known at this stage
  CHECK(codes("send 8 B to [i+1] tag n; recv from [i-1] tag 3") == none);
  CHECK(codes("if i > 1 { send 8 B to [i+1] }") == none);  // the send may never happen
  CHECK(codes("sweep from [(+)] tiles 2 { send 8 B to downwind i } recv from [i-1]; recv from [i-1]") == none);
}

TEST_CASE("what needs the processor and an interface stays so in the ends of messages") {
  Model model(R"(
machine Host {
  resource tx of process
  resource rx of process
  param g: time = 4 us
  protocol eager(s: data) {
    sender   { acquire tx for g; emit payload after 10 us; emit tail after 11 us; busy 1 us }
    receiver { on arrival of payload { acquire rx for g; busy 2 us }; on arrival of tail busy 3 us; await payload }
  }
}
model M {
  grid P[i: 2]
  process p on P using Host() { if i == 1 { send 8 B to [i+1] } else { recv 8 B from [i-1] } }
  output t = p.time
})");
  const std::string text = ir::print(model.system());
  INFO(text);
  CHECK(text.find("      sender\n"
                  "        acquire tx for Host.g\n") != std::string::npos);
  CHECK(text.find("        on arrival of payload { acquire rx for Host.g; busy 2000000.0 }\n"
                  "        on arrival of tail busy 3000000.0\n"
                  "        await payload\n") != std::string::npos);
}
