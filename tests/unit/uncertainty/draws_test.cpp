// Random numbers that depend only on their place, and normal numbers made from them.
#include "analysis/uncertainty/draws.h"

#include "base/random.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <vector>

using namespace wave;
using namespace wave::analysis;

TEST_CASE("Philox gives the numbers that its authors print") {
  using Words = std::array<std::uint32_t, 4>;
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  const std::uint32_t ones = 0xffffffff;
  CHECK(philox({ones, ones, ones, ones}, {ones, ones}) == Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("streams of other names, purposes and seeds share nothing") {
  std::set<std::uint64_t> seen;
  for (const std::uint64_t seed : {0u, 1u}) {
    for (const char* name : {"a", "b"}) {
      for (const std::uint32_t purpose : {0u, 1u}) {
        const RandomStream stream(seed, name, purpose);
        for (std::uint64_t k = 0; k < 100; ++k) seen.insert(stream.bits(k));
      }
    }
  }
  CHECK(seen.size() == 800);
}

TEST_CASE("uniform numbers lie between 0 and 1, and numbers below a count are below it") {
  const RandomStream stream(7, "x");
  std::vector<int> counts(6);
  double sum = 0;
  for (std::uint64_t k = 0; k < 60000; ++k) {
    const double u = stream.uniform(k);
    REQUIRE(u > 0);
    REQUIRE(u < 1);
    sum += u;
    ++counts.at(stream.below(k, 6));
  }
  // Six standard deviations of the mean of 60000 numbers (1 / sqrt(12 n)), and of a count.
  CHECK(std::fabs(sum / 60000 - 0.5) < 6 / std::sqrt(12.0 * 60000));
  for (const int count : counts) CHECK(std::abs(count - 10000) < 6 * std::sqrt(60000 * (1.0 / 6) * (5.0 / 6)));
}

TEST_CASE("normal quantiles are those of the error function") {
  for (const double p :
       {1e-300, 1e-20, 1e-9, 0.001, 0.02425, 0.074, 0.076, 0.3, 0.5, 0.6, 0.9, 0.975, 0.999, 1 - 1e-9}) {
    const double z = normal_quantile(p);
    // The probability below z, without loss of digits at either end.
    const double below = z < 0 ? 0.5 * std::erfc(-z / std::sqrt(2)) : 1 - 0.5 * std::erfc(z / std::sqrt(2));
    INFO(p << " " << z);
    CHECK(std::fabs(below - p) <= 1e-13 * p * std::max(1.0, z * z));
  }
  CHECK(normal_quantile(0.5) == 0);
  CHECK(normal_quantile(0.975) == Approx(1.959963984540054).epsilon(1e-15));
  CHECK(normal_quantile(0.25) == -normal_quantile(0.75));
}

TEST_CASE("normal quantiles rise across the seams of their rational functions") {
  for (const double seam : {0.075, 0.925, std::exp(-25.0)}) {
    double before = normal_quantile(seam * (1 - 1e-9));
    for (int i = -99; i <= 100; ++i) {
      const double z = normal_quantile(seam * (1 + i * 1e-11));
      CHECK(z >= before);
      CHECK(z - before < 1e-6);
      before = z;
    }
  }
}

TEST_CASE("of a hypercube each equally likely part has one draw") {
  for (const std::size_t samples : {std::size_t{1}, std::size_t{2}, std::size_t{17}, std::size_t{1000}}) {
    auto draws = draw_normals(3, "net.L", samples);
    REQUIRE(draws.size() == samples);
    std::sort(draws.begin(), draws.end());
    for (std::size_t i = 0; i + 1 < samples; ++i) {
      const double edge = normal_quantile(static_cast<double>(i + 1) / static_cast<double>(samples));
      CHECK(draws[i] <= edge);
      CHECK(draws[i + 1] >= edge);
    }
  }
}

TEST_CASE("draws are the same for the same seed, name and number, and others otherwise") {
  const auto draws = draw_normals(3, "net.L", 50);
  CHECK(draws == draw_normals(3, "net.L", 50));
  CHECK(draws != draw_normals(4, "net.L", 50));
  CHECK(draws != draw_normals(3, "net.o", 50));
  CHECK(draw_again(3, "net.L", 7, 1) == draw_again(3, "net.L", 7, 1));
  CHECK(draw_again(3, "net.L", 7, 1) != draw_again(3, "net.L", 7, 2));
  CHECK(draw_again(3, "net.L", 7, 1) != draw_again(3, "net.L", 8, 1));
}

TEST_CASE("the first draws of a seed are these, on every machine") {
  const auto draws = draw_normals(1, "net.L = 23 us ± 1 us", 4);
  std::vector<std::uint64_t> bits;
  for (const double draw : draws) {
    std::uint64_t word = 0;
    std::memcpy(&word, &draw, sizeof word);
    bits.push_back(word);
  }
  CAPTURE(bits);
  CHECK(bits ==
        std::vector<std::uint64_t>{0x3ff9750237ef1abc, 0xbfd2eeb7377c5beb, 0xbfeb7736a1d668bc, 0x3fa2ae3c6e1c9f43});
}
