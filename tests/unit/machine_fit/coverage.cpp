// See coverage.h.
#include "tests/unit/machine_fit/coverage.h"

#include "analysis/machine_fit/interfaces.h"
#include "analysis/machine_fit/window_share.h"
#include "tests/unit/machine_fit/benchmarks.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace wave::tests {
namespace {

using fit::BenchmarkMeasure;

constexpr int window = 64;

void count(CoverageOf& all, const std::string& name, double lower, double upper, double truth) {
  Coverage& one = all.numbers[name];
  ++one.stated;
  if (lower <= truth && truth <= upper) ++one.held;
}

// A stream as osu_bw prints it: the gap 0.3 o + s G_l.
double printed_gap(const Sp2Times& machine, double size) {
  return fit::WindowShare(window, machine.at(size), machine.at(fit::answer_size))
      .printed_of(0.3 * machine.o_s + size * machine.G_l);
}

fit::Timings times_of(const Sp2Times& machine, const std::vector<double>& sizes, Noise& noise, bool streams) {
  fit::Timings timings;
  for (const double size : sizes)
    timings.of(BenchmarkMeasure::latency).samples.push_back({size, noise(machine.at(size)), 0, 2, {}});
  for (const double size : sizes) {
    if (!streams || size == 0) continue;
    fit::Sample sample{size, noise(printed_gap(machine, size)), 0, 2, {}};
    sample.window = window;
    timings.of(BenchmarkMeasure::gap).samples.push_back(sample);
  }
  return timings;
}

// Counts what a fit with the machine's three lines states of it.
void count_machine(CoverageOf& all, const fit::MachineFit& found, const Sp2Times& machine, bool streams) {
  // Otherwise the fit says that only sums are known.
  const auto* const latency = found.find("L");
  const bool knows_parts = found.undetermined.empty() || latency->origin.find("without them") != std::string::npos;
  const double per_byte[] = {machine.G_s, machine.G_l, machine.G_l};
  for (const auto& one : found.parameters) {
    if (one.name == "L" && knows_parts) count(all, "L", one.lower, one.upper, machine.L);
    if (one.name == "o" && knows_parts) count(all, "o", one.lower, one.upper, machine.o_s);
    if (one.name == "o_1" && knows_parts) count(all, "o", one.lower, one.upper, machine.o_s);
    if (one.name == "o_2" && knows_parts) count(all, "o", one.lower, one.upper, machine.o_l);
    for (int k = 0; k < 3; ++k) {
      if (one.name == "G_" + std::to_string(k + 1)) count(all, "G", one.lower, one.upper, per_byte[k]);
    }
    if (streams && one.name == "g") count(all, "g", one.lower, one.upper, 0.3 * machine.o_s);
    if (streams && one.name == "G_gap") count(all, "G_gap", one.lower, one.upper, machine.G_l);
  }
  const double sums[] = {2 * machine.o_s + machine.L, 2 * machine.o_l + machine.L,
                         3 * machine.o_s + 3 * machine.L + 2 * machine.o_l};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& line = found.latency->segments[k];
    count(all, "sums", std::max(line.lower.at_zero, 0.0), line.upper.at_zero, sums[k]);
  }
}

CoverageOf of_machines(std::uint64_t seed, int draws, double deviation, double least_overhead, double most_overhead,
                       bool streams) {
  CoverageOf all;
  for (int draw = 0; draw < draws; ++draw) {
    Noise noise(seed + static_cast<std::uint64_t>(draw), deviation);
    Sp2Times machine;
    machine.L = noise.uniform(1, 2);
    machine.o_s = machine.L * noise.uniform(least_overhead, most_overhead);
    machine.o_l = machine.o_s + noise.uniform(0.4, 1);
    machine.G_s = noise.uniform(4e-4, 2e-3);
    machine.G_l = noise.uniform(1e-4, 3e-4);
    machine.small = 1024;
    machine.eager = 16384;
    frontend::Diagnostics diagnostics;
    const auto found =
        fit::fit_machine(times_of(machine, sizes_by(std::sqrt(2.0), 1, 4 << 20), noise, streams), {}, diagnostics);
    ++all.draws;
    if (found && found->latency && found->latency->segments.size() == 3)
      count_machine(all, *found, machine, streams);
    else
      ++all.other_classes;
  }
  return all;
}

}  // namespace

CoverageOf coverage_of_one_pair(std::uint64_t seed, int draws, double noise) {
  return of_machines(seed, draws, noise, 0.2, 1, true);
}

CoverageOf coverage_of_small_overheads(std::uint64_t seed, int draws, double noise) {
  return of_machines(seed, draws, noise, 0, 0.05, false);
}

CoverageOf coverage_of_pairs(std::uint64_t seed, int draws, double deviation) {
  CoverageOf all;
  for (int draw = 0; draw < draws; ++draw) {
    Noise noise(seed + static_cast<std::uint64_t>(draw), deviation);
    const auto near = [&](double value) { return value * noise.uniform(0.7, 1.4); };
    fit::PairClass machine;
    machine.at_zero.value = near(1.5);
    machine.per_byte.value = near(4e-4);
    machine.gap.value = near(0.02);
    machine.gap_per_byte.value = near(8e-5);
    machine.own_gap.value = near(0.3);
    machine.own_gap_per_byte.value = near(1.5e-4);
    const double answer = machine.time_of({.size = fit::answer_size}, 1);
    fit::Timings timings;
    for (const double size : sizes_by(4, 16, 256 << 10)) {
      for (const int pairs : {1, 4, 16}) {
        if (pairs == 1)
          timings.of(BenchmarkMeasure::latency)
              .samples.push_back({size, noise(machine.time_of({.size = size}, 1)), 0, 2, {}});
        const fit::WindowShare share(window, machine.end_of_window(size, pairs, 1), answer);
        const double gap = machine.time_of({.size = size, .pairs = pairs, .stream = true}, 1);
        fit::Sample sample{size, noise(share.printed_of(gap)), 0, 2, {}};
        sample.pairs = pairs;
        sample.window = window;
        timings.of(BenchmarkMeasure::gap).samples.push_back(sample);
      }
    }
    frontend::Diagnostics diagnostics;
    const auto found = fit::fit_interfaces(timings, diagnostics);
    ++all.draws;
    if (!found || found->places.front().classes.size() != 1 || found->places.front().servers != 1) {
      ++all.other_classes;
      continue;
    }
    const fit::PairClass& one = found->places.front().classes.front();
    const auto stated = [&](const char* name, const fit::ClassNumber& number, double value) {
      if (number.told) count(all, name, number.lower, number.upper, value);
    };
    stated("L", one.at_zero, machine.at_zero.value);
    stated("G", one.per_byte, machine.per_byte.value);
    stated("g", one.gap, machine.gap.value);
    stated("G_N", one.gap_per_byte, machine.gap_per_byte.value);
    stated("p", one.own_gap, machine.own_gap.value);
    stated("P", one.own_gap_per_byte, machine.own_gap_per_byte.value);
  }
  return all;
}

}  // namespace wave::tests
