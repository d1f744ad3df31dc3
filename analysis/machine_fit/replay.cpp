// See replay.h.
#include "analysis/machine_fit/replay.h"

#include "analysis/batch.h"
#include "analysis/machine_fit/benchmark_names.h"
#include "analysis/machine_fit/regression.h"
#include "backend/engine.h"
#include "backend/limits.h"
#include "base/text.h"
#include "frontend/check/program.h"
#include "frontend/lower/lower.h"
#include "frontend/source/patience.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>

namespace wave::analysis::machine_fit {
namespace {

// More are thinned out.
constexpr std::size_t most_replayed = 400;
constexpr double most_seconds = 60;
constexpr double microsecond = 1e6;  // in base units

// An output of a model of std.benchmarks, and how the benchmark is called that prints it.
struct Pattern {
  std::string model, output;
  std::string benchmark;
  std::string operation = {};  // of a collective

  friend auto operator<=>(const Pattern&, const Pattern&) = default;
};

// Whether std.benchmarks.Collective runs it: no benchmark of the tools measures shifts.
bool is_replayed(const std::string& operation) {
  return is_operation_of_machines(operation) && operation != "circular_shift";
}

std::string name_of_collective(Tool tool, const std::string& operation) {
  return fmt::format("{} {}", tool == Tool::csv ? std::string("times") : std::string(name_of(tool)), operation);
}

// What a benchmark does, by its source: std.benchmarks says where that stands. Nothing: no machine does that.
std::optional<Pattern> pattern_of(Tool tool, const Series& series, const Sample& sample) {
  const bool several = sample.pairs > 1;
  switch (series.measure) {
    case BenchmarkMeasure::latency:
      if (tool == Tool::csv) return Pattern{"Pairs", "last", "one message"};
      if (tool == Tool::nccl) return Pattern{"Ring", "each", "sendrecv_perf"};
      if (tool == Tool::osu) return Pattern{"Pairs", "half", several ? "osu_multi_lat" : "osu_latency"};
      return Pattern{"Pairs", "half", tool == Tool::imb ? "PingPong" : "PRTT(1,0,s)/2"};
    case BenchmarkMeasure::gap:
      if (sample.window == 0) return Pattern{"Pairs", "gap", "the next message"};
      return Pattern{"Pairs", "each", several ? "osu_mbw_mr" : "osu_bw"};
    case BenchmarkMeasure::collective:
      if (!is_replayed(series.operation)) return std::nullopt;
      return Pattern{"Collective", sample.is_mean ? "mean" : "longest", name_of_collective(tool, series.operation),
                     series.operation};
    case BenchmarkMeasure::send_overhead:
    case BenchmarkMeasure::receive_overhead: return std::nullopt;
  }
  return std::nullopt;
}

// The number of the innermost level that both ends share, as std.benchmarks counts them.
std::int64_t place_number(const std::string& place) {
  const auto found = std::find(levels_of_fits.begin(), levels_of_fits.end(), place);
  return 1 + (found - levels_of_fits.begin());
}

// What is replayed once: all of it that a model is given.
struct Case {
  Pattern pattern;
  std::int64_t pairs = 1, processes = 2, place = 0, window = 0;
  double size = 0;

  friend auto operator<=>(const Case&, const Case&) = default;
};

// The relative standard deviation of a time, as the fit has it.
using DeviationOf = std::function<double(const Series& series, const Sample& sample)>;

struct Measured {
  std::vector<double> times, deviations;
  std::string place;
};

std::map<Case, Measured> cases_of(const Timings& timings, const std::vector<WildTime>& wild,
                                  const DeviationOf& deviation, std::vector<std::string>& notes) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> set_aside;
  for (const WildTime& one : wild) set_aside.insert({one.location.file, one.location.begin});
  std::map<Case, Measured> cases;
  std::set<std::string> unknown;
  for (const Series& series : timings.series) {
    for (const Sample& sample : series.samples) {
      if (set_aside.contains({sample.location.file, sample.location.begin})) continue;
      const Tool tool = sample.table < timings.tables.size() ? timings.tables[sample.table].tool : Tool::csv;
      const auto pattern = pattern_of(tool, series, sample);
      if (!pattern && series.measure == BenchmarkMeasure::collective) unknown.insert(series.operation);
      if (!pattern) continue;
      Measured& one =
          cases[{*pattern, sample.pairs, sample.processes, place_number(sample.place), sample.window, sample.size}];
      one.times.push_back(sample.time);
      one.deviations.push_back(std::max(deviation(series, sample), sample.resolution / sample.time));
      one.place = sample.place;
    }
  }
  for (const auto& operation : unknown)
    notes.push_back(fmt::format("`{}` is not replayed: no process runs an operation of that name", operation));
  return cases;
}

// The machine with a model that gives it to a pattern.
std::string text_of(const ReplayedMachine& machine, const Pattern& pattern) {
  const std::string edition = "\nwave 1\n";
  std::string text = machine.text;
  const std::size_t at = text.find(edition);
  text.insert(at == std::string::npos ? 0 : at + edition.size(), "import std.benchmarks as benchmarks\n");
  const std::string model = machine.name == "Replayed" ? "ReplayedAgain" : "Replayed";
  if (pattern.model == "Collective") {
    return text + fmt::format(
                      "\nmodel {} {{\n  param size: data = 0 B in 0 B..\n  param processes: int = 2 in 1..\n"
                      "  output printed = benchmarks.Collective(net = {}(), operation = {}, size = size, "
                      "processes = processes, together = {}).{}\n}}\n",
                      model, machine.name, pattern.operation,
                      pattern.benchmark.starts_with(name_of(Tool::nccl)) ? "false" : "true", pattern.output);
  }
  const bool ring = pattern.model == "Ring";
  return text + fmt::format(
                    "\nmodel {} {{\n  param size: data = 0 B in 0 B..\n  param {}: int = 2 in 1..\n"
                    "  param place: int = 9 in 1..9\n  param window: int = 64 in 1..\n"
                    "  output printed = benchmarks.{}(net = {}(), size = size, {}, place = place{}).{}\n}}\n",
                    model, ring ? "processes" : "pairs", pattern.model, machine.name,
                    ring ? "processes = processes" : "pairs = pairs", ring ? "" : ", window = window", pattern.output);
}

// A pattern on the machine, ready to be run.
class Bench {
 public:
  Bench(const ReplayedMachine& machine, const Pattern& pattern, std::string& problem) {
    const std::string text = text_of(machine, pattern);
    frontend::Diagnostics diagnostics;
    program_ = frontend::load("replay.wave", {}, diagnostics, &text);
    if (!diagnostics.has_errors()) {
      const frontend::Item& model = *program_->main().items.back();
      lowered_ = frontend::lower_model(*program_, model, {}, diagnostics);
    }
    if (diagnostics.has_errors() || lowered_.outputs.empty() || !lowered_.outputs.back().root.valid()) {
      problem = diagnostics.all().empty() ? std::string("it has no value") : diagnostics.all().front().message;
      return;
    }
    engine_ = backend::make_interpreter(lowered_.system);
  }

  // In us; nothing, with what is wrong.
  std::optional<double> run(const Case& of, const backend::Limits& limits, std::string& problem) const {
    if (!engine_) return std::nullopt;
    const auto outcome = engine_->start(bindings_of(of), limits)->evaluate(lowered_.outputs.back().root);
    if (const auto* const failure = std::get_if<ir::Failure>(&outcome)) {
      problem = explain(lowered_, *failure).words;
      return std::nullopt;
    }
    const backend::Rows& rows = std::get<backend::Rows>(outcome);
    const double time = rows.cells.size() == 1 ? rows.cells.front().real / microsecond : 0;
    if (time > 0 && std::isfinite(time)) return time;
    problem = "it takes no time";
    return std::nullopt;
  }

 private:
  std::vector<backend::Binding> bindings_of(const Case& of) const {
    const std::map<std::string, std::int64_t> numbers = {{"pairs", of.pairs},
                                                         {"processes", of.processes},
                                                         {"place", of.place},
                                                         {"window", std::max<std::int64_t>(of.window, 1)}};
    std::vector<backend::Binding> bindings;
    for (const auto& parameter : lowered_.parameters) {
      if (!parameter.definition.valid()) continue;
      if (parameter.path == "size") bindings.emplace_back(parameter.definition, ir::Scalar::of(of.size));
      const auto number = numbers.find(parameter.path);
      if (number != numbers.end()) bindings.emplace_back(parameter.definition, ir::Scalar::of(number->second));
    }
    return bindings;
  }

  std::unique_ptr<frontend::Program> program_;
  frontend::Lowered lowered_;
  std::unique_ptr<backend::Engine> engine_;
};

std::string on_what(const Case& of, const std::string& place) {
  std::vector<std::string> parts;
  if (of.pattern.model == "Pairs") {
    if (of.pairs > 1) parts.push_back(fmt::format("{} pairs", of.pairs));
  } else {
    parts.push_back(fmt::format("{} processes", of.processes));
  }
  if (!place.empty()) parts.push_back("within " + place);
  return join_texts(parts, ", ");
}

DeviationOf deviation_of(const MachineFit& fit) {
  return [&fit](const Series& series, const Sample& sample) {
    if (series.measure == BenchmarkMeasure::collective) {
      for (const CollectiveFit& one : fit.collectives) {
        if (one.operation == series.operation) return one.rms;
      }
      return 0.0;
    }
    const bool is_gap = series.measure == BenchmarkMeasure::gap;
    const auto& found = is_gap ? fit.gap : fit.latency;
    const auto& points = is_gap ? fit.gap_points : fit.points;
    if (!found) return 0.0;
    double deviation = 0;
    for (const Segment& one : found->segments) {
      const Noise noise = is_gap ? Noise::of_time : fit.noise;
      deviation = noise == Noise::of_time ? one.deviation : one.deviation / sample.time;
      if (sample.size <= points[one.end - 1].size) break;
    }
    return deviation;
  };
}

DeviationOf deviation_of(const InterfaceFit& fit) {
  return [&fit](const Series&, const Sample& sample) {
    for (const PlaceFit& place : fit.places) {
      if (place.level != sample.place) continue;
      for (const PairClass& one : place.classes) {
        if (sample.size <= one.to || &one == &place.classes.back()) return one.deviation;
      }
    }
    return 0.0;
  };
}

Replay replayed(const ReplayedMachine& machine, const Timings& timings, const std::vector<WildTime>& wild,
                const DeviationOf& deviation) {
  backend::Limits limits;
  backend::set_time_limit(limits, most_seconds);
  Replay result;
  const auto cases = cases_of(timings, wild, deviation, result.notes);
  const std::size_t stride = (cases.size() + most_replayed - 1) / std::max<std::size_t>(most_replayed, 1);
  if (stride > 1)
    result.notes.push_back(fmt::format("of {} measured times every {}th is replayed", cases.size(), stride));
  std::map<Pattern, Bench> benches;
  std::map<Pattern, std::string> problems;
  std::size_t at = 0;
  for (const auto& [of, measured] : cases) {
    frontend::Patience::ask();
    if (at++ % std::max<std::size_t>(stride, 1) != 0) continue;
    std::string problem;
    const Bench& bench = benches.try_emplace(of.pattern, machine, of.pattern, problem).first->second;
    const auto time = bench.run(of, limits, problem);
    if (!time) {
      problems.try_emplace(of.pattern, problem);
      continue;
    }
    ReplayedTime one{of.pattern.benchmark, on_what(of, measured.place), of.size, median(measured.times), *time};
    one.deviation = median(measured.deviations);
    if (of.window > 0) one.bandwidth_of = static_cast<double>(of.pairs) * of.size;
    result.times.push_back(std::move(one));
  }
  for (const auto& [pattern, problem] : problems)
    result.notes.push_back(fmt::format("{} is not replayed for all that was measured: {}", pattern.benchmark, problem));
  return result;
}

}  // namespace

bool ReplayedTime::is_off() const {
  constexpr double most_deviations_off = 3, finest = 1e-3;  // numbers of a machine are written with some digits
  return !(std::abs(std::log(replayed / measured)) <= most_deviations_off * std::max(deviation, finest));
}

std::size_t Replay::off() const {
  return static_cast<std::size_t>(
      std::count_if(times.begin(), times.end(), [](const ReplayedTime& one) { return one.is_off(); }));
}

Replay replay(const ReplayedMachine& machine, const MachineFit& fit, const Timings& timings) {
  if (!fit.latency) return {{}, {"without times of messages there is no machine, and nothing is replayed"}};
  return replayed(machine, timings, fit.wild, deviation_of(fit));
}

Replay replay(const ReplayedMachine& machine, const InterfaceFit& fit, const Timings& timings) {
  return replayed(machine, timings, fit.wild, deviation_of(fit));
}

}  // namespace wave::analysis::machine_fit
