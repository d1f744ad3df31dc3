// See fit_reports.h.
#include "analysis/machine_fit/builder.h"
#include "analysis/machine_fit/machine_tables.h"
#include "analysis/machine_fit/machine_text.h"
#include "base/text.h"
#include "cli/results.h"
#include "cli/studies/fit_reports.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace wave::cli {
namespace {

namespace fit = analysis::machine_fit;
using fit::ParameterUnit;
using fit::size_text;
using fit::unit_of;

// The digits that the width of an interval leaves.
std::string interval(double lower, double upper, std::string_view unit) {
  const double width = upper - lower;
  if (!(width > 0)) return "";
  const int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(width))), 0, 12);
  const auto digits = [&](double value) { return fmt::format("{:.{}f}", value, decimals); };
  return fmt::format("{} to {}{}{}", digits(lower), digits(upper), unit.empty() ? "" : " ", unit);
}

void print_segments(Passages& out, const fit::Segmentation& found, const std::vector<fit::TimedSize>& points,
                    const std::vector<fit::SegmentCosts>* parts, fit::Noise noise, std::string_view what) {
  ReadableTable table;
  table.header = {"sizes", "protocol", "t(0)", "each byte", "points", "left out", "rms", "largest"};
  table.align = {Align::left,  Align::left,  Align::right, Align::right,
                 Align::right, Align::right, Align::right, Align::right};
  if (parts == nullptr) table.header[1] = "";
  for (std::size_t k = 0; k < found.segments.size(); ++k) {
    const auto& one = found.segments[k];
    table.rows.push_back(
        {fmt::format("{} to {}", size_text(points[one.begin].size), size_text(points[one.end - 1].size)),
         parts == nullptr ? std::string() : std::string(fit::name_of((*parts)[k].protocol)),
         fmt::format("{:.6g} us", one.line.at_zero), fmt::format("{:.6g} us/B", one.line.per_byte),
         fmt::format("{}", one.used.size()), fmt::format("{}", one.outliers.size() + one.ambiguous.size()),
         fit::percent_text(one.rms), fit::percent_text(one.largest)});
  }
  out.push_back(
      {fmt::format("{}: {} times of {} to {}; noise {}\n", what, points.size(), size_text(points.front().size),
                   size_text(points.back().size), fit::noise_text(found, noise)),
       std::move(table), "  "});
}

void print_parameters(Passages& out, const fit::MachineFit& found) {
  ReadableTable table;
  table.header = {"parameter", "value", fmt::format("{:g} % interval", 100 * found.probability), "meaning", "from"};
  table.align = {Align::left, Align::left, Align::left, Align::left, Align::left};
  for (const auto& one : found.parameters) {
    table.rows.push_back(
        {one.name, fit::quantity_text(one),
         one.dimension == ParameterUnit::size ? std::string() : interval(one.lower, one.upper, unit_of(one.dimension)),
         one.meaning, one.origin});
  }
  out.push_back({"\nparameters (± the standard error)\n", std::move(table), "  "});
}

void print_collective(Passages& out, const fit::CollectiveFit& one, bool in_machine, double probability) {
  std::string text;
  text += fmt::format("\n{}: {} times on {} to {} processes{}; rms {}, largest {}\n", sanitize(one.operation),
                      one.points, one.processes.front(), one.processes.back(),
                      one.sized ? fmt::format(", {} to {}", size_text(one.from), size_text(one.to)) : std::string(),
                      fit::percent_text(one.rms), fit::percent_text(one.largest));
  text += fmt::format("  t(p{}) = {}\n  {}\n", one.sized ? ", s" : "", fit::formula_text(one),
                      sanitize(fit::use_text(one, in_machine)));
  ReadableTable table;
  table.header = {"coefficient", "value", fmt::format("{:g} % interval", 100 * probability)};
  table.align = {Align::left, Align::left, Align::left};
  for (const auto& term : one.terms) {
    const std::string_view unit = term.per_byte ? "us/B" : "us";
    table.rows.push_back({fit::term_text(term), fmt::format("{:.6g} {}", term.coefficient, unit),
                          interval(term.lower, term.upper, unit)});
  }
  if (one.exponent)
    table.rows.push_back(
        {"c", fmt::format("{:.6g}", one.exponent->value), interval(one.exponent->lower, one.exponent->upper, "")});
  out.push_back({text, std::move(table), "  "});
}

void print_replay(Passages& out, const fit::Replay& replay) {
  if (replay.times.empty()) return;
  ReadableTable table;
  table.header = {"benchmark", "on", "size", "measured", "replayed", "error", ""};
  table.align = {Align::left, Align::left, Align::right, Align::right, Align::right, Align::right, Align::left};
  for (const auto& one : replay.times) {
    table.rows.push_back({one.benchmark, one.on, size_text(one.size),
                          fmt::format("{:.5g} {}", one.printed(one.measured), one.unit()),
                          fmt::format("{:.5g} {}", one.printed(one.replayed), one.unit()), signed_percent(one.error()),
                          one.is_off() ? "*" : ""});
  }
  const std::size_t off = replay.off();
  out.push_back({"\nreplayed: the benchmarks, run on this machine\n", std::move(table), "  "});
  if (off > 0)
    out.push_back({fmt::format("  * {} of {} by more than three standard deviations\n", off, replay.times.size())});
}

Passages page_of(const FitReport& report) {
  const fit::MachineFit& found = report.fit;
  Passages page;
  std::string out;
  if (found.latency) {
    print_segments(page, *found.latency, found.points, &found.parts, found.noise, "one message");
    if (found.gap) {
      page.push_back({"\n"});
      print_segments(page, *found.gap, found.gap_points, nullptr, fit::Noise::of_time, "from one message to the next");
    }
  }
  page.push_back({text_of(found.wild, report.sources)});
  if (found.latency) print_parameters(page, found);
  if (!found.undetermined.empty()) {
    out += fmt::format("\nthe data do not tell {} apart; what they say:\n", join_texts(found.undetermined, ", "));
    for (const auto& one : found.known)
      out += fmt::format("  {} = {}\n", one.sum, fit::time_text(one, found.probability));
    out += fmt::format("  a measured overhead, or `--assume {}=...`, separates them\n",
                       found.undetermined.size() > 1 ? found.undetermined[1] : "o");
  }
  page.push_back({std::exchange(out, {})});
  for (const auto& one : found.collectives) print_collective(page, one, found.latency.has_value(), found.probability);
  print_replay(page, report.replay);
  if (!found.notes.empty() || !report.remarks.empty() || !report.replay.notes.empty()) out += "\n";
  for (const auto& remark : report.remarks) out += fmt::format("note: {}\n", sanitize(remark));
  for (const auto* const notes : {&found.notes, &report.replay.notes}) {
    for (const auto& note : *notes) out += fmt::format("note: {}\n", sanitize(note));
  }
  if (!found.consistent) out += "\nthe fit is poor in places: see the notes\n";
  page.push_back({out});
  return page;
}

}  // namespace

std::string text_of(const std::vector<fit::WildTime>& wild, const frontend::Sources& sources) {
  constexpr std::size_t most_listed = 20;
  if (wild.empty()) return "";
  std::string text = "\nset aside, too far from the rest to be noise\n";
  for (std::size_t i = 0; i < wild.size(); ++i) {
    if (i == most_listed) return text + fmt::format("  and {} more\n", wild.size() - most_listed);
    const auto& one = wild[i];
    const auto place = sources.line_column(one.location.file, one.location.begin);
    text += fmt::format("  {}:{}: {}: {:.6g} us at {}{}, expected {:.4g} us\n",
                        sanitize(sources.name(one.location.file)), place.line, sanitize(one.of), one.time,
                        size_text(one.size), one.on.empty() ? "" : " of " + one.on, one.expected);
  }
  return text;
}

Document document_of(const FitReport& report) {
  const fit::MachineFit& found = report.fit;
  Document document = document_about("", "");
  document.add_about("tool", report.tool);
  document.about.emplace_back("files", data_of(report.files));
  std::vector<std::string> remarks = report.remarks;
  remarks.insert(remarks.end(), report.replay.notes.begin(), report.replay.notes.end());
  for (const auto& table : {parameters_table(found.parameters), segments_table(found), thresholds_table(found),
                            known_table(found), collectives_table(found), terms_table(found),
                            replay_table(report.replay), set_aside_table(found.wild, report.sources),
                            fit::notes_table(found.notes, remarks), fit::machine_table(report.tool, report.text)})
    document.tables.push_back(whole_table(table));
  document.page = [&report](const std::vector<OutputTable>&) { return page_of(report); };
  return document;
}

}  // namespace wave::cli
