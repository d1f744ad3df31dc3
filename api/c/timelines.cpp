// Timelines of processes as plots.
#include "analysis/chosen_processes.h"
#include "analysis/pictures/timeline_plot.h"
#include "api/c/evaluation.h"
#include "api/c/plots.h"

namespace wave::api {
namespace {

using analysis::pictures::Plot;
using frontend::DiagnosticKind;

[[noreturn]] void refuse_several(const std::vector<frontend::ProcessInfo>& chosen) {
  std::vector<std::string> names;
  for (const auto& one : chosen) names.push_back(one.name);
  fail(WAVE_FAILED, DiagnosticKind::no_process, "the model has several processes",
       "choose one of " + frontend::quoted_list(names));
}

Plot timeline_of(Model& model, const std::string& wanted, const backend::Limits& limits) {
  Plot plot;
  frontend::Diagnostics diagnostics;
  auto options = lowering_options(limits);
  options.processes = true;
  with_lowered(model, limits, options, diagnostics, [&](frontend::Lowered& lowered, const analysis::MakeEngine&) {
    const auto chosen = analysis::evaluated_processes(
        lowered, analysis::choose_processes(wanted, model.item, lowered.processes, diagnostics), limits);
    analysis::check_requirements(lowered, chosen, limits, diagnostics);
    if (chosen.size() > 1) refuse_several(chosen);
    if (!diagnostics.has_errors())
      plot = analysis::pictures::plot_process(lowered, chosen.front(), {}, limits, diagnostics).value_or(Plot());
    if (diagnostics.has_errors()) fail(model.program->program().sources, diagnostics);
  });
  return plot;
}

}  // namespace
}  // namespace wave::api

using namespace wave::api;

extern "C" {

wave_status wave_plot_create_timeline(wave_model* model, const char* process, wave_plot** plot, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    need(plot, "plot");
    with_model(*found, [&](const wave::backend::Limits& limits) {
      auto made = timeline_of(*found, process ? process : "", limits);
      *plot = open_handle<wave_plot>(std::make_shared<PlotObject>(std::move(made)));
    });
  });
}

}  // extern "C"
