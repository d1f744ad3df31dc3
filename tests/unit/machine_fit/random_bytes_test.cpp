// Readers and fits accept any bytes without a crash, and say where they are wrong.
#include "analysis/machine_fit/log_lines.h"
#include "analysis/machine_fit/machine_text.h"
#include "tests/unit/machine_fit/benchmarks.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <cmath>

using namespace wave::tests;
using fit::Tool;

namespace {

constexpr Tool tools[] = {Tool::osu, Tool::imb, Tool::netgauge, Tool::nccl, Tool::csv};

const char* const fragments[] = {"# OSU MPI Latency Test v5.6.3\n",
                                 "# Size          Latency (us)\n",
                                 "# Size      Bandwidth (MB/s)\n",
                                 "# OSU MPI Allreduce Latency Test v7.0\n",
                                 "# [ pairs: 3 ] [ window size: 64 ]\n",
                                 "# Benchmarking PingPong\n",
                                 "# Benchmarking Bcast\n",
                                 "# #processes = 4\n",
                                 "#bytes #repetitions t[usec] Mbytes/sec\n",
                                 "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n",
                                 "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n",
                                 "1 10 14.0 23.0 156.0 7.4 0.98 1.14 -nan -nan -nan\n",
                                 "size [B],time [us]\n",
                                 "n,size [B],time [us],operation\n",
                                 "8,1.5\n",
                                 "4,8,1.5,broadcast\n",
                                 "8 1000 1.25 3.0\n",
                                 "8 1.25\n",
                                 "[1,0]<stdout>:",
                                 "0: ",
                                 "1: # OSU MPI Latency Test v7.4\n",
                                 "2026-11-30 14:20:23 INFO # Size          Latency (us)\n",
                                 "+ mpirun -np 8 --map-by node osu_allreduce\n",
                                 "#       size count time algbw busbw #wrong\n#  (B) (elements) (us)\n",
                                 "#  Rank  0 Group  0 Pid 1 on a device  0\n",
                                 "\x1b[32m",
                                 "\x1b]0;",
                                 "\"",
                                 "\r\n",
                                 "\xEF\xBB\xBF",
                                 "nan",
                                 "1e308",
                                 "-0",
                                 ","};

std::string random_text(Noise& noise) {
  std::string text;
  const std::uint64_t last_byte = noise.bits() % 4 == 0 ? 255 : 127;  // mostly plain ASCII
  const std::size_t pieces = noise.bits() % 60;
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::uint64_t what = noise.bits() % 4;
    if (what < 2)
      text += fragments[noise.bits() % std::size(fragments)];
    else if (what == 2)
      text += fmt::format("{} {:.2f}\n", 1ull << (noise.bits() % 24), noise.uniform(0.5, 100));
    else
      for (std::size_t k = noise.bits() % 12; k > 0; --k) text += static_cast<char>(1 + noise.bits() % last_byte);
  }
  return text;
}

}  // namespace

TEST_CASE("random bytes are read without a crash, and what is wrong has a place in them") {
  const std::uint64_t seed = seed_or(51);
  Noise noise(seed, 0);
  for (int round = 0; round < draws_of(3000); ++round) {
    INFO("WAVE_SEED=" << seed << ", round " << round);
    const std::string text = random_text(noise);
    fit::ReadOptions options;
    if (noise.bits() % 2 == 0) options.processes = 4;
    const auto found = read(tools[noise.bits() % 4], text, options);  // read() checks the locations
    CHECK(found.problems.size() <= 21);
    for (const auto& series : found.timings.series) {
      for (const auto& sample : series.samples) {
        REQUIRE(sample.time > 0);
        REQUIRE(sample.size >= 0);
      }
    }
  }
}

TEST_CASE("a cleaned log has bytes of the log, in places that are known") {
  const std::uint64_t seed = seed_or(53);
  Noise noise(seed, 0);
  for (int round = 0; round < draws_of(3000); ++round) {
    INFO("WAVE_SEED=" << seed << ", round " << round);
    const std::string text = random_text(noise);
    const fit::CleanLog log(text);
    REQUIRE(log.text().size() <= text.size());
    for (std::uint32_t at = 0; at < log.text().size(); ++at) {
      REQUIRE(log.original(at) < text.size());
      REQUIRE(text[log.original(at)] == log.text()[at]);
    }
  }
}

TEST_CASE("random times are fitted without a crash, to numbers") {
  const std::uint64_t seed = seed_or(52);
  Noise noise(seed, 0);
  for (int round = 0; round < draws_of(300); ++round) {
    INFO("WAVE_SEED=" << seed << ", round " << round);
    fit::Timings timings;
    const std::size_t count = noise.bits() % 30;
    for (std::size_t i = 0; i < count; ++i) {
      const double size = static_cast<double>(noise.bits() % (1u << (noise.bits() % 24 + 1)));
      const double time = std::pow(10.0, noise.uniform(-6, 9));
      timings.of(noise.bits() % 4 == 0 ? fit::BenchmarkMeasure::gap : fit::BenchmarkMeasure::latency)
          .samples.push_back({size, time, 0, 2, {}});
    }
    wave::frontend::Diagnostics diagnostics;
    const auto found = fit::fit_machine(timings, {}, diagnostics);
    REQUIRE((found.has_value() || diagnostics.has_errors()));
    if (!found) continue;
    for (const auto& parameter : found->parameters) {
      INFO(parameter.name);
      REQUIRE(std::isfinite(parameter.value));
      REQUIRE(parameter.value >= 0);
      REQUIRE(std::isfinite(parameter.standard_error));
    }
    CHECK_FALSE(fit::machine_text(*found, {"M", {"csv"}, {"x"}, "", ""}).empty());
  }
}
