// Finds lines and where they end.
#include "tests/unit/machine_fit/benchmarks.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace wave::tests;
using fit::TimedSize;

namespace {

const Sp2Times sp2;

std::vector<double> dense_sizes() {
  std::vector<double> sizes = sizes_by(1.15, 64, 1024);
  for (const double size : {1024.0, 1025.0, 1400.0, 2000.0, 2700.0, 3500.0, 4095.0, 4096.0}) {
    if (size > sizes.back()) sizes.push_back(size);
  }
  for (double size = 6000; size < 300000; size *= 1.5) sizes.push_back(std::floor(size));
  return sizes;
}

}  // namespace

TEST_CASE("without noise the lines and the sizes where they end are exact") {
  const auto points = points_at(dense_sizes(), [](double s) { return sp2.at(s); });
  const auto found = fit::find_segments(points);
  REQUIRE(found);
  REQUIRE(found->segments.size() == 3);
  const double at_zero[] = {69, 117, 232}, per_byte[] = {0.07, 0.03, 0.03};
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(found->segments[k].line.at_zero == Approx(at_zero[k]).epsilon(1e-9));
    CHECK(found->segments[k].line.per_byte == Approx(per_byte[k]).epsilon(1e-9));
    CHECK(found->segments[k].outliers.empty());
    CHECK(found->segments[k].ambiguous.empty());
  }
  CHECK(found->thresholds[0].below == 1024);
  CHECK(found->thresholds[0].above == 1025);
  CHECK(found->thresholds[1].below == 4095);
  CHECK(found->thresholds[1].above == 4096);
}

TEST_CASE("the size where a line ends is known no better than the sizes that were measured") {
  const auto points = points_at({64, 128, 256, 512, 768, 2048, 2500, 3000, 4000},
                                [](double s) { return s < 1000 ? 10 + s * 0.01 : 40 + s * 0.02; });
  const auto found = fit::find_segments(points);
  REQUIRE(found);
  REQUIRE(found->segments.size() == 2);
  CHECK(found->thresholds[0].below == 768);
  CHECK(found->thresholds[0].above == 2048);
}

TEST_CASE("a wild value neither bends a line nor makes one of its own") {
  const std::uint64_t seed = seed_or(11);
  Noise noise(seed, 0.02);
  for (int round = 0; round < 50; ++round) {
    INFO("WAVE_SEED=" << seed << ", round " << round);
    auto points = points_at(sizes_by(2, 1, 4194304), [&](double s) { return noise(2 + 0.001 * s); });
    const auto clean = fit::find_segments(points);
    REQUIRE(clean);
    const std::size_t wild = noise.bits() % points.size();
    points[wild].time *= noise.bits() % 2 == 0 ? 3 : 10;
    const auto found = fit::find_segments(points);
    REQUIRE(found);
    REQUIRE(found->segments.size() == 1);
    REQUIRE(found->segments[0].outliers.size() >= 1);
    CHECK(std::count(found->segments[0].outliers.begin(), found->segments[0].outliers.end(), wild) == 1);
    CHECK(found->segments[0].line.at_zero == Approx(2).epsilon(0.05));
    CHECK(found->segments[0].line.per_byte == Approx(0.001).epsilon(0.05));
  }
}

TEST_CASE("wild values take no segment its sizes, and one of them changes no line") {
  // Two protocols, with the digits that osu_latency prints.
  const std::vector<double> times = {7.05,  7.05,  7.01,   6.98,   6.97,   7.03,   7.02,   7.05,
                                     7.21,  7.41,  7.84,   8.60,   10.28,  13.55,  26.35,  33.20,
                                     46.29, 73.29, 124.98, 229.55, 442.14, 859.71, 1705.44};
  std::vector<TimedSize> rows;
  for (std::size_t i = 0; i < times.size(); ++i) rows.push_back({static_cast<double>(1 << i), times[i], 0.005});
  const auto hold = [&](const std::vector<TimedSize>& points) {
    for (const fit::Noise noise : {fit::Noise::of_time, fit::Noise::constant}) {
      fit::SegmentOptions options;
      options.noise = noise;
      const auto found = fit::find_segments(points, options);
      REQUIRE(found);
      for (const auto& segment : found->segments) {
        CHECK(segment.used.size() >= fit::fewest_sizes);
        CHECK(std::isfinite(segment.line.at_zero));
        CHECK(std::isfinite(segment.standard_error.per_byte));
      }
    }
  };
  for (std::size_t wild = 0; wild < rows.size(); ++wild) {
    for (const double factor : {100.0, 0.01, 1e6, 1e-6}) {
      INFO("row " << wild << " * " << factor);
      auto points = rows;
      points[wild].time *= factor;
      points[wild].resolution *= factor;
      hold(points);
      const auto found = fit::find_segments(points);
      REQUIRE(found->segments.size() == 2);
      CHECK(found->segments[0].line.per_byte == Approx(0.0008).epsilon(0.01));
      CHECK(found->segments[1].line.per_byte == Approx(0.0004).epsilon(0.01));
    }
  }
  const std::uint64_t seed = seed_or(14);
  Noise noise(seed, 0);
  for (int round = 0; round < draws_of(300); ++round) {
    INFO("WAVE_SEED=" << seed << ", round " << round);
    auto points = rows;
    for (std::uint64_t left = 1 + noise.bits() % 6; left > 0; --left)
      points[noise.bits() % points.size()].time *= std::pow(10.0, noise.uniform(-4, 4));
    hold(points);
  }
}

TEST_CASE("noise makes no segments") {
  const std::uint64_t seed = seed_or(12);
  Noise noise(seed, 0.05);
  int cut = 0;
  const int rounds = draws_of(200);
  for (int round = 0; round < rounds; ++round) {
    const auto points = points_at(sizes_by(2, 1, 4194304), [&](double s) { return noise(2 + 0.001 * s); });
    const auto found = fit::find_segments(points);
    REQUIRE(found);
    cut += found->segments.size() > 1 ? 1 : 0;
  }
  INFO("WAVE_SEED=" << seed << ", cut " << cut << " of " << rounds);
  CHECK(cut <= most_misses(rounds, 0.01));
}

TEST_CASE("repeated sizes are repeated measurements") {
  std::vector<TimedSize> points;
  for (const double size : {4.0, 1024.0, 65536.0}) {
    for (const double off : {-0.02, -0.01, 0.0, 0.01, 0.02})
      points.push_back({size, (10 + 0.01 * size) * (1 + off), 0});
  }
  const auto found = fit::find_segments(points);
  REQUIRE(found);
  REQUIRE(found->segments.size() == 1);
  CHECK(found->segments[0].used.size() == 15);
  CHECK(found->segments[0].line.at_zero == Approx(10).epsilon(1e-3));
  CHECK(found->degrees_of_freedom == 13);
}

TEST_CASE("a slope is not negative") {
  const auto points = points_at({1, 2, 4, 8, 16}, [](double s) { return 2 - 0.001 * s; });
  const auto found = fit::find_segments(points);
  REQUIRE(found);
  CHECK(found->segments[0].flat);
  CHECK(found->segments[0].line.per_byte == 0);
}

TEST_CASE("fewer than three sizes are too few") {
  CHECK_FALSE(fit::find_segments({}));
  CHECK_FALSE(fit::find_segments(points_at({8, 16}, [](double) { return 1.0; })));
  CHECK_FALSE(fit::find_segments(points_at({8, 8, 8, 16, 16}, [](double) { return 1.0; })));
  fit::SegmentOptions two;
  two.segments = 2;
  CHECK_FALSE(fit::find_segments(points_at({1, 2, 3, 4, 5}, [](double s) { return s; }), two));
}

TEST_CASE("three sizes make a line, and three for each make as many as are asked for") {
  const auto line = fit::find_segments(points_at({1, 64, 1024}, [](double s) { return 7 + 0.001 * s; }));
  REQUIRE(line);
  CHECK(line->segments.front().line.at_zero == Approx(7));
  CHECK(line->segments.front().line.per_byte == Approx(0.001));
  CHECK(fit::find_segments(points_at({1, 64, 1024}, [](double s) { return s == 64 ? 20.0 : 7; })));
  fit::SegmentOptions two;
  two.segments = 2;
  const auto both = fit::find_segments(
      points_at({1, 64, 1024, 2048, 4096, 8192}, [](double s) { return (s < 2000 ? 7 : 13) + 0.001 * s; }), two);
  REQUIRE(both);
  REQUIRE(both->segments.size() == 2);
  CHECK(both->thresholds[0].below == 1024);
  CHECK(both->segments[1].line.at_zero == Approx(13));
}

TEST_CASE("rounding to the digits that are printed is no protocol") {
  // Benchmarks print two digits, so the times of small messages form steps.
  auto points =
      points_at(sizes_by(2, 1, 4194304), [](double s) { return std::round((1.21 + 0.0004 * s) * 100) / 100; });
  for (auto& point : points) point.resolution = 0.005;
  const auto found = fit::find_segments(points);
  REQUIRE(found);
  CHECK(found->segments.size() == 1);
}

TEST_CASE("many sizes take bounded work, and the cuts are as exact", "[long]") {
  std::vector<double> sizes;
  for (int i = 1; i <= 1500; ++i) sizes.push_back(4.0 * i);
  const auto points = points_at(sizes, [](double s) { return sp2.at(s); });
  const auto found = fit::find_segments(points);
  REQUIRE(found);
  REQUIRE(found->segments.size() == 3);
  CHECK(found->thresholds[0].below == 1024);
  CHECK(found->thresholds[1].above == 4096);
}

TEST_CASE("a smooth curve is described by lines near all of it, not exactly by few of its points", "[long]") {
  std::vector<double> sizes;
  for (int i = 1; i <= 300; ++i) sizes.push_back(100.0 * i);
  const auto points = points_at(sizes, [](double s) { return 5 + 0.001 * s + 1e-7 * s * s; });
  const auto found = fit::find_segments(points);
  REQUIRE(found);
  std::size_t outliers = 0;
  for (const auto& segment : found->segments) {
    outliers += segment.outliers.size();
    CHECK(segment.largest < 0.1);
  }
  CHECK(outliers <= 60);
}

TEST_CASE("segments whose noise differs beyond doubt have errors of their own") {
  const std::uint64_t seed = seed_or(13);
  Noise coarse(seed, 0.08), fine(seed + 1, 0.001);
  INFO("WAVE_SEED=" << seed);
  auto sizes = sizes_by(1.3, 8, 4096);
  for (const double size : sizes_by(1.3, 5000, 1000000)) sizes.push_back(size);
  const auto points =
      points_at(sizes, [&](double s) { return s < 4500 ? coarse(10 + 0.001 * s) : fine(30 + 0.0005 * s); });
  const auto found = fit::find_segments(points);
  REQUIRE(found);
  REQUIRE(found->segments.size() == 2);
  CHECK(found->segments[0].deviation > 0.03);
  CHECK(found->segments[1].deviation < 0.01);
}
