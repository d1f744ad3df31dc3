// The processes of the examples, on small grids: the simulator and both engines agree.
#include "tests/parity/processes.h"

#include <catch2/catch.hpp>

#include <filesystem>

TEST_CASE("the processes of the examples have the same times in the simulator and both engines") {
  wave::parity::ProcessCampaign campaign;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(WAVE_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".wave") continue;
    wave::parity::ProcessCampaign one;
    wave::parity::compare_process_file(entry.path().string(), {{"n", 3}, {"m", 4}}, one);
    CHECK(one.difference == "");
    campaign.add(one);
  }
  CHECK(campaign.programs >= 6);
  // Recurrences and the fills of orders are not the simulator's business.
  CHECK(campaign.outputs >= campaign.unsupported + 12);
}
