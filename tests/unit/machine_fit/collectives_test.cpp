// Formulas for collective operations.
#include "analysis/machine_fit/machine_fit.h"
#include "tests/unit/machine_fit/benchmarks.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace wave::tests;
using fit::Series;
using fit::Term;

namespace {

// Bytes, processes and us.
Series series_of(const std::string& operation, const std::vector<double>& sizes,
                 const std::function<double(double, double)>& time) {
  Series series{fit::BenchmarkMeasure::collective, operation, sizes.size() > 1, {}};
  for (const int n : {2, 4, 8, 16, 32, 64, 128, 256}) {
    for (const double s : sizes) series.samples.push_back({s, time(n, s), 0, n, {}});
  }
  return series;
}

fit::CollectiveFit fit_collective(const Series& series) {
  wave::frontend::Diagnostics diagnostics;
  auto found = fit::fit_collective(series, 0.95, diagnostics);
  for (const auto& one : diagnostics.all()) UNSCOPED_INFO(one.message);
  REQUIRE(found);
  return *found;
}

const std::vector<double> sizes = {4, 64, 1024, 16384, 262144, 1048576};

}  // namespace

TEST_CASE("the fits of Xu and Hwang are recovered from times made with them") {
  const auto log = [](double n) { return std::log2(n); };
  struct Row {
    const char* name;
    std::function<double(double, double)> time;
    std::vector<std::pair<Term::Growth, double>> start, bytes;
    double exponent;
  };
  using G = Term::Growth;
  const Row rows[] = {
      {"broadcast",
       [&](double n, double m) { return 52 * log(n) + 0.029 * log(n) * m; },
       {{G::logarithm, 52}},
       {{G::logarithm, 0.029}},
       0},
      {"gather",
       [&](double n, double m) { return 45 * log(n) + 10 + (0.04 * n - 0.04) * m; },
       {{G::logarithm, 45}, {G::constant, 10}},
       {{G::linear, 0.04}, {G::constant, -0.04}},
       0},
      {"total_exchange",
       [&](double n, double m) { return 80 * log(n) + 0.03 * std::pow(n, 1.29) * m; },
       {{G::logarithm, 80}},
       {{G::power, 0.03}},
       1.29},
      {"circular_shift",
       [&](double n, double m) { return 6 * log(n) + 60 + (0.003 * log(n) + 0.04) * m; },
       {{G::logarithm, 6}, {G::constant, 60}},
       {{G::logarithm, 0.003}, {G::constant, 0.04}},
       0},
  };
  for (const auto& row : rows) {
    CAPTURE(row.name);
    const auto found = fit_collective(series_of(row.name, sizes, row.time));
    REQUIRE(found.terms.size() == row.start.size() + row.bytes.size());
    for (std::size_t i = 0; i < found.terms.size(); ++i) {
      const bool per_byte = i >= row.start.size();
      const auto& expected = per_byte ? row.bytes[i - row.start.size()] : row.start[i];
      CHECK(found.terms[i].per_byte == per_byte);
      CHECK(found.terms[i].growth == expected.first);
      CHECK(found.terms[i].coefficient == Approx(expected.second).epsilon(1e-5));
    }
    CHECK(found.exponent.has_value() == (row.exponent > 0));
    if (found.exponent) CHECK(found.exponent->value == Approx(row.exponent).epsilon(1e-6));
    CHECK(fit::time_of(found, 64, 1024) == Approx(row.time(64, 1024)).epsilon(1e-6));
  }
}

TEST_CASE("operations without data have a start-up time alone") {
  const auto barrier =
      fit_collective(series_of("barrier", {0}, [](double n, double) { return 94 * std::log2(n) + 10; }));
  REQUIRE(barrier.terms.size() == 2);
  CHECK(barrier.terms[0].coefficient == Approx(94));
  CHECK(barrier.terms[1].coefficient == Approx(10));
  const auto prefix = fit_collective(series_of("scan", {0}, [](double n, double) { return 60 * std::log2(n) - 25; }));
  REQUIRE(prefix.terms.size() == 2);
  CHECK(prefix.terms[0].coefficient == Approx(60));
  CHECK(prefix.terms[1].coefficient == Approx(-25));
}

TEST_CASE("with noise the intervals of a formula hold its coefficients", "[long]") {
  const std::uint64_t seed = seed_or(41);
  Noise noise(seed, 0.03);
  const int draws = draws_of(200);
  int misses[3] = {}, other = 0;
  for (int draw = 0; draw < draws; ++draw) {
    const auto found = fit_collective(series_of("total_exchange", sizes, [&](double n, double m) {
      return noise(80 * std::log2(n) + 0.03 * std::pow(n, 1.29) * m);
    }));
    if (found.terms.size() != 2 || !found.exponent) {
      ++other;
      continue;
    }
    misses[0] += found.terms[0].lower <= 80 && 80 <= found.terms[0].upper ? 0 : 1;
    misses[1] += found.terms[1].lower <= 0.03 && 0.03 <= found.terms[1].upper ? 0 : 1;
    misses[2] += found.exponent->lower <= 1.29 && 1.29 <= found.exponent->upper ? 0 : 1;
  }
  INFO("WAVE_SEED=" << seed << ": misses " << misses[0] << " " << misses[1] << " " << misses[2] << ", other forms "
                    << other << " of " << draws);
  for (const int one : misses) CHECK(one <= most_misses(draws, 0.05));
  // The intervals are not simply wide either: each should miss about 10 times in 200 draws.
  CHECK(misses[0] + misses[1] + misses[2] >= draws / 25);
  CHECK(other <= most_misses(draws, 0.1));
}

TEST_CASE("two numbers of processes do not say how a time grows") {
  Series series =
      series_of("broadcast", sizes, [](double n, double m) { return 52 * std::log2(n) + 0.029 * std::log2(n) * m; });
  std::erase_if(series.samples, [](const auto& sample) { return sample.processes > 4; });
  wave::frontend::Diagnostics diagnostics;
  CHECK_FALSE(fit::fit_collective(series, 0.95, diagnostics));
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].kind == wave::frontend::DiagnosticKind::too_little_data);
}
