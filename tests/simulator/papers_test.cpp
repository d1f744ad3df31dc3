// The simulator gives the numbers of those papers that follow every message.
#include "tests/simulator/simulator.h"

#include <catch2/catch.hpp>

#include <random>

namespace wave::simulator {

namespace {

// The output `x` of a model text that imports from a folder.
double value_of(const std::string& folder, const std::string& text) {
  frontend::Diagnostics diagnostics;
  const auto program = frontend::load(WAVE_SOURCE_DIR "/" + folder + "/asked.wave", {}, diagnostics, &text);
  for (const auto& one : diagnostics.sorted()) INFO(one.message);
  REQUIRE(!diagnostics.has_errors());
  for (const auto& item : program->main().items) {
    if (!std::holds_alternative<frontend::item::Model>(item->node)) continue;
    const Answer answer = outputs_of(*item).front();
    CHECK(answer.unsupported == "");
    REQUIRE(answer.rows.size() == 1);
    return as_real(answer.rows[0][0]) / 1e6;
  }
  return -1;
}

double sweep3d(const std::string& mk) {
  return value_of(
      "tests/language/section7",
      "import \"./sweep3d.wave\" { Sweep3D }\nmodel Asked { let s = Sweep3D(mk = " + mk + ")\noutput x = s.exact }");
}

}  // namespace

TEST_CASE("Sweep3D with every message followed exactly, to the microsecond") {
  CHECK(std::abs(sweep3d("10") - 15100354) < 1);
}

TEST_CASE("Sweep3D in smaller blocks, to the microsecond", "[long]") {
  CHECK(std::abs(sweep3d("5") - 14120884) < 1);
  CHECK(std::abs(sweep3d("1") - 14929104.8) < 1);
}

TEST_CASE("training pipelines take (m + p - 1)(t_F + t_B)") {
  const auto pipeline = [](const std::string& arguments) {
    return value_of("examples",
                    "import std.comm { Machine }\nimport std.training.schedules { Schedule }\n"
                    "machine Free : Machine { protocol eager(s: data) { sender { emit payload after 0 } receiver { "
                    "await payload } } }\n"
                    "machine FreeHandshake : Machine { protocol rendezvous(s: data) {\n"
                    "sender { emit request after 0; await ready; emit payload after 0 }\n"
                    "receiver { await request; emit ready after 0; await payload } } }\n"
                    "let free = Schedule(net = Free(), p = 4, m = 8, t_F = 1 ms, t_B = 2 ms, activation = 64 KiB)\n"
                    "model Asked { let s = free(" +
                        arguments + ")\noutput x = s.exact }");
  };
  CHECK(pipeline("schedule = gpipe") == 33000);
  CHECK(pipeline("m = 8") == 33000);
  CHECK(pipeline("net = FreeHandshake()") == 33000);
  CHECK(pipeline("p = 8, m = 16") == 69000);
}

// sweeps * blocks + full * (n + m - 2) + along_i * (n - 1) + along_j * (m - 1), where the fills are counted here from
// the order of corners.
TEST_CASE("sweeps in unit time take the stages that their order says") {
  std::mt19937 engine(7);
  const auto upto = [&](unsigned most) { return static_cast<int>(engine() % most) + 1; };
  for (int round = 0; round < 60; ++round) {
    const int n = upto(6), m = upto(6), blocks = upto(5), sweeps = upto(8);
    int stages = sweeps * blocks + n + m - 2;
    std::string order;
    unsigned before = 0;
    for (int k = 0; k < sweeps; ++k) {
      const unsigned corner = engine() % 4, turns = k ? before ^ corner : 0;
      stages += (turns & 1 ? n - 1 : 0) + (turns & 2 ? m - 1 : 0);
      order += std::string(k ? ", (" : "(") + (corner & 1 ? "-," : "+,") + (corner & 2 ? "-)" : "+)");
      before = corner;
    }
    INFO(order << " on " << n << " x " << m << ", " << blocks << " blocks");
    const std::string text =
        "machine Free { protocol eager(s: data) { sender { emit payload after 0 } receiver { await payload } } }\n"
        "model Asked { grid P[i: " +
        std::to_string(n) + ", j: " + std::to_string(m) +
        "]\n"
        "process p on P using Free() { sweep from [" +
        order + "] tiles " + std::to_string(blocks) +
        " {\nrecv 8 B from upwind i\nrecv 8 B from upwind j\ncompute(1 us)\nsend 8 B to downwind i\n"
        "send 8 B to downwind j } }\noutput x = p.time }";
    CHECK(value_of("examples", text) == stages);
  }
}

}  // namespace wave::simulator
