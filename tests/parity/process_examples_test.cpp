// Processes of the library, of examples and of the programs that the language was designed for, on small grids. The
// simulator, the interpreter and the JIT agree on them.
#include "tests/parity/processes.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <map>
#include <string>

TEST_CASE("processes of the library and of whole programs have the same times in the simulator and both engines",
          "[long]") {
  const std::string root = WAVE_SOURCE_DIR "/";
  wave::parity::ProcessCampaign campaign;
  for (const char* const program :
       {"tests/parity/library_processes.wave", "tests/language/section7/sweep3d.wave",
        "tests/language/section7/lu.wave", "examples/halo/halo.wave", "tests/simulator/head_of_line.wave"}) {
    wave::parity::ProcessCampaign one;
    wave::parity::compare_process_file(root + program, {{"n", 3}, {"m", 4}}, one);
    CAPTURE(program);
    CHECK(one.difference == "");
    campaign.add(one);
  }
  CHECK(campaign.programs >= 8);
  // The simulator knows neither recurrences nor the fills of orders.
  CHECK(campaign.outputs >= campaign.unsupported + 40);
}

#ifndef WAVE_SANITIZED  // tests/unit/plan/ runs the same code in a tenth of the time
TEST_CASE("messages over arrays larger than a block have the same times in the simulator and both engines") {
  wave::parity::ProcessCampaign campaign;
  std::map<std::string, std::int64_t> fewer;
#ifdef WAVE_FEW_ROUNDS  // those of fixed extents still have more than a block
  fewer = {{"p", 130}, {"wide", 12}, {"high", 20}};
#endif
  wave::parity::compare_process_file(WAVE_SOURCE_DIR "/tests/parity/array_processes.wave", fewer, campaign);
  CHECK(campaign.difference == "");
  CHECK(campaign.programs >= 8);
  CHECK(campaign.outputs >= campaign.unsupported + 13);
}
#endif
