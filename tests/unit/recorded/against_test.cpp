// What two programs that differ in one thing are said to differ in.
#include "analysis/recorded/against.h"

#include <catch2/catch.hpp>

namespace {

using namespace wave;
using namespace wave::analysis::recorded;
using Kind = Step::Kind;

Step message(Kind kind, std::int64_t peer, double size) {
  Step step{kind};
  step.peer = peer;
  step.size = size;
  return step;
}
Step wait_for(std::vector<std::size_t> ended) {
  Step step{Kind::wait};
  step.ended = std::move(ended);
  return step;
}
Step collective(const std::string& name, double size, std::int64_t participants) {
  Step step{Kind::collective};
  step.name = name;
  step.size = size;
  step.participants = participants;
  return step;
}
Step exchange(std::int64_t to, double size, std::int64_t from, double received) {
  Step step = message(Kind::exchange, to, size);
  step.from = from;
  step.received = received;
  return step;
}

// Of rank 0 of two; the other one does nothing.
bool is_same(const Steps& program, const Steps& model, CallOrder order = CallOrder::strict) {
  const auto compared = compare({program, {}}, {model, {}}, {2}, order);
  CHECK_FALSE(compared.differences[1]);
  return !compared.differences[0];
}

}  // namespace

TEST_CASE("calls are the same in kind, peer, size and order", "[recorded]") {
  const Steps program = {message(Kind::posted_receive, 1, 8), message(Kind::started_send, 1, 16), wait_for({0, 1}),
                         collective("allreduce", 8, 2), message(Kind::send, 1, 4)};
  CHECK(is_same(program, program));
  for (std::size_t i = 0; i < program.size(); ++i) {
    INFO("step " << i);
    Steps shorter = program;
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
    if (i == 0) shorter[1].ended = {0};
    if (i == 1) shorter[1].ended = {0};
    CHECK_FALSE(is_same(program, shorter));
    CHECK_FALSE(is_same(shorter, program));
    Steps other = program;
    if (other[i].kind == Kind::wait)
      other[i].ended = {0};
    else
      other[i].size += 1;
    CHECK_FALSE(is_same(program, other));
    CHECK_FALSE(is_same(program, other, CallOrder::by_wait));
  }
  Steps swapped = program;
  std::swap(swapped[0], swapped[1]);
  CHECK_FALSE(is_same(program, swapped));
  CHECK(is_same(program, swapped, CallOrder::by_wait));
  Steps later = program;
  std::swap(later[3], later[4]);
  CHECK_FALSE(is_same(program, later, CallOrder::by_wait));
}

TEST_CASE("waits one by one are a wait for all", "[recorded]") {
  const Steps begun = {message(Kind::posted_receive, 1, 8), message(Kind::posted_receive, 1, 16)};
  Steps one_by_one = begun, all = begun;
  one_by_one.push_back(wait_for({1}));
  one_by_one.push_back(wait_for({0}));
  all.push_back(wait_for({0, 1}));
  CHECK(is_same(one_by_one, all));
  Steps between = begun;
  between.push_back(wait_for({1}));
  between.push_back(message(Kind::send, 1, 4));
  between.push_back(wait_for({0}));
  all.push_back(message(Kind::send, 1, 4));
  CHECK_FALSE(is_same(between, all));
}

namespace {

// Of a model: a receive under a name, and a wait for the first of those.
Step named(std::int64_t peer, double size, std::uint32_t name) {
  Step step = message(Kind::posted_receive, peer, size);
  step.name_of_call = name;
  return step;
}
Step wait_for_any(std::size_t first, std::vector<std::uint32_t> names) {
  Step step = wait_for({first});
  step.chosen = step.ended;
  step.names = std::move(names);
  return step;
}

}  // namespace

TEST_CASE("a wait for the first of several takes what the program took", "[recorded]") {
  const Step between = message(Kind::send, 1, 4);
  const Steps model = {named(1, 8, 0), named(1, 16, 0),         named(1, 24, 1), wait_for_any(0, {0}),
                       between,        wait_for_any(1, {0, 1}), between,         wait_for({2})};
  const auto program = [&](std::size_t first, std::size_t second, std::size_t third) {
    return Steps{model[0], model[1],           model[2], wait_for({first}),
                 between,  wait_for({second}), between,  wait_for({third})};
  };
  CHECK(is_same(program(0, 1, 2), model));
  CHECK(is_same(program(1, 0, 2), model));
  CHECK(is_same(program(0, 2, 1), model));
  CHECK(is_same(program(1, 2, 0), model));
  CHECK_FALSE(is_same(program(2, 0, 1), model));  // it has another name
  CHECK_FALSE(is_same(program(2, 1, 0), model));
  Steps twice = program(1, 0, 2);
  twice[5] = wait_for({1});  // has ended before
  CHECK_FALSE(is_same(twice, model));
  // Without a call between them they are one wait.
  const Steps together = {named(1, 8, 0),          named(1, 16, 0), named(1, 24, 1), wait_for_any(0, {0}),
                          wait_for_any(1, {0, 1}), between,         wait_for({2})};
  CHECK(is_same({model[0], model[1], model[2], wait_for({2, 1}), between, wait_for({0})}, together));
  CHECK_FALSE(is_same({model[0], model[1], model[2], wait_for({2}), between, wait_for({0, 1})}, together));
}

TEST_CASE("an exchange is what models write for it, and nothing else", "[recorded]") {
  const Steps program = {exchange(1, 8, 1, 16)};
  const Step receive = message(Kind::receive, 1, 16), posted = message(Kind::posted_receive, 1, 16),
             send = message(Kind::send, 1, 8), started = message(Kind::started_send, 1, 8);
  for (const CallOrder order : {CallOrder::strict, CallOrder::by_wait}) {
    CHECK(is_same(program, {posted, send, wait_for({0})}, order));
    CHECK(is_same(program, {started, receive, wait_for({0})}, order));
    CHECK(is_same(program, {posted, started, wait_for({0, 1})}, order));
    CHECK(is_same(program, {started, posted, wait_for({0, 1})}, order));
    CHECK_FALSE(is_same(program, {receive, send}, order));
    CHECK_FALSE(is_same(program, {send, receive}, order));
    CHECK_FALSE(is_same(program, {started, receive}, order));
    CHECK_FALSE(is_same(program, {posted, started, wait_for({0})}, order));
    CHECK_FALSE(is_same(program, {posted, message(Kind::send, 1, 9), wait_for({0})}, order));
    CHECK_FALSE(is_same(program, {message(Kind::posted_receive, 1, 17), send, wait_for({0})}, order));
    // At the border of a grid one side is missing.
    CHECK(is_same({exchange(-1, 8, 1, 16)}, {receive}, order));
    CHECK(is_same({exchange(-1, 8, 1, 16)}, {posted, wait_for({0})}, order));
    CHECK(is_same({exchange(1, 8, -1, 16)}, {send}, order));
    CHECK(is_same({exchange(1, 8, -1, 16)}, {started, wait_for({0})}, order));
    CHECK_FALSE(is_same({exchange(1, 8, -1, 16)}, {receive}, order));
  }
}

TEST_CASE("an exchange ends with its own wait, whatever is waited for behind it", "[recorded]") {
  const Step early = message(Kind::posted_receive, 1, 4), posted = message(Kind::posted_receive, 1, 16),
             send = message(Kind::send, 1, 8);
  for (const CallOrder order : {CallOrder::strict, CallOrder::by_wait}) {
    CHECK(is_same({early, exchange(1, 8, 1, 16), wait_for({0})}, {early, posted, send, wait_for({1}), wait_for({0})},
                  order));
    CHECK_FALSE(is_same({early, wait_for({0}), exchange(1, 8, 1, 16)},
                        {early, posted, send, wait_for({1}), wait_for({0})}, order));
  }
}

TEST_CASE("calls of the program are what they are, where waits alone give an order", "[recorded]") {
  const Step first = message(Kind::started_send, 1, 16), second = message(Kind::started_send, 1, 8),
             barrier = collective("barrier", -1, 2);
  CHECK(is_same({first, second, wait_for({1}), barrier, wait_for({0})},
                {second, first, wait_for({0}), barrier, wait_for({1})}, CallOrder::by_wait));
  CHECK_FALSE(is_same({message(Kind::send, 1, 8), message(Kind::receive, 1, 8)},
                      {message(Kind::started_send, 1, 8), wait_for({0}), message(Kind::receive, 1, 8)},
                      CallOrder::by_wait));
}

TEST_CASE("a collective may be called by the name of its algorithm", "[recorded]") {
  CHECK_FALSE(is_same({collective("scatter", 8, 2)}, {collective("reduce_scatter", 8, 2)}));
  CHECK(is_same({collective("reduce_scatter", 8, 2)}, {collective("ring_reduce_scatter", 8, 2)}));
  CHECK(is_same({collective("allreduce", 8, 2)}, {collective("ring_allreduce", 8, 2)}));
  CHECK_FALSE(is_same({collective("reduce", 8, 2)}, {collective("allreduce", 8, 2)}));
  CHECK_FALSE(is_same({collective("allreduce", 8, 2)}, {collective("allreduce", 8, 1)}));
  CHECK(is_same({collective("alltoallv", -1, 2)}, {collective("alltoallv", 8, 2)}));
}

TEST_CASE("the numbering of ranks is found", "[recorded]") {
  // A line of three along the first axis of a grid of 3 x 2: ranks run along it first.
  const std::vector<std::int64_t> extents = {3, 2};
  std::vector<Steps> program(6), model(6);
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 2; ++j) {
      program[static_cast<std::size_t>(i + 3 * j)] = {message(Kind::send, i + 1 + 3 * j, 8)};
      model[static_cast<std::size_t>(2 * i + j)] = {message(Kind::send, 2 * (i + 1) + j, 8)};
    }
  }
  const Compared found = compare(program, model, extents, CallOrder::strict);
  CHECK(found.numbering == std::vector<std::size_t>{1, 0});
  for (const auto& difference : found.differences) CHECK_FALSE(difference);
  // A rank whose calls another made.
  std::swap(program[0], program[5]);
  const Compared swapped = compare(program, model, extents, CallOrder::strict);
  CHECK(swapped.differences[0]);
  CHECK(swapped.differences[5]);
}
