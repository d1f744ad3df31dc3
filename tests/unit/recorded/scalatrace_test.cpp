// Traces of ScalaTrace as they are read: loops, ranks that are folded, times, and what cannot be read.
#include "analysis/recorded/scalatrace.h"

#include "analysis/recorded/against.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <random>

namespace {

using namespace wave;
using analysis::recorded::CallOrder;
using analysis::recorded::read_scalatrace;
using analysis::recorded::Recording;
using analysis::recorded::Step;
using analysis::recorded::Steps;
using Kind = Step::Kind;

constexpr std::size_t enough = std::size_t{1} << 24;

struct ReadTrace {
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  std::optional<Recording> read;

  explicit ReadTrace(const std::string& text, std::size_t most_bytes = enough) {
    read = read_scalatrace(sources, sources.add("ring.trace", text), most_bytes, diagnostics);
  }
  std::string message() const { return diagnostics.all().empty() ? "" : diagnostics.all().front().message; }
};

// A ring of three: two iterations with messages of other sizes, and a sum.
const std::string ring = R"(RANKS: 1 -1 0 3 1
EVENT0: 1084 4a_4b
33 2
34 0

RANKS: 1 -1 0 3 1
EVENT1: 1090 5a_5b
COMP 4b-0: 4a_4b (3 4.00 0 4.00 2 4.00){0.00 4.00 4.00 4.00 8.00 3}
COMP 4b-1: 7a_7b (3 9.00 0 1.00 2 3.00){0.00 1.00 1.00 1.00 2.00 1}{2.00 3.00 3.00 3.00 4.00 2}
COMM 4b-0: 4a_4b (3 0.50 0 0.50 2 0.50){0.00 0.50 0.50 0.50 1.00 3}
COMM 4b-1: 7a_7b (3 0.25 0 0.25 2 0.25)
LOOP0: iter: ( 2 )[ 1 -1 0 3 1 ] mem: ( 3 )[ 1 -1 0 3 1 ]
10 2 
12 10 20 
14 16 
1b 0 
2b ( 2 )[ 2 -1 0 1 0 -1 1 2 1 ]

RANKS: 1 -1 0 3 1
EVENT2: 1113 6a_6b
10 2 
12 10 20 
14 16 
1a ( 1 )[ 1 -1 0 1 0 ]
1a ( 1 )[ 1 -1 1 2 1 ]
1b 0 

RANKS: 1 -1 0 3 1
EVENT3: 1148 7a_7b
1c 9999 

RANKS: 1 -1 1 1 0
EVENT4: 1102 8a_8b
10 2 
12 4 
14 14 
1b 0 
2b 2147483647 

RANKS: 1 -1 0 3 1
EVENT5: 1004 9a_9b
10 2 
12 1 
14 10 
18 3 

RANKS: 1 -1 0 3 1
EVENT6: 1027 aa_ab
10 2 
)";

// With one line changed.
std::string with(const std::string& line, const std::string& other) {
  const std::size_t at = ring.find(line);
  REQUIRE(at != std::string::npos);
  return ring.substr(0, at) + other + ring.substr(at + line.size());
}

}  // namespace

TEST_CASE("loops and ranks of a trace are unfolded, values are taken in turn", "[recorded]") {
  const ReadTrace read(ring);
  INFO(read.message());
  REQUIRE(read.read);
  REQUIRE(read.read->ranks.size() == 3);
  for (std::int64_t rank = 0; rank < 3; ++rank) {
    INFO("rank " << rank);
    const Steps& steps = read.read->ranks[static_cast<std::size_t>(rank)];
    REQUIRE(steps.size() == (rank == 1 ? 8U : 7U));
    for (std::size_t i = 0; i < 2; ++i) {
      const Step &posted = steps[3 * i], &sent = steps[3 * i + 1], &wait = steps[3 * i + 2];
      const double size = i == 0 ? 80 : 160;
      CHECK((posted.kind == Kind::posted_receive && posted.peer == (rank + 2) % 3 && posted.size == size));
      CHECK((sent.kind == Kind::send && sent.peer == (rank + 1) % 3 && sent.size == size));
      CHECK(wait.kind == Kind::wait);
      CHECK(wait.ended == std::vector<std::size_t>{3 * i});
    }
    CHECK(steps.back().kind == Kind::collective);
    CHECK(steps.back().name == "allreduce");
    CHECK(steps.back().size == 8);
    CHECK(steps.back().participants == 3);
    CHECK(read.sources.text(steps[1].location) == "EVENT2: 1113 6a_6b");
  }
  const Step& from_anybody = read.read->ranks[1][6];
  CHECK((from_anybody.kind == Kind::receive && from_anybody.peer == Step::anybody && from_anybody.size == 16));
  CHECK(read.read->passed_over == std::map<std::string, std::size_t>{{"Comm_dup", 3}});
}

TEST_CASE("times of a trace are means of the histogram behind the call before", "[recorded]") {
  const ReadTrace read(ring);
  REQUIRE(read.read);
  const auto& times = read.read->times[0];
  REQUIRE(times.size() == 7);
  CHECK(times[0].since_ns == 4000);
  CHECK(times[0].inside_ns == 500);
  CHECK(times[3].since_ns == Approx(7000. / 3));  // of the bins, not what stands before them
  CHECK(times[3].inside_ns == 250);               // which is all there is here
  CHECK(times[1].since_ns == 0);
}

// frs69wq/ScalaTrace-TI, commit 630d977: LU printed 9.385 s for class A on 4 x 2 processors.
TEST_CASE("times of a trace of LU add up to what LU printed", "[recorded]") {
  std::ifstream in(WAVE_RECORDINGS "/lu.A.8.I.trace", std::ios::binary);
  const ReadTrace read({std::istreambuf_iterator<char>(in), {}}, std::size_t{1} << 30);
  REQUIRE(read.read);
  double sum = 0;
  for (const auto& times : read.read->times) {
    for (const auto& one : times) sum += one.since_ns + one.inside_ns;
  }
  CHECK(sum / 8 / 1e9 == Approx(9.385).epsilon(0.001));
}

TEST_CASE("what a rank receives from anybody is the same as what a model receives from somebody", "[recorded]") {
  const ReadTrace read(ring);
  REQUIRE(read.read);
  const auto& program = read.read->ranks;
  for (const auto order : {CallOrder::strict, CallOrder::by_wait}) {
    auto model = program;
    model[1][6].peer = 2;
    const auto same = compare(program, model, {3}, order);
    for (const auto& difference : same.differences) CHECK_FALSE(difference);
    model[1][6].size = 17;
    CHECK(compare(program, model, {3}, order).differences[1]);
  }
  // Behind a wait as well.
  std::vector<Steps> posted(1), chosen(1);
  for (const std::int64_t peer : {Step::anybody, std::int64_t{0}}) {
    Step step;
    step.kind = Kind::posted_receive;
    step.peer = peer;
    step.size = 8;
    posted[0].push_back(step);
    step.peer = 0;
    chosen[0].push_back(step);
  }
  Step wait;
  wait.kind = Kind::wait;
  wait.ended = {0, 1};
  posted[0].push_back(wait);
  chosen[0].push_back(wait);
  for (const auto order : {CallOrder::strict, CallOrder::by_wait})
    CHECK_FALSE(compare(posted, chosen, {1}, order).differences[0]);
}

TEST_CASE("inner loops begin anew with each iteration of the outer one", "[recorded]") {
  const std::string loops =
      "LOOP0: iter: ( 2 )[ 1 -1 0 1 0 ] mem: ( 2 )[ 1 -1 0 1 0 ]\n"
      "LOOP1: iter: ( 3 1 )[ 1 -1 0 1 0 ] mem: ( 1 )[ 1 -1 0 1 0 ]\n";
  const std::string barrier = "EVENT0: 1010 1a\n", sum = "EVENT1: 1004 2a\n12 1\n14 3\n", ranks = "RANKS: 1 -1 0 1 0\n";
  const ReadTrace read(ranks + barrier + loops + "10 2\n" + ranks + sum + "10 2\n");
  INFO(read.message());
  REQUIRE(read.read);
  std::string order;
  for (const Step& step : read.read->ranks[0]) order += step.name.front();
  CHECK(order == "bbbaba");
  // A loop without iterations is none.
  std::string none = loops;
  none.replace(none.find("( 2 )"), 5, "( 0 )");
  const ReadTrace skipped(ranks + barrier + none + "10 2\n" + ranks + sum + "10 2\n");
  REQUIRE(skipped.read);
  CHECK(skipped.read->ranks[0].empty());
}

TEST_CASE("what makes no trace of ScalaTrace says why, at its line", "[recorded]") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "this is no trace of ScalaTrace"},
      {"wave 1\n", "this is no trace of ScalaTrace"},
      {"RANKS: 1 -1 0 3\n", "the ranks of this line cannot be read"},
      {"RANKS: 1 -1 0 3 1 7\n", "the ranks of this line cannot be read"},
      {"RANKS: 0\n", "the ranks of this line cannot be read"},
      {"RANKS: 1 1 0 3 1\n", "the ranks of this line cannot be read"},
      {"RANKS: 1 -1 -4 3 1\n", "the ranks of this line cannot be read"},
      {"RANKS: 1 -1 0 3 -1\n", "the ranks of this line cannot be read"},
      {"RANKS: 1 -1 0 99999999 1\n", "the ranks of this line cannot be read"},
      {"RANKS: 1 -3 0 16777216 0 16777216 0 16777216 0\n", "the trace is too large for this memory"},
      {"RANKS: 1 -1 0 3 1\n", "this event has no call"},
      {"RANKS: 1 -1 0 3 1\n12 1\n", "this event has no call"},
      {"RANKS: 1 -1 0 3 1\nEVENT0 1113\n", "this call cannot be read"},
      {"RANKS: 1 -1 0 3 1\nEVENT0: 1113 4a\nEVENT1: 1113 4a\n", "this call cannot be read"},
      {"RANKS: 1 -1 1 3 1\nEVENT0: 1084 4a\n", "rank 0 has no event"},
      {with("12 10 20 \n14 16 \n1b 0 \n2b", "12 10 x \n14 16 \n1b 0 \n2b"), "this parameter cannot be read"},
      {with("10 2 \n12 4 \n", "zz 2 \n12 4 \n"), "this is no line of an event"},
      {with("12 4 \n", "12 (9 4.00 0 4.00 0 4.00){0.00 4.00 4.00 4.00 8.00 9}\n"),
       "which rank had which count is not in the trace"},
      {with("12 4 \n", ""), "this call has no count"},
      {with("12 4 \n", "12 -4 \n"), "this call has a negative count"},
      {with("14 14 \n", "14 77 \n"), "the size of the datatype 77 is not known"},
      {with("14 10 \n", "14 -1 \n"), "the size of the datatype -1 is not known"},
      {with("10 2 \n12 4 \n", "10 10000 \n12 4 \n"), "who belongs to the communicator of this call is not known"},
      {with("1a ( 1 )[ 1 -1 1 2 1 ]\n", "1a ( 3 )[ 1 -1 1 2 1 ]\n"), "this call has no destination"},
      {with("1a ( 1 )[ 1 -1 1 2 1 ]\n", ""), "this call has no destination"},
      {with("1a ( 1 )[ 1 -1 1 2 1 ]\n", "1a ( 1 )[ 1 -1 1 2 1\n"), "this parameter cannot be read"},
      {with("mem: ( 3 )", "mem: ( 30 )"), "a loop is cut off"},
      {with("mem: ( 3 )", "mem: 3"), "this loop cannot be read"},
      {with("COMP 4b-0: 4a_4b (3 4.00", "COMP 4b-0: 4a_4b (3 nan"), "these times cannot be read"},
      {with("COMP 4b-0: 4a_4b (3 4.00 0 4.00 2 4.00)", "COMP 4b-0: 4a_4b 3"), "these times cannot be read"},
      {with("EVENT3: 1148", "EVENT3: 1150"), "what `Waitany` begins or ends is not in the trace"},
      {with("iter: ( 2 )", "iter: ( 2147483647 )"),
       "the trace is too large for this memory when its loops are written out"}};
  for (const auto& [text, message] : cases) {
    INFO(text);
    const ReadTrace read(text);
    CHECK_FALSE(read.read);
    REQUIRE(read.diagnostics.all().size() == 1);
    CHECK(read.message() == message);
    CHECK_FALSE(read.diagnostics.all().front().help.empty());
  }
}

TEST_CASE("loops that cross each other are refused", "[recorded]") {
  const std::string event = "RANKS: 1 -1 0 1 0\nEVENT0: 1010 1a\n10 2\n";
  const std::string two = "LOOP0: iter: ( 2 )[ 1 -1 0 1 0 ] mem: ( 2 )[ 1 -1 0 1 0 ]\n";
  const ReadTrace read(event + two + event + two + event);
  CHECK(read.message() == "loops cross each other");
}

TEST_CASE("loops that do nothing, however deep, come to an end", "[recorded]") {
  std::string text = "RANKS: 1 -1 0 1 0\nEVENT0: 1084 1a\n";
  for (int depth = 0; depth < 40; ++depth)
    text += "LOOP0: iter: ( 2147483647 )[ 1 -1 0 1 0 ] mem: ( 1 )[ 1 -1 0 1 0 ]\n";
  const ReadTrace read(text, 1 << 20);
  CHECK(read.message() == "the trace is too large for this memory when its loops are written out");
}

TEST_CASE("a trace of ScalaTrace with any byte changed, or cut anywhere, is read or refused", "[recorded]") {
  const unsigned seed = 20261201;
  std::mt19937 random(seed);
  const std::string bytes = "0123456789 -:()[]{}RLEx\n\0\xff";
  for (std::size_t at = 0; at < ring.size(); ++at) {
    std::string changed = ring;
    changed[at] = bytes[random() % bytes.size()];
    INFO("seed " << seed << ", byte " << at);
    const ReadTrace one(changed), cut(ring.substr(0, at));
    for (const ReadTrace* const read : {&one, &cut}) {
      CHECK(read->read.has_value() != read->diagnostics.has_errors());
      if (!read->read) continue;
      const auto& ranks = read->read->ranks;
      for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        CHECK(ranks[rank].size() == read->read->times[rank].size());
    }
  }
}
