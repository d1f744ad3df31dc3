// Processes: their statements, and where these are allowed.
#include "tests/unit/frontend_check/checked.h"

#include <catch2/catch.hpp>

namespace wave::frontend {

TEST_CASE("all statements of a process are known") {
  CHECK(
      found_in_process(
          "let k = 3\n"
          "sweep from [NW, SE] tiles k { recv 8 B from upwind i\nrecv from upwind (i, j) tag 2\ncompute(tile * 1 us)\n"
          "send 8 B to downwind i\nsend 8 B to downwind (i, j) tag 2 }\n"
          "sendrecv 8 B to [i+1, j] tag k from [i-1, j]\nsendrecv (8 B) to P[i, j] from P[i, j] tag 2\n"
          "sweep from {NW, (-,-)} tiles k { compute(1 us) }\n"
          "if i > 1 { isend 8 B to [i-1, j] as a }\nif i < 4 { irecv 8 B from [i+1, j] as b }\nwait a\nwaitall\n"
          "for r in 0..1 { send 8 B to [i + 2^r, j]\nrecv from [i - 2^r, j] }\n"
          "repeat 3 { phase \"x\" { barrier() } }\nallreduce(8 B)\nbroadcast(8 B) along i\n"
          "if i == 1 and j == 1 { send 8 B to P[2, 2] }") == Found{});
}

TEST_CASE("tasks stand in lists, and nothing else does") {
  CHECK(found_in_process(
            "let ready = 1\nready { let task = 2\nfor k in 1..3 if k != task { task when recv 8 B from [i-1, j] "
            "tag k, recv from [i, j-1] tag (k) priority (k) { compute(k * 1 us)\nsend 8 B to [i+1, j] tag k } }\n"
            "repeat 2 { if i > ready { task { } } } }") == Found{});
  CHECK(found_in_process("task { }") == Found{"E0316 task { }"});
  CHECK(found_in_process("ready { compute(1 us) }") == Found{"E0316 compute(1 us)"});
  CHECK(found_in_process("ready { waitall }") == Found{"E0316 waitall"});
  CHECK(found_in_process("ready { task { ready { } } }") == Found{"E0316 ready { }"});
  CHECK(found_in_process("ready { ready { } }") == Found{"E0316 ready { }"});
  CHECK(found_in_process("ready { task { task { } } }") == Found{"E0316 task { }"});
  CHECK(found_in_process("ready { task priority i / 2 { } }") == Found{});
  CHECK(found_in_process("ready { task priority 8 B { } }") == Found{"E0301 8 B"});
  CHECK(found_in_process("ready { task when recv 3 us from [i-1, j] { } }") == Found{"E0301 3 us"});
}

TEST_CASE("quantities of a process have their dimensions") {
  CHECK(found_in_process("compute(8 B)") == Found{"E0301 8 B"});
  CHECK(found_in_process("send 3 us to [i+1, j]") == Found{"E0301 3 us"});
  CHECK(found_in_process("send 8 B to [i+1, j] tag 2.5") == Found{"E0303 2.5"});
  CHECK(found_in_process("sendrecv 3 us to [i+1, j] tag 1.5 from [i-1, j] tag 2.5") ==
        Found{"E0301 3 us", "E0303 1.5", "E0303 2.5"});
  CHECK(found_in_process("repeat 1.5 { compute(0) }") == Found{"E0303 1.5"});
  CHECK(found_in_process("allreduce(3 us)") == Found{"E0301 3 us"});
}

TEST_CASE("upwind needs a sweep, and an axis of the grid") {
  CHECK(found_in_process("recv 8 B from upwind i") == Found{"E0319 upwind i"});
  CHECK(found_in_process("sweep from [NW] tiles 2 { recv 8 B from upwind k }") == Found{"E0201 k"});
  CHECK(found_in_process("sweep from [(+,+,+)] tiles 2 { compute(0) }") == Found{"E0321 (+,+,+)"});
  CHECK(found_in_process("compute(tile * 1 us)") == Found{"E0201 tile"});
}

TEST_CASE("a collective or a sweep under a condition on indices is refused") {
  CHECK(found_in_process("if i > 1 { barrier() }") == Found{"E0317 barrier()"});
  CHECK(found_in_process("let odd = i mod 2 == 1\nif odd { barrier() }") == Found{"E0317 barrier()"});
  CHECK(found_in_process("repeat j { barrier() }") == Found{"E0317 barrier()"});
  CHECK(found_in_process("let n = 2\nif n > 1 { barrier() }") == Found{});
  CHECK(found_in_process("if i > 1 { all() }\n}\nprocedure all() on P { barrier()") == Found{"E0317 all()"});
}

TEST_CASE("offsets are the same for all processes") {
  CHECK(found_in_process("send 8 B to [j, i]") == Found{"E0313 j", "E0313 i"});
  CHECK(found_in_process("send 8 B to [i + j, j]") == Found{"E0313 i + j"});
  CHECK(found_in_process("send 8 B to [i, j, i]") == Found{"E0306 [i, j, i]"});
  CHECK(found_in_process("for i in 1..2 { send 8 B to [i + 1, j] }") == Found{"E0313 i + 1"});
  CHECK(found_in_process("send 8 B to Q[1, 1]") == Found{"E0201 Q"});
}

TEST_CASE("an offset may leave out axes along which nothing changes") {
  for (const char* offset : {"[i + 1]", "[1 + j]", "[i]", "[j - 2 + 1]"})
    CHECK(found_in_process(std::string("send 8 B to ") + offset) == Found{});
  CHECK(found_in_process("send 8 B to [i + j]") == Found{"E0313 i + j"});
  CHECK(found_in_process("send 8 B to [1 - i]") == Found{"E0313 1 - i"});
  CHECK(found_in_process("send 8 B to [2]") == Found{"E0313 2"});
  CHECK(found_in_process("send 8 B to P[i]") == Found{"E0306 P[i]"});
}

TEST_CASE("operations that are waited for have a name") {
  CHECK(found_in_process("isend 8 B to [i+1, j] as west\nwait wets") == Found{"E0201 wets"});
  CHECK(found_in_process("sendrecv 8 B to [i+1, j] from [i-1, j]\nwait sendrecv") == Found{"E0201 sendrecv"});
  CHECK(found_in_process("irecv 8 B from [i-1, j] as a\nisend 8 B to [i+1, j] as b\nwaitany a, b").empty());
  CHECK(found_in_process("irecv 8 B from [i-1, j] as a\nisend 8 B to [i+1, j]\nwaitany a, c") == Found{"E0201 c"});
}

TEST_CASE("a process that sends needs a machine with a protocol") {
  const std::string silent = "}\nmachine Silent { }\nmodel N { grid P[i: 4]\nprocess p on P using Silent() ";
  CHECK(found_in_model(silent + "{ compute(1 us) }") == Found{});
  CHECK(found_in_model(silent + "{ send 8 B to [i+1] }") == Found{"E0318 send 8 B to [i+1]"});
}

TEST_CASE("procedures are called with their arguments on their grid") {
  const std::string model =
      "param net: Machine = SP2()\ngrid P[i: 4]\ngrid Q[i: 4, j: 4]\n"
      "procedure halo(s: data) on P { send s to [i+1]\nrecv s from [i-1] }\n";
  CHECK(found_in_model(model + "process p on P using net { halo(8 B) }") == Found{});
  CHECK(found_in_model(model + "process p on P using net { halo(8) }") == Found{"E0302 8"});
  CHECK(found_in_model(model + "process p on Q using net { halo(8 B) }") == Found{"E0306 halo(8 B)"});
  CHECK(found_in_model(model + "process p on P using net { hallo(8 B) }") == Found{"E0201 hallo"});
}

TEST_CASE("a process has times, of the last finisher or of one process") {
  const std::string model =
      "param net: Machine = SP2()\ngrid P[i: 4]\nprocess p on P using net { phase \"x\" { compute(1 us) } }\n";
  CHECK(found_in_model(model +
                       "output t = p.time + p.finish[1] + p.wait + p.wait[2] + p.phase(\"x\") + p.phase(\"x\")[3]\n"
                       "output n = p.messages + 1\noutput b = p.bytes + 1 B") == Found{});
  CHECK(found_in_model(model + "output t = p.tim") == Found{"E0203 tim"});
  CHECK(found_in_model(model + "output t = p.finish[1, 2]") == Found{"E0306 p.finish[1, 2]"});
}

}  // namespace wave::frontend
