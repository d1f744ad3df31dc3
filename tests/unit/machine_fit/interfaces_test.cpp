// Interfaces are found again in times that were made from them. Measured ones, fitted on one and on sixteen pairs, tell
// what two to fifteen take.
#include "analysis/machine_fit/interfaces.h"

#include "analysis/machine_fit/interface_text.h"
#include "analysis/machine_fit/regression.h"
#include "analysis/machine_fit/replay.h"
#include "tests/unit/frontend_lower/lowered.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <sstream>

using namespace wave;
namespace fit = wave::analysis::machine_fit;

namespace {

struct Read {
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  fit::Timings timings;

  void add(fit::Tool tool, const std::string& text, const std::optional<std::string>& place = {}) {
    fit::ReadOptions options;
    options.place = place;
    fit::read_timings(tool, sources, sources.add("pairs", text), options, timings, diagnostics);
  }
  std::string message() const { return diagnostics.all().empty() ? "" : diagnostics.all().front().message; }
};

std::unique_ptr<Read> read(fit::Tool tool, const std::string& text) {
  auto result = std::make_unique<Read>();
  result->add(tool, text);
  return result;
}

std::optional<fit::InterfaceFit> fitted(const std::string& text) {
  const auto all = read(fit::Tool::csv, text);
  INFO(all->message());
  REQUIRE(!all->diagnostics.has_errors());
  REQUIRE(fit::has_interfaces(all->timings));
  return fit::fit_interfaces(all->timings, all->diagnostics);
}

// Two classes of sizes, up to 1000 B and above.
double shared(double size, int pairs, int servers) {
  const double turns = std::ceil(static_cast<double>(pairs) / servers);
  return size <= 1000 ? turns * (0.05 + size * 1e-4) : turns * (0.5 + size * 1.5e-4);
}
double model(double size, int pairs, int servers) {
  if (size <= 1000) return 2 + std::max(size * 1e-3, shared(size, pairs, servers));
  return 8 + std::max(size * 2e-4, shared(size, pairs, servers));
}

// What a fit predicts.
double time_at(const fit::PlaceFit& place, double size, int pairs_at_once) {
  const auto one = std::find_if(place.classes.begin(), place.classes.end() - 1,
                                [&](const fit::PairClass& each) { return size <= each.to; });
  return one->time_of({size, pairs_at_once, false, 0}, place.servers);
}

std::string table(const std::vector<int>& pairs, int servers, double noise, unsigned seed = 7) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::string text = "place,pairs,size [B],time [us]\n";
  for (const int k : pairs) {
    for (double size = 8; size <= 1 << 20; size *= 2)
      text += fmt::format("inter-node,{},{:.0f},{:.6g}\n", k, size,
                          model(size, k, servers) * std::exp(noise * normal(random)));
  }
  return text;
}

}  // namespace

TEST_CASE("the numbers of an interface are found again in times of several pairs") {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const auto found = fitted(table({1, 2, 4, 8, 16}, 1, 0.003, seed));
    REQUIRE(found);
    REQUIRE(found->places.size() == 1);
    const auto& place = found->places.front();
    CHECK(place.servers == 1);
    CHECK(place.servers_told);
    REQUIRE(place.classes.size() == 2);
    CHECK(place.classes[0].to == 512);
    CHECK(place.classes[0].at_zero.value == Approx(2).epsilon(0.02));
    CHECK(place.classes[0].per_byte.value == Approx(1e-3).epsilon(0.1));
    CHECK(place.classes[0].gap.value == Approx(0.05).epsilon(0.1));
    CHECK(place.classes[1].at_zero.value == Approx(8).epsilon(0.05));
    CHECK(place.classes[1].per_byte.value == Approx(2e-4).epsilon(0.02));
    CHECK(place.classes[1].gap_per_byte.value == Approx(1.5e-4).epsilon(0.02));
    CHECK(time_at(place, 1e5, 3) == Approx(model(1e5, 3, 1)).epsilon(0.02));
  }
}

TEST_CASE("of very many points some decide where classes end, and all count", "[long]") {
  std::vector<int> pairs(200);
  std::iota(pairs.begin(), pairs.end(), 1);
  const auto found = fitted(table(pairs, 2, 0.003));
  REQUIRE(found);
  const auto& place = found->places.front();
  CHECK(place.servers == 2);
  REQUIRE(place.classes.size() == 2);
  CHECK(place.classes[0].to == 512);
  CHECK(place.classes[0].points == 7 * 200);
  CHECK(place.classes[1].points == 11 * 200);
  CHECK(place.classes[1].gap_per_byte.value == Approx(1.5e-4).epsilon(0.005));
}

TEST_CASE("rails are told from a faster interface if there are enough numbers of pairs") {
  const auto many = fitted(table({1, 2, 3, 4, 5, 8, 12, 16}, 4, 0.003));
  REQUIRE(many);
  CHECK(many->places.front().servers == 4);
  const auto two = fitted(table({1, 16}, 4, 0.003));
  REQUIRE(two);
  CHECK(two->places.front().servers == 1);
  CHECK(!two->places.front().servers_told);
  CHECK(two->notes.front().find("r times as fast") != std::string::npos);
}

TEST_CASE("one number of pairs does not tell what is shared, and the fit says so") {
  CHECK(!fit::has_interfaces(read(fit::Tool::csv, table({1}, 1, 0))->timings));
  const auto found = fitted(table({4}, 1, 0.003));
  REQUIRE(found);
  CHECK(!found->places.front().classes.front().gap.told);
  CHECK(found->notes.front().find("do not tell what is shared") != std::string::npos);
}

TEST_CASE("Blue Waters: one and sixteen pairs tell what two to fifteen take") {
  std::ifstream file(WAVE_MAX_RATE_DATA);
  REQUIRE(file);
  std::stringstream text;
  text << file.rdbuf();
  const auto all = read(fit::Tool::csv, text.str());
  INFO(all->message());
  REQUIRE(!all->diagnostics.has_errors());
  auto& samples = all->timings.of(fit::BenchmarkMeasure::latency).samples;
  CHECK(samples.size() == 272);
  const std::vector<fit::Sample> measured = samples;
  std::erase_if(samples, [](const fit::Sample& sample) { return sample.pairs != 1 && sample.pairs != 16; });
  const auto found = fit::fit_interfaces(all->timings, all->diagnostics);
  REQUIRE(found);
  REQUIRE(found->places.size() == 1);
  std::string classes;
  for (const auto& one : found->places.front().classes)
    classes += fmt::format("{} to {} B: a {:.4g}, G {:.4g}, g {:.4g}, G_N {:.4g}, rms {:.2g}\n", one.from, one.to,
                           one.at_zero.value, one.per_byte.value, one.gap.value, one.gap_per_byte.value, one.rms);
  std::vector<double> small, middle, large;
  for (const fit::Sample& sample : measured) {
    if (sample.pairs == 1 || sample.pairs == 16) continue;
    const double error = std::abs(time_at(found->places.front(), sample.size, sample.pairs) / sample.time - 1);
    (sample.size < 512 ? small : sample.size <= 4096 ? middle : large).push_back(error);
  }
  const auto largest = [](const std::vector<double>& errors) {
    return *std::max_element(errors.begin(), errors.end());
  };
  INFO(classes << "medians: " << fit::median(small) << ", " << fit::median(middle) << ", " << fit::median(large)
               << "; largest: " << largest(small) << ", " << largest(middle) << ", " << largest(large));
  CHECK(fit::median(small) <= 0.03);
  CHECK(fit::median(middle) <= 0.11);
  CHECK(fit::median(large) <= 0.06);
}

TEST_CASE("streams of several pairs tell the interface, too") {
  std::string latency = "# OSU MPI Latency Test v5.6.3\n# Size          Latency (us)\n";
  std::string streams;
  for (double size = 8; size <= 1 << 20; size *= 2) latency += fmt::format("{:.0f} {:.4f}\n", size, model(size, 1, 1));
  for (const int pairs : {1, 4, 16}) {
    streams += fmt::format(
        "# OSU MPI Multiple Bandwidth / Message Rate Test v5.6.3\n# [ pairs: {} ] [ window size: 64 ]\n"
        "# Size                  MB/s        Messages/s\n",
        pairs);
    for (double size = 8; size <= 1 << 20; size *= 2) {
      // A pair's stream is faster than its single messages.
      const double time = std::max(size * (size <= 1000 ? 8e-4 : 1.7e-4) + 0.3, shared(size, pairs, 1));
      const double each = fit::WindowShare(64, model(size, (pairs + 1) / 2, 1), model(4, 1, 1)).printed_of(time);
      streams += fmt::format("{:.0f} {:.4f} {:.4f}\n", size, pairs * size / each, pairs * 1e6 / each);
    }
  }
  Read all;
  all.add(fit::Tool::osu, latency);
  all.add(fit::Tool::osu, streams);
  REQUIRE(!all.diagnostics.has_errors());
  const auto found = fit::fit_interfaces(all.timings, all.diagnostics);
  REQUIRE(found);
  const auto& last = found->places.front().classes.back();
  CHECK(last.gap_per_byte.value == Approx(1.5e-4).epsilon(0.02));
  CHECK(last.gap.value == Approx(0.5).epsilon(0.1));
  CHECK(last.at_zero.value == Approx(8).epsilon(0.01));
  CHECK(last.per_byte.value == Approx(2e-4).epsilon(0.01));
  CHECK(last.own_gap_per_byte.value == Approx(1.7e-4).epsilon(0.05));
}

TEST_CASE("a class that lacks measurements is completed by its neighbour, and the fit says so") {
  // Above 1000 B, sixteen pairs were not measured; or single messages were not, only streams.
  std::string some = "pairs,size [B],time [us]\n", streams = "pairs,size [B],time [us],gap [us]\n";
  for (const int pairs : {1, 16}) {
    for (double size = 8; size <= 1 << 20; size *= 2) {
      const bool large = size > 1000;
      if (pairs == 1 || !large)
        some += fmt::format("{},{:.0f},{:.6g}\n", pairs, size, large ? 8 + size * 2e-4 : model(size, pairs, 1));
      streams += fmt::format("{},{:.0f},{:.6g},{:.6g}\n", pairs, size, model(size, pairs, 1),
                             std::max(0.1 + size * (large ? 1.7e-4 : 8e-4), shared(size, pairs, 1)));
    }
  }
  const auto noted = [](const fit::InterfaceFit& found, const std::string& words) {
    return std::any_of(found.notes.begin(), found.notes.end(),
                       [&](const std::string& note) { return note.find(words) != std::string::npos; });
  };
  const auto one_count = fitted(some);
  REQUIRE(one_count);
  const auto& classes = one_count->places.front().classes;
  REQUIRE(classes.size() == 2);
  CHECK(!classes[1].several_pairs);
  CHECK(classes[1].gap.value == classes[0].gap.value);
  CHECK(noted(*one_count, "1 KiB to 1 MiB: one number of pairs was measured, so g and G_N are those of 8 B to 512 B"));
  const auto all = read(fit::Tool::csv, streams);
  REQUIRE(!all->diagnostics.has_errors());
  std::erase_if(all->timings.of(fit::BenchmarkMeasure::latency).samples,
                [](const fit::Sample& sample) { return sample.size > 1000; });
  const auto of_streams = fit::fit_interfaces(all->timings, all->diagnostics);
  REQUIRE(of_streams);
  const auto& other = of_streams->places.front().classes;
  REQUIRE(other.size() == 2);
  CHECK(other[1].gap_per_byte.value == Approx(1.5e-4).epsilon(0.02));
  CHECK(other[1].at_zero.value == other[0].at_zero.value);
  CHECK(noted(*of_streams, "1 KiB to 1 MiB: there are no times of single messages"));
}

TEST_CASE("places are levels, from a column or from what is said of a file") {
  std::string text = "place,pairs,bytes,us_median\n";
  for (const char* const place : {"inter-node", "on-socket", "numa", "on-node"}) {
    for (const int pairs : {1, 8}) {
      for (double size = 64; size <= 65536; size *= 4)
        text +=
            fmt::format("{},{},{:.0f},{:.6g}\n", place, pairs, size, (place[0] == 'i' ? 4 : 1) + pairs * size * 1e-4);
    }
  }
  const auto found = fitted(text);
  REQUIRE(found);
  REQUIRE(found->places.size() == 4);
  CHECK(found->places[0].level == "numa");
  CHECK(found->places[1].level == "socket");
  CHECK(found->places[2].level == "node");
  CHECK(found->places[3].level.empty());
  Read all;
  const std::string osu = "# OSU MPI Latency Test v5.6.3\n# Size          Latency (us)\n1 1\n2 1.1\n4 1.2\n8 1.3\n";
  all.add(fit::Tool::osu, osu, "socket");
  all.add(fit::Tool::osu, osu);
  REQUIRE(fit::has_interfaces(all.timings));
  const auto two = fit::fit_interfaces(all.timings, all.diagnostics);
  REQUIRE(two);
  REQUIRE(two->places.size() == 2);
  CHECK(two->places[0].level == "socket");
}

TEST_CASE("interfaces that are filled one after the other are noticed") {
  const auto noted = [](int per_interface) {
    std::string text = "pairs,size [B],time [us]\n";
    for (const int k : {1, 2, 4, 8, 16, 32}) {
      for (double size = 1024; size <= 1 << 20; size *= 2)
        text +=
            fmt::format("{},{:.0f},{:.6g}\n", k, size, 8 + size * std::max(1e-4, std::min(k, per_interface) * 8e-5));
    }
    const auto found = fitted(text);
    REQUIRE(found);
    return std::any_of(found->notes.begin(), found->notes.end(), [&](const std::string& note) {
      return note.find(fmt::format("{} pairs take as long as 32", per_interface)) != std::string::npos;
    });
  };
  CHECK(noted(16));
  CHECK(noted(8));
  CHECK(!noted(32));
}

TEST_CASE("a class that is noisy does not decide where quiet ones end", "[long]") {
  int right = 0;
  const int draws = 20;
  for (unsigned seed = 1; seed <= draws; ++seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::string text = "pairs,size [B],time [us]\n";
    for (const int k : {1, 4, 16}) {
      for (double size = 8; size <= 4 << 20; size *= 2) {
        const bool small = size <= 512, middle = !small && size <= 32768;
        const double time = small    ? 2 + std::max(size * 1e-3, k * (0.04 + size * 1e-4))
                            : middle ? 2.6 + std::max(size * 9e-4, k * (0.08 + size * 1.2e-4))
                                     : 14 + std::max(size * 2e-4, k * (0.1 + size * 1e-4));
        const double noise = small ? 0.004 : middle ? 0.06 : 0.004;
        text += fmt::format("{},{:.0f},{:.6g}\n", k, size, time * std::exp(noise * normal(random)));
      }
    }
    const auto found = fitted(text);
    REQUIRE(found);
    const auto& classes = found->places.front().classes;
    if (classes.size() == 3 && classes[0].to == 512 && classes[1].to == 32768) ++right;
  }
  INFO(right << " of " << draws);
  CHECK(right >= 16);
}

TEST_CASE("damaged tables of pairs are diagnostics") {
  const auto failing = [](const std::string& text) { return read(fit::Tool::csv, text)->message(); };
  CHECK(failing("pairs,size [B],time [us]\n0,8,1\n").find("number of pairs") != std::string::npos);
  CHECK(failing("pairs,size [B],time [us]\nmany,8,1\n").find("number of pairs") != std::string::npos);
  CHECK(failing("place,size [B],time [us]\nover there,8,1\n").find("a place is a level") != std::string::npos);
  CHECK(failing("place,size [B],time [us]\non-nod,8,1\n").find("a place is a level") != std::string::npos);
  Read twice;
  twice.add(fit::Tool::csv, "place,size [B],time [us]\non-node,8,1\n", "socket");
  CHECK(twice.message().find("`--within` says another") != std::string::npos);
  CHECK(!failing("pairs,size [B],time [us]\n1,8,-1\n").empty());
  const auto few = read(fit::Tool::csv, "pairs,size [B],time [us]\n2,8,1\n2,16,1\n");
  CHECK(!fit::fit_interfaces(few->timings, few->diagnostics));
  CHECK(few->diagnostics.has_errors());
}

TEST_CASE("NCCL's tables are read: a pair that exchanges, and collectives") {
  const std::string columns =
      "#                                                              out-of-place                       in-place\n"
      "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw "
      "#wrong\n"
      "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n";
  const std::string ranks = "#  Rank  0 Group  0 Pid 1 on a device  0\n#  Rank  1 Group  0 Pid 2 on b device  0\n";
  const std::string row =
      "           8             2     float     sum      -1    15.21    0.00    0.00      0    14.94  "
      "  0.00    0.00      0\n";
  const auto pair = read(fit::Tool::nccl, "# Collective test starting: sendrecv_perf\n" + ranks + columns + row);
  INFO(pair->message());
  REQUIRE(!pair->diagnostics.has_errors());
  const auto* latency = pair->timings.find(fit::BenchmarkMeasure::latency);
  REQUIRE(latency != nullptr);
  CHECK(latency->samples.front().time == 15.21);
  const auto all = read(fit::Tool::nccl, "# Collective test starting: all_reduce_perf\n" + ranks + columns + row);
  const auto* collective = all->timings.find(fit::BenchmarkMeasure::collective);
  REQUIRE(collective != nullptr);
  CHECK(collective->operation == "allreduce");
  CHECK(collective->samples.front().processes == 2);
  CHECK(read(fit::Tool::nccl, ranks + columns + row)->message().find("which test") != std::string::npos);
  CHECK(read(fit::Tool::nccl, row)->message().find("without a heading") != std::string::npos);
  CHECK(
      read(fit::Tool::nccl, "# all_reduce_perf\n" + ranks + columns + "8 2 float\n" + row)->message().find("columns") !=
      std::string::npos);
  CHECK(read(fit::Tool::nccl, "nothing\n")->message().find("holds no table") != std::string::npos);
}

TEST_CASE("a machine of streams of several pairs replays what osu_mbw_mr printed") {
  std::string latency = "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n", streams;
  const auto gap = [](double size, int pairs) { return std::max(0.35 + size * 1.3e-4, pairs * (0.02 + size * 8e-5)); };
  const auto single = [](double size, int pairs) { return 1.5 + std::max(size * 4e-4, pairs * (0.02 + size * 8e-5)); };
  for (double size = 1; size <= 1 << 20; size *= 4) latency += fmt::format("{:.0f} {:.6f}\n", size, single(size, 1));
  for (const int pairs : {1, 2, 8}) {
    streams += fmt::format(
        "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n# [ pairs: {} ] [ window size: 64 ]\n"
        "# Size                  MB/s        Messages/s\n",
        pairs);
    for (double size = 1; size <= 1 << 20; size *= 4) {
      const double each =
          fit::WindowShare(64, single(size, (pairs + 1) / 2), single(4, 1)).printed_of(gap(size, pairs));
      streams += fmt::format("{:.0f} {:.6f} {:.6f}\n", size, pairs * size / each, pairs * 1e6 / each);
    }
  }
  Read all;
  all.add(fit::Tool::osu, latency);
  all.add(fit::Tool::osu, streams);
  const auto found = fit::fit_interfaces(all.timings, all.diagnostics);
  REQUIRE(found);
  CHECK(found->places.front().classes.front().own_gap.value == Approx(0.35).epsilon(0.01));
  fit::Provenance provenance;
  provenance.name = "Replayed";
  const fit::Replay replay =
      fit::replay({fit::interface_text(*found, provenance), provenance.name}, *found, all.timings);
  CHECK(replay.notes.empty());
  CHECK(replay.times.size() == 11 * 4);
  for (const auto& one : replay.times) {
    CAPTURE(one.benchmark, one.on, one.size, one.measured, one.replayed);
    CHECK(std::abs(one.error()) < 0.02);
  }
  // What is off is marked: the same machine against times that are half as long.
  for (auto& series : all.timings.series) {
    for (auto& sample : series.samples) sample.time /= 2;
  }
  const fit::Replay off = fit::replay({fit::interface_text(*found, provenance), provenance.name}, *found, all.timings);
  CHECK(off.off() == off.times.size());
}

TEST_CASE("the machine that is written takes as long as the fit says") {
  const auto found = fitted(table({1, 4, 16}, 1, 0));
  REQUIRE(found);
  fit::Provenance provenance;
  provenance.name = "Cluster";
  provenance.files = {"pairs.csv"};
  provenance.command = "wave fit csv pairs.csv";
  const std::string text = fit::interface_text(*found, provenance);
  for (const double size : {8.0, 512.0, 4096.0, 1e6}) {
    for (const int pairs : {1, 3, 16}) {
      CAPTURE(size, pairs, text);
      const std::string asked =
          fmt::format("model M {{ output t = Cluster().total({:.0f} B, sharing = {}) }}\n", size, pairs);
      CHECK(tests::Model(text + asked).real("t") / 1e6 ==
            Approx(time_at(found->places.front(), size, pairs)).epsilon(1e-3));
    }
  }
}
