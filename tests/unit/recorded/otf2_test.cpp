// Events of a trace in OTF2 become the texts of a recording, whatever library reads the trace.
#include "analysis/recorded/otf2.h"

#include "analysis/recorded/rank_recording.h"
#include "analysis/recorded/recording.h"

#include <catch2/catch.hpp>

namespace {

using namespace wave;
using analysis::recorded::Otf2Texts;
using analysis::recorded::Step;
using analysis::recorded::otf2::Definitions;
using analysis::recorded::otf2::TraceEvent;
using EventKind = TraceEvent::Kind;
using analysis::recorded::read_recording;

constexpr std::uint32_t world = 0, self = 1, turned = 2, outside = 9;
constexpr std::uint64_t first_location = 100;

// Two processes, whose clock ticks every two nanoseconds.
Definitions two_ranks() {
  Definitions definitions;
  definitions.ticks_per_second = 500'000'000;
  definitions.ranks = {first_location, first_location + 7};
  definitions.groups[0] = {{0, 1}};
  definitions.groups[1] = {{}, true};
  definitions.groups[2] = {{1, 0}};
  definitions.communicators = {{world, {0, 0}}, {self, {1, 1}}, {turned, {2, 2}}};
  const char* const regions[] = {"main",         "MPI_Send", "MPI_Isend()",   "MPI_Irecv",    "MPI_Waitall",
                                 "MPI_Sendrecv", "MPI_Recv", "MPI_Allreduce", "MPI_Comm_dup", "MPI_Comm_rank"};
  for (const char* const name : regions)
    definitions.regions[static_cast<std::uint32_t>(definitions.regions.size())] = name;
  return definitions;
}
enum Region : std::uint32_t {
  main_program,
  send,
  isend,
  irecv,
  waitall,
  sendrecv,
  recv,
  allreduce,
  comm_dup,
  comm_rank
};

TraceEvent enter(std::uint32_t region, std::uint64_t time) {
  TraceEvent event;
  event.kind = EventKind::enter;
  event.time = time;
  event.region = region;
  return event;
}
TraceEvent leave(std::uint32_t region, std::uint64_t time) {
  TraceEvent event = enter(region, time);
  event.kind = EventKind::leave;
  return event;
}
TraceEvent transfer(EventKind kind, std::uint32_t peer, std::uint64_t bytes, std::uint64_t request = 0,
                    std::uint32_t communicator = world) {
  TraceEvent event;
  event.kind = kind;
  event.peer = peer;
  event.bytes = bytes;
  event.request = request;
  event.communicator = communicator;
  event.tag = 3;
  return event;
}

struct Made {
  std::string trouble, way_on;
  std::vector<std::string> texts;
};
// Of what the first of two ranks does; the other one does nothing.
Made made_of(const std::vector<TraceEvent>& events, std::size_t most_bytes = 4096) {
  Otf2Texts reading(most_bytes);
  bool goes_on = reading.define(two_ranks()) && reading.begin(first_location);
  for (const TraceEvent& event : events) goes_on = goes_on && reading.take(event);
  if (goes_on) reading.begin(first_location + 7);
  CHECK(goes_on == reading.trouble().empty());
  Made made{reading.trouble(), reading.way_on(), {}};
  made.texts = std::move(reading).texts();
  return made;
}
std::string lines_of(const std::vector<TraceEvent>& events) {
  const Made made = made_of(events);
  CHECK(made.trouble.empty());
  const std::string heading = "#rank 0 of 2\n";
  REQUIRE(made.texts[0].starts_with(heading));
  CHECK(made.texts[1] == "#rank 1 of 2\n");
  return made.texts[0].substr(heading.size());
}
// The lines of one call.
std::string call_of(std::uint32_t region, std::vector<TraceEvent> inside) {
  inside.insert(inside.begin(), enter(region, 10));
  inside.push_back(leave(region, 20));
  return lines_of(inside);
}
TraceEvent collective(const char* name, std::uint64_t sent, std::uint64_t received, std::uint32_t among = world) {
  TraceEvent event = transfer(EventKind::collective, 0, sent, 0, among);
  event.received = received;
  event.operation = name;
  return event;
}

}  // namespace

TEST_CASE("each event of a trace becomes a call of a recording", "[recorded]") {
  CHECK(call_of(send, {transfer(EventKind::send, 1, 8)}) == "Send 1 8 3 2/0 0 20\n");
  CHECK(call_of(recv, {transfer(EventKind::receive, 1, 8)}) == "Recv 1 8 3 2/0 0 20\n");
  CHECK(call_of(isend, {transfer(EventKind::started_send, 1, 8, 77)}) == "Isend 1 8 3 2/0 0 20 q0\n");
  CHECK(call_of(irecv, {transfer(EventKind::posted_receive, 0, 0, 5)}) == "Irecv -2 0 0 0/0 0 20 q0\n");
  CHECK(call_of(allreduce, {collective("Allreduce", 16, 16)}) == "Allreduce -1 8 0 2/0 0 20\n");
  CHECK(call_of(sendrecv, {transfer(EventKind::send, 1, 8), transfer(EventKind::receive, 1, 9)}) ==
        "Sendrecv 1 8 3 0/0 0 20 from1 got9\n");
  CHECK(call_of(sendrecv, {transfer(EventKind::receive, 1, 9)}) == "Sendrecv -1 0 0 0/0 0 20 from1 got9\n");
  CHECK(call_of(sendrecv, {transfer(EventKind::posted_receive, 0, 0, 6), transfer(EventKind::started_send, 1, 8, 5),
                           transfer(EventKind::ended_receive, 1, 9, 6), transfer(EventKind::ended_send, 0, 0, 5)}) ==
        "Sendrecv 1 8 3 0/0 0 20 from1 got9\n");
  CHECK(call_of(comm_dup, {}) == "Comm_dup -1 0 0 0/0 0 20\n");
  CHECK(call_of(comm_rank, {}).empty());
  CHECK(call_of(send, {}).empty());                                                           // to MPI_PROC_NULL
  CHECK(call_of(main_program, {transfer(EventKind::send, 1, 8)}) == "Send 1 8 3 2/0 0 0\n");  // without its function
}

TEST_CASE("ranks of communicators are those of all processes", "[recorded]") {
  CHECK(call_of(send, {transfer(EventKind::send, 0, 8, 0, turned)}) == "Send 1 8 3 2/2 0 20\n");
  CHECK(call_of(send, {transfer(EventKind::send, 0, 8, 0, self)}) == "Send 0 8 3 1/1 0 20\n");
  CHECK(call_of(allreduce, {collective("Barrier", 0, 0, self)}) == "Barrier -1 0 0 1/1 0 20\n");
}

TEST_CASE("collectives have the size of one process", "[recorded]") {
  const auto size = [](const char* name, std::uint64_t sent, std::uint64_t received) {
    const std::string line = call_of(allreduce, {collective(name, sent, received)});
    return line.substr(0, line.find(" 0 2/0"));
  };
  CHECK(size("Bcast", 16, 8) == "Bcast -1 8");
  CHECK(size("Bcast", 0, 8) == "Bcast -1 8");
  CHECK(size("Reduce", 8, 16) == "Reduce -1 8");
  CHECK(size("Reduce", 0, 8) == "Reduce -1 8");  // in place
  CHECK(size("Allgather", 16, 16) == "Allgather -1 8");
  CHECK(size("Allreduce", 4, 4) == "Allreduce -1 4");  // in place
  CHECK(size("Scan", 16, 8) == "Scan -1 8");
  CHECK(size("Reduce_scatter_block", 16, 16) == "Reduce_scatter_block -1 16");
}

TEST_CASE("a wait ends what has ended in it, and times are those between calls", "[recorded]") {
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  std::vector<TraceEvent> events = {enter(main_program, 1000)};
  const auto add = [&](std::uint32_t region, std::uint64_t time, const std::vector<TraceEvent>& inside) {
    events.push_back(enter(region, time));
    events.insert(events.end(), inside.begin(), inside.end());
    events.push_back(leave(region, time + 50));
  };
  add(irecv, 1100, {transfer(EventKind::posted_receive, 0, 0, 1000)});
  add(isend, 1200, {transfer(EventKind::started_send, 1, 8, 2000)});
  add(comm_rank, 1300, {});
  add(waitall, 1400, {transfer(EventKind::ended_send, 0, 0, 2000), transfer(EventKind::ended_receive, 1, 24, 1000)});
  TraceEvent pause;
  pause.kind = EventKind::pause;
  pause.time = 1460;
  pause.until = 1960;
  events.push_back(pause);
  add(comm_dup, 2000, {});
  add(irecv, 2100, {transfer(EventKind::posted_receive, 0, 0, 3000)});
  const Made made = made_of(events);
  std::vector<std::uint32_t> files;
  for (const std::string& text : made.texts) files.push_back(sources.add("r", text));
  const auto recording = read_recording(sources, files, diagnostics);
  REQUIRE(recording);
  const auto& steps = recording->ranks[0];
  REQUIRE(steps.size() == 4);
  CHECK((steps[0].kind == Step::Kind::posted_receive && steps[0].peer == 1 && steps[0].size == 24));
  CHECK((steps[1].kind == Step::Kind::started_send && steps[1].peer == 1 && steps[1].size == 8));
  CHECK(steps[2].ended == std::vector<std::size_t>{1, 0});
  CHECK(recording->passed_over.at("Comm_dup") == 1);
  const auto rank = wave::analysis::recorded::read_rank(sources, files[0], diagnostics);
  REQUIRE(rank);
  const auto& times = rank->times;
  REQUIRE(times.size() == 4);
  CHECK(times[0].since_ns == 200);
  CHECK(times[0].inside_ns == 100);
  CHECK(times[1].since_ns == 100);
  CHECK(times[2].since_ns == 200);  // without what a call takes that is not written
  CHECK(times[3].since_ns == 200);  // of which 100 before the call that is passed over; without the pause
}

TEST_CASE("what a trace in OTF2 does not say is refused, with a way on", "[recorded]") {
  const auto refused = [](const std::vector<TraceEvent>& events) {
    const Made made = made_of(events);
    CHECK_FALSE(made.way_on.empty());
    return made.trouble;
  };
  CHECK(refused({enter(isend, 1), transfer(EventKind::send, 1, 8)}) ==
        "which wait ends which message is not in the trace");
  CHECK(refused({enter(waitall, 1), transfer(EventKind::receive, 1, 8)}) ==
        "which wait ends which message is not in the trace");
  CHECK(refused({transfer(EventKind::send, 2, 8)}) == "a message to or from a process that the trace does not have");
  CHECK(refused({transfer(EventKind::send, 1, 8, 0, outside)}) ==
        "a message to or from a process that the trace does not have");
  CHECK(refused({collective("Barrier", 0, 0, outside)}) == "a collective of a communicator that is not defined");
  CHECK(made_of({transfer(EventKind::send, 1, 8)}, 16).trouble == "the trace is too large for this memory");
  Otf2Texts reading(4096);
  REQUIRE(reading.define(two_ranks()));
  reading.begin(first_location + 1);  // another thread
  CHECK(reading.take(enter(send, 1)));
  CHECK_FALSE(reading.take(transfer(EventKind::send, 1, 8)));
  CHECK(reading.trouble() == "several threads of a process send or receive");
  Otf2Texts empty(4096);
  CHECK_FALSE(empty.define({}));
  CHECK(empty.trouble() == "the trace has no processes of MPI");
  // What ends without having begun, and what is left without having been entered, was before the trace.
  CHECK(
      lines_of({transfer(EventKind::ended_send, 0, 0, 4), leave(send, 5), transfer(EventKind::ended_receive, 1, 8, 4)})
          .empty());
}
