// Recordings as they are read: every kind of call, and what cannot be read.
#include "analysis/recorded/against.h"
#include "analysis/recorded/recording.h"

#include <catch2/catch.hpp>

#include <random>

namespace {

using namespace wave;
using analysis::recorded::CallOrder;
using analysis::recorded::read_recording;
using analysis::recorded::Recording;
using analysis::recorded::Step;
using Kind = Step::Kind;

struct Read {
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  std::optional<Recording> recording;

  explicit Read(const std::vector<std::string>& texts) {
    std::vector<std::uint32_t> files;
    for (const std::string& text : texts) files.push_back(sources.add("r.txt", text));
    recording = read_recording(sources, files, diagnostics);
  }
  std::string message() const { return diagnostics.all().empty() ? "" : diagnostics.all().front().message; }
};

const std::string all_kinds = R"(#rank 0 of 2
#comm 2/0000
Comm_dup -1 0 0 2/0000 1 1
Send 1 8 0 2/0000 10 20
Ssend -1 8 0 2/0000 10 20
Irecv 1 64 0 2/0000 10 20 q0
Irecv -2 64 0 2/0000 10 20 q1
Isend 1 16 0 2/0000 10 20 q2
Isend -1 16 0 2/0000 10 20 q3
Waitall -1 4 4 0/0000 10 20  q0:24 q1:from1:32 q2:16 q3:0
Recv -2 40 -1 2/0000 10 20 cap64 from1 tag7
Recv_init 1 64 0 2/0000 10 20 q4
Send_init 1 48 0 2/0000 10 20 q5
Start -1 0 0 0/0000 10 20 q4
Start -1 0 0 0/0000 10 20 q5
Test -1 0 0 0/0000 10 20 
Wait -1 0 0 0/0000 10 20  q4:56
Wait -1 0 0 0/0000 10 20  q5:48
Sendrecv 1 72 0 2/0000 10 20 from1 got80 cap80 tag0
Sendrecv -1 72 0 2/0000 10 20 from1 got80 cap80 tag0
Allreduce -1 8 0 2/0000 10 20
Alltoall -1 8 0 2/0000 10 20
Finalize -1 0 0 0/0000 10 20
)";

}  // namespace

TEST_CASE("every kind of call is read as a step", "[recorded]") {
  const Read read({all_kinds, "#rank 1 of 2\n"});
  INFO(read.message());
  REQUIRE(read.recording);
  const auto& steps = read.recording->ranks[0];
  struct Expected {
    Kind kind;
    std::int64_t peer;
    double size;
  };
  const std::vector<Expected> expected = {{Kind::send, 1, 8},
                                          {Kind::posted_receive, 1, 24},
                                          {Kind::posted_receive, 1, 32},
                                          {Kind::started_send, 1, 16},
                                          {Kind::wait, -1, -1},
                                          {Kind::receive, 1, 40},
                                          {Kind::posted_receive, 1, 56},
                                          {Kind::started_send, 1, 48},
                                          {Kind::wait, -1, -1},
                                          {Kind::wait, -1, -1},
                                          {Kind::exchange, 1, 72},
                                          {Kind::exchange, -1, 72},
                                          {Kind::collective, -1, 8},
                                          {Kind::collective, -1, 8}};
  REQUIRE(steps.size() == expected.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    INFO("step " << i);
    CHECK(steps[i].kind == expected[i].kind);
    CHECK(steps[i].peer == expected[i].peer);
    if (steps[i].kind != Kind::wait) CHECK(steps[i].size == expected[i].size);
  }
  CHECK(steps[4].ended == std::vector<std::size_t>{1, 2, 3});
  CHECK(steps[10].from == 1);
  CHECK(steps[10].received == 80);
  CHECK(steps[12].name == "allreduce");
  CHECK(steps[12].participants == 2);
  CHECK(steps[13].name == "total_exchange");
  CHECK(read.recording->passed_over.at("Comm_dup") == 1);
  const auto whole = with_whole_waits(steps);
  CHECK(whole.size() == steps.size() - 1);
  CHECK(whole[8].ended == std::vector<std::size_t>{6, 7});
  CHECK(analysis::recorded::sent_by(steps).at(1) == analysis::recorded::Sent{4, 8 + 16 + 48 + 72});
}

TEST_CASE("what makes no recording says why, at its line", "[recorded]") {
  const std::string rank = "#rank 0 of 1\n";
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{}, "a recording without ranks"},
      {{""}, "this is no recording of a rank"},
      {{"wave 1\n"}, "this is no recording of a rank"},
      {{"#rank 1 of 1\n"}, "which rank this is cannot be read"},
      {{"#rank 0 of 99999999999\n"}, "which rank this is cannot be read"},
      {{rank + rank}, "which rank this is cannot be read"},
      {{rank + "Send 0 8 0 1/0000 1"}, "the recording is cut off in this line"},
      {{rank + "Send 0 8\nFinalize -1 0 0 0/0000 1 1\n"}, "this is no call of a recording"},
      {{rank + "Send 1 8 0 1/0000 1 1\n"}, "there is no rank 1 of 1"},
      {{rank + "Send 0 -8 0 1/0000 1 1\n"}, "this is no call of a recording"},
      {{rank + "Isend -2 8 0 1/0000 1 1 q0\n"}, "there is no rank -2 of 1"},
      {{rank + "Send 0 9223372036854775807 0 1/0000 1 1\nFinalize -1 0 0 0/0000 1 1\n"},
       "this is no call of a recording"},
      {{rank + "Isend 0 8 0 1/0000 1 1\n"}, "this call has no request"},
      {{rank + "Start -1 8 0 1/0000 1 1 q7\n"}, "this request is not known"},
      {{rank + "Barrier -1 0 0 x 1 1\n"}, "the communicator of this call cannot be read"},
      {{rank, rank}, "a rank that is there twice"},
      {{rank, "#rank 1 of 2\n"}, "recordings of different runs"},
      {{"#rank 0 of 4\n", "#rank 2 of 4\n"}, "ranks 1, 3 of the recording are missing"}};
  for (const auto& [texts, message] : cases) {
    INFO("expected: " << message);
    const Read read(texts);
    CHECK_FALSE(read.recording);
    REQUIRE(read.diagnostics.all().size() == 1);
    CHECK(read.message() == message);
    CHECK_FALSE(read.diagnostics.all().front().help.empty());
  }
}

TEST_CASE("a recording with any byte changed, or cut anywhere, is read or refused", "[recorded]") {
  const unsigned seed = 20261130;
  std::mt19937 random(seed);
  const std::string bytes = "0123456789 -:#qfx\n\0\xff";
  for (std::size_t at = 0; at < all_kinds.size(); ++at) {
    std::string changed = all_kinds;
    changed[at] = bytes[random() % bytes.size()];
    INFO("seed " << seed << ", byte " << at);
    const Read one({changed, "#rank 1 of 2\n"}), cut({all_kinds.substr(0, at), "#rank 1 of 2\n"});
    CHECK(one.recording.has_value() != one.diagnostics.has_errors());
    CHECK(cut.recording.has_value() != cut.diagnostics.has_errors());
    for (const Read* const read : {&one, &cut}) {
      if (!read->recording) continue;
      const auto& ranks = read->recording->ranks;
      for (const auto order : {CallOrder::strict, CallOrder::by_wait})
        CHECK(compare(ranks, ranks, {2}, order).differences.size() == 2);
    }
  }
}

TEST_CASE("a section is between two calls of collectives", "[recorded]") {
  const std::string text =
      "#rank 0 of 1\nBarrier -1 0 0 1/0000 1 1\nIrecv 0 8 0 1/0000 1 1 q0\nBarrier -1 0 0 1/0000 1 1\n"
      "Send 0 8 0 1/0000 1 1\nWait -1 0 0 0/0000 1 1 q0:8\nAllreduce -1 8 0 1/0000 1 1\n";
  const Read read({text});
  REQUIRE(read.recording);
  const auto steps_of = [&](const std::string& section) -> std::optional<std::size_t> {
    frontend::Diagnostics diagnostics;
    const auto part = section_of(*read.recording, section, {}, diagnostics);
    CHECK(part.has_value() != diagnostics.has_errors());
    return part ? std::optional(part->ranks[0].size()) : std::nullopt;
  };
  CHECK(steps_of("barrier..") == 5);
  CHECK(steps_of("barrier 2..") == 3);
  CHECK(steps_of("Barrier 2..Allreduce") == 2);
  CHECK(steps_of("barrier 1..barrier 2") == 1);
  CHECK(steps_of("..barrier 1") == 0);
  CHECK(steps_of("..") == 6);
  for (const char* wrong :
       {"", "barrier", "barrier 3..", "scan..", "barrier 0..", "barrier x..", "barrier 2..barrier 1", "a b c.."}) {
    INFO(wrong);
    CHECK_FALSE(steps_of(wrong));
  }
  // The wait does not end what began before the section.
  frontend::Diagnostics diagnostics;
  const auto part = section_of(*read.recording, "barrier 2..", {}, diagnostics);
  CHECK(part->ranks[0][1].ended.empty());
}

TEST_CASE("a persistent request is under way from each start to its wait alone", "[recorded]") {
  const Read read(
      {"#rank 0 of 1\nRecv_init 0 64 0 1/0000 1 1 q0\nStart -1 0 0 0/0000 1 1 q0\nWait -1 1 0 0/0000 1 1 q0:8\n"
       "Waitall -1 1 0 0/0000 1 1 q0:0\nStart -1 0 0 0/0000 1 1 q0\nTestall -1 1 0 0/0000 1 1 q0:16\n"});
  REQUIRE(read.recording);
  const auto& steps = read.recording->ranks[0];
  REQUIRE(steps.size() == 4);
  CHECK(steps[0].size == 8);
  CHECK(steps[2].size == 16);
  CHECK(steps[3].ended == std::vector<std::size_t>{2});
}
