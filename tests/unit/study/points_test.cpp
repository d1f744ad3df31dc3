// Sets of points, compared with sets of numbers.
#include "analysis/study/points.h"

#include "analysis/study/study_model.h"

#include <catch2/catch.hpp>

#include <random>
#include <set>

using wave::PointRange;
using namespace wave::analysis;

namespace {

std::set<std::uint64_t> numbers_of(const PointSet& set) {
  std::set<std::uint64_t> numbers;
  for (const auto& range : set.ranges()) {
    for (std::uint64_t i = range.begin; i < range.end; ++i) numbers.insert(i);
  }
  return numbers;
}

PointRange random_range(std::mt19937_64& random) {
  const std::uint64_t begin = random() % 60;
  return {begin, begin + random() % 12};
}

}  // namespace

TEST_CASE("a set of points holds the numbers that were added, in ranges that do not touch") {
  std::mt19937_64 random(20240607);
  for (int round = 0; round < 500; ++round) {
    PointSet set, others;
    std::set<std::uint64_t> numbers, other_numbers;
    for (int i = 0; i < 12; ++i) {
      const PointRange range = random_range(random), other = random_range(random);
      bool overlaps = false;
      for (std::uint64_t k = range.begin; k < range.end; ++k) overlaps |= numbers.count(k) > 0;
      CHECK(set.overlaps(range) == overlaps);
      set.add(range);
      others.add(other);
      for (std::uint64_t k = range.begin; k < range.end; ++k) numbers.insert(k);
      for (std::uint64_t k = other.begin; k < other.end; ++k) other_numbers.insert(k);
      REQUIRE(numbers_of(set) == numbers);
      REQUIRE(set.count() == numbers.size());
    }
    std::uint64_t last = 0;
    bool is_first = true;
    for (const auto& range : set.ranges()) {
      CHECK(range.begin < range.end);
      CHECK((is_first || range.begin > last));
      last = range.end;
      is_first = false;
    }
    std::set<std::uint64_t> left;
    for (const std::uint64_t number : numbers) {
      if (other_numbers.count(number) == 0) left.insert(number);
    }
    REQUIRE(numbers_of(set.without(others)) == left);
  }
}

TEST_CASE("points are taken from the lowest on, in one piece") {
  PointSet set({3, 7});
  set.add({10, 12});
  CHECK(set.take(2) == PointRange{3, 5});
  CHECK(set.count() == 4);
  CHECK(set.take(100) == PointRange{5, 7});
  CHECK(set.take(1) == PointRange{10, 11});
  CHECK(set.take(0) == PointRange{});
  CHECK(set.take(5) == PointRange{11, 12});
  CHECK(set.empty());
  CHECK(set.take(1) == PointRange{});
}

TEST_CASE("the parts of a study have each point once, and nearly as many as each other") {
  for (const std::uint64_t points : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{100},
                                     std::uint64_t{65'537}, std::uint64_t{3'000'001}}) {
    for (const std::uint32_t count : {1U, 2U, 3U, 8U, 100U}) {
      PointSet all;
      std::uint64_t sum = 0, least = points, most = 0;
      for (std::uint32_t index = 1; index <= count; ++index) {
        const PointSet part = points_of(Shard{index, count}, points);
        for (const auto& range : part.ranges()) {
          REQUIRE(!all.overlaps(range));
          all.add(range);
        }
        sum += part.count();
        least = std::min(least, part.count());
        most = std::max(most, part.count());
      }
      CHECK(sum == points);
      CHECK(all.count() == points);
      if (points > 0) CHECK(all.ranges() == std::vector<PointRange>{{0, points}});
      CHECK(most - least <= points / count / 64 + 1);
    }
  }
}

TEST_CASE("more points than anybody can evaluate are divided at once") {
  constexpr std::uint64_t points = (std::uint64_t{1} << 62) + 5;
  CHECK(points_of(Shard{1, 1}, points).count() == points);
  CHECK(points_of(Shard{1, 3}, points).count() + points_of(Shard{2, 3}, points).count() +
            points_of(Shard{3, 3}, points).count() ==
        points);
}

TEST_CASE("a selection numbers what is left of a product, in its order") {
  Selection odd = Selection::none();
  for (const std::uint64_t place : {1UL, 3UL, 4UL, 5UL, 11UL}) odd.add(place);
  REQUIRE(odd.size() == 5);
  std::vector<std::uint64_t> places;
  for (std::uint64_t point = 0; point < odd.size(); ++point) places.push_back(odd.place(point));
  CHECK(places == std::vector<std::uint64_t>{1, 3, 4, 5, 11});
  CHECK(odd.runs().size() == 3);
  CHECK(odd.run_length(1) == 3);
  CHECK(odd.run_length(4) == 1);
  CHECK_FALSE(odd.is_all());
  CHECK(Selection().is_all());
  CHECK(Selection().place(7) == 7);

  Selection other = Selection::none();
  for (const std::uint64_t place : {0UL, 3UL, 5UL, 6UL, 11UL}) other.add(place);
  const Selection both = in_both(odd, other);
  REQUIRE(both.size() == 3);
  CHECK(both.place(0) == 3);
  CHECK(both.place(1) == 5);
  CHECK(both.place(2) == 11);
  CHECK(in_both(odd, Selection()) == odd);
  CHECK(in_both(Selection(), odd) == odd);

  std::vector<Variable> variables(2);
  variables[0].listed = std::vector<std::int64_t>{10, 20, 30};
  variables[1].listed = std::vector<double>{0.5, 1.5, 2.5, 3.5};
  const Product product(variables, odd);
  REQUIRE(product.size() == 5);
  const auto points = product.points(1, 5);
  CHECK(std::get<std::vector<std::int64_t>>(points[0]) == std::vector<std::int64_t>{10, 20, 20, 30});
  CHECK(std::get<std::vector<double>>(points[1]) == std::vector<double>{3.5, 0.5, 1.5, 3.5});
}

TEST_CASE("rows are points whose values stand beside each other, all of them or some") {
  std::vector<Variable> variables(2);
  variables[0].listed = std::vector<std::int64_t>{10, 20, 20, 30};
  variables[1].listed = std::vector<double>{0.5, 1.5, 0.5, 3.5};
  const Selection all = Selection::all_rows();
  CHECK(all.is_all());
  CHECK(all != Selection());
  const Product rows(variables, all);
  REQUIRE(rows.size() == 4);
  const auto points = rows.points(1, 4);
  CHECK(std::get<std::vector<std::int64_t>>(points[0]) == std::vector<std::int64_t>{20, 20, 30});
  CHECK(std::get<std::vector<double>>(points[1]) == std::vector<double>{1.5, 0.5, 3.5});

  Selection some = all.emptied();
  CHECK(some.of_rows());
  for (const std::uint64_t place : {0UL, 2UL, 3UL}) some.add(place);
  const Product left(variables, some);
  REQUIRE(left.size() == 3);
  const auto others = left.points(0, 3);
  CHECK(std::get<std::vector<std::int64_t>>(others[0]) == std::vector<std::int64_t>{10, 20, 30});
  CHECK(std::get<std::vector<double>>(others[1]) == std::vector<double>{0.5, 0.5, 3.5});

  for (auto& one : variables) one.listed = std::vector<double>{};
  CHECK(Product(variables, all).size() == 0);
}

TEST_CASE("a part of more points than can be counted through ends") {
  const PointSet part = points_of(Shard{1'000'000, 1'000'000}, std::uint64_t{1} << 40);
  CHECK(part.count() > 0);
  CHECK(part.ranges().back().end <= std::uint64_t{1} << 40);
}
