// See random.h.
#include "base/random.h"

#include <bit>
#include <cmath>
#include <cstddef>

namespace wave {

namespace {

constexpr std::uint32_t multipliers[] = {0xD2511F53, 0xCD9E8D57};
constexpr std::uint32_t increments[] = {0x9E3779B9, 0xBB67AE85};
constexpr int rounds = 10;

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t first = std::uint64_t{multipliers[0]} * counter[0];
    const std::uint64_t second = std::uint64_t{multipliers[1]} * counter[2];
    counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(first)};
    key = {key[0] + increments[0], key[1] + increments[1]};
  }
  return counter;
}

double uniform_of(std::uint64_t bits) {
  constexpr double part = 1.0 / 9007199254740992.0;  // 2^-53
  const double whole = static_cast<double>(bits >> 11);
  // The middle of the last part would round to 1.
  return whole == 9007199254740991.0 ? 1 - part : (whole + 0.5) * part;
}

double random_of(double x) {
  if (std::isnan(x)) return x;
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);  // no -0
  const auto words = philox({static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32), 0, 0}, {0, 0});
  return uniform_of(words[0] | std::uint64_t{words[1]} << 32);
}

namespace {

// Coefficients from the constant term upwards, as AS 241 (PPND16) prints them.
// clang-format off
constexpr double centre_above[] = {
    3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
    4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr double centre_below[] = {
    1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
    2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3};
constexpr double middle_above[] = {
    1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
    1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr double middle_below[] = {
    1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
    1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9};
constexpr double tail_above[] = {
    6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
    2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr double tail_below[] = {
    1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
    7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15};
// clang-format on

double polynomial(const double (&coefficients)[8], double x) {
  double sum = 0;
  for (std::size_t i = 8; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

// x = m 2^e with m near 1; log x = e log 2 + 2 artanh((m - 1) / (m + 1)), whose series ends soon there.
double logarithm(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752440) {
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1);
  double sum = 0;
  for (int k = 25; k >= 1; k -= 2) sum = sum * (s * s) + 1.0 / k;
  return exponent * 0.693147180559945309417 + 2 * s * sum;
}

}  // namespace

double normal_quantile(double p) {
  const double q = p - 0.5;
  if (std::fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(centre_above, r) / polynomial(centre_below, r);
  }
  const double r = std::sqrt(-logarithm(q < 0 ? p : 1 - p));
  const double z = r <= 5 ? polynomial(middle_above, r - 1.6) / polynomial(middle_below, r - 1.6)
                          : polynomial(tail_above, r - 5) / polynomial(tail_below, r - 5);
  return q < 0 ? -z : z;
}

}  // namespace wave
