// See report_parts.h: timelines of processes.
#include "analysis/chosen_processes.h"
#include "analysis/pictures/timeline_plot.h"
#include "cli/limits.h"
#include "cli/studies/report_parts.h"

#include <fmt/format.h>

#include <utility>

namespace wave::cli {

namespace element = analysis::pictures::element;

analysis::pictures::PageSection timeline_section(Session& session, const frontend::Item& model,
                                                 const std::vector<frontend::Override>& overrides) {
  analysis::pictures::PageSection section{"Timelines", {}};
  frontend::Diagnostics quiet;  // what is wrong was reported with the outputs
  const auto limits = engine_limits(session.options());
  const auto lowered = lower_model(session.program(), model, overrides, quiet, {false, true});
  if (quiet.has_errors() || lowered.processes.empty()) return section;
  const auto chosen = analysis::evaluated_processes(lowered, lowered.processes, limits);
  analysis::check_requirements(lowered, chosen, limits, quiet);
  if (quiet.has_errors()) return section;
  for (const auto& process : chosen) {
    frontend::Diagnostics found;
    auto plot = analysis::pictures::plot_process(lowered, process, {}, limits, found, [](std::int64_t processes) {
      return processes <= analysis::pictures::most_lanes;
    });
    if (plot)
      section.elements.push_back(element::Picture{std::move(*plot)});
    else if (found.has_errors() && found.all().front().kind == frontend::DiagnosticKind::trace_too_long)
      section.elements.push_back(element::Words{fmt::format("`{}` does too much for a timeline.", process.name)});
  }
  return section;
}

}  // namespace wave::cli
