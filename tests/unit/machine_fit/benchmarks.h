// The output of benchmarks, made from known times, and the machines with these times.
#pragma once

#include "analysis/machine_fit/machine_fit.h"

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace wave::tests {

namespace fit = analysis::machine_fit;

// The value of WAVE_SEED, or `usual`.
std::uint64_t seed_or(std::uint64_t usual);
// Fewer draws in slow builds (tests/random/environment.h).
int draws_of(int usual);

// Times with a relative error that is normally distributed.
class Noise {
 public:
  Noise(std::uint64_t seed, double deviation) : random_(seed), deviation_(deviation) {}
  double operator()(double time) { return time * (1 + deviation_ * normal_(random_)); }
  double uniform(double from, double to) {
    return from + (to - from) * std::uniform_real_distribution<double>()(random_);
  }
  std::uint64_t bits() { return random_(); }
  std::mt19937_64& engine() { return random_; }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  double deviation_;
};

// Eqs (1)-(4) of PPoPP'99: two eager ranges and a handshake, in bytes and us.
struct Sp2Times {
  double L = 23, o_s = 23, o_l = 47, G_s = 0.07, G_l = 0.03, small = 1024, eager = 4095;
  double at(double size) const;
};

// Sizes from `from` to `to`, each `factor` times the one before.
std::vector<double> sizes_by(double factor, double from, double to);
std::vector<fit::TimedSize> points_at(const std::vector<double>& sizes, const std::function<double(double)>& time);

// The points as osu_latency prints them, with `digits` digits.
std::string osu_latency(const std::vector<fit::TimedSize>& points, int digits = 2);

// The result of reading a text as a file, with its problems as "line:column: message".
struct Read {
  fit::Timings timings;
  std::vector<std::string> problems;
};
Read read(fit::Tool tool, const std::string& text, const fit::ReadOptions& options = {});

fit::Timings timings_of(const std::vector<fit::TimedSize>& points);

// The fit, which must succeed.
fit::MachineFit fit_of(const fit::Timings& timings, const fit::FitOptions& options = {});

// Requires that the module checks without a warning.
void require_checked(const std::string& text);

// How many of `draws` intervals may miss the truth by chance, if each misses with this probability. More than that
// happens once in 10 000 times: this is a quantile of the binomial distribution.
int most_misses(int draws, double probability);

}  // namespace wave::tests
