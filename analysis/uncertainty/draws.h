// Draws from normal distributions that depend on nothing but a seed, a name and their place.
// The k-th number of a stream is a function of k (base/random.h), so the same bits come out everywhere and in any
// order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace wave::analysis {

// One of the streams of a seed.
class RandomStream {
 public:
  // Streams with different names share nothing. `purpose` tells apart what one name is used for.
  RandomStream(std::uint64_t seed, std::string_view name, std::uint32_t purpose = 0);

  // The k-th 64 bits.
  std::uint64_t bits(std::uint64_t k) const;
  // The k-th number between 0 and 1, both excluded: a middle of 2^53 equal parts.
  double uniform(std::uint64_t k) const;
  // The k-th number from 0 to count - 1, where count is not 0. No number is likelier than another by more than count /
  // 2^64.
  std::uint64_t below(std::uint64_t k, std::uint64_t count) const;

 private:
  std::array<std::uint32_t, 2> key_;
  std::uint32_t name_, purpose_;
};

// Latin hypercubes of standard normal numbers (McKay, Beckman and Conover, Technometrics 21, 1979). The distribution of
// each input is divided into as many equally likely parts as there are samples. Exactly one sample falls into each, in
// an order of its own. Sums of the inputs then scatter far less than with independent samples.

// The draws of one input. They depend on nothing but the seed, its name and how many there are.
std::vector<double> draw_normals(std::uint64_t seed, std::string_view input, std::size_t samples);

// A single draw that replaces the one at `row`, which cannot be used. `attempt` counts from 1.
double draw_again(std::uint64_t seed, std::string_view input, std::size_t row, std::uint32_t attempt);

}  // namespace wave::analysis
