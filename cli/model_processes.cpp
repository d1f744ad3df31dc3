// See model_processes.h.
#include "cli/model_processes.h"

#include "cli/limits.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;
using frontend::ProcessInfo;

void choose(Session& session, const std::string& wanted, const frontend::Item& model,
            const std::vector<ProcessInfo>& all, std::vector<ProcessInfo>& chosen) {
  if (all.empty() && !session.diagnostics().has_errors()) {
    auto& d = session.diagnostics().add(DiagnosticKind::no_process, model.name.place,
                                        fmt::format("`{}` has no process", model.name.text), "this model");
    d.help.push_back(
        "only a `process` sends messages; recurrences and equations do not. Of models inside it those count that an "
        "output reads");
    return;
  }
  const bool is_path = std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.name == wanted; });
  for (const auto& one : all) {
    // `transport` for short where the process is one of a model inside, `sweep.transport`.
    const bool is_end = !is_path && one.name.ends_with("." + wanted);
    if (wanted.empty() || one.name == wanted || is_end) chosen.push_back(one);
  }
  if (!chosen.empty() || session.diagnostics().has_errors()) return;
  std::vector<std::string> names;
  for (const auto& one : all) names.push_back(one.name);
  auto& d = session.diagnostics().add(DiagnosticKind::no_process, model.name.place,
                                      fmt::format("`{}` has no process `{}`", model.name.text, wanted), "this model");
  const std::string near = frontend::nearest(wanted, names);
  d.help.push_back(near.empty() ? fmt::format("its processes are `{}`", fmt::join(names, "`, `"))
                                : fmt::format("did you mean `{}`?", near));
}

// What the model requires holds before anything is asked of its processes.
void check_requirements(Session& session, const ModelProcesses& processes) {
  const auto& lowered = processes.lowered;
  const auto engine = backend::make_interpreter(lowered.system);
  const auto evaluation = engine->start({}, engine_limits(session.options()));
  for (const auto& process : processes.chosen) {
    const auto outcome = evaluation->evaluate(process.requirements);
    if (const auto* failed = std::get_if<ir::Failure>(&outcome)) {
      report(lowered.system, lowered.words, lowered.notes, *failed, session.diagnostics());
      return;
    }
  }
}

}  // namespace

std::optional<ModelProcesses> load_processes(Session& session, const ProcessChoice& choice) {
  if (!session.load(choice.file)) return std::nullopt;
  const auto* model = choose_model(session, choice.model);
  const auto overrides =
      model != nullptr ? check_overrides(session, *model, choice.overrides) : std::vector<frontend::Override>{};
  if (!session.settle() || model == nullptr) return std::nullopt;
  ModelProcesses result;
  result.model = model->name.text;
  result.lowered = lower_model(session.program(), *model, overrides, session.diagnostics(), {false, true});
  choose(session, choice.process, *model, result.lowered.processes, result.chosen);
  check_requirements(session, result);
  const bool is_clear = session.settle();
  if (!is_clear || result.chosen.empty()) return std::nullopt;
  return result;
}

}  // namespace wave::cli
