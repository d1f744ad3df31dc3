// See benchmarks.h.
#include "tests/unit/machine_fit/benchmarks.h"

#include "frontend/check/program.h"
#include "tests/random/environment.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace wave::tests {

std::uint64_t seed_or(std::uint64_t usual) {
  const char* const given = std::getenv("WAVE_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : usual;
}

int draws_of(int usual) { return static_cast<int>(test::fewer(static_cast<std::uint64_t>(usual))); }

std::vector<fit::TimedSize> points_at(const std::vector<double>& sizes, const std::function<double(double)>& time) {
  std::vector<fit::TimedSize> points;
  for (const double size : sizes) points.push_back({size, time(size), 0});
  return points;
}

std::string osu_latency(const std::vector<fit::TimedSize>& points, int digits) {
  std::string text = "# OSU MPI Latency Test v5.6.3\n# Size          Latency (us)\n";
  for (const auto& point : points) text += fmt::format("{:<16.0f}{:>12.{}f}\n", point.size, point.time, digits);
  return text;
}

Read read(fit::Tool tool, const std::string& text, const fit::ReadOptions& options) {
  frontend::Sources sources;
  const auto file = sources.add("data", text);
  frontend::Diagnostics diagnostics;
  Read result;
  fit::read_timings(tool, sources, file, options, result.timings, diagnostics);
  for (const auto& one : diagnostics.all()) {
    std::string where;
    if (!one.labels.empty() && one.labels.front().location.known()) {
      const auto location = one.labels.front().location;
      REQUIRE(location.end <= text.size());
      REQUIRE(location.begin <= location.end);
      const auto at = sources.line_column(location.file, location.begin);
      where = fmt::format("{}:{}: ", at.line, at.column);
    }
    result.problems.push_back(
        where + one.message +
        (one.labels.empty() || one.labels.front().text.empty() ? "" : " (" + one.labels.front().text + ")"));
  }
  return result;
}

fit::Timings timings_of(const std::vector<fit::TimedSize>& points) {
  fit::Timings timings;
  for (const auto& point : points)
    timings.of(fit::BenchmarkMeasure::latency).samples.push_back({point.size, point.time, point.resolution, 2, {}});
  return timings;
}

fit::MachineFit fit_of(const fit::Timings& timings, const fit::FitOptions& options) {
  frontend::Diagnostics diagnostics;
  auto found = fit::fit_machine(timings, options, diagnostics);
  for (const auto& one : diagnostics.all()) UNSCOPED_INFO(one.message);
  REQUIRE(found);
  return *found;
}

void require_checked(const std::string& text) {
  wave::frontend::Diagnostics diagnostics;
  wave::frontend::load("machine.wave", {}, diagnostics, &text);
  INFO(text);
  for (const auto& one : diagnostics.all()) UNSCOPED_INFO(one.message);
  REQUIRE(diagnostics.all().empty());
}

int most_misses(int draws, double probability) {
  double term = std::pow(1 - probability, draws), sum = term;
  int misses = 0;
  while (sum < 1 - 1e-4 && misses < draws) {
    ++misses;
    term *= (draws - misses + 1) * probability / (misses * (1 - probability));
    sum += term;
  }
  return misses;
}

}  // namespace wave::tests
