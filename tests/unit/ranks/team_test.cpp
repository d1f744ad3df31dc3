// A leader and its followers, which are threads.
#include "analysis/study/ranks/team.h"

#include "fake_ranks.h"
#include "tests/random/environment.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>

using namespace wave;
using namespace wave::ranks;

namespace {

using namespace std::chrono_literals;

const Hello agreed{"", "version 1", ""};

std::string judge(std::string_view claim) {
  return claim == agreed.claim ? "" : "not version 1: " + std::string(claim);
}

Habits quick() {
  Habits habits;
  habits.chunks.seconds = 0.002;
  habits.chunks.most = 500;
  habits.leaving_seconds = 20;
  habits.sign_seconds = 0.02;
  return habits;
}

// Gives the results of a range, and counts how often each point was computed.
class Points {
 public:
  explicit Points(std::uint64_t count) : computed_(count) {}
  std::variant<std::string, Trouble> compute(PointRange range) {
    std::string text;
    for (std::uint64_t i = range.begin; i < range.end; ++i) {
      ++computed_[i];
      text += std::to_string(i * i) + "\n";
    }
    return text;
  }
  Work work() {
    return {[this](PointRange range) { return compute(range); }};
  }
  std::uint64_t computed() const {
    std::uint64_t sum = 0;
    for (const auto& one : computed_) sum += one;
    return sum;
  }

 private:
  std::vector<std::atomic<std::uint32_t>> computed_;
};

// The results that rank 0 received.
struct Taken {
  std::map<std::uint64_t, std::pair<std::uint64_t, std::string>> parts;
  bool overlapping = false;

  bool operator()(PointRange range, std::string_view bytes) {
    if (range.size() > 0 && !parts.emplace(range.begin, std::pair(range.end, std::string(bytes))).second)
      overlapping = true;
    return true;
  }
  std::string text(std::uint64_t from) const {
    std::string all;
    for (const auto& [begin, part] : parts) {
      if (begin != from) return all + "gap";
      all += part.second;
      from = part.first;
    }
    return all;
  }
};

std::string squares(std::uint64_t begin, std::uint64_t end) {
  return std::get<std::string>(Points(end).compute({begin, end}));
}

// The followers, and how each of them ended.
class Followers {
 public:
  enum class Way { home, leader_gone, died };

  Followers(test::FakeNetwork& network, const std::function<void(int rank, Followers& all)>& follower) {
    ways_.resize(static_cast<std::size_t>(network.size()));
    for (int rank = 1; rank < network.size(); ++rank) {
      threads_.emplace_back([this, rank, follower] { follower(rank, *this); });
    }
  }
  ~Followers() { join(); }
  void join() {
    for (auto& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }
  void follow(Transport& transport, const Hello& hello, const Work& work, const Habits& habits) {
    Way& way = ways_[static_cast<std::size_t>(transport.rank())];
    try {
      way = ranks::follow(transport, hello, work, habits) ? Way::home : Way::leader_gone;
    } catch (const test::Died&) {
      way = Way::died;
    }
  }
  Way way(int rank) const { return ways_[static_cast<std::size_t>(rank)]; }

 private:
  std::vector<Way> ways_;
  std::vector<std::thread> threads_;
};

}  // namespace

TEST_CASE("all points come once, in any company") {
  const std::uint64_t seed = test::number_from("WAVE_RANDOM_SEED", 1);
  CAPTURE(seed);
  for (const int ranks : {1, 2, 3, 8}) {
    CAPTURE(ranks);
    test::FakeNetwork network(ranks, seed, 300us);
    Points points(6000);
    Followers followers(network, [&](int rank, Followers& all) {
      test::FakeRank transport(network, rank);
      all.follow(transport, agreed, points.work(), quick());
    });
    test::FakeRank transport(network, 0);
    Leader leader(transport, quick());
    CHECK(leader.gather(judge).empty());
    Taken taken;
    CHECK_FALSE(leader.run({{0, 1000}, {1000, 6000}}, points.work(), std::ref(taken)));
    CHECK(leader.end());
    followers.join();
    CHECK(taken.text(0) == squares(0, 6000));
    CHECK_FALSE(taken.overlapping);
    CHECK(points.computed() == 6000);
    std::uint64_t accounted = 0;
    for (const Contribution& account : leader.accounts()) accounted += account.points;
    CHECK(accounted == 6000);
    for (int rank = 1; rank < ranks; ++rank) CHECK(followers.way(rank) == Followers::Way::home);
  }
}

TEST_CASE("ranks that die take only their unfinished chunks with them") {
  const std::uint64_t seed = test::number_from("WAVE_RANDOM_SEED", 1);
  CAPTURE(seed);
  test::Choices choices(seed);
  for (int round = 0; round < 12; ++round) {
    CAPTURE(round);
    const int ranks = 2 + static_cast<int>(choices.below(5));
    test::FakeNetwork network(ranks, seed + static_cast<std::uint64_t>(round), 200us);
    std::vector<std::uint64_t> letters;
    for (int rank = 0; rank < ranks; ++rank)
      letters.push_back(rank == 0 || choices.chance(0.4) ? ~std::uint64_t{0} : 1 + choices.below(12));
    Points points(4000);
    const Work work{[&](PointRange range) {
      std::this_thread::sleep_for(10us * range.size());
      return points.compute(range);
    }};
    Followers followers(network, [&](int rank, Followers& all) {
      test::FakeRank transport(network, rank, letters[static_cast<std::size_t>(rank)]);
      all.follow(transport, agreed, work, quick());
    });
    test::FakeRank transport(network, 0);
    Habits habits = quick();
    // The leader notices a death because a packet does not reach the dead rank.
    habits.sign_seconds = 0.05;
    Leader leader(transport, habits);
    CHECK(leader.gather(judge).empty());
    Taken taken;
    CHECK_FALSE(leader.run({{0, 4000}}, work, std::ref(taken)));
    const bool all_left = leader.end();
    followers.join();
    CHECK(taken.text(0) == squares(0, 4000));
    CHECK_FALSE(taken.overlapping);
    std::uint64_t most_lost = 0;
    for (int rank = 1; rank < ranks; ++rank) {
      if (followers.way(rank) != Followers::Way::died) continue;
      CHECK_FALSE(all_left);
      most_lost += quick().chunks.most;
    }
    CHECK(points.computed() <= 4000 + most_lost);
  }
}

TEST_CASE("a rank that says nothing is taken for dead, and what it says later is not believed") {
  constexpr std::uint64_t count = 20'000;
  test::FakeNetwork network(3, 1, 0us);
  Points points(count);
  const Work slow{[&](PointRange range) {
    std::this_thread::sleep_for(100us * range.size());
    return points.compute(range);
  }};
  std::atomic<std::uint64_t> asleep = count;  // the first point of the range that is held back
  std::atomic<bool> released = false, spoken = false;
  Followers followers(network, [&](int rank, Followers& all) {
    test::FakeRank transport(network, rank);
    if (rank == 1) {
      all.follow(transport, agreed, slow, quick());
      return;
    }
    // This rank says hello, takes its first range, and sleeps until other ranks have computed it.
    transport.send(0, encode(agreed));
    std::optional<Packet> packet;
    while (!packet) packet = transport.receive();
    const PointRange range = std::get<Assignment>(*decode(packet->bytes)).range;
    asleep = range.begin;
    while (!released) std::this_thread::sleep_for(1ms);
    transport.send(0, encode(Computed{{{range, "nonsense"}}, 1}));
    spoken = true;
  });
  test::FakeRank transport(network, 0);
  Habits habits = quick();
  habits.silence_seconds = 0.5;
  habits.leaving_seconds = 0.2;
  Leader leader(transport, habits);
  CHECK(leader.gather(judge).empty());
  Taken taken;
  std::uint64_t left = count;
  const auto take = [&](PointRange range, std::string_view bytes) {
    left -= range.size();
    if (range.begin <= asleep && asleep < range.end) {
      CHECK(left > 0);  // otherwise the late answer would not be heard
      released = true;
      while (!spoken) std::this_thread::sleep_for(1ms);
    }
    return taken(range, bytes);
  };
  CHECK_FALSE(leader.run({{0, count}}, slow, take));
  CHECK_FALSE(leader.end());
  released = true;
  followers.join();
  CHECK(taken.text(0) == squares(0, count));
  CHECK_FALSE(taken.overlapping);
  CHECK(leader.accounts()[2].lost);
}

TEST_CASE("ranks that differ or cannot take part are named, each with its reason") {
  test::FakeNetwork network(5, 1, 100us);
  Points points(10);
  const std::vector<Hello> hellos{
      agreed, {"", "version 2", ""}, agreed, {"", "", "there is no `m.wave`"}, {"", "version 3", ""}};
  Followers followers(network, [&](int rank, Followers& all) {
    test::FakeRank transport(network, rank);
    all.follow(transport, hellos[static_cast<std::size_t>(rank)], points.work(), quick());
  });
  test::FakeRank transport(network, 0);
  Leader leader(transport, quick());
  auto objections = leader.gather(judge);
  CHECK(leader.end());
  followers.join();
  std::sort(objections.begin(), objections.end(), [](const auto& a, const auto& b) { return a.rank < b.rank; });
  REQUIRE(objections.size() == 3);
  CHECK(objections[0].rank == 1);
  CHECK(objections[0].host == "host1");
  CHECK(objections[0].trouble == "not version 1: version 2");
  CHECK(objections[1].rank == 3);
  CHECK(objections[1].trouble == "there is no `m.wave`");
  CHECK(objections[2].rank == 4);
  CHECK(objections[2].trouble == "not version 1: version 3");
  CHECK(points.computed() == 0);
  for (int rank = 1; rank < 5; ++rank) CHECK(followers.way(rank) == Followers::Way::home);
}

TEST_CASE("a rank that never comes is named") {
  test::FakeNetwork network(2, 1, 0us);
  test::FakeRank transport(network, 0);
  Habits habits = quick();
  habits.gathering_seconds = 0.05;
  Leader leader(transport, habits);
  const auto objections = leader.gather(judge);
  REQUIRE(objections.size() == 1);
  CHECK(objections[0].rank == 1);
  CHECK_FALSE(leader.end());
}

TEST_CASE("where a rank cannot go on all stop what they do, and the first reason is told") {
  const int broken = GENERATE(0, 2);
  CAPTURE(broken);
  test::FakeNetwork network(4, 1, 100us);
  std::atomic<int> stopped = 0;
  const auto work_of = [&](int rank) {
    auto told = std::make_shared<std::atomic<bool>>(false);
    return Work{[=](PointRange range) -> std::variant<std::string, Trouble> {
                  if (rank == broken && range.begin > 20) throw std::runtime_error("the disk is gone");
                  // The other ranks would never finish.
                  while (rank != broken && range.begin > 20 && !*told) std::this_thread::sleep_for(1ms);
                  if (*told) return Trouble{"stopped"};
                  return std::string("x");
                },
                [=, &stopped] {
                  *told = true;
                  ++stopped;
                }};
  };
  Followers followers(network, [&](int rank, Followers& all) {
    test::FakeRank transport(network, rank);
    all.follow(transport, agreed, work_of(rank), quick());
  });
  test::FakeRank transport(network, 0);
  Leader leader(transport, quick());
  CHECK(leader.gather(judge).empty());
  Taken taken;
  const auto objection = leader.run({{0, 100'000}}, work_of(0), std::ref(taken));
  REQUIRE(objection);
  CHECK(objection->rank == broken);
  CHECK(objection->host == "host" + std::to_string(broken));
  CHECK(objection->trouble == "the disk is gone");
  CHECK(leader.end());
  followers.join();
  for (int rank = 1; rank < 4; ++rank) CHECK(followers.way(rank) == Followers::Way::home);
}

TEST_CASE("it ends when nobody wants more") {
  test::FakeNetwork network(3, 1, 100us);
  Points points(1'000'000);
  Followers followers(network, [&](int rank, Followers& all) {
    test::FakeRank transport(network, rank);
    all.follow(transport, agreed, points.work(), quick());
  });
  test::FakeRank transport(network, 0);
  Leader leader(transport, quick());
  CHECK(leader.gather(judge).empty());
  std::uint64_t count = 0;
  CHECK_FALSE(leader.run({{0, 1'000'000}}, points.work(), [&](PointRange range, std::string_view) {
    CHECK(count <= 2000);
    return (count += range.size()) <= 2000;
  }));
  CHECK(leader.end());
  CHECK(count > 2000);
}

TEST_CASE("a follower leaves when rank 0 is gone") {
  test::FakeNetwork network(2, 1, 0us);
  Points points(10);
  SECTION("unreachable") {
    network.die(0);
    test::FakeRank transport(network, 1);
    CHECK_FALSE(follow(transport, agreed, points.work(), quick()));
  }
  SECTION("silent") {
    Habits habits = quick();
    habits.leader_silence_seconds = 0.05;
    test::FakeRank transport(network, 1);
    CHECK_FALSE(follow(transport, agreed, points.work(), habits));
  }
}
