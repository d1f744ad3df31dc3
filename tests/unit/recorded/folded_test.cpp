// Folded recordings as they are read, rank by rank.
#include "analysis/recorded/recording.h"

#include <catch2/catch.hpp>

#include <string>

namespace {

using namespace wave;
using analysis::recorded::RankRecording;
using analysis::recorded::read_rank;
using analysis::recorded::Step;
using analysis::recorded::Steps;
using Kind = Step::Kind;

struct ReadRank {
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  std::optional<RankRecording> rank;

  explicit ReadRank(const std::string& text) { rank = read_rank(sources, sources.add("r.txt", text), diagnostics); }
  ReadRank(const std::string& text, std::size_t most_bytes) {
    rank = read_rank(sources, sources.add("r.txt", text), diagnostics, most_bytes);
  }
  std::string message() const { return diagnostics.all().empty() ? "" : diagnostics.all().front().message; }
};

const std::string rank_0 = "#rank 0 of 2\n";

void check_same(const std::string& folded, const std::string& raw) {
  INFO(folded);
  const ReadRank one(rank_0 + folded), other(rank_0 + raw);
  INFO(one.message() << other.message());
  REQUIRE(one.rank);
  REQUIRE(other.rank);
  REQUIRE(one.rank->steps.size() == other.rank->steps.size());
  CHECK(one.rank->times.size() == one.rank->steps.size());
  for (std::size_t i = 0; i < one.rank->steps.size(); ++i) {
    const Step &a = one.rank->steps[i], &b = other.rank->steps[i];
    INFO("step " << i);
    CHECK(a.kind == b.kind);
    CHECK(a.peer == b.peer);
    CHECK(a.size == b.size);
    CHECK(a.ended == b.ended);
  }
}

}  // namespace

TEST_CASE("a folded recording has the steps of what it folds", "[recorded]") {
  check_same("repeat 3 {\nSend 1 8 0 2/0000 1 1\nrepeat 2 {\nRecv 1 16 0 2/0000 1 1\n}\n}\n",
             "Send 1 8 0 2/0000 1 1\nRecv 1 16 0 2/0000 1 1\nRecv 1 16 0 2/0000 1 1\n"
             "Send 1 8 0 2/0000 1 1\nRecv 1 16 0 2/0000 1 1\nRecv 1 16 0 2/0000 1 1\n"
             "Send 1 8 0 2/0000 1 1\nRecv 1 16 0 2/0000 1 1\nRecv 1 16 0 2/0000 1 1\n");
  check_same(
      "repeat 2 {\nIrecv 1 64 0 2/0000 1 1 open n=2\nIsend 1 8 0 2/0000 1 1 open\nIrecv -1 8 0 2/0000 1 1 n=2\n"
      "Waitall -1 3 0 0/0000 1 1 o0:24 o1 n=2\n}\n",
      "Irecv 1 64 0 2/0000 1 1 q0\nIsend 1 8 0 2/0000 1 1 q1\nWaitall -1 2 0 0/0000 1 1 q0:24 q1\n"
      "Irecv 1 64 0 2/0000 1 1 q0\nIsend 1 8 0 2/0000 1 1 q1\nWaitall -1 2 0 0/0000 1 1 q0:24 q1\n");
  // One receive is always posted ahead; places are those before the call.
  check_same(
      "Irecv 1 8 0 2/0000 1 1 open\nrepeat 2 {\nIrecv -2 8 0 2/0000 1 1 open\nWait -1 1 0 0/0000 1 1 o0:from1:4\n}\n"
      "Wait -1 1 0 0/0000 1 1 o0:from1:4\n",
      "Irecv 1 8 0 2/0000 1 1 a\nIrecv -2 8 0 2/0000 1 1 b\nWait -1 1 0 0/0000 1 1 a:from1:4\n"
      "Irecv -2 8 0 2/0000 1 1 c\nWait -1 1 0 0/0000 1 1 b:from1:4\nWait -1 1 0 0/0000 1 1 c:from1:4\n");
  // What is freed, or ended unseen, is not waited for; what no model has takes its place among open requests.
  check_same(
      "Isend 1 8 0 2/0000 1 1 open\nIbarrier -1 0 0 2/0000 1 1 open\nIsend 1 9 0 2/0000 1 1 open\n"
      "Request_free -1 0 0 0/0000 1 1 o0\nIsend 1 10 0 2/0000 1 1 open\nUnseen -1 0 0 0/0000 1 1 o2\n"
      "Waitall -1 2 0 0/0000 1 1 o1 o0\n",
      "Isend 1 8 0 2/0000 1 1 q0\nIsend 1 9 0 2/0000 1 1 q1\nIsend 1 10 0 2/0000 1 1 q2\n"
      "Wait -1 1 0 0/0000 1 1 q1\n");
  check_same(
      "Recv_init 1 64 0 2/0000 1 1 p0\nrepeat 2 {\nStart -1 0 0 0/0000 1 1 p0\nWait -1 1 0 0/0000 1 1 p0:8\n}\n"
      "Request_free -1 0 0 0/0000 1 1 p0\n",
      "repeat 2 {\nIrecv 1 64 0 2/0000 1 1 q0\nWait -1 1 0 0/0000 1 1 q0:8\n}\n");
  // A probe takes a message, which is received later.
  check_same(
      "Mprobe -2 0 -1 2/0000 1 1 @a.out+0x12\nMrecv 1 8 4 2/0000 1 1 cap100\nImprobe -2 0 -1 2/0000 1 1 tests=7\n"
      "Imrecv 1 100 4 2/0000 1 1 open\nWait -1 1 0 0/0000 1 1 o0:9 @a.out+0x34\n",
      "Recv 1 8 4 2/0000 1 1\nIrecv 1 100 4 2/0000 1 1 q0\nWait -1 1 0 0/0000 1 1 q0:9\n");
  check_same("repeat 0007 {\n}\nSend 1 8 0 2/0000 1 1\n", "Send 1 8 0 2/0000 1 1\n");
}

TEST_CASE("sizes that are data are not known", "[recorded]") {
  const ReadRank read(
      rank_0 +
      "Send 1 data 0 2/0000 1 1 size=30\nIrecv 1 64 0 2/0000 1 1 open\nWait -1 data 0 0/0000 1 1 o0:data\n"
      "Sendrecv 1 data 0 2/0000 1 1 from1 gotdata\n");
  INFO(read.message());
  REQUIRE(read.rank);
  CHECK(read.rank->steps[0].size == -1);
  CHECK(read.rank->steps[1].size == -1);
  CHECK(read.rank->steps[3].received == -1);
}

TEST_CASE("times of folded calls are means, and those between steps belong to the next", "[recorded]") {
  const ReadRank read(
      rank_0 +
      "Send 1 8 0 2/0000 10 20 cpu=7\nComm_dup -1 0 0 2/0000 100 1000 cpu=50\n"
      "repeat 4 {\nBarrier -1 0 0 2/0000 1 1 n=4 since=40:1:20:0x1,2x3 inside=8:2:2:0x4 cpu=12:1:5:0x3\n}\n"
      "Startall -1 0 0 0/0000 5 5\nSend 1 8 0 2/0000 -3 nonsense since=:: inside=1e999 cpu=x\n");
  INFO(read.message());
  REQUIRE(read.rank);
  REQUIRE(read.rank->times.size() == 6);
  const auto& times = read.rank->times;
  CHECK(times[0].since_ns == 10);
  CHECK(times[0].inside_ns == 20);
  CHECK(times[0].cpu_ns == 7);
  CHECK(times[1].since_ns == 110);
  CHECK(times[1].cpu_ns == 54);
  CHECK(times[2].since_ns == 10);
  CHECK(times[2].inside_ns == 2);
  CHECK(times[2].cpu_ns == 4);
  CHECK(times[5].since_ns == 5);
  CHECK(times[5].inside_ns == 0);
  CHECK(times[5].cpu_ns < 0);
}

TEST_CASE("a recording has the run's parameters, grids, nodes and phases", "[recorded]") {
  const ReadRank read(
      "#rank 1 of 6\n#mpi Open MPI 4.1.4\n#param n 64\n#param name of a problem\n#node 0\n"
      "#cart 6/0000 2x3 periodic 01 at 0,1\nrepeat 2 {\nPhase to solve\nBarrier -1 0 0 6/0000 1 1\n"
      "Phase inner\nEnd to solve\nEnd inner\n}\nPhase never ended\n");
  INFO(read.message());
  REQUIRE(read.rank);
  CHECK(read.rank->parameters == std::map<std::string, std::string>{{"n", "64"}, {"name", "of a problem"}});
  CHECK(read.rank->node == 0);
  CHECK_FALSE(read.rank->is_cut);
  REQUIRE(read.rank->grids.size() == 1);
  CHECK(read.rank->grids[0].communicator == "6/0000");
  CHECK(read.rank->grids[0].extents == std::vector<std::int64_t>{2, 3});
  CHECK(read.rank->grids[0].wraps == std::vector<bool>{false, true});
  CHECK(read.rank->grids[0].place == std::vector<std::int64_t>{0, 1});
  REQUIRE(read.rank->phases.size() == 4);
  CHECK(read.rank->phases[2].name == "to solve");
  CHECK(read.rank->phases[2].begin == 1);
  CHECK(read.rank->phases[2].end == 2);
  CHECK(ReadRank(rank_0 + "#cut\n").rank->is_cut);
  CHECK(ReadRank(rank_0 + "#dropped Send 12\n").rank->is_cut);
}

TEST_CASE("a section of a recording may be a phase of the program", "[recorded]") {
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  const std::string text =
      "#rank 0 of 1\n#param n 8\nIsend 0 8 0 1/0000 1 1 open\nrepeat 2 {\nPhase solve\nIrecv 0 8 0 1/0000 1 1 open\n"
      "Wait -1 0 0 0/0000 1 1 o1:8\nEnd solve\nBarrier -1 0 0 1/0000 1 1\n}\n";
  const auto recording = wave::analysis::recorded::read_recording(sources, {sources.add("r.txt", text)}, diagnostics);
  REQUIRE(recording);
  CHECK(recording->parameters.at("n") == "8");
  const auto part = wave::analysis::recorded::section_of(*recording, "phase solve", {}, diagnostics);
  REQUIRE(part);
  REQUIRE(part->ranks[0].size() == 4);
  CHECK(part->ranks[0][1].ended == std::vector<std::size_t>{0});
  CHECK(part->ranks[0][3].ended == std::vector<std::size_t>{2});
  CHECK(part->parameters.at("n") == "8");
  CHECK_FALSE(wave::analysis::recorded::section_of(*recording, "phase solved", {}, diagnostics));
  CHECK(diagnostics.all().back().message == "rank 0 has no phase `solved`");
}

TEST_CASE("what makes no folded recording says why, at its line", "[recorded]") {
  std::string deep, nested;
  for (int i = 0; i < 65; ++i) deep += "repeat 2 {\n";
  for (int i = 0; i < 64; ++i) nested += "repeat 9007199254740992 {\n";
  nested += "Barrier -1 0 0 2/0000 1 1\n";
  for (int i = 0; i < 64; ++i) nested += "}\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"repeat 2 {\n", "this loop has no end"},
      {"repeat 2 {\nrepeat 3 {\n}\n", "this loop has no end"},
      {"}\n", "a loop ends that has not begun"},
      {"repeat 2 {\n}\n}\n", "a loop ends that has not begun"},
      {"repeat {\n}\n", "this loop cannot be read"},
      {"repeat 2\n}\n", "this loop cannot be read"},
      {"repeat 0 {\n}\n", "this loop cannot be read"},
      {"repeat -1 {\n}\n", "this loop cannot be read"},
      {"repeat 2.5 {\n}\n", "this loop cannot be read"},
      {"repeat 99999999999999999999 {\n}\n", "this loop cannot be read"},
      {"repeat 2 { Barrier\n}\n", "this loop cannot be read"},
      {deep, "loops in more than 64 loops"},
      {nested, "the recording has too many calls for this memory"},
      {"repeat 2147483648 {\nBarrier -1 0 0 2/0000 1 1\n}\n", "the recording has too many calls for this memory"},
      {"repeat 2147483648 {\nPcontrol -1 0 0 2/0000 1 1\n}\n", "the recording has too many calls for this memory"},
      {"repeat 2147483648 {\nPhase x\nEnd x\n}\n", "the recording has too many calls for this memory"},
      {"Wait -1 0 0 0/0000 1 1 o0\n", "there is no request o0 here"},
      {"Isend 1 8 0 2/0000 1 1 open\nrepeat 2 {\nWait -1 0 0 0/0000 1 1 o0\n}\n", "there is no request o0 here"},
      {"Isend 1 8 0 2/0000 1 1 n=7\n", "this call has no request"},
      {"repeat 2 {\nSend 5 8 0 2/0000 1 1\n}\n", "there is no rank 5 of 2"},
      {"repeat 2 {\nSend 1 8\n}\n", "this is no call of a recording"},
      {"End solve\n", "a phase ends that has not begun"},
      {"Phase a\nEnd b\n", "a phase ends that has not begun"},
      {"#cart 2/0000 2x1 periodic 01\n", "this grid cannot be read"},
      {"#cart 2/0000 2x1 periodic 0 at 0,0\n", "this grid cannot be read"},
      {"#cart 2/0000 2xx periodic 00 at 0,0\n", "this grid cannot be read"},
      {"#cart 2/0000 2x1 periodic 00 at 0,1\n", "this grid cannot be read"}};
  for (const auto& [text, message] : cases) {
    INFO(text.substr(0, 100));
    const ReadRank read(rank_0 + text, std::size_t{16} << 20);
    CHECK_FALSE(read.rank);
    REQUIRE(read.diagnostics.all().size() == 1);
    CHECK(read.message() == message);
    CHECK_FALSE(read.diagnostics.all().front().help.empty());
  }
}

TEST_CASE("ranks with other parameters are of another run", "[recorded]") {
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  CHECK_FALSE(wave::analysis::recorded::read_recording(
      sources,
      {sources.add("r0.txt", "#rank 0 of 2\n#param n 1\n"), sources.add("r1.txt", "#rank 1 of 2\n#param n 2\n")},
      diagnostics));
  CHECK(diagnostics.all().front().message == "recordings of different runs");
}
