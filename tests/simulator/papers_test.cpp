// The numbers of the papers that follow every message, by the simulator.
#include "tests/simulator/simulator.h"

#include <catch2/catch.hpp>

namespace wave::simulator {

namespace {

// The output `x` of a model whose text stands beside an example.
double value_of(const std::string& example, const std::string& text) {
  frontend::Diagnostics diagnostics;
  const auto program = frontend::load(WAVE_SOURCE_DIR "/examples/" + example + "/asked.wave", {}, diagnostics, &text);
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
  return value_of("sweep3d", "import \"./sweep3d.wave\" { Sweep3D }\nmodel Asked { let s = Sweep3D(mk = " + mk + ")\noutput x = s.exact }");
}

}  // namespace

TEST_CASE("Sweep3D with every message followed exactly, to the microsecond") {
  CHECK(std::abs(sweep3d("5") - 14120884) < 1);
  CHECK(std::abs(sweep3d("10") - 15100354) < 1);
}

TEST_CASE("Sweep3D in small blocks, to the microsecond") { CHECK(std::abs(sweep3d("1") - 14929104.8) < 1); }

}  // namespace wave::simulator
