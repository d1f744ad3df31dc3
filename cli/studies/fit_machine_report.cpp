// See fit_reports.h.
#include "analysis/machine_fit/builder.h"
#include "analysis/machine_fit/machine_text.h"
#include "base/text.h"
#include "cli/embedded.h"
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

std::string_view growth_text(fit::Term::Growth growth) {
  static constexpr std::string_view texts[] = {"1", "log2(p)", "p", "p^c"};
  return texts[static_cast<std::size_t>(growth)];
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
    const std::string growth(growth_text(term.growth));
    const std::string_view unit = term.per_byte ? "us/B" : "us";
    table.rows.push_back(
        {term.per_byte ? (term.growth == fit::Term::Growth::constant ? std::string("s") : growth + " s") : growth,
         fmt::format("{:.6g} {}", term.coefficient, unit), interval(term.lower, term.upper, unit)});
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

// --- for programs ---

// What is known of a number, as members of an object.
DataWriter& add_estimate(DataWriter& json, double value, double error, double lower, double upper,
                         std::string_view unit) {
  json.key("value").value(value).key("unit").value(unit).key("standard_error").value(error);
  return json.key("lower").value(lower).key("upper").value(upper);
}

void write_number(DataWriter& json, std::string_view key, double value, double error, double lower, double upper,
                  std::string_view unit) {
  add_estimate(json.key(key).begin_object(), value, error, lower, upper, unit).end_object();
}

void write_segments(DataWriter& json, const fit::Segmentation& found, const std::vector<fit::TimedSize>& points,
                    const std::vector<fit::SegmentCosts>* parts) {
  json.key("noise").value(found.deviation);
  json.key("degrees_of_freedom").value(found.degrees_of_freedom);
  json.key("criterion").begin_array();
  for (const double one : found.criterion) json.value(one);
  json.end_array();
  json.key("segments").begin_array(Layout::lines);
  for (std::size_t k = 0; k < found.segments.size(); ++k) {
    const auto& one = found.segments[k];
    json.begin_object();
    json.key("from").value(points[one.begin].size).key("to").value(points[one.end - 1].size);
    if (parts != nullptr) json.key("protocol").value(fit::name_of((*parts)[k].protocol));
    write_number(json, "at_zero", one.line.at_zero, one.standard_error.at_zero, one.lower.at_zero, one.upper.at_zero,
                 "us");
    write_number(json, "per_byte", one.line.per_byte, one.standard_error.per_byte, one.lower.per_byte,
                 one.upper.per_byte, "us/B");
    json.key("points")
        .value(static_cast<std::int64_t>(one.used.size()))
        .key("ambiguous")
        .value(static_cast<std::int64_t>(one.ambiguous.size()))
        .key("wild")
        .value(static_cast<std::int64_t>(one.outliers.size()));
    json.key("rms").value(one.rms).key("largest").value(one.largest).end_object();
  }
  json.end_array();
  json.key("thresholds").begin_array(Layout::lines);
  for (const auto& one : found.thresholds) {
    json.begin_object()
        .key("below")
        .value(one.below)
        .key("above")
        .value(one.above)
        .key("lower")
        .value(one.lowest)
        .key("upper")
        .value(one.highest)
        .end_object();
  }
  json.end_array();
}

void write_collective(DataWriter& json, const fit::CollectiveFit& one) {
  json.begin_object();
  json.key("operation").value(one.operation).key("formula").value(fit::formula_text(one));
  json.key("terms").begin_array();
  for (const auto& term : one.terms) {
    json.begin_object().key("growth").value(growth_text(term.growth)).key("per_byte").value(term.per_byte);
    write_number(json, "coefficient", term.coefficient, term.standard_error, term.lower, term.upper,
                 term.per_byte ? "us/B" : "us");
    json.end_object();
  }
  json.end_array();
  if (one.exponent)
    write_number(json, "exponent", one.exponent->value, one.exponent->standard_error, one.exponent->lower,
                 one.exponent->upper, "");
  json.key("points").value(static_cast<std::int64_t>(one.points)).key("processes").begin_array();
  for (const int p : one.processes) json.value(static_cast<std::int64_t>(p));
  json.end_array();
  json.key("from")
      .value(one.from)
      .key("to")
      .value(one.to)
      .key("rms")
      .value(one.rms)
      .key("largest")
      .value(one.largest)
      .end_object();
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

Data data_of(const FitReport& report) {
  const fit::MachineFit& found = report.fit;
  DataWriter json;
  json.begin_object(Layout::lines);
  json.key("wave").value(version).key("tool").value(report.tool);
  json.texts("files", report.files).key("probability").value(found.probability);
  if (found.latency) {
    json.key("latency").begin_object(Layout::lines);
    write_segments(json, *found.latency, found.points, &found.parts);
    json.end_object();
  }
  if (found.gap) {
    json.key("gap").begin_object(Layout::lines);
    write_segments(json, *found.gap, found.gap_points, nullptr);
    json.end_object();
  }
  json.key("parameters").begin_array(Layout::lines);
  for (const auto& one : found.parameters) {
    json.begin_object().key("name").value(one.name);
    add_estimate(json, one.value, one.standard_error, one.lower, one.upper, unit_of(one.dimension));
    json.key("fitted")
        .value(one.standard_error > 0)
        .key("meaning")
        .value(one.meaning)
        .key("from")
        .value(one.origin)
        .end_object();
  }
  json.end_array();
  json.texts("undetermined", found.undetermined).key("known").begin_array(Layout::lines);
  for (const auto& one : found.known) {
    json.begin_object().key("sum").value(one.sum);
    add_estimate(json, one.value, one.standard_error, one.lower, one.upper, "us").end_object();
  }
  json.end_array();
  json.key("collectives").begin_array(Layout::lines);
  for (const auto& one : found.collectives) write_collective(json, one);
  json.end_array();
  json.key("replayed").begin_array(Layout::lines);
  for (const auto& one : report.replay.times) {
    json.begin_object().key("benchmark").value(one.benchmark).key("on").value(one.on).key("size").value(one.size);
    json.key("measured").value(one.printed(one.measured)).key("replayed").value(one.printed(one.replayed));
    json.key("unit").value(one.unit());
    json.key("standard_deviation").value(one.deviation).key("off").value(one.is_off()).end_object();
  }
  json.end_array();
  json.key("set_aside").begin_array(Layout::lines);
  for (const auto& one : found.wild) {
    const auto place = report.sources.line_column(one.location.file, one.location.begin);
    json.begin_object().key("of").value(one.of).key("file").value(report.sources.name(one.location.file));
    json.key("line").value(static_cast<std::int64_t>(place.line)).key("size").value(one.size);
    json.key("time").value(one.time).key("expected").value(one.expected).end_object();
  }
  json.end_array();
  json.texts("notes", found.notes, Layout::lines).texts("remarks", report.remarks, Layout::lines);
  return json.end_object().take();
}

OutputTable table_of(const FitReport& report) {
  std::vector<std::string> names, units;
  std::vector<double> values, errors, lower, upper;
  for (const auto& one : report.fit.parameters) {
    names.push_back(one.name);
    units.emplace_back(unit_of(one.dimension));
    values.push_back(one.value);
    errors.push_back(one.standard_error);
    lower.push_back(one.lower);
    upper.push_back(one.upper);
  }
  OutputTable table;
  table.rows = names.size();
  table.columns = {word_column("name", names),        number_column("value", "", values),
                   word_column("unit", units),        number_column("standard_error", "", errors),
                   number_column("lower", "", lower), number_column("upper", "", upper)};
  return table;
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
  return one_table_document(
      table_of(report), [&report] { return data_of(report); }, [&report] { return page_of(report); });
}

}  // namespace wave::cli
