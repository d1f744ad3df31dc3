// Numbers at the edges of their types.
#include "tests/random/choices.h"

#include <bit>
#include <limits>

namespace wave::test {

double Choices::wild_real() {
  using limits = std::numeric_limits<double>;
  static const std::vector<double> edges = {0.0,
                                            -0.0,
                                            1.0,
                                            -1.0,
                                            0.5,
                                            1.5,
                                            2.5,
                                            -2.5,
                                            3.0,
                                            1e-3,
                                            1e300,
                                            -1e300,
                                            limits::max(),
                                            limits::min(),
                                            limits::denorm_min(),
                                            -limits::denorm_min(),
                                            0x1.fffffffffffffp-1023,
                                            limits::infinity(),
                                            -limits::infinity(),
                                            limits::quiet_NaN(),
                                            0x1p52,
                                            0x1p53,
                                            0x1p63,
                                            -0x1p63,
                                            0x1.fffffffffffffp62,
                                            710.0,
                                            -750.0};
  if (chance(0.7)) return one_of(edges);
  return std::bit_cast<double>(engine_());
}

std::int64_t Choices::wild_integer() {
  using limits = std::numeric_limits<std::int64_t>;
  static const std::vector<std::int64_t> edges = {0,
                                                  1,
                                                  -1,
                                                  2,
                                                  3,
                                                  -7,
                                                  63,
                                                  64,
                                                  limits::max(),
                                                  limits::min(),
                                                  limits::max() - 1,
                                                  std::int64_t{1} << 32,
                                                  std::int64_t{1} << 53,
                                                  3037000500};
  return chance(0.8) ? one_of(edges) : static_cast<std::int64_t>(engine_());
}

}  // namespace wave::test
