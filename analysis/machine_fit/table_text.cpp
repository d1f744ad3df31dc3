// What tables come to, as people read it. See timings.h.
#include "analysis/machine_fit/builder.h"
#include "analysis/machine_fit/machine_names.h"
#include "analysis/machine_fit/timings.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace wave::analysis::machine_fit {
namespace {

std::string kind_text(const MeasuredKind& kind) {
  switch (kind.measure) {
    case BenchmarkMeasure::latency: return "of one message";
    case BenchmarkMeasure::gap: return "from one message to the next";
    case BenchmarkMeasure::send_overhead: return "of overhead of sending";
    case BenchmarkMeasure::receive_overhead: return "of overhead of receiving";
    case BenchmarkMeasure::collective: return "of " + kind.operation;
  }
  return "";
}

std::string size_meaning(const LogTable& table) {
  switch (table.size_is) {
    case SizeIs::same: return "";
    case SizeIs::whole: return fmt::format("sizes are of all parts together, and divided by {}", table.processes);
    case SizeIs::part: return fmt::format("sizes are of one part, and multiplied by {}", table.processes);
  }
  return "";
}

// What is known of how it was measured.
std::string circumstances(const LogTable& table) {
  std::vector<std::string> parts;
  if (!table.library.empty()) parts.push_back(table.library);
  if (!table.buffers.empty()) parts.push_back(table.buffers);
  if (table.has_collectives() && table.processes > 0) parts.push_back(fmt::format("{} processes", table.processes));
  if (table.pairs > 1) parts.push_back(fmt::format("{} pairs", table.pairs));
  if (table.window > 0) parts.push_back(fmt::format("window of {}", table.window));
  if (!table.mapping.empty()) parts.push_back(table.mapping);
  if (!table.placement.empty()) parts.push_back(table.placement);
  if (!table.place.empty()) parts.push_back("within " + table.place);
  return join_texts(parts, ", ");
}

// "12 times of one message, 1 B to 4 MiB"
std::string used_text(const LogTable& table, std::uint16_t kind) {
  std::size_t count = 0;
  double from = 0, to = 0;
  std::set<int> processes, pairs;
  std::set<std::string> places;
  for (const auto& row : table.rows) {
    if (row.kind != kind || row.reason != 0) continue;
    from = count == 0 ? row.sample.size : std::min(from, row.sample.size);
    to = count == 0 ? row.sample.size : std::max(to, row.sample.size);
    processes.insert(row.sample.processes);
    pairs.insert(row.sample.pairs);
    places.insert(row.sample.place.empty() ? "none" : row.sample.place);
    ++count;
  }
  const MeasuredKind& of = table.kinds[kind];
  std::string text = fmt::format("{} time{} {}", count, count == 1 ? "" : "s", harmless(kind_text(of)));
  if (count > 0 && of.sized) text += ", " + size_text(from);
  if (count > 0 && of.sized && to > from) text += " to " + size_text(to);
  if (table.tool == Tool::csv && of.measure == BenchmarkMeasure::collective)
    text += fmt::format(", on {} processes", join_texts(processes, ", "));
  if (table.tool == Tool::csv && pairs.size() > 1) text += fmt::format(", of {} pairs", join_texts(pairs, ", "));
  if (table.has_places) text += fmt::format(", within {}", join_texts(places, ", "));
  return text;
}

std::string row_text(const LogTable& table, const TableRow& row) {
  const MeasuredKind& kind = table.kinds[row.kind];
  std::string text = fmt::format("    line {}:", row.line);
  if (kind.sized) text += fmt::format(" {}", size_text(row.sample.size));
  text += fmt::format(" {:.6g} us", row.sample.time);
  if (table.kinds.size() > 1) text += fmt::format(", {}", harmless(kind_text(kind)));
  if (table.tool == Tool::csv && kind.measure == BenchmarkMeasure::collective)
    text += fmt::format(", {} processes", row.sample.processes);
  if (table.tool == Tool::csv && row.sample.pairs > 1) text += fmt::format(", {} pairs", row.sample.pairs);
  return text + "\n";
}

void add_rows(std::string& out, const LogTable& table) {
  constexpr std::size_t most_rows = 200;
  for (std::uint16_t kind = 0; kind < table.kinds.size(); ++kind)
    out += fmt::format("  used: {}\n", used_text(table, kind));
  std::size_t listed = 0;
  for (const auto& row : table.rows) {
    if (row.reason != 0) continue;
    if (++listed > most_rows) continue;
    out += row_text(table, row);
  }
  if (listed > most_rows) out += fmt::format("    and {} more\n", listed - most_rows);
  for (std::size_t reason = 0; reason < table.reasons.size(); ++reason) {
    std::set<std::uint32_t> lines;
    for (const auto& row : table.rows) {
      if (row.reason == reason + 1) lines.insert(row.line);
    }
    if (lines.empty()) continue;
    const std::size_t count = lines.size();
    constexpr std::size_t most_named = 20;
    if (count > most_named) lines.erase(std::next(lines.begin(), most_named), lines.end());
    out +=
        fmt::format("  left out: line{} {}{}: {}\n", count == 1 ? "" : "s", join_texts(lines, ", "),
                    count > most_named ? fmt::format(" and {} more", count - most_named) : "", table.reasons[reason]);
  }
}

std::string table_text(const LogTable& table, std::size_t number) {
  std::string out = fmt::format("table {}, lines {} to {}", number, table.first_line, table.last_line);
  if (table.tool == Tool::csv) {
    out += ": a table with commas\n";
  } else {
    out += fmt::format(": {}, of {}", harmless(table.test.empty() ? "(no title)" : table.test), long_name(table.tool));
    if (!table.version.empty()) out += " " + harmless(table.version);
    out += "\n";
  }
  if (const std::string known = circumstances(table); !known.empty()) out += fmt::format("  {}\n", harmless(known));
  if (!table.is_used()) return out + fmt::format("  not used: {}\n", table.unused);
  if (const std::string meaning = size_meaning(table); !meaning.empty() && table.processes > 0)
    out += fmt::format("  {}\n", meaning);
  add_rows(out, table);
  return out;
}

}  // namespace

std::string explanation(const Timings& timings, std::uint32_t file, const frontend::Sources& sources) {
  std::string out = fmt::format("{}\n", harmless(sources.name(file)));
  bool has_any = false;
  for (std::size_t i = 0; i < timings.tables.size(); ++i) {
    if (timings.tables[i].file != file) continue;
    out += table_text(timings.tables[i], i + 1);
    has_any = true;
  }
  if (!has_any) out += "no table of a benchmark was found\n";
  return out;
}

}  // namespace wave::analysis::machine_fit
