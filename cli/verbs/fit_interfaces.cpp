// `wave fit` of times that several pairs of processes took at once: what they share.
#include "analysis/machine_fit/builder.h"
#include "analysis/machine_fit/interface_text.h"
#include "analysis/machine_fit/interfaces.h"
#include "cli/results.h"
#include "cli/verbs/fit.h"

#include <fmt/format.h>

namespace wave::cli {
namespace {

namespace fit = analysis::machine_fit;

constexpr double picoseconds = 1e6;  // in a microsecond

void add_classes(const fit::InterfaceFit& found, Results& results) {
  const auto rate = std::make_shared<const frontend::Type>(frontend::Type{frontend::types::Real{{1, -1, 0}}});
  results.add_table("classes",
                    {{"within", text_type(), {}},
                     {"from", data_type(), {}},
                     {"to", data_type(), {}},
                     {"L", time_type(), {}},
                     {"G", rate, {}},
                     {"g", time_type(), {}},
                     {"G_N", rate, {}},
                     {"servers", count_type(), {}},
                     {"points", count_type(), {}},
                     {"rms", text_type(), {}},
                     {"largest", text_type(), {}}},
                    "the last of k pairs: L + max(s G, q (g + s G_N)), q = k / servers, rounded up");
  for (const auto& place : found.places) {
    for (const auto& one : place.classes) {
      results.add_row({place.level.empty() ? "none" : place.level, one.from, one.to, one.at_zero.value * picoseconds,
                       one.per_byte.value * picoseconds, one.gap.value * picoseconds,
                       one.gap_per_byte.value * picoseconds, std::int64_t{place.servers},
                       static_cast<std::int64_t>(one.points), fit::percent_text(one.rms),
                       fit::percent_text(one.largest)});
    }
  }
}

void add_wild(const fit::InterfaceFit& found, const frontend::Sources& sources, Results& results) {
  if (found.wild.empty()) return;
  results.add_table("set_aside",
                    {{"file", text_type(), {}},
                     {"line", count_type(), {}},
                     {"of", text_type(), {}},
                     {"on", text_type(), {}},
                     {"size", data_type(), {}},
                     {"time", time_type(), {}},
                     {"expected", time_type(), {}}},
                    "too far from the rest to be noise");
  for (const auto& one : found.wild) {
    const auto place = sources.line_column(one.location.file, one.location.begin);
    results.add_row({sources.name(one.location.file), std::int64_t{place.line}, one.of, one.on, one.size,
                     one.time * picoseconds, one.expected * picoseconds});
  }
}

}  // namespace

std::optional<std::string> fit_interfaces(const Fitting& command, const fit::Timings& timings,
                                          const fit::Provenance& provenance, const frontend::Sources& sources,
                                          Console& console) {
  frontend::Diagnostics diagnostics;
  const auto found = fit::fit_interfaces(timings, diagnostics);
  if (!console.report(sources, diagnostics) || !found) return std::nullopt;
  Results results;
  results.file = command.files[1];
  add_classes(*found, results);
  add_wild(*found, sources, results);
  results.add_table("notes", {{"note", text_type(), {}}}, "");
  for (const auto& note : found->notes) results.add_row({note});
  for (const auto& remark : timings.remarks) results.add_row({remark});
  console.print(written(document_of(results), command.of_model.format), Printed::data);
  return fit::interface_text(*found, provenance);
}

}  // namespace wave::cli
