// Values where arithmetic goes wrong first: zeros of both signs, halves, denormal numbers, infinities, NaN, and the
// ends of what a type holds.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace wave::parity {

inline const std::vector<double> troublesome_reals = {0.0,
                                                      -0.0,
                                                      1.0,
                                                      -1.0,
                                                      2.5,
                                                      -2.5,
                                                      0.5,
                                                      -0.5,
                                                      0.49999999999999994,
                                                      63.0,
                                                      -64.0,
                                                      65.0,
                                                      5e-324,
                                                      -5e-324,
                                                      2.2e-308,
                                                      1.7e308,
                                                      -1.7e308,
                                                      std::numeric_limits<double>::infinity(),
                                                      -std::numeric_limits<double>::infinity(),
                                                      std::nan(""),
                                                      9007199254740993.0,
                                                      4503599627370497.5,
                                                      9.3e18,
                                                      -9223372036854775808.0,
                                                      1e-3};
inline const std::vector<std::int64_t> troublesome_integers = {
    0, 1, -1, 2, -2, 3, -3, 7, 62, 63, 64, 1'000'000'007, 3'037'000'500, INT64_MAX, INT64_MIN, INT64_MIN + 1};

}  // namespace wave::parity
