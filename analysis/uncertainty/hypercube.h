// Latin hypercubes of standard normal numbers (McKay, Beckman and Conover, Technometrics 21, 1979): of each input
// exactly one sample falls into each of as many equally likely parts, in an order of its own. Sums of the inputs then
// scatter far less than with independent samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace wave::analysis {

// The draws of one input; they depend on nothing but the seed, its name and how many there are.
std::vector<double> draw_normals(std::uint64_t seed, std::string_view input, std::size_t samples);

// A single draw that replaces the one at `row`, which cannot be used. `attempt` counts from 1.
double draw_again(std::uint64_t seed, std::string_view input, std::size_t row, std::uint32_t attempt);

}  // namespace wave::analysis
