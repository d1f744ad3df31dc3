// See timings.h.
#include "analysis/machine_fit/timings.h"

#include "analysis/machine_fit/lines.h"
#include "frontend/source/utf8.h"

#include <fmt/format.h>

#include <array>

namespace wave::analysis::machine_fit {
namespace {

constexpr std::array<std::string_view, 4> tool_names = {"osu", "imb", "netgauge", "csv"};

// A femtosecond and thirty years, in us. Values beyond were not measured, and their squares are no numbers.
constexpr double shortest_time = 1e-9, longest_time = 1e15;

void refuse_impossible(std::uint32_t file, Timings& timings, Complaints& complaints) {
  for (auto& series : timings.series) {
    std::erase_if(series.samples, [&](const Sample& sample) {
      if (sample.place.file != file || (sample.time >= shortest_time && sample.time <= longest_time)) return false;
      if (!complaints.too_many()) {
        complaints.add(sample.place.begin, sample.place.end, "no message takes such a time",
                       "shorter than a femtosecond or longer than thirty years");
      }
      return true;
    });
  }
}

}  // namespace

std::string_view name_of(Tool tool) { return tool_names[static_cast<std::size_t>(tool)]; }

std::string_view long_name(Tool tool) {
  switch (tool) {
    case Tool::osu: return "the OSU micro-benchmarks";
    case Tool::imb: return "the Intel MPI Benchmarks";
    case Tool::netgauge: return "Netgauge's LogGP test";
    case Tool::csv: return "a table with commas";
  }
  return "";
}

std::optional<Tool> tool_named(std::string_view name) {
  for (std::size_t i = 0; i < tool_names.size(); ++i) {
    if (tool_names[i] == name) return static_cast<Tool>(i);
  }
  return std::nullopt;
}

Series& Timings::of(Measure measure, const std::string& operation, bool sized) {
  for (auto& one : series) {
    if (one.measure == measure && one.operation == operation) return one;
  }
  series.push_back({measure, operation, sized, {}});
  return series.back();
}

const Series* Timings::find(Measure measure) const {
  for (const auto& one : series) {
    if (one.measure == measure && !one.samples.empty()) return &one;
  }
  return nullptr;
}

std::optional<Tool> recognised(std::string_view text) {
  LineReader lines(text);
  for (int looked = 0; looked < 2000 && lines.next(); ++looked) {
    const std::string_view line = lines.line();
    if (line.rfind("# OSU ", 0) == 0) return Tool::osu;
    if (line.find("#repetitions") != std::string_view::npos || line.rfind("# Benchmarking ", 0) == 0) return Tool::imb;
    if (line.find("PRTT(1,0,s)") != std::string_view::npos) return Tool::netgauge;
    if (line.front() != '#' && line.find(',') != std::string_view::npos && line.find('[') != std::string_view::npos)
      return Tool::csv;
  }
  return std::nullopt;
}

void suggest_tool(frontend::Diagnostic& diagnostic, std::string_view text, Tool asked) {
  const auto found = recognised(text);
  if (!found || *found == asked) return;
  diagnostic.help.push_back(
      fmt::format("it looks like the output of {}: `wave fit {} ...`", long_name(*found), name_of(*found)));
}

void read_timings(Tool tool, const frontend::Sources& sources, std::uint32_t file, const ReadOptions& options,
                  Timings& timings, frontend::Diagnostics& diagnostics) {
  const std::string_view text = sources.text(file);
  // What others print between the rows of a benchmark may be in any encoding of bytes.
  const bool is_pure = tool == Tool::csv || text.find('\0') != std::string_view::npos;
  if (is_pure && !frontend::check_text(sources, file, diagnostics)) return;
  Complaints complaints(sources, file, diagnostics);
  switch (tool) {
    case Tool::osu: read_osu(text, complaints, options, timings); break;
    case Tool::imb: read_imb(text, complaints, timings); break;
    case Tool::netgauge: read_netgauge(text, complaints, timings); break;
    case Tool::csv: read_csv(text, complaints, diagnostics, file, options, timings); break;
  }
  refuse_impossible(file, timings, complaints);
}

}  // namespace wave::analysis::machine_fit
