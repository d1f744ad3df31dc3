// Fits recover machines from times that known machines made.
#include "analysis/machine_fit/machine_text.h"
#include "tests/unit/frontend_lower/lowered.h"
#include "tests/unit/machine_fit/benchmarks.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <cmath>

using namespace wave::tests;
using fit::BenchmarkMeasure;
using fit::TimedSize;

namespace {

// The machine's own costs of one message, computed by the language.
std::vector<TimedSize> times_of_machine(const std::string& machine, const std::vector<double>& sizes) {
  std::string list;
  for (const double size : sizes) list += fmt::format("{}{:.0f} B", list.empty() ? "" : ", ", size);
  Model model(fmt::format(R"(
import std.machines.ibm_sp2 {{ SP2, SP2_C }}
type Row {{ size: data, elapsed: time }}
model M {{ output times = [Row(size = s, elapsed = {}().total(s)) for s in [{}]] }})",
                          machine, list));
  const auto rows = model.rows("times");
  REQUIRE(rows.count() == sizes.size());
  std::vector<TimedSize> points;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    points.push_back({rows.cells[2 * i].real, rows.cells[2 * i + 1].real / 1e6, 0});
  return points;
}

std::vector<double> sizes_across_the_protocols() {
  std::vector<double> sizes = sizes_by(1.12, 32, 1023);
  for (const double size : {1024.0, 1025.0}) sizes.push_back(size);
  for (const double size : sizes_by(1.07, 1100, 4000)) sizes.push_back(size);
  for (const double size : {4095.0, 4096.0}) sizes.push_back(size);
  for (const double size : sizes_by(1.3, 5000, 262144)) sizes.push_back(size);
  return sizes;
}

double value_of(const fit::MachineFit& found, const std::string& name) {
  const auto* parameter = found.find(name);
  INFO("no parameter " << name);
  REQUIRE(parameter != nullptr);
  return parameter->value;
}

bool holds(const fit::MachineFit& found, const std::string& name, double truth) {
  const auto* parameter = found.find(name);
  return parameter != nullptr && parameter->lower <= truth && truth <= parameter->upper;
}

struct Table1 {
  const char* machine;
  double L, o_s, o_l, G_s, G_l;
};
const Table1 table_1[] = {{"SP2", 23, 23, 47, 0.07, 0.03}, {"SP2_C", 23, 16, 36, 0.07, 0.03}};

}  // namespace

TEST_CASE("Table 1 of PPoPP'99 is recovered from times made with it") {
  for (const auto& row : table_1) {
    CAPTURE(row.machine);
    const auto found = fit_of(timings_of(times_of_machine(row.machine, sizes_across_the_protocols())));
    REQUIRE(found.parts.size() == 3);
    CHECK(found.parts[1].protocol == fit::ProtocolKind::eager);
    CHECK(found.parts[2].protocol == fit::ProtocolKind::rendezvous);
    CHECK(found.undetermined.empty());
    CHECK(value_of(found, "L") == Approx(row.L).epsilon(1e-8));
    CHECK(value_of(found, "o_1") == Approx(row.o_s).epsilon(1e-8));
    CHECK(value_of(found, "o_2") == Approx(row.o_l).epsilon(1e-8));
    CHECK(value_of(found, "G_1") == Approx(row.G_s).epsilon(1e-8));
    CHECK(value_of(found, "G_2") == Approx(row.G_l).epsilon(1e-8));
    CHECK(value_of(found, "G_3") == Approx(row.G_l).epsilon(1e-8));
    CHECK(value_of(found, "S_1") == 1024);
    CHECK(value_of(found, "S_2") == 4095);
  }
}

TEST_CASE("with noise the intervals hold Table 1 as often as they claim", "[long]") {
  const std::uint64_t seed = seed_or(21);
  Noise noise(seed, 0.02);
  const int draws = draws_of(150);
  for (const auto& row : table_1) {
    const auto exact = times_of_machine(row.machine, sizes_across_the_protocols());
    int misses[5] = {}, other_protocols = 0;
    for (int draw = 0; draw < draws; ++draw) {
      auto points = exact;
      for (auto& point : points) point.time = noise(point.time);
      const auto found = fit_of(timings_of(points));
      // Where noise makes another machine likelier, nothing is claimed about the three lines. That must be rare.
      if (found.parts.size() != 3 || found.find("o_2") == nullptr) {
        ++other_protocols;
        continue;
      }
      misses[0] += holds(found, "L", row.L) ? 0 : 1;
      misses[1] += holds(found, "o_1", row.o_s) ? 0 : 1;
      misses[2] += holds(found, "o_2", row.o_l) ? 0 : 1;
      misses[3] += holds(found, "G_1", row.G_s) ? 0 : 1;
      misses[4] += holds(found, "G_3", row.G_l) ? 0 : 1;
    }
    INFO("WAVE_SEED=" << seed << " " << row.machine << ": L " << misses[0] << " o_1 " << misses[1] << " o_2 "
                      << misses[2] << " G_1 " << misses[3] << " G_3 " << misses[4] << " of " << draws
                      << "; other protocols " << other_protocols);
    for (const int one : misses) CHECK(one <= most_misses(draws, 0.05));
    CHECK(misses[0] + misses[1] + misses[2] + misses[3] + misses[4] >= draws / 20);
    CHECK(other_protocols <= draws / 10);
  }
}

TEST_CASE("the least squares line of Table 4 of CENG 95-15 is computed, beside the printed one") {
  // The benchmark prints 46 us + 0.035 us/B. The twelve values give 67.3 us + 0.0299 us/B, as std.pingpong has it.
  std::vector<TimedSize> points;
  const auto add = [&](double size, std::initializer_list<double> times) {
    for (const double time : times) points.push_back({size, time, 0.5});
  };
  add(4, {46, 47, 48, 48});
  add(1024, {101, 120, 120, 133});
  add(65536, {1969, 1948, 1978, 2215});
  fit::FitOptions options;
  options.noise = fit::Noise::constant;
  options.keep_outliers = true;
  options.segments = 1;
  const auto found = fit_of(timings_of(points), options);
  Model model(R"(
import std.machines.ibm_sp2 { table_4 }
import std.pingpong { start_up, byte_time }
model M { output start = start_up(table_4)
          output byte = byte_time(table_4) })");
  CHECK(value_of(found, "L") == Approx(67.3).margin(0.05));
  CHECK(value_of(found, "G") == Approx(0.0299).margin(0.00005));
  CHECK(value_of(found, "L") == Approx(model.real("start") / 1e6).epsilon(1e-12));
  CHECK(value_of(found, "G") == Approx(model.real("byte") / 1e6).epsilon(1e-12));
}

TEST_CASE("what a ping-pong does not tell is said, and an assumption separates it") {
  const auto timings = timings_of(points_at(sizes_by(2, 1, 65536), [](double s) { return 69 + 0.07 * s; }));
  const auto found = fit_of(timings);
  CHECK(found.undetermined == std::vector<std::string>{"L", "o"});
  REQUIRE(found.known.size() == 1);
  CHECK(found.known[0].sum == "2 o + L");
  CHECK(found.known[0].value == Approx(69));
  CHECK(value_of(found, "L") == Approx(69));
  CHECK(value_of(found, "o") == 0);
  fit::FitOptions options;
  options.assumptions = {{"o", 23}};
  const auto assumed = fit_of(timings, options);
  CHECK(assumed.undetermined.empty());
  CHECK(value_of(assumed, "L") == Approx(23));
  CHECK(value_of(assumed, "o") == 23);
  options.assumptions = {{"L", 23}};
  CHECK(value_of(fit_of(timings, options), "o") == Approx(23));
}

TEST_CASE("an assumption that leaves no time for the rest is an error, and none is replaced") {
  const auto timings = timings_of(points_at(sizes_by(2, 1, 65536), [](double s) { return 69 + 0.07 * s; }));
  for (const auto& assumptions :
       std::vector<std::vector<fit::Assumption>>{{{"o", 40}}, {{"L", 80}}, {{"L", 1}, {"o", 40}}}) {
    fit::FitOptions options;
    options.assumptions = assumptions;
    wave::frontend::Diagnostics diagnostics;
    CHECK_FALSE(fit::fit_machine(timings, options, diagnostics));
    REQUIRE(diagnostics.all().size() == 1);
    CHECK(diagnostics.all().front().notes.size() == 1);
  }
  // Half of the line's value at 0, as far as that is known.
  fit::FitOptions options;
  options.assumptions = {{"o", 34.5 * (1 + 1e-15)}};
  CHECK(value_of(fit_of(timings, options), "L") == Approx(0).margin(1e-9));
}

TEST_CASE("where more is assumed than the lines leave open, a step keeps the times") {
  fit::FitOptions options;
  options.assumptions = {{"L", 40}, {"o", 10}};
  const auto found =
      fit_of(timings_of(points_at(sizes_by(2, 1, 65536), [](double s) { return 69 + 0.07 * s; })), options);
  CHECK(value_of(found, "L") == 40);
  CHECK(value_of(found, "o") == 10);
  CHECK(value_of(found, "step") == Approx(9));
  CHECK_FALSE(found.notes.empty());
  // An assumption that fits needs no step.
  options.assumptions = {{"L", 23}, {"o", 23}};
  const auto fitting =
      fit_of(timings_of(points_at(sizes_by(2, 1, 65536), [](double s) { return 69 + 0.07 * s; })), options);
  CHECK(fitting.find("step") == nullptr);
}

TEST_CASE("an assumption that no handshake goes with overrides the guess of one") {
  // The second line jumps by less than three latencies of 40 us.
  const auto points =
      points_at(sizes_by(1.3, 16, 262144), [](double s) { return s < 4096 ? 69 + 0.07 * s : 120 + 0.07 * s; });
  fit::FitOptions options;
  options.assumptions = {{"L", 65}};
  const auto found = fit_of(timings_of(points), options);
  CHECK(value_of(found, "L") == 65);
  CHECK(value_of(found, "o_1") == Approx(2));
  CHECK(value_of(found, "o_2") == Approx(27.5));
  for (const auto& part : found.parts) CHECK(part.protocol == fit::ProtocolKind::eager);
  // With one overhead for both lines, the second line has a step in addition to the three latencies of a handshake.
  options.assumptions = {{"L", 65}, {"o", 2}};
  const auto both = fit_of(timings_of(points), options);
  CHECK(value_of(both, "L") == 65);
  // It would be negative at 0 B, so it is that of the largest message before.
  CHECK(value_of(both, "step_2") == Approx(120 - 3 * 65 - 2 * 2 + 0.07 * value_of(both, "S")));
}

TEST_CASE("protocols that are named are used") {
  fit::FitOptions options;
  options.protocols = {fit::ProtocolKind::eager, fit::ProtocolKind::eager, fit::ProtocolKind::eager};
  const auto found = fit_of(timings_of(times_of_machine("SP2", sizes_across_the_protocols())), options);
  for (const auto& part : found.parts) CHECK(part.protocol == fit::ProtocolKind::eager);
  CHECK(found.undetermined.size() == 4);
  CHECK(found.known.size() == 3);
}

TEST_CASE("measured overheads separate latency, and a stream gives the gap") {
  // What Netgauge measures on a machine with L = 5, o_s = 1 + 0.0002 s, o_r = 1.5, G = 0.001 and g = 2 + 0.0012 s.
  fit::Timings timings;
  for (const double s : sizes_by(2, 1, 65536)) {
    timings.of(BenchmarkMeasure::latency).samples.push_back({s, 7.5 + 0.0012 * s, 0, 2, {}});
    timings.of(BenchmarkMeasure::send_overhead).samples.push_back({s, 1 + 0.0002 * s, 0, 2, {}});
    timings.of(BenchmarkMeasure::receive_overhead).samples.push_back({s, 1.5, 0, 2, {}});
    timings.of(BenchmarkMeasure::gap).samples.push_back({s, 2 + 0.0012 * s, 0, 2, {}});
  }
  const auto found = fit_of(timings);
  CHECK(found.undetermined.empty());
  CHECK(value_of(found, "L") == Approx(5));
  CHECK(value_of(found, "o_s") == Approx(1));
  CHECK(value_of(found, "O_s") == Approx(0.0002));
  CHECK(value_of(found, "o_r") == Approx(1.5));
  CHECK(found.find("O_r") == nullptr);
  CHECK(value_of(found, "G") == Approx(0.001));
  CHECK(value_of(found, "g") == Approx(2));
  CHECK(value_of(found, "G_gap") == Approx(0.0012));
  require_checked(fit::machine_text(found, {"Fitted", {"netgauge"}, {"data"}, "", ""}));
}

TEST_CASE("overheads larger than the message are said to overlap") {
  fit::Timings timings;
  for (const double s : sizes_by(2, 1, 4096)) {
    timings.of(BenchmarkMeasure::latency).samples.push_back({s, 2 + 0.001 * s, 0, 2, {}});
    timings.of(BenchmarkMeasure::send_overhead).samples.push_back({s, 1.8, 0, 2, {}});
    timings.of(BenchmarkMeasure::receive_overhead).samples.push_back({s, 1.8, 0, 2, {}});
  }
  const auto found = fit_of(timings);
  CHECK(value_of(found, "L") == Approx(0).margin(0.01));
  CHECK(value_of(found, "o_s") + value_of(found, "o_r") == Approx(2.0).epsilon(0.01));
  CHECK_FALSE(found.notes.empty());
}

TEST_CASE("where overheads are more than the message, they contain waiting for the receiver") {
  // Netgauge measures rendezvous messages like this: the time jumps down, and the overheads jump far up.
  fit::Timings timings;
  for (const double s : sizes_by(2, 1, 1048576)) {
    const bool large = s > 8192;
    timings.of(BenchmarkMeasure::latency).samples.push_back({s, large ? 14 + 0.0005 * s : 6 + 0.0015 * s, 0, 2, {}});
    timings.of(BenchmarkMeasure::send_overhead).samples.push_back({s, large ? 12 + 0.0005 * s : 1, 0, 2, {}});
    timings.of(BenchmarkMeasure::receive_overhead).samples.push_back({s, large ? 12 + 0.0005 * s : 1, 0, 2, {}});
  }
  const auto found = fit_of(timings);
  REQUIRE(found.parts.size() == 2);
  CHECK(found.parts[1].protocol == fit::ProtocolKind::rendezvous);
  CHECK(value_of(found, "o_s_last") == Approx(1));
  CHECK(value_of(found, "L") == Approx(4));
  CHECK(value_of(found, "step_2") == Approx(14 - 2 - 3 * 4).margin(1e-5));
  require_checked(fit::machine_text(found, {"Fitted", {"netgauge"}, {"data"}, "", ""}));
}

TEST_CASE("too little data is said to be") {
  const auto problem = [](const fit::Timings& timings, const fit::FitOptions& options = {}) {
    wave::frontend::Diagnostics diagnostics;
    CHECK_FALSE(fit::fit_machine(timings, options, diagnostics));
    REQUIRE(diagnostics.all().size() == 1);
    CHECK(diagnostics.all()[0].kind == wave::frontend::DiagnosticKind::too_little_data);
    return diagnostics.all()[0].message;
  };
  CHECK(problem({}) == "there are no times of single messages");
  CHECK(problem(timings_of(points_at({8}, [](double) { return 1.0; }))) ==
        "a line needs 3 different sizes, and there is 1");
  CHECK(problem(timings_of(points_at({8, 16}, [](double) { return 1.0; }))) ==
        "a line needs 3 different sizes, and there are 2");
  fit::FitOptions options;
  options.segments = 2;
  CHECK(problem(timings_of(points_at({1, 2, 3, 4}, [](double s) { return s; })), options) ==
        "2 segments need 6 different sizes, and there are 4");
  options.segments.reset();
  options.assumptions = {{"x", 1}};
  CHECK(problem(timings_of(points_at(sizes_by(2, 1, 64), [](double s) { return 5 + s; })), options) ==
        "`x` is assumed, and there is no such parameter");
}
