// A trace that OTF2's own library wrote is read by the module.
#include "analysis/recorded/otf2.h"
#include "analysis/recorded/recording.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <otf2/otf2.h>
#include <random>
#include <unistd.h>

namespace {

using namespace wave;
using analysis::recorded::read_recording;
using analysis::recorded::Recording;
using analysis::recorded::Step;
namespace fs = std::filesystem;

OTF2_FlushType flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }
OTF2_TimeStamp flushed(void*, OTF2_FileType, OTF2_LocationRef) { return 0; }
OTF2_FlushCallbacks flushes{flush, flushed};

// Two ranks: each posts a receive, sends to the other, waits, and both sum up.
class Written {
 public:
  Written() : folder_(fs::temp_directory_path() / ("wave-otf2-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    OTF2_Archive* const archive = OTF2_Archive_Open(folder_.c_str(), "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                                    OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    REQUIRE(archive != nullptr);
    OTF2_Archive_SetFlushCallbacks(archive, &flushes, nullptr);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    for (std::uint64_t rank = 0; rank < 2; ++rank) write_events(archive, rank);
    OTF2_Archive_CloseEvtFiles(archive);
    write_definitions(archive);
    OTF2_Archive_Close(archive);
  }
  ~Written() { fs::remove_all(folder_); }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;

  std::string anchor() const { return (folder_ / "traces.otf2").string(); }
  fs::path folder() const { return folder_; }

 private:
  static constexpr std::uint32_t regions = 4;
  static constexpr const char* names[] = {"", "MPI_Irecv", "MPI_Send", "MPI_Wait", "MPI_Allreduce", "rank"};

  static void write_events(OTF2_Archive* archive, std::uint64_t rank) {
    OTF2_EvtWriter* const events = OTF2_Archive_GetEvtWriter(archive, rank);
    const auto other = static_cast<std::uint32_t>(1 - rank);
    for (std::uint32_t region = 0; region < regions; ++region) {
      const std::uint64_t time = 1000 * (region + 1);
      OTF2_EvtWriter_Enter(events, nullptr, time, region);
      if (region == 0) OTF2_EvtWriter_MpiIrecvRequest(events, nullptr, time + 1, 42);
      if (region == 1) OTF2_EvtWriter_MpiSend(events, nullptr, time + 1, other, 0, 7, 80);
      if (region == 2) OTF2_EvtWriter_MpiIrecv(events, nullptr, time + 1, other, 0, 7, 80, 42);
      if (region == 3) {
        OTF2_EvtWriter_MpiCollectiveBegin(events, nullptr, time + 1);
        OTF2_EvtWriter_MpiCollectiveEnd(events, nullptr, time + 2, OTF2_COLLECTIVE_OP_ALLREDUCE, 0,
                                        OTF2_UNDEFINED_UINT32, 16, 16);
      }
      OTF2_EvtWriter_Leave(events, nullptr, time + 100, region);
    }
    OTF2_Archive_CloseEvtWriter(archive, events);
  }
  static void write_definitions(OTF2_Archive* archive) {
    OTF2_GlobalDefWriter* const definitions = OTF2_Archive_GetGlobalDefWriter(archive);
    OTF2_GlobalDefWriter_WriteClockProperties(definitions, 1'000'000'000, 0, 10'000, OTF2_UNDEFINED_TIMESTAMP);
    for (std::uint32_t name = 0; name < std::size(names); ++name)
      OTF2_GlobalDefWriter_WriteString(definitions, name, names[name]);
    for (std::uint32_t region = 0; region < regions; ++region)
      OTF2_GlobalDefWriter_WriteRegion(definitions, region, region + 1, region + 1, 0, OTF2_REGION_ROLE_FUNCTION,
                                       OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, 0, 0, 0);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
      OTF2_GlobalDefWriter_WriteLocationGroup(definitions, rank, 5, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                              OTF2_UNDEFINED_LOCATION_GROUP);
      OTF2_GlobalDefWriter_WriteLocation(definitions, rank, 5, OTF2_LOCATION_TYPE_CPU_THREAD, 12, rank);
    }
    const std::uint64_t members[] = {0, 1};
    OTF2_GlobalDefWriter_WriteGroup(definitions, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, 2, members);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, 2, members);
    OTF2_GlobalDefWriter_WriteComm(definitions, 0, 0, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    OTF2_Archive_CloseGlobalDefWriter(archive, definitions);
  }

  fs::path folder_;
};

struct ReadOtf2 {
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  std::optional<Recording> recording;

  explicit ReadOtf2(const std::string& anchor) {
    constexpr std::size_t enough = std::size_t{1} << 20;
    const auto files = analysis::recorded::read_otf2(anchor, "traces.otf2", enough, sources, diagnostics);
    if (files) recording = read_recording(sources, *files, diagnostics);
  }
};

}  // namespace

TEST_CASE("a trace that OTF2 wrote is read as a recording", "[recorded]") {
  const Written written;
  const ReadOtf2 read(written.anchor());
  if (!read.recording) INFO(read.diagnostics.all().front().message);
  REQUIRE(read.recording);
  REQUIRE(read.recording->ranks.size() == 2);
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    const auto& steps = read.recording->ranks[static_cast<std::size_t>(rank)];
    REQUIRE(steps.size() == 4);
    CHECK((steps[0].kind == Step::Kind::posted_receive && steps[0].peer == 1 - rank && steps[0].size == 80));
    CHECK((steps[1].kind == Step::Kind::send && steps[1].peer == 1 - rank && steps[1].size == 80));
    CHECK(steps[2].ended == std::vector<std::size_t>{0});
    CHECK((steps[3].name == "allreduce" && steps[3].size == 8 && steps[3].participants == 2));
    CHECK(read.sources.text(steps[1].location) == "Send " + std::to_string(1 - rank) + " 80 7 2/1 900 100");
  }
}

TEST_CASE("a trace in OTF2 that is not there is refused", "[recorded]") {
  CHECK(ReadOtf2("/there/is/no/traces.otf2").diagnostics.has_errors());
}

#ifndef __SANITIZE_ADDRESS__  // OTF2's library loses memory where a file is damaged
TEST_CASE("a damaged trace in OTF2 is read or refused", "[recorded]") {
  const Written written;
  const unsigned seed = 20261202;
  std::mt19937 random(seed);
  for (const char* const name : {"traces.otf2", "traces.def", "traces/0.evt"}) {
    const fs::path file = written.folder() / name;
    std::ifstream in(file, std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(in), {}};
    for (int change = 0; change < 40; ++change) {
      std::string damaged = whole;
      const std::size_t at = random() % whole.size();
      if (change % 4 == 0) {
        damaged.resize(at);
      } else {
        damaged[at] = static_cast<char>(random());
      }
      std::ofstream(file, std::ios::binary) << damaged;
      INFO("seed " << seed << ", " << name << ", change " << change);
      const ReadOtf2 read(written.anchor());
      CHECK(read.recording.has_value() != read.diagnostics.has_errors());
    }
    std::ofstream(file, std::ios::binary) << whole;
  }
  CHECK(ReadOtf2(written.anchor()).recording);
}
#endif
