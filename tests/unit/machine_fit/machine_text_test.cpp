// What is written is a module that checks, and its messages cost what was fitted.
#include "analysis/machine_fit/machine_text.h"

#include "analysis/machine_fit/machine_names.h"
#include "tests/unit/frontend_lower/lowered.h"
#include "tests/unit/machine_fit/benchmarks.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <cmath>

using namespace wave::tests;
using fit::BenchmarkMeasure;

namespace {

fit::Provenance provenance(std::vector<std::string> files = {"data.txt"}) {
  return {"Fitted", {"osu"}, std::move(files), "wave fit osu data.txt", "0.1.0"};
}

// What a message costs on the written machine.
double total_of(const std::string& machine, double size) {
  Model model(machine + fmt::format("\nmodel M {{ output total = Fitted().total({:.0f} B) }}\n", size));
  return model.real("total") / 1e6;
}

}  // namespace

TEST_CASE("a machine that is written costs what the lines say") {
  const Sp2Times sp2;
  const std::vector<double> sizes = {64, 128, 256, 512, 1024, 1025, 1500, 2000, 3000, 4095, 4096, 8192, 16384, 65536};
  const auto times = timings_of(points_at(sizes, [&](double s) { return sp2.at(s); }));
  fit::FitOptions eager;
  eager.protocols = {fit::ProtocolKind::eager, fit::ProtocolKind::eager, fit::ProtocolKind::eager};
  fit::FitOptions assumed;
  assumed.assumptions = {{"o", 10}};
  for (const auto& options : {fit::FitOptions{}, eager, assumed}) {
    const std::string text = fit::machine_text(fit_of(times, options), provenance());
    require_checked(text);
    for (const double size : sizes) {
      CAPTURE(size, text);
      CHECK(total_of(text, size) == Approx(sp2.at(size)).epsilon(1e-6));
    }
  }
}

TEST_CASE("so does one with overheads, gaps and a handshake that takes no overheads") {
  fit::Timings timings;
  const auto total = [](double s) { return s <= 8192 ? 7.5 + 0.0012 * s : 30 + 0.0006 * s; };
  for (const double s : sizes_by(2, 1, 1048576)) {
    timings.of(BenchmarkMeasure::latency).samples.push_back({s, total(s), 0, 2, {}});
    timings.of(BenchmarkMeasure::send_overhead).samples.push_back({s, s <= 8192 ? 1 + 0.0002 * s : 20, 0, 2, {}});
    timings.of(BenchmarkMeasure::receive_overhead).samples.push_back({s, s <= 8192 ? 1.5 : 25, 0, 2, {}});
    timings.of(BenchmarkMeasure::gap).samples.push_back({s, 2 + 0.0007 * s, 0, 2, {}});
  }
  const std::string text = fit::machine_text(fit_of(timings), provenance());
  require_checked(text);
  for (const double s : {1.0, 1024.0, 8192.0, 16384.0, 1048576.0}) {
    CAPTURE(s, text);
    CHECK(total_of(text, s) == Approx(total(s)).epsilon(1e-5));
  }
}

TEST_CASE("no message takes a negative time, whatever lines say between the sizes that were measured") {
  const auto total = [](double s) { return s <= 1000 ? 10 + 0.05 * s : 0.03 * s - 35; };
  const std::vector<double> sizes = {100, 200, 400, 600, 800, 1000, 2000, 3000, 4000, 6000, 8000, 16000};
  const std::string text = fit::machine_text(fit_of(timings_of(points_at(sizes, total))), provenance());
  require_checked(text);
  CAPTURE(text);
  CHECK(total_of(text, 2000) == Approx(25).epsilon(1e-5));
  CHECK(total_of(text, 1100) >= 0);
}

TEST_CASE("collectives are written as costs, and functions where there is no machine") {
  fit::Timings timings;
  for (const int n : {2, 4, 8, 16, 32}) {
    for (const double s : {4.0, 1024.0, 65536.0, 1048576.0}) {
      timings.of(BenchmarkMeasure::collective, "total_exchange")
          .samples.push_back({s, 80 * std::log2(n) + 0.03 * std::pow(n, 1.29) * s, 0, n, {}});
      timings.of(BenchmarkMeasure::collective, "broadcast")
          .samples.push_back({s, (52 + 0.029 * s) * std::log2(n), 0, n, {}});
      timings.of(BenchmarkMeasure::collective, "my \"own\"\n}").samples.push_back({s, 5.0 + 0.01 * s, 0, n, {}});
    }
    timings.of(BenchmarkMeasure::collective, "barrier", false).samples.push_back({0, 94 * std::log2(n) + 10, 0, n, {}});
  }
  require_checked(fit::machine_text(fit_of(timings), provenance()));
  for (const double s : sizes_by(2, 1, 1048576))
    timings.of(BenchmarkMeasure::latency).samples.push_back({s, 46 + 0.035 * s, 0, 2, {}});
  const std::string text = fit::machine_text(fit_of(timings), provenance());
  require_checked(text);
  Model model(text + R"(
model M {
  output exchange = Fitted().total_exchange(1 KiB, 64)
  output broadcast = Fitted().broadcast(1 KiB, 64)
  output barrier = Fitted().barrier(256)
  output alone = Fitted().barrier(1)
})");
  CHECK(model.real("exchange") / 1e6 == Approx(80 * 6 + 0.03 * std::pow(64, 1.29) * 1024).epsilon(1e-4));
  CHECK(model.real("broadcast") / 1e6 == Approx(6 * (52 + 0.029 * 1024)).epsilon(1e-4));
  CHECK(model.real("barrier") / 1e6 == Approx(762).epsilon(1e-4));
  CHECK(model.real("alone") == 0);
}

TEST_CASE("names of files stay where they belong") {
  const auto found = fit_of(timings_of(points_at(sizes_by(2, 1, 4096), [](double s) { return 5 + 0.01 * s; })));
  for (const std::string& name :
       {std::string("\"\n}\nmachine Evil {"), std::string("a\\"), std::string("// x\r///"),
        std::string("\xFF\xFE\0z", 4), std::string("\u202Egnp.txt"), std::string("\u2028machine"), std::string("{x}"),
        std::string("*/ ~ ± é 漢字"), std::string(5000, 'x')}) {
    auto from = provenance({name, name});
    from.command = "wave fit osu " + name;
    require_checked(fit::machine_text(found, from));
  }
}

TEST_CASE("text is made harmless, and stays as it is where it is") {
  CHECK(fit::harmless("a b.txt é 漢") == "a b.txt é 漢");
  CHECK(fit::harmless("a\nb\x7F\x01\xC2\x85") == "a?b???");
  CHECK(fit::harmless("\u202Ex\u2066\uFEFF") == "?x??");
  CHECK(fit::harmless("\xED\xA0\x80") == "???");
  CHECK(fit::quoted("a\"b\\") == "\"a\\\"b\\\\\"");
}

TEST_CASE("machines are named after their files") {
  CHECK(fit::machine_name_of("my-machine.wave") == "MyMachine");
  CHECK(fit::machine_name_of("/a/b.c/frontera_2024.wave") == "Frontera2024");
  CHECK(fit::machine_name_of("2x.wave") == "X");
  CHECK(fit::machine_name_of("漢.wave") == "Fitted");
  CHECK(fit::machine_name_of("") == "Fitted");
  // Units, corners and the module's imports cannot be names of machines.
  for (const char* name : {"B", "GiB", "Hz", "Mflop", "NW", "EagerRendezvous", "EagerRendezvousWithGap"}) {
    CAPTURE(name);
    CHECK_FALSE(fit::is_machine_name(name));
    CHECK(fit::machine_name_of(name) == std::string(name) + "Machine");
  }
  CHECK(fit::is_machine_name("Frontera_2"));
  for (const char* name : {"", "frontera", "A b", "2", "é"}) CHECK_FALSE(fit::is_machine_name(name));
}
