// See damage.h.
#include "tests/unit/machine_fit/damage.h"

#include "analysis/machine_fit/builder.h"
#include "frontend/source/sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <tuple>

namespace wave::tests {
namespace {

namespace fit = analysis::machine_fit;

std::string text_of(const std::string& path) {
  std::ifstream in(std::string(WAVE_SOURCE_FOLDER) + "/" + path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

Measured files_of(std::string name, fit::Tool tool, const std::vector<std::string>& paths) {
  Measured result{std::move(name), tool, {}};
  for (const auto& path : paths) result.files.push_back(text_of(path));
  return result;
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

Measured replaced(Measured measured, const NumberIn& number, const std::string& by) {
  measured.files[number.file].replace(number.begin, number.end - number.begin, by);
  return measured;
}

fit::Timings read(const Measured& measured, frontend::Sources& sources, frontend::Diagnostics& diagnostics) {
  fit::Timings timings;
  for (const auto& text : measured.files)
    fit::read_timings(measured.tool, sources, sources.add("data", text), measured.options, timings, diagnostics);
  return timings;
}

// The line of a machine's messages or gaps of a size.
double on_lines(const fit::Segmentation& found, double size) {
  std::size_t k = 0;
  while (k < found.thresholds.size() && size > found.thresholds[k].below) ++k;
  return found.segments[k].line.at(size);
}

double parameter(const fit::MachineFit& machine, const std::string& name) {
  const auto* const found = machine.find(name);
  return found == nullptr ? 0 : found->value;
}

double overhead(const fit::MachineFit& machine, bool sending, double size) {
  std::size_t k = 0;
  while (k < machine.latency->thresholds.size() && size > machine.latency->thresholds[k].below) ++k;
  const auto& part = machine.parts[k];
  return parameter(machine, sending ? part.o_send : part.o_recv) +
         size * parameter(machine, sending ? part.o_send_per_byte : part.o_recv_per_byte);
}

// The time that a fit gives for what was measured; nothing if it has none of the kind.
std::optional<double> time_of(const Fitted& fitted, const fit::Series& series, const fit::Sample& sample) {
  using fit::BenchmarkMeasure;
  if (fitted.interfaces) {
    if (series.measure != BenchmarkMeasure::latency && series.measure != BenchmarkMeasure::gap) return std::nullopt;
    for (const auto& place : fitted.interfaces->places) {
      if (place.level != sample.place) continue;
      const auto of = std::find_if(place.classes.begin(), place.classes.end() - 1,
                                   [&](const auto& one) { return sample.size <= one.to; });
      const double time =
          of->time_of({sample.size, sample.pairs, series.measure == BenchmarkMeasure::gap, 0}, place.servers);
      if (sample.window < 2) return time;
      return fit::WindowShare(sample.window, of->end_of_window(sample.size, sample.pairs, place.servers),
                              place.classes.front().time_of({fit::answer_size, 1}, place.servers))
          .printed_of(time);
    }
    return std::nullopt;
  }
  const fit::MachineFit& machine = *fitted.machine;
  switch (series.measure) {
    case BenchmarkMeasure::latency:
      return machine.latency ? std::optional(on_lines(*machine.latency, sample.size)) : std::nullopt;
    case BenchmarkMeasure::gap: {
      if (!machine.gap) return std::nullopt;
      const double gap = on_lines(*machine.gap, sample.size);
      if (sample.window < 2) return gap;
      return fit::WindowShare(sample.window, on_lines(*machine.latency, sample.size),
                              on_lines(*machine.latency, fit::answer_size))
          .printed_of(gap);
    }
    case BenchmarkMeasure::send_overhead:
      return machine.latency ? std::optional(overhead(machine, true, sample.size)) : std::nullopt;
    case BenchmarkMeasure::receive_overhead:
      return machine.latency ? std::optional(overhead(machine, false, sample.size)) : std::nullopt;
    case BenchmarkMeasure::collective:
      for (const auto& one : machine.collectives) {
        if (one.operation == series.operation && sample.processes > 1)
          return fit::time_of(one, sample.processes, sample.size);
      }
      return std::nullopt;
  }
  return std::nullopt;
}

// How far off the times a fit is: the largest root of the mean square of its lines, formulas and classes.
double rms_of(const Fitted& fitted) {
  double rms = 0;
  if (fitted.machine) {
    for (const auto* const lines : {&fitted.machine->latency, &fitted.machine->gap}) {
      if (!*lines) continue;
      for (const auto& one : (*lines)->segments) rms = std::max(rms, one.rms);
    }
    for (const auto& one : fitted.machine->collectives) rms = std::max(rms, one.rms);
  }
  if (fitted.interfaces) {
    for (const auto& place : fitted.interfaces->places) {
      for (const auto& one : place.classes) rms = std::max(rms, one.rms);
    }
  }
  return rms;
}

std::string trouble_with(double value, const std::string& name) {
  if (std::isfinite(value) && value >= 0) return "";
  return fmt::format("{} = {}", name, value);
}

std::string trouble_in(const fit::MachineFit& machine) {
  for (const auto& one : machine.parameters) {
    for (const double value : {one.value, one.lower, one.standard_error}) {
      if (const auto text = trouble_with(value, one.name); !text.empty()) return text;
    }
  }
  for (const auto& one : machine.collectives) {
    for (const auto& term : one.terms) {
      if (!std::isfinite(term.coefficient)) return one.operation;
    }
  }
  return "";
}

std::string trouble_in(const fit::InterfaceFit& interfaces) {
  for (const auto& place : interfaces.places) {
    for (const auto& one : place.classes) {
      for (const auto* const number : {&one.at_zero, &one.per_byte, &one.gap, &one.gap_per_byte}) {
        for (const double value : {number->value, number->standard_error}) {
          if (const auto text = trouble_with(value, place.level); !text.empty()) return text;
        }
      }
    }
  }
  return "";
}

}  // namespace

std::vector<Measured> measured_files() {
  const std::string made = "tests/cli/fixtures/benchmarks/";
  return {
      files_of("osu latency", fit::Tool::osu, {made + "osu_latency.txt"}),
      files_of("osu latency and streams", fit::Tool::osu, {made + "osu_latency.txt", made + "osu_mbw_mr.txt"}),
      files_of("osu latency of the example", fit::Tool::osu, {"examples/sweep3d/osu_latency.txt"}),
      files_of("imb", fit::Tool::imb, {made + "imb.txt"}),
      files_of("netgauge", fit::Tool::netgauge, {made + "netgauge.txt"}),
      files_of("pairs", fit::Tool::csv, {made + "pairs.txt"}),
      files_of("max rate of the example", fit::Tool::csv, {"examples/max_rate/blue_waters.csv"}),
  };
}

std::vector<NumberIn> numbers_in(const Measured& measured) {
  std::vector<NumberIn> numbers;
  for (std::size_t file = 0; file < measured.files.size(); ++file) {
    const std::string& text = measured.files[file];
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (!is_digit(text[at])) continue;
      char* end = nullptr;
      std::strtod(text.c_str() + at, &end);
      const auto after = static_cast<std::size_t>(end - text.c_str());
      numbers.push_back({file, at, after});
      at = after;
    }
  }
  return numbers;
}

std::vector<NumberIn> times_in(const Measured& measured) {
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  std::vector<NumberIn> times;
  for (const auto& series : read(measured, sources, diagnostics).series) {
    for (const auto& one : series.samples) times.push_back({one.location.file, one.location.begin, one.location.end});
  }
  return times;
}

Measured scaled(const Measured& measured, const NumberIn& number, double factor) {
  const std::string text = measured.files[number.file].substr(number.begin, number.end - number.begin);
  return replaced(measured, number, fmt::format("{:.15g}", std::strtod(text.c_str(), nullptr) * factor));
}

Measured without(const Measured& measured, const NumberIn& number) { return replaced(measured, number, ""); }

Line line_of(const Measured& measured, const NumberIn& number) {
  const std::string& text = measured.files[number.file];
  return {number.file, 1 + static_cast<std::uint32_t>(std::count(
                               text.begin(), text.begin() + static_cast<std::ptrdiff_t>(number.begin), '\n'))};
}

Damage damage_of(const Measured& measured, const Measured& damaged) {
  using Kind = std::pair<int, std::string>;
  using Value = std::tuple<double, double, int, int, std::string>;
  const auto values_of = [](const Measured& all) {
    frontend::Sources sources;
    frontend::Diagnostics diagnostics;
    std::map<Kind, std::map<Line, std::vector<Value>>> values;
    for (const auto& series : read(all, sources, diagnostics).series) {
      for (const auto& one : series.samples) {
        const Line line{one.location.file, sources.line_column(one.location.file, one.location.begin).line};
        values[{static_cast<int>(series.measure), series.operation}][line].emplace_back(
            one.size, one.time, one.processes, one.pairs, one.place);
      }
    }
    return values;
  };
  const auto before = values_of(measured);
  auto after = values_of(damaged);
  Damage damage;
  for (const auto& [kind, lines] : before) {
    std::size_t changed = 0;
    for (const auto& [line, values] : lines) {
      if (after[kind][line] == values) continue;
      damage.lines.insert(line);
      ++changed;
    }
    damage.share = std::max(damage.share, static_cast<double>(changed) / static_cast<double>(lines.size()));
  }
  return damage;
}

Fitted fitted(const Measured& measured, const fit::FitOptions& options) {
  Fitted result;
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  const fit::Timings timings = read(measured, sources, diagnostics);
  const std::vector<fit::WildTime>* wild = nullptr;
  if (!diagnostics.has_errors()) {
    if (fit::has_interfaces(timings)) {
      result.interfaces = fit::fit_interfaces(timings, diagnostics);
      if (result.interfaces) wild = &result.interfaces->wild;
    } else {
      fit::compare_populations(timings, "wave fit", sources, diagnostics);
      result.machine = fit::fit_machine(timings, options, diagnostics);
      if (result.machine) wild = &result.machine->wild;
    }
  }
  for (const auto& one : diagnostics.all()) {
    if (one.severity != frontend::Severity::error) continue;
    const bool has_place = !one.labels.empty() && one.labels.front().location.known();
    result.errors_are_helpful = result.errors_are_helpful && (has_place || !one.help.empty());
    result.errors.push_back(one.message);
  }
  if (wild != nullptr) {
    for (const auto& one : *wild)
      result.wild.insert({one.location.file, sources.line_column(one.location.file, one.location.begin).line});
  }
  for (const auto& one : timings.impossible)
    result.wild.insert({one.file, sources.line_column(one.file, one.begin).line});
  if (result.machine) result.trouble = trouble_in(*result.machine);
  if (result.interfaces) result.trouble = trouble_in(*result.interfaces);
  return result;
}

std::string what_is_missed(const Fitted& found, const Fitted& clean, const Measured& measured,
                           const std::set<Line>& but) {
  constexpr double least = 0.06, evidence = 10;  // as for the number of servers, in interfaces.cpp
  const double tolerance = std::max(least, rms_of(clean));
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  for (const auto& series : read(measured, sources, diagnostics).series) {
    double largest = 0, squares = 0, clean_squares = 0, count = 0;
    std::string where;
    for (const auto& sample : series.samples) {
      const auto expected = time_of(clean, series, sample), time = time_of(found, series, sample);
      const Line line{sample.location.file, sources.line_column(sample.location.file, sample.location.begin).line};
      if (!expected || but.contains(line)) continue;
      const auto off_from = [&](double other) {
        return time && *time > 0 ? std::abs(std::log(*time / other)) : std::numeric_limits<double>::infinity();
      };
      if (!clean.wild.contains(line)) {
        squares += std::pow(off_from(sample.time), 2);
        clean_squares += std::pow(std::log(*expected / sample.time), 2);
        ++count;
      }
      if (off_from(*expected) <= largest) continue;
      largest = off_from(*expected);
      where = fmt::format("{} of {} on {} processes, {} pairs",
                          series.operation.empty() ? "a message or gap" : series.operation, fit::size_text(sample.size),
                          sample.processes, sample.pairs);
    }
    const double against = count * std::log(squares / clean_squares);
    if (largest > tolerance && !(against <= evidence))
      return fmt::format("off by {:.3g} for {}, evidence against it {:.3g}", largest, where, against);
  }
  return "";
}

std::vector<Case> cases_of(const Measured& measured) {
  std::vector<Case> cases;
  for (const auto& number : numbers_in(measured)) {
    for (const double factor : {0.01, 0.1, 10.0, 100.0, 1e4, 1e6}) cases.push_back({number, factor});
    cases.push_back({number, std::nullopt});
  }
  return cases;
}

std::string text_of(const Measured& measured, const Case& one) {
  const auto& [file, begin, end] = one.number;
  const std::string number = measured.files[file].substr(begin, end - begin);
  return fmt::format("{}: file {}, line {}, `{}` {}", measured.name, file + 1, line_of(measured, one.number).second,
                     number, one.factor ? fmt::format("times {}", *one.factor) : "taken out");
}

std::string what_is_wrong(const Measured& measured, const Fitted& clean, const Case& one) {
  const Measured damaged = one.factor ? scaled(measured, one.number, *one.factor) : without(measured, one.number);
  const Fitted found = fitted(damaged);
  if (!found.found())
    return !found.errors.empty() && found.errors_are_helpful ? "" : "an error without a place or a way on";
  if (!found.trouble.empty()) return found.trouble;
  constexpr double most_of_a_kind = 0.1;
  const Damage damage = damage_of(measured, damaged);
  if (damage.share > most_of_a_kind) return "";
  const bool is_named = std::any_of(damage.lines.begin(), damage.lines.end(),
                                    [&](const Line& line) { return found.wild.contains(line); });
  if (is_named) return "";
  return what_is_missed(found, clean, measured);
}

}  // namespace wave::tests
