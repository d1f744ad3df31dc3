// A fit survives wrong and missing numbers: with any single one it finds the machine of the rest, names the number, or
// says what is wrong with the file; with one in twenty wild it still finds the machine, and says which they are.
// `fit_campaign` takes every number of every file.
#include "tests/unit/machine_fit/damage.h"

#include "analysis/machine_fit/machine_text.h"
#include "tests/unit/machine_fit/benchmarks.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

using namespace wave::tests;

namespace {

// So many cases of a file at most, and so many draws.
struct Effort {
  int cases = 0, draws = 0;
};
Effort effort_of(const Measured& measured) {
  const bool has_formula = measured.tool == fit::Tool::imb || measured.tool == fit::Tool::csv;
  return has_formula ? Effort{draws_of(10), draws_of(5)} : Effort{draws_of(200), draws_of(20)};
}

// Those of lines that are wild already stay: a factor might make one right.
Measured with_any_wild_times(const Measured& measured, Noise& random, double share, const std::set<Line>& but,
                             std::set<Line>& lines) {
  std::vector<NumberIn> times = times_in(measured);
  const auto count = static_cast<std::size_t>(share * static_cast<double>(times.size()));
  std::erase_if(times, [&](const NumberIn& one) { return but.contains(line_of(measured, one)); });
  std::shuffle(times.begin(), times.end(), random.engine());
  times.resize(std::min(count, times.size()));
  // From the last on, so that the places of the others stay.
  std::sort(times.begin(), times.end(), [](const auto& a, const auto& b) { return a.begin > b.begin; });
  Measured damaged = measured;
  for (const auto& one : times) {
    const double factor = std::pow(10.0, random.bits() % 2 == 0 ? random.uniform(-2, -0.5) : random.uniform(0.5, 6));
    damaged = scaled(damaged, one, factor);
    lines.insert(line_of(measured, one));
  }
  return damaged;
}

// So that no more than an eighth of one kind are wild. Netgauge's round trips are part of its gaps, too: three wild
// ones make three of 17 gaps a fifth too long, which is more than noise does, but too often to be told from it.
Measured with_wild_times(const Measured& measured, Noise& random, double share, const std::set<Line>& but,
                         std::set<Line>& lines) {
  constexpr double most_of_a_kind = 0.125;
  for (;;) {
    lines.clear();
    Measured damaged = with_any_wild_times(measured, random, share, but, lines);
    if (damage_of(measured, damaged).share <= most_of_a_kind) return damaged;
  }
}

}  // namespace

TEST_CASE("one wrong or missing number leaves the machine, or is named, or is refused with its place") {
  const std::uint64_t seed = seed_or(61);
  Noise random(seed, 0);
  for (const auto& measured : measured_files()) {
    const Fitted clean = fitted(measured);
    REQUIRE(clean.found());
    std::vector<Case> cases = cases_of(measured);
    std::shuffle(cases.begin(), cases.end(), random.engine());
    cases.resize(std::min(cases.size(), static_cast<std::size_t>(effort_of(measured).cases)));
    for (const auto& one : cases) {
      const std::string wrong = what_is_wrong(measured, clean, one);
      INFO("WAVE_SEED=" << seed << ", " << text_of(measured, one) << ": " << wrong);
      CHECK(wrong.empty());
    }
  }
}

// What the campaign has found: a size that nothing else is of, between those at which classes end.
TEST_CASE("a size that was written down wrongly moves no class", "[long]") {
  const std::vector<Measured> all = measured_files();
  const auto measured =
      std::find_if(all.begin(), all.end(), [](const Measured& one) { return one.name == "max rate of the example"; });
  REQUIRE(measured != all.end());
  const Fitted clean = fitted(*measured);
  int tried = 0;
  for (const Case& one : cases_of(*measured)) {
    const std::uint32_t line = line_of(*measured, one.number).second;
    const std::string size = measured->files[0].substr(one.number.begin, one.number.end - one.number.begin);
    const bool is_2_kib = (line == 14 || line == 31) && size == "2048";
    const bool is_half_a_kib = (line == 29 || line == 97) && size == "512";
    if ((!is_2_kib && !is_half_a_kib) || one.factor != 10.0) continue;
    const std::string wrong = what_is_wrong(*measured, clean, one);
    INFO(text_of(*measured, one) << ": " << wrong);
    CHECK(wrong.empty());
    ++tried;
  }
  CHECK(tried == 4);
}

TEST_CASE("with one time in twenty wild the machine is found, and they are named", "[long]") {
  const std::uint64_t seed = seed_or(62);
  Noise random(seed, 0);
  for (const auto& measured : measured_files()) {
    const Fitted clean = fitted(measured);
    REQUIRE(clean.found());
    for (int draw = 0; draw < effort_of(measured).draws; ++draw) {
      std::set<Line> lines;
      const Fitted found = fitted(with_wild_times(measured, random, 0.05, clean.wild, lines));
      INFO("WAVE_SEED=" << seed << ", " << measured.name << ", draw " << draw << ": "
                        << fmt::format("{}", fmt::join(found.errors, "; ")));
      REQUIRE(found.found());
      CHECK(found.trouble.empty());
      const std::string missed = what_is_missed(found, clean, measured, lines);
      INFO(missed);
      CHECK(missed.empty());
      for (const auto& line : lines) {
        INFO("line " << line.second);
        CHECK(found.wild.contains(line));
      }
      CHECK(found.wild.size() <= lines.size() + clean.wild.size() + 2);
    }
  }
}

TEST_CASE("with one time in twenty wild the parameters of a known machine are found") {
  const std::uint64_t seed = seed_or(63);
  Noise noise(seed, 0.01);
  constexpr double latency = 1.4, small = 3e-4, handshake = 4, large = 8.5e-5;
  for (int draw = 0; draw < draws_of(50); ++draw) {
    Measured measured{"known",
                      fit::Tool::osu,
                      {osu_latency(points_at(sizes_by(1.4, 8, 4194304),
                                             [&](double s) {
                                               return noise(s <= 8192 ? latency + small * s : handshake + large * s);
                                             }),
                                   4)}};
    std::set<Line> lines;
    const Fitted found = fitted(with_wild_times(measured, noise, 0.05, {}, lines));
    INFO("WAVE_SEED=" << seed << ", draw " << draw);
    REQUIRE(found.machine);
    REQUIRE(found.machine->latency->segments.size() == 2);
    const auto& first = found.machine->latency->segments[0].line;
    const auto& second = found.machine->latency->segments[1].line;
    CHECK(first.at_zero == Approx(latency).epsilon(0.02));
    CHECK(first.per_byte == Approx(small).epsilon(0.05));
    CHECK(second.at_zero == Approx(handshake).epsilon(0.1));
    CHECK(second.per_byte == Approx(large).epsilon(0.02));
    for (const auto& line : lines) CHECK(found.wild.contains(line));
  }
}

TEST_CASE("no options lead to a negative parameter, and what would be one is an error") {
  const std::uint64_t seed = seed_or(64);
  Noise random(seed, 0.02);
  int refused = 0;
  for (int draw = 0; draw < draws_of(200); ++draw) {
    // Lines that rise ever more steeply reach below zero at 0 B.
    const double bend = random.uniform(0, 1.5);
    const auto points = points_at(sizes_by(1.6, 64, 1 << 20),
                                  [&](double s) { return random(0.2 + 1e-4 * s * std::pow(s / 1e4, bend)); });
    fit::FitOptions options;
    options.keep_outliers = random.bits() % 2 == 0;
    if (random.bits() % 2 == 0) options.noise = fit::Noise::constant;
    if (random.bits() % 2 == 0) options.segments = 1 + random.bits() % 4;
    if (random.bits() % 3 == 0) options.protocols = {fit::ProtocolKind::eager, fit::ProtocolKind::rendezvous};
    if (random.bits() % 3 == 0) options.assumptions = {{"o", random.uniform(0, 0.3)}};
    if (random.bits() % 4 == 0) options.assumptions.push_back({"L", random.uniform(0, 0.5)});
    fit::Timings timings = timings_of(points);
    if (random.bits() % 2 == 0) {
      for (const auto& one : points)
        timings.of(fit::BenchmarkMeasure::gap).samples.push_back({one.size, one.time, 0, 2, {}});
    }
    wave::frontend::Diagnostics diagnostics;
    const auto found = fit::fit_machine(timings, options, diagnostics);
    INFO("WAVE_SEED=" << seed << ", draw " << draw);
    REQUIRE((found.has_value() || diagnostics.has_errors()));
    if (!found) {
      for (const auto& one : diagnostics.all())
        refused += one.kind == wave::frontend::DiagnosticKind::negative_parameter ? 1 : 0;
      continue;
    }
    for (const auto& one : found->parameters) {
      INFO(one.name << " = " << one.value);
      CHECK(one.value >= 0);
      CHECK(one.lower >= 0);
    }
    require_checked(fit::machine_text(*found, {"Fitted", {"csv"}, {"data"}, "", ""}));
  }
  CHECK(refused > 0);
}
