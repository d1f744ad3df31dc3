// Notices between ranks are turned into bytes and back.
#include "analysis/study/ranks/notices.h"

#include "tests/random/choices.h"
#include "tests/random/environment.h"

#include <catch2/catch.hpp>

using namespace wave;
using namespace wave::ranks;

namespace {

std::vector<Notice> notices() {
  return {Hello{"node7", std::string("1.0\0\xff", 5), "no\nmodel"},
          Hello{},
          Assignment{{3, std::uint64_t(-1)}},
          Computed{{{{0, 1}, "a"}, {{1, 9}, ""}, {{9, 10}, std::string(1000, '\0')}}, 0.125},
          Broken{"memory"},
          Alive{},
          NothingLeft{},
          Leaving{}};
}

}  // namespace

TEST_CASE("every notice comes back as it was sent") {
  std::size_t kind = 0;
  for (const Notice& notice : notices()) {
    CAPTURE(kind++);
    const std::string bytes = encode(notice);
    const auto heard = decode(bytes);
    REQUIRE(heard);
    CHECK(heard->index() == notice.index());
    CHECK(encode(*heard) == bytes);
  }
  const auto hello = decode(encode(notices()[0]));
  CHECK(std::get<Hello>(*hello).claim == std::get<Hello>(notices()[0]).claim);
  CHECK(std::get<Hello>(*hello).trouble == "no\nmodel");
  const auto computed = decode(encode(notices()[3]));
  CHECK(std::get<Computed>(*computed).parts.at(2).range == PointRange{9, 10});
  CHECK(std::get<Computed>(*computed).seconds == 0.125);
}

TEST_CASE("notices that are cut off, too long, or of no kind are refused") {
  CHECK_FALSE(decode(""));
  CHECK_FALSE(decode("\x7f"));
  for (const Notice& notice : notices()) {
    const std::string bytes = encode(notice);
    for (std::size_t length = 0; length < bytes.size(); ++length) CHECK_FALSE(decode(bytes.substr(0, length)));
    CHECK_FALSE(decode(bytes + "x"));
  }
  CHECK_FALSE(decode(encode(Assignment{{5, 5}})));
  CHECK_FALSE(decode(encode(Assignment{{5, 4}})));
}

TEST_CASE("any bytes are understood or refused") {
  const std::uint64_t seed = test::number_from("WAVE_RANDOM_SEED", 1);
  CAPTURE(seed);
  test::Choices choices(seed);
  int understood = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = encode(choices.one_of(notices()));
    for (std::size_t changes = 1 + choices.below(3); changes > 0; --changes) {
      bytes[choices.below(std::min<std::size_t>(bytes.size(), 40))] = static_cast<char>(choices.below(256));
    }
    if (const auto notice = decode(bytes)) {
      ++understood;
      CHECK(encode(*notice) == bytes);
    }
  }
  CHECK(understood > 0);
}
